package wire_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"pifetch/daemon/wire"
)

// readAll is every line, and "!" for each that was too long.
func readAll(r *wire.Reader) (lines []string, end error) {
	for {
		line, err := r.Read()
		switch {
		case err == nil:
			lines = append(lines, string(line))
		case errors.Is(err, wire.ErrLineTooLong):
			lines = append(lines, "!")
		default:
			return lines, err
		}
	}
}

func TestReader(t *testing.T) {
	const limit = 10_000 // more than the buffer of a bufio.Reader
	fits := strings.Repeat("x", limit)
	for _, tt := range []struct {
		name, input string
		want        []string
		end         error
	}{
		{"nothing", "", nil, io.EOF},
		{"lines", "a\nb\n", []string{"a", "b"}, io.EOF},
		{"blank lines", "\n \r\n\na\r\n\n", []string{"a\r"}, io.EOF},
		{"blank rest", "a\n  ", []string{"a"}, io.EOF},
		{"half a line", "a\nb", []string{"a"}, io.ErrUnexpectedEOF},
		{"as long as allowed", fits + "\na\n", []string{fits, "a"}, io.EOF},
		{"one byte more", fits + "x\na\n", []string{"!", "a"}, io.EOF},
		{"much longer", strings.Repeat(fits, 9) + "\na\n", []string{"!", "a"}, io.EOF},
		{"two in a row", fits + "x\n" + fits + fits + "\na\n", []string{"!", "!", "a"}, io.EOF},
		{"too long and cut off", fits + fits, []string{"!"}, io.ErrUnexpectedEOF},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for name, r := range map[string]io.Reader{
				"whole": strings.NewReader(tt.input),
				"bytes": iotest.OneByteReader(strings.NewReader(tt.input)),
			} {
				got, end := readAll(wire.NewReader(r, limit))
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Errorf("%s: -want +got:\n%s", name, diff)
				}
				if !errors.Is(end, tt.end) {
					t.Errorf("%s: ended with %v, want %v", name, end, tt.end)
				}
			}
		})
	}
}

func TestReaderReportsALongLineBeforeItEnds(t *testing.T) {
	pr, pw := io.Pipe()
	defer pw.Close()
	go pw.Write(bytes.Repeat([]byte("x"), 20_000))
	if _, err := wire.NewReader(pr, 100).Read(); !errors.Is(err, wire.ErrLineTooLong) {
		t.Errorf("got %v", err)
	}
}

func TestReaderLinesAreTheCallersToKeep(t *testing.T) {
	r := wire.NewReader(strings.NewReader("first\nsecond\n"), 100)
	first, _ := r.Read()
	r.Read()
	if string(first) != "first" {
		t.Errorf("got %q", first)
	}
}

func TestMarshal(t *testing.T) {
	got, err := wire.Marshal(map[string]string{"a": "<&>\n\u2028"}, 100)
	if want := "{\"a\":\"<&>\\n\\u2028\"}\n"; err != nil || string(got) != want {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
	if _, err := wire.Marshal("12345678", 10); err != nil {
		t.Errorf("ten bytes: %v", err)
	}
	if _, err := wire.Marshal("123456789", 10); !errors.Is(err, wire.ErrLineTooLong) {
		t.Errorf("eleven bytes: %v", err)
	}
}

func FuzzReader(f *testing.F) {
	f.Add([]byte("a\n\nb\r\nlonger than sixteen\nc"))
	f.Add([]byte("\n"))
	f.Fuzz(func(t *testing.T, input []byte) {
		const limit = 16
		var want []string
		whole, rest, found := input, []byte(nil), false
		for {
			if whole, rest, found = bytes.Cut(whole, []byte("\n")); !found {
				break
			}
			switch {
			case len(whole) > limit:
				want = append(want, "!")
			case len(bytes.TrimSpace(whole)) > 0:
				want = append(want, string(whole))
			}
			whole = rest
		}
		got, end := readAll(wire.NewReader(bytes.NewReader(input), limit))
		if len(whole) > limit && len(got) > len(want) {
			got = got[:len(want)] // that the cut off line is too long may be seen before its end
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		if whole := len(bytes.TrimSpace(whole)) == 0; errors.Is(end, io.EOF) != whole || errors.Is(end, io.ErrUnexpectedEOF) == whole {
			t.Errorf("ended with %v", end)
		}
	})
}
