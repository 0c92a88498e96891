package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"pifetch/daemon/client"
	"pifetch/daemon/rundir"
	"pifetch/daemon/wire"
	"pifetch/internal/settings"
	"pifetch/internal/termtext"
	"pifetch/profile/installed"
)

func newDoctor(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Check what pifetch needs, and say what to do",
		Long: `Check what pifetch needs, and say what to do: one line each for the run folder,
the daemon, Chrome, the profile and the display. It starts nothing and works when
the daemon does not. Exit code 1 when a check fails.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runDoctor(cmd.Context(), a) },
	}
}

// A finding is the outcome of one check.
type finding struct {
	level level
	text  string
	next  string // the next step, when there is one
}

type level string

const (
	levelOK   level = "ok"
	levelWarn level = "warn" // works, with something to know
	levelFail level = "fail"
)

func ok(format string, args ...any) finding {
	return finding{level: levelOK, text: fmt.Sprintf(format, args...)}
}

func warn(next, format string, args ...any) finding {
	return finding{level: levelWarn, text: fmt.Sprintf(format, args...), next: next}
}

func fail(next, format string, args ...any) finding {
	return finding{level: levelFail, text: fmt.Sprintf(format, args...), next: next}
}

func runDoctor(ctx context.Context, a *app) error {
	d := doctor{app: a}
	healthy := true
	for _, c := range []struct {
		name  string
		check func(context.Context) finding
	}{
		{"run folder", d.runFolder},
		{"daemon", d.daemon},
		{"Chrome", d.chrome},
		{"profile", d.profile},
		{"display", d.displayed},
	} {
		f := c.check(ctx)
		if err := printFinding(a.out, c.name, f); err != nil {
			return err
		}
		healthy = healthy && f.level != levelFail
	}
	if !healthy {
		return errUnhealthy
	}
	return ctx.Err()
}

func printFinding(w io.Writer, name string, f finding) error {
	if f.next != "" {
		f.text += " — " + f.next
	}
	_, err := fmt.Fprintf(w, "%-4s  %-10s  %s\n", f.level, name, termtext.Line(f.text))
	return err
}

// doctor passes what one check found on to the later ones.
type doctor struct {
	app    *app
	paths  rundir.Paths
	status *wire.StatusResult // nil when no daemon answers

	// Of the Chrome that would be used; empty when there is none.
	product, version string
}

func (d *doctor) runFolder(context.Context) finding {
	agentDir, err := rundir.AgentDir()
	if err != nil {
		return fail("", "%v", err)
	}
	d.paths, err = rundir.Locate(agentDir)
	if err != nil {
		return fail("", "%v", err)
	}
	if _, err := os.Lstat(d.paths.Dir); errors.Is(err, fs.ErrNotExist) {
		return ok("%s, made when the daemon starts", d.paths.Dir)
	}
	if err := d.paths.Prepare(); err != nil {
		return fail(hint(err), "%v", err)
	}
	return ok("%s", d.paths.Dir)
}

func (d *doctor) daemon(ctx context.Context) finding {
	if d.paths.Dir == "" {
		return fail("correct the run folder", "not looked for")
	}
	status, err := d.app.status(ctx)
	switch {
	case err == nil:
		d.status = status
		return ok("pifetchd %s, pid %d, %s for %s", status.Version, status.PID, status.State, seconds(status.UptimeSecs))
	case errors.Is(err, client.ErrNoDaemon):
		return d.stopped()
	default:
		return fail(hint(err), "%v", err)
	}
}

// stopped checks whether a daemon that does not run can be started.
func (d *doctor) stopped() finding {
	cfg, err := d.app.config()
	if err != nil {
		return fail("", "%v", err)
	}
	if _, err := cfg.Program(); err != nil {
		return fail("", "not running: %v", err)
	}
	return ok("not running; the next fetch starts it")
}

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
