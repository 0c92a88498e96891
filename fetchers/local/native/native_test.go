package native_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"pifetch/fetchers/local/native"
)

func parse(t *testing.T, s string) *url.URL {
	t.Helper()
	u, err := url.Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestFrontMatter(t *testing.T) {
	for name, test := range map[string]struct{ in, title, out string }{
		"none":         {"# Winches\n", "", "# Winches\n"},
		"plain":        {"---\ntitle: Winches # of all kinds\nsidebar: 3\n---\n\nText\n", "Winches", "Text\n"},
		"double":       {"---\r\nid: w\r\ntitle: \"Winches: \\u00e9l\\\"\"\r\n---\r\nText\r\n", `Winches: él"`, "Text\r\n"},
		"bad escape":   {"---\ntitle: \"Win\\ches\"\n---\nText", `Win\ches`, "Text\n"},
		"single":       {"---\ntitle: 'The captain''s winch' \n---\nText", "The captain's winch", "Text\n"},
		"folded":       {"---\ntitle: >-\n  Winches and\n  capstans\nother: x\n---\nText", "Winches and capstans", "Text\n"},
		"mark":         {"\uFEFF---\ntitle: Winches\n...\nText", "Winches", "Text\n"},
		"a rule":       {"---\n\nText\n\n---\n", "", "---\n\nText\n\n---\n"},
		"prose":        {"---\nHe said so\n---\n", "", "---\nHe said so\n---\n"},
		"a remark":     {"---\nNote: a draft.\n\n# Winches\n\nText of it.\n\n---\nMore\n", "", "---\nNote: a draft.\n\n# Winches\n\nText of it.\n\n---\nMore\n"},
		"kinds":        {"---\ntitle: Winches\n# x\n\ntags:\n- a\n-\tb\nlist: [\n  c\n]\nWer war's: ich\n---\nText\n", "Winches", "Text\n"},
		"never ends":   {"---\ntitle: x\nText", "", "---\ntitle: x\nText\n"},
		"title inside": {"---\nmeta:\n  title: Inner\n---\nText", "", "Text\n"},
		"nothing else": {"---\ntitle: x\n---\n\n", "x", ""},
		"broken bytes": {"caf\xe9", "", "caf\uFFFD\n"},
	} {
		t.Run(name, func(t *testing.T) {
			if d := native.Read(test.in, nil); d.Title != test.title || d.Markdown != test.out {
				t.Errorf("title %q, markdown %q, want %q, %q", d.Title, d.Markdown, test.title, test.out)
			}
		})
	}
}

func TestText(t *testing.T) {
	const in = "---\ntitle: no text\n---\n# Ropes\n[splice](/a/long/address) <b>it</b> https://a.example/x\n`ok`\n"
	if d := native.Read(in, parse(t, "https://a.example/")); d.Text != len("Ropes"+"splice"+"it"+"ok") {
		t.Errorf("text = %d letters", d.Text)
	}
}

func TestLinks(t *testing.T) {
	base := parse(t, "https://a.example/docs/guide.md")
	for name, test := range map[string]struct{ in, want string }{
		"inline":          {"See [a](b.md), [c](/d?x=1#y \"Title (2)\") and ![p](../p.png).", "See [a](https://a.example/docs/b.md), [c](https://a.example/d?x=1#y \"Title (2)\") and ![p](https://a.example/p.png)."},
		"picture in link": {"[![p](p.png)](q)", "[![p](https://a.example/docs/p.png)](https://a.example/docs/q)"},
		"parentheses":     {"[a](Knot_(rope))", "[a](https://a.example/docs/Knot_(rope))"},
		"brackets":        {"[a](<b c.md>)", "[a](<https://a.example/docs/b%20c.md>)"},
		"other host":      {"[a](//b.example/c)", "[a](https://b.example/c)"},
		"definition":      {"[a]: b.md \"T\"\n  [c d]: </e>\n", "[a]: https://a.example/docs/b.md \"T\"\n  [c d]: <https://a.example/e>\n"},
		"html":            {"<img alt=x src='p.png'> <a href=\"q\" class=c>q</a>", "<img alt=x src='https://a.example/docs/p.png'> <a href=\"https://a.example/docs/q\" class=c>q</a>"},
		"in a list":       {"- a\n\n    [b](c)\n", "- a\n\n    [b](https://a.example/docs/c)\n"},
		"in a quote":      {"> [b](c)\n", "> [b](https://a.example/docs/c)\n"},
		"after a fence":   {"```\n[a](b)\n```\n[a](b)\n", "```\n[a](b)\n```\n[a](https://a.example/docs/b)\n"},
	} {
		t.Run(name, func(t *testing.T) {
			want := test.want
			if !strings.HasSuffix(want, "\n") {
				want += "\n"
			}
			if got := native.Read(test.in, base).Markdown; got != want {
				t.Errorf("got  %q\nwant %q", got, want)
			}
		})
	}
}

// What is no relative address of a link stays byte for byte.
func TestUntouched(t *testing.T) {
	base := parse(t, "https://a.example/docs/guide.md")
	for name, in := range map[string]string{
		"absolute":       "[a](https://b.example/c) <https://b.example/> [m](mailto:a@b.example)\n",
		"fragment":       "[a](#b)\n",
		"code span":      "`[a](b)` and ``x ` [c](d)``\n",
		"long code span": "a `b\n[a](b)` c\n",
		"fence":          "~~~md\n[a](b)\n\n[c]: d\n```\n[a](b)\n~~~\n",
		"open fence":     "```\n[a](b)\n",
		"fence in list":  "- a\n\n  ```\n  [a](b)\n  ```\n",
		"fence in quote": "> ```\n> [a](b)\n> ```\n",
		"indented":       "Text\n\n    [a](b)\n\n    [c](d)\n",
		"tabbed":         "Text\n\n\t[a](b)\n",
		"raw html":       "<pre>\n[a](b)\n\n[a](b)\n</pre>\n",
		"comment":        "<!-- [a](b)\n[c](d) -->\n",
		"escaped":        "\\[a\\](b) x\\](y)\n",
		"call":           "a[0] (b)\n",
		"template":       "[a]({{ url }}) [b]({c})\n",
		"footnote":       "Text[^1]\n\n[^1]: note\n",
		"no link":        "f](x y z)\n",
		"odd spaces":     "  a \t b  \n\n\n\nc\\\n",
	} {
		t.Run(name, func(t *testing.T) {
			if got := native.Read(in, base).Markdown; got != in {
				t.Errorf("got  %q\nwant %q", got, in)
			}
		})
	}
}

func TestIsHTML(t *testing.T) {
	for text, want := range map[string]bool{
		"<!DOCTYPE html>\n<title>x</title>": true,
		"\uFEFF \n<html lang=en>":           true,
		"<!-- x --><html>":                  true,
		"# <html>":                          false,
		"<p align=center>\n# Title":         false,
		"<header-bar>":                      false,
	} {
		if got := native.IsHTML(text); got != want {
			t.Errorf("IsHTML(%q) = %t", text, got)
		}
	}
}

func TestIsFile(t *testing.T) {
	for u, want := range map[string]bool{
		"https://a.example/README.md":      true,
		"https://a.example/a.MARKDOWN?x=1": true,
		"https://a.example/llms.txt":       true,
		"https://a.example/":               false,
		"https://a.example/docs/v1.2":      false,
		"https://a.example/docs?f=a.md":    false,
	} {
		if got := native.IsFile(parse(t, u)); got != want {
			t.Errorf("IsFile(%s) = %t", u, got)
		}
	}
}

func TestAlternates(t *testing.T) {
	const at = "https://a.example/docs/guide"
	for name, test := range map[string]struct {
		page, link, at string
		want           []string
	}{
		"no sign":       {page: `<link rel=alternate type=application/rss+xml href=/feed><a href="/other.md">x</a>`},
		"declared":      {page: `<link href="/docs/guide.md" type="text/markdown; charset=utf-8" rel="Alternate">`, want: []string{"/docs/guide.md"}},
		"old type":      {page: `<link rel=alternate type=text/x-markdown href=guide.md>`, want: []string{"/docs/guide.md"}},
		"relative":      {page: `<base href="/en/"><base href="/fr/"><link rel=alternate type=text/markdown href=g.md>`, want: []string{"/en/g.md"}},
		"other origin":  {page: `<link rel=alternate type=text/markdown href=https://b.example/docs/guide.md><link rel=alternate type=text/markdown href=http://a.example/docs/guide.md>`},
		"itself":        {page: `<link rel=alternate type=text/markdown href="/docs/guide#x">`},
		"several":       {page: `<link rel=alternate type=text/markdown href=/all.md><link rel=alternate type=text/markdown href=/b.md><link rel=alternate type=text/markdown href=/docs/guide.md>`, want: []string{"/docs/guide.md", "/all.md"}},
		"header":        {link: `</x>; rel=preload, </docs/guide.md>; type="text/markdown"; rel="alternate", <https://b.example/>; rel=canonical`, want: []string{"/docs/guide.md"}},
		"own link":      {page: `<a href="guide.md?plain=1">View as Markdown</a>`, want: []string{"/docs/guide.md?plain=1"}},
		"index link":    {page: `<a class=x href="/llms.txt">llms.txt</a>`, want: []string{"/docs/guide.md", "/docs/guide/index.md"}},
		"index header":  {link: `</llms.txt>; rel="llms-txt"`, at: "https://a.example/docs/guide/", want: []string{"/docs/guide/index.md", "/docs/guide.md"}},
		"its index":     {page: `<link rel=alternate type=text/markdown href=/llms.txt><link rel=alternate type=text/markdown href=/docs/guide.md>`, want: []string{"/docs/guide.md"}},
		"generator":     {page: `<meta name="Generator" content="GitBook (1a2b3c)">`, at: "https://a.example/", want: []string{"/index.md", "/index.html.md"}},
		"html":          {page: `<link rel=llms-txt href=/llms.txt>`, at: "https://a.example/a.html", want: []string{"/a.md", "/a.html.md"}},
		"query":         {page: `<a href="/llms.txt">x</a>`, at: "https://a.example/search?q=a"},
		"other index":   {page: `<a href="https://b.example/llms.txt">llms.txt</a>`},
		"markdown name": {page: `<a href="/llms.txt">x</a>`, at: "https://a.example/view/README.md"},
	} {
		t.Run(name, func(t *testing.T) {
			if test.at == "" {
				test.at = at
			}
			var got []string
			for _, u := range native.Alternates([]byte(test.page), http.Header{"Link": {test.link}}, parse(t, test.at)) {
				if u.Host != "a.example" || u.Scheme != "https" {
					t.Errorf("%s is on another origin", u)
				}
				got = append(got, u.RequestURI())
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("alternates = %q, want %q", got, test.want)
			}
		})
	}
}

const (
	extracted = `# Splicing

An eye splice makes a permanent loop in the end of a rope. It keeps nearly all of the strength of the rope, which no knot does.

## Steps

1. Unlay the [strands](https://a.example/strands) over a hand's width.
2. Tuck each strand under the lay, three times at least.

| rope | tucks |
|---|---|
| hemp | 3 |
| nylon | 5 |
`
	source = `# Splicing

> Part of the handbook. [Index](/llms.txt)

An eye splice makes a permanent loop in the end of a rope.
It keeps *nearly all* of the strength of the rope, which no knot does.

Steps
-----

* Unlay the [strands](/strands) over a hand's width.
* Tuck each strand under the lay, three times at least.

<Table rows={2}>
| rope | tucks |
| :-- | --: |
| hemp | 3 |
| nylon | 5 |
</Table>
`
	sibling = `# Whipping

A whipping keeps the end of a rope from fraying. It takes none of the strength of the rope, but it does not last.

## Steps

1. Lay a loop of [twine](https://a.example/twine) along the end of the rope.
2. Wind the twine around both, as wide as the rope is thick.
`
)

func TestSame(t *testing.T) {
	for name, test := range map[string]struct {
		page, markdown string
		want           bool
	}{
		"itself":      {extracted, extracted, true},
		"its source":  {extracted, source, true},
		"a sibling":   {extracted, sibling, false},
		"half of it":  {extracted, extracted[:len(extracted)/2], false},
		"much more":   {extracted, extracted + strings.Repeat(sibling, 3), false},
		"nothing":     {extracted, "", false},
		"no page":     {"", source, false},
		"one script":  {"索具店出售绳索、滑轮和帆布。", "# 店\n索具店出售绳索、滑轮和帆布。", true},
		"other words": {"索具店出售绳索、滑轮和帆布。", "今天下午港口有大风，渡轮停航。", false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := native.Same(test.page, test.markdown); got != test.want {
				t.Errorf("same = %t", got)
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{source, "---\ntitle: \"x\n---\n", "- ```\n`` `[a](b)\n<a href='", "[a]: <b\n\\", "]("} {
		f.Add(s)
	}
	base := &url.URL{Scheme: "https", Host: "a.example", Path: "/b"}
	f.Fuzz(func(t *testing.T, s string) {
		d := native.Read(s, base)
		if strings.Count(d.Markdown, "\n") > strings.Count(s, "\n")+1 {
			t.Errorf("%q became %q", s, d.Markdown)
		}
		if again := native.Read("x\n\n"+d.Markdown, base).Markdown; again != "x\n\n"+d.Markdown {
			t.Errorf("%q became %q, and that %q", s, d.Markdown, again)
		}
	})
}
