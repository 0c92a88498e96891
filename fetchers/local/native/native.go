// Package native knows the markdown that sites serve of their own pages: where
// a page says that it is, how it becomes a body like any other, and whether it
// is the same document as the page. It touches no network, no browser and no
// files.
package native

import (
	"net/url"
	"regexp"
	"strings"
	"unicode/utf8"

	"pifetch/fetchers/artifact"
)

// Document is the markdown of a site in the form in which it is delivered.
type Document struct {
	Title string // of the front matter, on one line; often empty

	// Markdown is valid UTF-8, has no front matter and no byte order mark,
	// and ends with a newline unless it is empty. Links are absolute; what may
	// be code is as it came.
	Markdown string

	Text int // letters and digits of its prose and code, addresses left out
}

// Read makes a document of markdown as it came. Links are resolved against the
// address it came from.
func Read(markdown string, from *url.URL) Document {
	markdown = strings.TrimPrefix(strings.ToValidUTF8(markdown, "\uFFFD"), "\uFEFF")
	front, body := artifact.CutFrontMatter(markdown)
	body = absoluteLinks(strings.TrimLeft(body, "\r\n"), from)
	switch {
	case strings.TrimSpace(body) == "":
		body = ""
	case !strings.HasSuffix(body, "\n"):
		body += "\n"
	}
	d := Document{Title: titleOf(front), Markdown: body}
	for _, w := range words(body) {
		d.Text += utf8.RuneCountInString(w)
	}
	return d
}

var htmlStart = regexp.MustCompile(`(?i)^(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)[\s>]`)

// IsHTML reports whether what calls itself markdown is the source of a page.
func IsHTML(text string) bool {
	text = strings.TrimSpace(strings.TrimPrefix(text, "\uFEFF"))
	return htmlStart.MatchString(text[:min(len(text), 4096)])
}

// IsMarkdown reports whether a media type, in lower case and without
// parameters, is that of markdown: the registered one (RFC 7763) or the one
// from before it was.
func IsMarkdown(mediaType string) bool {
	return mediaType == "text/markdown" || mediaType == "text/x-markdown"
}

// textNames are the extensions of files that are markdown, or text, by name.
var textNames = []string{".md", ".markdown", ".mdown", ".mkdn", ".mkd", ".mdx", ".qmd", ".rmd", ".txt", ".text"}

// IsFile reports whether a URL's path names a file of markdown or text, as
// opposed to a page that may be had as one.
func IsFile(u *url.URL) bool {
	path := strings.ToLower(u.Path)
	for _, ext := range textNames {
		if strings.HasSuffix(path, ext) {
			return true
		}
	}
	return false
}
