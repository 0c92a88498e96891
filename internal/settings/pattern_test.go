package settings

import (
	"net/url"
	"testing"
)

func TestPatternMatch(t *testing.T) {
	tests := []struct {
		pattern string
		match   []string
		not     []string
	}{
		{
			"docs.example",
			[]string{"https://docs.example/", "http://docs.example/a?b#c", "https://docs.example:8443/", "https://docs.example./", "https://u:p@docs.example/"},
			[]string{"https://www.docs.example/", "https://docs.example.org/", "https://xdocs.example/", "ftp://docs.example/"},
		},
		{
			"*.corp.example",
			[]string{"https://a.corp.example/", "https://a.b.corp.example/x"},
			[]string{"https://corp.example/", "https://xcorp.example/", "https://corp.example.org/"},
		},
		{"*", []string{"https://a/", "http://127.0.0.1:8/"}, []string{"mailto:x"}},
		{"localhost:8080", []string{"http://localhost:8080/x"}, []string{"http://localhost/x", "http://localhost:80/"}},
		{"docs.example:443", []string{"https://docs.example/"}, []string{"http://docs.example/"}},
		{"http://docs.example", []string{"http://docs.example", "http://docs.example/x"}, []string{"https://docs.example/"}},
		{
			"https://docs.example/private/*",
			[]string{"https://docs.example/private/", "https://docs.example/private/a/b?c", "https://docs.example/%70rivate/x", "https://docs.example/private%2Fx"},
			[]string{"https://docs.example/private", "https://docs.example/public/private/", "https://docs.example/", "http://docs.example/private/"},
		},
		{"https://*.docs.example/a/*/z", []string{"https://x.docs.example/a/b/c/z", "https://x.docs.example/a//z?q"}, []string{"https://x.docs.example/a/z", "https://docs.example/a/b/z"}},
		{"https://docs.example/a", []string{"https://docs.example/a", "https://docs.example/a?b"}, []string{"https://docs.example/a/", "https://docs.example/ab"}},
		{"https://docs.example/a?t=*", []string{"https://docs.example/a?t=1"}, []string{"https://docs.example/a", "https://docs.example/a?x"}},
		{"https://docs.example/*a*a", []string{"https://docs.example/aa", "https://docs.example/xaya"}, []string{"https://docs.example/a", "https://docs.example/"}},
		{"HTTPS://Docs.Example/A", []string{"https://docs.example/A"}, []string{"https://docs.example/a"}},
		{"bücher.example", []string{"https://xn--bcher-kva.example/"}, nil},
		{"my_host", []string{"http://my_host/"}, nil},
		{"10.0.0.5", []string{"http://10.0.0.5/"}, []string{"http://10.0.0.50/"}},
		{"[::1]:8080", []string{"http://[::1]:8080/"}, []string{"http://[::1]/", "http://[::2]:8080/"}},
		{"[0:0::1]", []string{"http://[::1]:8080/"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.pattern, func(t *testing.T) {
			p, err := ParsePattern(tt.pattern)
			if err != nil {
				t.Fatal(err)
			}
			if p.String() != tt.pattern {
				t.Errorf("String() = %q", p)
			}
			for want, urls := range map[bool][]string{true: tt.match, false: tt.not} {
				for _, raw := range urls {
					u, err := url.Parse(raw)
					if err != nil {
						t.Fatal(err)
					}
					if p.Match(u) != want {
						t.Errorf("Match(%s) = %v", raw, !want)
					}
				}
			}
		})
	}
}

func TestBadPatterns(t *testing.T) {
	for _, s := range []string{
		"", ".", "..", "*.", "a..b", ".a", "a b", "a/b", "a@b", "*a.example", "a.*.example", "**", "ftp://x", "://x", "https://", "https:///x",
		"https://x/#a", "https://x/%zz", "x:99999", "x:", "x:http", "[::1", "[x]", "*.[::1]", "::1", "x%20y", "https://x\\y",
	} {
		if p, err := ParsePattern(s); err == nil {
			t.Errorf("ParsePattern(%q) = %+v", s, p)
		}
	}
}

func FuzzPattern(f *testing.F) {
	f.Add("*.corp.example", "https://a.corp.example/")
	f.Add("https://docs.example/a*b?c*", "https://docs.example/ab?c")
	f.Add("[::1]:80", "http://[::1]/")
	f.Fuzz(func(t *testing.T, pattern, raw string) {
		p, err := ParsePattern(pattern)
		if err != nil {
			return
		}
		if again, err := ParsePattern(p.String()); err != nil || again != p {
			t.Errorf("%q reads as %+v, then as %+v, %v", pattern, p, again, err)
		}
		if u, err := url.Parse(raw); err == nil && p.Match(u) && u.Scheme != "http" && u.Scheme != "https" {
			t.Errorf("%q matches %q", pattern, raw)
		}
	})
}
