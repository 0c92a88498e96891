package parallel

import (
	"errors"
	"strings"
	"testing"
)

func FuzzReadAnswer(f *testing.F) {
	for _, s := range []string{
		`{"results":[{"url":"https://a.example/","excerpts":["x"],"full_content":null}],"errors":[{"url":"b","error_type":"t","http_status_code":null}],"warnings":null}`,
		`{"type":"error","error":{"ref_id":"r","message":"m","detail":[1]}}`, `{"results":[{}]}`, `{"results":{`, `{"a":{"b":[[]]},"results":[]}`, `[]`, `{"results":[`, `{1:2}`, "",
	} {
		f.Add(s)
	}
	a := account{key: new("secret")}
	f.Fuzz(func(t *testing.T, text string) {
		given := 0
		ans, err := a.readAnswer(strings.NewReader(text), func(r extractResult) {
			given++
			if r.URL == "" {
				t.Error("a result without a URL")
			}
		})
		if err != nil && (strings.ContainsAny(err.Error(), "\r\n") || err.Error() == "" || strings.Contains(err.Error(), "secret")) {
			t.Errorf("error %q", err)
		}
		if err == nil && given == 0 && len(ans.errors) == 0 && !strings.Contains(text, "{") {
			t.Error("an answer out of nothing")
		}
	})
}

// The limit is one of what a page has, however much of the next is there to be
// read ahead.
func TestLimitOfAPage(t *testing.T) {
	page := func(size int) string {
		const frame = `{"url":"u","full_content":""}`
		return frame[:len(frame)-2] + strings.Repeat("x", size-len(frame)) + `"}`
	}
	for _, tt := range []struct {
		name  string
		sizes []int
		want  error
		pages int
	}{
		{"just below", []int{maxValue - 100, maxValue - 100, 100, maxValue - 100}, nil, 4},
		{"above", []int{100, maxValue + 1}, errTooLong, 1},
	} {
		var pages []string
		for _, n := range tt.sizes {
			pages = append(pages, page(n))
		}
		got := 0
		_, err := account{}.readAnswer(strings.NewReader(`{"results":[`+strings.Join(pages, ",")+`]}`), func(extractResult) { got++ })
		if !errors.Is(err, tt.want) || got != tt.pages {
			t.Errorf("%s: %d pages and %v, want %d and %v", tt.name, got, err, tt.pages, tt.want)
		}
	}
}
