package main

import (
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"sync"
	"time"

	"pifetch/daemon/wire"
	"pifetch/fetchers/github/api"
	"pifetch/internal/netguard"
	"pifetch/internal/settings"
)

// newGitHub makes the client of GitHub's APIs, behind the network guard.
func newGitHub(current func() settings.Settings, agentDir string, log *slog.Logger) *api.Client {
	endpoints := func() api.Endpoints { return api.Endpoints(current().GitHub.Endpoints) }
	guard := &netguard.Guard{Policy: func() netguard.Policy {
		n := current().Network
		return netguard.Policy{Allow: n.Allow, Deny: n.Deny}
	}}
	return api.New(api.Config{
		Endpoints: endpoints,
		Transport: &endpointTransport{guard: guard, endpoints: endpoints},
		UserAgent: "pifetch/" + version,
		AgentDir:  agentDir,
		Env:       os.Environ(),
		Log:       log,
	})
}

// endpointTransport lets requests reach the endpoints wherever they are, and
// from there public hosts. New endpoints get new connections.
type endpointTransport struct {
	guard     *netguard.Guard
	endpoints func() api.Endpoints

	mu        sync.Mutex
	current   api.Endpoints
	transport *http.Transport
}

func (t *endpointTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	return t.get().RoundTrip(r)
}

func (t *endpointTransport) get() *http.Transport {
	t.mu.Lock()
	defer t.mu.Unlock()
	if e := t.endpoints(); t.transport == nil || e != t.current {
		if t.transport != nil {
			t.transport.CloseIdleConnections()
		}
		var hosts []string
		for _, base := range []string{e.API, e.Web, e.Raw, e.Gist, e.Codeload} {
			if u, err := url.Parse(base); err == nil {
				hosts = append(hosts, u.Hostname())
			}
		}
		t.current, t.transport = e, t.guard.Transport(netguard.Endpoints(hosts...))
	}
	return t.transport
}

// limits are GitHub's budgets as the protocol shows them.
func limits(budgets []api.Budget) []wire.Limit {
	var all []wire.Limit
	for _, b := range budgets {
		all = append(all, wire.Limit{
			Source: "github", Key: b.Token, Resource: b.Resource, Limit: b.Limit, Remaining: b.Remaining,
			ResetSecs: secondsUntil(b.Reset), BlockedSecs: secondsUntil(b.Blocked),
		})
	}
	return all
}

func secondsUntil(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return int64(max(0, time.Until(t).Round(time.Second)/time.Second))
}
