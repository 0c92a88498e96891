package main

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"pifetch/daemon/wire"
	"pifetch/internal/settings"
	"pifetch/profile/installed"
)

func (d *doctor) settings() (settings.Settings, error) {
	s, _, err := settings.Open(filepath.Join(d.paths.AgentDir, "settings.json")).Load()
	return s, err
}

func (d *doctor) chrome(ctx context.Context) finding {
	s, err := d.settings()
	if err != nil {
		return fail(cmp.Or(hint(err), "correct settings.json in "+d.paths.AgentDir), "%v", err)
	}
	path, err := installed.Find(s.Browser.ExecutablePath)
	if err != nil {
		return fail("", "%v", err) // it says what to install
	}
	product, version, err := installed.Version(ctx, path)
	if err != nil {
		return fail("run it by hand", "%s: %v", path, err)
	}
	d.product, d.version = product, version
	switch sandbox := s.Browser.Sandbox; {
	case sandbox == settings.SandboxOff:
		return warn("remove webTools.fetch.browser.sandbox to have one", "%s %s, %s, without a sandbox by your settings", product, version, path)
	case sandbox == settings.SandboxAuto && os.Geteuid() == 0:
		return warn("run it as another user to have one", "%s %s, %s, without a sandbox because this is root", product, version, path)
	}
	return ok("%s %s, %s", product, version, path)
}

func (d *doctor) profile(context.Context) finding {
	s, err := d.settings()
	if err != nil {
		return fail("", "where it is stands in settings.json, which is not right")
	}
	dir := s.Browser.ProfileDir
	if installed.InDefaultProfile(dir) {
		return fail("set webTools.fetch.browser.profileDir to a folder of its own", "%s is your own Chrome's", dir)
	}
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return ok("%s, made by the first fetch", dir)
	}
	if last, known := installed.LastVersion(dir); known && d.version != "" && installed.Newer(last, d.version) {
		return fail("update Chrome, or set webTools.fetch.browser.profileDir to another folder",
			"%s was last used by version %s, and %s is %s", dir, last, d.product, d.version)
	}
	lock, local, held := installed.Holder(dir)
	if !held {
		return ok("%s", dir)
	}
	if !local {
		return fail("quit that Chrome; if it is long gone, remove SingletonLock from the folder",
			"%s is in use by Chrome on %s (pid %d)", dir, lock.Host, lock.PID)
	}
	var browser wire.BrowserStatus
	if d.status != nil {
		browser = d.status.Browser
	}
	switch {
	case browser.Running && browser.PID == lock.PID:
		return ok("%s, in use by pifetchd", dir)
	case browser.Interactive != nil && browser.Interactive.PID == lock.PID:
		return warn("quit Chrome to resume fetching", "%s, open in the login window", dir)
	case d.status != nil:
		return fail("quit it to resume fetching", "%s is in use by Chrome (pid %d)", dir, lock.PID)
	default:
		return fail("quit it, or, when open-browser opened it, run: pifetchctl close-browser", "%s is in use by Chrome (pid %d)", dir, lock.PID)
	}
}

// displayed checks the screen of whoever runs this: open-browser shows its
// window there, and a fetch the page of a challenge where settings say so.
func (d *doctor) displayed(ctx context.Context) finding {
	if runtime.GOOS == "darwin" {
		return ok("the Mac's own")
	}
	const next = "only open-browser and challenge.escalation \"headed\" need one: run them on a desktop or through ssh -X"
	if w := d.app.getenv("WAYLAND_DISPLAY"); w != "" {
		return ok("Wayland, %s", w)
	}
	x := d.app.getenv("DISPLAY")
	if x == "" {
		return warn(next, "none")
	}
	// ":1.0" is a socket on this machine; other forms name a host.
	if number, local := strings.CutPrefix(x, ":"); local {
		number, _, _ = strings.Cut(number, ".")
		conn, err := (&net.Dialer{}).DialContext(ctx, "unix", "/tmp/.X11-unix/X"+number)
		if err != nil {
			return warn(next, "DISPLAY is %s, where no X server answers", x)
		}
		conn.Close()
	}
	return ok("X11, %s", x)
}
