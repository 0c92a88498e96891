package extract

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

func TestServe(t *testing.T) {
	in := strings.Join([]string{
		`{"url":"https://site.example/a/","html":"<p><a href=b>x &lt;</a>"}`,
		``,
		`no object`,
		`{"url":"https://site.example/","html":""}`,
		`{"url":":","html":"<p>x"}`,
		`{"html":"<p>last line without an end"}`,
	}, "\n")
	want := strings.Join([]string{
		`{"markdown":"[x <](https://site.example/a/b)\n"}`,
		`{"markdown":"","error":"parse request: invalid character 'o' in literal null (expecting 'u')"}`,
		`{"markdown":"","error":"no content extracted"}`,
		`{"markdown":"","error":"parse page URL: parse \":\": missing protocol scheme"}`,
		`{"markdown":"last line without an end\n"}`,
		``,
	}, "\n")
	var out bytes.Buffer
	if err := Serve(strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}

func TestPage(t *testing.T) {
	var out bytes.Buffer
	if err := Page(strings.NewReader("<meta charset=windows-1252><h2>R\xe4tsel</h2><p><a href=x>y</a>"), &out, "https://site.example/"); err != nil {
		t.Fatal(err)
	}
	if want := "## Rätsel\n\n[y](https://site.example/x)\n"; out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
	if err := Page(strings.NewReader(""), &out, ""); !errors.Is(err, ErrNoContent) {
		t.Errorf("empty page: %v, want ErrNoContent", err)
	}
	if err := Page(strings.NewReader("<p>x"), &out, "%zz"); err == nil {
		t.Error("a bad URL is accepted")
	}
}
