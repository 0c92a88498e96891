package input

import (
	"archive/zip"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// The bounds of a zip archive whose entries are read.
const (
	maxEntries = 20_000
	maxPart    = 32 << 20 // unpacked bytes of one entry
)

// Zip is an archive whose entries are read, within bounds: at most maxEntries
// of them, each up to maxPart bytes, until its context ends.
type Zip struct {
	ctx   context.Context
	file  *os.File
	parts map[string]*zip.File // by clean name
}

// OpenZip opens an archive. One with too many entries is ErrTooLarge, what is
// no archive ErrMalformed.
func OpenZip(ctx context.Context, name string) (*Zip, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	z, err := readZip(ctx, file)
	if err != nil {
		file.Close()
		return nil, err
	}
	return z, nil
}

func readZip(ctx context.Context, file *os.File) (*Zip, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	// archive/zip holds every entry in memory, so they are counted before.
	n := 0
	err = ZipEntries(file, info.Size(), func(ZipEntry) error {
		if n++; n > maxEntries {
			return ErrTooLarge
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	r, err := zip.NewReader(file, info.Size())
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, ErrMalformed
	}
	z := &Zip{ctx: ctx, file: file, parts: map[string]*zip.File{}}
	for _, f := range r.File {
		if name := PartName(f.Name); z.parts[name] == nil {
			z.parts[name] = f
		}
	}
	return z, nil
}

// PartName is the form in which the name of an entry, or a reference to it, is
// looked up.
func PartName(name string) string {
	return strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(name, `\`, "/")), "/")
}

// Close closes the archive.
func (z *Zip) Close() error { return z.file.Close() }

// Unpacked is the size of the entries whose names are wanted, as the archive
// states it.
func (z *Zip) Unpacked(want func(name string) bool) uint64 {
	var sum uint64
	for name, f := range z.parts {
		if want(name) {
			sum += min(f.UncompressedSize64, 1<<40)
		}
	}
	return sum
}

// Has reports whether there is an entry of that name.
func (z *Zip) Has(name string) bool { return z.parts[PartName(name)] != nil }

// HasFolder reports whether there is an entry below that name.
func (z *Zip) HasFolder(name string) bool {
	for part := range z.parts {
		if strings.HasPrefix(part, name+"/") {
			return true
		}
	}
	return false
}

// Open opens the entry of that name. It yields no more than the bound of one
// entry and then ErrTooLarge.
func (z *Zip) Open(name string) (io.ReadCloser, error) {
	f := z.parts[PartName(name)]
	if f == nil {
		return nil, os.ErrNotExist
	}
	rc, err := f.Open()
	if err != nil {
		return nil, ErrMalformed
	}
	return struct {
		io.Reader
		io.Closer
	}{Until(z.ctx, &bounded{rc, maxPart}), rc}, nil
}

// Read returns an entry of at most limit bytes, nil when there is none.
func (z *Zip) Read(name string, limit int64) ([]byte, error) {
	rc, err := z.Open(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	defer rc.Close()
	return readAll(rc, limit)
}

// bounded ends in ErrTooLarge after left bytes.
type bounded struct {
	r    io.Reader
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, ErrTooLarge
	}
	n, err := b.r.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}

// ZipEntry is what the directory of an archive says about one entry.
type ZipEntry struct {
	Name      string
	Size      uint64 // unpacked
	Modified  time.Time
	Encrypted bool
}

const (
	directoryEnd    = 22
	directoryEnd64  = 56
	locator64       = 20
	directoryHeader = 46
	maxComment      = 1<<16 - 1
)

// ZipEntries calls yield for each entry in the order of the archive's
// directory, until yield returns an error. It unpacks nothing and holds one
// entry at a time. What is no archive is ErrMalformed.
func ZipEntries(r io.ReaderAt, size int64, yield func(ZipEntry) error) error {
	tail := make([]byte, min(size, directoryEnd+maxComment))
	tailAt := size - int64(len(tail))
	if _, err := r.ReadAt(tail, tailAt); err != nil && err != io.EOF {
		return err
	}
	end := -1
	for i := len(tail) - directoryEnd; i >= 0; i-- {
		if binary.LittleEndian.Uint32(tail[i:]) == 0x06054b50 {
			end = i
			break
		}
	}
	if end < 0 {
		return ErrMalformed
	}
	count := uint64(binary.LittleEndian.Uint16(tail[end+10:]))
	length := uint64(binary.LittleEndian.Uint32(tail[end+12:]))
	offset := uint64(binary.LittleEndian.Uint32(tail[end+16:]))
	endAt := tailAt + int64(end)
	if count == 1<<16-1 || length == 1<<32-1 || offset == 1<<32-1 {
		if b, at := end64(r, endAt); b != nil {
			count, length, offset = binary.LittleEndian.Uint64(b[32:]), binary.LittleEndian.Uint64(b[40:]), binary.LittleEndian.Uint64(b[48:])
			endAt = at
		}
	}
	// Bytes before the archive, of a program that unpacks itself, shift it.
	start := endAt - int64(length)
	if length > uint64(endAt) || start < 0 {
		start = int64(min(offset, uint64(size)))
	}
	d := &directory{r: io.NewSectionReader(r, start, endAt-start)}
	for range count {
		e, err := d.next()
		if err != nil {
			return err
		}
		if err := yield(e); err != nil {
			return err
		}
	}
	return nil
}

// end64 is the end record of a zip64 archive, which a locator before the end
// record points to.
func end64(r io.ReaderAt, endAt int64) ([]byte, int64) {
	loc := make([]byte, locator64)
	if endAt < locator64 {
		return nil, 0
	}
	if _, err := r.ReadAt(loc, endAt-locator64); err != nil || binary.LittleEndian.Uint32(loc) != 0x07064b50 {
		return nil, 0
	}
	at := binary.LittleEndian.Uint64(loc[8:])
	if at > uint64(endAt) {
		return nil, 0
	}
	b := make([]byte, directoryEnd64)
	if _, err := r.ReadAt(b, int64(at)); err != nil || binary.LittleEndian.Uint32(b) != 0x06064b50 {
		return nil, 0
	}
	return b, int64(at)
}

type directory struct {
	r    *io.SectionReader
	buf  []byte
	skip int // bytes of buf that are used up
}

// take returns the next n bytes, valid until the next call.
func (d *directory) take(n int) ([]byte, error) {
	if len(d.buf)-d.skip < n {
		d.buf = append(d.buf[:0], d.buf[d.skip:]...)
		d.skip = 0
		at := len(d.buf)
		d.buf = append(d.buf, make([]byte, max(n, 64<<10))...)
		m, err := io.ReadAtLeast(d.r, d.buf[at:], n-at)
		d.buf = d.buf[:at+m]
		if err != nil {
			return nil, ErrMalformed
		}
	}
	b := d.buf[d.skip : d.skip+n]
	d.skip += n
	return b, nil
}

func (d *directory) next() (ZipEntry, error) {
	h, err := d.take(directoryHeader)
	if err != nil {
		return ZipEntry{}, err
	}
	if binary.LittleEndian.Uint32(h) != 0x02014b50 {
		return ZipEntry{}, ErrMalformed
	}
	flags := binary.LittleEndian.Uint16(h[8:])
	clock, day := int(binary.LittleEndian.Uint16(h[12:])), int(binary.LittleEndian.Uint16(h[14:]))
	e := ZipEntry{Encrypted: flags&1 != 0, Size: uint64(binary.LittleEndian.Uint32(h[24:]))}
	if day != 0 {
		e.Modified = time.Date(1980+day>>9, time.Month(day>>5&15), day&31, clock>>11, clock>>5&63, clock&31*2, 0, time.UTC)
	}
	name, extra, comment := int(binary.LittleEndian.Uint16(h[28:])), int(binary.LittleEndian.Uint16(h[30:])), int(binary.LittleEndian.Uint16(h[32:]))
	rest, err := d.take(name + extra + comment)
	if err != nil {
		return ZipEntry{}, err
	}
	e.Name = string(rest[:name])
	if !utf8.ValidString(e.Name) {
		e.Name, _ = charmap.CodePage437.NewDecoder().String(e.Name)
	}
	if e.Size == 1<<32-1 {
		e.Size = size64(rest[name:name+extra], e.Size)
	}
	return e, nil
}

// size64 is the size in a zip64 extra field.
func size64(extra []byte, size uint64) uint64 {
	for len(extra) >= 4 {
		id, n := binary.LittleEndian.Uint16(extra), int(binary.LittleEndian.Uint16(extra[2:]))
		if len(extra) < 4+n {
			break
		}
		if id == 1 && n >= 8 {
			return binary.LittleEndian.Uint64(extra[4:])
		}
		extra = extra[4+n:]
	}
	return size
}
