package target

import (
	"fmt"
	"net/url"
	"os"
	"reflect"
	"strings"
	"testing"
)

// notation is a target on one line, as in testdata/urls.tsv:
//
//	kind owner/repo #number id=ID sub=SUB rest=PATH anchor q=QUERY
//
// with what is empty left out, and "-" alone for what is not claimed.
func notation(t Target, ok bool) string {
	if !ok {
		return "-"
	}
	s := []string{string(t.Kind)}
	add := func(present bool, format string, a ...any) {
		if present {
			s = append(s, fmt.Sprintf(format, a...))
		}
	}
	add(t.Repo != "", "%s/%s", t.Owner, t.Repo)
	add(t.Repo == "" && t.Owner != "", "%s", t.Owner)
	add(t.Number != 0, "#%d", t.Number)
	add(t.ID != "", "id=%s", t.ID)
	add(t.Sub != "", "sub=%s", t.Sub)
	add(t.Sub == "" && t.Kind == File && t.RefType != "", "sub=%s", t.RefType) // the raw host
	add(len(t.Path) > 0, "rest=%s", strings.Join(t.Path, "/"))
	add(t.Anchor.Name != "", "@%s:%s", t.Anchor.Name, t.Anchor.ID)
	add(t.Lines.First != 0, "L%d-%d", t.Lines.First, t.Lines.Last)
	add(t.Query != "", "q=%s", t.Query)
	return strings.Join(s, " ")
}

func corpus(t testing.TB) [][2]string {
	t.Helper()
	data, err := os.ReadFile("testdata/urls.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var rows [][2]string
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		raw, want, ok := strings.Cut(line, "\t")
		if !ok {
			t.Fatalf("no tab in %q", line)
		}
		rows = append(rows, [2]string{raw, want})
	}
	return rows
}

func TestParse(t *testing.T) {
	seen := map[string]bool{}
	for _, row := range corpus(t) {
		raw, want := row[0], row[1]
		if seen[raw] {
			t.Errorf("%s stands twice in the table", raw)
		}
		seen[raw] = true
		if got := notation(Parse(raw)); got != want {
			t.Errorf("%s\n got %s\nwant %s", raw, got, want)
		}
	}
}

// Texts that a line of the table cannot hold.
func TestParseOddText(t *testing.T) {
	long := strings.Repeat("a", 8<<10)
	tests := []struct{ name, raw, want string }{
		{"empty", "", "-"},
		{"white space around", " \t https://github.com/o/r\n", "repo o/r"},
		{"tab within", "https://github.com/o/r\t/issues/12", "-"},
		{"line break within", "https://github.com/o/r/issues/1\n2", "-"},
		{"NUL", "https://github.com/o/r\x00", "-"},
		{"escape", "https://github.com/o/r\x1b[31m", "-"},
		{"control character of two bytes", "https://github.com/o/r/blob/main/\u0085", "-"},
		{"long path", "https://github.com/o/r/blob/main/" + long, "file o/r sub=blob rest=main/" + long},
		{"long query", "https://github.com/o/r/issues?q=" + long, "issue_list o/r q=" + long},
		{"long owner", "https://github.com/" + long + "/r", "-"},
		{"long repository", "https://github.com/o/" + long, "-"},
		{"too long", "https://github.com/o/r/blob/main/" + strings.Repeat(long, 4), "-"},
		{"two URLs", "https://github.com/o/r https://github.com/o/r", "-"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := notation(Parse(tt.raw)); got != tt.want {
				t.Errorf("Parse(%.80q)\n got %.200s\nwant %.200s", tt.raw, got, tt.want)
			}
		})
	}
}

func TestParseRefType(t *testing.T) {
	tests := []struct{ raw, refType, path string }{
		{"https://github.com/o/r/blob/refs/heads/main/a.go", "heads", "main/a.go"},
		{"https://github.com/o/r/blob/refs/tags/v1/a.go", "tags", "v1/a.go"},
		{"https://github.com/o/r/raw/refs/heads/main/a.png", "heads", "main/a.png"},
		{"https://github.com/o/r/tree/refs/tags/v1", "tags", "v1"},
		{"https://github.com/o/r/commits/refs/heads/feature/x", "heads", "feature/x"},
		{"https://raw.githubusercontent.com/o/r/refs/tags/v1/a.go", "tags", "v1/a.go"},
		{"https://media.githubusercontent.com/media/o/r/refs/heads/main/a.bin", "heads", "main/a.bin"},
		{"https://github.com/o/r/blob/main/a.go", "", "main/a.go"},
		{"https://github.com/o/r/blob/main/refs/heads/a.go", "", "main/refs/heads/a.go"},
		{"https://github.com/o/r/tree/refs/heads", "", "refs/heads"},
		{"https://github.com/o/r/archive/refs/tags/v1.zip", "", "refs/tags/v1.zip"},
	}
	for _, tt := range tests {
		t.Run(tt.raw, func(t *testing.T) {
			got, ok := Parse(tt.raw)
			if !ok || got.RefType != tt.refType || strings.Join(got.Path, "/") != tt.path {
				t.Errorf("RefType %q, Path %q, %v; want %q, %q", got.RefType, got.Path, ok, tt.refType, tt.path)
			}
		})
	}
}

func TestParseParams(t *testing.T) {
	got, ok := Parse("https://github.com/o/r/issues?labels=bug%2Curgent&state=closed&state=open")
	want := url.Values{"labels": {"bug,urgent"}, "state": {"closed", "open"}}
	if !ok || !reflect.DeepEqual(got.Params, want) {
		t.Errorf("Params %v, %v; want %v", got.Params, ok, want)
	}
}
