package read_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"pifetch/fetchers/local/read"
)

// A file that takes too long has a fact and no rendering.
func TestTooSlow(t *testing.T) {
	for name, in := range slowFiles(t) {
		s := source(t, name, "", in)
		c, err := read.Readers{Timeout: time.Nanosecond}.Read(t.Context(), s)
		if err != nil || c.Markdown != "" || !slices.Equal(c.Facts, []string{"too slow to render"}) {
			t.Errorf("%s: %d bytes, facts %q, error %v", name, len(c.Markdown), c.Facts, err)
		}
	}
}

// Whoever ends the reading of a file hears their own reason.
func TestCancelled(t *testing.T) {
	why := errors.New("the client hung up")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	if _, err := (read.Readers{}).Read(ctx, source(t, "a.csv", "", []byte("a,b\n1,2\n"))); !errors.Is(err, why) {
		t.Errorf("error %v", err)
	}
}

// A PDF has a time of its own.
func TestPDFDeadline(t *testing.T) {
	r := read.Readers{
		Timeout: time.Nanosecond,
		PDF: func(ctx context.Context, _ string) (read.Content, error) {
			_, limited := ctx.Deadline()
			return read.Content{Facts: []string{fmt.Sprint("limited ", limited)}}, ctx.Err()
		},
	}
	c, err := r.Read(t.Context(), source(t, "a.pdf", "", []byte("%PDF-1.7\n")))
	if err != nil || len(c.Facts) != 1 || c.Facts[0] != "limited false" {
		t.Errorf("facts %q, error %v", c.Facts, err)
	}
}

// Every reader looks at its context while it reads, and soon stops once that
// has ended.
func TestReadersStop(t *testing.T) {
	for name, in := range slowFiles(t) {
		t.Run(name, func(t *testing.T) {
			s := source(t, name, "", in)
			whole := &ending{Context: t.Context(), after: 1 << 30}
			if c, err := read.Within(whole, s); err != nil || len(c.Facts) == 0 && c.Markdown == "" {
				t.Fatalf("it cannot be read: %q, %v", c.Facts, err)
			}
			looks := whole.looks.Load()
			if looks < 20 {
				t.Fatalf("it looks %d times", looks)
			}
			half := &ending{Context: t.Context(), after: looks / 2}
			_, err := read.Within(half, s)
			if more := half.looks.Load() - looks/2; more > 10 {
				t.Errorf("it looks %d times more, of %d, and ends with %v", more, looks, err)
			}
		})
	}
}

// ending is a context that ends after so many looks at it.
type ending struct {
	context.Context
	after int64
	looks atomic.Int64
}

func (e *ending) Err() error {
	if e.looks.Add(1) > e.after {
		return context.DeadlineExceeded
	}
	return nil
}

// slowFiles are files that take some time, by name.
func slowFiles(t *testing.T) map[string][]byte {
	word := strings.Repeat("<p><r><t>"+strings.Repeat("word ", 20)+"</t></r></p>", 3000)
	item := "<item><title>a title</title><link>http://a.example/</link><description>" + strings.Repeat("word ", 20) + "</description></item>"
	workbook := strings.Repeat("<table-row><table-cell><p>word</p></table-cell></table-row>", 5000)
	return map[string][]byte{
		"a.csv":   []byte(strings.Repeat("a,b,c\n", 200_000)),
		"a.json":  []byte(`[` + strings.Repeat(`{"a":1,"b":"word"},`, 50_000) + `{}]`),
		"a.jsonl": []byte(strings.Repeat(`{"a":1,"b":"word"}`+"\n", 50_000)),
		"a.xml":   []byte(`<a>` + strings.Repeat(`<b c="d">word</b>`, 50_000) + `</a>`),
		"a.rss":   []byte("<rss><channel><title>t</title>" + strings.Repeat(item, 3000) + "</channel></rss>"),
		"a.ipynb": []byte(`{"nbformat":4,"cells":[` + strings.Repeat(`{"cell_type":"markdown","source":"word"},`, 5000) + `{}]}`),
		"a.txt":   append([]byte("na\xefve caf\xe9\n"), bytes.Repeat([]byte("word\n"), 500_000)...),
		"a.docx":  zipOf(t, "[Content_Types].xml", types, "word/document.xml", `<document><body>`+word+`</body></document>`),
		"a.odt":   zipOf(t, "mimetype", "application/vnd.oasis.opendocument.text", "content.xml", `<d><body><text>`+strings.Repeat("<p>word word word</p>", 20_000)+`</text></body></d>`),
		"a.ods":   zipOf(t, "mimetype", "application/vnd.oasis.opendocument.spreadsheet", "content.xml", `<d><table name="t">`+workbook+`</table></d>`),
		"a.gz":    gz(t, "a", make([]byte, 10<<20)),
		"a.tar":   bytes.Repeat(tarOf(t)[:512], 5000),
		"a.png":   append(pngOf(t)[:33], bytes.Repeat([]byte("\x00\x00\x00\x00tEXt\x00\x00\x00\x00"), 50_000)...),
	}
}
