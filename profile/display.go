package profile

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ErrNoDisplay says that there is no screen to open the login window on.
var ErrNoDisplay = errors.New("no display for the login window")

// noDisplay is ErrNoDisplay with its reason and what to do.
func noDisplay(reason error) error {
	return fmt.Errorf("%w: %w: run pifetchctl open-browser in a desktop session, or over ssh -X", ErrNoDisplay, reason)
}

// windowEnv is the environment of a Chrome on a screen: its usual one with the
// display variables of whoever asks for it. The daemon's own say where somebody
// else sits.
func windowEnv(own []string, display map[string]string) []string {
	env := pick(environ(display), displayEnv)
	for _, e := range pick(own, chromeEnv) {
		name, _, _ := strings.Cut(e, "=")
		if !slices.Contains(displayEnv, name) {
			env = append(env, e)
		}
	}
	return env
}

func environ(vars map[string]string) []string {
	env := make([]string, 0, len(vars))
	for name, value := range vars {
		env = append(env, name+"="+value)
	}
	return env
}

func hasDisplay(env []string) bool {
	return lookup(env, "DISPLAY") != "" || lookup(env, "WAYLAND_DISPLAY") != ""
}

func lookup(env []string, name string) string {
	for _, e := range env {
		if value, ok := strings.CutPrefix(e, name+"="); ok {
			return value
		}
	}
	return ""
}

// checkDisplay fails unless a display server of env accepts connections. macOS
// needs no variables and always passes.
func checkDisplay(ctx context.Context, env []string, wait time.Duration) error {
	if runtime.GOOS == "darwin" {
		return nil
	}
	if !hasDisplay(env) {
		return errors.New("neither DISPLAY nor WAYLAND_DISPLAY is set")
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	var failed error
	for _, a := range displayAddresses(env) {
		c, err := new(net.Dialer).DialContext(ctx, a.network, a.address)
		if err == nil {
			c.Close()
			return nil
		}
		failed = err
	}
	return fmt.Errorf("the display server does not answer (%w)", failed)
}

type displayAddress struct{ network, address string }

// displayAddresses lists where the display servers of env listen.
func displayAddresses(env []string) []displayAddress {
	var all []displayAddress
	if w := lookup(env, "WAYLAND_DISPLAY"); w != "" {
		if !filepath.IsAbs(w) {
			w = filepath.Join(lookup(env, "XDG_RUNTIME_DIR"), w)
		}
		all = append(all, displayAddress{"unix", w})
	}
	// [host]:display[.screen]; the host "unix" is none.
	d := lookup(env, "DISPLAY")
	colon := strings.LastIndexByte(d, ':')
	if colon < 0 {
		return all
	}
	host := d[:colon]
	number, _, _ := strings.Cut(d[colon+1:], ".")
	n, err := strconv.ParseUint(number, 10, 15)
	if err != nil {
		return all
	}
	if host == "" || host == "unix" {
		socket := "/tmp/.X11-unix/X" + number
		return append(all, displayAddress{"unix", socket}, displayAddress{"unix", "@" + socket})
	}
	return append(all, displayAddress{"tcp", net.JoinHostPort(strings.Trim(host, "[]"), strconv.FormatUint(6000+n, 10))})
}
