package main

import "pifetch/fetchers"

// secretKeys are the variables that go along with one fetch, for it alone.
var secretKeys = []string{"GH_TOKEN", "GITHUB_TOKEN", "PARALLEL_API_KEY", "PARALLEL_BASE_URL"}

// displayKeys are the variables by which a program finds the caller's screen.
var displayKeys = []string{
	"DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR", "XDG_SESSION_TYPE", "DBUS_SESSION_BUS_ADDRESS",
}

func (a *app) secrets() fetchers.Env { return a.pick(secretKeys) }

func (a *app) display() map[string]string { return a.pick(displayKeys) }

// agent reports whether an agent runs this program, as pi and others tell
// their children.
func (a *app) agent() bool { return a.getenv("AI_AGENT") != "" || a.getenv("PI_CODING_AGENT") != "" }

func (a *app) pick(keys []string) map[string]string {
	picked := map[string]string{}
	for _, k := range keys {
		if v := a.getenv(k); v != "" {
			picked[k] = v
		}
	}
	return picked
}
