package main

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pifetch/daemon/wire"
	"pifetch/fetchers"
)

func TestReadURLs(t *testing.T) {
	for _, tt := range []struct {
		name string
		in   string
		args []string
		want []string
	}{
		{name: "arguments", args: []string{"https://a.example/", "b"}, want: []string{"https://a.example/", "b"}},
		{
			name: "standard input", args: []string{"-"},
			in:   "# a list\nhttps://a.example/\r\n\n  https://b.example/#part  \n",
			want: []string{"https://a.example/", "https://b.example/#part"},
		},
		{
			name: "both, in order", args: []string{"https://1.example/", "-", "https://3.example/"},
			in: "https://2.example/", want: []string{"https://1.example/", "https://2.example/", "https://3.example/"},
		},
		{
			name: "the same page once", args: []string{"https://a.example", "HTTPS://A.example:443/", "https://a.example/#x"},
			want: []string{"https://a.example", "https://a.example/#x"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := readURLs(strings.NewReader(tt.in), tt.args)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}

	t.Run("nothing", func(t *testing.T) {
		_, err := readURLs(strings.NewReader("# none\n"), []string{"-"})
		if _, ok := errors.AsType[usageError](err); !ok {
			t.Errorf("err = %v, want a usage error", err)
		}
	})
}

func TestJoinDigests(t *testing.T) {
	const (
		two = `1. First
   https://a.example/1
   bodies (in /tmp/pi-fetch/x/a/):
   - content.md (3 lines, 60B)
   excerpt: 1. a list item

2. Second
   https://a.example/2

Failed:
- https://a.example/3
  local: 404 Not Found
`
		one    = "1. Third\n   https://b.example/1\n"
		failed = "Failed:\n- https://c.example/1\n  local: page load timed out after 15s\n"
	)
	for _, tt := range []struct {
		name    string
		digests []string
		want    string
	}{
		{"numbers go on", []string{two, one}, `1. First
   https://a.example/1
   bodies (in /tmp/pi-fetch/x/a/):
   - content.md (3 lines, 60B)
   excerpt: 1. a list item

2. Second
   https://a.example/2

3. Third
   https://b.example/1

Failed:
- https://a.example/3
  local: 404 Not Found`},
		{"one list of failures", []string{failed, one, failed}, `1. Third
   https://b.example/1

Failed:
- https://c.example/1
  local: page load timed out after 15s
- https://c.example/1
  local: page load timed out after 15s`},
		{"only documents", []string{one, one}, "1. Third\n   https://b.example/1\n\n2. Third\n   https://b.example/1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, joinDigests(tt.digests)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFailAll(t *testing.T) {
	res := failAll([]string{"https://user:secret@a.example/", "https://b.example/\x1b[2J"}, errors.New("pifetchd\nended"))
	if got, want := res.Digest, "Failed:\n- https://a.example/\n  pifetchd ended\n- https://b.example/\n  pifetchd ended\n"; got != want {
		t.Errorf("digest = %q, want %q", got, want)
	}
	if err := failures(res.Outcomes); err != errAllFailed {
		t.Errorf("failures = %v, want %v", err, errAllFailed)
	}
	var printed strings.Builder
	if err := printJSON(&printed, res); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(printed.String(), "null") {
		t.Errorf("a list that is null: %s", printed.String())
	}
}

func TestJoin(t *testing.T) {
	part := func(digest, root string, warnings ...string) *wire.FetchResult {
		return &wire.FetchResult{
			Event: wire.Event{ID: "1", Event: wire.EventResult, Op: wire.OpFetch}, Digest: digest,
			Result: fetchers.Result{ArtifactRoot: root, Outcomes: []fetchers.Outcome{{URL: digest}}, Warnings: warnings},
		}
	}
	got := join([]*wire.FetchResult{part("1. a", "/r", "w"), part("1. b", "/r", "w", "v")})
	want := part("1. a\n\n2. b", "/r", "w", "v")
	want.Outcomes = []fetchers.Outcome{{URL: "1. a"}, {URL: "1. b"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}

	lost := failAll([]string{"https://a.example/"}, errors.New("gone"))
	if root := join([]*wire.FetchResult{lost, part("1. b", "/r")}).ArtifactRoot; root != "/r" {
		t.Errorf("artifactRoot = %q, want that of the part which was not lost", root)
	}
}
