package github

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pifetch/fetchers"
	"pifetch/test/fakegithub"
)

// calls are the calls since the last reset, by host.
func callsTo(f *fakegithub.Fake) map[fakegithub.Host]int {
	n := make(map[fakegithub.Host]int)
	for _, c := range f.Calls() {
		n[c.Host]++
	}
	return n
}

func TestAnonymousFilesCostNoCallOfTheAPI(t *testing.T) {
	f := fakegithub.New(t)
	var urls []string
	for _, ref := range []string{"main", "feature/x", "v1.0.0", "pkg/v2.0.0-rc.1", "cafe123"} {
		for _, path := range []string{"README.md", "go.mod", "src/main.go", "docs/guide.md"} {
			urls = append(urls, "https://github.com/octo/hello/blob/"+ref+"/"+path)
		}
	}
	f.ResetCalls()
	for url, got := range fetchAll(t, newFetcher(t, f), request(f, anonymous), urls...) {
		if got.Document == nil {
			t.Errorf("%s: no document: %+v", url, got.Failure)
		}
	}
	got := callsTo(f)
	if len(urls) != 20 || got[fakegithub.API] != 0 || got[fakegithub.Raw] != len(urls) || got[fakegithub.Web] != 1 {
		t.Errorf("%d files took %v", len(urls), got)
	}
}

func TestFilesWithATokenCostTwoCalls(t *testing.T) {
	f := fakegithub.New(t)
	f.ResetCalls()
	fetch(t, f, withToken, "https://github.com/octo/hello/blob/pkg/v2.0.0-rc.1/docs/guide.md")
	if got := callsTo(f); got[fakegithub.API] != 2 || len(got) != 1 {
		t.Errorf("a file took %v, want one query and one call of the API", got)
	}
}

func TestFolderOfManyEntries(t *testing.T) {
	f := fakegithub.New(t)
	const url = "https://github.com/octo/many/tree/main/data"
	whole := fetch(t, f, withToken, url)
	if got := strings.Count(whole.body(t, "listing.md"), "| file |"); got != 1203 || !slices.Contains(whole.Document.Facts, "1,203 entries") {
		t.Errorf("with a token: %d entries, facts %q", got, whole.Document.Facts)
	}
	part := fetch(t, f, anonymous, url)
	listing := part.body(t, "listing.md")
	want := []string{"repo octo/many", "main@" + part.Document.Facts[1][len("main@"):], "path data", "1,000 entries", "incomplete: " + cutNote}
	if diff := cmp.Diff(want, part.Document.Facts); diff != "" {
		t.Errorf("facts without a token (-want +got):\n%s", diff)
	}
	if strings.Count(listing, "| file |") != 1000 || !strings.Contains(listing, "1,000 entries; "+cutNote) {
		t.Errorf("listing without a token:\n%.300s", listing)
	}
}

func TestArchives(t *testing.T) {
	f := fakegithub.New(t)
	for _, tt := range []struct {
		url  string
		mode mode
		name string
		at   string
	}{
		{"https://github.com/octo/hello/archive/refs/heads/main.zip", anonymous, "hello-main.zip", "main"},
		{"https://codeload.github.com/octo/hello/tar.gz/refs/tags/v1.0.0", anonymous, "hello-1.0.0.tar.gz", "v1.0.0"},
		{"https://github.com/octo/hello/tarball/feature/x", withToken, "hello-feature-x.tar.gz", "feature/x"},
		{"https://github.com/octo/secret/archive/main.tar.gz", withToken, "octo-secret-", "main"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := fetch(t, f, tt.mode, tt.url)
			if got.Document == nil {
				t.Fatalf("no document: %+v", got.Failure)
			}
			body := got.Document.Bodies[0]
			if !strings.HasPrefix(body.Name, tt.name) || body.Lines != 0 {
				t.Errorf("body %+v, want %s", body, tt.name)
			}
			if at, _, _ := strings.Cut(got.Document.Facts[1], "@"); at != tt.at || !strings.Contains(got.Document.Link, "/archive/") {
				t.Errorf("facts %q, link %s", got.Document.Facts, got.Document.Link)
			}
			if names := namesIn(t, body); !slices.ContainsFunc(names, func(n string) bool { return strings.HasSuffix(n, "/README.md") }) {
				t.Errorf("%s holds %v", body.Name, names)
			}
		})
	}
	if got := fetch(t, f, anonymous, "https://github.com/octo/secret/archive/main.tar.gz"); got.Failure == nil || !strings.HasPrefix(got.Failure.Reason, "404 Not Found: ") {
		t.Errorf("a private archive without a token: %+v", got)
	}
}

// namesIn are the names in an archive.
func namesIn(t *testing.T, body fetchers.Body) []string {
	t.Helper()
	var names []string
	if filepath.Ext(body.Name) == ".zip" {
		z, err := zip.OpenReader(body.Path)
		if err != nil {
			t.Fatal(err)
		}
		defer z.Close()
		for _, file := range z.File {
			names = append(names, file.Name)
		}
		return names
	}
	file, err := os.Open(body.Path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(unzipped); ; {
		h, err := r.Next()
		if err != nil {
			return names
		}
		names = append(names, h.Name)
	}
}

// Pages that have no public address are found in a clone.
func TestWikiPagesInAClone(t *testing.T) {
	f := fakegithub.New(t)
	for _, m := range []mode{withToken, anonymous} {
		got := fetch(t, f, m, "https://github.com/octo/hello/wiki/%C3%9Cn%C3%AFcode")
		if text := got.body(t, "Ünïcode.md"); text != "# Unicode\n" {
			t.Errorf("page %q", text)
		}
		if facts := got.Document.Facts; len(facts) != 3 || !strings.HasPrefix(facts[1], "commit ") || facts[2] != "4 pages" {
			t.Errorf("facts %q", facts)
		}
		const row = "| Getting-Started | Getting-Started.md | https://github.com/octo/hello/wiki/Getting-Started |\n"
		if listing := got.body(t, "listing.md"); !strings.Contains(listing, row) {
			t.Errorf("the listing lacks %q:\n%s", row, listing)
		}
		orToken := map[mode]string{withToken: ", or the token may not see it or is not valid"}[m]
		for url, want := range map[string]string{
			"https://github.com/octo/hello/wiki/Nowhere": "404 Not Found: the wiki of octo/hello has no page Nowhere",
			"https://github.com/linus/hello/wiki":        "wiki of linus/hello: git fetch: 404 Not Found: it does not exist, or is private" + orToken,
		} {
			if got := fetch(t, f, m, url); got.Failure == nil || got.Failure.Reason != want || got.Failure.Final {
				t.Errorf("%s: %+v, want %s", url, got.Failure, want)
			}
		}
	}
}

func TestWikiOfARenamedRepository(t *testing.T) {
	f := fakegithub.New(t)
	got := fetch(t, f, anonymous, "https://github.com/octo/old-hello/wiki/%C3%9Cn%C3%AFcode")
	if text := got.body(t, "Ünïcode.md"); text != "# Unicode\n" {
		t.Errorf("page %q", text)
	}
	if doc := got.Document; doc.Link != "https://github.com/octo/hello/wiki/%C3%9Cn%C3%AFcode" || !slices.Contains(doc.Facts, "the repository is now octo/hello") {
		t.Errorf("link %s, facts %q", doc.Link, doc.Facts)
	}
}
