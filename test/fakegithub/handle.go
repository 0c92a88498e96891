package fakegithub

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// Request is a REST request as a Handler sees it.
type Request struct {
	Template   string            // of the operation
	Params     map[string]string // the path's, decoded
	Query      url.Values
	Header     http.Header
	Authorized bool
	Repo       *Repo // of /repos/{owner}/{repo}/…, nil for other operations
}

// Handler answers a REST request. The body is one of
//   - what encoding/json can write: the whole answer in JSON
//   - Partial: the answer in JSON, to be completed by the description
//   - List: a page of it is answered, and the Link header
//   - Bytes: another media type
//   - Redirect: the Location header
//   - Failure: that
type Handler func(Request) (status int, body any)

// Partial is an answer of which only what matters is given: members that the
// description requires get neutral values, texts their name in parentheses.
type Partial struct{ Body any }

// List is an answer in pages.
type List struct {
	Items []any
	// Key is the member that holds the items, "workflow_runs"; total_count
	// stands beside it. "" is an answer that is just the items.
	Key    string
	Total  int            // total_count; 0: the number of items
	Fields map[string]any // more members beside Key
	// Whole says that the items are complete; else each is completed like a Partial.
	Whole bool
}

// Bytes is an answer that is not JSON.
type Bytes struct {
	Type string // media type
	Data []byte
}

// Redirect is the address an answer leads to.
type Redirect string

// Moved is the path of the API that an answer of status 301 leads to.
type Moved struct{ Path string }

// Handle answers an operation that the world does not serve, or serves it in
// another way. The pattern is "GET " and a path of the description, with its
// placeholders. Requests and answers are checked like all others. A handler that
// returns status 0 leaves the request to the world.
func (f *Fake) Handle(pattern string, h Handler) {
	template, ok := strings.CutPrefix(pattern, "GET ")
	if !ok || !f.description.Has(template) {
		panic(fmt.Sprintf("fakegithub: the description has no operation %q", pattern))
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.handlers[template] = h
}

// Store puts data on the storage host and returns its address, to Redirect to.
func (f *Fake) Store(name, mediaType string, data []byte) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.blobs["/"+name] = stored{mediaType, data}
	return f.base[Storage] + "/" + name + "?sig=only-for-a-minute"
}

type stored struct {
	mediaType string
	data      []byte
}
