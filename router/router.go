// Package router resolves the URLs of a request. It offers each URL to the
// fetchers in order until one delivers a document, and keeps what the others
// said. Fetchers work side by side; a URL never waits for another.
package router

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"

	"pifetch/fetchers"
	"pifetch/internal/weburl"
)

// Router sends URLs down the chain of fetchers. Its methods may be called
// concurrently.
type Router struct {
	cfg Config
}

// New returns a router.
func New(cfg Config) *Router { return &Router{cfg.withDefaults()} }

// Request is one fetch request.
type Request struct {
	URLs         []string
	ArtifactRoot string // "" for a request folder in the store's own root
	Fetch        fetchers.Request

	// Status is told of the progress of each URL, one call at a time. It must
	// not block. Nil ignores it.
	Status func(url string, s fetchers.Stage)
}

// Sources names the fetchers in their order.
func (r *Router) Sources() []string {
	names := make([]string, len(r.cfg.Fetchers))
	for i, f := range r.cfg.Fetchers {
		names[i] = f.Source()
	}
	return names
}

// claimant is the first fetcher from index from on that may see u and claims
// it, or the number of fetchers.
func (r *Router) claimant(req fetchers.Request, u fetchers.URL, from int) int {
	n := len(r.cfg.Fetchers)
	if from < n-1 && r.cfg.LastOnly != nil && r.cfg.LastOnly(u) {
		from = n - 1
	}
	for i := from; i < n; i++ {
		if r.claims(r.cfg.Fetchers[i], req, u) {
			return i
		}
	}
	return n
}

func (r *Router) claims(f fetchers.Fetcher, req fetchers.Request, u fetchers.URL) (claimed bool) {
	defer func() {
		if v := recover(); v != nil {
			r.logPanic(f, v, slog.String("url", u.Asked))
			claimed = false
		}
	}()
	return f.Claims(req, u)
}

func (r *Router) logPanic(f fetchers.Fetcher, v any, attrs ...any) {
	r.cfg.Log.With(attrs...).Error("fetcher panicked", "source", f.Source(), "panic", line(fmt.Sprint(v)), "stack", string(debug.Stack()))
}

// ParseURL reads a URL as a caller wrote it.
func ParseURL(raw string) (fetchers.URL, error) {
	parsed, err := weburl.Parse(raw)
	return fetchers.URL{Asked: weburl.Redact(raw), Parsed: parsed}, err
}

// Fetch resolves the URLs and returns one outcome for each that differs from
// those before it. URLs that cannot be had are outcomes, not errors. Fetch
// fails when no folder can be made (a *artifact.RootError when the caller's is
// to blame) and, with the context's cause, when ctx ends: then everything
// written is removed.
func (r *Router) Fetch(ctx context.Context, req Request) (fetchers.Result, error) {
	if ctx.Err() != nil {
		return fetchers.Result{}, context.Cause(ctx)
	}
	folder, err := r.cfg.Store.NewRequest(req.ArtifactRoot)
	if err != nil {
		return fetchers.Result{}, err
	}
	c := newCascade(ctx, r, req, folder)
	c.start()
	c.wait()
	if ctx.Err() != nil {
		c.abandon()
		return fetchers.Result{}, context.Cause(ctx)
	}
	c.log(folder.Close())
	return c.result(), nil
}
