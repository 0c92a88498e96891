package local

import (
	"bytes"
	"net/http"
	"slices"
	"strings"

	"pifetch/fetchers/local/extract"
)

// vendor is how one product that stands in front of sites shows itself when it
// wants proof of a person or of a browser in place of the page.
type vendor struct {
	name string

	// header is a response header with this value on challenges and on nothing
	// else, so that it is proof alone.
	header, value string

	// markers stand in the source of its challenges, and can stand in ordinary
	// pages: they count together with a refusing status or with hardly any text.
	markers []string
}

// vendors are the products that are recognised.
var vendors = []vendor{
	{ // https://developers.cloudflare.com/cloudflare-challenges/challenge-types/challenge-pages/detect-response/
		name: "Cloudflare", header: "Cf-Mitigated", value: "challenge",
		markers: []string{"/cdn-cgi/challenge-platform/", "_cf_chl_opt", "cf-browser-verification", "<title>Attention Required! | Cloudflare"},
	},
	{ // https://vercel.com/docs/attack-challenge-mode
		name: "Vercel", header: "X-Vercel-Mitigated", value: "challenge",
	},
	{ // https://docs.aws.amazon.com/waf/latest/developerguide/waf-captcha-and-challenge-actions.html
		name: "AWS WAF", header: "X-Amzn-Waf-Action", value: "challenge",
		markers: []string{"awsWafCookieDomainList"},
	},
	{name: "AWS WAF", header: "X-Amzn-Waf-Action", value: "captcha"},
	{name: "DataDome", markers: []string{"captcha-delivery.com"}},
	{name: "HUMAN", markers: []string{"px-captcha", "_pxAppId"}},
	{name: "Imperva", markers: []string{"_Incapsula_Resource"}},
	{name: "Sucuri", markers: []string{"sucuri_cloudproxy_js"}},
	{name: "Anubis", markers: []string{"/.within.website/x/cmd/anubis/", "<title>Making sure you&#39;re not a bot!", "<title>Making sure you're not a bot!"}},
	{name: "captcha", markers: []string{"google.com/recaptcha/", "hcaptcha.com/", "challenges.cloudflare.com/turnstile/", "g-recaptcha"}},
}

// waitingTitles open the pages that check a browser and then lead on.
var waitingTitles = []string{"just a moment", "checking your browser", "verify you are human", "verifying you are human", "are you a robot", "robot check"}

// refusing are the statuses a challenge comes with, where it does not come
// with 200.
var refusing = []int{
	http.StatusAccepted, http.StatusUnauthorized, http.StatusForbidden, http.StatusMethodNotAllowed,
	http.StatusTooManyRequests, http.StatusServiceUnavailable,
}

// challengeText is how much text, in characters, a challenge page may have. One
// that says more than this is a page about challenges.
const challengeText = 1000

// challengeBytes is how large the source of a challenge page may be. Only
// smaller ones are looked into.
const challengeBytes = 512 << 10

// challenge names who put a challenge in place of the page, "" when nobody did.
func challenge(p *Page) string {
	for _, v := range vendors {
		if v.header != "" && strings.EqualFold(p.Header.Get(v.header), v.value) {
			return v.name
		}
	}
	if p.File != "" || len(p.HTML) > challengeBytes {
		return ""
	}
	who := marked(p)
	if who == "" || extract.PageText(p.HTML) >= challengeText {
		return ""
	}
	return who
}

// marked names who is named by a page that may be a challenge.
func marked(p *Page) string {
	refused := slices.Contains(refusing, p.Status)
	for _, v := range vendors {
		for _, m := range v.markers {
			// A captcha may guard the form of an ordinary short page.
			if bytes.Contains(p.HTML, []byte(m)) && (refused || v.name != "captcha") {
				return v.name
			}
		}
	}
	title := strings.ToLower(p.Title)
	for _, t := range waitingTitles {
		rest, ok := strings.CutPrefix(title, t)
		if ok && (refused || strings.Trim(rest, " .…!?") == "" || strings.HasPrefix(rest, " before ")) {
			return "browser check"
		}
	}
	return ""
}
