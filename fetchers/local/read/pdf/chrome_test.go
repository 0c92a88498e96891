package pdf

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pifetch/profile/installed"
	"pifetch/test/need"
)

// What a browser prints: columns in order, ligatures as letters, words whole
// that were divided.
func TestReadPrinted(t *testing.T) {
	chrome, err := installed.Find("")
	need.Have(t, "chrome", err)
	dir := t.TempDir()
	html := filepath.Join(dir, "page.html")
	if err := os.WriteFile(html, []byte(`<!doctype html><html lang="en"><title>An efficient office</title>
<style>body{columns:2;hyphens:manual;font:16px serif}p{margin:0 0 1em}</style>
<h1>An efficient office</h1>
<p>The first column is about difficult waffles and their fluffy affinity for coffee.</p>
<p style="break-after:column">A di&shy;vi&shy;ded word such as counter&shy;revo&shy;lu&shy;tion&shy;aries or counter&shy;revo&shy;lu&shy;tion&shy;aries may break.</p>
<p>The second column comes after the first. Größe, naïve, 漢字.</p>
<table><tr><td>Apple pie</td><td>12.50</td></tr><tr><td>Coffee</td><td>3.20</td></tr></table>`), 0o600); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "page.pdf")
	cmd := exec.CommandContext(t.Context(), chrome, "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir="+filepath.Join(dir, "profile"),
		"--no-pdf-header-footer", "--print-to-pdf="+out, "file://"+html)
	if msg, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("print: %v\n%s", err, msg)
	}
	c, err := reader(t, "pdf-extract").Read(t.Context(), out)
	if err != nil {
		t.Fatal(err)
	}
	if c.Title != "An efficient office" || !slices.Equal(c.Facts, []string{"1 page"}) {
		t.Errorf("title %q, facts %q", c.Title, c.Facts)
	}
	rest := strings.Join(strings.Fields(c.Markdown), " ")
	for _, words := range []string{
		"An efficient office", "The first column is about difficult waffles and their fluffy affinity for coffee.",
		"counterrevolutionaries or counterrevolutionaries may break.",
		"The second column comes after the first. Größe, naïve,", "Apple pie 12.50", "Coffee 3.20",
	} {
		i := strings.Index(rest, words)
		if i < 0 {
			t.Fatalf("%q is missing, or not in order:\n%s", words, c.Markdown)
		}
		rest = rest[i+len(words):]
	}
}
