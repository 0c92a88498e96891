package local

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"pifetch/internal/termtext"
)

const (
	teaserText  = 200  // characters of text before a paywall that are worth delivering
	listText    = 1000 // of text beside one line about subscriptions: the line may be a label
	gateLine    = 160  // characters of a line that asks for a subscription
	paragraph   = 120  // characters that make a line the text goes on with
	wordsFactor = 0.6  // of the announced words that are shown at most when a text is cut
)

// A line asks for a subscription when it has one of each, or one of gateAlone.
var (
	gateAsks = []string{
		"subscribe", "subscriber", "subscription", "sign in", "sign up", "log in", "register", "create an account", "create a free account", "members only", "paid member", "become a member", "premium", "unlock", "free articles",
		"mit abo", "dem abo", "im abo", "ein abo", "zum abo", "abonn", "registrier", "suscri", "assin", "inscri", "会員", "購読", "订阅", "구독",
	}
	gateWhats = []string{
		"continue reading", "keep reading", "to read the full", "to read the rest", "the full article", "the full story", "read the whole", "full access", "unlock this", "this article", "this story", "this post", "this content", "your limit", "articles this month", "articles left",
		"articles remaining", "read on", "weiterlesen", "diesen artikel", "dieser artikel", "lire la suite", "cet article", "seguir leyendo", "este artículo", "este artigo", "continuar lendo", "continua a leggere", "questo articolo", "verder lezen", "dit artikel", "続きを読む", "この記事", "阅读全文", "이 기사",
	}
	gateAlone = []string{"for subscribers only", "subscribers only", "for paid subscribers", "subscriber-only", "limit of free articles", "reached your article limit", "réservé aux abonnés", "nur für abonnenten", "solo para suscriptores", "alleen voor abonnees", "riservato agli abbonati", "exclusivo para assinantes", "有料会員", "会員限定"}

	// gateNot stand in lines that ask for something else.
	gateNot = []string{"newsletter", "inbox", "e-mail", "email", "podcast", "comment", "notification", "reply", "like this", "more like", "channel"}

	// gateWeak are enough in an element that is named as a paywall.
	gateWeak = []string{"subscri", "sign in", "log in", "register", "account", "member", "abonn", "suscri", "assin", "inscri", "会員", "購読", "订阅", "구독"}
)

// paywall names a text that a paywall cuts, and fails a page of which it
// leaves nothing. How much it cuts cannot be seen, unless the page says how
// long its text is.
func paywall(v view) finding {
	s := v.content.Signs
	if v.hasCode() {
		return finding{}
	}
	gate, named := -1, ""
	for _, g := range s.Gates {
		if containsAny(g, gateWeak) || containsAny(g, gateWhats) {
			named = plain(g)
		}
	}
	for i, l := range v.lines {
		switch {
		case asksToSubscribe(l):
			gate = i
		case len(l) >= paragraph && !strings.Contains(named, l) && !s.NotFree:
			gate = -1 // the text goes on
		}
	}
	if gate < 0 && named == "" {
		return finding{fact: announced(v)}
	}
	text, all := 0, 0
	for i, l := range v.lines {
		if s.Lines[i].Heading || asksToSubscribe(l) || strings.Contains(named, l) {
			continue
		}
		n := utf8.RuneCountInString(l)
		all += n
		if gate < 0 || i < gate || len(l) >= paragraph {
			text += n
		}
	}
	if text < teaserText && (named != "" || s.NotFree && all < listText) {
		return finding{reason: "paywall in place of the text", person: true}
	}
	if text < teaserText && !s.NotFree {
		return finding{} // a page about subscriptions
	}
	return finding{fact: "paywall: the text may be only the beginning"}
}

// announced compares the length of a text that is not free with the one the
// page announces, and names both when much is missing. Words are counted in
// texts that have spaces between them.
func announced(v view) string {
	s := v.content.Signs
	words := len(strings.Fields(v.text))
	if all := utf8.RuneCountInString(v.text); all < s.Text { // lines are cut
		words = words * s.Text / max(all, 1)
	}
	if !s.NotFree || words*12 < s.Text || float64(words) >= wordsFactor*float64(s.Words) {
		return ""
	}
	return fmt.Sprintf("paywall: about %s of %s words", termtext.Count(max(words/10*10, 10)), termtext.Count(s.Words))
}

func asksToSubscribe(l string) bool {
	if len(l) > gateLine || containsAny(l, gateNot) {
		return false
	}
	return containsAny(l, gateAlone) || containsAny(l, gateAsks) && containsAny(l, gateWhats)
}
