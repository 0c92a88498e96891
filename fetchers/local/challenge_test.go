package local

import (
	"net/http"
	"strings"
	"testing"
)

func TestChallenge(t *testing.T) {
	const (
		short = 20 // words
		long  = 500
	)
	header := func(name, value string) http.Header {
		h := http.Header{}
		h.Set(name, value)
		return h
	}
	for _, tt := range []struct {
		name string
		page Page
		text int
		want string
	}{
		{"Cloudflare says so", Page{Status: 403, Header: header("cf-mitigated", "challenge")}, short, "Cloudflare"},
		{"Cloudflare says so, much text", Page{Status: 200, Header: header("cf-mitigated", "challenge")}, long, "Cloudflare"},
		{"Vercel says so", Page{Status: 429, Header: header("x-vercel-mitigated", "challenge")}, short, "Vercel"},
		{"AWS challenge", Page{Status: 202, Header: header("x-amzn-waf-action", "challenge")}, short, "AWS WAF"},
		{"AWS captcha", Page{Status: 405, Header: header("x-amzn-waf-action", "captcha")}, short, "AWS WAF"},
		{"served by Cloudflare", Page{Status: 403, Header: header("server", "cloudflare")}, short, ""},
		{"Cloudflare's script", Page{Status: 503, HTML: []byte(`<script src="/cdn-cgi/challenge-platform/h/g"></script>`)}, short, "Cloudflare"},
		{"Cloudflare's script in an article", Page{Status: 200, HTML: []byte(`<script src="/cdn-cgi/challenge-platform/h/g"></script>`)}, long, ""},
		{"DataDome", Page{Status: 403, HTML: []byte(`<iframe src="https://geo.captcha-delivery.com/captcha/?x">`)}, short, "DataDome"},
		{"HUMAN", Page{Status: 403, HTML: []byte(`<div id="px-captcha">`)}, short, "HUMAN"},
		{"Imperva", Page{Status: 200, HTML: []byte(`<iframe src="/_Incapsula_Resource?x">`)}, short, "Imperva"},
		{"Anubis with 200", Page{Status: 200, HTML: []byte(`<title>Making sure you&#39;re not a bot!</title>`)}, short, "Anubis"},
		{"captcha with 429", Page{Status: 429, HTML: []byte(`<div class="g-recaptcha">`)}, short, "captcha"},
		{"captcha in a contact form", Page{Status: 200, HTML: []byte(`<div class="g-recaptcha">`)}, short, ""},
		{"waiting room", Page{Status: 503, Title: "Just a moment..."}, short, "browser check"},
		{"waiting room with 200", Page{Status: 200, Title: "Checking your browser before accessing a.example"}, short, "browser check"},
		{"a short page about them", Page{Status: 200, Title: "Robot check list for the arm in hall 3"}, short, ""},
		{"an article about them", Page{Status: 200, Title: "Just a moment... and why it is everywhere"}, long, ""},
		{"an ordinary refusal", Page{Status: 403, Title: "Forbidden"}, short, ""},
		{"a file that names one", Page{Status: 200, File: "x", HTML: nil}, 0, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.page.File == "" {
				tt.page.HTML = append(tt.page.HTML, "<p>"+strings.Repeat("tidal ", tt.text)...)
			}
			if got := challenge(&tt.page); got != tt.want {
				t.Errorf("challenge = %q, want %q", got, tt.want)
			}
		})
	}
}
