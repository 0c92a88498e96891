package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pifetch/daemon/wire"
	"pifetch/fetchers"
)

func TestProgress(t *testing.T) {
	const a, b = "https://a.example/a/long/path/that/does/not/fit/at/all", "https://b.example/\x1b[2J"
	event := func(url string, s fetchers.Stage) wire.StatusEvent { return wire.StatusEvent{URL: url, Stage: s} }
	type step struct {
		event         wire.StatusEvent
		columns, rows int
		want          string
	}
	for _, tt := range []struct {
		name  string
		urls  []string
		steps []step
		end   string
	}{
		{"a line for each", []string{"https://user:secret@a.example/", b}, []step{
			{
				event("https://a.example/", fetchers.Stage{Name: fetchers.StageNavigating}), 60, 24,
				"\r\x1b[Jnavigating · https://a.example/\nwaiting · https://b.example/",
			},
			{
				event(b, fetchers.Stage{Name: fetchers.StageDownloading, Bytes: 3 << 20, Total: 12 << 20}), 60, 24,
				"\r\x1b[1A\x1b[Jnavigating · https://a.example/\ndownloading 3.0MB of 12.0MB · https://b.example/",
			},
			{
				event(b, fetchers.Stage{Name: fetchers.StageDownloading, Bytes: 12 << 20, Total: 12 << 20}), 60, 24,
				"\r\x1b[1A\x1b[Jnavigating · https://a.example/\ndownloading 12.0MB of 12.0MB · https://b.example/",
			},
			{
				event(b, fetchers.Stage{Name: fetchers.StageWritten}), 60, 24,
				"\r\x1b[1A\x1b[Jnavigating · https://a.example/\nwritten · https://b.example/",
			},
		}, "\r\x1b[1A\x1b[J"},
		{"the next fetcher begins anew", []string{b}, []step{
			{event(b, fetchers.Stage{Name: fetchers.StageDownloading, Bytes: 2048}), 60, 24, "\r\x1b[Jdownloading 2.0KB · https://b.example/"},
			{event(b, fetchers.Stage{Name: fetchers.StageStarted}), 60, 24, "\r\x1b[Jstarted · https://b.example/"},
		}, "\r\x1b[J"},
		{"too narrow", []string{a}, []step{
			{event(a, fetchers.Stage{Name: fetchers.StageNavigating}), 40, 24, "\r\x1b[Jnavigating · https://a.example/a/long/…"},
			{event(a, fetchers.Stage{Name: fetchers.StageNavigating}), 10, 24, ""},
		}, "\r\x1b[J"},
		{"wide characters", []string{"https://測試測試測試測試/"}, []step{
			{event("https://測試測試測試測試/", fetchers.Stage{Name: fetchers.StageSettling}), 30, 24, "\r\x1b[Jsettling · https://測試測試…"},
		}, "\r\x1b[J"},
		{"too many", []string{"u:1", "u:2", "u:3", "u:4"}, []step{
			{event("u:2", fetchers.Stage{Name: fetchers.StageQueued}), 40, 4, "\r\x1b[J0 of 4 URLs written"},
			{event("u:2", fetchers.Stage{Name: fetchers.StageNavigating}), 40, 4, "\r\x1b[J0 of 4 URLs written\nnavigating · u:2"},
			{event("u:4", fetchers.Stage{Name: fetchers.StageStarted}), 40, 4, "\r\x1b[1A\x1b[J0 of 4 URLs written\nnavigating · u:2\nstarted · u:4"},
			{event("u:1", fetchers.Stage{Name: fetchers.StageStarted}), 40, 4, "\r\x1b[2A\x1b[J0 of 4 URLs written\nstarted · u:1\nnavigating · u:2"},
			{event("u:2", fetchers.Stage{Name: fetchers.StageWritten}), 40, 1, "\r\x1b[2A\x1b[J1 of 4 URLs written"},
		}, "\r\x1b[J"},
	} {
		t.Run(strings.ReplaceAll(tt.name, " ", "_"), func(t *testing.T) {
			app, stdout, stderr := testApp()
			var columns, rows int
			app.size = func() (int, int) { return columns, rows }
			p := app.progress(tt.urls)
			for _, s := range tt.steps {
				stderr.Reset()
				columns, rows = s.columns, s.rows
				p.show(s.event)
				if diff := cmp.Diff(s.want, stderr.String()); diff != "" {
					t.Error(diff)
				}
			}
			stderr.Reset()
			p.clear()
			if stderr.String() != tt.end || stdout.Len() > 0 {
				t.Errorf("at the end stderr %q, stdout %q, want %q and nothing", stderr, stdout, tt.end)
			}
		})
	}
	t.Run("no_terminal", func(t *testing.T) {
		app, _, stderr := testApp()
		p := app.progress([]string{a, b})
		p.show(event(a, fetchers.Stage{Name: fetchers.StageWritten}))
		p.clear()
		if stderr.Len() > 0 {
			t.Errorf("stderr %q", stderr)
		}
	})
}
