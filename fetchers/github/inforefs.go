package github

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strconv"
	"strings"

	"pifetch/fetchers/github/api"
)

// refs are the branches and tags of a public repository, as git learns them.
type refs struct {
	repo  string // full name, as GitHub has it now
	head  string // the commit of HEAD, "" in an empty repository
	main  string // the branch HEAD stands for, "" when git does not say
	names map[string]string
	whole bool // the tags are there
}

// commit is what a split's ref points at, "" when there is no such ref.
func (r *refs) commit(s split) string {
	switch {
	case s.qualified == "HEAD":
		return r.head
	case isShortSHA(s.qualified):
		return s.qualified
	}
	return r.names[s.qualified]
}

const (
	refsBytes = 64 << 20 // most that is read of one repository's refs
	refsQuick = 1 << 20  // most that is read in search of tags that nobody asked for
)

// publicRefs are the refs of the job's repository, asked for without the API.
// Unless whole is set, the tags may be missing when the repository has many
// pull requests. What is remembered may be some minutes old.
func (j *job) publicRefs(ctx context.Context, whole bool) (*refs, error) {
	return j.refs.get(ctx, j.repo(), refsKept, whole, func() (*refs, error) { return j.askRefs(ctx, whole) })
}

// newRefs are all refs of the job's repository as they are now.
func (j *job) newRefs(ctx context.Context) (*refs, error) {
	return j.refs.get(ctx, j.repo(), refsNew, true, func() (*refs, error) { return j.askRefs(ctx, true) })
}

func (j *job) askRefs(ctx context.Context, whole bool) (*refs, error) {
	s, err := j.api.Open(ctx, api.Web, escapePath(j.repo())+".git/info/refs", url.Values{"service": {"git-upload-pack"}}, "")
	if err != nil {
		if e, ok := errors.AsType[*api.Error](err); ok && (e.Code == api.Unauthorized || e.Code == api.NotFound) {
			return nil, fmt.Errorf("404 Not Found: %s does not exist, or is private and needs a token: set GH_TOKEN or run: gh auth login", j.repo())
		}
		return nil, err
	}
	defer s.Body.Close()
	r, err := readRefs(s.Body, whole)
	if err != nil {
		return nil, fmt.Errorf("read the refs of %s: %w", j.repo(), err)
	}
	r.repo = j.repo()
	if u, err := url.Parse(s.URL); err == nil {
		if name, ok := strings.CutSuffix(strings.TrimSuffix(u.Path, "/info/refs"), ".git"); ok {
			parts := strings.Split(name, "/")
			if n := len(parts); n >= 2 && !strings.EqualFold(parts[n-2]+"/"+parts[n-1], r.repo) {
				r.repo = parts[n-2] + "/" + parts[n-1]
			}
		}
	}
	return r, nil
}

// readRefs reads what git-upload-pack advertises: packets of a length in four
// hexadecimal digits and a line "SHA ref". They are in order: HEAD, branches,
// pull requests, tags; a tag that is an object of its own is followed by a
// line "SHA ref^{}" with the commit.
func readRefs(body io.Reader, whole bool) (*refs, error) {
	limited := &io.LimitedReader{R: body, N: refsBytes}
	in := bufio.NewReader(limited)
	r := &refs{names: make(map[string]string)}
	flushed := false // the last packet ended a section
	for {
		line, err := packet(in)
		switch {
		case errors.Is(err, io.EOF):
			if limited.N <= 0 {
				return nil, fmt.Errorf("they are over %d MB", refsBytes>>20)
			}
			if !flushed {
				return nil, io.ErrUnexpectedEOF
			}
			r.whole = true
			return r, nil
		case err != nil:
			return nil, err
		case line == "" || strings.HasPrefix(line, "#"):
			flushed = line == ""
			continue
		}
		flushed = false
		line, capabilities, _ := strings.Cut(line, "\x00")
		for c := range strings.FieldsSeq(capabilities) {
			if branch, ok := strings.CutPrefix(c, "symref=HEAD:refs/heads/"); ok {
				r.main = branch
			}
		}
		sha, name, _ := strings.Cut(line, " ")
		if !isSHA(sha) {
			return nil, fmt.Errorf("unexpected line %q", line[:min(len(line), 80)])
		}
		name, peeled := strings.CutSuffix(name, "^{}")
		switch {
		case name == "HEAD":
			r.head = sha
		case strings.HasPrefix(name, "refs/heads/"), strings.HasPrefix(name, "refs/tags/"):
			if _, ok := r.names[name]; !ok || peeled {
				r.names[name] = sha
			}
		case !whole && refsBytes-limited.N > refsQuick:
			return r, nil
		}
		if len(r.names) > refsCount {
			return nil, fmt.Errorf("they are more than %d", refsCount)
		}
	}
}

// packet is the next line, "" for the end of a section.
func packet(in *bufio.Reader) (string, error) {
	var head [4]byte
	if _, err := io.ReadFull(in, head[:]); err != nil {
		return "", err
	}
	n, err := strconv.ParseUint(string(head[:]), 16, 16)
	if err != nil {
		return "", fmt.Errorf("not an answer of git: it has %q where a length is due", head)
	}
	if n < 4 {
		return "", nil
	}
	line := make([]byte, n-4)
	if _, err := io.ReadFull(in, line); err != nil {
		return "", io.ErrUnexpectedEOF
	}
	return strings.TrimSuffix(string(line), "\n"), nil
}

// publicPlaces are the places the URL can mean by the repository's refs. Only
// one is likely: a branch main and a tag main/x are rare together.
func (j *job) publicPlaces(ctx context.Context, folder bool) ([]place, error) {
	candidates := splits(j.Target, folder)
	if len(candidates) > 0 && isSHA(candidates[0].qualified) {
		c := candidates[0]
		return []place{{repo: j.repo(), ref: c.ref, commit: c.ref, path: c.path}}, nil
	}
	r, err := j.publicRefs(ctx, false)
	if err != nil {
		return nil, err
	}
	places := r.places(candidates)
	if len(places) == 0 { // it may be a tag, or a branch that is newer than what is remembered
		if r, err = j.newRefs(ctx); err != nil {
			return nil, err
		}
		places = r.places(candidates)
	}
	if len(places) == 0 {
		return nil, errUnclaimed
	}
	return places, nil
}

func (r *refs) places(candidates []split) []place {
	var places []place
	for _, c := range candidates {
		if commit := r.commit(c); commit != "" {
			places = append(places, place{repo: r.repo, ref: c.ref, commit: commit, path: c.path})
		}
	}
	return places
}
