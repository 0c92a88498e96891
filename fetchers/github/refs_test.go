package github

import (
	"bytes"
	"fmt"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pifetch/fetchers/github/target"
)

const (
	sha1 = "1111111111111111111111111111111111111111"
	sha2 = "2222222222222222222222222222222222222222"
	sha3 = "3333333333333333333333333333333333333333"
)

func TestSplits(t *testing.T) {
	for _, tt := range []struct {
		url    string
		folder bool
		want   []string
	}{
		{"https://github.com/o/r/blob/main/a.go", false, []string{"refs/heads/main:a.go", "refs/tags/main:a.go"}},
		{"https://github.com/o/r/blob/feature/x/a%2Fb.go", false, []string{
			"refs/heads/feature:x/a/b.go", "refs/tags/feature:x/a/b.go", "refs/heads/feature/x:a/b.go", "refs/tags/feature/x:a/b.go",
			"refs/heads/feature/x/a:b.go", "refs/tags/feature/x/a:b.go",
		}},
		{"https://github.com/o/r/blob/main/app/[...slug]/page.tsx", false, []string{
			"refs/heads/main:app/[...slug]/page.tsx", "refs/tags/main:app/[...slug]/page.tsx",
			"refs/heads/main/app:[...slug]/page.tsx", "refs/tags/main/app:[...slug]/page.tsx",
		}},
		{"https://github.com/o/r/blob/main/.github/workflows/ci.yml", false, []string{"refs/heads/main:.github/workflows/ci.yml", "refs/tags/main:.github/workflows/ci.yml"}},
		{"https://github.com/o/r/tree/main/a..b/c", true, []string{"refs/heads/main:a..b/c", "refs/tags/main:a..b/c"}},
		{"https://github.com/o/r/tree/main/a:b", true, []string{"refs/heads/main:a:b", "refs/tags/main:a:b"}},
		{"https://github.com/o/r/tree/v1/x", true, []string{"refs/heads/v1:x", "refs/tags/v1:x", "refs/heads/v1/x:", "refs/tags/v1/x:"}},
		{"https://github.com/o/r/tree/main", true, []string{"refs/heads/main:", "refs/tags/main:"}},
		{"https://github.com/o/r/blob/refs/tags/v1/a.go", false, []string{"refs/tags/v1:a.go"}},
		{"https://github.com/o/r/blob/" + sha1 + "/a.go", false, []string{sha1 + ":a.go"}},
		{"https://github.com/o/r/blob/cafe123/a.go", false, []string{"refs/heads/cafe123:a.go", "refs/tags/cafe123:a.go", "cafe123:a.go"}},
		{"https://github.com/o/r/blob/HEAD/a.go", false, []string{"HEAD:a.go"}},
		{"https://api.github.com/repos/o/r/contents/src/a.go?ref=a/b", false, []string{"refs/heads/a/b:src/a.go", "refs/tags/a/b:src/a.go"}},
		{"https://api.github.com/repos/o/r/contents/a.go?ref=refs/tags/v1", false, []string{"refs/tags/v1:a.go"}},
		{"https://api.github.com/repos/o/r/contents/a.go", false, []string{"HEAD:a.go"}},
		{"https://github.com/o/r", true, []string{"HEAD:"}},
	} {
		parsed, ok := target.Parse(tt.url)
		if !ok {
			t.Errorf("%s is not understood", tt.url)
			continue
		}
		var got []string
		for _, s := range splits(parsed, tt.folder) {
			got = append(got, s.qualified+":"+s.path)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.url, diff)
		}
	}
}

func TestManySplits(t *testing.T) {
	parsed, _ := target.Parse("https://github.com/o/r/blob/" + strings.Repeat("a/", 100) + "b.go")
	if got := len(splits(parsed, false)); got != 2*maxSplits {
		t.Errorf("%d splits of a long path, want %d", got, 2*maxSplits)
	}
	q, vars := splitQuery(splits(parsed, false))
	if q.Field(0).Type().Elem().NumField() != 2+2*maxSplits || len(vars) != 4*maxSplits {
		t.Errorf("query %v with %d variables", q.Type(), len(vars))
	}
}

// The types of queries are kept for ever once made, so there must be few.
func TestSplitQueriesShareTypes(t *testing.T) {
	query := func(raw string) reflect.Type {
		parsed, _ := target.Parse(raw)
		q, _ := splitQuery(splits(parsed, false))
		return q.Type()
	}
	if a, b := query("https://github.com/o/r/blob/main/a/b"), query("https://github.com/x/y/blob/v1/c/d"); a != b {
		t.Errorf("two types for two queries of the same form:\n%v\n%v", a, b)
	}
}

func packets(lines ...string) []byte {
	var b bytes.Buffer
	for _, l := range lines {
		if l == "" {
			b.WriteString("0000")
			continue
		}
		fmt.Fprintf(&b, "%04x%s\n", len(l)+5, l)
	}
	return b.Bytes()
}

func TestReadRefs(t *testing.T) {
	service := "# service=git-upload-pack"
	many := []string{service, "", sha1 + " HEAD\x00multi_ack symref=HEAD:refs/heads/main", sha1 + " refs/heads/main"}
	for i := range 30_000 {
		many = append(many, fmt.Sprintf("%s refs/pull/%d/head", sha2, i))
	}
	many = append(many, sha3+" refs/tags/v1", "")
	for _, tt := range []struct {
		name  string
		body  []byte
		whole bool
		want  *refs
		err   string
	}{
		{
			"branches and tags",
			packets(service, "", sha1+" HEAD\x00multi_ack", sha1+" refs/heads/feature/x", sha1+" refs/heads/main", sha2+" refs/pull/1/head", sha2+" refs/tags/v1", sha3+" refs/tags/v1^{}", sha2+" refs/tags/v2", ""),
			false,
			&refs{head: sha1, whole: true, names: map[string]string{
				"refs/heads/main": sha1, "refs/heads/feature/x": sha1, "refs/tags/v1": sha3, "refs/tags/v2": sha2,
			}},
			"",
		},
		{"many pull requests", packets(many...), false, &refs{head: sha1, main: "main", names: map[string]string{"refs/heads/main": sha1}}, ""},
		{"all of many", packets(many...), true, &refs{head: sha1, main: "main", whole: true, names: map[string]string{"refs/heads/main": sha1, "refs/tags/v1": sha3}}, ""},
		{"empty repository", packets(service, "", strings.Repeat("0", 40)+" capabilities^{}\x00multi_ack", ""), false, &refs{whole: true, names: map[string]string{}}, ""},
		{"a page", []byte("<html>"), false, nil, `not an answer of git: it has "<htm" where a length is due`},
		{"empty repository to older clients", packets(service, "", ""), false, &refs{whole: true, names: map[string]string{}}, ""},
		{"cut off after a line", packets(service, "", sha1+" HEAD"), false, nil, "unexpected EOF"},
		{"cut off", packets(service, "", sha1+" HEAD")[:50], false, nil, "unexpected EOF"},
		{"nothing", nil, false, nil, "unexpected EOF"},
		{"another answer", packets(service, "", "ERR no"), false, nil, `unexpected line "ERR no"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := readRefs(bytes.NewReader(tt.body), tt.whole)
			if tt.err != "" {
				if err == nil || err.Error() != tt.err {
					t.Errorf("error %v, want %s", err, tt.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(refs{})); diff != "" {
				t.Errorf("refs (-want +got):\n%s", diff)
			}
		})
	}
}

func TestArchiveOf(t *testing.T) {
	for _, tt := range []struct{ url, form, ref string }{
		{"https://github.com/o/r/archive/refs/heads/main.zip", "zip", "refs/heads/main"},
		{"https://github.com/o/r/archive/v1.2.tar.gz", "tar.gz", "v1.2"},
		{"https://codeload.github.com/o/r/tar.gz/refs/tags/v1", "tar.gz", "refs/tags/v1"},
		{"https://codeload.github.com/o/r/legacy.zip/main", "zip", "main"},
		{"https://github.com/o/r/zipball/feature/x", "zip", "feature/x"},
		{"https://github.com/o/r/tarball/main", "tar.gz", "main"},
	} {
		parsed, ok := target.Parse(tt.url)
		form, ref := archiveOf(parsed)
		if !ok || form != tt.form || ref != tt.ref {
			t.Errorf("%s: %s of %s, want %s of %s", tt.url, form, ref, tt.form, tt.ref)
		}
		candidates := splits(archiveTree(parsed, ref), true)
		if len(candidates) == 0 || candidates[0].ref != shortRef(ref) || candidates[0].path != "" {
			t.Errorf("%s as a folder: %v", tt.url, candidates)
		}
	}
}

func TestEscapePath(t *testing.T) {
	if got, want := escapePath("a b/#1?%.md"), "a%20b/%231%3F%25.md"; got != want {
		t.Errorf("escapePath: %s, want %s", got, want)
	}
	if u, err := url.Parse("https://github.com/" + escapePath("a b/#1?%.md")); err != nil || u.Path != "/a b/#1?%.md" {
		t.Errorf("read back: %v, %v", u, err)
	}
}
