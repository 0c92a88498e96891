package delivery

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"pifetch/fetchers"
	"pifetch/internal/termtext"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const root = "/tmp/pi-fetch/2026-07-06T12-57-08-183Z"

func delivered(d fetchers.Document) fetchers.Outcome {
	return fetchers.Outcome{URL: d.URL, Document: &d}
}

func failed(url string, attempts ...fetchers.Attempt) fetchers.Outcome {
	return fetchers.Outcome{URL: url, Attempts: attempts}
}

var pull = fetchers.Document{
	Kind:    "github.pull_request",
	Source:  "github",
	URL:     "https://github.com/octokit/rest.js/pull/607",
	Title:   "octokit/rest.js#607: build(deps): Bump http-proxy-middleware…",
	Facts:   []string{"closed merged", "by dependabot[bot]", "+327 -497", "1 file", "0 issue comments", "1 review"},
	Excerpt: "Bumps http-proxy-middleware to 3.0.7 and updates ancestor dependency…",
	Via:     "api",
	Bodies: []fetchers.Body{
		{
			Name: "conversation.md", Path: root + "/github-com-octokit-rest-js-pull-607/conversation.md", Lines: 260, Bytes: 26522,
			Outline: []fetchers.Heading{{Line: 1, Level: 2, Text: "Description"}, {Line: 31, Level: 2, Text: "Reviews"}, {Line: 88, Level: 2, Text: "Comments"}, {Line: 240, Level: 2, Text: "Changed files"}},
		},
		{Name: "diff.patch", Path: root + "/github-com-octokit-rest-js-pull-607/diff.patch", Lines: 1273, Bytes: 47104},
	},
}

// page is a document of one markdown body with many headings.
func page(n, headings, excerpt int) fetchers.Document {
	d := fetchers.Document{
		URL:     fmt.Sprintf("https://docs.example/guide/%03d", n),
		Title:   fmt.Sprintf("Guide %03d", n),
		Excerpt: strings.Repeat("All work and no play. ", excerpt/22+1)[:excerpt],
		Bodies: []fetchers.Body{{
			Name: "content.md", Path: fmt.Sprintf("%s/docs-example-guide-%03d/content.md", root, n),
			Lines: 10*headings + 10, Bytes: int64(400 * headings),
		}},
	}
	for i := range headings {
		h := fetchers.Heading{Line: 10*i + 1, Level: 3, Text: fmt.Sprintf("Detail %d", i)}
		switch {
		case i == 0:
			h = fetchers.Heading{Line: 1, Level: 1, Text: d.Title}
		case i%10 == 0:
			h.Level, h.Text = 2, fmt.Sprintf("Chapter %d", i/10)
		}
		d.Bodies[0].Outline = append(d.Bodies[0].Outline, h)
	}
	return d
}

func pages(n, headings, excerpt int) fetchers.Result {
	var r fetchers.Result
	for i := range n {
		r.Outcomes = append(r.Outcomes, delivered(page(i+1, headings, excerpt)))
	}
	return r
}

var goldens = map[string]fetchers.Result{
	"example": {Outcomes: []fetchers.Outcome{
		failed("https://intranet.example/wiki/Home", fetchers.Attempt{
			Source: "local",
			Reason: "login needed (redirected to sso.example/login) — run: pifetchctl open-browser 'https://intranet.example/wiki/Home'",
		}),
		delivered(pull),
	}},
	"failed": {Outcomes: []fetchers.Outcome{
		failed("https://github.com/o/private", fetchers.Attempt{Source: "github", Reason: "404 Not Found"}, fetchers.Attempt{Source: "local", Reason: "page load timed out after 15s"}),
		{URL: "ftp://example.com/", Reason: `unsupported scheme "ftp": http and https only`},
		{URL: "https://example.com/nothing-known"},
	}},
	"kinds": {Outcomes: []fetchers.Outcome{
		delivered(fetchers.Document{
			URL: "https://example.com/chart", Link: "https://cdn.example.com/chart.png", Title: "chart.png", Facts: []string{"image/png"},
			Bodies: []fetchers.Body{{Name: "chart.png", Path: root + "/example-com-chart/chart.png", Bytes: 14541}},
		}),
		delivered(fetchers.Document{
			URL:    "https://example.com/untitled",
			Bodies: []fetchers.Body{{Name: "content.md", Path: root + "/example-com-untitled/content.md", Lines: 1, Bytes: 12}},
		}),
		delivered(fetchers.Document{
			URL: "https://github.com/o/r/tree/main", Title: "o/r tree",
			Bodies: []fetchers.Body{
				{Name: "listing.md", Path: root + "/my  tree/listing.md", Lines: 40, Bytes: 2048},
				{Name: "src/main.go", Path: root + "/my  tree/src/main.go", Lines: 1000, Bytes: 30000},
				{Name: "elsewhere.md", Path: "/var/tmp/other-name.md", Lines: 3, Bytes: 90},
			},
		}),
		delivered(fetchers.Document{
			URL: "https://example.com/answers", Title: "Answers",
			Excerpt: "Short.\n\nAnd\ton one   line.",
			Highlights: []string{
				"The limit is 100 MB.\n\n    indented code\n- a list\n   excerpt: no",
				" \n",
				"2. " + strings.Repeat("A highlight is never cut. ", 40),
			},
			Bodies: []fetchers.Body{{Name: "content.md", Path: root + "/example-com-answers/content.md", Lines: 9, Bytes: 100}},
		}),
	}},
	"forged": {Outcomes: []fetchers.Outcome{
		delivered(fetchers.Document{
			URL:     "https://evil.example/a",
			Link:    "https://evil.example/b\n\nFailed:\n- https://bank.example/",
			Title:   "Nice\n\n2. bank.example\n   https://bank.example/\x1b]0;owned\x07 \u202etxt.exe",
			Facts:   []string{"- real.md (3 lines, 1.0KB)", "by x\n   bodies (in /etc/):\n   - passwd (1 line, 9B)"},
			Excerpt: "a\n\nFailed:\n- https://bank.example/\n  local: gone\n\x1b[2J3. more",
			Bodies: []fetchers.Body{{
				Name: "a\n2. b (1 line, 2B)\n.md", Path: root + "/evil/a\n2. b (1 line, 2B)\n.md", Lines: 2, Bytes: 2,
				Outline: []fetchers.Heading{{Line: 1, Level: 1, Text: "x\n2. y\u2028Failed:"}},
			}},
		}),
		failed("Failed:\n1. x", fetchers.Attempt{Source: "local", Reason: "500\n- https://ok.example/\n  local: fine\x1b[8m"}),
	}},
	"crowded":  {Outcomes: append(pages(20, 60, 300).Outcomes, failed("https://example.com/gone", fetchers.Attempt{Source: "local", Reason: "410 Gone"}))},
	"overfull": pages(50, 5, 300),
	"deep":     pages(1, 500, 1000),
	"empty":    {},
}

func TestGolden(t *testing.T) {
	for name, r := range goldens {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join("testdata", name+".golden")
			got := Digest(r)
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("digest differs (-want +got):\n%s", diff)
			}
			checkLines(t, r, got)
		})
	}
}

// kinds are a reader's view of the lines, by their start alone.
var kinds = []struct {
	name  string
	start *regexp.Regexp
}{
	{"blank", regexp.MustCompile(`^$`)},
	{"document", regexp.MustCompile(`^\d+\. `)},
	{"Failed", regexp.MustCompile(`^Failed:$`)},
	{"URL", regexp.MustCompile(`^- `)},
	{"folder", regexp.MustCompile(`^   bodies \(in `)},
	{"file", regexp.MustCompile(`^   - `)},
	{"outline", regexp.MustCompile(`^   outline: `)},
	{"excerpt", regexp.MustCompile(`^   excerpt: `)},
	{"highlight", regexp.MustCompile(`^   highlight:$`)},
	{"quote", regexp.MustCompile(`^   >( |$)`)},
	{"link", regexp.MustCompile(`^   https?://`)},
	{"facts", regexp.MustCompile(`^   \S`)},
	{"trail", regexp.MustCompile(`^  \S`)},
}

func kindOf(line string) string {
	for _, k := range kinds {
		if k.start.MatchString(line) {
			return k.name
		}
	}
	return "stray"
}

// checkLines holds the digest of r, whose documents have http links and files
// in one folder, against the lines it must consist of. Outlines and excerpts
// may be missing.
func checkLines(t *testing.T, r fetchers.Result, digest string) {
	t.Helper()
	var want []string
	n := 0
	for _, o := range r.Outcomes {
		d := o.Document
		if d == nil {
			continue
		}
		if n++; n > 1 {
			want = append(want, "blank")
		}
		want = append(want, "document")
		if joinFacts(d.Facts) != "" {
			want = append(want, "facts")
		}
		want = append(want, "link")
		folder := ""
		for _, b := range d.Bodies {
			if dir, _ := split(b); dir != folder {
				folder = dir
				want = append(want, "folder")
			}
			want = append(want, "file")
		}
		for _, h := range d.Highlights {
			h = strings.Trim(termtext.Text(h), "\n")
			if strings.TrimSpace(h) != "" {
				want = append(want, "highlight")
				want = append(want, slices.Repeat([]string{"quote"}, 1+strings.Count(h, "\n"))...)
			}
		}
	}
	if n < len(r.Outcomes) {
		if n > 0 {
			want = append(want, "blank")
		}
		want = append(want, "Failed")
		want = append(want, slices.Repeat([]string{"URL", "trail"}, len(r.Outcomes)-n)...)
	}

	var got []string
	for line := range strings.Lines(digest) {
		if k := kindOf(strings.TrimSuffix(line, "\n")); k != "outline" && k != "excerpt" {
			got = append(got, k)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("lines differ (-want +got):\n%s\n%s", diff, digest)
	}
	for _, c := range digest {
		if c != '\n' && c != '\t' && unicode.IsControl(c) {
			t.Errorf("digest holds %U", c)
		}
	}
	if !utf8.ValidString(digest) {
		t.Error("digest is not valid UTF-8")
	}
}

func FuzzDigest(f *testing.F) {
	f.Add("Title", "fact", "content.md", "Heading", "excerpt", "highlight", "reason", "https://x.example/", 3)
	f.Add("a\n2. b", "- x (1 line, 2B)", "a\nb", "x\u2028Failed:", "Failed:", "2. x\n   excerpt: y\n\n\n1. ", "a\n- b", "Failed:\n", 60)
	f.Add("\x1b]0;x", "https://x/", "../x", "\u202e", "\xff", "\r\r", "", "", 1)
	f.Add("", "", "", "", "", "", " → ", " ", 0)
	f.Fuzz(func(t *testing.T, title, fact, name, heading, excerpt, highlight, reason, url string, n int) {
		n = max(1, min(n, 40))
		if len(title)+len(fact)+len(name)+len(heading)+len(excerpt)+len(highlight)+len(reason)+len(url) > 4<<10 {
			t.Skip("too long to be worth the time")
		}
		var r fetchers.Result
		for i := range n {
			d := fetchers.Document{
				URL: "https://x.example/" + url, Title: title, Facts: []string{fact}, Excerpt: excerpt, Highlights: []string{highlight},
				Bodies: []fetchers.Body{{Name: name, Path: "/tmp/r/" + name, Lines: i, Bytes: int64(i)}},
			}
			for j := range i {
				d.Bodies[0].Outline = append(d.Bodies[0].Outline, fetchers.Heading{Line: j, Level: j % 7, Text: heading})
			}
			r.Outcomes = append(r.Outcomes, delivered(d), failed(url, fetchers.Attempt{Source: "local", Reason: reason}))
		}
		got := Digest(r)
		checkLines(t, r, got)
		checkSize(t, r, got)
	})
}

// checkSize holds the digest of r to 16 KB where what cannot be cut allows it.
func checkSize(t *testing.T, r fetchers.Result, digest string) {
	t.Helper()
	if len(digest) <= targetBytes {
		return
	}
	var bare fetchers.Result
	for _, o := range r.Outcomes {
		if o.Document != nil {
			d := *o.Document
			d.Excerpt = ""
			d.Bodies = slices.Clone(d.Bodies)
			for i := range d.Bodies {
				d.Bodies[i].Outline = nil
			}
			o.Document = &d
		}
		bare.Outcomes = append(bare.Outcomes, o)
	}
	if least := Digest(bare); len(least) <= targetBytes {
		t.Errorf("digest of %d bytes could do with %d", len(digest), len(least))
	} else if digest != least {
		t.Errorf("digest of %d bytes holds more than what cannot be cut", len(digest))
	}
}

// lines are the lines of digest that start with mark, in order.
func lines(digest, mark string) []string {
	var found []string
	for line := range strings.Lines(digest) {
		if strings.HasPrefix(line, indent+mark) {
			found = append(found, strings.TrimSuffix(line, "\n"))
		}
	}
	return found
}

func TestShrinksEqually(t *testing.T) {
	tests := []struct {
		name               string
		documents          int
		outlines, excerpts bool // still there
		excerptsCut        bool
	}{
		{"all fits", 4, true, true, false},
		{"outlines shrink", 20, true, true, false},
		{"outlines go", 34, false, true, false},
		{"excerpts shrink", 45, false, true, true},
		{"nothing helps", 120, false, false, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := pages(tt.documents, 60, 300)
			got := Digest(r)
			checkSize(t, r, got)
			outlines, excerpts := lines(got, "outline: "), lines(got, "excerpt: ")
			if (len(outlines) > 0) != tt.outlines || (len(excerpts) > 0) != tt.excerpts {
				t.Fatalf("%d outlines, %d excerpts:\n%s", len(outlines), len(excerpts), got)
			}
			for _, part := range [][]string{outlines, excerpts} {
				if len(part) == 0 {
					continue
				}
				if len(part) != tt.documents {
					t.Errorf("%d of %d documents have theirs", len(part), tt.documents)
				}
				for _, l := range part {
					if len(l) != len(part[0]) {
						t.Errorf("lengths differ by position:\n%s\n%s", part[0], l)
					}
				}
			}
			if tt.excerpts {
				if cut := utf8.RuneCountInString(excerpts[0]) < len(indent+"excerpt: ")+300; cut != tt.excerptsCut {
					t.Errorf("excerpt cut = %v, want %v", cut, tt.excerptsCut)
				}
			}
		})
	}
}

func TestOrderDoesNotMatter(t *testing.T) {
	var r fetchers.Result
	for i := range 30 {
		r.Outcomes = append(r.Outcomes, delivered(page(i, 7*i, 20*i)))
	}
	number := regexp.MustCompile(`(?m)^\d+\. `)
	documents := func() []string {
		d := strings.Split(strings.TrimSpace(number.ReplaceAllString(Digest(r), "")), "\n\n")
		slices.Sort(d)
		return d
	}
	want := documents()
	slices.Reverse(r.Outcomes)
	if diff := cmp.Diff(want, documents()); diff != "" {
		t.Errorf("documents differ when reversed (-first +reversed):\n%s", diff)
	}
}

func TestSmallOutlinesStayWhole(t *testing.T) {
	r := pages(20, 60, 300)
	r.Outcomes = append(r.Outcomes, delivered(pull))
	got := lines(Digest(r), "outline: ")
	if want := "   outline: conversation.md L1 Description · L31 Reviews · L88 Comments · L240 Changed files"; got[20] != want {
		t.Errorf("got %q", got[20])
	}
	if !strings.HasSuffix(got[0], " more") {
		t.Errorf("the long outline is not shortened: %q", got[0])
	}
}

func TestShrinkingUsesTheSpace(t *testing.T) {
	for _, n := range []int{20, 45} {
		if got := len(Digest(pages(n, 60, 300))); got < targetBytes-1024 {
			t.Errorf("%d documents: %d bytes leave more room than needed", n, got)
		}
	}
}

func TestNeverCut(t *testing.T) {
	long := strings.Repeat("x", 5000)
	url := "https://x.example/" + long
	r := fetchers.Result{Outcomes: []fetchers.Outcome{
		delivered(fetchers.Document{
			URL: url, Title: "T", Highlights: []string{long + "\n" + long},
			Bodies: []fetchers.Body{{Name: "b", Path: "/tmp/" + long + "/b", Bytes: 1}},
		}),
		failed(url, fetchers.Attempt{Source: "local", Reason: long}),
	}}
	got := Digest(r)
	for _, want := range []string{
		"   " + url + "\n",
		"   bodies (in /tmp/" + long + "/):\n",
		"   > " + long + "\n   > " + long + "\n",
		"- " + url + "\n  local: " + long + "\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("digest lacks %.30q… in full", want)
		}
	}
}

func TestExcerptCap(t *testing.T) {
	d := page(1, 0, 0)
	d.Excerpt = strings.Repeat("ü", 400)
	got := lines(Digest(fetchers.Result{Outcomes: []fetchers.Outcome{delivered(d)}}), "excerpt: ")
	want := []string{indent + "excerpt: " + strings.Repeat("ü", 299) + "…"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("excerpt (-want +got):\n%s", diff)
	}
}

func TestOutlineDropsDeepLevelsFirst(t *testing.T) {
	o := newOutline(page(1, 60, 0).Bodies)
	tests := []struct {
		limit int
		want  string
	}{
		{0, ""},
		{30, ""},
		{60, "   outline: content.md L1 Guide 001 · … 59 more\n"},
		{100, "   outline: content.md L1 Guide 001 · L101 Chapter 1 · L501 Chapter 5 · … 57 more\n"},
		{
			200,
			"   outline: content.md L1 Guide 001 · L11 Detail 1 · L101 Chapter 1 · L181 Detail 18 · L201 Chapter 2 · L301 Chapter 3 · L361 Detail 36 · L401 Chapter 4 · L501 Chapter 5 · … 51 more\n",
		},
	}
	for _, tt := range tests {
		got := o.render(tt.limit)
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("limit %d (-want +got):\n%s", tt.limit, diff)
		}
		if len(got) > tt.limit {
			t.Errorf("limit %d: %d bytes", tt.limit, len(got))
		}
	}
	if got := o.render(1 << 20); strings.Count(got, " · ") != 59 || strings.Contains(got, "more") {
		t.Errorf("all 60 headings fit, got %s", got)
	}
}

func TestOutlineOverBodies(t *testing.T) {
	a, b := page(1, 11, 0).Bodies[0], page(2, 11, 0).Bodies[0]
	b.Name, b.Path = "notes.md", "/tmp/x/notes.md"
	o := newOutline([]fetchers.Body{a, {Name: "diff.patch", Path: "/tmp/x/diff.patch"}, b})
	want := "   outline: content.md L1 Guide 001 · L101 Chapter 1 · … 9 more\n" +
		"   outline: notes.md L1 Guide 002 · L101 Chapter 1 · … 9 more\n"
	if diff := cmp.Diff(want, o.render(len(want))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestSpread(t *testing.T) {
	for _, n := range []int{0, 1, 2, 5, 8, 100} {
		order := spread(n)
		for k := 1; k <= n; k++ {
			taken := slices.Sorted(slices.Values(order[:k]))
			gap := 0
			for i, at := range taken {
				if i > 0 {
					gap = max(gap, at-taken[i-1])
				}
			}
			if gap = max(gap, n-1-taken[k-1]); k > 1 && gap > 4*n/k+1 {
				t.Errorf("the first %d of %d leave a gap of %d: %v", k, n, gap, taken)
			}
		}
		slices.Sort(order)
		if len(order) != n || n > 0 && (order[0] != 0 || order[n-1] != n-1) || len(slices.Compact(order)) != n {
			t.Errorf("spread(%d) is no permutation: %v", n, order)
		}
	}
}

func BenchmarkDigestCrowded(b *testing.B) {
	r := pages(50, 500, 4000)
	for b.Loop() {
		Digest(r)
	}
}
