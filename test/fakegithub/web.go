package fakegithub

import (
	"fmt"
	"net/http"
	"net/url"
	"path"
	"strings"
)

// begin does what all hosts beside the API have in common: the failures a test
// asked for, and the check that no token comes here. It reports whether the
// request is to be answered.
func (f *Fake) begin(w http.ResponseWriter, r *http.Request, host Host) bool {
	what := fmt.Sprintf("%s %s on the %s host", r.Method, r.URL.RequestURI(), host)
	if r.Header.Get("Authorization") != "" || strings.Contains(r.URL.RawQuery, f.Token) {
		f.fault("%s: the token is for the API alone", what)
	}
	if r.Header.Get("User-Agent") == "" {
		f.fault("%s: no User-Agent", what)
	}
	return f.refuse(w, r, host)
}

// refuse answers with the failure that a test asked for, and reports whether there was none.
func (f *Fake) refuse(w http.ResponseWriter, r *http.Request, host Host) bool {
	x := f.failing(string(host) + " " + r.URL.EscapedPath())
	if x == nil {
		return true
	}
	if x.broken() {
		breakOff(w, x)
		return true
	}
	x.serve(w, r)
	return false
}

// split is the repository at the head of a path and what comes after, decoded
// segment by segment. Private repositories are not there for the anonymous.
func (f *Fake) split(r *http.Request) (repo *Repo, moved bool, rest []string) {
	repo, moved, rest = f.anyRepository(r)
	if repo != nil && repo.Private {
		return nil, false, nil
	}
	return repo, moved, rest
}

// anyRepository is split with private repositories.
func (f *Fake) anyRepository(r *http.Request) (repo *Repo, moved bool, rest []string) {
	segments := strings.Split(strings.Trim(r.URL.EscapedPath(), "/"), "/")
	for i := range segments {
		s, err := url.PathUnescape(segments[i])
		if err != nil {
			return nil, false, nil
		}
		segments[i] = s
	}
	if len(segments) < 2 {
		return nil, false, nil
	}
	repo, moved = f.World.Repo(segments[0] + "/" + strings.TrimSuffix(segments[1], ".git"))
	return repo, moved, segments[2:]
}

func missing(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(http.StatusNotFound)
	fmt.Fprint(w, "<!DOCTYPE html><title>Page not found · GitHub</title>")
}

// serveWeb is github.com: diffs and patches, assets, and git. Pages for people
// are not served.
func (f *Fake) serveWeb(w http.ResponseWriter, r *http.Request) {
	if strings.Contains(r.URL.Path, ".git/") {
		if f.refuse(w, r, Web) {
			f.serveGit(w, r)
		}
		return
	}
	if !f.begin(w, r, Web) {
		return
	}
	repo, moved, rest := f.split(r)
	switch {
	case repo == nil || len(rest) == 0:
		missing(w)
	case moved:
		http.Redirect(w, r, fmt.Sprintf("%s/%s/%s", f.base[Web], repo.Full(), escapePath(strings.Join(rest, "/"))), http.StatusMovedPermanently)
	case rest[0] == "releases" && len(rest) > 2:
		f.serveAsset(w, r, repo, rest[1:])
	case rest[0] == "archive":
		http.Redirect(w, r, fmt.Sprintf("%s/%s/%s", f.base[Codeload], repo.Full(), archiveForm(rest[1:])), http.StatusFound)
	case rest[0] == "raw":
		http.Redirect(w, r, fmt.Sprintf("%s/%s/%s", f.base[Raw], repo.Full(), escapePath(strings.Join(rest[1:], "/"))), http.StatusFound)
	default:
		f.serveDiff(w, r, repo, rest)
	}
}

// serveDiff answers pull/7.diff, commit/SHA.patch, compare/a...b.diff. Those of
// pull requests lie on a host of their own.
func (f *Fake) serveDiff(w http.ResponseWriter, r *http.Request, repo *Repo, rest []string) {
	name := strings.Join(rest[1:], "/")
	ext := path.Ext(name)
	from, to := f.between(repo, rest[0], strings.TrimSuffix(name, ext))
	if to == "" || ext != ".diff" && ext != ".patch" {
		missing(w)
		return
	}
	if rest[0] == "pull" && callOf(w).Host == Web {
		http.Redirect(w, r, fmt.Sprintf("%s/raw/%s/pull/%s", f.base[Diffs], repo.Full(), name), http.StatusFound)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	fmt.Fprint(w, f.diffText(repo, from, to, ext[1:]))
}

// between are the commits that a page's diff is between; "" when there is no such page.
func (f *Fake) between(repo *Repo, page, name string) (from, to string) {
	switch page {
	case "pull":
		if i := repo.Issue(number(name)); i != nil && i.Pull != nil {
			return i.Pull.mergeBase(repo), i.Pull.HeadSHA
		}
	case "commit":
		if sha := repo.Git.CommitSHA(name); sha != "" {
			return before(repo, f.log(repo, "-1", sha)[0]), sha
		}
	case "compare":
		if base, head, ok := strings.Cut(name, "..."); !ok {
			if base, head, ok = strings.Cut(name, ".."); ok { // two dots: the trees as they are
				return repo.Git.CommitSHA(base), repo.Git.CommitSHA(head)
			}
		} else if base, head = f.ends(repo, base+"..."+head); base != "" && head != "" {
			return repo.Git.MergeBase(base, head), head
		}
	}
	return "", ""
}

// serveDiffs is patch-diff.githubusercontent.com: /raw/o/r/pull/7.diff.
func (f *Fake) serveDiffs(w http.ResponseWriter, r *http.Request) {
	if !f.begin(w, r, Diffs) {
		return
	}
	inner := r.Clone(r.Context())
	inner.URL.Path, inner.URL.RawPath = strings.TrimPrefix(r.URL.Path, "/raw"), ""
	repo, _, rest := f.split(inner)
	if repo == nil || len(rest) != 2 || rest[0] != "pull" {
		missing(w)
		return
	}
	f.serveDiff(w, r, repo, rest)
}
