// Package archive lists what is in an archive. It extracts nothing.
package archive

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/therootcompany/xz"

	"pifetch/fetchers/local/read/input"
	"pifetch/fetchers/local/read/render"
	"pifetch/internal/termtext"
)

const (
	maxListed = 10_000    // entries shown; more are counted
	maxUnpack = 512 << 20 // bytes unpacked to find the entries of a tar
	maxSlow   = 96 << 20  // the same with bzip2 and xz, which are five times slower
	maxWindow = 32 << 20  // bytes an unpacker may look back
	maxName   = 1000      // characters
)

// errBudget ends a listing that would take too long.
var errBudget = errors.New("unpacked too much")

// Read lists a zip or tar archive, the latter plain or packed with gzip,
// bzip2, xz or zstd, or names the one file that is packed alone. Names stand as
// they are in the archive. What is none of these is ErrMalformed.
func Read(ctx context.Context, f input.File) (render.Content, error) {
	file, err := os.Open(f.Path)
	if err != nil {
		return render.Content{}, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return render.Content{}, err
	}
	l := &listing{ctx: ctx}
	r := bufio.NewReaderSize(input.Until(ctx, file), 64<<10)
	head, err := r.Peek(512)
	if err != nil && err != io.EOF {
		return render.Content{}, err
	}
	switch {
	case bytes.HasPrefix(head, []byte("PK")):
		l.format = "zip"
		err = l.zip(file, info.Size())
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		var z *gzip.Reader
		if z, err = gzip.NewReader(r); err == nil {
			err = l.packed("gzip", z, z.Name, z.ModTime, maxUnpack)
		}
	case bytes.HasPrefix(head, []byte("BZh")):
		err = l.packed("bzip2", bzip2.NewReader(r), "", time.Time{}, maxSlow)
	case bytes.HasPrefix(head, []byte("\xfd7zXZ\x00")):
		var z *xz.Reader
		if z, err = xz.NewReader(r, maxWindow); err == nil {
			err = l.packed("xz", z, "", time.Time{}, maxSlow)
		}
	case bytes.HasPrefix(head, []byte("\x28\xb5\x2f\xfd")):
		var z *zstd.Decoder
		z, err = zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(64<<20), zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderLowmem(true))
		if err == nil {
			defer z.Close()
			err = l.packed("zstd", z, "", time.Time{}, maxUnpack)
		}
	default:
		l.format = "tar"
		err = l.tar(r)
	}
	if ctx.Err() != nil {
		return render.Content{}, context.Cause(ctx)
	}
	if err != nil && l.files+l.folders+l.others == 0 {
		return render.Content{}, input.ErrMalformed
	}
	return l.content(err), nil
}

// entry is one line of a listing.
type entry struct {
	name     string
	size     int64
	modified time.Time
	note     string
	folder   bool
	other    bool // a link or device
}

type listing struct {
	ctx       context.Context
	format    string
	entries   []entry
	files     int
	folders   int
	others    int
	encrypted int
	size      float64 // the sum of sizes a hostile archive states may exceed an integer
}

func (l *listing) add(e entry) {
	switch {
	case e.folder:
		l.folders++
	case e.other:
		l.others++
	default:
		l.files++
		l.size += float64(e.size)
	}
	if len(l.entries) < maxListed {
		e.name, e.note = render.Clip(e.name, maxName), render.Clip(e.note, maxName)
		l.entries = append(l.entries, e)
	}
}

func (l *listing) zip(r io.ReaderAt, size int64) error {
	return input.ZipEntries(r, size, func(e input.ZipEntry) error {
		if l.ctx.Err() != nil {
			return l.ctx.Err()
		}
		next := entry{name: e.Name, size: int64(min(e.Size, 1<<62)), modified: e.Modified, folder: strings.HasSuffix(e.Name, "/")}
		if e.Encrypted {
			next.note = "encrypted"
			l.encrypted++
		}
		l.add(next)
		return nil
	})
}

// packed lists a stream of packed bytes, which may be a tar or one file.
func (l *listing) packed(format string, r io.Reader, name string, modified time.Time, limit int64) error {
	unpacked := bufio.NewReaderSize(&meter{r: input.Until(l.ctx, r), left: limit}, 64<<10)
	head, err := unpacked.Peek(512)
	if err != nil && err != io.EOF {
		return err
	}
	l.format = format
	if isTar(head) {
		l.format = "tar, " + format
		return l.tar(unpacked)
	}
	n, err := io.Copy(io.Discard, unpacked)
	if err != nil && !errors.Is(err, errBudget) {
		return err
	}
	if name == "" {
		name = "(one file)"
	}
	l.add(entry{name: name, size: n, modified: modified})
	return err
}

func isTar(head []byte) bool {
	if len(head) < 512 {
		return false
	}
	_, err := tar.NewReader(bytes.NewReader(head)).Next()
	return err == nil || string(head[257:262]) == "ustar"
}

func (l *listing) tar(r io.Reader) error {
	t := tar.NewReader(r)
	for {
		h, err := t.Next()
		if err == io.EOF {
			return nil
		} else if err != nil && !errors.Is(err, tar.ErrInsecurePath) {
			return err
		}
		e := entry{name: h.Name, size: h.Size, modified: h.ModTime}
		switch h.Typeflag {
		case tar.TypeReg, tar.TypeGNUSparse, tar.TypeCont:
		case tar.TypeDir:
			e.folder = true
		case tar.TypeSymlink:
			e.other, e.note = true, "link to "+h.Linkname
		case tar.TypeLink:
			e.other, e.note = true, "same file as "+h.Linkname
		case tar.TypeXGlobalHeader:
			continue
		default:
			e.other, e.note = true, "device"
		}
		l.add(e)
	}
}

// meter ends in errBudget after left bytes.
type meter struct {
	r    io.Reader
	left int64
}

func (m *meter) Read(p []byte) (int, error) {
	if m.left <= 0 {
		return 0, errBudget
	}
	n, err := m.r.Read(p[:min(int64(len(p)), m.left)])
	m.left -= int64(n)
	return n, err
}

// content is the listing, of which err ended the reading.
func (l *listing) content(err error) render.Content {
	counts := []string{render.Plural(l.files, "file")}
	if l.folders > 0 {
		counts = append(counts, render.Plural(l.folders, "folder"))
	}
	if l.others > 0 {
		counts = append(counts, render.Plural(l.others, "other"))
	}
	if l.encrypted > 0 {
		counts = append(counts, termtext.Count(l.encrypted)+" encrypted")
	}
	counts = append(counts, size(l.size)+" unpacked")

	c := render.Content{Facts: append([]string{l.format}, counts...)}
	var b render.Builder
	b.Add(strings.Join(counts, ", ") + "\n\n| name | bytes | modified | |\n|---|--:|---|---|\n")
	shown := 0
	for _, e := range l.entries {
		bytes := ""
		if !e.folder && !e.other {
			bytes = termtext.Count(int(e.size))
		}
		date := ""
		if e.modified.Unix() > 0 {
			date = e.modified.UTC().Format("2006-01-02 15:04")
		}
		if !b.Add(fmt.Sprintf("| %s | %s | %s | %s |\n", name(e.name), bytes, date, name(e.note))) {
			break
		}
		shown++
	}
	switch total := l.files + l.folders + l.others; {
	case errors.Is(err, errBudget):
		l.cut(&c, &b, "cut: the archive is larger than was looked at")
	case err != nil:
		l.cut(&c, &b, "cut: the archive is damaged or incomplete")
	case shown < total:
		l.cut(&c, &b, "cut: first "+termtext.Count(shown)+" of "+termtext.Count(total)+" entries")
	}
	c.Markdown = b.String()
	return c
}

func (l *listing) cut(c *render.Content, b *render.Builder, reason string) {
	c.Facts = append(c.Facts, reason)
	b.Note(strings.ToUpper(reason[:1]) + reason[1:])
}

// name is a name in a table, with what cannot be seen as escapes.
func name(s string) string { return render.Cell(termtext.Exact(s)) }

func size(n float64) string {
	if n >= 1<<62 {
		return "an impossible size"
	}
	return termtext.Bytes(int64(n))
}
