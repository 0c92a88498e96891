package settings

import (
	"errors"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// diff compares settings, patterns by what was written.
func diff(want, got Settings) string {
	return cmp.Diff(want, got,
		cmp.Comparer(func(a, b Pattern) bool { return a == b }),
		cmp.Comparer(func(a, b netip.Prefix) bool { return a == b }))
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// load reads a settings file with that text. The home folder is /home/ann.
func load(t *testing.T, text string) (dir string, s Settings, warnings []string, err error) {
	t.Helper()
	t.Setenv("HOME", "/home/ann")
	dir = t.TempDir()
	path := filepath.Join(dir, "settings.json")
	write(t, path, text)
	s, warnings, err = Open(path).Load()
	return dir, s, warnings, err
}

func mustPattern(t *testing.T, s string) Pattern {
	t.Helper()
	p, err := ParsePattern(s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestDefaults(t *testing.T) {
	want := Settings{
		Browser: Browser{
			ProfileDir: "/home/ann/.pi/agent/browser-profile", Tabs: 6, NavigationTimeout: 15 * time.Second,
			Render: "auto", Sandbox: "auto",
		},
		Challenge: Challenge{Escalation: "never", HeadlessWait: 10 * time.Second, HeadedWait: 20 * time.Second},
		Artifacts: Artifacts{Root: "/tmp/pi-fetch", KeepDays: 7},
		Parallel:  Parallel{BaseURL: "https://api.parallel.ai"},
		GitHub: GitHub{Endpoints{
			API: "https://api.github.com", Web: "https://github.com", Raw: "https://raw.githubusercontent.com",
			Gist: "https://gist.githubusercontent.com", Codeload: "https://codeload.github.com",
		}},
		Idle: 5 * time.Minute,
	}
	if d := diff(want, Defaults("/home/ann/.pi/agent")); d != "" {
		t.Error(d)
	}
}

func TestSchemaCoversDefaults(t *testing.T) {
	// Every value of the documented example, which shows the defaults.
	dir, s, warnings, err := load(t, `{ "webTools": { "fetch": {
  "browser":   { "executablePath": "", "tabs": 6, "navigationTimeoutSecs": 15, "render": "auto", "sandbox": "auto" },
  "challenge": { "escalation": "never", "headlessWaitSecs": 10, "headedWaitSecs": 20 },   // or "headed"
  "forceLocal": [],
  "network":   { "allow": [], "deny": [] },
  "artifacts": { "root": "/tmp/pi-fetch", "keepDays": 7 },
  "parallel":  { "baseURL": "https://api.parallel.ai" },
  "github":    { "endpoints": { "api": "https://api.github.com", "web": "https://github.com", "raw": "https://raw.githubusercontent.com",
                                "gist": "https://gist.githubusercontent.com", "codeload": "https://codeload.github.com" } },
  "idleMinutes": 5,
} } }`)
	if err != nil || len(warnings) > 0 {
		t.Fatal(warnings, err)
	}
	want := Defaults(dir)
	want.ForceLocal, want.Network = []Pattern{}, Network{Allow: []netip.Prefix{}, Deny: []netip.Prefix{}}
	if d := diff(want, s); d != "" {
		t.Error(d)
	}
}

func TestLoadValues(t *testing.T) {
	tests := []struct {
		name, text string
		change     func(t *testing.T, s *Settings) // from the defaults
	}{
		{"empty object", `{}`, nil},
		{"other keys only", `{"theme": "dark", "webTools": {"search": {"fetch": 1}}}`, nil},
		{"weird other keys", `{"theme": {"theme": [1, {}], "theme": null}, "fetch": 3, "webtools": [], "WebTools": 7}`, nil},
		{"comments and commas", "// first\n{ /* a */ \"webTools\": { \"fetch\": { \"idleMinutes\": 7, }, }, }\n// last", func(t *testing.T, s *Settings) { s.Idle = 7 * time.Minute }},
		{"null is the default", `{"webTools": {"fetch": {"browser": null, "idleMinutes": null, "challenge": {"escalation": null}, "forceLocal": null}}}`, nil},
		{"null above", `{"webTools": null}`, nil},
		{"null fetch", `{"webTools": {"fetch": null}}`, nil},
		{"all", `{"webTools": {"fetch": {
			"browser": {"executablePath": "~/bin/chrome", "profileDir": "/data//profile/", "tabs": 1, "navigationTimeoutSecs": 120, "render": "always", "sandbox": "off"},
			"challenge": {"escalation": "headed", "headlessWaitSecs": 0, "headedWaitSecs": 600},
			"forceLocal": ["*.corp.example", "https://docs.example/private/*"],
			"network": {"allow": ["10.1.2.3/8", "::1", "::ffff:192.168.0.0/112"], "deny": ["fd00::/8"]},
			"artifacts": {"root": "~", "keepDays": 0},
			"parallel": {"baseURL": "http://127.0.0.1:9/p/"},
			"github": {"endpoints": {"api": "https://ghe.example/api/v3/", "web": "https://a.example", "raw": "https://b.example", "gist": "https://c.example", "codeload": "https://d.example"}},
			"idleMinutes": 1}}}`, func(t *testing.T, s *Settings) {
			*s = Settings{
				Browser:    Browser{ExecutablePath: "/home/ann/bin/chrome", ProfileDir: "/data/profile", Tabs: 1, NavigationTimeout: 2 * time.Minute, Render: RenderAlways, Sandbox: SandboxOff},
				Challenge:  Challenge{Escalation: EscalationHeaded, HeadedWait: 10 * time.Minute},
				ForceLocal: []Pattern{mustPattern(t, "*.corp.example"), mustPattern(t, "https://docs.example/private/*")},
				Network: Network{
					Allow: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("::1/128"), netip.MustParsePrefix("192.168.0.0/16")},
					Deny:  []netip.Prefix{netip.MustParsePrefix("fd00::/8")},
				},
				Artifacts: Artifacts{Root: "/home/ann"},
				Parallel:  Parallel{BaseURL: "http://127.0.0.1:9/p"},
				GitHub:    GitHub{Endpoints{"https://ghe.example/api/v3", "https://a.example", "https://b.example", "https://c.example", "https://d.example"}},
				Idle:      time.Minute,
			}
		}},
		{"number in another form", `{"webTools": {"fetch": {"browser": {"tabs": 1.2e1}}}}`, func(t *testing.T, s *Settings) { s.Browser.Tabs = 12 }},
		{"last webTools counts", `{"webTools": {"fetch": {"idleMinutes": 9}}, "webTools": {"fetch": {"idleMinutes": 8}}}`, func(t *testing.T, s *Settings) { s.Idle = 8 * time.Minute }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir, s, warnings, err := load(t, tt.text)
			if err != nil || len(warnings) > 0 {
				t.Fatal(warnings, err)
			}
			want := Defaults(dir)
			if tt.change != nil {
				tt.change(t, &want)
			}
			if d := diff(want, s); d != "" {
				t.Errorf("settings (-want +got):\n%s", d)
			}
		})
	}
}

func TestWarnings(t *testing.T) {
	tests := []struct {
		name, fetch string
		want        []string
	}{
		{"nested misspelling", `{"browser": {"tab": 3}}`, []string{"settings: unknown key webTools.fetch.browser.tab, known here are executablePath, navigationTimeoutSecs, profileDir, render, sandbox, tabs"}},
		{"case", `{"IdleMinutes": 3}`, []string{"settings: unknown key webTools.fetch.IdleMinutes, known here are artifacts, browser, challenge, forceLocal, github, idleMinutes, network, parallel"}},
		{"nothing near", `{"artifacts": {"color": 3}}`, []string{"settings: unknown key webTools.fetch.artifacts.color, known here are keepDays, root"}},
		{"deep", `{"github": {"endpoints": {"apis": "x"}}}`, []string{"settings: unknown key webTools.fetch.github.endpoints.apis, known here are api, codeload, gist, raw, web"}},
		{"unknown values are not looked at", `{"x": {"tabs": "many"}, "parallel": {"baseUrl": 1}}`, []string{
			"settings: unknown key webTools.fetch.x, known here are artifacts, browser, challenge, forceLocal, github, idleMinutes, network, parallel",
			"settings: unknown key webTools.fetch.parallel.baseUrl, known here are baseURL",
		}},
		{"twice", `{"idleMinutes": "bad", "idleMinutes": 3}`, []string{"settings: webTools.fetch.idleMinutes is given more than once, the last one counts"}},
		{"control characters", `{"artifacts": {"\u001b[1m\n": 1}}`, []string{`settings: unknown key webTools.fetch.artifacts.\x1b[1m\n, known here are keepDays, root`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, _, warnings, err := load(t, `{"webTools": {"fetch": `+tt.fetch+`}}`)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.want, warnings); d != "" {
				t.Errorf("warnings (-want +got):\n%s", d)
			}
		})
	}
}

func TestBadValues(t *testing.T) {
	const (
		prefix  = "webTools.fetch."
		pathFor = "must be an absolute path, or one that starts with ~/"
		urlFor  = "must be an http or https URL without user, query and fragment"
	)
	tests := []struct{ fetch, want string }{
		{`3`, "webTools.fetch must be an object"},
		{`{"browser": []}`, prefix + "browser must be an object"},
		{`{"browser": {"tabs": 0}}`, prefix + "browser.tabs must be a whole number from 1 to 32"},
		{`{"browser": {"tabs": 33}}`, prefix + "browser.tabs must be a whole number from 1 to 32"},
		{`{"browser": {"tabs": 1.5}}`, prefix + "browser.tabs must be a whole number from 1 to 32"},
		{`{"browser": {"tabs": "6"}}`, prefix + "browser.tabs must be a whole number from 1 to 32"},
		{`{"browser": {"tabs": 1e999}}`, prefix + "browser.tabs must be a whole number from 1 to 32"},
		{`{"browser": {"navigationTimeoutSecs": 121}}`, prefix + "browser.navigationTimeoutSecs must be a whole number from 1 to 120"},
		{`{"browser": {"navigationTimeoutSecs": true}}`, prefix + "browser.navigationTimeoutSecs must be a whole number from 1 to 120"},
		{`{"browser": {"render": "Auto"}}`, prefix + `browser.render must be "auto", "always" or "never"`},
		{`{"browser": {"sandbox": false}}`, prefix + `browser.sandbox must be "auto", "on" or "off"`},
		{`{"browser": {"executablePath": "chromium"}}`, prefix + "browser.executablePath " + pathFor},
		{`{"browser": {"executablePath": 1}}`, prefix + "browser.executablePath " + pathFor},
		{`{"browser": {"profileDir": ""}}`, prefix + "browser.profileDir " + pathFor},
		{`{"browser": {"profileDir": "~bob/x"}}`, prefix + "browser.profileDir " + pathFor},
		{`{"browser": {"profileDir": "/a\u0000b"}}`, prefix + "browser.profileDir " + pathFor},
		{`{"challenge": {"escalation": "always"}}`, prefix + `challenge.escalation must be "never" or "headed"`},
		{`{"challenge": {"headlessWaitSecs": -1}}`, prefix + "challenge.headlessWaitSecs must be a whole number from 0 to 120"},
		{`{"challenge": {"headedWaitSecs": 601}}`, prefix + "challenge.headedWaitSecs must be a whole number from 0 to 600"},
		{`{"forceLocal": "*.x"}`, prefix + "forceLocal must be an array of strings"},
		{`{"forceLocal": ["ok.example", "ftp://x/"]}`, prefix + "forceLocal[1] must be " + patternForms},
		{`{"forceLocal": [null]}`, prefix + "forceLocal[0] must be " + patternForms},
		{`{"network": {"allow": {}}}`, prefix + "network.allow must be an array of strings"},
		{`{"network": {"allow": ["10.0.0.0/33"]}}`, prefix + "network.allow[0] must be " + prefixForms},
		{`{"network": {"deny": ["intranet"]}}`, prefix + "network.deny[0] must be " + prefixForms},
		{`{"network": {"deny": ["fe80::1%eth0"]}}`, prefix + "network.deny[0] must be " + prefixForms},
		{`{"artifacts": {"root": "tmp"}}`, prefix + "artifacts.root " + pathFor},
		{`{"artifacts": {"keepDays": -1}}`, prefix + "artifacts.keepDays must be a whole number from 0 to 36500"},
		{`{"parallel": {"baseURL": "api.parallel.ai"}}`, prefix + "parallel.baseURL " + urlFor},
		{`{"parallel": {"baseURL": "https://"}}`, prefix + "parallel.baseURL " + urlFor},
		{`{"parallel": {"baseURL": "https://u:p@x.example"}}`, prefix + "parallel.baseURL " + urlFor},
		{`{"parallel": {"baseURL": "https://x.example/?a"}}`, prefix + "parallel.baseURL " + urlFor},
		{`{"github": {"endpoints": {"raw": ""}}}`, prefix + "github.endpoints.raw " + urlFor},
		{`{"github": {"endpoints": "https://x"}}`, prefix + "github.endpoints must be an object"},
		{`{"idleMinutes": 0}`, prefix + "idleMinutes must be a whole number from 1 to 525600"},
	}
	for _, tt := range tests {
		t.Run(tt.fetch, func(t *testing.T) {
			dir, s, _, err := load(t, "{\n  \"webTools\": {\"fetch\": "+tt.fetch+"}}")
			e, ok := errors.AsType[*Error](err)
			if !ok {
				t.Fatalf("error is %v", err)
			}
			if !strings.HasPrefix(err.Error(), filepath.Join(dir, "settings.json")+":2:") || !strings.HasSuffix(err.Error(), ": "+tt.want) {
				t.Errorf("got  %s\nwant …:2:…: %s", err, tt.want)
			}
			if e.Key != strings.Fields(tt.want)[0] {
				t.Errorf("key is %q", e.Key)
			}
			if d := diff(Defaults(dir), s); d != "" {
				t.Errorf("settings beside the error (-want +got):\n%s", d)
			}
		})
	}
}

func TestErrorPosition(t *testing.T) {
	_, _, _, err := load(t, "{\n  // ä\n  \"webTools\": {\"fetch\": {\n    \"ü\": 1, \"idleMinutes\": 0}}}")
	e, ok := errors.AsType[*Error](err)
	if !ok || e.Line != 4 || e.Column != 28 {
		t.Errorf("got %v at %d:%d, want 4:28", err, e.Line, e.Column)
	}
}

func TestNotJSON(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"empty", "", ":1:1: not valid JSON: parsing value: unexpected EOF"},
		{"text", "theme = dark", ":1:1: not valid JSON: invalid literal"},
		{"cut off", "{\n  \"webTools\": {\"fetch\"", ":2:23: not valid JSON: parsing object after name: unexpected EOF"},
		{"missing comma", "{\n  \"a\": 1\n  \"b\": 2}", `:3:3: not valid JSON: invalid character '"' after object value (expecting ',' or '}')`},
		{"secret in a bad literal", `{"token": "s3cret` + "\x01" + `"}`, ":1:11: not valid JSON: invalid literal"},
		{"columns are characters", "{\"ä\": x}", ":1:7: not valid JSON: invalid literal"},
		{"array", "[]", ":1:1: not a JSON object"},
		{"two values", "{} {}", ":1:4: not valid JSON: invalid character '{' after top-level value"},
		{"webTools is no object", `{"webTools": 1}`, ":1:14: webTools must be an object"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir, _, _, err := load(t, tt.text)
			if _, ok := errors.AsType[*Error](err); !ok {
				t.Fatalf("error is %v", err)
			}
			if want := filepath.Join(dir, "settings.json") + tt.want; err.Error() != want {
				t.Errorf("got  %s\nwant %s", err, want)
			}
		})
	}
}

func TestDeepNesting(t *testing.T) {
	if _, _, _, err := load(t, strings.Repeat("[", maxBytes)); err == nil {
		t.Error("a file of nothing but brackets was accepted")
	}
	if _, _, _, err := load(t, strings.Repeat("[", maxBytes+1)); err == nil || !strings.HasSuffix(err.Error(), "larger than 262144 bytes") {
		t.Errorf("over the limit: %v", err)
	}
}

func TestUnreadable(t *testing.T) {
	dir := t.TempDir()
	_, _, err := Open(dir).Load()
	if _, ok := errors.AsType[*Error](err); !ok || err.Error() != dir+": not a regular file" {
		t.Errorf("a folder: %v", err)
	}
	loop := filepath.Join(dir, "loop")
	if err := os.Symlink(loop, loop); err != nil {
		t.Fatal(err)
	}
	_, _, err = Open(loop).Load()
	if _, ok := errors.AsType[*Error](err); !ok || strings.Count(err.Error(), loop) != 1 {
		t.Errorf("a link to itself: %v", err)
	}
}

func TestLoadFollowsTheFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "settings.json")
	file := Open(path)
	stamp := time.Now().Add(-time.Hour)
	for i, step := range []struct {
		text string // "-" removes the file
		idle time.Duration
		bad  bool
	}{
		{"-", 5 * time.Minute, false},
		{`{"webTools": {"fetch": {"idleMinutes": 1}}}`, time.Minute, false},
		{`{"webTools": {"fetch": {"idleMinutes": 2}}}`, 2 * time.Minute, false}, // same size
		{`{"webTools": {"fetch": {"idleMinutes": 2`, 5 * time.Minute, true},     // half written
		{`{"webTools": {"fetch": {"idleMinutes": 0}}}`, 5 * time.Minute, true},
		{`{"webTools": {"fetch": {"idleMinutes": 3}}}`, 3 * time.Minute, false},
		{"-", 5 * time.Minute, false},
	} {
		os.Remove(path)
		if step.text != "-" {
			write(t, path, step.text)
			if err := os.Chtimes(path, stamp, stamp); err != nil { // same time
				t.Fatal(err)
			}
		}
		for range 2 {
			s, _, err := file.Load()
			if (err != nil) != step.bad || s.Idle != step.idle {
				t.Errorf("step %d: idle %v, error %v", i, s.Idle, err)
			}
		}
	}
}

func TestRelativePath(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	s, _, err := Open("settings.json").Load()
	if err != nil || s.Browser.ProfileDir != filepath.Join(dir, "browser-profile") {
		t.Errorf("profile folder %q, %v", s.Browser.ProfileDir, err)
	}
}

func TestLoadConcurrently(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings.json")
	texts := []string{`{"webTools": {"fetch": {"browser": {"tabs": 3}, "idleMinutes": 3}}}`, `{"webTools": {"fetch": {"browser": {"tabs": 4}, "idleMinutes": 4}}}`}
	replace := func(i int) {
		write(t, path+".new", texts[i%2])
		if err := os.Rename(path+".new", path); err != nil {
			t.Error(err)
		}
	}
	replace(0)
	file := Open(path)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 100 {
				s, _, err := file.Load()
				if err != nil || time.Duration(s.Browser.Tabs)*time.Minute != s.Idle {
					t.Errorf("mixed settings: %d tabs, idle %v, %v", s.Browser.Tabs, s.Idle, err)
				}
			}
		})
	}
	for i := range 100 {
		replace(i)
	}
	wg.Wait()
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{
		`{}`, `{"webTools": {"fetch": {"browser": {"tabs": 3, "profileDir": "~/x"}, "idleMinutes": 3}}}`, `// x`, `{"webTools": null}`, `[[[[`,
		`{"webTools": {"fetch": {"forceLocal": ["*.x", "https://a/b*", "[::1]:8"], "network": {"allow": ["::1"]}}}}`,
		`{"webTools": {"fetch": {"parallel": {"baseURL": "http://x"}, "artifacts": {"root": "/x", "keepDays": 1e3}}}}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		s := Defaults("/agent")
		r := reader{file: "settings.json", src: src, home: "/home/ann"}
		if err := r.read(&s); err != nil {
			if e, ok := errors.AsType[*Error](err); !ok || e.Line < 1 || e.Column < 1 || (e.Key == "") != (e.Err != nil) {
				t.Errorf("error %#v", err)
			}
			return
		}
		b := s.Browser
		if b.Tabs < 1 || b.Tabs > 32 || b.NavigationTimeout < time.Second || b.NavigationTimeout > 2*time.Minute || s.Idle < time.Minute || s.Artifacts.KeepDays < 0 {
			t.Errorf("out of range: %+v", s)
		}
		for _, p := range []string{b.ProfileDir, s.Artifacts.Root} {
			if !filepath.IsAbs(p) {
				t.Errorf("path %q", p)
			}
		}
		for _, u := range []string{s.Parallel.BaseURL, s.GitHub.Endpoints.API, s.GitHub.Endpoints.Codeload} {
			if !strings.HasPrefix(u, "http") || strings.HasSuffix(u, "/") {
				t.Errorf("URL %q", u)
			}
		}
		for _, p := range append(s.Network.Allow, s.Network.Deny...) {
			if !p.IsValid() || p != p.Masked() {
				t.Errorf("prefix %v", p)
			}
		}
	})
}
