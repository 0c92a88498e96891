package github

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/url"

	"pifetch/fetchers"
	"pifetch/fetchers/github/api"
	"pifetch/fetchers/github/markdown"
	"pifetch/fetchers/github/patch"
)

const diffName = "diff.patch"

// diffSource is where a diff is to be had.
type diffSource struct {
	api   string // path of the REST API below the repository: "pulls/7", "compare/a...b"
	web   string // path of the page below the repository, without .diff
	files string // path of the API that lists its files, or holds them as "files"
}

func pullDiff(number int) diffSource {
	return diffSource{
		api: fmt.Sprintf("pulls/%d", number), web: fmt.Sprintf("pull/%d", number),
		files: fmt.Sprintf("pulls/%d/files", number),
	}
}

func compareDiff(base, head string) diffSource {
	path := "compare/" + url.PathEscape(base) + "..." + url.PathEscape(head)
	return diffSource{api: path, web: path, files: path}
}

// diff is a diff.patch that was written.
type diff struct {
	Body    fetchers.Body // its Name is "" when there was nothing to write
	Range   string        // "aaaaaaa..bbbbbbb" when it is of some commits only
	Missing string        // why there is none
	patch.Result
}

// writeDiff streams the diff as git made it into diff.patch. With a token it
// comes from the API, else from the page.
func (j *job) writeDiff(ctx context.Context, src diffSource) (*diff, error) {
	s, err := j.openDiff(ctx, src)
	if err != nil {
		return nil, err
	}
	return j.storeDiff(s)
}

// publicDiff is writeDiff of a page, token or not.
func (j *job) publicDiff(ctx context.Context, page string) (*diff, error) {
	s, err := j.openPublicDiff(ctx, page)
	if err != nil {
		return nil, err
	}
	return j.storeDiff(s)
}

func (j *job) storeDiff(s *api.Stream) (*diff, error) {
	defer s.Body.Close()
	if media, _, _ := mime.ParseMediaType(s.Header.Get("Content-Type")); media == "text/html" {
		return nil, errors.New("GitHub answers the diff with a page: it may need a login")
	}
	d := &diff{}
	err := d.write(j.folder, func(w io.Writer) (patch.Result, error) { return patch.Copy(w, s.Body, patch.Limits{}) })
	if err != nil {
		return nil, err
	}
	return d, nil
}

func (j *job) openDiff(ctx context.Context, src diffSource) (*api.Stream, error) {
	if j.api.Token(ctx) {
		return j.api.Open(ctx, api.API, j.path(src.api), nil, api.Diff)
	}
	return j.openPublicDiff(ctx, src.web)
}

func (j *job) openPublicDiff(ctx context.Context, page string) (*api.Stream, error) {
	path := url.PathEscape(j.Owner) + "/" + url.PathEscape(j.Repo) + "/" + page + ".diff"
	return j.api.Open(ctx, api.Web, path, nil, "")
}

// write stores what fill writes, unless that is nothing.
func (d *diff) write(folder fetchers.Folder, fill func(io.Writer) (patch.Result, error)) error {
	r, w := io.Pipe()
	filled := make(chan error, 1)
	go func() {
		var err error
		d.Result, err = fill(w)
		w.CloseWithError(err)
		filled <- err
	}()
	body, err := folder.Write(diffName, r)
	r.CloseWithError(err)
	if fillErr := <-filled; err == nil {
		err = fillErr
	}
	if err != nil {
		return fmt.Errorf("%s: %w", diffName, err)
	}
	if body.Bytes == 0 {
		return folder.Remove(diffName)
	}
	d.Body = body
	return nil
}

// place gives files their lines in the patch.
func (d *diff) place(files []patch.Section) {
	at := map[string]patch.Section{}
	for _, f := range d.Sections {
		at[f.Path] = f
	}
	for i := range files {
		if f, ok := at[files[i].Path]; ok {
			files[i].Line, files[i].Omitted, files[i].OldPath = f.Line, f.Omitted, f.OldPath
		}
	}
}

// facts say what the patch lacks.
func (d *diff) facts() []string {
	var facts []string
	if d.Missing != "" {
		facts = append(facts, "no "+diffName+": "+d.Missing)
	}
	if d.Omitted > 0 {
		facts = append(facts, diffName+": "+markdown.Count(d.Omitted, "file")+" left out")
	}
	if d.Truncated {
		facts = append(facts, diffName+" may lack files")
	}
	return facts
}

// alone is the document of a diff whose page was not read. rest is what the
// page has beside it.
func (d *diff) alone(doc fetchers.Document, rest string) fetchers.Document {
	additions, deletions := 0, 0
	for _, f := range d.Sections {
		additions += f.Additions
		deletions += f.Deletions
	}
	doc.Facts = []string{fmt.Sprintf("+%d -%d", additions, deletions), markdown.Count(len(d.Sections), "file")}
	doc.Facts = append(append(doc.Facts, d.facts()...), "the diff alone, "+rest+" is at "+doc.Link)
	doc.Excerpt, doc.Via, doc.Bodies = filesExcerpt(d.Sections), "web", []fetchers.Body{d.Body}
	return doc
}

// pageDiff is the document of commit/SHA.diff and of compare/a...b.diff without
// a token: the diff from the page, which asks nothing of the API. It reports
// false where there is a token, and when the page has no diff; then the API
// says why.
func (j *job) pageDiff(ctx context.Context, page string, doc fetchers.Document, rest string) (fetchers.Document, bool) {
	if j.Sub != "diff" && j.Sub != "patch" || j.api.Token(ctx) {
		return doc, false
	}
	d, err := j.publicDiff(ctx, page)
	if err != nil || d.Body.Name == "" {
		return doc, false
	}
	doc.Link = "https://github.com/" + j.repo() + "/" + page
	return d.alone(doc, rest), true
}

// tooLarge reports whether GitHub did not make a diff for its size.
func tooLarge(err error) bool {
	e, ok := errors.AsType[*api.Error](err)
	return ok && (e.Code == api.TooLarge || e.Code == api.Unavailable)
}

// part reads back what the patch holds of a file.
func (d *diff) part(folder fetchers.Folder, file patch.Section) (patch.Part, error) {
	r, err := folder.Open(diffName)
	if err != nil {
		return patch.Part{}, err
	}
	defer r.Close()
	return patch.ReadPart(r, file.Line)
}
