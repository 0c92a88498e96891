package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"strings"

	"pifetch/daemon/client"
	"pifetch/daemon/rundir"
	"pifetch/internal/termtext"
)

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

// locks checks that what is held is held by what answers.
func (d *doctor) locks(context.Context) finding {
	if d.paths.Dir == "" {
		return fail("correct the run folder", "not looked at")
	}
	if d.status != nil {
		return ok("daemon.lock, held by pifetchd (pid %d)", d.status.PID)
	}
	for _, path := range []string{d.paths.DaemonLock, d.paths.SpawnLock} {
		switch held, err := client.LockHeld(path); {
		case err != nil:
			return fail(hint(err), "%v", err)
		case held && path == d.paths.DaemonLock:
			return fail("end that process (lsof or fuser names it), then fetch again", "%s is held, and no daemon answers", path)
		case held:
			return warn("wait a moment, then run: pifetchctl doctor", "%s is held: a client is starting pifetchd", path)
		}
	}
	return ok("free")
}

// versions checks that both programs are of one build.
func (d *doctor) versions(ctx context.Context) finding {
	daemon := ""
	if d.status != nil {
		daemon = d.status.Version
	} else if cfg, err := d.app.config(); err == nil {
		if program, err := cfg.Program(); err == nil {
			daemon = programVersion(ctx, program)
		}
	}
	switch {
	case daemon == "":
		return warn("", "pifetchctl %s; that of pifetchd is not known", version)
	case daemon == version || daemon == devel || version == devel:
		return ok("pifetchctl %s, pifetchd %s", version, daemon)
	case d.status != nil && d.status.Managed:
		return warn("run: pifetchctl service restart; if that does not help, install both from one build", "pifetchctl %s, pifetchd %s", version, daemon)
	case d.status != nil:
		return warn("run: pifetchctl stop; if that does not help, install both from one build", "pifetchctl %s, pifetchd %s", version, daemon)
	}
	return warn("install both from one build", "pifetchctl %s, pifetchd %s", version, daemon)
}

// programVersion is what a pifetchd says of itself, "" when it does not.
func programVersion(ctx context.Context, program string) string {
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	out, err := exec.CommandContext(ctx, program, "--version").Output()
	if err != nil {
		return ""
	}
	_, v, _ := strings.Cut(termtext.Line(string(out)), " ")
	return v
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
