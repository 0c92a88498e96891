package router

import (
	"context"
	"log/slog"

	"pifetch/fetchers"
)

// notForOthers is the reason of every fetcher that LastOnly keeps a URL from.
const notForOthers = "kept from it by webTools.fetch.forceLocal"

// Explain says of each fetcher, in order, whether it claims a URL and why. The
// first that does is offered the URL first.
func (r *Router) Explain(ctx context.Context, req fetchers.Request, raw string) []fetchers.Claim {
	u, err := ParseURL(raw)
	claims := make([]fetchers.Claim, len(r.cfg.Fetchers))
	for i, f := range r.cfg.Fetchers {
		c := &claims[i]
		c.Source = f.Source()
		if !r.mayOffer(i, u) {
			c.Reason = notForOthers
			continue
		}
		c.Claims = r.claims(f, req, u)
		c.Reason, c.Auth = r.explain(ctx, f, req, u)
		if c.Reason == "" && !c.Claims && err != nil {
			c.Reason = line(err.Error())
		}
	}
	return claims
}

// mayOffer reports whether the fetcher of that index may see u.
func (r *Router) mayOffer(i int, u fetchers.URL) bool {
	return i == len(r.cfg.Fetchers)-1 || r.cfg.LastOnly == nil || !r.cfg.LastOnly(u)
}

func (r *Router) explain(ctx context.Context, f fetchers.Fetcher, req fetchers.Request, u fetchers.URL) (reason, auth string) {
	e, ok := f.(fetchers.Explainer)
	if !ok {
		return "", ""
	}
	defer func() {
		if v := recover(); v != nil {
			r.logPanic(f, v, slog.String("url", u.Asked))
			reason, auth = "", ""
		}
	}()
	reason, auth = e.Explain(ctx, req, u)
	return line(reason), line(auth)
}
