package local

import (
	"strings"
	"testing"

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
