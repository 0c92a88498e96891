package local

import (
	"testing"

	"pifetch/internal/weburl"
)

func TestMoved(t *testing.T) {
	for _, tt := range []struct {
		asked, final string
		want         bool
	}{
		{"http://gazette.example/lock", "https://www.Gazette.example/lock/?a=b#c", false},
		{"https://gazette.example", "https://gazette.example/", false},
		{"https://gazette.example/lock", "https://gazette.example/login", true},
		{"https://gazette.example/lock", "https://sso.example/lock", true},
	} {
		asked, err := weburl.Parse(tt.asked)
		if err != nil {
			t.Fatal(err)
		}
		final, err := weburl.Parse(tt.final)
		if err != nil {
			t.Fatal(err)
		}
		if got := moved(asked, final); got != tt.want {
			t.Errorf("moved(%s, %s) = %t", tt.asked, tt.final, got)
		}
	}
}
