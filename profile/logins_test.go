package profile

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/ncruces/go-sqlite3"
)

// cookieFile makes a profile whose cookies were set at these times.
func cookieFile(t *testing.T, dir string, hosts map[string]time.Time) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(dir, "Default"), 0o700); err != nil {
		t.Fatal(err)
	}
	db, err := sqlite3.Open(filepath.Join(dir, "Default", "Cookies"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.Exec("CREATE TABLE cookies(creation_utc INTEGER NOT NULL, host_key TEXT NOT NULL, last_update_utc INTEGER NOT NULL)"); err != nil {
		t.Fatal(err)
	}
	add, _, err := db.Prepare("INSERT INTO cookies VALUES(0, ?, ?)")
	if err != nil {
		t.Fatal(err)
	}
	defer add.Close()
	for host, at := range hosts {
		add.BindText(1, host)
		add.BindInt64(2, chromeTime(at))
		if err := add.Exec(); err != nil {
			t.Fatal(err)
		}
	}
}

// goneWindow is the note of a window that closed while no daemon ran.
func goneWindow(t *testing.T, dir string, opened time.Time) {
	t.Helper()
	text, err := json.Marshal(windowRecord{process: process{PID: os.Getpid(), Start: "gone"}, Opened: opened, Profile: filepath.Join(dir, "profile")})
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "interactive.json"), text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func wantLogins(t *testing.T, b *Browser, want map[string]bool) {
	t.Helper()
	for host, in := range want {
		if got := b.LoggedIn(host); got != in {
			t.Errorf("LoggedIn(%s) = %v, want %v", host, got, in)
		}
	}
}

func TestRegistrable(t *testing.T) {
	for host, want := range map[string]string{
		".wiki.Example.co.uk.": "example.co.uk",
		"localhost":            "localhost",
		"192.0.2.7":            "192.0.2.7",
		"2001:db8::7":          "2001:db8::7",
		"[2001:db8::7]":        "2001:db8::7",
	} {
		if got := registrable(host); got != want {
			t.Errorf("registrable(%s) = %s, want %s", host, got, want)
		}
	}
}

func TestLogins(t *testing.T) {
	dir := t.TempDir()
	opened := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	cookieFile(t, filepath.Join(dir, "profile"), map[string]time.Time{
		".corp.example.com": opened.Add(time.Minute),
		"sso.example.co.uk": opened,
		"ann.github.io":     opened.Add(time.Hour),
		"10.1.2.3":          opened.Add(time.Hour),
		"old.example.org":   opened.Add(-time.Second),
	})
	goneWindow(t, dir, opened)
	want := map[string]bool{
		"example.com": true, "WWW.Example.com.": true, "corp.example.com": true, "example.co.uk": true, "ann.github.io": true, "10.1.2.3": true,
		"bob.github.io": false, "co.uk": false, "example.org": false, "old.example.org": false, "": false,
	}
	wantLogins(t, browserFor(t, dir), want)
	file := filepath.Join(dir, "logins")
	list, err := os.ReadFile(file)
	if got := "10.1.2.3\nann.github.io\nexample.co.uk\nexample.com\n"; err != nil || string(list) != got {
		t.Errorf("the list holds %q, %v, want %q", list, err, got)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the list: %v, %v", info.Mode(), err)
	}
	wantLogins(t, browserFor(t, dir), want) // of a later daemon
}

// What is not known is not taken for harmless.
func TestLoginsThatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "profile", "Default"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "profile", "Default", "Cookies"), []byte("in a form of the future"), 0o600); err != nil {
		t.Fatal(err)
	}
	goneWindow(t, dir, time.Now())
	wantLogins(t, browserFor(t, dir), map[string]bool{"example.com": true, "10.1.2.3": true})
	if list, err := os.ReadFile(filepath.Join(dir, "logins")); err != nil || string(list) != "*\n" {
		t.Errorf("the list holds %q, %v", list, err)
	}
}

func TestLoginsWithoutCookies(t *testing.T) {
	dir := t.TempDir()
	goneWindow(t, dir, time.Now())
	wantLogins(t, browserFor(t, dir), map[string]bool{"example.com": false})
	if err := os.Mkdir(filepath.Join(dir, "logins"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := New(Config{
		Launch:      func() LaunchOptions { return LaunchOptions{Dir: filepath.Join(dir, "profile")} },
		Interactive: filepath.Join(dir, "interactive.json"), Logins: filepath.Join(dir, "logins"),
	}); err == nil {
		t.Error("a list that cannot be read was taken for empty")
	}
}
