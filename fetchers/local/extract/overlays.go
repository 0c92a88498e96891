package extract

import (
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

func isDialog(n *html.Node) bool {
	r := role(n)
	return n.DataAtom == atom.Dialog || r == "dialog" || r == "alertdialog" || strings.EqualFold(attr(n, "aria-modal"), "true")
}

// consent are the roots of the consent managers in wide use, which add them by
// script, so that they are seen in a rendered page only.
var consent = set(`cc-window cc-banner cc-dialog cybotcookiebotdialog cookiebot onetrust-banner-sdk onetrust-consent-sdk onetrust-pc-sdk
	didomi-host didomi-popup qc-cmp2-container qc-cmp2-ui truste_overlay truste_box_overlay trustarc-banner usercentrics-root
	fc-consent-root fc-dialog-overlay osano-cm-window osano-cm-dialog iubenda-cs-banner cmplz-cookiebanner cky-consent-container
	cky-modal borlabscookiebox brlbs-cmpnt-container klaro termly-styles evidon-banner sp_message_container cookieconsent
	cookie-law-info-bar cookiescript_injected cookie-disclaimer gdpr gdpr-banner gdpr-consent gdpr-cookie-notice
	moove_gdpr_cookie_info_bar cmpbox cmpwrapper cm-wrapper uc-banner-modal consent-banner consent-popup consent-modal privacy-banner
	qc-cmp-cleanslate didomi-notice truste_overlay truste-consent-track truste-consent-content consent_blackbar axeptio_overlay
	tarteaucitronroot ppms_cm_popup_overlay cookiefirst-root hs-eu-cookie-confirmation hs-banner-parent shopify-pc__banner ketch-banner`)

// cookieNotice matches the kinds of notices in names with "cookie" in them. A
// baker has cookie bars.
var cookieNotice = regexp.MustCompile(`banner|consent|notice|notification|popup|modal|dialog|overlay|alert|message|prompt|wall|bar(?:$|[^a-z])`)

// isConsent reports whether n is named as a cookie or consent notice. The names
// of an article are those of what it is about.
func isConsent(n *html.Node) bool {
	if named(n, consent) {
		return true
	}
	if isOne(n, atom.Main, atom.Article) {
		return false
	}
	for name := range strings.FieldsSeq(strings.ToLower(attr(n, "id") + " " + attr(n, "class"))) {
		switch {
		case strings.HasPrefix(name, "sp_message_container"): // numbered
			return true
		case strings.HasPrefix(name, "category-"), strings.HasPrefix(name, "tag-"):
		case strings.Contains(name, "cookie") && cookieNotice.MatchString(name):
			return true
		}
	}
	return false
}

// newsletter are the names of sign-up curtains.
var newsletter = set(`newsletter-modal newsletter-popup newsletter-overlay subscribe-modal subscribe-popup modal-backdrop
	popup-overlay exit-intent exit-popup`)

// ageGate matches the names of questions for the reader's age, and no
// storage-gateway.
var ageGate = regexp.MustCompile(`(?:(?:^|[^A-Za-z])a|A)ge[-_]?(?:[Gg]ate|[Cc]heck|[Vv]erif(?:y|ier|ication)?)(?:$|[^a-z])`)

// ageGateText is the most such a question says, in characters.
const ageGateText = 900

// isAgeGate reports whether n is named as a question for the reader's age, and
// can be answered.
func isAgeGate(n *html.Node, size map[*html.Node]metrics) bool {
	return size[n].text <= ageGateText &&
		slices.ContainsFunc([]string{attr(n, "id"), attr(n, "class"), attr(n, "data-testid")}, ageGate.MatchString) &&
		contains(n, func(n *html.Node) bool { return isOne(n, atom.Input, atom.Select) || controlLabel(n) != "" })
}

// isPart reports whether n is a heading, or a part of the page with the name of
// its heading: "cookie-notice" may be that of a chapter.
func isPart(n *html.Node) bool {
	h := find(n, isHeading)
	if h == n || h == nil {
		return h != nil
	}
	slug := func(s string) string {
		return strings.ToLower(strings.Join(strings.FieldsFunc(s, func(r rune) bool { return !isWord(r) }), ""))
	}
	id := slug(attr(n, "id"))
	return id != "" && id == slug(trimmedText(h)) && len(acceptControls(n)) == 0
}

// overlays are what lies over a page: consent notices apart from the others.
type overlays struct {
	consent []*html.Node
	others  []*html.Node
	kept    []*html.Node // consent notices that are most of the page
}

// ownText is how many characters of a page are proof that there is a page under
// a consent notice that is longer than it.
const ownText = 25

// dropOverlays removes dialogs, consent notices, age checks and sign-up curtains
// that lie over the page. One that holds most of the page's text is the page,
// unless it has the buttons of a consent notice and leaves some text.
func dropOverlays(doc *html.Node) overlays {
	size := measure(doc)
	total := size[doc].text
	notices := consentNotices(doc, size)
	own := -1 // of the page, known when it is first needed
	isPage := func(n *html.Node, asks bool) bool {
		if total-size[n].text >= size[n].text/4 {
			return false
		}
		if !asks || len(acceptControls(n)) == 0 {
			return true
		}
		if own < 0 {
			own = plainText(doc, func(n *html.Node) bool { return notices[n] || isConsent(n) || isDialog(n) || isFrame(n) })
		}
		return own < ownText
	}
	var found overlays
	walk(doc, func(n *html.Node) bool {
		if n.Type != html.ElementNode || isOne(n, atom.Html, atom.Body) {
			return true
		}
		asks := notices[n] || isConsent(n)
		if !asks && !isDialog(n) && !named(n, newsletter) && !isAgeGate(n, size) {
			return true
		}
		if !isDialog(n) && isPart(n) || contains(n, is(atom.Main, atom.Article)) {
			return true
		}
		switch {
		case isPage(n, asks):
			if asks {
				found.kept = append(found.kept, n)
			}
			return true
		case asks:
			found.consent = append(found.consent, n)
		default:
			found.others = append(found.others, n)
		}
		remove(n)
		return false
	})
	return found
}

// plainText is how many characters of text under n are neither in links and
// buttons nor in what is left out.
func plainText(n *html.Node, without func(*html.Node) bool) int {
	sum := 0
	walk(n, func(n *html.Node) bool {
		if n.Type == html.TextNode {
			sum += textLen(n.Data)
		}
		return n.Type != html.ElementNode || !isOne(n, atom.A, atom.Button) && !without(n)
	})
	return sum
}
