// Package fakeparallel is a stand-in for Parallel's extract API on loopback. It
// checks every request against the API's description, and answers as it is
// told to: with pages of its own, or with one of the failures of real services.
package fakeparallel

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// Key is the key that the API knows.
const Key = "pk-canary-5f1d0c9e7b"

// Fake is the API.
type Fake struct {
	URL string // the base URL

	mu     sync.Mutex
	page   func(url string) Page
	script []Reply
	always Reply
	calls  []Call
	faults []string
}

// Call is a request that the API took.
type Call struct {
	URLs      []string
	Objective string
	Session   string // session_id
	Full      bool   // advanced_settings.full_content
	Key       string
	At        time.Time
	Body      string // as it was sent
}

// Page is what the API knows of one URL.
type Page struct {
	Result Result
	Error  *PageError // instead of a result
	None   bool       // neither
}

// New starts an API for one test. Requests that the description does not allow
// fail the test, unless Faults has taken them.
func New(t testing.TB) *Fake {
	f := &Fake{page: PageOf}
	server := httptest.NewServer(f)
	f.URL = server.URL
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
		for _, fault := range f.Faults() {
			t.Errorf("fake Parallel: %s", fault)
		}
	})
	return f
}

// Know says what the API knows of a URL, instead of PageOf.
func (f *Fake) Know(page func(url string) Page) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.page = page
}

// Script queues answers for the next calls. Calls after them get pages.
func (f *Fake) Script(replies ...Reply) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.script = append(f.script, replies...)
}

// Always answers all calls the script does not.
func (f *Fake) Always(reply Reply) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.always = reply
}

// Calls are those the API took, in their order.
func (f *Fake) Calls() []Call {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.calls)
}

// Faults takes what was wrong with requests.
func (f *Fake) Faults() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	faults := f.faults
	f.faults = nil
	return faults
}

func (f *Fake) fault(text string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.faults = append(f.faults, text)
}

// ServeHTTP implements http.Handler.
func (f *Fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	call, status, message, detail := check(r)
	if status != 0 {
		f.fault(message + ": " + detail)
		Refuse(status, message, detail)(w, r, Response{})
		return
	}
	f.mu.Lock()
	f.calls = append(f.calls, call)
	reply := f.always
	if len(f.script) > 0 {
		reply, f.script = f.script[0], f.script[1:]
	}
	f.mu.Unlock()
	switch {
	case call.Key != Key:
		Refuse(http.StatusUnauthorized, "Invalid API key "+call.Key, nil)(w, r, Response{})
	case reply == nil:
		OK(nil)(w, r, f.response(call))
	default:
		reply(w, r, f.response(call))
	}
}

// response is what the API knows of the URLs of a call.
func (f *Fake) response(call Call) Response {
	f.mu.Lock()
	page := f.page
	f.mu.Unlock()
	res := Response{ExtractID: "extract_1", SessionID: "session_1", Results: []Result{}, Errors: []PageError{}}
	var seen []string
	for _, u := range call.URLs {
		if slices.Contains(seen, u) {
			continue
		}
		seen = append(seen, u)
		switch p := page(u); {
		case p.None:
		case p.Error != nil:
			p.Error.URL = u
			res.Errors = append(res.Errors, *p.Error)
		default:
			p.Result.URL = u
			if !call.Full {
				p.Result.FullContent = nil
			}
			res.Results = append(res.Results, p.Result)
		}
	}
	return res
}

// PageOf is a page of which everything is made of its URL.
func PageOf(url string) Page {
	name := url[strings.LastIndexByte(url, '/')+1:]
	content := "# About " + name + "\n\nFull text of " + url + "\n"
	return Page{Result: Result{
		Title: new("Title of " + name), PublishDate: new("2026-03-04"),
		Excerpts:    []string{"First excerpt of " + name, "Second excerpt of " + name},
		FullContent: &content,
	}}
}
