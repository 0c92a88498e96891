package extract

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// resolveMedia gives every picture its real, absolute address and its words,
// and removes what is no picture to a reader: spacers, tracking pixels, icons,
// portraits beside a name, previews of the picture that follows.
func resolveMedia(content *html.Node, base *url.URL) {
	for _, p := range findAll(content, is(atom.Picture)) {
		img := find(p, is(atom.Img))
		if img == nil {
			img = element(atom.Img)
		}
		if imageSource(img) == "" {
			for _, s := range findAll(p, is(atom.Source)) {
				if v := bestOf(attr(s, "srcset"), attr(s, "data-srcset"), attr(s, "data-lazy-srcset")); v != "" {
					setAttr(img, "src", v)
					break
				}
			}
		}
		remove(img)
		replace(p, img)
	}
	var last *html.Node // the picture before, when there is no text since
	walk(content, func(n *html.Node) bool {
		if n.Type == html.TextNode && strings.TrimSpace(n.Data) != "" || n.Data == blockTag || n.Data == inlineTag {
			last = nil
		}
		if n.DataAtom != atom.Img {
			return true
		}
		alt := oneLine(attr(n, "alt"))
		if emoji := emojiOf(n, alt); emoji != "" {
			replace(n, text(emoji))
			last = nil
			return false
		}
		src := imageSource(n)
		if full := attr(n.Parent, "href"); isOne(n.Parent, atom.A) && isThumbnail(src) && pictureFile.MatchString(full) {
			src = full
			setAttr(n, "src", full)
		}
		switch {
		case isPixel(n), isPortrait(n), src != "" && alt == "" && isIcon(n):
			remove(n)
			return false
		case src == "" && strings.HasPrefix(attr(n, "src"), "data:") && alt != "":
			kind, _, _ := strings.Cut(strings.TrimPrefix(attr(n, "src"), "data:"), ",")
			kind, _, _ = strings.Cut(kind, ";")
			src = "data:" + kind
		case src == "":
			remove(n)
			return false
		default:
			src = absolute(src, base)
		}
		n.Attr = []html.Attribute{{Key: "src", Val: src}, {Key: "alt", Val: alt}}
		if last != nil && last.Parent != nil && isPreview(last, n) {
			if alt == "" {
				setAttr(n, "alt", attr(last, "alt"))
			}
			remove(last)
		}
		last = n
		return false
	})
	for _, a := range findAll(content, is(atom.A)) {
		if a.Parent != nil && !hasContent(a) {
			remove(a)
		}
	}
}

// lazyKeys are the attributes that scripts for lazy images keep the address in.
var (
	lazyKeys = []string{
		"data-src", "data-original", "data-lazy-src", "data-lazy", "data-actualsrc", "data-original-src", "data-image-src", "data-hi-res-src",
		"data-full-src", "data-orig-file", "data-large-file", "data-src-large", "data-image", "data-echo", "data-ll-src", "data-defer-src",
		"data-runner-src", "data-td-src", "data-raw-src", "data-large_image", "data-zoom-image", "data-pin-media", "data-lazyload", "data-img-src",
		"data-nitro-lazy-src", "data-wood-src", "data-cfsrc", "data-pagespeed-lazy-src", "data-original-image", "nitro-lazy-src", "lazy-src", "loading-src",
	}
	lazySets = []string{"data-srcset", "data-lazy-srcset", "data-original-set", "data-ll-srcset", "data-nitro-lazy-srcset", "nitro-lazy-srcset", "srcset"}
)

// imageSource is the address of the picture itself, not of a placeholder.
func imageSource(img *html.Node) string {
	src := strings.TrimSpace(attr(img, "src"))
	if isAddress(src) && !isPlaceholder(src) {
		return src
	}
	for _, key := range lazyKeys {
		if v := strings.TrimSpace(attr(img, key)); isAddress(v) && !isBlank(v) {
			return v
		}
	}
	for _, key := range lazySets {
		if v := bestOf(attr(img, key)); v != "" && !isBlank(v) {
			return v
		}
	}
	if !isAddress(src) || isBlank(src) {
		return ""
	}
	return src
}

// isPlaceholder reports whether an address is named like what stands for a
// picture that has yet to load.
func isPlaceholder(src string) bool {
	name := fileName(src)
	return isBlank(src) || strings.Contains(name, "placeholder") || strings.Contains(name, "lazy") || strings.Contains(name, "loading") ||
		strings.Contains(name, "spinner")
}

// blanks are the names of pictures that show nothing, or that it has yet to load.
var blanks = set(`blank spacer space transparent transparent-pixel clear cleardot pixel 1x1 1px 1pixel trans empty dot grey gray t s x px nothing
	placeholder loading loader lazy lazyload lazy-load ajax-loader spinner`)

func isBlank(src string) bool {
	stem, ext, _ := strings.Cut(fileName(src), ".")
	if head, rest, ok := strings.Cut(stem, "-"); ok && len(rest) >= 8 && strings.Trim(rest, "0123456789abcdef") == "" {
		stem = head // the rest is a hash
	}
	return blanks[stem] && (ext == "gif" || ext == "png" || ext == "svg" || ext == "webp")
}

// fileName is the last part of an address's path, in lower case.
func fileName(src string) string {
	if i := strings.IndexAny(src, "?#"); i >= 0 {
		src = src[:i]
	}
	return strings.ToLower(src[strings.LastIndexByte(src, '/')+1:])
}

func isAddress(s string) bool {
	return s != "" && !strings.Contains(s, "{width}") && !strings.HasPrefix(s, "data:") && !strings.HasPrefix(s, "blob:") && !strings.HasPrefix(s, "about:") && !strings.HasPrefix(s, "#") &&
		!strings.HasPrefix(s, "{") && !strings.HasPrefix(s, "[") && !strings.HasPrefix(strings.ToLower(s), "javascript:")
}

// bestOf is the largest candidate of the first srcset that has one.
func bestOf(srcsets ...string) string {
	for _, set := range srcsets {
		best, size := "", -1.0
		for set = strings.TrimLeft(set, " \t\n\f\r,"); set != ""; set = strings.TrimLeft(set, " \t\n\f\r,") {
			// An address may hold commas, and ends at white space.
			i := strings.IndexAny(set, " \t\n\f\r")
			if i < 0 {
				i = len(set)
			}
			address, descriptor := set[:i], ""
			set = set[i:]
			if plain := strings.TrimRight(address, ","); plain != address {
				address = plain
			} else {
				descriptor, set, _ = strings.Cut(set, ",")
			}
			descriptor = strings.TrimSpace(descriptor)
			v := 1.0
			if descriptor != "" {
				v, _ = strconv.ParseFloat(descriptor[:len(descriptor)-1], 64)
			}
			if isAddress(address) && v > size {
				best, size = address, v
			}
		}
		if best != "" {
			return best
		}
	}
	return ""
}

// isPixel reports whether a picture is too small to show anything.
func isPixel(img *html.Node) bool {
	w, h, ok := declaredSize(img)
	return ok && w <= 2 && h <= 2
}

const (
	iconSize     = 48  // pixels; a picture without words that is no larger is an icon
	portraitSize = 200 // one named as a portrait that is larger is the subject
	thumbSize    = 100 // a picture scaled down to this is there to be clicked
)

// isIcon reports whether a picture is declared no larger than an icon.
func isIcon(img *html.Node) bool {
	w, h, ok := declaredSize(img)
	return ok && w <= iconSize && h <= iconSize
}

// declaredSize is the size a picture is shown at, in pixels, by its attributes
// or its own style.
func declaredSize(img *html.Node) (w, h float64, ok bool) {
	side := func(key string) (float64, bool) {
		if v := strings.TrimSpace(attr(img, key)); v != "" {
			if f, err := strconv.ParseFloat(strings.TrimSuffix(v, "px"), 64); err == nil {
				return f, true
			}
		}
		if v := style(attr(img, "style")).value(key); strings.HasSuffix(v, "px") {
			return pixels(v)
		}
		return 0, false
	}
	w, okW := side("width")
	h, okH := side("height")
	return w, h, okW && okH
}

// portraits are the words for the picture of a person who says or wrote
// something.
var portraits = set("avatar gravatar userpic author-image author-img author-photo author-avatar author-pic profile-pic profile-photo profile-image user-photo user-image user-avatar byline-image headshot")

// isPortrait reports whether a picture shows who wrote something, or is a
// thumbnail: both say nothing the text does not.
func isPortrait(img *html.Node) bool {
	w, h, ok := declaredSize(img)
	if ok && (w > portraitSize || h > portraitSize) {
		return false
	}
	if isThumbnail(attr(img, "src")) {
		return true
	}
	for n, i := img, 0; n != nil && i < 3; n, i = n.Parent, i+1 {
		if named(n, portraits) {
			return true
		}
		for name := range strings.FieldsSeq(strings.ToLower(attr(n, "class"))) {
			for word := range strings.FieldsFuncSeq(name, func(r rune) bool { return r == '-' || r == '_' }) {
				if word == "avatar" || word == "gravatar" || word == "userpic" {
					return true
				}
			}
		}
		if left := aroundPicture; n != img && !isWordless(n, &left) {
			break
		}
	}
	src := strings.ToLower(attr(img, "src"))
	return strings.Contains(src, "/avatar") || strings.Contains(src, "avatar.") || strings.Contains(src, "gravatar") || strings.Contains(src, "/userpic")
}

// aroundPicture is how many nodes an element has at most that is there for one
// picture.
const aroundPicture = 50

// isWordless reports whether n has no text and at most left nodes.
func isWordless(n *html.Node, left *int) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if *left--; *left < 0 || c.Type == html.TextNode && strings.TrimSpace(c.Data) != "" || !isWordless(c, left) {
			return false
		}
	}
	return true
}

// thumbnails match the sizes that image services write into an address.
var thumbnails = regexp.MustCompile(`(?i)(?:^|[/_,=-])(\d{2,3})x(\d{2,3})(?:[/._,]|$)|/[a-z]/(\d{2,3})/(\d{2,3})/|\bh_(\d{2,3}),.*\bw_(\d{2,3})\b|\bw_(\d{2,3}),.*\bh_(\d{2,3})\b`)

// pictureFile matches an address that names a picture.
var pictureFile = regexp.MustCompile(`(?i)\.(jpe?g|png|gif|webp|avif)$`)

// isThumbnail reports whether an address asks for a picture of at most
// thumbSize pixels each way.
func isThumbnail(src string) bool {
	path, _, _ := strings.Cut(src, "?")
	m := thumbnails.FindStringSubmatch(path)
	if m == nil {
		return false
	}
	for i := 1; i+1 < len(m); i += 2 {
		w, errW := strconv.Atoi(m[i])
		h, errH := strconv.Atoi(m[i+1])
		if errW == nil && errH == nil {
			return w <= thumbSize && h <= thumbSize
		}
	}
	return false
}

// isPreview reports whether a is the blurred or small copy that is shown until
// b, right behind it, has loaded.
func isPreview(a, b *html.Node) bool {
	srcA, srcB := attr(a, "src"), attr(b, "src")
	if strings.HasPrefix(srcA, "data:") {
		return attr(a, "alt") == attr(b, "alt")
	}
	name := fileName(srcA)
	return len(name) >= 8 && name == fileName(srcB) && (attr(a, "alt") == "" || attr(a, "alt") == attr(b, "alt") || attr(b, "alt") == "")
}

// emojiOf is the text of a picture that stands for a character of the text.
func emojiOf(img *html.Node, alt string) string {
	if alt == "" || utf8.RuneCountInString(alt) > 40 || strings.Contains(alt, " ") {
		return ""
	}
	for name := range strings.FieldsSeq(strings.ToLower(attr(img, "class"))) {
		if name == "emoji" || name == "wp-smiley" || name == "emote" || name == "emoticon" || strings.HasPrefix(name, "emoji-") {
			return alt
		}
	}
	for _, r := range alt {
		if r < 0x2190 {
			return ""
		}
		if unicode.IsLetter(r) {
			return ""
		}
	}
	return alt
}
