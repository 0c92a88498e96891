package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"pifetch/internal/settings"
)

func TestKeep(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings.json")
	file := settings.Open(path)
	if got := keep(file); got != 7*24*time.Hour {
		t.Errorf("without settings artifacts are kept for %v, want 7 days", got)
	}
	for text, want := range map[string]time.Duration{
		`{"webTools": {"fetch": {"artifacts": {"keepDays": 30}}}}`:                      30 * 24 * time.Hour,
		`{"webTools": {"fetch": {"artifacts": {"keepDays": 0}}}}`:                       0,
		`{"webTools": {"fetch": {"artifacts": {"keepDays": 30}, "idleMinutes": "no"}}}`: 0, // wrong: for ever
		``: 0, // being written
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := keep(file); got != want {
			t.Errorf("%q: artifacts are kept for %v, want %v", text, got, want)
		}
	}
}
