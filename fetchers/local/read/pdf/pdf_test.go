package pdf

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestRead(t *testing.T) {
	text := newMaker(
		lines("Greenhouse controller", "1 First steps", "Connect the pump before the control-", "ler.", "# not a heading", "1.1 Water", "Hold the button (blue)."),
		lines("Care", "Clean it \x96 once a month."),
	)
	text.info("Greenhouse manual")
	text.outline("Water", 1, "First steps", "Maintenance")

	var many []string
	for i := range 10 {
		page := ""
		if i < 7 {
			page = lines("A page with some text on it.")
		}
		many = append(many, page)
	}

	encrypted := newMaker(lines("Secret"))
	encrypted.trailer = fmt.Sprintf("/Encrypt %d 0 R /ID [<00> <00>]", encrypted.add("<< /Filter /Standard /V 1 /R 2 /P -4 /O (%s) /U (%s) >>",
		strings.Repeat("o", 32), strings.Repeat("u", 32)))

	circle := newMaker(lines("Round and round it goes"))
	circle.outline("", 0, "Again")
	circle.objects[6] = fmt.Sprintf("<< /Title (Again) /Parent 6 0 R /Dest [%d 0 R /Fit] /Next 7 0 R /First 7 0 R /Last 7 0 R >>", firstPage)

	form := newMaker(lines("Name of the applicant"))
	look := form.stream(fmt.Sprintf("/Type /XObject /Subtype /Form /BBox [0 0 200 20] /Resources << /Font << /F1 %d 0 R >> >>", fontRef), "BT /F1 12 Tf 2 5 Td (Ada Lovelace) Tj ET")
	field := form.add("<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /V (Ada Lovelace) /F 4 /Rect [48 700 248 720] /AP << /N %d 0 R >> >>", look)
	form.catalog(fmt.Sprintf("/AcroForm << /Fields [%d 0 R] >>", field))
	form.objects[firstPage-1] = strings.Replace(form.objects[firstPage-1], "/Type /Page", fmt.Sprintf("/Type /Page /Annots [%d 0 R]", field), 1)

	good := newMaker(lines("Hello")).bytes()
	for _, c := range []struct {
		name string
		pdf  []byte
		want Content
	}{
		{"text", text.bytes(), Content{
			Title: "Greenhouse manual", Facts: []string{"2 pages"},
			Markdown: "<!-- page 1 -->\n\nGreenhouse controller\n\n## 1 First steps\n\nConnect the pump before the controller.\n\\# not a heading\n\n" +
				"### 1.1 Water\n\nHold the button (blue).\n\n<!-- page 2 -->\n\n## Maintenance\n\nCare\nClean it – once a month.\n",
		}},
		{"no text layer", newMaker("", "0 0 m 9 9 l S").bytes(), Content{Facts: []string{"2 pages", "no text layer"}}},
		{"little text", good, Content{
			Facts: []string{"1 page", "no text layer to speak of (5 characters)"}, Markdown: "<!-- page 1 -->\n\nHello\n",
		}},
		{"pages without text", newMaker(many...).bytes(), Content{
			Facts: []string{"10 pages", "3 of 10 pages without text"},
			Markdown: strings.Join(func() (pages []string) {
				for i := range 10 {
					pages = append(pages, fmt.Sprintf("<!-- page %d -->\n", i+1))
					if i < 7 {
						pages = append(pages, "A page with some text on it.\n")
					}
				}
				return pages
			}(), "\n"),
		}},
		{"encrypted", encrypted.bytes(), Content{Facts: []string{"encrypted"}}},
		{"outline in circles", circle.bytes(), Content{
			Facts: []string{"1 page"}, Markdown: "<!-- page 1 -->\n\n## Again\n\nRound and round it goes\n",
		}},
		{"form field", form.bytes(), Content{
			Facts: []string{"1 page"}, Markdown: "<!-- page 1 -->\n\nName of the applicant\nAda Lovelace\n",
		}},
		{"truncated", good[:len(good)/3], Content{Facts: []string{"damaged or not a PDF"}}},
		{"not a PDF", []byte("<html>Please log in</html>"), Content{Facts: []string{"damaged or not a PDF"}}},
		{"empty", nil, Content{Facts: []string{"damaged or not a PDF"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := reader(t, "pdf-extract").Read(t.Context(), file(t, c.pdf))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("content (-want +got):\n%s", diff)
			}
		})
	}
}

// A page that breaks pdfium costs that page.
func TestReadTooMuchMemory(t *testing.T) {
	path := newMaker(lines("The page before is fine."), big(), lines("The page after is fine.")).file(t)
	got, err := reader(t, "pdf-extract").Read(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	want := Content{
		Facts:    []string{"3 pages", "1 unreadable page"},
		Markdown: "<!-- page 1 -->\n\nThe page before is fine.\n\n<!-- page 2 -->\n\n*This page could not be read.*\n\n<!-- page 3 -->\n\nThe page after is fine.\n",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("content (-want +got):\n%s", diff)
	}
}

// What was read before the time was over stays.
func TestReadTooSlow(t *testing.T) {
	m := newMaker(lines("The first page is fine."), slowContent, lines("Never reached."))
	slow(m, 2)
	r := reader(t, "pdf-extract")
	r.Timeout = 3 * time.Second
	got, err := r.Read(t.Context(), m.file(t))
	if err != nil {
		t.Fatal(err)
	}
	want := Content{
		Facts:    []string{"3 pages", "text of the first 1 of 3 pages only: time limit"},
		Markdown: "<!-- page 1 -->\n\nThe first page is fine.\n\n*Cut: text of the first 1 of 3 pages only: time limit. The PDF has the rest.*\n",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("content (-want +got):\n%s", diff)
	}
}

func TestReadChildren(t *testing.T) {
	path := newMaker(lines("Hello")).file(t)
	for _, c := range []struct {
		mode string
		want Content
		err  string
	}{
		{mode: "child-crash", want: Content{
			Facts:    []string{"3 pages", "text of the first 1 of 3 pages only: the reader crashed"},
			Markdown: "<!-- page 1 -->\n\nEverything up to here.\n\n*Cut: text of the first 1 of 3 pages only: the reader crashed. The PDF has the rest.*\n",
		}},
		{mode: "child-garbage", want: Content{Facts: []string{"no text extracted: the reader crashed"}}},
		{mode: "child-eat", want: Content{Facts: []string{"no text extracted: memory limit"}}},
		{mode: "child-fail", err: "read PDF: exit status 1: pifetchd: error: no luck"},
	} {
		t.Run(c.mode, func(t *testing.T) {
			got, err := reader(t, c.mode).Read(t.Context(), path)
			if c.err != "" {
				if err == nil || err.Error() != c.err {
					t.Errorf("error %v, want %s", err, c.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("content (-want +got):\n%s", diff)
			}
		})
	}
	r := Reader{Command: []string{"/nonexistent/pifetchd"}}
	if _, err := r.Read(t.Context(), path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing program: error %v", err)
	}
	if _, err := r.Read(t.Context(), path+".missing"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing file: error %v", err)
	}
}

// A child gets the file and pipes: no environment, no other file.
func TestReadChildInheritsNothing(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs /proc")
	}
	t.Setenv("GH_TOKEN", "secret")
	open, err := os.Open(self(t))
	if err != nil {
		t.Fatal(err)
	}
	defer open.Close()
	inherited, err := syscall.Dup(int(open.Fd())) // not closed on exec
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(inherited)
	_, err = reader(t, "child-env").Read(t.Context(), newMaker(lines("Hello")).file(t))
	if want := "read PDF: exit status 1: env 0 dir / fds 0=test.pdf"; err == nil || err.Error() != want {
		t.Errorf("child says %v, want %s", err, want)
	}
}

func TestReadCancelled(t *testing.T) {
	m := newMaker(slowContent)
	slow(m, 1)
	why := errors.New("the client hung up")
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(500*time.Millisecond, func() { cancel(why) })
	if _, err := reader(t, "pdf-extract").Read(ctx, m.file(t)); !errors.Is(err, why) {
		t.Errorf("error %v, want %v", err, why)
	}
}

func TestExtractLimits(t *testing.T) {
	e, err := startEngine(t.Context(), cacheDir())
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	pdf := newMaker(lines("First page of four."), lines("Second page of four."), lines("Third page."), lines("Fourth page.")).bytes()
	for _, c := range []struct {
		name         string
		pages, bytes int
		fact         string
	}{
		{"all", 4, 1000, "4 pages"},
		{"pages", 3, 1000, "text of the first 3 of 4 pages only: page limit"},
		{"bytes", 4, 110, "text of the first 2 of 4 pages only: size limit"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out bytes.Buffer
			if err := extract(e, bytes.NewReader(pdf), &out, c.pages, c.bytes); err != nil {
				t.Fatal(err)
			}
			var tr transcript
			for dec := json.NewDecoder(&out); ; {
				var r record
				if err := dec.Decode(&r); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					t.Fatal(err)
				}
				tr.add(r)
			}
			if facts := tr.content().Facts; facts[len(facts)-1] != c.fact {
				t.Errorf("facts %q, want %q last", facts, c.fact)
			}
		})
	}
}

// Whatever the bytes are, extraction ends with a record that says so.
func FuzzExtract(f *testing.F) {
	m := newMaker(lines("Some text", "Another line"), lines("More"))
	m.info("A title")
	m.outline("Below", 2, "One", "Two")
	f.Add(m.bytes())
	f.Add([]byte("%PDF-1.4"))
	cache := cacheDir()
	start := sync.OnceValues(func() (*engine, error) { return startEngine(context.Background(), cache) })
	f.Fuzz(func(t *testing.T, data []byte) {
		e, err := start()
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := extract(e, bytes.NewReader(data), &out, 20, 1<<20); err != nil {
			t.Fatal(err)
		}
		if !bytes.HasSuffix(out.Bytes(), []byte("\"end\":true}\n")) {
			t.Errorf("no end: %s", out.Bytes())
		}
	})
}
