package fakegithub

import (
	"fmt"
	"net/http"
	"net/http/cgi"
	"net/url"
	"os/exec"
	"path"
	"strings"
	"sync"

	"pifetch/test/fakegithub/gitrepo"
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

// serveAsset answers releases/download/TAG/NAME and releases/latest/download/NAME.
func (f *Fake) serveAsset(w http.ResponseWriter, r *http.Request, repo *Repo, rest []string) {
	var release *Release
	switch {
	case rest[0] == "download":
		release = repo.Release(strings.Join(rest[1:len(rest)-1], "/"))
	case rest[0] == "latest" && rest[1] == "download":
		if release = repo.Latest(); release != nil {
			http.Redirect(w, r, fmt.Sprintf("%s/%s/releases/download/%s/%s", f.base[Web], repo.Full(), escapePath(release.Tag), url.PathEscape(rest[2])), http.StatusFound)
			return
		}
	}
	if release != nil {
		for _, a := range release.Assets {
			if a.Name == rest[len(rest)-1] {
				http.Redirect(w, r, f.Store(path.Join("release", fmt.Sprint(a.ID), a.Name), a.Type, []byte(a.Content)), http.StatusFound)
				return
			}
		}
	}
	missing(w)
}

// serveStorage is where assets and logs lie. Its addresses are signed, and work without a token only.
func (f *Fake) serveStorage(w http.ResponseWriter, r *http.Request) {
	if !f.begin(w, r, Storage) {
		return
	}
	f.mu.Lock()
	blob, ok := f.blobs[r.URL.Path]
	f.mu.Unlock()
	if !ok || r.URL.Query().Get("sig") == "" {
		missing(w)
		return
	}
	w.Header().Set("Content-Type", blob.mediaType)
	_, _ = w.Write(blob.data)
}

// serveRaw is raw.githubusercontent.com: /o/r/REF/PATH, /o/r/refs/heads/REF/PATH,
// /wiki/o/r/PAGE.md.
func (f *Fake) serveRaw(w http.ResponseWriter, r *http.Request) {
	if !f.begin(w, r, Raw) {
		return
	}
	inner := r.Clone(r.Context())
	wiki := strings.HasPrefix(r.URL.Path, "/wiki/")
	if wiki {
		inner.URL.Path, inner.URL.RawPath = strings.TrimPrefix(r.URL.Path, "/wiki"), ""
	}
	repo, _, rest := f.split(inner)
	if repo == nil || len(rest) == 0 {
		missing(w)
		return
	}
	git := repo.Git
	if wiki {
		git, rest = repo.Wiki, append([]string{"master"}, rest...)
		if git.Dir == "" {
			missing(w)
			return
		}
	}
	data, found := rawFile(git, rest)
	if !found {
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, "404: Not Found")
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	if !isText(data) {
		w.Header().Set("Content-Type", "application/octet-stream")
	}
	_, _ = w.Write(data)
}

func isText(data []byte) bool { return !strings.Contains(string(data[:min(len(data), 512)]), "\x00") }

// rawFile is the blob of REF/PATH, for every split of the two: git's refs cannot
// be each other's folders, so at most one exists. A link is its own text.
func rawFile(git gitrepo.Repo, segments []string) ([]byte, bool) {
	for n := 1; n < len(segments); n++ {
		ref := strings.Join(segments[:n], "/")
		sha := git.CommitSHA(ref)
		if sha == "" {
			continue
		}
		kind, blob := git.Object(sha + ":" + strings.Join(segments[n:], "/"))
		if kind != "blob" {
			continue
		}
		data, err := git.Blob(blob)
		return data, err == nil
	}
	return nil, false
}

// serveGistRaw is gist.githubusercontent.com: /OWNER/ID/raw[/REVISION]/NAME.
func (f *Fake) serveGistRaw(w http.ResponseWriter, r *http.Request) {
	if !f.begin(w, r, GistRaw) {
		return
	}
	segments := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	if len(segments) >= 3 && segments[2] == "raw" {
		if g := f.gist(segments[1]); g != nil {
			for _, x := range g.Files {
				if len(segments) == 3 || segments[len(segments)-1] == x.Name || segments[len(segments)-1] == gistRevision {
					w.Header().Set("Content-Type", "text/plain; charset=utf-8")
					fmt.Fprint(w, x.Content)
					return
				}
			}
		}
	}
	missing(w)
}

// archiveForm is the codeload path of an archive page: refs/heads/main.zip is zip/refs/heads/main.
func archiveForm(rest []string) string {
	name := strings.Join(rest, "/")
	for _, form := range []string{"tar.gz", "zip"} {
		if ref, ok := strings.CutSuffix(name, "."+form); ok {
			return form + "/" + escapePath(ref)
		}
	}
	return "none/" + name
}

// archiveToken is what the API signs addresses of archives with.
const archiveToken = "SIGNED"

// serveCodeload is codeload.github.com: /o/r/FORM/REF.
func (f *Fake) serveCodeload(w http.ResponseWriter, r *http.Request) {
	if !f.begin(w, r, Codeload) {
		return
	}
	repo, _, rest := f.anyRepository(r)
	if repo != nil && repo.Private && r.URL.Query().Get("token") != archiveToken {
		repo = nil
	}
	if repo == nil || len(rest) < 2 {
		missing(w)
		return
	}
	ref := strings.Join(rest[1:], "/")
	short := strings.TrimPrefix(strings.TrimPrefix(ref, "refs/heads/"), "refs/tags/")
	sha := repo.Git.CommitSHA(ref)
	if sha == "" {
		sha = repo.Git.CommitSHA(short)
	}
	format, mediaType := "", ""
	switch strings.TrimPrefix(rest[0], "legacy.") {
	case "tar.gz":
		format, mediaType = "tar.gz", "application/x-gzip"
	case "zip":
		format, mediaType = "zip", "application/zip"
	}
	if sha == "" || format == "" {
		missing(w)
		return
	}
	top := repo.Name + "-" + strings.ReplaceAll(strings.TrimPrefix(short, "v"), "/", "-")
	if strings.HasPrefix(rest[0], "legacy.") {
		top = fmt.Sprintf("%s-%s-%s", repo.Owner, repo.Name, sha[:7])
	}
	data, err := repo.Git.Git("archive", "--format="+format, "--prefix="+top+"/", sha)
	if err != nil {
		f.fault("%v", err)
	}
	w.Header().Set("Content-Type", mediaType)
	w.Header().Set("Content-Disposition", "attachment; filename="+top+"."+format)
	_, _ = w.Write(data)
}

// gitBackend is the folder of git's own programs.
var gitBackend = sync.OnceValue(func() string {
	out, err := exec.Command("git", "--exec-path").Output()
	if err != nil {
		return ""
	}
	return path.Join(strings.TrimSpace(string(out)), "git-http-backend")
})

// serveGit speaks git's smart HTTP protocol for /o/r.git and /o/r.wiki.git.
func (f *Fake) serveGit(w http.ResponseWriter, r *http.Request) {
	call := callOf(w)
	full, inner, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), ".git/")
	full, wiki := strings.CutSuffix(full, ".wiki")
	repo, moved := f.World.Repo(full)
	user, password, _ := r.BasicAuth()
	call.Authorized = user != "" && password == f.Token
	if repo == nil || wiki && repo.Wiki.Dir == "" || repo.Private && !call.Authorized {
		w.Header().Set("WWW-Authenticate", `Basic realm="GitHub"`)
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	git, suffix := repo.Git, ".git/"
	if wiki {
		git, suffix = repo.Wiki, ".wiki.git/"
	}
	if moved {
		http.Redirect(w, r, f.base[Web]+"/"+repo.Full()+suffix+inner+"?"+r.URL.RawQuery, http.StatusMovedPermanently)
		return
	}
	handler := cgi.Handler{
		Path: gitBackend(),
		Env: append(gitrepo.Environment(),
			"GIT_PROJECT_ROOT="+path.Dir(git.Dir), "GIT_HTTP_EXPORT_ALL=1", "PATH_INFO=/"+path.Base(git.Dir)+"/"+inner,
			"GIT_PROTOCOL="+r.Header.Get("Git-Protocol")),
	}
	handler.ServeHTTP(w, r)
}
