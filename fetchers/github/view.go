package github

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path"
	"regexp"
	"strconv"
	"strings"

	"pifetch/fetchers"
	"pifetch/fetchers/artifact"
	"pifetch/fetchers/github/api"
	"pifetch/fetchers/github/target"
	"pifetch/internal/termtext"
)

// view is what a document tells about a stored file.
type view struct {
	excerpt  string   // the lines or the section asked for, else the head
	anchor   string   // where they stand, as a fact; "" when none were asked for
	fragment string   // of the document's URL: "#L3-L7", "#usage"
	pointer  *pointer // when the file stands for one in Git LFS
}

// view reads a body back, with the lines or the heading that the URL names.
func (j *job) view(body fetchers.Body) (view, error) {
	v, err := readView(j.folder, body, j.Lines)
	if err != nil || v.anchor != "" {
		return v, err
	}
	name := j.heading()
	line := artifact.HeadingLine(body.Outline, strings.TrimPrefix(name, "user-content-"))
	if line == 0 {
		return v, nil
	}
	r, err := j.folder.Open(body.Name)
	if err != nil {
		return v, err
	}
	defer r.Close()
	section, err := excerptLines(bufio.NewReader(r), line, line, body.Lines)
	if excerpt := headOf(body.Name, section); excerpt != "" {
		v.excerpt = cut(excerpt)
	}
	v.anchor = fmt.Sprintf("anchor: %s:%d", body.Name, line)
	v.fragment = (&url.URL{Fragment: name}).String()
	return v, err
}

// heading is the fragment of the URL, which may be the name of a heading.
func (j *job) heading() string {
	if j.url.Parsed == nil {
		return ""
	}
	return j.url.Parsed.Fragment
}

// around is how many lines an excerpt has before and after those asked for.
const around = 3

// readView reads a body back. A binary one has no excerpt.
func readView(folder fetchers.Folder, body fetchers.Body, lines target.Lines) (view, error) {
	v := view{}
	if lines.First > 0 {
		v.anchor, v.fragment = anchorFact(body, lines), linesFragment(lines)
	}
	if body.Lines == 0 {
		return v, nil
	}
	r, err := folder.Open(body.Name)
	if err != nil {
		return v, err
	}
	defer r.Close()
	in := bufio.NewReaderSize(r, maxPointer)
	head, err := in.Peek(maxPointer)
	if err != nil && !errors.Is(err, io.EOF) {
		return v, err
	}
	if body.Bytes < maxPointer {
		v.pointer = readPointer(string(head))
	}
	if lines.First > 0 && lines.First <= body.Lines {
		v.excerpt, err = excerptLines(in, lines.First-around, lines.First, lines.Last+around)
		return v, err
	}
	text, err := io.ReadAll(io.LimitReader(in, 4*fetchers.ExcerptBytes))
	v.excerpt = cut(headOf(body.Name, strings.ToValidUTF8(string(text), "")))
	return v, err
}

// headOf is the head of a text as an excerpt shows it.
func headOf(name, text string) string {
	switch strings.ToLower(path.Ext(name)) {
	case ".md", ".markdown":
		if excerpt := artifact.Excerpt(text); excerpt != "" {
			return excerpt
		}
	}
	return strings.TrimSpace(text)
}

// cut is text as it fits into an excerpt.
func cut(text string) string {
	return strings.ToValidUTF8(text[:min(len(text), fetchers.ExcerptBytes)], "")
}

// excerptLines reads lines first to last as far as an excerpt takes them,
// without those before the line asked for when these leave it too little room.
func excerptLines(in *bufio.Reader, first, asked, last int) (string, error) {
	var b strings.Builder
	start := true // of a line
	for n := 1; n <= last && (n <= asked || b.Len() < fetchers.ExcerptBytes); {
		piece, more, err := in.ReadLine()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "", err
		}
		if n == asked && start && b.Len() > fetchers.ExcerptBytes/2 {
			b.Reset()
		}
		if n >= first && b.Len() < fetchers.ExcerptBytes {
			b.Write(piece)
		}
		if start = !more; start {
			if n >= first {
				b.WriteByte('\n')
			}
			n++
		}
	}
	return cut(strings.TrimRight(b.String(), "\n")), nil
}

// anchorFact says where the lines that were asked for stand.
func anchorFact(body fetchers.Body, l target.Lines) string {
	switch {
	case l.First > body.Lines:
		return fmt.Sprintf("anchor: line %d is not in %s, which has %s lines", l.First, body.Name, termtext.Count(body.Lines))
	case l.Last > l.First:
		return fmt.Sprintf("anchor: %s:%d-%d", body.Name, l.First, min(l.Last, body.Lines))
	}
	return fmt.Sprintf("anchor: %s:%d", body.Name, l.First)
}

// linesFragment is the part of a URL that names lines.
func linesFragment(l target.Lines) string {
	if l.Last > l.First {
		return fmt.Sprintf("#L%d-L%d", l.First, l.Last)
	}
	return fmt.Sprintf("#L%d", l.First)
}

// pointer is a file that Git LFS keeps elsewhere.
type pointer struct {
	oid  string
	size int64
}

// maxPointer is the size that pointers are below, in bytes.
const maxPointer = 1024

var pointerPattern = regexp.MustCompile(`\Aversion https://git-lfs\.github\.com/spec/v1\n(?:ext-\d-[^\n]*\n)*oid sha256:([0-9a-f]{64})\nsize (\d+)\n?\z`)

// readPointer reads a pointer by the specification of Git LFS, nil when text
// is none.
func readPointer(text string) *pointer {
	m := pointerPattern.FindStringSubmatch(text)
	if m == nil {
		return nil
	}
	size, err := strconv.ParseInt(m[2], 10, 64)
	if err != nil {
		return nil
	}
	return &pointer{m[1], size}
}

func (l *pointer) fact(p place) string {
	return fmt.Sprintf("Git LFS pointer to %s, sha256 %s: https://media.githubusercontent.com/media/%s/%s/%s", termtext.Bytes(l.size), l.oid, p.repo, p.commit, escapePath(p.path))
}

// readText reads and closes a short answer.
func readText(s *api.Stream, most int64) (string, error) {
	defer s.Body.Close()
	text, err := io.ReadAll(io.LimitReader(s.Body, most))
	return strings.ToValidUTF8(string(text), "\ufffd"), err
}
