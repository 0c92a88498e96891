package local

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// How much text, in characters, a page has at most.
const (
	shellText  = 700 // that is an empty shell
	frameText  = 200 // in the header and footer around an empty shell
	failedText = 250 // whose script failed
	someText   = 25  // beside headings, that shows nothing but placeholders
	littleText = 400 // in which a few placeholders are worth a word
)

// someMarks is how many placeholders make a skeleton.
const someMarks = 3

// shell recognises a page that its script never filled, and names placeholders
// that are left in one that it did.
func shell(v view) finding {
	s := v.content.Signs
	if !v.hasImage() && !v.isAbout() {
		if reason := unfilled(v); reason != "" {
			return finding{reason: reason, person: true}
		}
	}
	switch {
	case s.Waiting >= someMarks:
		return finding{fact: placeholders(s.Waiting), shown: true}
	case s.Placeholders >= someMarks && s.Text < littleText:
		return finding{fact: placeholders(s.Placeholders), shown: true}
	}
	return finding{}
}

// unfilled says in what way a page is without its content, "" when it has some.
func unfilled(v view) string {
	s := v.content.Signs
	text := 0                                // beside headings and notices
	empty, waits, asks := true, false, false // nothing but notices; one of them says to wait; one asks for script
	for i, l := range v.lines {
		switch {
		case isLoading(l):
			waits = waits || bareWords(l) != ""
		case needsScript(l):
			asks = true
		default:
			empty = false
			if !s.Lines[i].Heading {
				text += utf8.RuneCountInString(l)
			}
		}
	}
	empty = empty && s.Text <= shellText
	switch {
	case (s.Placeholders >= someMarks || s.Busy) && text < someText:
		return "no content extracted: the page still shows placeholders where its content goes"
	case empty && (asks || waits && s.Script),
		len(v.lines) == 0 && s.Text == 0 && v.content.Text < frameText && v.awaitsScript():
		return "no content extracted: the page is the empty shell of a script application"
	case s.Script && s.Text <= failedText && scriptFailed(v):
		return "the page's script failed: the page says only that"
	}
	return ""
}

func placeholders(n int) string {
	return fmt.Sprintf("parts of the page never loaded: it still shows %d placeholders", n)
}

var loadings = []string{
	"loading", "please wait", "one moment", "just a moment", "initializing", "initialising", "starting", "laden", "wird geladen", "bitte warten", "chargement", "veuillez patienter", "cargando", "carregando",
	"caricamento", "загрузка", "読み込み中", "加载中", "載入中", "로딩",
}

// isLoading reports whether a line says only that something is on its way, or
// nothing at all.
func isLoading(l string) bool {
	if len(l) > 40 {
		return false
	}
	words := bareWords(l)
	for _, w := range loadings {
		rest, ok := strings.CutPrefix(words, w)
		if ok && (rest == "" || slices.Contains(loadings, strings.TrimSpace(rest)) || strings.HasSuffix(l, "...")) {
			return true
		}
	}
	return words == ""
}

// needsScript reports whether a line tells a reader to turn script on.
func needsScript(l string) bool {
	return strings.Contains(l, "javascript") && len(l) <= 400 &&
		containsAny(l, []string{"enable", "disabled", "require", "not available", "without", "turn on", "activ", "aktiv", "need", "habilit", "abilit", "must", "有効", "启用"})
}

// failures are what applications say whose script failed.
var failures = []string{
	"application error: a client-side exception has occurred", "unexpected application error", "something went wrong", "an unexpected error has occurred", "an unexpected error occurred", "chunkloaderror", "loading chunk", "minified react error",
	"an error has occurred. this application may no longer respond", "this page crashed", "failed to load", "there was a problem loading", "etwas ist schiefgelaufen", "une erreur est survenue", "algo salió mal",
}

// retries are what such pages say besides.
var retries = []string{"try again", "try to", "please try", "reload", "refresh", "again", "later", "console", "error", "support", "contact", "sorry", "erneut", "réessayer", "recarg"}

// scriptFailed reports whether a page says that its script failed, and nothing
// else.
func scriptFailed(v view) bool {
	failed := false
	for _, l := range v.lines {
		says := containsAny(l, failures)
		if failed = failed || says; !says && !containsAny(l, retries) && !isGeneric(l) {
			return false
		}
	}
	return failed
}

// awaitsScript reports whether the page has a place that its script fills, or
// asks readers without script for it. Comments are often such a place, and no
// page.
func (v view) awaitsScript() bool {
	asks := plain(v.content.Signs.NoScript)
	return v.content.Signs.EmptyRoot || needsScript(asks) && !strings.Contains(asks, "comment")
}
