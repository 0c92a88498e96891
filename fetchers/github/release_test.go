package github

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"pifetch/fetchers/github/api"
	"pifetch/test/fakegithub"
)

// Releases and their files as documents.
func TestGoldenReleases(t *testing.T) {
	f := fakegithub.New(t)
	for _, tt := range []struct{ name, url string }{
		{"release/tag", "https://github.com/octo/hello/releases/tag/v1.1.0"},
		{"release/latest", "https://github.com/octo/hello/releases/latest"},
		{"release/slash", "https://github.com/octo/hello/releases/tag/pkg%2Fv2.0.0-rc.1"},
		{"release/renamed", "https://github.com/octo/old-hello/releases/tag/v1.0.0"},
		{"release/missing", "https://github.com/octo/hello/releases/tag/v9"},
		{"releases/all", "https://github.com/octo/hello/releases"},
		{"releases/none", "https://github.com/octo/many/releases"},
		{"releases/search", "https://github.com/octo/hello/releases?q=beta"},
		{"asset/text", "https://github.com/octo/hello/releases/download/v1.1.0/checksums.txt"},
		{"asset/binary", "https://github.com/octo/hello/releases/download/v1.1.0/hello-linux-amd64.tar.gz"},
		{"asset/latest", "https://github.com/octo/hello/releases/latest/download/checksums.txt"},
		{"asset/missing", "https://github.com/octo/hello/releases/download/v1.1.0/nothing.zip"},
	} {
		golden(t, f, tt.name, tt.url)
	}
}

func TestReleasesOfMany(t *testing.T) {
	f := fakegithub.New(t)
	repo, _ := f.World.Repo("octo/many")
	day := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for n := range 101 {
		repo.Releases = append(repo.Releases, &fakegithub.Release{ID: int64(n + 1), Tag: fmt.Sprintf("v%d", n), Author: "ada", Created: day, Published: day.Add(time.Duration(n) * time.Minute)})
	}
	got := fetch(t, f, anonymous, "https://github.com/octo/many/releases")
	got.has(t, "100 releases, and there are more")
	if text, want := got.body(t, listingName), "The rest: https://github.com/octo/many/releases?page=11\n"; !strings.Contains(text, want) || len(got.rows(t)) != 100 {
		t.Errorf("want 100 rows and %q in\n%s", want, text)
	}
	got = fetch(t, f, anonymous, "https://github.com/octo/many/releases?page=11")
	got.has(t, "releases 101 to 101")
	if len(got.Document.Bodies) != 1 || len(got.rows(t)) != 1 {
		t.Errorf("bodies %v", got.Document.Bodies)
	}
	if want := "https://github.com/octo/many/releases?page=11"; got.Document.Link != want {
		t.Errorf("link %s, want %s", got.Document.Link, want)
	}
	fetch(t, f, anonymous, "https://github.com/octo/many/releases?page=21").has(t, "no releases from 201 on")
}

// A file of a private release comes over the API, and is checked.
func TestPrivateAsset(t *testing.T) {
	f := fakegithub.New(t)
	repo, _ := f.World.Repo("octo/secret")
	day := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	repo.Releases = []*fakegithub.Release{{
		ID: 1, Tag: "v1", Author: "ada", Created: day,
		Assets: []fakegithub.Asset{{ID: 11, Name: "plan.bin", Type: "application/octet-stream", Content: "\x00\x01\xff", Uploader: "ada", Created: day}},
	}}
	const url = "https://github.com/octo/secret/releases/download/v1/plan.bin"

	got := fetch(t, f, withToken, url)
	got.has(t, "release v1", "binary", "3B", "sha256:26a66b061e8f48f39927c312f25293959729eee95978e2892d49d3512a5cc092")
	if got.Document.Via != "api" || got.body(t, "plan.bin") != "\x00\x01\xff" {
		t.Errorf("via %s, %q", got.Document.Via, got.body(t, "plan.bin"))
	}
	got = fetch(t, f, anonymous, url)
	if want := "404 Not Found: github.com/octo/secret/releases/download/v1/plan.bin does not exist, or is private"; got.Failure == nil || got.Failure.Reason != want {
		t.Errorf("%+v, want %s", got.Failure, want)
	}

	f.Handle("GET /repos/{owner}/{repo}/releases/tags/{tag}", func(fakegithub.Request) (int, any) {
		return 200, fakegithub.Partial{Body: object{"tag_name": "v1", "assets": []any{object{"id": 11, "name": "plan.bin", "digest": "sha256:00"}}}}
	})
	got = fetch(t, f, withToken, url)
	if got.Failure == nil || !strings.HasSuffix(got.Failure.Reason, "GitHub says sha256:00: fetch it again") {
		t.Errorf("%+v", got.Failure)
	}
}

func TestAssetTooLarge(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", fmt.Sprint(300<<20))
		w.WriteHeader(http.StatusOK)
	}))
	defer server.Close()
	client := api.New(api.Config{Endpoints: func() api.Endpoints { return api.Endpoints{API: server.URL + "/api", Web: server.URL} }, Env: []string{"PATH=/nonexistent"}})
	const url = "https://github.com/o/r/releases/download/v1/big.iso"
	got := fetchAll(t, New(Config{API: client}), request(&fakegithub.Fake{}, anonymous), url)[url]
	if want := "big.iso is too large: 300.0MB, the most is 100.0MB"; got.Failure == nil || got.Failure.Reason != want {
		t.Errorf("%+v, want %s", got.Failure, want)
	}
}
