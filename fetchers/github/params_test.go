package github

import (
	"net/url"
	"testing"

	"pifetch/fetchers/github/target"
)

func values(m map[string]string) url.Values {
	v := url.Values{}
	for name, value := range m {
		v.Set(name, value)
	}
	return v
}

func TestKeepsTo(t *testing.T) {
	for _, tt := range []struct {
		query string
		want  bool
	}{
		{"", true},
		{"author=ada", true},
		{"author=ada&diff=split&w=1&utm_source=mail", true},
		{"page=2", false},
		{"author=ada&after=abc", false},
	} {
		params, err := url.ParseQuery(tt.query)
		if err != nil {
			t.Fatal(err)
		}
		if got := (&job{Target: target.Target{Params: params}}).keepsTo("author"); got != tt.want {
			t.Errorf("%q: %v, want %v", tt.query, got, tt.want)
		}
	}
}
