package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"pifetch/daemon/client"
	"pifetch/daemon/service"
	"pifetch/internal/termtext"
)

func newService(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "service install|uninstall|status|restart",
		Short: "Let systemd or launchd start pifetchd",
		Long: `Let the service manager of the user start pifetchd: systemd on Linux, launchd on
macOS. Without it clients start pifetchd when they need it, which is all that most
people want.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return hintedError{usageError{errors.New("service takes one of install, uninstall, status, restart")}, "pifetchctl service --help"}
		},
		DisableFlagsInUseLine: true,
	}
	for _, sub := range []struct {
		name, short, long string
		program           bool // it is about the pifetchd that would be started
		run               func(context.Context, *app, service.Service) error
	}{
		{
			"install", "Write the service's files and enable it",
			`Write the service's files and enable it. The service is for the agent directory in
use, with the pifetchd beside this program, else the one on PATH, and with the
PATH of the caller. A daemon that runs is stopped first, after it has finished
what it is doing. Installing again replaces the files.`,
			true, install,
		},
		{
			"uninstall", "Disable the service and remove its files",
			`Disable the service and remove its files. Its daemon is stopped after it has
finished what it is doing; the next fetch starts one without a service manager.`,
			false, uninstall,
		},
		{
			"status", "Show whether the service is installed and active",
			`Show whether the service is installed and active. The exit code is 1 when it is
installed and something is wrong with it. What the daemon itself does is shown by
pifetchctl status.`,
			true, serviceStatus,
		},
		{
			"restart", "Restart the daemon through the service manager",
			`Restart the daemon through the service manager, as after an upgrade. One that runs
is stopped after it has finished what it is doing, whoever has started it.`,
			false, restart,
		},
	} {
		cmd.AddCommand(&cobra.Command{
			Use: sub.name, Short: sub.short, Long: sub.long, Args: cobra.NoArgs,
			RunE: func(cmd *cobra.Command, _ []string) error {
				s, err := a.service(sub.program)
				if err != nil {
					return err
				}
				return sub.run(cmd.Context(), a, s)
			},
		})
	}
	return cmd
}

// service is what this system's service manager is told of the daemon. Without
// its program it can be stopped and removed.
func (a *app) service(program bool) (service.Service, error) {
	cfg, err := a.config()
	if err != nil {
		return service.Service{}, err
	}
	spec := service.Spec{Paths: cfg.Paths, Search: a.getenv("PATH")}
	if program {
		if spec.Program, err = cfg.Program(); err != nil {
			return service.Service{}, err
		}
	}
	home := a.getenv("HOME")
	if home == "" {
		return service.Service{}, errors.New("HOME is not set: it says where service files go")
	}
	if runtime.GOOS == "darwin" {
		return service.Launchd(spec, filepath.Join(home, "Library"), os.Getuid())
	}
	config := a.getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(config) { // the specification wants others ignored
		config = filepath.Join(home, ".config")
	}
	return service.Systemd(spec, config)
}

func install(ctx context.Context, a *app, s service.Service) error {
	if err := reach(ctx, s); err != nil {
		return err
	}
	cfg, err := a.config()
	if err != nil {
		return err
	}
	// Not every manager makes the folders, and a wrong one is better told here.
	if err := cfg.Paths.Prepare(); err != nil {
		return err
	}
	if isInstalled(s) {
		if err := runAll(ctx, s.Stop); err != nil {
			return err
		}
	}
	// A daemon that a client has started would keep the new one waiting.
	if err := stopDaemon(ctx, a); err != nil {
		return err
	}
	for _, f := range s.Files {
		if err := os.MkdirAll(filepath.Dir(f.Path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(f.Path, []byte(f.Text), 0o644); err != nil {
			return err
		}
		a.say("wrote %s", f.Path)
	}
	if err := runAll(ctx, s.Start); err != nil {
		return hintedError{err, "the files stay; take them away with: pifetchctl service uninstall"}
	}
	a.say("%s starts pifetchd from now on", s.Manager)
	return nil
}

func uninstall(ctx context.Context, a *app, s service.Service) error {
	if !isInstalled(s) {
		a.say("the service was not installed")
		return nil
	}
	// The files go even when the service manager cannot be reached.
	err := runAll(ctx, s.Stop)
	for _, f := range s.Files {
		if rmErr := os.Remove(f.Path); rmErr == nil {
			a.say("removed %s", f.Path)
		} else if !errors.Is(rmErr, fs.ErrNotExist) {
			err = errors.Join(err, rmErr)
		}
	}
	for _, link := range s.Links {
		if rmErr := os.Remove(link); rmErr != nil && !errors.Is(rmErr, fs.ErrNotExist) {
			err = errors.Join(err, rmErr)
		}
	}
	if err == nil {
		err = runAll(ctx, s.Forget)
	}
	if err != nil {
		return hintedError{err, "what " + s.Manager + " runs by these files it keeps until you log out; pifetchctl stop ends the daemon"}
	}
	a.say("clients start pifetchd from now on, when they need it")
	return nil
}

func restart(ctx context.Context, a *app, s service.Service) error {
	if !isInstalled(s) {
		return hintedError{errors.New("the service is not installed"), "pifetchctl stop ends the daemon; the next fetch starts it again"}
	}
	if err := reach(ctx, s); err != nil {
		return err
	}
	// Where the manager has the socket it stops its daemon itself, and one that
	// a client has started leaves when its socket is replaced.
	if !s.Socket {
		if err := stopDaemon(ctx, a); err != nil {
			return err
		}
	}
	if err := runAll(ctx, s.Restart); err != nil {
		return err
	}
	a.say("%s has restarted pifetchd", s.Manager)
	return nil
}

func serviceStatus(ctx context.Context, a *app, s service.Service) error {
	if !isInstalled(s) {
		_, err := fmt.Fprintln(a.out, "not installed: clients start pifetchd when they need it")
		return err
	}
	healthy := true
	line := func(name, format string, args ...any) {
		fmt.Fprintf(a.out, "%-8s %s\n", name, termtext.Line(fmt.Sprintf(format, args...)))
	}
	line("manager", "%s", s.Manager)
	for _, f := range s.Files {
		switch text, err := os.ReadFile(f.Path); {
		case err != nil:
			healthy = false
			line("file", "%v — run: pifetchctl service install", err)
		case withoutPath(string(text)) != withoutPath(f.Text):
			healthy = false
			line("file", "%s is for another pifetchd, agent directory or version — run: pifetchctl service install", f.Path)
		default:
			line("file", "%s", f.Path)
		}
	}
	if err := run(ctx, s.Reach); err != nil {
		healthy = false
		line("state", "not known, %s is out of reach: %v — log in as yourself, or run: pifetchctl service uninstall", s.Manager, err)
	} else if err := run(ctx, s.Active); err != nil {
		healthy = false
		line("state", "not active: %v — run: pifetchctl service restart", err)
	} else {
		line("state", "active")
	}
	if !healthy {
		return errUnhealthy
	}
	return nil
}

// reach says so when the service manager is missing, or does not run for this
// user, as in a container or after su. Nothing is changed then.
func reach(ctx context.Context, s service.Service) error {
	if _, err := exec.LookPath(s.Reach.Args[0]); err != nil {
		return hintedError{fmt.Errorf("there is no %s here: %w", s.Manager, err), "without a service clients start pifetchd when they need it"}
	}
	if err := run(ctx, s.Reach); err != nil {
		return hintedError{fmt.Errorf("%s does not run for you here: %w", s.Manager, err), "log in as yourself; without a service clients start pifetchd when they need it"}
	}
	return nil
}

// withoutPath is a service file without its PATH, which depends on who asks.
func withoutPath(text string) string {
	var kept []string
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, `Environment="PATH=`) || i > 0 && strings.TrimSpace(lines[i-1]) == "<key>PATH</key>" {
			continue
		}
		kept = append(kept, l)
	}
	return strings.Join(kept, "\n")
}

// isInstalled reports whether any file of the service is there.
func isInstalled(s service.Service) bool {
	for _, f := range s.Files {
		if _, err := os.Lstat(f.Path); err == nil {
			return true
		}
	}
	return false
}

// stopDaemon stops the daemon that runs, if one does.
func stopDaemon(ctx context.Context, a *app) error {
	cfg, err := a.config()
	if err != nil {
		return err
	}
	cfg.Hello = answerTimeout
	pid, err := client.Stop(ctx, cfg)
	switch {
	case errors.Is(err, client.ErrNoDaemon):
		return nil
	case err != nil:
		return err
	}
	a.say("pifetchd has stopped (pid %d)", pid)
	return nil
}

func runAll(ctx context.Context, commands []service.Command) error {
	for _, c := range commands {
		if err := run(ctx, c); err != nil && !c.MayFail {
			return err
		}
	}
	return nil
}

// run reports a failure with the last line of what the command said.
func run(ctx context.Context, c service.Command) error {
	out, err := exec.CommandContext(ctx, c.Args[0], c.Args[1:]...).CombinedOutput()
	if err != nil {
		said := strings.TrimSpace(string(out))
		return fmt.Errorf("%s: %s", c, cmp.Or(said[strings.LastIndexByte(said, '\n')+1:], err.Error()))
	}
	return nil
}
