package github

import (
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"pifetch/fetchers"
	"pifetch/fetchers/artifact"
	"pifetch/fetchers/github/api"
	"pifetch/internal/weburl"
	"pifetch/test/fakegithub"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// mode is whether a test fetches with the fake's token.
type mode string

const (
	withToken mode = "token"
	anonymous mode = "anonymous"
	both      mode = "both" // the folder of a document that is the same in both
)

// newFetcher is a fetcher that knows no GitHub but the fake.
func newFetcher(t *testing.T, f *fakegithub.Fake) *Fetcher {
	t.Helper()
	client := api.New(api.Config{
		Endpoints: f.Endpoints, UserAgent: "pifetch-test", AgentDir: t.TempDir(),
		Env: []string{"PATH=/nonexistent"}, // no gh
		Log: slog.New(slog.DiscardHandler),
	})
	return New(Config{API: client})
}

// request is that of a client with the token, or of one without.
func request(f *fakegithub.Fake, m mode) fetchers.Request {
	if m == anonymous {
		return fetchers.Request{Env: fetchers.Env{}}
	}
	return fetchers.Request{Env: fetchers.Env{"GH_TOKEN": f.Token}}
}

// fetched is what became of one URL. Without document and failure it cascades.
type fetched struct {
	Document *fetchers.Document
	Failure  *fetchers.Failure
}

// body is the content of a body of the document.
func (f fetched) body(t *testing.T, name string) string {
	t.Helper()
	if f.Document == nil {
		t.Fatalf("no document: %+v", f.Failure)
	}
	for _, b := range f.Document.Bodies {
		if b.Name == name {
			data, err := os.ReadFile(b.Path)
			if err != nil {
				t.Fatal(err)
			}
			return string(data)
		}
	}
	t.Fatalf("no body %s in %v", name, f.Document.Bodies)
	return ""
}

// sink keeps what is reported.
type sink struct {
	mu  sync.Mutex
	got map[string]*fetched
}

func (s *sink) of(t fetchers.Task) *fetched {
	if s.got[t.URL.Asked] == nil {
		s.got[t.URL.Asked] = &fetched{}
	}
	return s.got[t.URL.Asked]
}

func (s *sink) Deliver(t fetchers.Task, d fetchers.Document) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.of(t).Document = &d
}

func (s *sink) Fail(t fetchers.Task, f fetchers.Failure) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.of(t).Failure = &f
}

func (s *sink) Stage(fetchers.Task, fetchers.Stage) {}
func (s *sink) Warn(string)                         {}

// fetchAll fetches URLs in one request. Those that are not claimed, or of
// which nothing is reported, have an empty answer.
func fetchAll(t *testing.T, fetcher *Fetcher, req fetchers.Request, urls ...string) map[string]fetched {
	t.Helper()
	request, err := artifact.New(artifact.Config{}).NewRequest(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	var tasks []fetchers.Task
	out := map[string]fetched{}
	for _, raw := range urls {
		parsed, _ := weburl.Parse(raw)
		u := fetchers.URL{Asked: weburl.Redact(raw), Parsed: parsed}
		out[raw] = fetched{}
		if fetcher.Claims(req, u) {
			tasks = append(tasks, fetchers.Task{URL: u, Folder: request.Folder(u)})
		}
	}
	s := &sink{got: map[string]*fetched{}}
	if err := fetcher.Fetch(t.Context(), req, tasks, s); err != nil {
		t.Fatal(err)
	}
	for raw := range out {
		if got := s.got[weburl.Redact(raw)]; got != nil {
			out[raw] = *got
		}
	}
	return out
}

// fetch fetches one URL with a fetcher of its own, which remembers nothing.
func fetch(t *testing.T, f *fakegithub.Fake, m mode, url string) fetched {
	t.Helper()
	return fetchAll(t, newFetcher(t, f), request(f, m), url)[url]
}

// golden fetches url with the token and without, and compares what becomes of
// it with testdata/golden/NAME/{token,anonymous,both}: document.txt, which
// shows the document and the calls it took, and the bodies in files/. -update
// rewrites them.
func golden(t *testing.T, f *fakegithub.Fake, name, url string) {
	t.Helper()
	got := map[mode]map[string]string{}
	for _, m := range []mode{withToken, anonymous} {
		f.ResetCalls()
		got[m] = tree(t, url, fetch(t, f, m, url), f.Calls())
	}
	dir := filepath.Join("testdata", "golden", filepath.FromSlash(name))
	if *update {
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		if maps.Equal(got[withToken], got[anonymous]) {
			writeTree(t, filepath.Join(dir, string(both)), got[anonymous])
			return
		}
		for m, files := range got {
			writeTree(t, filepath.Join(dir, string(m)), files)
		}
		return
	}
	for m, files := range got {
		t.Run(name+"/"+string(m), func(t *testing.T) {
			compareTree(t, readTree(t, dir, m), files)
		})
	}
}

// tree is a document as files.
func tree(t *testing.T, url string, got fetched, calls []fakegithub.Call) map[string]string {
	t.Helper()
	var b strings.Builder
	files := map[string]string{}
	fmt.Fprintf(&b, "%s\n\n", url)
	switch {
	case got.Failure != nil:
		fmt.Fprintf(&b, "failed: %s\n", got.Failure.Reason)
		if got.Failure.Final {
			b.WriteString("final\n")
		}
	case got.Document == nil:
		b.WriteString("cascades\n")
	default:
		d := got.Document
		fmt.Fprintf(&b, "kind: %s\ntitle: %s\nlink: %s\nvia: %s\nfacts:\n", d.Kind, d.Title, d.Link, d.Via)
		for _, fact := range d.Facts {
			fmt.Fprintf(&b, "- %s\n", fact)
		}
		fmt.Fprintf(&b, "excerpt:\n")
		for line := range strings.Lines(d.Excerpt) {
			fmt.Fprintf(&b, "| %s\n", strings.TrimSuffix(line, "\n"))
		}
		b.WriteString("bodies:\n")
		for _, body := range d.Bodies {
			fmt.Fprintf(&b, "- %s, %d lines, %d bytes\n", body.Name, body.Lines, body.Bytes)
			files["files/"+body.Name] = got.body(t, body.Name)
		}
	}
	b.WriteString("calls:\n")
	var lines []string
	for _, c := range calls {
		lines = append(lines, callText(c))
	}
	slices.Sort(lines)
	for _, line := range lines {
		fmt.Fprintf(&b, "- %s\n", line)
	}
	files["document.txt"] = b.String()
	return files
}

func callText(c fakegithub.Call) string {
	if c.GraphQL != "" {
		return fmt.Sprintf("graphql, %d points", c.Cost.Points)
	}
	s := fmt.Sprintf("%s %s", c.Host, c.Path)
	if c.Query != "" && c.Host != fakegithub.Storage {
		s += "?" + c.Query
	}
	return fmt.Sprintf("%s → %d", s, c.Status)
}

func writeTree(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// readTree reads a golden folder.
func readTree(t *testing.T, dir string, m mode) map[string]string {
	t.Helper()
	root := filepath.Join(dir, string(both))
	if _, err := os.Stat(root); err != nil {
		root = filepath.Join(dir, string(m))
	}
	files := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(root, path)
		files[filepath.ToSlash(name)] = string(data)
		return err
	})
	if err != nil {
		t.Fatalf("%v (go test -run %s -update writes it)", err, t.Name())
	}
	return files
}

func compareTree(t *testing.T, want, got map[string]string) {
	t.Helper()
	names := slices.Sorted(maps.Keys(want))
	for name := range got {
		if _, ok := want[name]; !ok {
			names = append(names, name)
		}
	}
	for _, name := range names {
		w, inWant := want[name]
		g, inGot := got[name]
		switch {
		case !inGot:
			t.Errorf("%s is missing", name)
		case !inWant:
			t.Errorf("%s is new:\n%s", name, g)
		case w != g:
			t.Errorf("%s differs from line %d on; got:\n%s", name, firstDifference(w, g), g)
		}
	}
}

func firstDifference(a, b string) int {
	al, bl := bytes.SplitAfter([]byte(a), []byte("\n")), bytes.SplitAfter([]byte(b), []byte("\n"))
	for i := range min(len(al), len(bl)) {
		if !bytes.Equal(al[i], bl[i]) {
			return i + 1
		}
	}
	return min(len(al), len(bl)) + 1
}

// What is no document of GitHub's is not claimed, and asks nobody.
func TestUnclaimed(t *testing.T) {
	f := fakegithub.New(t)
	golden(t, f, "unclaimed", "https://github.com/settings/profile")
}
