// Package table reads files of separated values, CSV and TSV in all their
// dialects, as one markdown table.
package table

import (
	"bufio"
	"context"
	"io"
	"strings"

	"pifetch/fetchers/local/read/input"
	"pifetch/fetchers/local/read/render"
)

const (
	sampleBytes = 64 << 10
	cellBytes   = 4 * render.MaxCell // of a cell that are kept
)

// Read renders the head of a file and counts the rest. A file that is not
// separated into columns is ErrMalformed. It holds no more of the file than it
// shows, however long its lines.
func Read(ctx context.Context, f input.File) (render.Content, error) {
	text, err := f.OpenText(ctx)
	if err != nil {
		return render.Content{}, err
	}
	defer text.Close()
	r := bufio.NewReaderSize(text, sampleBytes)
	head, err := r.Peek(sampleBytes)
	if err != nil && err != io.EOF {
		return render.Content{}, err
	}
	d, skip, ok := detect(string(head), err == io.EOF)
	if !ok {
		return render.Content{}, input.ErrMalformed
	}
	if _, err := r.Discard(skip); err != nil {
		return render.Content{}, err
	}
	var t render.Table
	p := parser{dialect: d, keep: func() bool { return !t.Full() }}
	first := true
	err = p.run(r, func(cells []string, columns int) {
		if columns == 1 && !first && len(cells) == 1 && cells[0] == "" {
			return // an empty line
		}
		if first {
			t.Header(cells)
			t.Columns = max(t.Columns, columns)
		} else {
			t.Row(cells, columns)
		}
		first = false
	})
	if err != nil {
		return render.Content{}, err
	}
	c := render.Content{Facts: t.Facts()}
	if text.Charset != input.UTF8 {
		c.Facts = append(c.Facts, "charset "+text.Charset)
	}
	var b render.Builder
	if cut := t.Write(&b); cut != "" {
		c.Facts = append(c.Facts, cut)
	}
	c.Markdown = b.String()
	return c, nil
}

// dialect is how the values of a file are separated and quoted.
type dialect struct{ comma, quote byte }

// detect finds the dialect in the head of a file; whole says that it is all of
// the file. skip is the length of a line that only names the separator.
func detect(head string, whole bool) (d dialect, skip int, ok bool) {
	if rest, found := strings.CutPrefix(head, "sep="); found && len(rest) > 1 && (rest[1] == '\n' || rest[1] == '\r') {
		skip = len("sep=") + 2
		if strings.HasPrefix(rest[1:], "\r\n") {
			skip++
		}
		return dialect{rest[0], '"'}, skip, rest[0] < 0x80
	}
	if !whole {
		// A line that was cut off has not all of its columns.
		if i := strings.LastIndexByte(head, '\n'); i > 0 {
			head = head[:i+1]
		}
	}
	best := 0.0
	for _, comma := range []byte{',', '\t', ';', '|'} {
		try := dialect{comma, quoteOf(head, comma)}
		counts := columns(head, try)
		usual, share := mode(counts)
		if usual < 2 || share < 0.5 && len(counts) > 2 {
			continue
		}
		// A separator that is in the values now and then is less regular.
		if score := share * share * min(2, 1+float64(usual)/50); score > best {
			best, d, ok = score, try, true
		}
	}
	return d, 0, ok
}

// quoteOf is the character values are quoted with.
func quoteOf(head string, comma byte) byte {
	single := strings.Count(head, string(comma)+"'") + strings.Count(head, "'"+string(comma))
	if single >= 4 && !strings.Contains(head, `"`) && strings.Count(head, string(comma)+"'") >= strings.Count(head, "\n")/2 {
		return '\''
	}
	return '"'
}

// columns is the number of columns of each row in the head that has a value.
func columns(head string, d dialect) []int {
	var counts []int
	p := parser{dialect: d, keep: func() bool { return true }}
	_ = p.run(bufio.NewReader(strings.NewReader(head)), func(cells []string, n int) {
		if n > 1 || cells[0] != "" {
			counts = append(counts, n)
		}
	})
	return counts
}

// mode is the most frequent count and its share.
func mode(counts []int) (usual int, share float64) {
	times := map[int]int{}
	for _, n := range counts {
		if times[n]++; times[n] > times[usual] || times[n] == times[usual] && n > usual {
			usual = n
		}
	}
	if len(counts) == 0 {
		return 0, 0
	}
	return usual, float64(times[usual]) / float64(len(counts))
}

// HasShape reports whether plain text is a table beyond doubt: at least three
// rows, all of the same number of columns, separated by tabs or commas.
func HasShape(head string, whole bool) bool {
	if !whole {
		i := strings.LastIndexByte(head, '\n')
		if i < 0 {
			return false
		}
		head = head[:i+1]
	}
	for _, comma := range []byte{'\t', ','} {
		if uniform(strings.TrimRight(head, "\r\n"), dialect{comma, '"'}) {
			return true
		}
	}
	return false
}

// uniform reports whether all rows have the same shape and none looks like a
// line of prose or code.
func uniform(head string, d dialect) bool {
	rows, width, prose := 0, 0, false
	p := parser{dialect: d, keep: func() bool { return true }}
	err := p.run(bufio.NewReader(strings.NewReader(head)), func(cells []string, n int) {
		if rows++; rows == 1 {
			width = n
		}
		if n != width {
			prose = true
		}
		for i, c := range cells {
			// A space after a comma is punctuation; a file of two columns has
			// to be very plain.
			if i > 0 && d.comma == ',' && strings.HasPrefix(c, " ") || width == 2 && len(c) > 60 || i == 0 && d.comma == '\t' && c == "" {
				prose = true
			}
			if strings.HasSuffix(c, ";") || strings.HasSuffix(c, "{") || strings.HasPrefix(c, "//") {
				prose = true
			}
		}
	})
	return err == nil && !prose && rows >= 3 && width >= 2
}
