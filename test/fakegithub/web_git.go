package fakegithub

import (
	"fmt"
	"net/http"
	"net/http/cgi"
	"os/exec"
	"path"
	"strings"
	"sync"

	"pifetch/test/fakegithub/gitrepo"
)

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

// serveGit speaks git's smart HTTP protocol for /o/r.git and /o/r.wiki.git. A
// login that is not valid is refused even where none is needed.
func (f *Fake) serveGit(w http.ResponseWriter, r *http.Request) {
	call := callOf(w)
	full, inner, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), ".git/")
	full, wiki := strings.CutSuffix(full, ".wiki")
	repo, moved := f.World.Repo(full)
	user, password, _ := r.BasicAuth()
	call.Authorized = user != "" && password == f.Token
	if user != "" && !call.Authorized || repo == nil || wiki && repo.Wiki.Dir == "" || repo.Private && !call.Authorized {
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
