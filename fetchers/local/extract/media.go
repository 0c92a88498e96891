package extract

import (
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// resolveMedia gives every picture its real, absolute address and removes
// spacers and tracking pixels.
func resolveMedia(content *html.Node, base *url.URL) {
	for _, p := range findAll(content, is(atom.Picture)) {
		img := find(p, is(atom.Img))
		if img == nil {
			img = element(atom.Img)
		}
		if imageSource(img) == "" {
			if s := find(p, func(n *html.Node) bool {
				return n.DataAtom == atom.Source && attr(n, "srcset")+attr(n, "data-srcset") != ""
			}); s != nil {
				setAttr(img, "src", firstOf(attr(s, "srcset"), attr(s, "data-srcset")))
			}
		}
		remove(img)
		replace(p, img)
	}
	for _, img := range findAll(content, is(atom.Img)) {
		src := imageSource(img)
		alt := oneLine(attr(img, "alt"))
		switch {
		case isPixel(img):
			remove(img)
			continue
		case src == "" && strings.HasPrefix(attr(img, "src"), "data:") && alt != "":
			kind, _, _ := strings.Cut(strings.TrimPrefix(attr(img, "src"), "data:"), ",")
			kind, _, _ = strings.Cut(kind, ";")
			src = "data:" + kind
		case src == "":
			remove(img)
			continue
		default:
			src = absolute(src, base)
		}
		img.Attr = []html.Attribute{{Key: "src", Val: src}, {Key: "alt", Val: alt}}
	}
}

// imageSource is the address of the picture itself, not of a placeholder.
func imageSource(img *html.Node) string {
	src := strings.TrimSpace(attr(img, "src"))
	lazy := ""
	for _, key := range []string{"data-src", "data-original", "data-lazy-src", "data-lazy", "data-actualsrc", "data-original-src", "data-image-src", "data-hi-res-src", "data-full-src"} {
		if v := strings.TrimSpace(attr(img, key)); isAddress(v) {
			lazy = v
			break
		}
	}
	placeholder := !isAddress(src) || strings.Contains(src, "placeholder") || strings.Contains(src, "blank.gif") ||
		strings.Contains(src, "spacer") || strings.Contains(src, "lazy") || strings.Contains(src, "loading")
	if placeholder {
		if lazy != "" {
			return lazy
		}
		for _, key := range []string{"data-srcset", "data-lazy-srcset", "srcset"} {
			if v := firstOf(attr(img, key)); isAddress(v) {
				return v
			}
		}
	}
	if !isAddress(src) {
		return ""
	}
	return src
}

func isAddress(s string) bool {
	return s != "" && !strings.HasPrefix(s, "data:") && !strings.HasPrefix(s, "blob:") && !strings.HasPrefix(s, "about:") && !strings.HasPrefix(s, "#") &&
		!strings.HasPrefix(s, "{") && !strings.HasPrefix(s, "[") && !strings.HasPrefix(strings.ToLower(s), "javascript:")
}

// firstOf is the first candidate of the first srcset that is not empty.
func firstOf(srcsets ...string) string {
	for _, s := range srcsets {
		s = strings.TrimLeft(s, " \t\n,")
		if i := strings.IndexAny(s, " \t\n"); i >= 0 {
			s = s[:i]
		}
		if s = strings.TrimRight(s, ","); s != "" {
			return s
		}
	}
	return ""
}

func isPixel(img *html.Node) bool {
	small := func(key string) bool {
		n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(attr(img, key)), "px"))
		return err == nil && n <= 2
	}
	return small("width") && small("height")
}
