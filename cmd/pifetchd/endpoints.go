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

// maxTransports is how many sets of hosts have connections of their own at a
// time.
const maxTransports = 8

// endpointTransport lets requests reach the hosts of an API wherever they are,
// and from there public hosts. Each set of hosts has its own connections.
type endpointTransport struct {
	guard *netguard.Guard
	hosts func(*http.Request) []string // that the user named for a request

	mu    sync.Mutex
	known []hostsTransport // the last used first
}

type hostsTransport struct {
	hosts []string
	*http.Transport
}

func (t *endpointTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	return t.get(t.hosts(r)).RoundTrip(r)
}

func (t *endpointTransport) get(hosts []string) *http.Transport {
	t.mu.Lock()
	defer t.mu.Unlock()
	i := slices.IndexFunc(t.known, func(h hostsTransport) bool { return slices.Equal(h.hosts, hosts) })
	if i < 0 {
		if len(t.known) == maxTransports {
			t.known[maxTransports-1].CloseIdleConnections()
			t.known = t.known[:maxTransports-1]
		}
		t.known = append(t.known, hostsTransport{hosts, t.guard.Transport(netguard.Endpoints(hosts...))})
		i = len(t.known) - 1
	}
	used := t.known[i]
	t.known = slices.Insert(slices.Delete(t.known, i, i+1), 0, used)
	return used.Transport
}
