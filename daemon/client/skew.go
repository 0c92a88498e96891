package client

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"time"

	"golang.org/x/mod/semver"

	"pifetch/daemon/wire"
)

// ProtocolError is a daemon that speaks another major version of the protocol:
// only its status can be asked for.
type ProtocolError struct{ reason string }

func (e *ProtocolError) Error() string { return e.reason }

// described is what git describe adds to the tag of a release.
var described = regexp.MustCompile(`(-[0-9]+-g[0-9a-f]+)?(-dirty)?$`)

var release = regexp.MustCompile(`^[0-9]+\.[0-9]+\.[0-9]+`)

// releaseOf is the release, as semver has it, that a version is or was built
// after; "" when none is known, as of "devel" and of a bare commit.
func releaseOf(version string) string {
	v := described.ReplaceAllString(strings.TrimPrefix(version, "v"), "")
	if !release.MatchString(v) || !semver.IsValid("v"+v) {
		return ""
	}
	return "v" + v
}

// newer reports whether a is of a later release than b. Two builds of one
// release, and builds of none, are never newer than each other: clients of
// either would replace the daemon of the other again and again.
func newer(a, b string) bool {
	a, b = releaseOf(a), releaseOf(b)
	return a != "" && b != "" && semver.Compare(a, b) > 0
}

// replace asks a daemon to leave when the one that would be started instead
// is better, and reports whether it leaves.
func replace(ctx context.Context, cfg Config, s *session) (bool, error) {
	older := speaks(s.hello) < 0
	if !cfg.spawns() || s.hello.Managed || !older && !newer(cfg.Version, s.hello.Version) {
		return false, nil
	}
	// What counts is the program, which may be older than the client.
	program := cfg.programVersion(ctx)
	if older && (program == "" || program == s.hello.Version || newer(s.hello.Version, program)) || !older && !newer(program, s.hello.Version) {
		return false, nil
	}
	id := s.nextID()
	_, err := s.do(ctx, id, wire.Header{ID: id, Op: wire.OpRetire}, &wire.RetireResult{}, cfg.Hello, nil)
	if e, ok := errors.AsType[*wire.Error](err); ok {
		return e.Code == wire.CodeDraining, nil // else it has something to do, and serves us as well
	}
	if _, ok := errors.AsType[*LostError](err); ok {
		return true, nil
	}
	return err == nil, err
}

// programVersion is the version of the pifetchd that would be started, "" when
// it is not known.
func (c Config) programVersion(ctx context.Context) string {
	path, err := c.Program()
	if err != nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, c.Hello)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "--version")
	cmd.Env = environ(c)
	cmd.WaitDelay = time.Second // what a wrapper leaves behind may hold the output
	out, err := cmd.Output()
	if err != nil {
		return ""
	}
	name, version, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	if name != "pifetchd" {
		return ""
	}
	return version
}

// speaks compares the protocol of a daemon with our own: 0 is the same major
// version, with which it can be talked to.
func speaks(hello wire.HelloResult) int {
	if hello.Protocol == "" {
		return 0
	}
	return semver.Compare(semver.Major("v"+hello.Protocol), semver.Major("v"+wire.Protocol))
}

// incompatible is the error of a daemon that cannot be talked to, or nil.
func incompatible(cfg Config, hello wire.HelloResult) error {
	name, _, _ := strings.Cut(cfg.Name, "/")
	if name == "" {
		name = "the client"
	}
	var next string
	switch order := speaks(hello); {
	case order == 0:
		return nil
	case order > 0:
		next = "upgrade " + name
	case hello.Managed:
		next = "upgrade pifetchd, then run: pifetchctl service restart"
	default:
		next = "upgrade pifetchd, then run: pifetchctl stop"
	}
	return &ProtocolError{fmt.Sprintf("pifetchd %s (pid %d) speaks protocol %s and %s %s — %s", hello.Version, hello.PID, hello.Protocol, name, wire.Protocol, next)}
}
