package profile

import (
	"fmt"
	"net/url"
	"strings"
	"time"
)

// Kind is what went wrong with a visit, for callers that decide by it.
type Kind string

// The kinds of failed visits.
const (
	KindScheme    Kind = "scheme"     // led to something other than http and https
	KindTimeout   Kind = "timeout"    // no document, or no end of it, in time
	KindNetwork   Kind = "network"    // no answer from the server
	KindTLS       Kind = "tls"        // no trust in the server
	KindAuth      Kind = "auth"       // the server asks for HTTP authentication
	KindNoContent Kind = "no-content" // an answer without anything in it
	KindTooLarge  Kind = "too-large"  // over the cap of one file
	KindTruncated Kind = "truncated"  // the answer ended early
	KindCrashed   Kind = "crashed"    // the tab or Chrome ended
	KindHung      Kind = "hung"       // the tab does not answer
	KindFailed    Kind = "failed"     // anything else
)

// VisitError is a visit that ended without a page. Its text is the reason, one
// line for the person who asked for the URL.
type VisitError struct {
	Kind   Kind
	Reason string
	Err    error // what is behind it, for errors.Is; may be nil
}

func (e *VisitError) Error() string { return e.Reason }

func (e *VisitError) Unwrap() error { return e.Err }

func failure(k Kind, format string, args ...any) *VisitError {
	return &VisitError{Kind: k, Reason: fmt.Sprintf(format, args...)}
}

// wrapped is a failure of no particular kind, with what is behind it.
func wrapped(what string, err error) *VisitError {
	return &VisitError{Kind: KindFailed, Reason: what + ": " + err.Error(), Err: err}
}

func schemeFailure(u *url.URL) *VisitError {
	to := shown(u)
	if len(to) > 100 {
		to = u.Scheme + ":…"
	}
	return failure(KindScheme, "redirected to %s: http and https only", to)
}

func timeoutFailure(d time.Duration) *VisitError {
	return failure(KindTimeout, "page load timed out after %s", d)
}

// netError explains Chrome's name for a failed request, such as
// "net::ERR_NAME_NOT_RESOLVED", of the host in u.
func netError(text string, u *url.URL) *VisitError {
	code := strings.TrimPrefix(text, "net::")
	host := u.Host
	if r, ok := netReasons[code]; ok {
		return failure(r.kind, "%s", strings.ReplaceAll(r.text, "HOST", host))
	}
	switch {
	case strings.HasPrefix(code, "ERR_CERT_"):
		return failure(KindTLS, "TLS certificate of %s is not valid (%s)", host, code)
	case strings.HasPrefix(code, "ERR_SSL_"), strings.HasPrefix(code, "ERR_BAD_SSL_"):
		return failure(KindTLS, "TLS handshake with %s failed (%s)", host, code)
	case strings.HasPrefix(code, "ERR_HTTP2_"), strings.HasPrefix(code, "ERR_QUIC_"):
		return failure(KindNetwork, "%s broke the HTTP protocol (%s)", host, code)
	case code == "":
		return failure(KindFailed, "page could not be loaded")
	default:
		return failure(KindFailed, "page could not be loaded (%s)", code)
	}
}

var netReasons = map[string]struct {
	kind Kind
	text string
}{
	"ERR_NAME_NOT_RESOLVED":              {KindNetwork, "host not found: HOST: check its spelling; an internal name may need the VPN"},
	"ERR_NAME_RESOLUTION_FAILED":         {KindNetwork, "host not found: HOST: check its spelling; an internal name may need the VPN"},
	"ERR_DNS_TIMED_OUT":                  {KindNetwork, "name lookup of HOST timed out"},
	"ERR_CONNECTION_REFUSED":             {KindNetwork, "connection refused by HOST: no server listens there"},
	"ERR_CONNECTION_RESET":               {KindNetwork, "connection reset by HOST"},
	"ERR_CONNECTION_CLOSED":              {KindNetwork, "connection closed by HOST"},
	"ERR_CONNECTION_ABORTED":             {KindNetwork, "connection to HOST was aborted"},
	"ERR_CONNECTION_FAILED":              {KindNetwork, "connection to HOST failed"},
	"ERR_CONNECTION_TIMED_OUT":           {KindTimeout, "connection to HOST timed out: it is down, or behind a firewall or VPN"},
	"ERR_TIMED_OUT":                      {KindTimeout, "connection to HOST timed out: it is down, or behind a firewall or VPN"},
	"ERR_EMPTY_RESPONSE":                 {KindNetwork, "empty response: HOST closed the connection without a byte"},
	"ERR_INVALID_RESPONSE":               {KindNetwork, "HOST sent an invalid response"},
	"ERR_INVALID_HTTP_RESPONSE":          {KindNetwork, "HOST sent an invalid response, not HTTP"},
	"ERR_ADDRESS_UNREACHABLE":            {KindNetwork, "HOST is unreachable: check the network, or the VPN it may need"},
	"ERR_ADDRESS_INVALID":                {KindNetwork, "HOST is not a valid address"},
	"ERR_INTERNET_DISCONNECTED":          {KindNetwork, "this computer has no network connection"},
	"ERR_NETWORK_CHANGED":                {KindNetwork, "network changed while loading from HOST"},
	"ERR_NETWORK_IO_SUSPENDED":           {KindNetwork, "network was suspended while loading from HOST"},
	"ERR_NETWORK_ACCESS_DENIED":          {KindNetwork, "network access to HOST denied by the system"},
	"ERR_PROXY_CONNECTION_FAILED":        {KindNetwork, "connection to the proxy failed: check the proxy settings of this computer"},
	"ERR_TUNNEL_CONNECTION_FAILED":       {KindNetwork, "the proxy refused a connection to HOST"},
	"ERR_TOO_MANY_REDIRECTS":             {KindNetwork, "too many redirects: HOST redirects in a loop"},
	"ERR_INVALID_REDIRECT":               {KindScheme, "HOST redirects to an invalid URL"},
	"ERR_UNSAFE_REDIRECT":                {KindScheme, "HOST redirects to an unsafe URL: http and https only"},
	"ERR_UNKNOWN_URL_SCHEME":             {KindScheme, "unsupported scheme: http and https only"},
	"ERR_DISALLOWED_URL_SCHEME":          {KindScheme, "unsupported scheme: http and https only"},
	"ERR_UNSAFE_PORT":                    {KindNetwork, "Chrome refuses the port of HOST, which belongs to another protocol"},
	"ERR_BLOCKED_BY_CLIENT":              {KindNetwork, "blocked by Chrome: HOST"},
	"ERR_BLOCKED_BY_ADMINISTRATOR":       {KindNetwork, "blocked by a Chrome policy of this computer: HOST"},
	"ERR_BLOCKED_BY_RESPONSE":            {KindNetwork, "HOST does not allow its page to be shown here"},
	"ERR_INVALID_AUTH_CREDENTIALS":       {KindAuth, "login needed (401 Unauthorized)"},
	"ERR_UNEXPECTED_PROXY_AUTH":          {KindAuth, "login needed (407 Proxy Authentication Required)"},
	"ERR_CERT_AUTHORITY_INVALID":         {KindTLS, "TLS certificate of HOST is not trusted: it is self-signed or of an unknown authority; to trust that authority, add its certificate to Chrome"},
	"ERR_CERT_COMMON_NAME_INVALID":       {KindTLS, "TLS certificate of HOST is for another name"},
	"ERR_CERT_DATE_INVALID":              {KindTLS, "TLS certificate of HOST has expired or is not valid yet by the clock of this computer"},
	"ERR_CERT_REVOKED":                   {KindTLS, "TLS certificate of HOST has been revoked"},
	"ERR_CERT_INVALID":                   {KindTLS, "TLS certificate of HOST is invalid"},
	"ERR_CERT_WEAK_KEY":                  {KindTLS, "TLS certificate of HOST has a weak key"},
	"ERR_CERT_WEAK_SIGNATURE_ALGORITHM":  {KindTLS, "TLS certificate of HOST has a weak signature"},
	"ERR_SSL_PROTOCOL_ERROR":             {KindTLS, "TLS handshake with HOST failed: it speaks no TLS; an http:// URL may work"},
	"ERR_SSL_VERSION_OR_CIPHER_MISMATCH": {KindTLS, "TLS handshake with HOST failed: no common version or cipher"},
	"ERR_SSL_CLIENT_AUTH_CERT_NEEDED":    {KindAuth, "login needed (HOST asks for a client certificate)"},
	"ERR_BAD_SSL_CLIENT_AUTH_CERT":       {KindAuth, "login needed (HOST refused the client certificate)"},
	"ERR_CONTENT_LENGTH_MISMATCH":        {KindTruncated, "truncated: the connection to HOST ended before the announced length"},
	"ERR_INCOMPLETE_CHUNKED_ENCODING":    {KindTruncated, "truncated: the connection to HOST ended in the middle"},
	"ERR_CONTENT_DECODING_FAILED":        {KindTruncated, "truncated or damaged: the body from HOST does not decode"},
	"ERR_ABORTED":                        {KindNetwork, "HOST or its page aborted the navigation"},
	"ERR_INSUFFICIENT_RESOURCES":         {KindFailed, "Chrome ran out of resources"},
	"ERR_OUT_OF_MEMORY":                  {KindFailed, "Chrome ran out of memory"},
}
