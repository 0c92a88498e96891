package netguard

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"time"
)

const (
	tlsTimeout  = 10 * time.Second
	idleTimeout = 30 * time.Second
	// maxRedirects is as many as a client of net/http follows.
	maxRedirects = 10
	// maxHeaderBytes is what a server may send as headers.
	maxHeaderBytes = 1 << 20
)

// Transport returns a transport of its own for what o asked for. Connections
// are made and kept for o alone; whoever made one for a single request calls
// CloseIdleConnections after it. How long an answer may take is the business of
// the request's context.
//
// Proxies of the environment are not used: a proxy resolves names itself, and
// what it then reaches is beyond any check made here.
func (g *Guard) Transport(o *Origin) *http.Transport {
	return &http.Transport{
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			return g.DialContext(ctx, o, network, address)
		},
		ForceAttemptHTTP2:      true,
		TLSHandshakeTimeout:    tlsTimeout,
		IdleConnTimeout:        idleTimeout,
		MaxResponseHeaderBytes: maxHeaderBytes,
	}
}

// Client returns a client on such a transport that follows redirects as
// CheckRedirect lets it, and has no cookies.
func (g *Guard) Client(o *Origin) *http.Client {
	return &http.Client{Transport: g.Transport(o), CheckRedirect: CheckRedirect}
}

// harmless are the headers of a request that another origin may see. Any other
// may hold a secret: keys have many names.
var harmless = []string{"Accept", "Accept-Encoding", "Accept-Language", "Range", "User-Agent"}

// CheckRedirect is for http.Client. It keeps what a request says of its sender
// to the origin the request was made for. There the userinfo of its URL goes to
// every page; once a chain of redirects has left it, only harmless headers go
// on, no userinfo does, and a request with a body ends with an error. net/http alone keeps headers for subdomains, other ports and
// plain HTTP, and all headers it does not know as credentials.
func CheckRedirect(req *http.Request, via []*http.Request) error {
	if len(via) >= maxRedirects {
		return fmt.Errorf("stopped after %d redirects", maxRedirects)
	}
	first := origin(via[0].URL)
	left := func(r *http.Request) bool { return origin(r.URL) != first }
	if !left(req) && !slices.ContainsFunc(via, left) {
		req.URL.User = via[0].URL.User
		return nil
	}
	if req.Body != nil && req.Body != http.NoBody {
		return errors.New("redirected to another origin with the body of the request: not followed")
	}
	for name := range req.Header {
		if !slices.Contains(harmless, name) {
			delete(req.Header, name)
		}
	}
	req.URL.User = nil
	return nil
}

// origin is scheme, host and port of a URL.
func origin(u *url.URL) string {
	host, err := canonical(u.Hostname())
	if err != nil {
		host = u.Hostname()
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return u.Scheme + "://" + net.JoinHostPort(host, port)
}
