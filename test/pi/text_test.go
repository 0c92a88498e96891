package pi

import (
	"testing"

	"pifetch/internal/termtext"
)

func TestLine(t *testing.T) {
	for name, text := range map[string]string{
		"plain": "a b", "spaces": "  a \t\n b ", "colour": "\x1b[31mred\x1b[0m", "title": "\x1b]0;own\aed", "8 bit": "\u009b2Jx",
		"bidi": "a\u202eb", "zero width": "a\u200bb", "reset": "\x1bcx", "bell": "a\ab", "words": "größer 😀",
	} {
		t.Run(name, func(t *testing.T) {
			if got, want := value[string](t, drive(t, job{Module: "clean", Function: "line", Args: []any{text}})), termtext.Line(text); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func TestBytes(t *testing.T) {
	for _, n := range []int64{0, 1023, 1024, 26521, 1048524, 1048525, 3 << 20} {
		if got, want := value[string](t, drive(t, job{Module: "clean", Function: "bytes", Args: []any{n}})), termtext.Bytes(n); got != want {
			t.Errorf("%d: got %s, want %s", n, got, want)
		}
	}
}

func TestRedact(t *testing.T) {
	for url, want := range map[string]string{
		"https://a.example/x?q=a@b":              "https://a.example/x?q=a@b",
		"https://user:secret@a.example/x":        "https://a.example/x",
		"https://user:secret@a.example:bad/":     "https://a.example:bad/",
		"git@github.com:o/r.git":                 "git@github.com:o/r.git",
		`https:\\user:secret@a.example/`:         "https://a.example/",
		"https://secret@a.example:99999999/@x#@": "https://a.example:99999999/@x#@",
		"https:user:secret@a.example:bad/":       "https:a.example:bad/",
		"https:/user:secret@a.example:bad/":      "https:/a.example:bad/",
		" ht\ttp://user:secret@a.example:bad/":   "http://a.example:bad/",
		"https://user:sec\nret@a.example:bad/":   "https://a.example:bad/",
		"https://u:p@q@a.example:bad/x@y":        "https://a.example:bad/x@y",
		"//user:secret@a.example/":               "//a.example/",
		"mailto:me@a.example":                    "mailto:me@a.example",
	} {
		if got := value[string](t, drive(t, job{Module: "clean", Function: "redact", Args: []any{url}})); got != want {
			t.Errorf("%s: got %s, want %s", url, got, want)
		}
	}
}

func TestUnique(t *testing.T) {
	urls := []string{"https://a.example", "HTTPS://A.example:443/", "https://a.example/#x", "no url", "no url", "https://a.example/"}
	got := value[[]string](t, drive(t, job{Module: "clean", Function: "unique", Args: []any{urls}}))
	if len(got) != 3 || got[0] != urls[0] || got[1] != urls[2] || got[2] != "no url" {
		t.Errorf("got %q", got)
	}
}

func TestJoinDigests(t *testing.T) {
	digests := []string{
		"1. First\n   https://a.example/\n\n2. Second\n   excerpt: 3. is no number\n\nFailed:\n- https://c.example/\n  local: 404 Not Found\n",
		"Failed:\n- https://d.example/\n  local: Failed:\n",
		"1. Third\n   https://b.example/\n",
	}
	want := "1. First\n   https://a.example/\n\n2. Second\n   excerpt: 3. is no number\n\n3. Third\n   https://b.example/\n\n" +
		"Failed:\n- https://c.example/\n  local: 404 Not Found\n- https://d.example/\n  local: Failed:"
	if got := value[string](t, drive(t, job{Module: "digest", Function: "joinDigests", Args: []any{digests}})); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
