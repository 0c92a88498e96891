// Package image reads the dimensions of pictures. It decodes no picture.
package image

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/xml"
	"fmt"
	"image/jpeg"
	"io"
	"iter"
	"os"
	"strconv"
	"strings"

	"pifetch/fetchers/local/read/input"
	"pifetch/fetchers/local/read/render"
	"pifetch/internal/termtext"
)

// Read returns the format, the dimensions and the number of frames of a PNG,
// JPEG, GIF, WebP, AVIF, HEIC, BMP or SVG picture as facts, and the title of an SVG one.
// Anything else is ErrMalformed.
func Read(ctx context.Context, f input.File) (render.Content, error) {
	file, err := os.Open(f.Path)
	if err != nil {
		return render.Content{}, err
	}
	defer file.Close()
	r := &counter{bufio.NewReader(input.Until(ctx, file))}
	head, err := r.r.Peek(30)
	if err != nil && err != io.EOF {
		return render.Content{}, err
	}
	var p picture
	switch {
	case bytes.HasPrefix(head, []byte("\x89PNG\r\n\x1a\n")):
		p, err = readPNG(r)
	case bytes.HasPrefix(head, []byte("GIF8")):
		p, err = readGIF(r)
	case bytes.HasPrefix(head, []byte("RIFF")) && len(head) >= 12 && string(head[8:12]) == "WEBP":
		p, err = readWebP(r)
	case bytes.HasPrefix(head, []byte("\xff\xd8")):
		p.format = "JPEG"
		c, jerr := jpeg.DecodeConfig(r)
		p.width, p.height, err = c.Width, c.Height, jerr
	case len(head) >= 12 && string(head[4:8]) == "ftyp":
		p, err = readHEIF(r, string(head[8:]))
	case bytes.HasPrefix(head, []byte("BM")) && len(head) >= 26:
		p = picture{format: "BMP", width: int(int32(binary.LittleEndian.Uint32(head[18:]))), height: int(int32(binary.LittleEndian.Uint32(head[22:])))}
		p.height = max(p.height, -p.height)
	default:
		return SVG(ctx, f)
	}
	if ctx.Err() != nil {
		return render.Content{}, context.Cause(ctx)
	}
	if err != nil && p.width == 0 || p.width <= 0 || p.height <= 0 {
		return render.Content{}, input.ErrMalformed
	}
	return render.Content{Facts: p.facts()}, nil
}

type picture struct {
	format        string
	width, height int
	frames        int
}

func (p picture) facts() []string {
	facts := []string{p.format, fmt.Sprintf("%d×%d", p.width, p.height)}
	if p.frames > 1 {
		facts = append(facts, render.Plural(p.frames, "frame"))
	}
	return facts
}

// counter is a reader of blocks.
type counter struct{ r *bufio.Reader }

func (c *counter) Read(p []byte) (int, error) { return c.r.Read(p) }

func (c *counter) ReadByte() (byte, error) { return c.r.ReadByte() }

// take reads n bytes.
func (c *counter) take(n int) ([]byte, error) {
	b := make([]byte, n)
	_, err := io.ReadFull(c.r, b)
	return b, err
}

func (c *counter) skip(n int64) error {
	_, err := io.CopyN(io.Discard, c.r, n)
	return err
}

// readPNG reads the header, and the frame count an animation states before
// its data.
func readPNG(r *counter) (picture, error) {
	p := picture{format: "PNG"}
	if err := r.skip(8); err != nil {
		return p, err
	}
	for {
		h, err := r.take(8)
		if err != nil {
			return p, err
		}
		n := int64(binary.BigEndian.Uint32(h))
		switch kind := string(h[4:]); {
		case kind == "IHDR" && n >= 13, kind == "acTL" && n >= 8:
			b, err := r.take(8)
			if err != nil {
				return p, err
			}
			n -= 8
			if kind == "IHDR" {
				p.width, p.height = int(binary.BigEndian.Uint32(b)), int(binary.BigEndian.Uint32(b[4:]))
			} else {
				p.frames = int(binary.BigEndian.Uint32(b))
			}
		case kind == "IDAT", kind == "IEND":
			return p, nil
		}
		if err := r.skip(n + 4); err != nil {
			return p, err
		}
	}
}

// readGIF counts the image blocks without unpacking them.
func readGIF(r *counter) (picture, error) {
	p := picture{format: "GIF"}
	h, err := r.take(13)
	if err != nil {
		return p, err
	}
	p.width, p.height = int(binary.LittleEndian.Uint16(h[6:])), int(binary.LittleEndian.Uint16(h[8:]))
	if err := r.skip(colors(h[10])); err != nil {
		return p, err
	}
	for {
		b, err := r.take(1)
		if err != nil {
			return p, err
		}
		switch b[0] {
		case 0x21:
			err = r.skip(1)
		case 0x2c:
			p.frames++
			var d []byte
			if d, err = r.take(9); err == nil {
				err = r.skip(colors(d[8]) + 1)
			}
		default:
			return p, nil
		}
		for err == nil {
			if b, err = r.take(1); err != nil || b[0] == 0 {
				break
			}
			err = r.skip(int64(b[0]))
		}
		if err != nil {
			return p, err
		}
	}
}

// colors is the size of the color table the flags announce.
func colors(flags byte) int64 {
	if flags&0x80 == 0 {
		return 0
	}
	return 3 << (flags&7 + 1)
}

func readWebP(r *counter) (picture, error) {
	p := picture{format: "WebP"}
	if err := r.skip(12); err != nil {
		return p, err
	}
	for {
		h, err := r.take(8)
		if err != nil {
			return p, err
		}
		kind, n := string(h[:4]), int64(binary.LittleEndian.Uint32(h[4:]))
		n += n & 1
		if kind == "ANMF" {
			p.frames++
		}
		if p.width == 0 && n >= 10 && (kind == "VP8X" || kind == "VP8L" || kind == "VP8 ") {
			b, err := r.take(10)
			if err != nil {
				return p, err
			}
			n -= 10
			switch kind {
			case "VP8X":
				p.width, p.height = 1+uint24(b[4:]), 1+uint24(b[7:])
			case "VP8L":
				bits := binary.LittleEndian.Uint32(b[1:])
				p.width, p.height = 1+int(bits&0x3fff), 1+int(bits>>14&0x3fff)
			case "VP8 ":
				p.width, p.height = int(binary.LittleEndian.Uint16(b[6:])&0x3fff), int(binary.LittleEndian.Uint16(b[8:])&0x3fff)
			}
		}
		if err := r.skip(n); err != nil {
			return p, err
		}
	}
}

// maxMeta is how much of the description of an AVIF or HEIC picture is read.
const maxMeta = 1 << 20

// readHEIF reads the sizes of the images in an AVIF or HEIC file (ISO 23008-12):
// the picture is the largest, beside its tiles and thumbnails.
func readHEIF(r *counter, brands string) (picture, error) {
	p := picture{format: "HEIF"}
	switch {
	case strings.Contains(brands, "avif"), strings.Contains(brands, "avis"):
		p.format = "AVIF"
	case strings.Contains(brands, "hei"):
		p.format = "HEIC"
	}
	for {
		h, err := r.take(8)
		if err != nil {
			return p, err
		}
		n := int64(binary.BigEndian.Uint32(h)) - 8
		if n < 0 {
			return p, input.ErrMalformed
		}
		if string(h[4:]) != "meta" {
			if err := r.skip(n); err != nil {
				return p, err
			}
			continue
		}
		meta, err := r.take(int(min(n, maxMeta)))
		if err != nil || len(meta) < 4 {
			return p, input.ErrMalformed
		}
		for ispe := range boxes(meta[4:], "iprp", "ipco", "ispe") {
			if len(ispe) < 12 {
				continue
			}
			w, h := int(binary.BigEndian.Uint32(ispe[4:])), int(binary.BigEndian.Uint32(ispe[8:]))
			if max(w, h) < 1<<30 && w*h > p.width*p.height {
				p.width, p.height = w, h
			}
		}
		return p, nil
	}
}

// boxes are the contents of the boxes at a path of types.
func boxes(b []byte, path ...string) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for len(b) >= 8 {
			n := int(binary.BigEndian.Uint32(b))
			if n < 8 || n > len(b) {
				return
			}
			inner := b[8:n]
			if string(b[4:8]) == path[0] {
				if len(path) == 1 {
					if !yield(inner) {
						return
					}
				} else {
					for in := range boxes(inner, path[1:]...) {
						if !yield(in) {
							return
						}
					}
				}
			}
			b = b[n:]
		}
	}
}

func uint24(b []byte) int { return int(b[0]) | int(b[1])<<8 | int(b[2])<<16 }

// svgTokens is how far into an SVG picture its title is looked for.
const svgTokens = 200

// SVG reads the size and the title of an SVG picture.
func SVG(ctx context.Context, f input.File) (render.Content, error) {
	t, err := f.OpenText(ctx)
	if err != nil {
		return render.Content{}, err
	}
	defer t.Close()
	x := input.NewXML(ctx, io.LimitReader(t, 1<<20), true)
	var c render.Content
	inTitle := false
	for range svgTokens {
		tok, err := x.Next()
		if err != nil {
			if c.Facts == nil && ctx.Err() == nil {
				return c, input.ErrMalformed
			}
			return c, context.Cause(ctx)
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			if c.Facts == nil {
				if tok.Name.Local != "svg" {
					return c, input.ErrMalformed
				}
				c.Facts = append([]string{"SVG"}, svgSize(tok)...)
			}
			inTitle = tok.Name.Local == "title" && x.Depth() == 2
		case xml.EndElement:
			inTitle = false
		case xml.CharData:
			if inTitle && c.Title == "" {
				c.Title = termtext.Line(string(tok))
			}
		}
	}
	return c, nil
}

// svgSize is the size in pixels an SVG picture states, or else that of its
// drawing.
func svgSize(t xml.StartElement) []string {
	w, ok1 := pixels(input.Attr(t, "width"))
	h, ok2 := pixels(input.Attr(t, "height"))
	if !ok1 || !ok2 {
		box := strings.FieldsFunc(input.Attr(t, "viewBox"), func(r rune) bool { return r == ' ' || r == ',' || r == '\n' || r == '\t' })
		if len(box) != 4 {
			return nil
		}
		w, ok1 = pixels(box[2])
		h, ok2 = pixels(box[3])
	}
	if !ok1 || !ok2 {
		return nil
	}
	return []string{fmt.Sprintf("%s×%s", w, h)}
}

func pixels(s string) (string, bool) {
	s = strings.TrimSuffix(strings.TrimSpace(s), "px")
	n, err := strconv.ParseFloat(s, 64)
	if err != nil || !(n > 0 && n < 1e9) {
		return "", false
	}
	return strconv.FormatFloat(n, 'f', -1, 32), true
}
