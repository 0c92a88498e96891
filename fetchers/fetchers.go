// Package fetchers is the contract between the sources of documents and
// everything after them: what a fetcher is given, what it reports, and what a
// document is. No type here has room for content: bodies are files, and only
// their names, sizes and outlines cross a package boundary.
package fetchers

import (
	"context"
	"io"
	"log/slog"
	"net/url"
	"os"
	"strings"
)

// Fetcher is one source of documents. The router offers it every URL that is
// still without a document.
type Fetcher interface {
	// Source is the fetcher's name in attempts and documents: "github", "local".
	Source() string

	// Claims reports whether the fetcher wants u. It decides on the URL and
	// the request's environment alone, at once and without any input or
	// output; a source that is not available (no key) claims nothing.
	Claims(req Request, u URL) bool

	// Fetch resolves the claimed tasks and reports each of them to sink, once,
	// as soon as it is done. A task it reports nothing about cascades as if
	// it had not been claimed. An error costs every unreported task one failed
	// attempt. When Fetch has returned, nothing of it runs any more and it
	// writes to no folder. Fetch returns soon after ctx ends.
	Fetch(ctx context.Context, req Request, tasks []Task, sink Sink) error
}

// Request is what all URLs of one fetch request have in common.
type Request struct {
	Client    string // name and version of the client, from its hello
	Objective string // what the caller wants to know; most fetchers ignore it
	Session   string // who asks; the key of the tab queue's fairness
	Env       Env    // the client's own secrets, for this request only
	Tree      bool   // materialise repository subtrees

	// Display holds the caller's display variables (DISPLAY, WAYLAND_DISPLAY,
	// XAUTHORITY, …), for a browser that has to be shown.
	Display map[string]string
}

// OpenBrowser is the command by which the caller's user logs in to url in the
// login window. A shell client gets the URL quoted for the shell.
func (r Request) OpenBrowser(url string) string {
	if name, _, _ := strings.Cut(r.Client, "/"); name == "pi" {
		return "/open-browser " + url
	}
	return "pifetchctl open-browser '" + strings.ReplaceAll(url, "'", "%27") + "'"
}

// Env holds the variables a client sends along for one request. They are never
// logged, stored, or used for another request.
type Env map[string]string

// LogValue hides the values.
func (e Env) LogValue() slog.Value {
	keys := make([]string, 0, len(e))
	for k := range e {
		keys = append(keys, k)
	}
	return slog.AnyValue(keys)
}

// URL is one requested URL.
type URL struct {
	// Asked is the URL as the caller wrote it, without its userinfo.
	Asked string

	// Parsed is the URL by the WHATWG rules, fragment and userinfo included.
	// It is nil when Asked is no absolute URL, as in git@github.com:o/r.git.
	Parsed *url.URL
}

// String is the URL as it may be shown and logged.
func (u URL) String() string { return u.Asked }

// Task is one claimed URL and the folder its bodies go to.
type Task struct {
	URL    URL
	Folder Folder
}

// Folder is the folder of one document. It comes into being with the first
// write, every file in it appears under its name only when it is complete, and
// the router removes it when the document fails. Methods may be called
// concurrently.
type Folder interface {
	// Path makes the folder and returns its absolute path. Files another
	// program writes into it must be named PartPrefix + anything until Adopt.
	Path() (string, error)

	// Write stores everything r yields under a safe form of name. It fails
	// with an error wrapping ErrTooLarge, and leaves nothing, when r yields
	// more than the cap of one body.
	Write(name string, r io.Reader) (Body, error)

	// Adopt gives a finished part file a safe form of name.
	Adopt(part, name string) (Body, error)

	// Open reads back a body written before.
	Open(name string) (io.ReadCloser, error)

	// Remove deletes one body of this folder.
	Remove(name string) error

	// Tree makes a folder of files, which is no body, beside the bodies and
	// returns its absolute path. fill gets it empty and under a temporary
	// name. When fill returns nil the folder gets a safe form of name; else
	// it is removed, and Tree returns the error as it is.
	Tree(name string, fill func(*os.Root) error) (path string, err error)
}

// PartPrefix starts the name of every file that is not complete yet.
const PartPrefix = ".part-"

// Sink takes a fetcher's reports. Its methods may be called concurrently and
// never block for long. A second report about a task is ignored.
type Sink interface {
	// Deliver reports the document of t. Source and URL are stamped by the router.
	Deliver(t Task, d Document)
	// Fail reports that t has no document here.
	Fail(t Task, f Failure)
	// Stage reports progress.
	Stage(t Task, s Stage)
	// Warn reports something about the source, not about a document. It
	// reaches the structured result only.
	Warn(text string)
}

// Failure is why a URL has no document from one fetcher.
type Failure struct {
	Reason string // one line a person can act on: "404 Not Found"
	Final  bool   // no later fetcher may try
}

// StageName is a step on the way of one URL.
type StageName string

// The stages, in the order in which a URL can pass them.
const (
	StageQueued      StageName = "queued"
	StageStarted     StageName = "started"
	StageNavigating  StageName = "navigating"
	StageSettling    StageName = "settling"
	StageDownloading StageName = "downloading"
	StageExtracting  StageName = "extracting"
	StageWritten     StageName = "written"
)

// Stage is progress on one URL.
type Stage struct {
	Name       StageName `json:"stage"`
	BudgetSecs int       `json:"budgetSecs,omitzero"` // with started: the most this URL may take, a retry counted in
	Bytes      int64     `json:"bytes,omitzero"`      // with downloading: received so far
	Total      int64     `json:"total,omitzero"`      // with downloading: announced, 0 when unknown
}

// Document is what one URL became.
type Document struct {
	Kind       string   `json:"kind"`                 // "<source>.<shape>", as in "local.page"
	Source     string   `json:"source"`               // the fetcher's name
	URL        string   `json:"url"`                  // as asked
	Link       string   `json:"link,omitempty"`       // the canonical or final URL, when it differs
	Title      string   `json:"title"`                // one line
	Facts      []string `json:"facts,omitempty"`      // short, ready to print
	Excerpt    string   `json:"excerpt,omitempty"`    // the head of what matters, at most ExcerptBytes
	Highlights []string `json:"highlights,omitempty"` // answers steered by the objective
	Via        string   `json:"via,omitempty"`        // how it was obtained: "rendered", "static", "api", "markdown"
	Bodies     []Body   `json:"bodies"`
}

// ExcerptBytes is the most a fetcher authors as a document's excerpt.
const ExcerptBytes = 4096

// Body is one file of a document.
type Body struct {
	Name    string    `json:"name"`
	Path    string    `json:"path"`              // absolute
	Lines   int       `json:"lines"`             // 0 for binary
	Bytes   int64     `json:"bytes"`             //
	Outline []Heading `json:"outline,omitempty"` // of markdown
}

// Heading is one entry of a markdown body's outline.
type Heading struct {
	Line  int    `json:"line"`  // counted from 1
	Level int    `json:"level"` // 1 to 6
	Text  string `json:"text"`
}

// Attempt is one fetcher's failure for one URL.
type Attempt struct {
	Source string `json:"source"`
	Reason string `json:"reason"`
}

// Outcome is what became of one requested URL: a document, or the reasons why
// there is none.
type Outcome struct {
	URL      string    `json:"url"`
	Document *Document `json:"document,omitempty"`
	Attempts []Attempt `json:"attempts"`
	Reason   string    `json:"reason,omitempty"` // when nobody claimed the URL
}

// Result is what became of a whole request, in request order.
type Result struct {
	ArtifactRoot string    `json:"artifactRoot"`
	Outcomes     []Outcome `json:"outcomes"`
	Warnings     []string  `json:"warnings"`
}
