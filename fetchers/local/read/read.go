// Package read adds what an agent can read to a stored file that is no page:
// text, tables, listings and facts. It chooses a reader, one sub-package for
// each kind of file, by what the file is and not by what it is called.
package read

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"pifetch/fetchers/local/read/archive"
	"pifetch/fetchers/local/read/feed"
	"pifetch/fetchers/local/read/image"
	"pifetch/fetchers/local/read/input"
	"pifetch/fetchers/local/read/notebook"
	"pifetch/fetchers/local/read/office"
	"pifetch/fetchers/local/read/render"
	"pifetch/fetchers/local/read/sheet"
	"pifetch/fetchers/local/read/table"
	"pifetch/fetchers/local/read/text"
	"pifetch/fetchers/local/read/tree"
)

// Source is one stored file.
type Source struct {
	Path      string // absolute
	Name      string // as it is shown; its extension counts when nothing else says what the file is
	MediaType string // of the Content-Type, lower case, without parameters
	Charset   string // of the Content-Type
	Bytes     int64
}

// Content is what a reader made of a file: a title, facts for the digest and
// markdown of at most 20 MB. Each may be empty.
type Content = render.Content

// defaultTimeout is how long one file may take.
const defaultTimeout = 10 * time.Second

// Readers are the readers that need something of the process around them. The
// zero value reads everything else.
type Readers struct {
	// PDF reads the PDF file at path, within a time of its own. Nil leaves PDF
	// files alone.
	PDF func(ctx context.Context, path string) (Content, error)

	Timeout time.Duration // of any other file; 0 means 10 s
}

// Read returns what can be added to a stored file, and nothing when there is
// nothing to add. A malformed file is no error, nor is one that is too large
// or takes too long, which has a fact. An error means that the file could not be read at all, ctx
// has ended or a reader broke down; the file itself stands in each case.
// Memory, time and output are bounded whatever the file holds.
func (r Readers) Read(ctx context.Context, s Source) (c Content, err error) {
	defer func() {
		if p := recover(); p != nil {
			c, err = Content{}, fmt.Errorf("read %s: internal error: %v", s.Name, p)
		}
	}()
	within, cancel := context.WithTimeoutCause(ctx, cmp.Or(r.Timeout, defaultTimeout), input.ErrTooSlow)
	defer cancel()
	k, err := kindOf(within, s)
	if err == nil && k == kindPDF {
		return r.pdf(ctx, s)
	} else if err == nil {
		c, err = r.read(within, k, s)
	}
	// What a reader made of a file whose reading was ended may lack anything.
	if within.Err() != nil {
		c, err = Content{}, context.Cause(within)
	}
	switch {
	case err == nil:
		return c, nil
	case ctx.Err() != nil:
		return Content{}, context.Cause(ctx)
	case errors.Is(err, input.ErrTooLarge):
		return Content{Facts: []string{input.ErrTooLarge.Error()}}, nil
	case errors.Is(err, input.ErrTooSlow):
		return Content{Facts: []string{input.ErrTooSlow.Error()}}, nil
	}
	if _, ok := errors.AsType[*fs.PathError](err); ok {
		return Content{}, fmt.Errorf("read %s: %w", s.Name, err)
	}
	return Content{}, nil
}

func (r Readers) pdf(ctx context.Context, s Source) (Content, error) {
	if r.PDF == nil {
		return Content{}, nil
	}
	c, err := r.PDF(ctx, s.Path)
	if ctx.Err() != nil {
		return Content{}, context.Cause(ctx)
	}
	return c, err
}

func (r Readers) read(ctx context.Context, k kind, s Source) (Content, error) {
	f := input.File{Path: s.Path, Charset: s.Charset}
	switch k {
	case kindFeed:
		c, err := feed.Read(ctx, f)
		if errors.Is(err, input.ErrMalformed) {
			return tree.XML(ctx, f)
		}
		return c, err
	case kindJSON:
		return tree.JSON(ctx, f)
	case kindJSONFeed:
		return feed.Read(ctx, f)
	case kindJSONLines:
		return tree.JSONLines(ctx, f)
	case kindNotebook:
		return notebook.Read(ctx, f)
	case kindXML:
		return tree.XML(ctx, f)
	case kindCSV:
		return table.Read(ctx, f)
	case kindZip:
		return zipped(ctx, f)
	case kindArchive:
		return archive.Read(ctx, f)
	case kindImage:
		return image.Read(ctx, f)
	case kindSVG:
		return image.SVG(ctx, f)
	case kindText:
		return text.Read(ctx, f)
	}
	return Content{}, nil
}

// zipped reads what is packed as a zip archive: a document of an office
// program, or else an archive.
func zipped(ctx context.Context, f input.File) (Content, error) {
	switch documentType(ctx, f.Path) {
	case docx:
		return office.DOCX(ctx, f)
	case pptx:
		return office.PPTX(ctx, f)
	case xlsx:
		return sheet.XLSX(ctx, f)
	case odt, odp:
		return office.ODF(ctx, f)
	case ods:
		return sheet.ODS(ctx, f)
	case epub:
		return office.EPUB(ctx, f)
	}
	return archive.Read(ctx, f)
}
