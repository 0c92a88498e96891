// Package settings is responsible for pi's settings.json: the key webTools.fetch
// in it, its defaults, and what is allowed there. Everything else in the file
// belongs to others and is not looked at.
package settings

import (
	"net/netip"
	"path/filepath"
	"time"
)

// Settings are the values of webTools.fetch, with defaults filled in, ~
// expanded and everything checked.
type Settings struct {
	Browser    Browser
	Challenge  Challenge
	ForceLocal []Pattern // URLs that no fetcher but local may see
	Network    Network
	Artifacts  Artifacts
	Parallel   Parallel
	GitHub     GitHub
	Idle       time.Duration // idleMinutes: how long the daemon stays without a request
}

// Browser is how Chrome is run.
type Browser struct {
	ExecutablePath    string // empty: look where each system keeps it
	ProfileDir        string
	Tabs              int
	NavigationTimeout time.Duration
	Render            string // RenderAuto, RenderAlways or RenderNever
	Sandbox           string // SandboxAuto, SandboxOn or SandboxOff
}

// Whether pages are rendered in Chrome.
const (
	RenderAuto   = "auto"   // where plain HTTP does not provably have the whole page
	RenderAlways = "always" // every page
	RenderNever  = "never"  // plain HTTP only
)

// Whether Chrome runs in its sandbox.
const (
	SandboxAuto = "auto" // unless the user is root, for whom Chrome has none
	SandboxOn   = "on"
	SandboxOff  = "off"
)

// Challenge is what happens at a page that wants proof of a person.
type Challenge struct {
	Escalation   string // EscalationNever or EscalationHeaded
	HeadlessWait time.Duration
	HeadedWait   time.Duration
}

// Whether a challenge brings up a headed browser.
const (
	EscalationNever  = "never"
	EscalationHeaded = "headed"
)

// Network is what the user allows and denies beyond the rules of the guard.
type Network struct {
	Allow []netip.Prefix
	Deny  []netip.Prefix
}

// Artifacts is where bodies are kept, and how long.
type Artifacts struct {
	Root     string
	KeepDays int // 0: for ever
}

// Parallel is the extract API.
type Parallel struct {
	BaseURL string
}

// GitHub is where GitHub is reached.
type GitHub struct {
	Endpoints Endpoints
}

// Endpoints are base URLs without a slash at the end.
type Endpoints struct {
	API      string
	Web      string
	Raw      string
	Gist     string
	Codeload string
}

// Defaults are the settings of someone who has none. agentDir is the folder
// settings.json is in.
func Defaults(agentDir string) Settings {
	return Settings{
		Browser: Browser{
			ProfileDir:        filepath.Join(agentDir, "browser-profile"),
			Tabs:              6,
			NavigationTimeout: 15 * time.Second,
			Render:            RenderAuto,
			Sandbox:           SandboxAuto,
		},
		Challenge: Challenge{
			Escalation:   EscalationNever,
			HeadlessWait: 10 * time.Second,
			HeadedWait:   20 * time.Second,
		},
		Artifacts: Artifacts{Root: "/tmp/pi-fetch", KeepDays: 7},
		Parallel:  Parallel{BaseURL: "https://api.parallel.ai"},
		GitHub: GitHub{Endpoints: Endpoints{
			API:      "https://api.github.com",
			Web:      "https://github.com",
			Raw:      "https://raw.githubusercontent.com",
			Gist:     "https://gist.githubusercontent.com",
			Codeload: "https://codeload.github.com",
		}},
		Idle: 5 * time.Minute,
	}
}

// The key of our settings in the file.
const (
	rootKey  = "webTools"
	fetchKey = "fetch"
)

// schema is the keys below webTools.fetch and where their values go in s.
func schema(s *Settings) group {
	b, c, e := &s.Browser, &s.Challenge, &s.GitHub.Endpoints
	return group{
		"browser": group{
			"executablePath":        pathOrEmpty(&b.ExecutablePath),
			"profileDir":            path(&b.ProfileDir),
			"tabs":                  whole(&b.Tabs, 1, 32),
			"navigationTimeoutSecs": duration(&b.NavigationTimeout, time.Second, 1, 120),
			"render":                oneOf(&b.Render, RenderAuto, RenderAlways, RenderNever),
			"sandbox":               oneOf(&b.Sandbox, SandboxAuto, SandboxOn, SandboxOff),
		},
		"challenge": group{
			"escalation":       oneOf(&c.Escalation, EscalationNever, EscalationHeaded),
			"headlessWaitSecs": duration(&c.HeadlessWait, time.Second, 0, 120),
			"headedWaitSecs":   duration(&c.HeadedWait, time.Second, 0, 600),
		},
		"forceLocal": list(&s.ForceLocal, ParsePattern, patternForms),
		"network": group{
			"allow": list(&s.Network.Allow, parsePrefix, prefixForms),
			"deny":  list(&s.Network.Deny, parsePrefix, prefixForms),
		},
		"artifacts": group{
			"root":     path(&s.Artifacts.Root),
			"keepDays": whole(&s.Artifacts.KeepDays, 0, 36500),
		},
		"parallel": group{
			"baseURL": baseURL(&s.Parallel.BaseURL),
		},
		"github": group{
			"endpoints": group{
				"api":      baseURL(&e.API),
				"web":      baseURL(&e.Web),
				"raw":      baseURL(&e.Raw),
				"gist":     baseURL(&e.Gist),
				"codeload": baseURL(&e.Codeload),
			},
		},
		"idleMinutes": duration(&s.Idle, time.Minute, 1, 365*24*60),
	}
}
