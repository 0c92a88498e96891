package extract

import (
	"strings"
	"testing"
)

// Elements that are hidden in several ways at once, nested as deep as the parser
// allows: looking at each again from every other would not end in the test's
// time.
func TestHiddenStaysLinear(t *testing.T) {
	shown := "<p>" + strings.Repeat("word ", 100_000)
	for name, src := range map[string]string{
		"marked":      shown + strings.Repeat(`<div class="`+strings.Repeat("a ", 2000)+`">`, 400) + strings.Repeat("<b data-pifetch-hidden>t</b> ", 100_000),
		"decorations": shown + strings.Repeat(`<div aria-hidden=true>`, 400) + strings.Repeat("<b></b>", 100_000) + "<img alt=x>",
		"details":     shown + "<details>" + strings.Repeat(`<div aria-hidden=true>`, 400) + strings.Repeat("text ", 30_000),
	} {
		if got := PageText([]byte(src)); got < 500_000 {
			t.Errorf("%s: %d characters", name, got)
		}
	}
}
