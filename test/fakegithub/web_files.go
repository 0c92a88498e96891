package fakegithub

import (
	"fmt"
	"net/http"
	"net/url"
	"path"
	"strings"

	"pifetch/test/fakegithub/gitrepo"
)

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
