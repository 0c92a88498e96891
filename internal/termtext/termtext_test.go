package termtext

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestLine(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain", "Bump http-proxy-middleware", "Bump http-proxy-middleware"},
		{"empty", "", ""},
		{"white space folds", "  a \t b\n\nc\u00a0d\u3000e ", "a b c d e"},
		{"every line break", "a\nb\rc\r\nd\ve\ff\u0085g\u2028h\u2029i", "a b c d e f g h i"},
		{"C0 and DEL", "a\x00b\x01c\x07d\x08e\x7ff", "abcdef"},
		{"C1 runes", "a\u0080b\u0099c", "abc"},
		{"C1 bytes", "a\x80\x99b", "a\ufffdb"},
		{"CSI colour", "\x1b[1;31mred\x1b[0m", "red"},
		{"CSI question for the cursor", "a\x1b[6nb", "ab"},
		{"CSI with intermediate", "a\x1b[!pb", "ab"},
		{"CSI 8-bit rune", "a\u009b31mb", "ab"},
		{"CSI broken off", "a\x1b[31", "a"},
		{"CSI with foreign byte", "a\x1b[3éb", "aéb"},
		{"OSC title, BEL", "a\x1b]0;owned\x07b", "ab"},
		{"OSC title, ST", "a\x1b]0;owned\x1b\\b", "ab"},
		{"OSC title, 8-bit", "a\u009d0;owned\u009cb", "ab"},
		{"OSC 8 link", "\x1b]8;;https://evil.example\x1b\\click\x1b]8;;\x1b\\", "click"},
		{"OSC 52 clipboard", "a\x1b]52;c;cm0gLXJmIC8=\x07b", "ab"},
		{"OSC without end", "a\x1b]0;owned", "a"},
		{"OSC without end swallows its line only", "a\x1b]0;owned\nb", "a b"},
		{"OSC cut short by another", "a\x1b]0;x\x1b[1mb", "ab"},
		{"OSC over lines", "a\x1b]52;c;x\ny\x07b", "ab"},
		{"DCS", "a\x1bPq#0;2;0\x1b\\b", "ab"},
		{"APC", "a\x1b_Gf=24;x\x1b\\b", "ab"},
		{"PM and SOS", "a\x1b^x\x1b\\b\x1bXy\x1b\\c", "abc"},
		{"character set", "a\x1b(0b", "ab"},
		{"reset", "a\x1bcb", "ab"},
		{"lone escape at the end", "a\x1b", "a"},
		{"escape before a letter of another script", "a\x1bé", "aé"},
		{"bidi overrides", "a\u202ab\u202bc\u202dd\u202ee\u202cf", "abcdef"},
		{"bidi isolates", "a\u2066b\u2067c\u2068d\u2069e", "abcde"},
		{"bidi marks", "a\u200eb\u200fc\u061cd", "abcd"},
		{"zero width", "a\u200bb\u2060c\ufeffd\u00ade", "abcde"},
		{"joiners between letters", "pay\u200dpal pay\u200cpal", "paypal paypal"},
		{"joiner at either end", "\u200dab\u200d", "ab"},
		{"family emoji", "👩\u200d💻 👩🏽\u200d🚀 ❤\ufe0f\u200d🔥", "👩\u200d💻 👩🏽\u200d🚀 ❤\ufe0f\u200d🔥"},
		{"Persian", "می\u200cخواهم", "می\u200cخواهم"},
		{"Sinhala", "ශ්\u200dරී", "ශ්\u200dරී"},
		{"Arabic number sign stays", "\u0600١٢", "\u0600١٢"},
		{"variation selector", "☎\ufe0e", "☎\ufe0e"},
		{"hidden message in variation selectors", "a\ufe00\ufe01\ufe02\U000e0100b", "a\ufe00b"},
		{"variation selector after a space", "a \ufe0fb", "a b"},
		{"tag characters", "a\U000e0049\U000e0047\U000e004eb", "ab"},
		{"fillers", "a\u3164\u115f\uffa0\u034fb", "ab"},
		{"invalid UTF-8", "a\xff\xfe\xc3b\xe2\x82", "a\ufffdb\ufffd"},
		{"emoji cut in the middle", "\x9f\x98\x80 text", "\ufffd text"},
		{"combining marks stay", "e\u0301", "e\u0301"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Line(tt.in); got != tt.want {
				t.Errorf("Line(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestText(t *testing.T) {
	in := "one\r\n\ttwo\x1b[1m\u2028\x00three\r"
	if got, want := Text(in), "one\n\ttwo\nthree\n"; got != want {
		t.Errorf("Text(%q) = %q, want %q", in, got, want)
	}
}

func TestExact(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"path", "/tmp/my  dir/a é 👩\u200d💻.md", "/tmp/my  dir/a é 👩\u200d💻.md"},
		{"line break", "/tmp/a\n2. b", `/tmp/a\n2. b`},
		{"escape", "/tmp/\x1b[1m", `/tmp/\x1b[1m`},
		{"C1", "\u009b1m", `\u009b1m`},
		{"separators", "a\u2028b\u0085c\td", `a\u2028b\u0085c\td`},
		{"bidi", "a\u202eb", `a\u202eb`},
		{"tag", "a\U000e0041", `a\U000e0041`},
		{"invalid", "a\xffb", `a\xffb`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Exact(tt.in); got != tt.want {
				t.Errorf("Exact(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestCap(t *testing.T) {
	tests := []struct {
		in   string
		n    int
		want string
	}{
		{"abc", 3, "abc"},
		{"abcd", 3, "ab…"},
		{"äöüß", 3, "äö…"},
		{"ab cd", 4, "ab…"},
		{"👩\u200d💻x", 3, "👩…"},
		{"abc", 1, "…"},
		{"abc", 0, ""},
		{"abc", -1, ""},
		{"", 5, ""},
	}
	for _, tt := range tests {
		if got := Cap(tt.in, tt.n); got != tt.want {
			t.Errorf("Cap(%q, %d) = %q, want %q", tt.in, tt.n, got, tt.want)
		}
	}
}

func TestBytes(t *testing.T) {
	tests := []struct {
		n    int64
		want string
	}{
		{0, "0B"},
		{1023, "1023B"},
		{1024, "1.0KB"},
		{26522, "25.9KB"},
		{47104, "46.0KB"},
		{1024*1024 - 1, "1.0MB"},
		{1258291, "1.2MB"},
		{100 << 20, "100.0MB"},
		{3 << 30, "3.0GB"},
		{1<<63 - 1, "8.0EB"},
	}
	for _, tt := range tests {
		if got := Bytes(tt.n); got != tt.want {
			t.Errorf("Bytes(%d) = %q, want %q", tt.n, got, tt.want)
		}
	}
}

func TestCount(t *testing.T) {
	tests := []struct {
		n    int
		want string
	}{
		{0, "0"},
		{260, "260"},
		{1273, "1,273"},
		{123456, "123,456"},
		{1234567, "1,234,567"},
		{-123, "-123"},
		{-1234, "-1,234"},
	}
	for _, tt := range tests {
		if got := Count(tt.n); got != tt.want {
			t.Errorf("Count(%d) = %q, want %q", tt.n, got, tt.want)
		}
	}
}

var seeds = []string{
	"plain", "\x1b]0;x", "\x1b]0;x\x07y", "\x1b[31mred", "\x1bP\x1b\\", "\u009d0;\u009c", "a\u202eb", "\x1b\x1b[\x1b]",
	"👩\u200d💻", "می\u200cخواهم", "\ufe0f\ufe0f", "\xff\x9b", "a\r\nb\u2028c", "\U000e0041", "\u200d\u200c\u200b",
}

// checkSafe reports what must not be in text that leaves.
func checkSafe(t *testing.T, out string) {
	t.Helper()
	if !utf8.ValidString(out) {
		t.Errorf("%q is not valid UTF-8", out)
	}
	for _, r := range out {
		if r != '\n' && r != '\t' && unicode.IsControl(r) || hidden(r) || r == '\u2028' || r == '\u2029' {
			t.Errorf("%q holds %U", out, r)
		}
	}
}

func FuzzLine(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		out := Line(s)
		checkSafe(t, out)
		if strings.ContainsAny(out, "\n\t") || out != strings.Join(strings.Fields(out), " ") {
			t.Errorf("Line(%q) = %q is not one folded line", s, out)
		}
		if again := Line(out); again != out {
			t.Errorf("Line is not idempotent: %q, then %q", out, again)
		}
		if utf8.RuneCountInString(out) > utf8.RuneCountInString(s) {
			t.Errorf("Line(%q) = %q grew", s, out)
		}
	})
}

func FuzzText(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		out := Text(s)
		checkSafe(t, out)
		if again := Text(out); again != out {
			t.Errorf("Text is not idempotent: %q, then %q", out, again)
		}
	})
}

func FuzzExact(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		out := Exact(s)
		checkSafe(t, out)
		if strings.ContainsAny(out, "\n\t") {
			t.Errorf("Exact(%q) = %q is not one line", s, out)
		}
		if Exact(out) != out {
			t.Errorf("Exact is not idempotent on %q", out)
		}
	})
}

func FuzzCap(f *testing.F) {
	for i, s := range seeds {
		f.Add(s, i)
	}
	f.Fuzz(func(t *testing.T, s string, n int) {
		s = Line(s)
		out := Cap(s, n)
		if !utf8.ValidString(out) || utf8.RuneCountInString(out) > max(0, n) {
			t.Errorf("Cap(%q, %d) = %q", s, n, out)
		}
		if n >= utf8.RuneCountInString(s) && out != s {
			t.Errorf("Cap(%q, %d) = %q cuts what fits", s, n, out)
		}
		if Line(out) != out {
			t.Errorf("Cap(%q, %d) = %q is no longer safe as a line", s, n, out)
		}
	})
}

// An unterminated sequence on every line must not make the whole quadratic.
func BenchmarkTextHostile(b *testing.B) {
	s := strings.Repeat("\x1b]\n\u009d\n", 1<<17)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		Text(s)
	}
}
