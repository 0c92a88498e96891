// The race detector shadows all memory in use.

//go:build !race

package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pifetch/daemon/wire"
	"pifetch/fetchers"
	"pifetch/test/fakeparallel"
)

const tooLong = "a page of the answer is larger than 4 MB"

// What Parallel answers, however it is made, costs the daemon less than 64 MB.
func TestParallelBombs(t *testing.T) {
	const (
		url  = "https://www.example.com/page"
		page = `{"url":"` + url + `","excerpts":[],"full_content":"`
		all  = 60 << 20
		one  = 7 << 19 // below what a page may have
	)
	for _, tt := range []struct {
		name             string
		head, fill, tail string
		size             int // of fill, repeated
		want             string
	}{
		{"a page", `{"results":[` + page, `text of a page\n`, `"}]}`, all, tooLong},
		{"large page of escapes", `{"results":[` + page, `\u00fc\r\n`, `"}]}`, one, ""},
		{"large pages", `{"results":[`, page + strings.Repeat(`text of a page\r\n`, one/16) + `"},`, page + `x"}]}`, all, ""},
		{"large excerpts", `{"results":[{"url":"` + url + `","excerpts":[`, `"a",`, `""]}]}`, one, ""},
		{"large title", `{"results":[{"url":"` + url + `","full_content":"x","title":"`, `a `, `"}]}`, one, ""},
		{"large url", `{"results":[{"full_content":"x","url":"` + url, `/`, `"}]}`, one, "missing from the response"},
		{"errors", `{"results":[],"errors":[`, `{"url":"u"},`, `{"url":"u"}]}`, all, "unreadable answer: more than 100 errors"},
		{"large error", `{"results":[],"errors":[{"url":"` + url + `","error_type":"`, `a `, `"}]}`, one, "[too long]"},
		{"unknown text", `{"results":[],"more":"`, `x`, `"}`, all, tooLong},
		{"large detail", `{"type":"error","error":{"detail":[`, `{ "a": 1},`, `1]}}`, one, "error in the answer: [detail too long]"},
		{"space", `{"results":[`, ` `, `]}`, all, tooLong},
	} {
		t.Run(tt.name, func(t *testing.T) {
			fake := fakeparallel.New(t)
			fake.Always(func(w http.ResponseWriter, _ *http.Request, _ fakeparallel.Response) {
				w.Header().Set("Content-Type", "application/json")
				block := []byte(strings.Repeat(tt.fill, max(1, 1<<16/len(tt.fill))))
				io.WriteString(w, tt.head)
				for n := 0; n < tt.size; n += len(block) {
					if _, err := io.Copy(w, bytes.NewReader(block)); err != nil {
						return
					}
				}
				io.WriteString(w, tt.tail)
			})
			paths := agent(t)
			text := fmt.Sprintf(`{"webTools": {"fetch": {"parallel": {"baseURL": %q}, "artifacts": {"root": %q}, "browser": {"executablePath": "/nowhere"}}}}`,
				fake.URL, filepath.Join(paths.AgentDir, "files"))
			if err := os.WriteFile(filepath.Join(paths.AgentDir, "settings.json"), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			d := start(t, paths, "")
			before := peak(t, d.Hello().PID)
			res, err := d.Fetch(t.Context(), wire.FetchRequest{URLs: []string{url}, Env: fetchers.Env{"PARALLEL_API_KEY": fakeparallel.Key}}, nil)
			if err != nil {
				t.Fatal(err)
			}
			grown := (peak(t, d.Hello().PID) - before) >> 10
			said := ""
			if o := res.Outcomes[0]; o.Document == nil {
				said = o.Attempts[0].Reason
			}
			t.Logf("the daemon grew by %d MB", grown)
			if said != tt.want {
				t.Errorf("failed by %q, want %q", said, tt.want)
			}
			if grown >= 64 {
				t.Errorf("the daemon grew by %d MB", grown)
			}
		})
	}
}

// peak is the largest resident size that a process ever had, in kB.
func peak(t *testing.T, pid int) int {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(text)
	if found == nil {
		t.Fatalf("no VmHWM in %s", text)
	}
	kb, err := strconv.Atoi(string(found[1]))
	if err != nil {
		t.Fatal(err)
	}
	return kb
}
