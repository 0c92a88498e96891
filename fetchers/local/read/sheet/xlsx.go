// Package sheet reads spreadsheets, each sheet as a table of the values it
// shows.
package sheet

import (
	"context"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/xuri/excelize/v2"

	"pifetch/fetchers/local/read/input"
	"pifetch/fetchers/local/read/render"
	"pifetch/internal/termtext"
)

const (
	maxFile     = 32 << 20
	maxUnpacked = 96 << 20 // of the whole file
	maxOther    = 32 << 20 // of all but sheets and texts: it is held in memory
	maxModel    = 2 << 20  // of the styles and other XML of these, which take many times as much when they are parsed
	maxPart     = 2 << 20  // of a sheet or the texts that is, too; more goes through a temporary file
	maxSheets   = 100
	maxVisited  = 4 << 20 // cells of one sheet that are looked at
)

// XLSX renders an Office Open XML workbook. One of more than 32 MB, or of 96 MB
// unpacked, is ErrTooLarge, what is none ErrMalformed.
func XLSX(ctx context.Context, f input.File) (c render.Content, err error) {
	if err := checkSize(ctx, f); err != nil {
		return c, err
	}
	dir, err := os.MkdirTemp("", "pifetch-sheet-")
	if err != nil {
		return c, err
	}
	defer os.RemoveAll(dir)
	x, err := excelize.OpenFile(f.Path, excelize.Options{
		UnzipSizeLimit: maxUnpacked, UnzipXMLSizeLimit: maxPart, TmpDir: dir,
		ShortDatePattern: "yyyy-mm-dd", LongDatePattern: "yyyy-mm-dd", LongTimePattern: "hh:mm:ss",
	})
	if err != nil {
		return c, input.ErrMalformed
	}
	defer x.Close()
	w := writer{}
	for _, name := range x.GetSheetList() {
		if ctx.Err() != nil {
			return c, context.Cause(ctx)
		}
		if visible, err := x.GetSheetVisible(name); err == nil && !visible {
			w.hidden = append(w.hidden, name)
			continue
		}
		if w.full() {
			continue
		}
		rows, err := x.Rows(name)
		if err != nil {
			continue // a chart
		}
		w.sheet(name, func(row rowFunc) {
			for rows.Next() && ctx.Err() == nil {
				cells, err := rows.Columns()
				if err != nil || !row(cells, len(cells)) {
					return
				}
			}
		})
		rows.Close()
	}
	if ctx.Err() != nil {
		return c, context.Cause(ctx)
	}
	if c, err = w.content(); err != nil {
		return c, err
	}
	if p, err := x.GetDocProps(); err == nil && p != nil {
		c.Title = termtext.Line(p.Title)
	}
	return c, nil
}

// unparsed are folders of parts that are large in honest workbooks and that
// nothing here looks into.
var unparsed = []string{"xl/pivotCache/", "xl/drawings/", "xl/charts/", "xl/externalLinks/", "customXml/"}

// checkSize adds up what the archive's directory says. What it says falsely,
// the reader of the archive notices.
func checkSize(ctx context.Context, f input.File) error {
	info, err := os.Stat(f.Path)
	if err != nil {
		return err
	}
	if info.Size() > maxFile {
		return input.ErrTooLarge
	}
	z, err := input.OpenZip(ctx, f.Path)
	if err != nil {
		return err
	}
	defer z.Close()
	all := func(string) bool { return true }
	other := func(name string) bool {
		return !strings.HasPrefix(name, "xl/worksheets/") && !strings.EqualFold(name, "xl/sharedStrings.xml")
	}
	model := func(name string) bool {
		ext := path.Ext(name)
		return other(name) && (ext == ".xml" || ext == ".rels") && !slices.ContainsFunc(unparsed, func(dir string) bool { return strings.HasPrefix(name, dir) })
	}
	if z.Unpacked(all) > maxUnpacked || z.Unpacked(other) > maxOther || z.Unpacked(model) > maxModel {
		return input.ErrTooLarge
	}
	return nil
}
