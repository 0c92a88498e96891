package pdf

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/enums"
	pdfiumerrors "github.com/klippa-app/go-pdfium/errors"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// engine is pdfium as WebAssembly: it sees the bytes it is given through a
// reader and nothing else, neither files nor fonts of the machine.
type engine struct {
	pool  pdfium.Pool
	cache wazero.CompilationCache
}

// newEngine compiles pdfium, or loads what was compiled into dir before. An
// empty dir means no cache.
func newEngine(ctx context.Context, dir string) (*engine, error) {
	// A runtime configuration of one's own has to name what pdfium needs:
	// its setjmp is made of WebAssembly exceptions.
	config := wazero.NewRuntimeConfig().
		WithCoreFeatures(api.CoreFeaturesV2 | experimental.CoreFeaturesExceptionHandling).
		WithDebugInfoEnabled(false)
	e := &engine{}
	if dir != "" {
		cache, err := wazero.NewCompilationCacheWithDir(dir)
		if err != nil {
			return nil, fmt.Errorf("open compile cache: %w", err)
		}
		e.cache, config = cache, config.WithCompilationCache(cache)
	}
	pool, err := webassembly.Init(webassembly.Config{
		Context:       experimental.WithMemoryAllocator(ctx, experimental.MemoryAllocatorFunc(newMemory)),
		MaxTotal:      1,
		RuntimeConfig: config,
		FSConfig:      wazero.NewFSConfig(), // the default would show it the whole file system
		Stdout:        io.Discard,
		Stderr:        io.Discard,
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start pdfium: %w", err), e.Close())
	}
	e.pool = pool
	return e, nil
}

// Close frees the engine.
func (e *engine) Close() error {
	var errs []error
	if e.pool != nil {
		errs = append(errs, e.pool.Close())
	}
	if e.cache != nil {
		errs = append(errs, e.cache.Close(context.Background()))
	}
	return errors.Join(errs...)
}

// document is one open PDF in an instance of the engine of its own.
type document struct {
	pdfium pdfium.Pdfium
	ref    references.FPDF_DOCUMENT
	fields bool // it is a form
}

// The reasons why a file has no document, or a document not a page.
var (
	errEncrypted = errors.New("encrypted")
	errDamaged   = errors.New("damaged or not a PDF")
	errPage      = errors.New("no such page")
)

// open starts an instance on a file.
func (e *engine) open(in io.ReadSeeker, size int64) (*document, error) {
	p, err := e.pool.GetInstance(time.Minute)
	if err != nil {
		return nil, fmt.Errorf("start pdfium: %w", err)
	}
	res, err := p.OpenDocument(&requests.OpenDocument{FileReader: in, FileReaderSize: size})
	d := &document{pdfium: p}
	switch {
	case err == nil:
		d.ref = res.Document
		return d, nil
	case errors.Is(err, pdfiumerrors.ErrPassword), errors.Is(err, pdfiumerrors.ErrSecurity):
		err = errEncrypted
	default:
		err = errDamaged
	}
	d.drop()
	return nil, err
}

// drop ends the instance whatever state it is in. After a trap its memory is
// not to be trusted, not even for closing the document.
func (d *document) drop() {
	_ = d.pdfium.Kill()
}

// head is the record of what the document is.
func (d *document) head() (record, error) {
	res, err := d.pdfium.FPDF_GetPageCount(&requests.FPDF_GetPageCount{Document: d.ref})
	if err != nil {
		return record{}, err
	}
	head := record{Pages: res.PageCount}
	if meta, err := d.pdfium.FPDF_GetMetaText(&requests.FPDF_GetMetaText{Document: d.ref, Tag: "Title"}); err == nil {
		head.Title = sensible(meta.Value)
	}
	if form, err := d.pdfium.FPDF_GetFormType(&requests.FPDF_GetFormType{Document: d.ref}); err == nil {
		d.fields = form.FormType != enums.FPDF_FORMTYPE_NONE
		if form.FormType == enums.FPDF_FORMTYPE_XFA_FULL {
			head.Note = "XFA form: what is in it is not extracted"
		}
	}
	return head, nil
}

// text is the text of the page with this index, as pdfium has it, with what
// stands in form fields. errPage is a page the document does not have in fact;
// after any other error the document is only to be dropped.
func (d *document) text(index int) (string, error) {
	opened, err := d.pdfium.FPDF_LoadPage(&requests.FPDF_LoadPage{Document: d.ref, Index: index})
	if errors.Is(err, pdfiumerrors.ErrPage) {
		return "", errPage
	} else if err != nil {
		return "", err
	}
	page := requests.Page{ByReference: &opened.Page}
	if d.fields {
		// Fields are drawn over the page; flattening makes them part of it.
		_, err := d.pdfium.FPDFPage_Flatten(&requests.FPDFPage_Flatten{Page: page, Usage: requests.FPDFPage_FlattenUsageNormalDisplay})
		if err != nil {
			return "", err
		}
	}
	loaded, err := d.pdfium.FPDFText_LoadPage(&requests.FPDFText_LoadPage{Page: page})
	if err != nil {
		return "", err
	}
	count, err := d.pdfium.FPDFText_CountChars(&requests.FPDFText_CountChars{TextPage: loaded.TextPage})
	if err != nil {
		return "", err
	}
	text := ""
	if count.Count > 0 {
		res, err := d.pdfium.FPDFText_GetText(&requests.FPDFText_GetText{TextPage: loaded.TextPage, Count: min(count.Count, maxBytes)})
		if err != nil {
			return "", err
		}
		text = res.Text
	}
	if _, err := d.pdfium.FPDFText_ClosePage(&requests.FPDFText_ClosePage{TextPage: loaded.TextPage}); err != nil {
		return "", err
	}
	_, err = d.pdfium.FPDF_ClosePage(&requests.FPDF_ClosePage{Page: opened.Page})
	return text, err
}

// bookmark is one entry of the document's own outline.
type bookmark struct {
	level int // from 1
	title string
	page  int // index
}

// bookmarks walks the outline in order. A malformed one may lead in circles, so
// its steps are counted; an entry with the title and page of an earlier one is
// left out.
func (d *document) bookmarks() []bookmark {
	var found []bookmark
	type place struct {
		title string
		page  int
	}
	seen := map[place]bool{}
	steps := 0
	var walk func(parent *references.FPDF_BOOKMARK, level int)
	walk = func(parent *references.FPDF_BOOKMARK, level int) {
		first, err := d.pdfium.FPDFBookmark_GetFirstChild(&requests.FPDFBookmark_GetFirstChild{Document: d.ref, Bookmark: parent})
		if err != nil {
			return
		}
		for at := first.Bookmark; at != nil && steps < maxBookmarks; steps++ {
			p := place{d.bookmarkTitle(*at), d.bookmarkPage(*at)}
			if p.page >= 0 && p.title != "" && !seen[p] {
				seen[p] = true
				found = append(found, bookmark{level, p.title, p.page})
			}
			if level < maxDepth {
				walk(at, level+1)
			}
			next, err := d.pdfium.FPDFBookmark_GetNextSibling(&requests.FPDFBookmark_GetNextSibling{Document: d.ref, Bookmark: *at})
			if err != nil {
				return
			}
			at = next.Bookmark
		}
	}
	walk(nil, 1)
	return found
}

func (d *document) bookmarkTitle(b references.FPDF_BOOKMARK) string {
	res, err := d.pdfium.FPDFBookmark_GetTitle(&requests.FPDFBookmark_GetTitle{Bookmark: b})
	if err != nil {
		return ""
	}
	return line(res.Title)
}

// bookmarkPage is the index of the page b leads to, or -1.
func (d *document) bookmarkPage(b references.FPDF_BOOKMARK) int {
	dest, err := d.pdfium.FPDFBookmark_GetDest(&requests.FPDFBookmark_GetDest{Document: d.ref, Bookmark: b})
	if err != nil || dest.Dest == nil {
		return -1
	}
	res, err := d.pdfium.FPDFDest_GetDestPageIndex(&requests.FPDFDest_GetDestPageIndex{Document: d.ref, Dest: *dest.Dest})
	if err != nil {
		return -1
	}
	return res.Index
}
