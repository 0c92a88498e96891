package github

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"pifetch/fetchers"
	"pifetch/fetchers/github/api"
	"pifetch/fetchers/github/target"
	"pifetch/internal/termtext"
)

// octets is the media type by which the API sends an asset's bytes.
const octets = "application/octet-stream"

// resolveReleaseAsset stores a file of a release: from where everybody gets it,
// or, where that is nothing and there is a token, from the API.
func resolveReleaseAsset(ctx context.Context, j *job) (fetchers.Document, error) {
	name := j.Path[0]
	path := "releases/download/" + escapePath(j.ID) + "/" + escapePath(name)
	if j.Sub == "latest" {
		path = "releases/latest/download/" + escapePath(name)
	}
	doc := fetchers.Document{Kind: "github.release_asset", Title: j.repo() + " " + j.releaseName() + ": " + name, Link: j.repoPage(path), Via: "web"}
	var digest string
	s, err := j.api.Open(ctx, api.Web, escapePath(j.repo())+"/"+path, nil, "")
	if code := api.CodeOf(err); err != nil && (code == api.NotFound || code == api.Unauthorized) && j.api.Token(ctx) {
		doc.Via = "api"
		s, digest, err = j.privateAsset(ctx, name)
	}
	if err != nil {
		return fetchers.Document{}, err
	}
	sum := sha256.New()
	s.Body = readCloser{io.TeeReader(s.Body, sum), s.Body}
	body, err := j.storeAsset(name, s)
	if err != nil {
		return fetchers.Document{}, err
	}
	got := "sha256:" + hex.EncodeToString(sum.Sum(nil))
	if strings.HasPrefix(digest, "sha256:") && digest != got {
		return fetchers.Document{}, fmt.Errorf("%s arrived with the digest %s, GitHub says %s: fetch it again", name, got, digest)
	}
	v, err := readView(j.folder, body, target.Lines{})
	if err != nil {
		return fetchers.Document{}, err
	}
	doc.Excerpt, doc.Bodies = v.excerpt, []fetchers.Body{body}
	doc.Facts = with("release "+j.releaseName(), yes(body.Lines == 0 && body.Bytes > 0, "binary"), termtext.Bytes(body.Bytes), got)
	return doc, nil
}

// releaseName is the tag of the URL, or "latest".
func (j *job) releaseName() string {
	if j.Sub == "latest" {
		return "latest"
	}
	return j.ID
}

type readCloser struct {
	io.Reader
	io.Closer
}

// privateAsset opens an asset that only the token may see, and tells its digest.
func (j *job) privateAsset(ctx context.Context, name string) (s *api.Stream, digest string, err error) {
	r, err := j.release(ctx)
	if err != nil {
		return nil, "", err
	}
	i := slices.IndexFunc(r.Assets, func(a restAsset) bool { return a.Name == name })
	if i < 0 {
		return nil, "", fmt.Errorf("404 Not Found: the release %s of %s has no asset %s: see %s", r.Tag, j.repo(), name, r.URL)
	}
	s, err = j.api.Open(ctx, api.API, j.path("releases/assets/"+strconv.FormatInt(r.Assets[i].ID, 10)), nil, octets)
	return s, r.Assets[i].Digest, err
}

// storeAsset stores what is within the cap.
func (j *job) storeAsset(name string, s *api.Stream) (fetchers.Body, error) {
	if s.Length > maxFile {
		s.Body.Close()
		return fetchers.Body{}, fmt.Errorf("%s is too large: %s, the most is %s", name, termtext.Bytes(s.Length), termtext.Bytes(maxFile))
	}
	body, err := j.store(name, s)
	if errors.Is(err, fetchers.ErrTooLarge) {
		return fetchers.Body{}, fmt.Errorf("%s is too large: the most is %s", name, termtext.Bytes(maxFile))
	}
	return body, err
}
