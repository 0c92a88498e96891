package artifact

import (
	"net/url"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestSafeName(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain", "report.pdf", "report.pdf"},
		{"spaces", "  my   report .pdf ", "my report .pdf"},
		{"path", "../../etc/passwd", "passwd"},
		{"Windows path", `C:\Users\x\report.pdf`, "report.pdf"},
		{"trailing slash", "docs/", "docs"},
		{"leading dots and dashes", "..-.-rf", "rf"},
		{"only dots", "..", "file"},
		{"empty", "", "file"},
		{"part file", ".part-abc", "part-abc"},
		{"NUL and control characters", "a\x00b\x1b[31mc\n.txt", "ab[31mc .txt"},
		{"C1 control", "a\u009bb", "ab"},
		{"bidi override", "invoice\u202Efdp.exe", "invoicefdp.exe"},
		{"zero width", "a\u200bb\ufeffc", "abc"},
		{"reserved characters", `a:b*c?d"e<f>g|h`, "a-b-c-d-e-f-g-h"},
		{"invalid UTF-8", "caf\xe9.txt", "caf_.txt"},
		{"decomposed", "re\u0301sume\u0301.txt", "résumé.txt"},
		{"device", "CON", "_CON"},
		{"device with extension", "nul.tar.gz", "_nul.tar.gz"},
		{"device with digit", "com1.txt", "_com1.txt"},
		{"no device", "console.txt", "console.txt"},
		{"trailing dots", "name...", "name"},
		{"other scripts", "日本語 文書.txt", "日本語 文書.txt"},
		{"long", strings.Repeat("x", 300) + ".tar.gz", strings.Repeat("x", 113) + ".tar.gz"},
		{"long, of several bytes", strings.Repeat("é", 100) + ".pdf", strings.Repeat("é", 58) + ".pdf"},
		{"long extension is none", "a." + strings.Repeat("x", 300), "a." + strings.Repeat("x", 118)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := SafeName(tt.in); got != tt.want {
				t.Errorf("SafeName(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestNameFrom(t *testing.T) {
	const u = "https://example.com/dir/default.bin"
	tests := []struct{ name, header, url, mediaType, want string }{
		{"quoted", `attachment; filename="tides-2026-02.csv"`, u, "", "tides-2026-02.csv"},
		{"token", `attachment; filename=a.csv`, u, "", "a.csv"},
		{"inline", `inline; filename="a.pdf"`, u, "", "a.pdf"},
		{"extended wins", `attachment; filename="resume.csv"; filename*=UTF-8''r%C3%A9sum%C3%A9%20%E2%80%93%20%C3%A9t%C3%A9.csv`, u, "", "résumé – été.csv"},
		{"extended first", `attachment; filename*=UTF-8''%e2%82%ac.csv; filename="euro.csv"`, u, "", "€.csv"},
		{"extended with language", `attachment; filename*=utf-8'en'a%20b.csv`, u, "", "a b.csv"},
		{"extended Latin-1", `attachment; filename*=iso-8859-1''%A3.csv`, u, "", "£.csv"},
		{"extended quoted", `attachment; filename*="UTF-8''%C3%A9.csv"`, u, "", "é.csv"},
		{"extended broken, plain taken", `attachment; filename*=UTF-8''%E9.csv; filename=e.csv`, u, "", "e.csv"},
		{"extended without charset", `attachment; filename*=%C3%A9.csv`, u, "", "é.csv"},
		{"continuations", `attachment; filename*0="long "; filename*1="name.csv"`, u, "", "long name.csv"},
		{"extended continuations", `attachment; filename*0*=UTF-8''%C3%A9; filename*1=" b.csv"`, u, "", "é b.csv"},
		{"upper case", `ATTACHMENT; FILENAME="a.csv"`, u, "", "a.csv"},
		{"spaces around the sign", `attachment; filename = "a.csv"`, u, "", "a.csv"},
		{"semicolon in quotes", `attachment; filename="a;b.csv"`, u, "", "a;b.csv"},
		{"escaped quote", `attachment; filename="a\"b.csv"`, u, "", "a-b.csv"},
		{"unquoted spaces", `attachment; filename=my report.pdf`, u, "", "my report.pdf"},
		{"no closing quote", `attachment; filename="a.csv`, u, "", "a.csv"},
		{"single quotes", `attachment; filename='a.csv'`, u, "", "a.csv"},
		{"no disposition type", `filename="a.csv"`, u, "", "a.csv"},
		{"raw UTF-8", `attachment; filename="日本.csv"`, u, "", "日本.csv"},
		{"raw Latin-1", "attachment; filename=\"caf\xe9.csv\"", u, "", "café.csv"},
		{"UTF-8 taken for Latin-1", `attachment; filename="rÃ©sumÃ©.csv"`, u, "", "résumé.csv"},
		{"percent-encoded", `attachment; filename="a%20b%C3%A9.csv"`, u, "", "a bé.csv"},
		{"lone percent", `attachment; filename="100%.csv"`, u, "", "100%.csv"},
		{"RFC 2047 Q", `attachment; filename="=?UTF-8?Q?caf=C3=A9.csv?="`, u, "", "café.csv"},
		{"RFC 2047 B", `attachment; filename="=?UTF-8?B?Y2Fmw6kuY3N2?="`, u, "", "café.csv"},
		{"RFC 2047 B without padding", `attachment; filename="=?UTF-8?B?Y2Fmw6kudHh0eA?="`, u, "", "café.txtx"},
		{"path", `attachment; filename="../../../../../tmp/evil.sh"`, u, "", "evil.sh"},
		{"encoded path", `attachment; filename="..%2f..%2fevil.sh"`, u, "", "evil.sh"},
		{"extended path", `attachment; filename*=UTF-8''..%2F..%2Fevil.sh`, u, "", "evil.sh"},
		{"Windows path", `attachment; filename="C:\dir\evil.sh"`, u, "", "evil.sh"},
		{"line break", `attachment; filename*=UTF-8''a%0D%0Ab.csv`, u, "", "a b.csv"},
		{"only a dot", `attachment; filename="."`, u, "", "file"},
		{"empty", `attachment; filename=""`, u, "", "default.bin"},
		{"no name", `attachment`, u, "", "default.bin"},
		{"extension of the type", `attachment; filename="report"`, u, "application/pdf", "report.pdf"},
		{"own extension stays", `attachment; filename="report.php"`, u, "application/pdf", "report.php"},

		{"URL", "", "https://example.com/a/b.pdf?x=y.z", "", "b.pdf"},
		{"URL escaped", "", "https://example.com/a%20b/c%20d%C3%A9.pdf", "", "c dé.pdf"},
		{"URL with trailing slash", "", "https://example.com/data/", "application/json", "data.json"},
		{"URL without path", "", "https://example.com/", "application/json", "index.json"},
		{"URL with a version", "", "https://example.com/pdf/2401.01234", "application/pdf; charset=x", "2401.01234.pdf"},
		{"URL of a program", "", "https://example.com/get.php?id=1", "application/pdf", "get.pdf"},
		{"URL of a program, unknown type", "", "https://example.com/get.php?id=1", "application/x-what", "get.php"},
		{"URL without extension, text", "", "https://example.com/LICENSE", "text/plain", "LICENSE"},
		{"URL without extension, bytes", "", "https://example.com/blob", "application/octet-stream", "blob"},
		{"suffix of the type", "", "https://example.com/x", "application/problem+json", "x.json"},
		{"type without magic", "", "https://example.com/x", "text/markdown", "x.md"},
		{"no URL", "", "", "image/png", "index.png"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var parsed *url.URL
			if tt.url != "" {
				var err error
				if parsed, err = url.Parse(tt.url); err != nil {
					t.Fatal(err)
				}
			}
			if got := NameFrom(tt.header, parsed, tt.mediaType); got != tt.want {
				t.Errorf("NameFrom(%q, %q, %q) = %q, want %q", tt.header, tt.url, tt.mediaType, got, tt.want)
			}
		})
	}
}

func checkSafe(t *testing.T, name string) {
	t.Helper()
	switch {
	case name == "" || len(name) > maxNameBytes || !utf8.ValidString(name):
		t.Errorf("%q: bad length or bytes", name)
	case strings.HasPrefix(name, ".") || strings.HasPrefix(name, "-"):
		t.Errorf("%q: bad first character", name)
	case strings.ContainsAny(name, "/\\:\x00") || strings.ContainsFunc(name, unicode.IsControl):
		t.Errorf("%q: bad character", name)
	case isDevice(name):
		t.Errorf("%q is a device", name)
	case SafeName(name) != name:
		t.Errorf("%q is safe, but made safe again it is %q", name, SafeName(name))
	}
}

func FuzzSafeName(f *testing.F) {
	for _, s := range []string{"", "../a.tar.gz", `con\nul.`, "a\u202eb", strings.Repeat("é.", 100), "_con.x", "com¹", "\u0301a ."} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { checkSafe(t, SafeName(s)) })
}

func FuzzNameFrom(f *testing.F) {
	f.Add(`attachment; filename="a;\"b.csv"; filename*=UTF-8''%e2%82%ac`, "/a/b%20c.php", "application/pdf")
	f.Add(`filename*0*=UTF-8''a; filename*1="b`, "", "x/y+json")
	f.Add("attachment; filename=\"=?UTF-8?B?Y2Fm?=\"", "/%2e%2e/", "text/html; a=b")
	f.Add("; ; = ;filename=';filename='", "/..", "")
	f.Fuzz(func(t *testing.T, header, path, mediaType string) {
		checkSafe(t, NameFrom(header, &url.URL{Path: path}, mediaType))
	})
}
