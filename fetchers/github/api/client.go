// Package api speaks with GitHub: the REST and GraphQL APIs with the caller's
// token, and the hosts that serve files, diffs and archives without one. It
// keeps to GitHub's limits, remembers answers by their ETag, and turns every
// failure into an Error that says what to do next.
package api

import (
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// Config is what a Client is made from.
type Config struct {
	Endpoints func() Endpoints  // asked for each session; nil: GitHub
	Transport http.RoundTripper // how connections are made; nil: http.DefaultTransport
	UserAgent string            // GitHub refuses requests without one; empty: pifetch
	AgentDir  string            // holds the file github-token; empty: no such file
	Env       []string          // the daemon's environment
	Log       *slog.Logger
	Now       func() time.Time
	Timeout   time.Duration // of a call, its JSON included, and of the head of a stream; 0: 15 s
}

// Timeouts where the Config says nothing else.
const (
	callTimeout   = 15 * time.Second
	streamTimeout = 10 * time.Minute
	idleTimeout   = 30 * time.Second // without a byte of a stream
)

// Client holds what all requests share: answers, budgets, and the daemon's own token.
type Client struct {
	cfg     Config
	own     ownToken
	answers cache

	mu       sync.Mutex
	accounts map[string]*account // by credential.key, and "host " and the name of a host that knows no tokens
}

// New returns a client. It asks nobody.
func New(cfg Config) *Client {
	if cfg.Endpoints == nil {
		cfg.Endpoints = GitHub
	}
	if cfg.Transport == nil {
		cfg.Transport = http.DefaultTransport
	}
	if cfg.UserAgent == "" {
		cfg.UserAgent = "pifetch"
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Timeout == 0 {
		cfg.Timeout = callTimeout
	}
	c := &Client{cfg: cfg, answers: cache{most: cacheBytes}, accounts: map[string]*account{}}
	c.own = ownToken{now: cfg.Now, look: c.lookUpToken, changed: func(t token) {
		cfg.Log.Info("github token", "source", t.name())
	}}
	return c
}

// account returns what is known of a key's limits.
func (c *Client) account(key, token, host string) *account {
	c.mu.Lock()
	defer c.mu.Unlock()
	a := c.accounts[key]
	if a == nil {
		a = newAccount(token, host, c.cfg.Now, c.cfg.Log)
		c.accounts[key] = a
	}
	return a
}

// Budget is what is left of one limit of one token.
type Budget struct {
	Token     string // where it comes from: "GH_TOKEN", "the daemon's GH_TOKEN", "the file github-token", "gh", "anonymous"
	Resource  string // "core", "search", "graphql", …; a host name for a limit on all that is asked there
	Limit     int    // 0: GitHub did not say
	Remaining int
	Reset     time.Time
	Blocked   time.Time // no request before this time: the limit, or a secondary one; zero when there is none
}

// Budgets lists the limits seen so far.
func (c *Client) Budgets() []Budget {
	c.mu.Lock()
	defer c.mu.Unlock()
	var all []Budget
	for _, a := range c.accounts {
		all = append(all, a.list()...)
	}
	slices.SortFunc(all, func(a, b Budget) int {
		return strings.Compare(a.Token+"\n"+a.Resource, b.Token+"\n"+b.Resource)
	})
	return all
}
