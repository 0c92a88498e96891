package local

import (
	"slices"
	"strings"
	"unicode/utf8"

	"pifetch/internal/termtext"
)

// wallKind is one kind of notice that sites put in place of a page, with
// the phrases they use. All phrases are plain.
type wallKind struct {
	reason string
	person bool

	// names call the page so, in its heading or, where it has none that says
	// more, in a part of its title (isCalled).
	names []string
	// says stand in the text of the notice. One has to.
	says []string
	// controls open the labels of its buttons. Where there are any, one has to
	// be there.
	controls []string

	// ofSite says that the names tell what is affected, which has to be the site:
	// a bridge may well be under maintenance.
	ofSite bool

	most int // characters of text of such a page
}

// wallKinds are those that are recognised.
var wallKinds = []wallKind{
	{
		reason: "age check in place of the page", person: true, most: 900,
		names: []string{"age verification", "age check", "age gate", "are you over", "are you of legal", "old enough", "are you 18", "are you 19", "are you 20", "are you 21", "verify your age", "confirm your age", "altersprüfung", "bist du schon", "avez-vous l'âge", "eres mayor de edad"},
		says: []string{
			"over 18", "over 19", "over 20", "over 21", "18 or older", "18 years", "19 years", "21 or older", "21 years", "years or older", "18+", "21+", "legal drinking age", "legal age", "date of birth", "birth date",
			"your age", "years of age", "at least 18", "at least 21", "18 jahre", "18 ans", "18 años",
		},
		controls: []string{"yes", "no", "enter", "i am", "i'm", "exit", "leave", "confirm", "verify", "continue", "submit", "over ", "ja", "oui", "sí"},
	},
	{
		reason: "region block in place of the page: the site does not serve the place this machine is in, try another source", most: 1000,
		names: []string{"not available in your", "unavailable in your", "isn't available in your", "unavailable due to legal reasons", "unavailable for legal reasons", "not available in this country", "not available in this region", "region restricted", "geo-restricted", "geographic restriction", "=access restricted"},
		says: []string{
			"available in your country", "available in your region", "available in your area", "available in your location", "available in your territory", "available in this country", "available in this region", "available to visitors from", "unavailable due to legal reasons", "unavailable for legal reasons",
			"from a country belonging to the european", "european economic area", "your current location", "outside of your region", "unavailable in your",
		},
	},
	{
		reason: "access denied in place of the page", person: true, most: 1200,
		names: []string{
			"access denied", "access to this page has been denied", "=403 forbidden", "=403", "=error 403", "=forbidden", "request rejected", "=request blocked", "=access blocked", "=blocked", "you have been blocked", "you've been blocked", "your access has been blocked",
			"your request has been blocked", "=permission denied", "=not authorized", "=unauthorized", "=401 unauthorized", "pardon our interruption", "=attention required", "the request could not be satisfied", "unusual traffic", "=no access", "zugriff verweigert", "accès refusé", "acceso denegado",
		},
		says: []string{"don't have permission to", "do not have permission to", "you have been blocked", "you've been blocked", "your access has been blocked", "your request has been blocked", "url was rejected", "request blocked", "access to this page has been denied", "not authorized to", "not allowed to access", "traffic from your", "made us think you were a bot", "security service", "reference #", "ray id", "incident id", "support id", "access is denied", "access forbidden", "access denied."},
	},
	{
		reason: "the page does not support this browser: update Chrome", person: true, most: 900,
		names: []string{"browser is not supported", "browser not supported", "unsupported browser", "browser unsupported", "browser is no longer supported", "browser is out of date", "outdated browser", "update your browser", "upgrade your browser", "does not support your browser", "doesn't support your browser"},
		says:  []string{"browser is not supported", "browser is no longer supported", "not supported by", "outdated browser", "browser is out of date", "upgrade your browser", "update your browser", "use a supported browser", "use a modern browser", "latest version of", "following browsers", "one of these browsers", "support your browser"},
	},
	{
		reason: "the page asks for cookies to be enabled", person: true, most: 700,
		names: []string{"cookies required", "enable cookies", "cookies are disabled", "cookies disabled", "cookies are required", "cookies must be enabled"},
		says:  []string{"cookies are disabled", "please enable cookies", "must enable cookies", "need to enable cookies", "cookies are required", "cookies must be enabled", "enable them to continue", "accept cookies to continue"},
	},
	{
		reason: "maintenance notice in place of the page: try again later", most: 600, ofSite: true,
		names: []string{
			"=maintenance", "=site maintenance", "=scheduled maintenance", "=planned maintenance", "=system maintenance", "=website maintenance", "=maintenance mode", "down for maintenance", "under maintenance", "undergoing maintenance", "be back soon", "be right back",
			"be back shortly", "service temporarily unavailable", "site temporarily unavailable", "=temporarily unavailable", "=service unavailable", "=503 service unavailable", "temporarily down", "=wartungsarbeiten", "=wartung", "=en mantenimiento", "=en maintenance", "in manutenzione", "em manutenção",
		},
		says: []string{
			"currently undergoing", "currently performing", "performing some maintenance", "currently down", "currently unavailable", "currently offline", "currently under maintenance", "is under maintenance", "be back soon", "be back shortly", "back online", "back shortly", "check back", "try again later", "temporarily unavailable", "temporarily down", "be right back", "in kürze", "dans quelques", "volveremos",
			"at the moment",
		},
	},
}

// wall names what stands in place of the page: a notice that is its only text.
// A page that merely has such a notice somewhere has a heading of its own.
func wall(v view) finding {
	if why := loginPage(v); why != "" {
		return finding{reason: "login needed (" + why + ")", person: true}
	}
	if v.isAbout() || v.isNamed() {
		return finding{}
	}
	for _, k := range wallKinds {
		if v.content.Signs.Text <= k.most && k.matches(v) {
			return finding{reason: k.reason, person: k.person}
		}
	}
	return finding{}
}

// firstText is how much text, in characters, a page without any heading may
// have to be a notice by what its first line calls it.
const firstText = 400

func (k wallKind) matches(v view) bool {
	if !containsAny(v.text, k.says) || !k.controlled(v) {
		return false
	}
	calls := func(s string) bool { return isCalled(s, k.names) && (!k.ofSite || v.isOfSite(s, k.names)) }
	if v.heading != "" && !isGeneric(v.heading) {
		return calls(v.heading) && !v.otherHeading(k) || slices.ContainsFunc(v.segments, calls) && containsAny(v.heading, k.says)
	}
	if slices.ContainsFunc(v.segments, calls) {
		return true
	}
	return v.content.Signs.Text <= firstText && len(v.lines) > 0 && calls(v.lines[0])
}

// siteWords are words by which a notice calls the site, and those around them.
var siteWords = strings.Fields(`site website web page server service services system app application portal platform store shop forum wiki blog online sito
	this the our we we're we'll it it's a is are be will has been currently now temporarily sorry down for under back soon scheduled planned and http error
	il è el la le der die das está esta o em notre unsere wir`)

// isOfSite reports whether a heading or title with one of the names is about
// the whole site: beside the name it has the site's own and words for it.
func (v view) isOfSite(s string, names []string) bool {
	known := strings.FieldsFunc(siteOf(v.final), func(r rune) bool { return r == '.' || r == '-' })
	for _, segment := range v.segments {
		if segment != s && !isCalled(segment, names) {
			known = append(known, strings.Fields(bareWords(segment))...)
		}
	}
	return slices.ContainsFunc(names, func(name string) bool {
		before, after, ok := strings.Cut(s, strings.TrimPrefix(name, "="))
		return ok && !slices.ContainsFunc(strings.Fields(bareWords(before+" "+after)), func(w string) bool {
			return !slices.Contains(siteWords, w) && !slices.Contains(known, w) && strings.Trim(w, "0123456789") != ""
		})
	})
}

// otherHeading reports whether the page has a heading that is about something
// else.
func (v view) otherHeading(k wallKind) bool {
	for i, l := range v.content.Signs.Lines {
		if h := v.lines[i]; l.Heading && h != v.heading && !isGeneric(h) && !isCalled(h, k.names) && !containsAny(h, k.says) {
			return len(v.content.Signs.Lines) > 4
		}
	}
	return false
}

func (k wallKind) controlled(v view) bool {
	return len(k.controls) == 0 || slices.ContainsFunc(v.content.Signs.Controls, func(label string) bool {
		return slices.ContainsFunc(k.controls, func(c string) bool { return strings.HasPrefix(label, c) })
	})
}

var (
	// logins are what a page calls itself that asks for a login.
	logins = []string{
		"sign in", "log in", "login", "signin", "sign in to your account", "log in to your account", "login to your account", "sign in to continue", "log in to continue",
		"login required", "authentication required", "please sign in", "please log in", "welcome back", "members only", "anmelden", "einloggen", "connexion", "se connecter", "iniciar sesión", "accedi", "entrar", "inloggen", "logga in", "ログイン", "登录", "로그인",
	}
	// loginControls open the labels of a login form's buttons.
	loginControls = []string{"sign in", "log in", "login", "next", "continue", "weiter", "anmelden", "suivant", "se connecter", "siguiente", "entrar", "accedi", "avanti", "volgende", "inloggen", "次へ", "下一步", "다음"}
	// loginSays are sentences of a page that shows itself to those who are
	// logged in only.
	loginSays = []string{
		"must be logged in to view", "must be logged in to access", "must be logged in to see", "must be signed in to view", "must be signed in to access", "must log in to view", "must log in to access", "must sign in to view",
		"need to log in to view", "need to log in to access", "need to log in to see", "need to sign in to view", "need to be logged in", "need to be signed in", "please log in to view", "please log in to access", "please log in to see", "please log in to read", "please log in to continue",
		"please sign in to view", "please sign in to access", "please sign in to see", "please sign in to read", "please sign in to continue", "log in to continue", "sign in to continue", "log in to view this page", "sign in to view this page", "login to view this page",
	}
)

// loginPage says in what way a page without a password field asks for a login,
// "" when it does not. Many forms ask for the name first.
func loginPage(v view) string {
	if v.content.Signs.Text >= loginText || v.isAbout() {
		return ""
	}
	if containsAny(v.heading, loginSays) || (v.heading == "" || isGeneric(v.heading)) && len(v.lines) > 0 && containsAny(v.lines[0], loginSays) && utf8.RuneCountInString(v.lines[0])*2 >= v.content.Signs.Text {
		return "the page asks for a login"
	}
	is := func(s string) bool { return slices.Contains(logins, bareWords(s)) }
	if !is(v.heading) && !(v.heading == "" && slices.ContainsFunc(v.segments, is)) {
		return ""
	}
	controlled := wallKind{controls: loginControls}.controlled(v)
	switch {
	case v.moved() && controlled:
		return "redirected to " + termtext.Cap(v.final.Host+v.final.EscapedPath(), 120)
	case containsAny(v.text, loginSays):
		return "the page asks for a login"
	}
	return ""
}
