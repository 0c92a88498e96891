package checkout

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// errTooMuch ends a fetch that takes more than was allowed on disk.
var errTooMuch = errors.New("more than the cap arrived")

// watchEvery is the pause between two looks at what a fetch takes on disk. Git
// knows no limit for it.
const watchEvery = 100 * time.Millisecond

// watched is run for a command that downloads. It is ended with errTooMuch
// when the repository grows by more than limit; then nothing of it is kept.
func (r *Repo) watched(ctx context.Context, limit int64, in io.Reader, args ...string) (err error) {
	before, packs := r.size(), r.packs()
	defer func() {
		if errors.Is(err, errTooMuch) {
			for name := range r.packs() {
				if !packs[name] {
					_ = os.Remove(name)
				}
			}
		}
	}()
	ctx, cancel := context.WithCancelCause(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(watchEvery)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				if r.size()-before > limit {
					cancel(errTooMuch)
				}
			}
		}
	}()
	err = r.run(ctx, in, io.Discard, args...)
	cancel(nil)
	<-done
	if err == nil && r.size()-before > limit {
		return errTooMuch
	}
	return err
}

// packs are the files that hold the objects, unfinished ones among them.
func (r *Repo) packs() map[string]bool {
	names, _ := filepath.Glob(filepath.Join(r.repository(), "objects", "pack", "*"))
	packs := make(map[string]bool)
	for _, name := range names {
		packs[name] = true
	}
	return packs
}

// size is what the repository takes on disk.
func (r *Repo) size() int64 {
	var n int64
	_ = filepath.WalkDir(filepath.Join(r.repository(), "objects"), func(_ string, e fs.DirEntry, err error) error {
		if err == nil {
			if fi, err := e.Info(); err == nil && fi.Mode().IsRegular() {
				n += fi.Size()
			}
		}
		return nil
	})
	return n
}

// tail keeps the end of what git complains about.
type tail struct{ text []byte }

const tailBytes = 4 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.text = append(t.text, p...)
	t.text = t.text[max(0, len(t.text)-tailBytes):]
	return len(p), nil
}

// noAccess reports whether git was asked for a login that it does not have.
func (t *tail) noAccess() bool {
	for _, words := range []string{"askpass", "terminal prompts disabled", "Authentication failed", "' not found"} {
		if bytes.Contains(t.text, []byte(words)) {
			return true
		}
	}
	return false
}

// reason is the first complaint that says why git gave up.
func (t *tail) reason() string {
	last := ""
	lines := bufio.NewScanner(bytes.NewReader(t.text))
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		for _, mark := range []string{"fatal: ", "error: "} {
			if text, ok := strings.CutPrefix(line, mark); ok {
				return text
			}
		}
		if line != "" {
			last = line
		}
	}
	return last
}
