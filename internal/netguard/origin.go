package netguard

import "sync"

// Origin is what a request asked for: it decides which hosts of the user's
// machine and networks the request may reach. The nil Origin asked for a public
// host, whose name does not matter.
type Origin struct {
	asked     string          // canonical; empty for endpoints
	endpoints map[string]bool // canonical

	mu sync.Mutex
	// found is the class each host was first found in. With endpoints there is
	// none: clients for them outlive a change of network, and all that can be
	// found elsewhere is public.
	found map[string]Class
}

// Asked is the Origin of one request for a URL on host: the name or address
// that the caller gave, not one it was redirected to. Each request has one of
// its own, because it remembers where hosts were found.
func Asked(host string) *Origin {
	o := &Origin{found: map[string]Class{}}
	// A host that is none is never dialled either.
	o.asked, _ = canonical(host)
	return o
}

// Endpoints is the Origin of requests to servers that the user has configured:
// these hosts may be on loopback and private networks, and where they lead to
// must be public.
func Endpoints(hosts ...string) *Origin {
	o := &Origin{endpoints: map[string]bool{}}
	for _, h := range hosts {
		if c, err := canonical(h); err == nil {
			o.endpoints[c] = true
		}
	}
	return o
}

// host is what was asked for, empty when it does not matter.
func (o *Origin) host() string {
	if o == nil {
		return ""
	}
	return o.asked
}

// trusts reports whether host is an endpoint.
func (o *Origin) trusts(host string) bool { return o != nil && o.endpoints[host] }

// admit reports by which rule a host of that class may not be reached, or none,
// and remembers the class.
func (o *Origin) admit(host string, class Class) Rule {
	if o == nil || o.endpoints != nil {
		if class > Public {
			return NotAsked
		}
		return none
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if before, ok := o.found[host]; ok && before != class {
		return Changed
	}
	if host != o.asked && class > o.found[o.asked] { // Public until it is found
		return NotAsked
	}
	o.found[host] = class
	return none
}
