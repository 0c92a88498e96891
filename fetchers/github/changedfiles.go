package github

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"pifetch/fetchers"
	"pifetch/fetchers/github/markdown"
	"pifetch/fetchers/github/patch"
)

func (p *pull) filesCount(d *diff) string {
	if d.Range != "" {
		return number(len(p.Files.List)) + " in " + d.Range
	}
	if p.Files.More {
		return number(len(p.Files.List)) + " of " + number(p.Files.Total)
	}
	return number(len(p.Files.List))
}

// addFiles writes the table of changed files with their lines in the patch.
func (p *pull) addFiles(d *document, written *diff) int {
	if len(p.Files.List) == 0 && !p.Files.More {
		return 0
	}
	line := d.body.Line()
	title := "Changed files"
	if written.Range != "" {
		title += " of " + written.Range
	}
	d.body.Heading(2, title)
	switch {
	case !p.Files.More:
	case written.Range != "":
		d.body.Add("There may be more files than these.")
	default:
		d.body.Add(p.filesCount(written) + " files here; the rest: " + p.apiURL("pulls/"+number(p.Number)+"/files?per_page=100&page="+number(len(p.Files.List)/perPage+1)))
	}
	addFileTable(&d.body, p.Files.List)
	return line
}

// addFileTable writes a table of changed files with their lines in the patch.
func addFileTable(d *markdown.Doc, files []patch.Section) {
	rows := make([][]string, len(files))
	for i, f := range files {
		rows[i] = []string{f.Status, "+" + number(f.Additions), "-" + number(f.Deletions), fileName(f), placeIn(f)}
	}
	d.Table([]string{"status", "+", "-", "file", "line in " + diffName}, rows)
}

// fileName is the file, with its name before where that was another.
func fileName(f patch.Section) string {
	if f.OldPath != "" && f.OldPath != f.Path {
		return markdown.Code(f.OldPath) + " → " + markdown.Code(f.Path)
	}
	return markdown.Code(f.Path)
}

// placeIn is where the patch has the file, or why it does not.
func placeIn(f patch.Section) string {
	switch {
	case f.Omitted != "":
		return "left out: " + f.Omitted
	case f.Line > 0:
		return number(f.Line)
	}
	return ""
}

// filesExcerpt lists the changed files for a digest.
func filesExcerpt(files []patch.Section) string {
	var b strings.Builder
	for _, f := range files {
		fmt.Fprintf(&b, "%s +%d -%d %s", f.Status, f.Additions, f.Deletions, f.Path)
		switch {
		case f.Omitted != "":
			b.WriteString(" (" + placeIn(f) + ")")
		case f.Line > 0:
			b.WriteString(" (" + diffName + ":" + number(f.Line) + ")")
		}
		b.WriteString("\n")
	}
	return excerptOf(b.String())
}

// describeDiff makes the line of the diff that the URL points at the excerpt.
// Its anchor is the SHA-256 of the file's path, then R or L and a line of the
// file after or before the change.
func (j *job) describeDiff(doc *fetchers.Document, d *diff, files []patch.Section) {
	hash, line := j.Anchor.ID, ""
	if len(hash) > hex.EncodedLen(sha256.Size) {
		hash, line = hash[:hex.EncodedLen(sha256.Size)], hash[hex.EncodedLen(sha256.Size):]
	}
	for _, f := range files {
		sum := sha256.Sum256([]byte(f.Path))
		if hex.EncodeToString(sum[:]) != hash {
			continue
		}
		fact, excerpt := d.point(j.folder, f, line)
		doc.Facts = append(doc.Facts, fact)
		if excerpt != "" {
			doc.Excerpt = excerptOf(excerpt)
		}
		return
	}
	doc.Facts = append(doc.Facts, "anchor #diff-"+markdown.Line(j.Anchor.ID)+" not found")
}

// point says where a line of a file stands in the patch. line is "R12", "L12",
// "R12-R14" or "" for the whole file.
func (d *diff) point(folder fetchers.Folder, f patch.Section, line string) (fact, excerpt string) {
	if f.Omitted != "" || f.Line == 0 || d.Body.Name == "" {
		return "anchor: " + markdown.Code(f.Path) + " is not in " + diffName, ""
	}
	part, err := d.part(folder, f)
	if err != nil {
		return "anchor: " + diffName + " cannot be read: " + err.Error(), ""
	}
	if line == "" {
		return fmt.Sprintf("anchor: %s:%d", diffName, f.Line), strings.Join(part.Lines[:min(len(part.Lines), 2*hunkContext)], "\n")
	}
	first, _, _ := strings.Cut(line, "-")
	digits, before := strings.CutPrefix(first, "L")
	n, err := strconv.Atoi(strings.TrimPrefix(digits, "R"))
	if i, ok := part.Find(n, before); err == nil && ok {
		around := part.Lines[max(0, i-hunkContext/2):min(len(part.Lines), i+1+hunkContext/2)]
		return fmt.Sprintf("anchor: %s:%d", diffName, part.Line+i), f.Path + "\n" + strings.Join(around, "\n")
	}
	return fmt.Sprintf("anchor: line %s of %s is not in the diff, its file is at %s:%d", line, markdown.Code(f.Path), diffName, f.Line), ""
}
