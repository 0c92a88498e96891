package daemon

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"pifetch/daemon/wire"
	"pifetch/delivery"
	"pifetch/fetchers"
	"pifetch/router"
)

// op is one operation of the protocol.
type op struct {
	run      func(context.Context, *request) (any, error)
	control  bool      // served while the daemon leaves, never a reason to stay
	atOnce   bool      // answered by the reader itself, in the order of the requests
	features []string  // capabilities beside the op itself
	failure  wire.Code // of an error without a code of its own
}

// ops is the protocol.
var ops = map[string]op{
	wire.OpHello:        {run: hello, control: true, atOnce: true, failure: wire.CodeInternal},
	wire.OpStatus:       {run: status, control: true, atOnce: true, failure: wire.CodeInternal},
	wire.OpCancel:       {run: cancel, control: true, atOnce: true, failure: wire.CodeInternal},
	wire.OpRetire:       {run: retire, control: true, atOnce: true, failure: wire.CodeInternal},
	wire.OpCloseBrowser: {run: closeBrowser, control: true, failure: wire.CodeInternal},
	wire.OpOpenBrowser:  {run: openBrowser, features: []string{"open-browser.wait"}, failure: wire.CodeInternal},
	wire.OpFetch:        {run: fetch, features: []string{"fetch.raw"}, failure: wire.CodeFetchFailed},
	wire.OpExplain:      {run: explain, failure: wire.CodeInternal},
}

// capabilities is what hello lists.
func capabilities() []string {
	var names []string
	for name, o := range ops {
		names = append(append(names, name), o.features...)
	}
	slices.Sort(names)
	return names
}

func hello(_ context.Context, r *request) (any, error) {
	req, err := wire.ParseRequest[wire.HelloRequest](r.line)
	if err != nil {
		return nil, err
	}
	s := r.c.s
	r.c.mu.Lock()
	r.c.client = req.Client
	r.c.mu.Unlock()
	return wire.HelloResult{
		Event:        r.result(),
		Protocol:     wire.Protocol,
		Version:      s.cfg.Version,
		PID:          os.Getpid(),
		Managed:      s.cfg.Managed,
		Capabilities: s.capabilities,
		State:        s.state(),
	}, nil
}

func status(_ context.Context, r *request) (any, error) {
	s := r.c.s
	warnings, _, err := s.cfg.Settings()
	if err != nil {
		warnings = append(warnings, err.Error())
	}
	s.mu.Lock()
	requests := []wire.RequestInfo{}
	for c := range s.conns {
		requests = append(requests, c.info()...)
	}
	s.mu.Unlock()
	slices.SortFunc(requests, func(a, b wire.RequestInfo) int {
		return cmp.Or(cmp.Compare(b.AgeSecs, a.AgeSecs), cmp.Compare(a.Op, b.Op), cmp.Compare(a.Session, b.Session))
	})
	return wire.StatusResult{
		Event:      r.result(),
		Version:    s.cfg.Version,
		Protocol:   wire.Protocol,
		PID:        os.Getpid(),
		Managed:    s.cfg.Managed,
		State:      s.state(),
		UptimeSecs: int64(time.Since(s.started) / time.Second),
		IdleSecs:   int64(s.life.IdleFor() / time.Second),
		Requests:   requests,
		Browser:    s.cfg.Browser.Status(),
		Fetchers:   orEmpty(s.cfg.Router.Sources()),
		Warnings:   orEmpty(warnings),
		Limits:     s.cfg.Limits(),
	}, nil
}

func cancel(_ context.Context, r *request) (any, error) {
	req, err := wire.ParseRequest[wire.CancelRequest](r.line)
	if err != nil {
		return nil, err
	}
	if req.Target == "" {
		return nil, wire.Errorf(wire.CodeBadRequest, "target: the id of a request on this connection is needed")
	}
	return wire.CancelResult{Event: r.result(), Found: req.Target != r.id && r.c.cancelRequest(req.Target)}, nil
}

func retire(_ context.Context, r *request) (any, error) {
	s := r.c.s
	if s.cfg.Managed {
		return nil, wire.Errorf(wire.CodeManaged, "a service manager runs this pifetchd — restart it with: pifetchctl service restart")
	}
	switch s.life.Retire() {
	case alreadyGoing:
		return nil, wire.Errorf(wire.CodeDraining, "pifetchd is already leaving")
	case heldByRequest:
		return nil, wire.Errorf(wire.CodeBusy, "requests are running")
	case heldByWindow:
		return nil, wire.Errorf(wire.CodeBusy, "the login window is open")
	}
	r.log.Info("retiring")
	return wire.RetireResult{Event: r.result(), Retiring: true}, nil
}

func closeBrowser(ctx context.Context, r *request) (any, error) {
	closed, err := r.c.s.cfg.Browser.CloseWindow(ctx)
	if err != nil {
		return nil, err
	}
	r.log.Info("close browser", "closed", closed)
	return wire.CloseBrowserResult{Event: r.result(), Closed: closed}, nil
}

func openBrowser(ctx context.Context, r *request) (any, error) {
	req, err := wire.ParseRequest[wire.OpenBrowserRequest](r.line)
	if err != nil {
		return nil, err
	}
	if req.URL != "" && !isWeb(req.URL) {
		return nil, wire.Errorf(wire.CodeBadRequest, "url: an http or https URL is needed")
	}
	s := r.c.s
	url := s.cfg.Redact(req.URL)
	w, err := s.cfg.Browser.OpenWindow(ctx, req.URL, req.Display)
	if err != nil {
		return nil, err
	}
	r.log.Info("browser opened", "url", url, "pid", w.PID, "already", w.Already)
	res := wire.OpenBrowserResult{Event: r.result(), PID: w.PID, Already: w.Already}
	if !req.Wait {
		return res, nil
	}
	closed := s.cfg.Browser.Window()
	r.status(wire.StatusEvent{URL: url, Stage: fetchers.Stage{Name: wire.StageOpened}})
	if closed != nil {
		select {
		case <-closed:
		case <-s.life.closing:
			return nil, wire.Errorf(wire.CodeShuttingDown, "pifetchd is shutting down — the window stays open")
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	res.Closed = true
	return res, nil
}

// isWeb keeps everything else, options above all, from Chrome's command line.
func isWeb(url string) bool {
	scheme, rest, ok := strings.Cut(url, "://")
	return ok && rest != "" && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https"))
}

func explain(ctx context.Context, r *request) (any, error) {
	req, err := wire.ParseRequest[wire.ExplainRequest](r.line)
	if err != nil {
		return nil, err
	}
	if req.URL == "" {
		return nil, wire.Errorf(wire.CodeBadRequest, "url: a URL is needed")
	}
	s := r.c.s
	res := wire.ExplainResult{
		Event:    r.result(),
		URL:      s.cfg.Redact(req.URL),
		Fetchers: s.cfg.Router.Explain(ctx, fetchers.Request{Env: clientEnv(req.Env)}, req.URL),
	}
	if i := slices.IndexFunc(res.Fetchers, func(c fetchers.Claim) bool { return c.Claims }); i >= 0 {
		res.Source = res.Fetchers[i].Source
		res.Policy = s.cfg.Policy(req.URL)
	}
	if _, _, err := s.cfg.Settings(); err != nil {
		res.Policy = "every fetch is refused: " + err.Error()
	}
	return res, ctx.Err()
}

// envNames are the variables a client may send along with a fetch or an explain.
var envNames = []string{"GH_TOKEN", "GITHUB_TOKEN", "PARALLEL_API_KEY", "PARALLEL_BASE_URL"}

func fetch(ctx context.Context, r *request) (any, error) {
	req, err := wire.ParseRequest[wire.FetchRequest](r.line)
	if err != nil {
		return nil, err
	}
	if err := checkFetch(req); err != nil {
		return nil, err
	}
	s := r.c.s
	warnings, _, err := s.cfg.Settings()
	if err != nil {
		return nil, asError(err, wire.CodeBadSettings)
	}
	session := req.Session
	if session == "" {
		session = r.c.session()
	}
	if req.URL != "" {
		r.describe(session, 1)
		return fetchRaw(ctx, r, req, session)
	}
	r.describe(session, len(req.URLs))
	urls := make([]string, len(req.URLs))
	for i, u := range req.URLs {
		urls[i] = s.cfg.Redact(u)
	}
	r.log.Info("fetch start", "urls", urls, "session", session)
	res, err := s.cfg.Router.Fetch(ctx, router.Request{
		URLs:         req.URLs,
		ArtifactRoot: req.ArtifactRoot,
		Fetch:        r.fetchRequest(req, session),
		Status:       func(url string, st fetchers.Stage) { r.status(wire.StatusEvent{URL: url, Stage: st}) },
	})
	if err != nil {
		return nil, err
	}
	failed := 0
	for i := range res.Outcomes {
		o := &res.Outcomes[i]
		o.Attempts = orEmpty(o.Attempts)
		if o.Document == nil {
			failed++
		} else {
			o.Document.Bodies = orEmpty(o.Document.Bodies)
		}
	}
	res.Outcomes = orEmpty(res.Outcomes)
	res.Warnings = orEmpty(append(warnings, res.Warnings...))
	r.log.Info("fetch done", "documents", len(res.Outcomes)-failed, "failed", failed, "ms", time.Since(r.started).Milliseconds())
	return wire.FetchResult{Event: r.result(), Digest: delivery.Digest(res), Result: res}, nil
}

// clientEnv is what fetchers are given of a client's variables.
func clientEnv(sent fetchers.Env) fetchers.Env {
	env := fetchers.Env{}
	for _, name := range envNames {
		if v := sent[name]; v != "" {
			env[name] = v
		}
	}
	return env
}

// fetchRequest is what fetchers are told of a request.
func (r *request) fetchRequest(req wire.FetchRequest, session string) fetchers.Request {
	r.c.mu.Lock()
	client := r.c.client
	r.c.mu.Unlock()
	return fetchers.Request{Client: client, Objective: req.Objective, Session: session, Env: clientEnv(req.Env), Tree: req.Tree, Display: req.Display}
}

func fetchRaw(ctx context.Context, r *request, req wire.FetchRequest, session string) (any, error) {
	s := r.c.s
	url := s.cfg.Redact(req.URL)
	r.log.Info("fetch start", "url", url, "session", session)
	res, err := s.cfg.Raw(ctx, RawRequest{
		URL:    req.URL,
		Dir:    req.DownloadDir,
		Fetch:  r.fetchRequest(req, session),
		Status: func(st fetchers.Stage) { r.status(wire.StatusEvent{URL: url, Stage: st}) },
	})
	if err != nil {
		return nil, err
	}
	r.log.Info("fetch done", "url", url, "bytes", res.Bytes, "ms", time.Since(r.started).Milliseconds())
	res.Event = r.result()
	return res, nil
}

// checkFetch accepts exactly one of the two forms.
func checkFetch(req wire.FetchRequest) error {
	switch {
	case len(req.URLs) > 0 && (req.URL != "" || req.DownloadDir != ""):
		return wire.Errorf(wire.CodeBadRequest, "urls: does not go together with url and downloadDir")
	case len(req.URLs) > wire.MaxURLs:
		return wire.Errorf(wire.CodeBadRequest, "urls: at most %d are allowed, got %d", wire.MaxURLs, len(req.URLs))
	case slices.Contains(req.URLs, ""):
		return wire.Errorf(wire.CodeBadRequest, "urls[%d]: is empty", slices.Index(req.URLs, ""))
	case len(req.URLs) > 0 && req.ArtifactRoot != "" && !filepath.IsAbs(req.ArtifactRoot):
		return wire.Errorf(wire.CodeBadRequest, "artifactRoot: an absolute path is needed")
	case len(req.URLs) > 0:
		return nil
	case req.URL == "" && req.DownloadDir == "":
		return wire.Errorf(wire.CodeBadRequest, "urls: 1 to %d URLs are needed", wire.MaxURLs)
	case req.URL == "":
		return wire.Errorf(wire.CodeBadRequest, "url: is needed beside downloadDir")
	case req.ArtifactRoot != "":
		return wire.Errorf(wire.CodeBadRequest, "artifactRoot: does not go together with url and downloadDir")
	case !filepath.IsAbs(req.DownloadDir):
		return wire.Errorf(wire.CodeBadRequest, "downloadDir: an absolute path is needed")
	}
	return nil
}

// orEmpty keeps a list from becoming null.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
