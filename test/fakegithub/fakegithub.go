// Package fakegithub is a GitHub on loopback for tests: api.github.com with
// REST and GraphQL, and the hosts beside it that serve pages' diffs, raw files,
// archives and git itself. It answers from a World, described in Go, and from
// real git repositories; every REST request and answer is checked against
// GitHub's OpenAPI description and every query against its GraphQL schema.
// Whatever GitHub would not have understood, and whatever the world fails to
// provide, is a fault, and a fault fails the test.
package fakegithub

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pifetch/fetchers/github/api"
	"pifetch/test/fakegithub/gitrepo"
	"pifetch/test/fakegithub/graph"
	"pifetch/test/fakegithub/openapi"
	"pifetch/test/need"
	"pifetch/test/npm"
)

// Host is one of the fake's listeners.
type Host string

// The hosts. Each is an origin of its own.
const (
	API      Host = "api"      // api.github.com
	Web      Host = "web"      // github.com
	Raw      Host = "raw"      // raw.githubusercontent.com
	GistRaw  Host = "gist"     // gist.githubusercontent.com
	Codeload Host = "codeload" // codeload.github.com
	Diffs    Host = "diffs"    // patch-diff.githubusercontent.com, where the web host sends askers of diffs
	Storage  Host = "storage"  // where assets and logs lie
)

var hosts = []Host{API, Web, Raw, GistRaw, Codeload, Diffs, Storage}

// Fake is a running fake GitHub.
type Fake struct {
	World *World
	Token string // the one valid token; it sees everything

	description *openapi.Description
	schema      *graph.Schema
	base        map[Host]string // "http://127.0.0.1:1234"
	servers     []*http.Server

	mu        sync.Mutex
	calls     []Call
	faults    []string
	watch     func(string)       // nil: nobody
	handlers  map[string]Handler // by template, of the test
	world     map[string]Handler // by template, of the World
	failures  []*failure
	overrides graph.Overrides
	budgets   map[string]*budget  // by identity and resource
	blocked   map[string]blockade // by identity
	blobs     map[string]stored   // of the storage host, by path
	busy      sync.WaitGroup
}

// Call is one request that arrived.
type Call struct {
	Method     string
	Host       Host
	Path       string // escaped
	Query      string // raw
	Accept     string
	Authorized bool // with the valid token
	Status     int  // that it was answered with
	Counted    bool // against a rate limit

	GraphQL string // the text of the query
	Cost    graph.Cost
}

// API reports whether the call was one of the API, REST or GraphQL.
func (c Call) API() bool { return c.Host == API }

// New starts a fake that ends with the test and fails it for every fault. It
// skips the test where the descriptions or git are missing.
func New(t testing.TB) *Fake {
	t.Helper()
	f, err := Start()
	switch {
	case errors.Is(err, npm.ErrNotInstalled):
		need.Have(t, "npm", err)
	case errors.Is(err, exec.ErrNotFound):
		need.Have(t, "git", err)
	case err != nil:
		t.Fatal(err)
	}
	t.Cleanup(func() {
		f.Close()
		for _, fault := range f.Faults() {
			t.Errorf("fake GitHub: %s", fault)
		}
	})
	return f
}

// Start starts a fake with the default world on loopback.
func Start() (*Fake, error) {
	root, err := npm.Root()
	if err != nil {
		return nil, err
	}
	cache := filepath.Join(root, ".cache", "fakegithub")
	description, schema, err := descriptions(cache)
	if err != nil {
		return nil, err
	}
	world, err := newWorld(filepath.Join(cache, "git"))
	if err != nil {
		return nil, err
	}
	f := &Fake{
		World: world, Token: "ghp_fakeTokenThatIsCanaryToo0123456789ab",
		description: description, schema: schema, base: map[Host]string{},
		handlers: map[string]Handler{}, overrides: graph.Overrides{},
		budgets: map[string]*budget{}, blocked: map[string]blockade{}, blobs: map[string]stored{},
	}
	f.world = f.operations()
	serve := map[Host]http.HandlerFunc{
		API: f.serveAPI, Web: f.serveWeb, Raw: f.serveRaw, GistRaw: f.serveGistRaw,
		Codeload: f.serveCodeload, Diffs: f.serveDiffs, Storage: f.serveStorage,
	}
	for _, host := range hosts {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			f.Close()
			return nil, err
		}
		f.base[host] = "http://" + l.Addr().String()
		server := &http.Server{Handler: f.record(host, serve[host]), ReadHeaderTimeout: time.Minute}
		f.servers = append(f.servers, server)
		f.busy.Go(func() { _ = server.Serve(l) })
	}
	return f, nil
}

// Close ends all connections and waits for the servers.
func (f *Fake) Close() {
	for _, s := range f.servers {
		_ = s.Close()
	}
	f.busy.Wait()
}

// Endpoints is where a client finds the fake.
func (f *Fake) Endpoints() api.Endpoints {
	return api.Endpoints{API: f.base[API], Web: f.base[Web], Raw: f.base[Raw], Gist: f.base[GistRaw], Codeload: f.base[Codeload]}
}

// Base is the address of a host, without a slash at the end.
func (f *Fake) Base(h Host) string { return f.base[h] }

// Calls are the requests so far, in the order in which they were answered.
func (f *Fake) Calls() []Call {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.calls)
}

// ResetCalls forgets the requests so far.
func (f *Fake) ResetCalls() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls = nil
}

// Faults are the violations so far, and the failures that nobody has run into.
func (f *Fake) Faults() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	faults := slices.Clone(f.faults)
	for _, x := range f.failures {
		if x.served == 0 {
			faults = append(faults, fmt.Sprintf("no request for the failure of %q", x.match))
		}
	}
	return faults
}

// TakeFaults returns the violations so far and forgets them, for tests that
// provoke them.
func (f *Fake) TakeFaults() []string {
	faults := f.Faults()
	f.mu.Lock()
	defer f.mu.Unlock()
	f.faults, f.failures = nil, nil
	return faults
}

// Watch tells fn of every request and every fault from now on. fn may not call f.
func (f *Fake) Watch(fn func(line string)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.watch = fn
}

func (f *Fake) fault(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.faultLocked(fmt.Sprintf(format, args...))
}

func (f *Fake) faultLocked(text string) {
	f.faults = append(f.faults, text)
	if f.watch != nil {
		f.watch("fault: " + text)
	}
}

// Override sets a field of GraphQL, such as "PullRequest.reviewDecision". fn is
// given the object that the field is of and the field's arguments.
func (f *Fake) Override(field string, fn func(parent graph.Object, args map[string]any) any) {
	typ, name, _ := strings.Cut(field, ".")
	if !f.schema.HasField(typ, name) {
		panic("fakegithub: the schema has no " + field)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.overrides[field] = fn
}

// gitVersion fails when there is no git to run.
var gitVersion = sync.OnceValue(func() error {
	if _, err := (gitrepo.Repo{}).Git("version"); err != nil {
		return fmt.Errorf("git does not run: %w", err)
	}
	return nil
})
