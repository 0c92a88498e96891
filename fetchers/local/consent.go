package local

import (
	"path"
	"slices"
	"strings"

	"pifetch/internal/termtext"
)

// consentText is how much text, in characters, a page has at most whose heading
// asks for consent. Lists of partners are long.
const consentText = 12000

// consentNames are what a consent page calls itself.
var consentNames = []string{
	"before you continue", "we value your privacy", "your privacy", "privacy settings", "privacy choices", "cookie consent", "cookie settings", "cookie notice", "cookies and privacy", "cookie preferences",
	"=consent", "we care about your privacy", "=about cookies", "we use cookies", "einwilligung", "=zustimmung", "=datenschutz", "privatsphäre", "vie privée", "=cookies", "privacidad", "privacidade", "=privacy", "toestemming",
}

// consentPage recognises a consent notice that there is no page under, and one
// that is a page of its own.
func consentPage(v view) finding {
	s := v.content.Signs
	f := finding{reason: "consent notice in place of the page", person: true}
	if v.moved() {
		f.reason += " (redirected to " + termtext.Cap(v.final.Host+v.final.EscapedPath(), 120) + ")"
	}
	switch {
	case s.ConsentKept, s.Consent > 0 && !v.saysMore() && !v.hasImage():
		return f
	case !s.AsksConsent || s.Text > consentText:
		return finding{}
	}
	called := func(s string) bool { return isCalled(s, consentNames) }
	if !called(v.heading) && !slices.ContainsFunc(v.segments, called) {
		return finding{}
	}
	// Who asked for a page about privacy or cookies is to have it.
	asked := strings.ToLower(v.asked.Path)
	if containsAny(asked, []string{"privacy", "cookie", "consent", "datenschutz", "legal", "terms"}) && (!v.moved() || path.Base(asked) == path.Base(strings.ToLower(v.final.Path))) {
		return finding{}
	}
	return f
}

// saysMore reports whether the page shows any text outside of the site's frame,
// other than that it is loading.
func (v view) saysMore() bool {
	return v.hasCode() || slices.ContainsFunc(v.lines, func(l string) bool { return !isLoading(l) })
}
