package local

import (
	"strings"
	"testing"

	"pifetch/fetchers"
	"pifetch/fetchers/local/extract"
)

func TestPageFactsOfWhatIsMissing(t *testing.T) {
	for _, c := range []struct {
		page    Page
		content extract.Result
		want    string
	}{
		{Page{}, extract.Result{Text: 900, PageText: 1000}, ""},
		{Page{}, extract.Result{Text: 70, PageText: 2000}, "only 70 characters of text"},
		{Page{}, extract.Result{Text: 70, PageText: 90}, ""},
		{Page{Thin: true, StillLoading: true}, extract.Result{Text: 70, PageText: 90}, "still loading|only 70 characters of text"},
		{Page{}, extract.Result{Text: 290, PageText: 1000, Loss: extract.Loss{Text: extract.Share{Page: 1000, Kept: 290}}}, "extracted 29 % of visible text outside navigation"},
	} {
		if got := strings.Join(pageFacts(&c.page, c.content), "|"); got != c.want {
			t.Errorf("%+v: %q, want %q", c.content, got, c.want)
		}
	}
}

func TestHeadingLine(t *testing.T) {
	outline := []fetchers.Heading{{Line: 1, Level: 1, Text: "Getting started"}, {Line: 9, Level: 2, Text: "What's new in 2.0?"}, {Line: 20, Level: 2, Text: "Setup"}, {Line: 31, Level: 2, Text: "Setup"}, {Line: 40, Level: 2, Text: "Über uns"}}
	for fragment, want := range map[string]int{
		"getting-started": 1, "whats-new-in-20": 9, "setup": 20, "setup-1": 31, "Setup": 20, "über-uns": 40, "setup-2": 0, "": 0,
	} {
		if got := headingLine(outline, fragment); got != want {
			t.Errorf("#%s: line %d, want %d", fragment, got, want)
		}
	}
}
