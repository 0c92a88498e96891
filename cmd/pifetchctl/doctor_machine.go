package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"pifetch/internal/termtext"
)

// gitHub names where GitHub's token comes from, in the order of its fetcher.
func (d *doctor) gitHub(ctx context.Context) finding {
	for _, name := range []string{"GH_TOKEN", "GITHUB_TOKEN"} {
		if strings.TrimSpace(d.app.getenv(name)) != "" {
			return ok("token from %s", name)
		}
	}
	file := filepath.Join(d.paths.AgentDir, "github-token")
	switch content, err := os.ReadFile(file); {
	case strings.TrimSpace(string(content)) != "":
		return ok("token from %s", file)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return warn("make it readable, or remove it", "%v", err)
	}
	if ghHasToken(ctx) {
		return ok("token from gh")
	}
	return warn("set GH_TOKEN, or run: gh auth login", "no token: 60 requests an hour, public repositories only")
}

func ghHasToken(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, "gh", "auth", "token", "--hostname", "github.com")
	cmd.Env = append(os.Environ(), "GH_PROMPT_DISABLED=1", "GH_NO_UPDATE_NOTIFIER=1")
	out, err := cmd.Output()
	return err == nil && strings.TrimSpace(string(out)) != ""
}

func (d *doctor) parallel(context.Context) finding {
	const name = "PARALLEL_API_KEY"
	if strings.TrimSpace(d.app.getenv(name)) != "" {
		return ok("key from %s", name)
	}
	return ok("no %s: pages are fetched with Chrome", name)
}

// proxy warns of what has no effect. Only names are shown: a value may hold a
// password.
func (d *doctor) proxy(context.Context) finding {
	var set []string
	for _, name := range []string{"HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY"} {
		for _, name := range []string{name, strings.ToLower(name)} {
			if d.app.getenv(name) != "" {
				set = append(set, name)
			}
		}
	}
	if len(set) > 0 {
		return warn("where only the proxy leads out, fetches fail", "%s set, and not used: pifetchd and its Chrome connect directly", strings.Join(set, ", "))
	}
	return ok("none in the environment")
}

// Free space, in bytes: one file may have 100 MB, and Chrome's profile grows to
// some hundred.
const (
	littleSpace = 1 << 30
	noSpace     = 200 << 20
)

func (d *doctor) disk(context.Context) finding {
	s, err := d.settings()
	if err != nil {
		return fail("", "where files go stands in settings.json, which is not right")
	}
	var texts []string
	least := int64(-1)
	for _, dir := range []string{s.Artifacts.Root, s.Browser.ProfileDir} {
		free, err := freeSpace(dir)
		if err != nil {
			return warn("", "%v", err)
		}
		texts = append(texts, fmt.Sprintf("%s free for %s", termtext.Bytes(free), dir))
		if least < 0 || free < least {
			least = free
		}
	}
	text := strings.Join(texts, ", ")
	switch {
	case least < noSpace:
		return fail("make room, or set webTools.fetch.artifacts.root to another disk", "%s", text)
	case least < littleSpace:
		return warn("make room, or lower webTools.fetch.artifacts.keepDays", "%s", text)
	}
	return ok("%s", text)
}

// freeSpace is what this user may still write where dir is or would be made.
func freeSpace(dir string) (int64, error) {
	for {
		var st syscall.Statfs_t
		err := syscall.Statfs(dir, &st)
		if errors.Is(err, fs.ErrNotExist) && filepath.Dir(dir) != dir {
			dir = filepath.Dir(dir)
			continue
		}
		if err != nil {
			return 0, fmt.Errorf("look for the free space of %s: %w", dir, err)
		}
		return int64(st.Bavail) * int64(st.Bsize), nil
	}
}

// fewFiles is what six tabs of Chrome and the daemon can come to need.
const fewFiles = 1024

func (d *doctor) openFiles(context.Context) finding {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return warn("", "ask for the limit: %v", err)
	}
	if limit.Max < fewFiles {
		return warn(fmt.Sprintf("raise it: ulimit -Hn %d", fewFiles), "at most %d for one process", limit.Max)
	}
	return ok("at least %d for one process", fewFiles)
}

// limits repeats what services told the daemon of theirs.
func (d *doctor) limits(context.Context) finding {
	if d.status == nil || len(d.status.Limits) == 0 {
		return ok("none told by a service yet")
	}
	var texts, used []string
	for _, l := range d.status.Limits {
		text := fmt.Sprintf("%s %s (%s): %s of %s left", l.Source, l.Resource, l.Key, termtext.Count(l.Remaining), termtext.Count(l.Limit))
		texts = append(texts, text)
		if l.Remaining == 0 || l.BlockedSecs > 0 {
			used = append(used, fmt.Sprintf("%s, again in %s", text, seconds(max(l.ResetSecs, l.BlockedSecs))))
		}
	}
	if len(used) > 0 {
		return warn("wait, or use a token with limits of its own", "%s", strings.Join(used, ", "))
	}
	return ok("%s", strings.Join(texts, ", "))
}
