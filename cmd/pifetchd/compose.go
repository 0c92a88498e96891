package main

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"pifetch/daemon"
	"pifetch/daemon/rundir"
	"pifetch/daemon/wire"
	"pifetch/fetchers"
	"pifetch/fetchers/artifact"
	"pifetch/fetchers/github"
	"pifetch/fetchers/local"
	"pifetch/fetchers/local/read"
	"pifetch/fetchers/local/read/pdf"
	"pifetch/internal/settings"
	"pifetch/internal/weburl"
	"pifetch/profile"
	"pifetch/router"
)

// origin is how the daemon was started.
type origin struct {
	paths   rundir.Paths
	idle    time.Duration // 0: by the settings
	managed bool          // by a service manager, which restarts it
	manager manager
}

// compose makes the daemon out of its parts and runs it.
func compose(ctx context.Context, how origin, signals <-chan os.Signal, log *slog.Logger) error {
	paths := how.paths
	tell := func(state string) {
		if err := how.manager.tell(state); err != nil {
			log.Warn("the service manager was not told", "state", state, "err", err.Error())
		}
	}
	file := settings.Open(filepath.Join(paths.AgentDir, "settings.json"))
	// Where settings are wrong, the defaults serve the control operations;
	// fetches are refused by the daemon.
	current := func() settings.Settings {
		s, _, _ := file.Load()
		return s
	}

	store := artifact.New(artifact.Config{
		Root: func() string { return current().Artifacts.Root },
		Keep: func() time.Duration { return keep(file) },
	})
	browser := &daemonBrowser{}
	pdfs := &pdf.Reader{}
	localFetcher := local.New(local.Config{
		Browser: browser,
		Challenge: func() local.Challenge {
			c := current().Challenge
			return local.Challenge{
				Patience: c.HeadlessWait,
				Headed:   c.Escalation == settings.EscalationHeaded, HeadedPatience: c.HeadedWait,
			}
		},
		Readers: read.Readers{PDF: func(ctx context.Context, path string) (read.Content, error) {
			c, err := pdfs.Read(ctx, path)
			return read.Content(c), err
		}},
	})

	gitHub := newGitHub(current, paths.AgentDir, log)

	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	return daemon.Run(ctx, daemon.Config{
		Paths:    paths,
		Listener: how.manager.listener,
		Managed:  how.managed || how.manager.listener != nil,
		Version:  version,
		Open: func() (err error) {
			browser.Browser, err = profile.New(profile.Config{
				Launch: func() profile.LaunchOptions {
					b := current().Browser
					return profile.LaunchOptions{
						Dir: b.ProfileDir, Executable: b.ExecutablePath, Sandbox: b.Sandbox,
						Tabs: b.Tabs, Navigation: b.NavigationTimeout,
					}
				},
				Interactive: paths.Interactive,
				Logins:      paths.Logins,
				Env:         os.Environ(),
				Log:         log,
			})
			return err
		},
		Router: router.New(router.Config{
			Fetchers: []fetchers.Fetcher{github.New(github.Config{API: gitHub}), newParallel(current, browser.loggedIn), localFetcher},
			LastOnly: func(u fetchers.URL) bool { return forceLocal(file, u) },
			Store:    store,
			Log:      log,
		}),
		Browser: browser,
		Raw:     raw{store, localFetcher}.fetch,
		Settings: func() ([]string, time.Duration, error) {
			s, warnings, err := file.Load()
			if how.idle > 0 {
				s.Idle = how.idle
			}
			return warnings, s.Idle, err
		},
		Code:    code,
		Policy:  func(url string) string { return policy(newGuard(current), url) },
		Limits:  func() []wire.Limit { return limits(gitHub.Budgets()) },
		Redact:  weburl.Redact,
		Log:     log,
		Signals: signals,
		Ready: func() {
			go sweep(ctx, store, log)
			tell("READY=1")
		},
		Leaving: func() { tell("STOPPING=1") },
	})
}

// keep is how long artifacts are kept, 0 for ever. While the settings are wrong
// nothing may be removed: the user may have asked for more than the default.
func keep(file *settings.File) time.Duration {
	s, _, err := file.Load()
	if err != nil {
		return 0
	}
	return time.Duration(s.Artifacts.KeepDays) * 24 * time.Hour
}

// sweepEvery is the pause between removals of old artifacts.
const sweepEvery = time.Hour

// sweep removes request folders that are older than artifacts.keepDays.
func sweep(ctx context.Context, store *artifact.Store, log *slog.Logger) {
	for {
		if err := store.Sweep(); err != nil {
			log.Warn("removing old artifacts failed", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(sweepEvery):
		}
	}
}

// code is the protocol's name of an error.
func code(err error) wire.Code {
	for _, c := range []struct {
		err  error
		code wire.Code
	}{
		{profile.ErrInteractive, wire.CodeInteractive},
		{profile.ErrProfileInUse, wire.CodeProfileInUse},
		{profile.ErrNoDisplay, wire.CodeNoDisplay},
		{profile.ErrNoChrome, wire.CodeNoChrome},
	} {
		if errors.Is(err, c.err) {
			return c.code
		}
	}
	if _, ok := errors.AsType[*artifact.RootError](err); ok {
		return wire.CodeBadRequest
	}
	return ""
}

// daemonBrowser is the browser as the daemon knows it, and none before it is
// opened.
type daemonBrowser struct{ *profile.Browser }

// loggedIn reports whether a person may have a login at a host; before the
// browser is opened nobody asks.
func (b *daemonBrowser) loggedIn(host string) bool { return b.LoggedIn(host) }

func (b *daemonBrowser) OpenWindow(ctx context.Context, url string, display map[string]string) (daemon.Window, error) {
	w, err := b.Browser.OpenWindow(ctx, url, display)
	return daemon.Window(w), err
}

func (b *daemonBrowser) Status() wire.BrowserStatus {
	s := b.Browser.Status()
	status := wire.BrowserStatus{
		Running: s.PID != 0, PID: s.PID, Version: s.Version, Headed: s.Headed,
		Tabs: s.Tabs, Busy: s.Busy, Queued: s.Queued,
	}
	if w := s.Window; w != nil {
		status.Interactive = &wire.Interactive{PID: w.PID, URL: w.URL, AgeSecs: int64(time.Since(w.Opened) / time.Second)}
	}
	return status
}

// raw serves the raw form of fetch.
type raw struct {
	store   *artifact.Store
	fetcher *local.Fetcher
}

func (r raw) fetch(ctx context.Context, req daemon.RawRequest) (wire.RawResult, error) {
	u, err := router.ParseURL(req.URL)
	if err != nil {
		return wire.RawResult{}, wire.Errorf(wire.CodeBadRequest, "url: %v", err)
	}
	if !r.fetcher.Claims(req.Fetch, u) {
		return wire.RawResult{}, wire.Errorf(wire.CodeBadRequest, "url: unsupported scheme %q: http and https only", u.Parsed.Scheme)
	}
	request, folder, err := r.store.NewFlat(req.Dir)
	if root, ok := errors.AsType[*artifact.RootError](err); ok {
		return wire.RawResult{}, wire.Errorf(wire.CodeBadRequest, "downloadDir: %q: %s", root.Root, root.Reason)
	} else if err != nil {
		return wire.RawResult{}, err
	}
	defer request.Close()
	res, err := r.fetcher.Raw(ctx, req.Fetch, fetchers.Task{URL: u, Folder: folder}, req.Status)
	if err != nil {
		return wire.RawResult{}, errors.Join(err, folder.Discard())
	}
	return wire.RawResult{
		FinalURL: res.FinalURL, File: res.Body.Path, ContentType: res.ContentType,
		Bytes: res.Body.Bytes, Title: res.Title,
	}, nil
}
