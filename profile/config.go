package profile

import (
	"cmp"
	"log/slog"
	"time"

	"pifetch/profile/installed"
)

// LaunchOptions are the settings that apply at the next launch of Chrome.
type LaunchOptions struct {
	Dir        string        // the profile folder, absolute; made when missing
	Executable string        // of Chrome; empty: where the system keeps it
	Sandbox    string        // "on", "off", "auto" or empty: off for root only
	Tabs       int           // 0: Config.Tabs
	Navigation time.Duration // 0: Config.Navigation
}

// Config is what a Browser needs to know. Zero durations and limits take the
// defaults named beside them.
type Config struct {
	// Launch is read by New and before every start of Chrome.
	Launch func() LaunchOptions

	// Interactive is the path of the file that remembers an open login window.
	// The window's own output goes to a file of the same name with .log added.
	Interactive string

	// Logins is the path of the file that lists the sites with logins. Empty: they
	// are forgotten with the Browser.
	Logins string

	// Env is the environment of the daemon, as os.Environ gives it. Chrome
	// gets a small part of it, and never a secret.
	Env []string

	Log *slog.Logger // nil: no log

	versions *installed.Versions // of executables

	Tabs     int   // 6: visits at the same time
	MaxBytes int64 // 100 MiB: of one download, decoded
	MaxHTML  int64 // 10 MiB: of one page's source; a larger one is stored as a file

	Navigation time.Duration // 15 s: until a page's DOM is there
	Settle     time.Duration // 5 s: until its text stands still
	Read       time.Duration // 10 s: until it is serialised
	Alternate  time.Duration // 2 s: for all alternates of a page
	Download   time.Duration // 10 min: for a whole download
	Stall      time.Duration // 30 s: of a download without a byte

	Start      time.Duration // 45 s: from Chrome's start to its first tab, and to the login window
	TabOpen    time.Duration // 20 s: until a new tab is ready
	TabClose   time.Duration // 5 s: to close a tab
	CloseGrace time.Duration // 10 s: for an orderly end, before TERM
	TermGrace  time.Duration // 5 s: between TERM and KILL
	OrphanWait time.Duration // 10 s: for the Chrome of a dead daemon to end by itself

	CrashWindow time.Duration // 10 s: a Chrome that ends sooner counts as a quick death
	CrashLimit  int           // 3: quick deaths in a row until launches are refused
	CrashPause  time.Duration // 30 s: how long they are refused

	WindowGrace time.Duration // 15 s: for running visits when a login window or a headed Chrome is waited for
	WindowPoll  time.Duration // 1 s: between looks at a login window that is no child of ours
	DisplayWait time.Duration // 3 s: for a display server to accept a connection
	WallPause   time.Duration // 10 min: how long a host whose challenge stayed gets no headed Chrome
}

func (c Config) withDefaults() Config {
	c.versions = cmp.Or(c.versions, installed.NewVersions())
	c.Log = cmp.Or(c.Log, slog.New(slog.DiscardHandler))
	c.Tabs = cmp.Or(c.Tabs, 6)
	c.MaxBytes = cmp.Or(c.MaxBytes, 100<<20)
	c.MaxHTML = cmp.Or(c.MaxHTML, 10<<20)
	c.Navigation = cmp.Or(c.Navigation, defaultSettle.Navigation)
	c.Settle = cmp.Or(c.Settle, defaultSettle.Budget)
	c.Read = cmp.Or(c.Read, 10*time.Second)
	c.Alternate = cmp.Or(c.Alternate, 2*time.Second)
	c.Download = cmp.Or(c.Download, 10*time.Minute)
	c.Stall = cmp.Or(c.Stall, 30*time.Second)
	c.Start = cmp.Or(c.Start, 45*time.Second)
	c.TabOpen = cmp.Or(c.TabOpen, 20*time.Second)
	c.TabClose = cmp.Or(c.TabClose, 5*time.Second)
	c.CloseGrace = cmp.Or(c.CloseGrace, 10*time.Second)
	c.TermGrace = cmp.Or(c.TermGrace, 5*time.Second)
	c.OrphanWait = cmp.Or(c.OrphanWait, 10*time.Second)
	c.CrashWindow = cmp.Or(c.CrashWindow, 10*time.Second)
	c.CrashLimit = cmp.Or(c.CrashLimit, 3)
	c.CrashPause = cmp.Or(c.CrashPause, 30*time.Second)
	c.WindowGrace = cmp.Or(c.WindowGrace, 15*time.Second)
	c.WindowPoll = cmp.Or(c.WindowPoll, time.Second)
	c.DisplayWait = cmp.Or(c.DisplayWait, 3*time.Second)
	c.WallPause = cmp.Or(c.WallPause, 10*time.Minute)
	return c
}

// tabOptions are the limits of the tabs of one launch.
func (c Config) tabOptions(o LaunchOptions) tabOptions {
	return tabOptions{
		Navigation: o.Navigation,
		Settle:     c.Settle,
		Read:       c.Read,
		Download:   c.Download,
		Stall:      c.Stall,
		MaxBytes:   c.MaxBytes,
		MaxHTML:    c.MaxHTML,
		Alternate:  c.Alternate,

		Call:    5 * time.Second,
		Silence: 5 * time.Second,
		Alive:   2 * time.Second,
	}
}
