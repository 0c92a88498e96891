package artifact_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"pifetch/fetchers/artifact"
)

func TestFlatLeavesOtherFilesAlone(t *testing.T) {
	dir := t.TempDir()
	theirs := filepath.Join(dir, "page.html")
	if err := os.WriteFile(theirs, []byte("theirs"), 0o644); err != nil {
		t.Fatal(err)
	}
	req, folder, err := artifact.New(artifact.Config{}).NewFlat(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer req.Close()
	body, err := folder.Write("page.html", strings.NewReader("ours"))
	if err != nil {
		t.Fatal(err)
	}
	if want := filepath.Join(dir, "page-2.html"); body.Path != want {
		t.Errorf("path = %s, want %s", body.Path, want)
	}
	if err := folder.Discard(); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if !slices.Equal(names, []string{"page.html"}) {
		t.Errorf("after Discard the folder holds %v, want the caller's page.html alone", names)
	}
	if b, err := os.ReadFile(theirs); err != nil || string(b) != "theirs" {
		t.Errorf("the caller's file holds %q, %v", b, err)
	}
	if _, err := folder.Write("late", strings.NewReader("x")); err == nil {
		t.Error("a discarded folder took a file")
	}
}

func TestFlatChecksTheFolder(t *testing.T) {
	_, _, err := artifact.New(artifact.Config{}).NewFlat("relative")
	if _, ok := errors.AsType[*artifact.RootError](err); !ok {
		t.Errorf("NewFlat(relative) = %v, want a RootError", err)
	}
}

func TestFlatRequestsAtOnce(t *testing.T) {
	dir := t.TempDir()
	store := artifact.New(artifact.Config{})
	const n = 16
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			req, folder, err := store.NewFlat(dir)
			if err != nil {
				t.Error(err)
				return
			}
			defer req.Close()
			text := strconv.Itoa(i)
			body, err := folder.Write("page.html", strings.NewReader(text))
			if err != nil {
				t.Error(err)
				return
			}
			if b, err := os.ReadFile(body.Path); err != nil || string(b) != text {
				t.Errorf("%s holds %q (%v), want %q", body.Path, b, err, text)
			}
		})
	}
	wg.Wait()
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != n {
		t.Errorf("%d files (%v), want %d", len(entries), err, n)
	}
}
