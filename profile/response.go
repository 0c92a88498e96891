package profile

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/go-rod/rod/lib/proto"
)

// response is the answer to a main-frame document request, as known when its
// headers are in.
type response struct {
	url    *url.URL
	status int
	header http.Header
}

func responseHeader(entries []*proto.FetchHeaderEntry) http.Header {
	h := http.Header{}
	for _, e := range entries {
		h.Add(e.Name, e.Value)
	}
	return h
}

// verdict is what to do with a response.
type verdict int

const (
	renderIt verdict = iota // the renderer makes a document of it
	sniffIt                 // Chrome looks at the bytes and decides
	storeIt                 // it is a file
	statusIt                // an answer without a document, of which only the status matters
	nothing                 // there is no body by definition
	redirect                // to another URL
)

// judge decides by the headers as Chrome does: rendering is for HTML and XHTML
// that is not sent as an attachment. HTML over maxHTML bytes is a file too.
func (r response) judge(maxHTML int64) verdict {
	switch {
	case r.status >= 300 && r.status < 400 && r.status != http.StatusNotModified && r.header.Get("Location") != "":
		return redirect
	case r.status == http.StatusNoContent, r.status == http.StatusResetContent:
		return nothing
	}
	success := r.status >= 200 && r.status < 300
	mediaType := r.mediaType()
	switch {
	case success && attachment(r.header.Get("Content-Disposition")):
		return storeIt
	case isPage(mediaType):
		if success && r.length() > maxHTML {
			return storeIt
		}
		return renderIt
	case !success && mediaType == "":
		return renderIt
	case !success:
		return statusIt
	case mediaType == "":
		return sniffIt
	default:
		return storeIt
	}
}

// mediaType is the media type in lower case without parameters, and "" when
// there is none or one that asks Chrome to sniff.
func (r response) mediaType() string {
	values := r.header.Values("Content-Type")
	if len(values) == 0 {
		return ""
	}
	t := mediaType(values[len(values)-1])
	switch t {
	case "unknown/unknown", "application/unknown", "*/*":
		return ""
	}
	return t
}

func mediaType(header string) string {
	t, _, _ := strings.Cut(header, ";")
	t = strings.ToLower(strings.TrimSpace(t))
	if !strings.Contains(t, "/") {
		return ""
	}
	return t
}

// length is the announced length, 0 when there is none.
func (r response) length() int64 {
	n, err := strconv.ParseInt(strings.TrimSpace(r.header.Get("Content-Length")), 10, 64)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// encoded reports whether the length on the wire is not that of the body.
func (r response) encoded() bool {
	e := strings.ToLower(strings.TrimSpace(r.header.Get("Content-Encoding")))
	return e != "" && e != "identity"
}

// leadsToText reports whether the response is plain text or markdown, not sent
// as an attachment, or a redirect within its origin.
func (r response) leadsToText(does verdict) bool {
	switch does {
	case redirect:
		to, err := r.location()
		return err == nil && sameOrigin(to, r.url)
	case storeIt:
		t := r.mediaType()
		return (t == "text/plain" || isMarkdown(t)) && !attachment(r.header.Get("Content-Disposition"))
	}
	return false
}

// location is where a redirect leads.
func (r response) location() (*url.URL, error) {
	return r.url.Parse(r.header.Get("Location"))
}

func isPage(mediaType string) bool {
	return mediaType == "text/html" || mediaType == "application/xhtml+xml"
}

func isMarkdown(mediaType string) bool {
	return mediaType == "text/markdown" || mediaType == "text/x-markdown"
}

// turnedDown reports whether a server may have refused a page for the Accept
// header alone: it says so, or its refusal is markdown or one that depends on
// the header, as from a server that looks for a form of the page it has not
// got. Statuses that ask for something else stand.
func turnedDown(p *Page) bool {
	switch p.Status {
	case http.StatusNotAcceptable:
		return true
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusProxyAuthRequired, http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return false
	}
	return p.Status >= 400 && (isMarkdown(p.MediaType) || variesByAccept(p.Header))
}

func variesByAccept(h http.Header) bool {
	for _, value := range h.Values("Vary") {
		for name := range strings.SplitSeq(value, ",") {
			if strings.EqualFold(strings.TrimSpace(name), "Accept") {
				return true
			}
		}
	}
	return false
}

// attachment reports whether Chrome stores a response with this
// Content-Disposition: any type but inline, where a header that starts with a
// parameter has none.
func attachment(disposition string) bool {
	t, _, _ := strings.Cut(disposition, ";")
	t = strings.ToLower(strings.TrimSpace(t))
	name, _, param := strings.Cut(t, "=")
	switch {
	case t == "", t == "inline":
		return false
	case param:
		name = strings.TrimSpace(name)
		return name != "filename" && name != "name"
	default:
		return true
	}
}

func webScheme(u *url.URL) bool { return u.Scheme == "http" || u.Scheme == "https" }

// withoutSecrets is the header as callers get it.
func withoutSecrets(h http.Header) http.Header {
	h = h.Clone()
	h.Del("Set-Cookie")
	h.Del("Set-Cookie2")
	return h
}
