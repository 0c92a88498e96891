package local

import (
	"fmt"
	"slices"
	"strings"

	"pifetch/internal/termtext"
)

// notFoundText is how much text, in characters, a page has at most that only
// says that there is none.
const notFoundText = 1500

// notFoundNames are what such a page calls itself, without "oops", "sorry",
// "error" and the number.
var notFoundNames = []string{
	"not found", "page not found", "this page could not be found", "page could not be found", "that page can't be found", "page can't be found", "the page can't be found", "page cannot be found", "page does not exist", "page doesn't exist",
	"this page doesn't exist", "this page does not exist", "this page isn't available", "page no longer exists", "file not found", "we can't find that page", "we couldn't find that page", "we can't find this page", "we couldn't find this page",
	"we can't find the page you're looking for", "we couldn't find the page you were looking for", "we can't find the page you are looking for", "the page you're looking for can't be found", "the page you are looking for could not be found",
	"the page you requested could not be found", "the page you were looking for doesn't exist", "the page you're looking for doesn't exist", "the requested page could not be found", "page missing", "nothing here",
}

// notFoundForeign are those of other languages. They are told by the name
// alone, as no phrases of their texts are known here.
var notFoundForeign = []string{
	"seite nicht gefunden", "seite wurde nicht gefunden", "seite existiert nicht", "page non trouvée", "page introuvable", "page inexistante", "página no encontrada", "pagina no encontrada", "página não encontrada", "pagina nao encontrada",
	"pagina non trovata", "pagina niet gevonden", "sidan hittades inte", "sidan kunde inte hittas", "siden blev ikke fundet", "siden ble ikke funnet", "siden ikke fundet", "fant ikke siden", "sivua ei löytynyt", "nie znaleziono strony", "strona nie istnieje",
	"strona nie została znaleziona", "stránka nenalezena", "stránka nebyla nalezena", "страница не найдена", "сторінку не знайдено", "sayfa bulunamadı", "ページが見つかりません", "ページが見つかりませんでした", "お探しのページは見つかりませんでした", "找不到页面", "页面不存在", "页面未找到", "找不到網頁", "頁面不存在", "페이지를 찾을 수 없습니다", "الصفحة غير موجودة",
}

// notFoundSays are what such a page tells its reader.
var notFoundSays = []string{
	"looking for", "you requested", "requested page", "requested url", "can't find", "cannot find", "couldn't find", "can't be found", "could not be found", "cannot be found", "couldn't be found", "doesn't exist", "does not exist", "no longer exists",
	"no longer available", "been removed", "been moved", "have moved", "mistyped", "nothing was found", "at this address", "go home", "go back home", "back to home", "homepage", "home page", "broken link",
}

// notFound notices a page that says that there is none although the server
// answers 200. A text about missing pages calls itself something more, or
// explains.
func notFound(v view) finding {
	in, foreign := isNotFound(v.heading)
	title := ""
	for _, s := range v.segments {
		if t, f := isNotFound(s); t {
			in, foreign, title = true, foreign || f, s
		}
	}
	headed, _ := isNotFound(v.heading)
	if !in || v.heading != "" && !headed && !isGeneric(v.heading) || v.isAbout() {
		return finding{}
	}
	name := v.heading
	if !headed {
		name = title
	}
	if !foreign && !v.saysNotFound() {
		return finding{}
	}
	quoted := "“" + termtext.Cap(v.written(name), 60) + "”"
	if v.content.Signs.Text > notFoundText {
		return finding{fact: "the page says " + quoted}
	}
	return finding{reason: fmt.Sprintf("page not found: the server answered %s, but the page says %s", strings.TrimSpace(statusLine(v.page)), quoted)}
}

// isNotFound reports whether a plain heading or title says that there is no
// page, and whether it does so in a language other than English.
func isNotFound(s string) (is, foreign bool) {
	words := bareWords(s)
	number := false
	for w := range strings.FieldsSeq(words) {
		number = number || w == "404"
	}
	var rest []string
	for w := range strings.FieldsSeq(words) {
		if !slices.Contains([]string{"404", "error", "erreur", "fehler", "http", "oops", "whoops", "ooops", "sorry", "uh", "oh", "no"}, w) {
			rest = append(rest, w)
		}
	}
	words = strings.Join(rest, " ")
	if slices.Contains(notFoundForeign, words) {
		return true, true
	}
	return number && words == "" || slices.Contains(notFoundNames, words), false
}

// saysNotFound reports whether one of the first lines tells the reader so. The
// name by itself does not count, unless it says it in a sentence.
func (v view) saysNotFound() bool {
	for _, l := range v.lines[:min(len(v.lines), 6)] {
		if bareWords(l) != "page not found" && len(l) <= 300 && containsAny(l, notFoundSays) {
			return true
		}
	}
	return false
}

// written is a plain heading or title as the page writes it.
func (v view) written(name string) string {
	for i, l := range v.lines {
		if l == name {
			return v.content.Signs.Lines[i].Text
		}
	}
	if i := strings.Index(strings.ToLower(v.page.Title), name); i >= 0 && i+len(name) <= len(v.page.Title) {
		return v.page.Title[i : i+len(name)]
	}
	return name
}

// frontPage notices a page that was asked for and led to the front page of its
// site, which is how some sites answer for pages they no longer have.
func frontPage(v view) finding {
	asked := strings.Trim(v.asked.Path, "/")
	if strings.Trim(v.final.Path, "/") != "" || v.final.RawQuery != "" || v.final.Fragment != "" || siteOf(v.final) != siteOf(v.asked) ||
		asked == "" || strings.HasPrefix(asked, "index.") || strings.HasPrefix(asked, "home") {
		return finding{}
	}
	return finding{fact: "redirected to the site's front page"}
}
