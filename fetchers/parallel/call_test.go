package parallel

import "testing"

func TestLooseKey(t *testing.T) {
	const plain = "https://example.com/a"
	for url, same := range map[string]bool{
		"https://EXAMPLE.com:443/a/":  true,
		"https://example.com/a//#top": true,
		"https://example.com/a%2F":    false,
		"https://example.com/a%2F/":   false,
		"https://example.com/a?":      false,
		"https://example.com/A":       false,
		"http://example.com/a":        false,
	} {
		if got := looseKey(url) == looseKey(plain); got != same {
			t.Errorf("%s counts as %s: %v, want %v", url, plain, got, same)
		}
	}
	if looseKey("https://example.com/a%2F") != looseKey("https://example.com/a%2F/") {
		t.Error("a slash after an escaped one is not passed over")
	}
}
