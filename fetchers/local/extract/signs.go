package extract

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Signs are what a page shows and declares by which its reader can tell whether
// it is the page that was asked for, and whether all of it is there. They are
// taken of the whole page, whatever part of it is its main content.
type Signs struct {
	// Lines are the blocks of text the page shows outside of its navigation,
	// header, footer and asides, as far as maxLines and maxLineText go, blocks
	// of code excepted. Text is the number of characters of all of it.
	Lines []Line
	Text  int

	Controls []string // labels of buttons among them, lower case

	// Consent is the number of characters of the cookie and consent notices
	// of the page; ConsentKept says that they are most of the page and were
	// therefore not removed from it.
	Consent     int
	ConsentKept bool

	// AsksConsent says that the page asks for consent and has a button for it,
	// whether in a notice or as a page.
	AsksConsent bool

	Gates   []string // what elements named as a paywall say, lower case
	NotFree bool     // JSON-LD or a meta element says that the text is not free
	Words   int      // length of the article by its JSON-LD

	Script       bool   // the page has a script
	NoScript     string // what it tells readers without script, on one line
	EmptyRoot    bool   // the element its application renders into is empty
	Placeholders int    // empty elements named as a skeleton, outside of asides
	Waiting      int    // those of them in an element that is marked as busy
	Busy         bool   // the main part is marked as busy and says nothing

	Lists []PartialList
}

// Line is one block of text.
type Line struct {
	Text    string
	Heading bool
}

const (
	maxLines    = 200
	maxLineText = 8000 // characters of all lines
	maxControls = 60
	maxGateText = 1500 // characters of a paywall's notice
	minGateText = 30   // what says less is a control
)

// declared takes the signs that stand in scripts, in the head and in elements
// without text.
func (s *Signs) declared(doc *html.Node) {
	walk(doc, func(n *html.Node) bool {
		if n.Type != html.ElementNode {
			return true
		}
		switch n.DataAtom {
		case atom.Script:
			switch t := strings.ToLower(attr(n, "type")); {
			case t == "application/ld+json":
				s.linkedData(textOf(n))
			case t == "" || t == "module" || strings.Contains(t, "javascript"):
				s.Script = true
			}
			return false
		case atom.Noscript:
			if s.NoScript == "" && !within(n, is(atom.Head)) && n.FirstChild != nil && len(n.FirstChild.Data) <= noscriptText {
				s.NoScript = shortText(noscriptContent(n), noscriptText)
			}
			return false
		case atom.Meta:
			s.NotFree = s.NotFree || attr(n, "property") == "article:content_tier" && strings.EqualFold(attr(n, "content"), "locked")
		case atom.Nav, atom.Footer, atom.Aside:
			return false
		}
		if isRoot(n) && isEmpty(n) {
			s.EmptyRoot = true
		}
		if isSkeleton(n) && isEmpty(n) && !isHidden(n) && !within(n, isHidden) {
			s.Placeholders++
			if isBusy(n) || within(n, isBusy) {
				s.Waiting++
			}
			return false
		}
		if isBusy(n) && (isOne(n, atom.Body, atom.Main) || role(n) == "main" || isRoot(n)) {
			s.Busy = s.Busy || isEmpty(n) || wordless(n)
		}
		return true
	})
}

// linkedData takes what an article says of itself (https://schema.org/Article).
func (s *Signs) linkedData(text string) {
	var data any
	if json.Unmarshal([]byte(text), &data) != nil {
		return
	}
	var visit func(v any, depth int)
	visit = func(v any, depth int) {
		if depth > 8 {
			return
		}
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				visit(e, depth+1)
			}
		case map[string]any:
			if free, ok := v["isAccessibleForFree"]; ok && isFalse(free) {
				s.NotFree = true
			}
			switch n := v["wordCount"].(type) {
			case float64:
				s.Words = max(s.Words, int(n))
			case string:
				words, _ := strconv.Atoi(n)
				s.Words = max(s.Words, words)
			}
			for _, key := range []string{"@graph", "mainEntity", "mainEntityOfPage"} {
				visit(v[key], depth+1)
			}
		}
	}
	visit(data, 0)
}

// isFalse reads a boolean as sites write it: false, "False", a schema.org URL.
func isFalse(v any) bool {
	switch v := v.(type) {
	case bool:
		return !v
	case string:
		v = strings.ToLower(v)
		return v == "false" || strings.HasSuffix(v, "schema.org/false")
	}
	return false
}

// roots are the ids of the elements that script applications render into.
var roots = set(`root app __next __nuxt ___gatsby svelte react-root app-root application app-container main-app q-app
	root-container react-app vue-app ember-application`)

func isRoot(n *html.Node) bool {
	return n.Data == "app-root" || n.DataAtom == atom.Div && roots[strings.ToLower(attr(n, "id"))]
}

// skeletons are parts of the class names of placeholders; single words of
// names are compared, as in MuiSkeleton-root or loading_shimmer.
var skeletons = []string{"skeleton", "shimmer", "placeholder-glow", "placeholder-wave", "content-loader", "content-placeholder", "ghost-line", "loading-placeholder"}

func isSkeleton(n *html.Node) bool { return partOfName(n, skeletons) }

func isBusy(n *html.Node) bool { return strings.EqualFold(attr(n, "aria-busy"), "true") }

// isEmpty reports whether n holds nothing to read or to look at. What screen
// readers are told of a wait is nothing.
func isEmpty(n *html.Node) bool {
	empty := true
	walk(n, func(n *html.Node) bool {
		switch {
		case !empty:
			return false
		case n.Type == html.TextNode:
			empty = strings.TrimSpace(n.Data) == ""
		case n.Type == html.ElementNode:
			switch n.DataAtom {
			case atom.Script, atom.Style, atom.Noscript:
				return false
			case atom.Template:
				empty = !isShadowRoot(n) || isEmptyBelow(n)
				return false
			case atom.Img, atom.Video, atom.Audio, atom.Canvas, atom.Iframe, atom.Object, atom.Embed, atom.Input, atom.Textarea:
				empty = false
			}
			if hasClass(n, screenReader) || role(n) == "status" {
				return false
			}
		}
		return empty
	})
	return empty
}

func isEmptyBelow(n *html.Node) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.TextNode && strings.TrimSpace(c.Data) != "" || c.Type == html.ElementNode && !isEmpty(c) {
			return false
		}
	}
	return true
}

// wordless reports whether n holds nothing but headings and empty elements.
func wordless(n *html.Node) bool {
	return find(n, func(n *html.Node) bool {
		if isHeading(n) || within(n, isHeading) || isOne(n, atom.Script, atom.Style, atom.Noscript) {
			return false
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if c.Type == html.TextNode && strings.TrimSpace(c.Data) != "" {
				return true
			}
		}
		return isOne(n, atom.Img, atom.Video, atom.Canvas, atom.Iframe)
	}) == nil
}

// shown takes the signs in what the page shows, and over is what was removed
// from over it.
func (s *Signs) shown(body *html.Node, over overlays) {
	s.readLines(body)
	s.Lists = partialLists(body)
	for _, n := range append(over.consent, over.kept...) {
		s.Consent += textLen(textOf(n))
	}
	for _, n := range over.kept {
		s.ConsentKept = s.ConsentKept || len(acceptControls(n)) > 0
	}
	s.AsksConsent = slices.ContainsFunc(s.Controls, isAccept) && slices.ContainsFunc(s.Lines, func(l Line) bool { return asksConsent(l.Text) })
	for _, n := range append(over.others, body) {
		walk(n, func(n *html.Node) bool {
			if n.Type != html.ElementNode || !isGate(n) {
				return true
			}
			if t := shortText(n, maxGateText); len(t) >= minGateText && !contains(n, is(atom.Main, atom.Article)) {
				s.Gates = append(s.Gates, strings.ToLower(t))
			}
			return false
		})
	}
}

// gates are parts of the names of paywalls.
var gates = []string{
	"paywall", "pay-wall", "regwall", "reg-wall", "registration-wall", "subscription-wall", "subscribe-wall",
	"subscriber-wall", "piano-offer", "article-gate", "content-gate", "meter-wall",
}

// gateways are parts of names that only open like those of paywalls.
var gateways = []string{"gateway"}

func isGate(n *html.Node) bool {
	if isOne(n, atom.Html, atom.Body, atom.Main, atom.Article) {
		return false
	}
	return partOfName(n, gates) && !partOfName(n, gateways) && !isPart(n)
}

// readLines takes the text outside of the frame of the site.
func (s *Signs) readLines(body *html.Node) {
	var sb strings.Builder
	kept := 0
	end := func(heading bool) {
		t := oneLine(sb.String())
		sb.Reset()
		if t == "" {
			return
		}
		size := textLen(t)
		s.Text += size
		if kept += size; kept <= maxLineText && len(s.Lines) < maxLines {
			s.Lines = append(s.Lines, Line{Text: t, Heading: heading})
		}
	}
	var visit func(n *html.Node, heading bool)
	visit = func(n *html.Node, heading bool) {
		switch {
		case n.Type == html.TextNode:
			sb.WriteString(n.Data)
			return
		case n.Type != html.ElementNode || isFrame(n):
			return
		}
		switch n.DataAtom {
		case atom.Select, atom.Textarea:
			return
		case atom.Pre:
			end(heading)
			s.Text += textLen(textOf(n))
			return
		case atom.Br:
			end(heading)
			return
		}
		if label := controlLabel(n); label != "" {
			if len(s.Controls) < maxControls {
				s.Controls = append(s.Controls, label)
			}
			if n.DataAtom != atom.A {
				sb.WriteString(" ")
				return
			}
		}
		block := isBlock(n)
		if block {
			end(heading)
		}
		heading = heading || isHeading(n)
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			visit(c, heading)
		}
		if block {
			end(heading)
		}
	}
	visit(body, false)
	end(false)
}

// isFrame reports whether n is the frame of a site around its pages.
func isFrame(n *html.Node) bool {
	switch role(n) {
	case "navigation", "search", "contentinfo", "banner", "complementary":
		return true
	}
	switch n.DataAtom {
	case atom.Nav, atom.Footer, atom.Aside:
		return true
	case atom.Header:
		return !within(n, is(atom.Main, atom.Article)) && !hasTitle(n)
	}
	return false
}

// controlLabel is what a button says, lower case, "" for anything else.
func controlLabel(n *html.Node) string {
	label := ""
	switch {
	case n.DataAtom == atom.Button, role(n) == "button", n.DataAtom == atom.A && looksLikeButton(n):
		label = shortText(n, 80)
		if label == "" {
			label = attr(n, "aria-label")
		}
	case n.DataAtom == atom.Input:
		switch strings.ToLower(attr(n, "type")) {
		case "submit", "button":
			label = attr(n, "value")
		}
	}
	return strings.ToLower(strings.Join(strings.Fields(label), " "))
}

func looksLikeButton(n *html.Node) bool {
	class := strings.ToLower(attr(n, "class"))
	return strings.Contains(class, "btn") || strings.Contains(class, "button")
}
