package main

import (
	"errors"
	"testing"
)

func TestColoured(t *testing.T) {
	for _, tt := range []struct {
		name string
		env  map[string]string
		want bool
	}{
		{"terminal", map[string]string{"TERM": "xterm"}, true},
		{"empty NO_COLOR", map[string]string{"NO_COLOR": ""}, true},
		{"NO_COLOR", map[string]string{"NO_COLOR": "0"}, false},
		{"dumb", map[string]string{"TERM": "dumb"}, false},
		{"agent", map[string]string{"AI_AGENT": "pi"}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, _, _ := testApp()
			a.getenv = func(key string) string { return tt.env[key] }
			if got := a.coloured(); got != tt.want {
				t.Errorf("coloured = %v, want %v", got, tt.want)
			}
		})
	}
}

func TestColours(t *testing.T) {
	a, out, stderr := testApp()
	a.outColour, a.errColour = true, true
	for _, c := range []check{{Name: "daemon", Level: levelOK, Text: "t"}, {Name: "display", Level: levelWarn, Text: "t", Next: "n"}, {Name: "profile", Level: levelFail, Text: "t"}} {
		if err := printCheck(a, c); err != nil {
			t.Fatal(err)
		}
	}
	a.report(hintedError{errors.New("e\x1b[31m"), "h"})
	if want := "\x1b[32mok\x1b[0m    daemon      t\n\x1b[33mwarn\x1b[0m  display     t — n\n\x1b[31mfail\x1b[0m  profile     t\n"; out.String() != want {
		t.Errorf("stdout %q, want %q", out, want)
	}
	if want := "pifetchctl: \x1b[31merror:\x1b[0m e\npifetchctl: \x1b[33mhint:\x1b[0m h\n"; stderr.String() != want {
		t.Errorf("stderr %q, want %q", stderr, want)
	}
}
