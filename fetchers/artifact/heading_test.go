package artifact

import (
	"testing"

	"pifetch/fetchers"
)

func TestHeadingLine(t *testing.T) {
	outline := []fetchers.Heading{{Line: 1, Level: 1, Text: "Getting started"}, {Line: 9, Level: 2, Text: "What's new in 2.0?"}, {Line: 20, Level: 2, Text: "Setup"}, {Line: 31, Level: 2, Text: "Setup"}, {Line: 40, Level: 2, Text: "Über uns"}}
	for fragment, want := range map[string]int{
		"getting-started": 1, "whats-new-in-20": 9, "setup": 20, "setup-1": 31, "Setup": 20, "über-uns": 40, "setup-2": 0, "": 0,
	} {
		if got := HeadingLine(outline, fragment); got != want {
			t.Errorf("#%s: line %d, want %d", fragment, got, want)
		}
	}
}
