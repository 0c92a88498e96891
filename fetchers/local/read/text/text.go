// Package text reads plain text, markdown, YAML and program code: what is
// UTF-8 stands for itself, other charsets get a copy in UTF-8.
package text

import (
	"context"
	"io"
	"strings"

	"pifetch/fetchers/local/read/input"
	"pifetch/fetchers/local/read/render"
)

// Read returns the text of a file that is not in UTF-8, as it is. A binary
// file is ErrMalformed.
func Read(ctx context.Context, f input.File) (render.Content, error) {
	t, err := f.OpenText(ctx)
	if err != nil {
		return render.Content{}, err
	}
	defer t.Close()
	if t.Charset == input.UTF8 {
		return render.Content{}, nil
	}
	const limit = render.MaxBytes - 1024
	var sb strings.Builder
	sb.Grow(int(min(t.Size+t.Size/8, limit)) + 64<<10)
	if _, err := io.Copy(&sb, io.LimitReader(t, limit+1)); err != nil {
		return render.Content{}, err
	}
	c := render.Content{Facts: []string{"charset " + t.Charset}}
	s := sb.String()
	cut := len(s) > limit
	if cut {
		s = strings.ToValidUTF8(s[:limit], "")
		if i := strings.LastIndexByte(s, '\n'); i > 0 {
			s = s[:i+1]
		}
	}
	if strings.ContainsRune(s, 0) {
		return render.Content{}, input.ErrMalformed
	}
	c.Markdown = strings.ReplaceAll(s, "\r\n", "\n")
	if cut {
		c.Facts = append(c.Facts, "cut: first 20.0MB")
		c.Markdown += "\n_Cut: first 20.0MB; the file has it all_\n"
	}
	return c, nil
}
