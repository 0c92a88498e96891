package main

import (
	"net/http"
	"slices"
	"sync"

	"pifetch/internal/netguard"
	"pifetch/internal/settings"
)

// newGuard makes the network guard, which keeps to the settings of the moment.
func newGuard(current func() settings.Settings) *netguard.Guard {
	return &netguard.Guard{Policy: func() netguard.Policy {
		n := current().Network
		return netguard.Policy{Allow: n.Allow, Deny: n.Deny}
	}}
}

// endpointTransport lets requests reach the hosts of an API wherever they are,
// and from there public hosts. Other hosts than before get new connections.
type endpointTransport struct {
	guard *netguard.Guard
	hosts func(*http.Request) []string // that the user named for a request

	mu        sync.Mutex
	current   []string
	transport *http.Transport
}

func (t *endpointTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	return t.get(t.hosts(r)).RoundTrip(r)
}

func (t *endpointTransport) get(hosts []string) *http.Transport {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.transport == nil || !slices.Equal(hosts, t.current) {
		if t.transport != nil {
			t.transport.CloseIdleConnections()
		}
		t.current, t.transport = hosts, t.guard.Transport(netguard.Endpoints(hosts...))
	}
	return t.transport
}
