package parallel

import (
	"regexp"
	"strings"
	"unicode"
)

// noticeText is how many letters and digits a page has at most that is nothing
// but a notice: a browser check, a login, an error.
const noticeText = 1200

// notices is what such pages call themselves, and nothing else.
var notices = regexp.MustCompile(`(?i)^(?:just a moment|attention required!? *(?:\| *cloudflare)?|checking your browser.*|verify(?:ing)? (?:that )?you are (?:a )?human.*|are you a (?:robot|human)|` +
	`access (?:to this page has been )?denied|(?:error )?40[134](?:[ :-]*(?:unauthorized|forbidden|(?:page )?not found))?|(?:unauthorized|forbidden)|page not found|` +
	`sign in|log ?in|login required|please (?:sign|log) in|(?:sign|log) in to (?:continue|your account)|enable javascript(?: and cookies)?(?: to continue)?)[ .…!?]*$`)

// notice is the name of a notice that stands in place of a page, by its title
// or first line, "" when it is none. The next fetcher sees the page itself and
// judges better; here a short text with such a name is not believed.
func notice(title, content string) string {
	letters := 0
	for _, r := range content {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			if letters++; letters > noticeText {
				return ""
			}
		}
	}
	first, _, _ := strings.Cut(strings.TrimSpace(content), "\n")
	for _, name := range []string{title, strings.TrimLeft(first, "# ")} {
		if name = strings.TrimSpace(name); notices.MatchString(name) {
			return name
		}
	}
	return ""
}
