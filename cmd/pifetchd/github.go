package main

import (
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"time"

	"pifetch/daemon/wire"
	"pifetch/fetchers/github/api"
	"pifetch/internal/settings"
)

// newGitHub makes the client of GitHub's APIs, behind the network guard.
func newGitHub(current func() settings.Settings, agentDir string, log *slog.Logger) *api.Client {
	endpoints := func() api.Endpoints { return api.Endpoints(current().GitHub.Endpoints) }
	hosts := func(*http.Request) []string {
		e := endpoints()
		var hosts []string
		for _, base := range []string{e.API, e.Web, e.Raw, e.Gist, e.Codeload} {
			if u, err := url.Parse(base); err == nil {
				hosts = append(hosts, u.Hostname())
			}
		}
		return hosts
	}
	return api.New(api.Config{
		Endpoints: endpoints,
		Transport: &endpointTransport{guard: newGuard(current), hosts: hosts},
		UserAgent: "pifetch/" + version,
		AgentDir:  agentDir,
		Env:       os.Environ(),
		Log:       log,
	})
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
