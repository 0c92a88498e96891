package extract

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// accepts open the labels of the buttons of consent notices, in the languages
// such notices are most often met in.
var accepts = []string{
	"accept", "i accept", "agree", "i agree", "yes, i agree", "allow", "consent", "got it", "ok", "i understand", "understood", "reject", "decline", "deny",
	"alle akzept", "akzept", "zustimm", "einverstanden", "ablehnen",
	"tout accepter", "accepter", "j'accepte", "j’accepte", "tout refuser", "aceptar", "acepto", "rechazar", "accett", "rifiuta",
	"aceit", "concordo", "alles accepteren", "alle cookies", "akkoord", "godkänn", "acceptera", "godta", "tillad", "hyväksy",
	"akcept", "zaakceptuj", "zgadzam", "přijmout", "souhlas", "принять", "согласен", "kabul", "同意", "すべて同意", "接受", "全部接受", "동의", "모두 동의",
}

// consentTopics and consentVoices are words of which a notice has one each:
// what it is about, and who speaks.
var (
	consentTopics = []string{
		"cookie", "consent", "your privacy", "personal data", "einwilligung", "datenschutz", "personenbezogen", "données personnelles", "vie privée",
		"datos personales", "privacidad", "dati personali", "dados pessoais", "persoonsgegevens", "クッキー", "개인정보", "隐私", "файлы куки",
	}
	consentVoices = []string{
		"we use", "we and ", "we value", "we store", "we care", "we need your", "we would like", "we'd like", "our partners", "uses cookies", "use of cookies", "use cookies", "using cookies",
		"your privacy", "your consent", "to consent", "you accept", "you agree", "wir ", "ihre ", "unsere", "nous ", "nos partenaires", "utilizamos", "usamos", "nuestros", "utilizziamo",
		"noi ", "usiamo", "nós ", "wij ", "onze ", "we gebruiken", "vi bruger", "vi använder", "používáme", "używamy", "мы используем", "使用しています", "我们使用", "사용합니다",
	}
)

// asksConsent reports whether a text asks for consent to cookies or to the use
// of personal data.
func asksConsent(s string) bool {
	s = strings.ToLower(s)
	return containsAny(s, consentTopics) && containsAny(s, consentVoices)
}

// acceptControls are the buttons under n by which consent is given or refused.
func acceptControls(n *html.Node) []*html.Node {
	return findAll(n, func(n *html.Node) bool { return isAccept(controlLabel(n)) })
}

func isAccept(label string) bool {
	return label != "" && len(label) <= 60 && slices.ContainsFunc(accepts, func(a string) bool { return strings.HasPrefix(label, a) })
}

// noticeText is the most a consent notice says, in characters.
const noticeText = 4000

// repeatedLabel is how often a button is on a page that stands beside each of
// many things, as one to agree with a post.
const repeatedLabel = 3

// consentNotices are the elements that no name gives away as consent notices:
// those around a button for it that say what it is for. The page itself, an
// article, what has the title or code in it and what has a button that others
// have as well are none.
func consentNotices(doc *html.Node, size map[*html.Node]metrics) map[*html.Node]bool {
	notices := map[*html.Node]bool{}
	small := func(n *html.Node) bool {
		return n != nil && n.Type == html.ElementNode && !isOne(n, atom.Html, atom.Body, atom.Main, atom.Article) && role(n) != "main" && size[n].text <= noticeText
	}
	controls := acceptControls(doc)
	labelled := map[string]int{}
	for _, n := range controls {
		labelled[controlLabel(n)]++
	}
	for _, n := range controls[:min(len(controls), maxControls)] {
		if labelled[controlLabel(n)] >= repeatedLabel {
			continue
		}
		for range 8 {
			if n = n.Parent; !small(n) || asksConsent(textOf(n)) {
				break
			}
		}
		if !small(n) || hasTitle(n) || contains(n, is(atom.Pre)) {
			continue
		}
		for small(n.Parent) && !hasTitle(n.Parent) && !contains(n.Parent, is(atom.Pre)) && size[n.Parent].text <= size[n].text+40 {
			n = n.Parent
		}
		notices[n] = true
	}
	return notices
}
