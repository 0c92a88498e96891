package weburl

import (
	"errors"
	"net/url"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	tests := []struct{ name, raw, want string }{
		{"plain", "https://example.com/a/b?c=d#e", "https://example.com/a/b?c=d#e"},
		{"scheme and host in upper case", "HTTPS://EXAMPLE.com/A", "https://example.com/A"},
		{"empty path", "https://example.com", "https://example.com/"},
		{"default port", "https://example.com:443/", "https://example.com/"},
		{"default port of http", "http://example.com:80", "http://example.com/"},
		{"other port", "http://example.com:8080", "http://example.com:8080/"},
		{"empty port", "http://example.com:/", "http://example.com/"},
		{"Unicode path", "https://example.com/straße/日本", "https://example.com/stra%C3%9Fe/%E6%97%A5%E6%9C%AC"},
		{"raw spaces", "https://example.com/a b?q=c d", "https://example.com/a%20b?q=c%20d"},
		{"Unicode query", "https://example.com/?q=ü", "https://example.com/?q=%C3%BC"},
		{"Unicode host", "https://bücher.example/", "https://xn--bcher-kva.example/"},
		{"full-width host", "https://ｅｘａｍｐｌｅ.com/", "https://example.com/"},
		{"hexadecimal host", "http://0x7f.1/", "http://127.0.0.1/"},
		{"decimal host", "http://2130706433/", "http://127.0.0.1/"},
		{"octal host", "http://0177.0.0.1/", "http://127.0.0.1/"},
		{"IPv6", "http://[::1]:8080/x", "http://[::1]:8080/x"},
		{"IPv6 to be shortened", "http://[0:0:0:0:0:0:0:1]/", "http://[::1]/"},
		{"IPv4 in IPv6", "http://[::ffff:127.0.0.1]/", "http://[::ffff:7f00:1]/"},
		{"lone percent in path", "https://example.com/100%/%zz", "https://example.com/100%25/%25zz"},
		{"lone percent in query", "https://example.com/?q=100%&r=%4", "https://example.com/?q=100%25&r=%254"},
		{"lone percent in fragment", "https://example.com/#50%", "https://example.com/#50%25"},
		{"lone percent in userinfo", "https://50%:x@example.com/", "https://50%25:x@example.com/"},
		{"escaped slash", "https://example.com/a%2Fb", "https://example.com/a%2Fb"},
		{"escaped slash beside a bar", "https://example.com/a%2Fb|c^d", "https://example.com/a%2Fb%7Cc%5Ed"},
		{"escaped slash in fragment", "https://example.com/#a%2Fb|c", "https://example.com/#a%2Fb%7Cc"},
		{"dot segments", "https://example.com/a/../b/./c", "https://example.com/b/c"},
		{"backslashes", `https:\\example.com\a`, "https://example.com/a"},
		{"one slash", "https:/example.com/a", "https://example.com/a"},
		{"no slash", "https:example.com/a", "https://example.com/a"},
		{"white space around and within", " \thttps://exam\nple.com/a\n", "https://example.com/a"},
		{"userinfo", "https://u:p@example.com/", "https://u:p@example.com/"},
		{"userinfo with an at sign", "https://a@b:p@example.com/", "https://a%40b:p@example.com/"},
		{"invalid UTF-8", "https://example.com/\xff", "https://example.com/%EF%BF%BD"},
		{"other scheme", "ftp://example.com/x", "ftp://example.com/x"},
		{"opaque", "mailto:a@example.com", "mailto:a@example.com"},
		{"data", "data:text/plain,hello world", "data:text/plain,hello world"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			u, err := Parse(tt.raw)
			if err != nil {
				t.Fatal(err)
			}
			if got := u.String(); got != tt.want {
				t.Errorf("Parse(%q) = %s, want %s", tt.raw, got, tt.want)
			}
		})
	}
}

func TestParseErrors(t *testing.T) {
	tests := []struct{ name, raw, want string }{
		{"empty", "", "not an absolute URL"},
		{"relative", "/wiki/Home", "not an absolute URL"},
		{"no scheme", "example.com/a", "not an absolute URL"},
		{"scheme-relative", "//example.com/a", "not an absolute URL"},
		{"host and port", "example.com:8080/a", "not an absolute URL"},
		{"localhost and port", "localhost:8080", "not an absolute URL"},
		{"scp form", "git@github.com:o/r.git", "not an absolute URL"},
		{"no host", "https://", "malformed URL: no host"},
		{"only userinfo", "https://secret:secret@/", "malformed URL: no host"},
		{"space in host", "https://secret:secret@exa mple.com/", "malformed URL: bad host name"},
		{"port out of range", "https://secret@example.com:99999/", "malformed URL: bad port"},
		{"port no number", "https://example.com:secret/", "malformed URL: bad port"},
		{"unclosed IPv6", "https://secret@[::1/", "malformed URL: bad IP address"},
		{"too large IPv4", "http://256.256.256.256/", "malformed URL: bad IP address"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			u, err := Parse(tt.raw)
			if err == nil {
				t.Fatalf("Parse(%q) = %s, want an error", tt.raw, u)
			}
			if err.Error() != tt.want {
				t.Errorf("Parse(%q): %q, want %q", tt.raw, err, tt.want)
			}
			if relative := tt.want == "not an absolute URL"; relative != errors.Is(err, ErrNotAbsolute) {
				t.Errorf("Parse(%q): errors.Is(ErrNotAbsolute) = %v, want %v", tt.raw, !relative, relative)
			}
		})
	}
}

func TestKey(t *testing.T) {
	tests := []struct {
		name, a, b string
		same       bool
	}{
		{"case of scheme and host", "HTTP://Example.COM/a", "http://example.com/a", true},
		{"case of path", "http://example.com/A", "http://example.com/a", false},
		{"default port", "https://example.com:443/", "https://example.com/", true},
		{"empty path", "https://example.com", "https://example.com/", true},
		{"trailing slash", "https://example.com/a", "https://example.com/a/", false},
		{"fragment", "https://example.com/#a", "https://example.com/#b", false},
		{"userinfo", "https://u:p@example.com/", "https://example.com/", false},
		{"scheme", "https://example.com/", "http://example.com/", false},
		{"not parseable", "git@github.com:o/r.git", " git@github.com:o/r.git", true},
		{"not parseable, other case", "git@github.com:o/r.git", "git@github.com:O/r.git", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Key(tt.a) == Key(tt.b); got != tt.same {
				t.Errorf("Key(%q) = %q, Key(%q) = %q", tt.a, Key(tt.a), tt.b, Key(tt.b))
			}
		})
	}
}

func TestRedact(t *testing.T) {
	tests := []struct{ name, raw, want string }{
		{"none", "https://example.com/a@b", "https://example.com/a@b"},
		{"user and password", "https://u:p@example.com/a", "https://example.com/a"},
		{"user", "https://u@example.com", "https://example.com"},
		{"rest as written", "HTTPS://u:p@EXAMPLE.com:443/a b?q=%zz#f@g", "HTTPS://EXAMPLE.com:443/a b?q=%zz#f@g"},
		{"at sign in password", "https://u:p@ss@example.com/", "https://example.com/"},
		{"slash would end it", "https://u:p/q@example.com/", "https://u:p/q@example.com/"},
		{"space in password", "https://u:p q@example.com/", "https://example.com/"},
		{"no slashes", "https:u:p@example.com/", "https:example.com/"},
		{"one slash", "https:/u:p@example.com/", "https:/example.com/"},
		{"backslashes", `https:\\u:p@example.com\x`, `https:\\example.com\x`},
		{"many slashes", "https:////u:p@example.com/", "https:////example.com/"},
		{"tab in scheme", "ht\ttps://u:p@example.com/", "ht\ttps://example.com/"},
		{"line break between slashes", "https:/\n/u:p@example.com/", "https:/\n/example.com/"},
		{"leading space", "  https://u:p@example.com/", "  https://example.com/"},
		{"other scheme", "ssh://git@github.com/o/r.git", "ssh://github.com/o/r.git"},
		{"mail address", "mailto:a@example.com", "mailto:a@example.com"},
		{"scp form", "git@github.com:o/r.git", "git@github.com:o/r.git"},
		{"scheme-relative", "//u:p@example.com/", "//example.com/"},
		{"bad host", "https://u:p@exa mple.com/", "https://exa mple.com/"},
		{"bad port", "https://u:p@example.com:99999/", "https://example.com:99999/"},
		{"no host", "https://u:p@", "https://"},
		{"unclosed IPv6", "https://u:p@[::1/", "https://[::1/"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Redact(tt.raw); got != tt.want {
				t.Errorf("Redact(%q) = %q, want %q", tt.raw, got, tt.want)
			}
		})
	}
}

func TestRedactText(t *testing.T) {
	const text = `Get "https://u:***@example.com/a@b": dial tcp: mail a@b.c, see ssh://git@host/x and http://host/`
	const want = `Get "https://example.com/a@b": dial tcp: mail a@b.c, see ssh://host/x and http://host/`
	if got := RedactText(text); got != want {
		t.Errorf("RedactText = %q, want %q", got, want)
	}
}

func addSeeds(f *testing.F) {
	for _, s := range []string{
		"", "https://u:p@example.com:8080/a b/%zz?q=%#f|%2F", "http://0x7f.1/", "http://[::1%25eth0]/", "git@github.com:o/r.git",
		`hTtP:\\a@b@c\d`, "foo://u@h:1/x^y", "foo:a b ", "file:///C|/x", "http://[::ffff:1.2.3.4]", "https:///@@/", "a:/..//b", "ht\ntp:u@[",
	} {
		f.Add(s)
	}
}

func FuzzParse(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, raw string) {
		u, err := Parse(raw)
		if err != nil {
			return
		}
		if u.Scheme == "" {
			t.Errorf("Parse(%q) has no scheme", raw)
		}
		if u.Scheme != "http" && u.Scheme != "https" {
			return
		}
		if u.Host == "" || !strings.HasPrefix(u.EscapedPath(), "/") {
			t.Errorf("Parse(%q) = %#v", raw, u)
		}
		again, err := Parse(u.String())
		if err != nil {
			t.Fatalf("Parse(%q) = %q, which does not parse: %v", raw, u, err)
		}
		if again.String() != u.String() {
			t.Errorf("Parse(%q) = %q, which parses to %q", raw, u, again)
		}
		if net, err := url.Parse(u.String()); err != nil || net.String() != u.String() {
			t.Errorf("net/url reads %q as %q, %v", u, net, err)
		}
	})
}

func FuzzRedact(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, raw string) {
		got := Redact(raw)
		if u, err := Parse(got); err == nil && u.User != nil {
			t.Errorf("Redact(%q) = %q, which has userinfo %q", raw, got, u.User)
		}
		if again := Redact(got); again != got {
			t.Errorf("Redact(%q) = %q, redacted again %q", raw, got, again)
		}
		before, err := Parse(raw)
		if err != nil {
			return
		}
		before.User = nil
		if after, err := Parse(got); err != nil || after.String() != before.String() {
			t.Errorf("Redact(%q) = %q is another URL: %v", raw, got, err)
		}
	})
}
