package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"pifetch/daemon/client"
	"pifetch/daemon/rundir"
	"pifetch/daemon/wire"
	"pifetch/fetchers/artifact"
	"pifetch/profile"
	"pifetch/profile/installed"
	"pifetch/test/need"
)

// patience is how long anything may take before a test calls it hung.
const patience = 3 * time.Minute

// asDaemon makes the test binary be pifetchd.
const asDaemon = "PIFETCHD_TEST_MAIN"

func TestMain(m *testing.M) {
	if os.Getenv(asDaemon) != "" {
		main()
	}
	os.Exit(m.Run())
}

func TestCommandLine(t *testing.T) {
	const hint = "pifetchd: hint: see pifetchd --help\n"
	for _, tt := range []struct {
		args           string
		stdin          string
		code           int
		stdout, stderr string
	}{
		{"--version", "", exitOK, "pifetchd devel\n", ""},
		{"--help", "", exitOK, usage, ""},
		{"serve", "", exitUsage, "", "pifetchd: error: unknown command \"serve\"\n" + hint},
		{"--idle 5", "", exitUsage, "", "pifetchd: error: invalid value \"5\" for flag -idle: parse error\n" + hint},
		{"--idle -5s", "", exitUsage, "", "pifetchd: error: --idle -5s: a time that is not negative is needed\n" + hint},
		{"--port 1", "", exitUsage, "", "pifetchd: error: flag provided but not defined: -port\n" + hint},

		{"extract --help", "", exitOK, extractUsage, ""},
		{"extract a b", "", exitUsage, "", "pifetchd: error: extract takes one URL\n" + hint},
		{"extract --serve https://a.example/", "", exitUsage, "", "pifetchd: error: extract --serve takes no URL: each line has its own\n" + hint},
		{"extract", "<h1>Tides</h1><p>Twice a day.", exitOK, "# Tides\n\nTwice a day.\n", ""},
		{"extract https://a.example/b/", "<p>See <a href=c>the table</a>.", exitOK, "See [the table](https://a.example/b/c).\n", ""},
		{"extract", "", exitFailed, "", "pifetchd: error: no content extracted\n"},
		{"extract", "<html><body><script>render()</script></body></html>", exitFailed, "", "pifetchd: error: no content extracted\n"},
		{
			"extract --serve", `{"url":"https://a.example/","html":"<p>One <a href=\"/b\">b</a>"}` + "\n{\n" + `{"html":""}`, exitOK,
			`{"markdown":"One [b](https://a.example/b)\n"}` + "\n" +
				`{"markdown":"","error":"parse request: unexpected end of JSON input"}` + "\n" +
				`{"markdown":"","error":"no content extracted"}` + "\n", "",
		},
	} {
		t.Run(tt.args, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			code := run(strings.Fields(tt.args), strings.NewReader(tt.stdin), &stdout, &stderr)
			if code != tt.code || stdout.String() != tt.stdout || stderr.String() != tt.stderr {
				t.Errorf("exit code %d, want %d\nstdout: %q\nwant:   %q\nstderr: %q\nwant:   %q",
					code, tt.code, stdout.String(), tt.stdout, stderr.String(), tt.stderr)
			}
		})
	}
}

func TestCode(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want wire.Code
	}{
		{profile.ErrInteractive, wire.CodeInteractive},
		{fmt.Errorf("open: %w", profile.ErrProfileInUse), wire.CodeProfileInUse},
		{errors.Join(fmt.Errorf("open: %w", profile.ErrNoDisplay), nil), wire.CodeNoDisplay},
		{fmt.Errorf("find: %w", profile.ErrNoChrome), wire.CodeNoChrome},
		{fmt.Errorf("begin: %w", &artifact.RootError{Root: "/r", Reason: "others may write to it"}), wire.CodeBadRequest},
		{errors.New("404 Not Found"), ""},
		{context.Canceled, ""},
	} {
		if got := code(tt.err); got != tt.want {
			t.Errorf("%v: code %q, want %q", tt.err, got, tt.want)
		}
	}
}

// agent is an agent directory of the test's own.
func agent(t *testing.T) rundir.Paths {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "pf-") // the path of a socket is short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	paths, err := rundir.Locate(dir)
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// command is pifetchd in a process of its own, killed when it takes too long.
func command(t *testing.T, paths rundir.Paths, args ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), patience)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, exe, args...)
	cmd.Env = append(os.Environ(), asDaemon+"=1", "PI_CODING_AGENT_DIR="+paths.AgentDir)
	return cmd
}

// running is a daemon that serves, and a client of it.
type running struct {
	*client.Client
	cmd *exec.Cmd
	log *os.File // what it logs can be read from here
}

// start runs a daemon until the test ends.
func start(t *testing.T, paths rundir.Paths, name string) *running {
	t.Helper()
	log, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := command(t, paths)
	cmd.Stderr = out
	err = cmd.Start()
	out.Close()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Signal(syscall.SIGTERM)
		if err := cmd.Wait(); err != nil {
			t.Errorf("pifetchd: %v", err)
		}
		if t.Failed() {
			if text, err := io.ReadAll(log); err == nil {
				t.Logf("log:\n%s", text)
			}
		}
		log.Close()
	})
	for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		c, err := client.Dial(t.Context(), client.Config{Paths: paths, Name: name, NoSpawn: true})
		if err == nil {
			t.Cleanup(func() { c.Close() })
			return &running{Client: c, cmd: cmd, log: log}
		}
		if time.Now().After(end) {
			t.Fatal(err)
		}
	}
}

func exitCode(t *testing.T, cmd *exec.Cmd) int {
	t.Helper()
	if _, exited := errors.AsType[*exec.ExitError](cmd.Run()); !exited && cmd.ProcessState == nil {
		t.Fatalf("%v did not run", cmd.Args)
	}
	return cmd.ProcessState.ExitCode()
}

func TestSecondDaemonLeavesAtOnce(t *testing.T) {
	paths := agent(t)
	first := start(t, paths, "")
	// What only the daemon may touch.
	if err := os.WriteFile(paths.Interactive, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	second := command(t, paths)
	var stderr bytes.Buffer
	second.Stderr = &stderr
	if code := exitCode(t, second); code != exitOK || stderr.String() != "pifetchd: a daemon is running\n" {
		t.Errorf("exit code %d, stderr %q", code, stderr.String())
	}
	if _, err := os.Stat(paths.Interactive); err != nil {
		t.Errorf("the second daemon touched the first one's window: %v", err)
	}
	if _, err := first.Status(t.Context()); err != nil {
		t.Error(err)
	}
}

// Clients show the last line of the log of a daemon that does not start.
func TestFailureToStartEndsWithAPlainLine(t *testing.T) {
	for name, tt := range map[string]struct {
		breakIt func(rundir.Paths) error
		says    string
	}{
		"open folder": {func(p rundir.Paths) error {
			return errors.Join(os.MkdirAll(p.Dir, 0o755), os.Chmod(p.Dir, 0o755))
		}, "has mode 0755 and must have 0700 — run: chmod 700 '"},
		"folder for a socket": {func(p rundir.Paths) error {
			return errors.Join(os.Mkdir(p.Dir, 0o700), os.Mkdir(p.Sock, 0o700))
		}, "listen on "},
		"folder for a window": {func(p rundir.Paths) error {
			return errors.Join(os.Mkdir(p.Dir, 0o700), os.Mkdir(p.Interactive, 0o700))
		}, "interactive.json"},
	} {
		t.Run(name, func(t *testing.T) {
			paths := agent(t)
			if err := tt.breakIt(paths); err != nil {
				t.Fatal(err)
			}
			cmd := command(t, paths)
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			code := exitCode(t, cmd)
			lines := strings.Split(strings.TrimSuffix(stderr.String(), "\n"), "\n")
			last := lines[len(lines)-1]
			if code != exitFailed || !strings.HasPrefix(last, "pifetchd: error: ") || !strings.Contains(last, tt.says) {
				t.Errorf("exit code %d, last line %q", code, last)
			}
		})
	}
	var b bytes.Buffer
	failed(&b, errors.Join(errors.New("first"), errors.New("second")))
	if b.String() != "pifetchd: error: first second\n" {
		t.Errorf("two errors: %q", b.String())
	}
}

func TestDaemonOutlivesTheReaderOfItsLog(t *testing.T) {
	d := start(t, agent(t), "")
	d.log.Close()
	for range 2 { // each writes to the log
		if _, err := d.CloseBrowser(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// A site that has a page, a page behind a login, a file and an error.
func site(t *testing.T) (base string, held <-chan struct{}) {
	t.Helper()
	holding := make(chan struct{}, 1)
	html := func(w http.ResponseWriter, body string) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		io.WriteString(w, body)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /page", func(w http.ResponseWriter, _ *http.Request) {
		html(w, "<title>Tides</title><h1>Tides</h1><p id=p><script>p.textContent = 'Twice ' + 'a day.'</script>")
	})
	mux.HandleFunc("GET /login", func(w http.ResponseWriter, _ *http.Request) {
		html(w, "<title>Sign in</title><form><input name=user><input type=password></form>")
	})
	mux.HandleFunc("GET /wiki", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/login", http.StatusFound)
	})
	mux.HandleFunc("GET /table", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/csv")
		w.Header().Set("Content-Disposition", `attachment; filename="../tide table.csv"`)
		io.WriteString(w, "time,height\n")
	})
	mux.HandleFunc("GET /held", func(_ http.ResponseWriter, r *http.Request) {
		holding <- struct{}{}
		<-r.Context().Done()
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL, holding
}

func needChrome(t *testing.T) {
	t.Helper()
	_, err := installed.Find("")
	need.Have(t, "chrome", err)
}

// files lists a folder, which need not exist.
func files(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// The composed daemon with the real Chrome.
func TestDaemon(t *testing.T) {
	needChrome(t)
	paths := agent(t)
	root := filepath.Join(paths.AgentDir, "files")
	settings := func(tabs int) {
		t.Helper()
		text := fmt.Sprintf(`{"webTools": {"fetch": {
			"browser": {"tabs": %d, "navigationTimeoutSecs": 120}, "artifacts": {"root": %q}
		}}}`, tabs, root)
		if err := os.WriteFile(filepath.Join(paths.AgentDir, "settings.json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	settings(2)
	base, held := site(t)
	d := start(t, paths, "pi/1.6.0")

	t.Run("raw", func(t *testing.T) {
		dir := filepath.Join(paths.AgentDir, "raw")
		for _, tt := range []struct {
			url  string
			want wire.RawResult // of a page, without Bytes
			holds,
			code, reason string
		}{
			{url: base + "/page", want: wire.RawResult{File: "page.html", ContentType: "text/html", Title: "Tides"}, holds: "Twice a day."},
			{url: base + "/page", want: wire.RawResult{File: "page-2.html", ContentType: "text/html", Title: "Tides"}, holds: "Twice a day."},
			{url: base + "/table", want: wire.RawResult{File: "tide table.csv", ContentType: "text/csv"}, holds: "time,height\n"},
			{url: base + "/none", code: "fetch_failed", reason: "404 Not Found"},
			{url: base + "/wiki", code: "fetch_failed", reason: "run: /open-browser " + base + "/wiki"},
			{url: "ftp://a.example/", code: "bad_request", reason: `url: unsupported scheme "ftp": http and https only`},
			{url: "page", code: "bad_request", reason: "url: not an absolute URL"},
		} {
			before := files(t, dir)
			got, err := d.Raw(t.Context(), wire.FetchRequest{URL: tt.url, DownloadDir: dir}, nil)
			if tt.code != "" {
				e, _ := errors.AsType[*wire.Error](err)
				if e == nil || string(e.Code) != tt.code || !strings.Contains(e.Reason, tt.reason) {
					t.Errorf("%s: %+v, %v; want %s: %s", tt.url, got, err, tt.code, tt.reason)
				}
				if after := files(t, dir); !slices.Equal(before, after) {
					t.Errorf("%s: left %v, before %v", tt.url, after, before)
				}
				continue
			}
			if err != nil {
				t.Fatalf("%s: %v", tt.url, err)
			}
			text, err := os.ReadFile(got.File)
			if err != nil || !strings.Contains(string(text), tt.holds) || got.Bytes != int64(len(text)) {
				t.Errorf("%s: %v, %d bytes, holds %q", tt.url, err, got.Bytes, text)
			}
			tt.want.Event, tt.want.Bytes = got.Event, got.Bytes
			tt.want.FinalURL, tt.want.File = tt.url, filepath.Join(dir, tt.want.File)
			if *got != tt.want {
				t.Errorf("got  %+v\nwant %+v", *got, tt.want)
			}
		}
		_, err := d.Raw(t.Context(), wire.FetchRequest{URL: base + "/page", DownloadDir: "/tmp"}, nil)
		if e, _ := errors.AsType[*wire.Error](err); e == nil || e.Code != wire.CodeBadRequest || !strings.HasPrefix(e.Reason, `downloadDir: "/tmp": `) {
			t.Errorf("into a folder of all: %v", err)
		}
	})

	t.Run("login for pi", func(t *testing.T) {
		res, err := d.Fetch(t.Context(), wire.FetchRequest{URLs: []string{base + "/wiki"}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if want := "run: /open-browser " + base + "/wiki\n"; !strings.Contains(res.Digest, want) {
			t.Errorf("digest:\n%s\nwant %q", res.Digest, want)
		}
	})

	t.Run("cancel", func(t *testing.T) {
		before := files(t, root)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		done := make(chan error, 1)
		go func() {
			_, err := d.Fetch(ctx, wire.FetchRequest{URLs: []string{base + "/page", base + "/held"}}, nil)
			done <- err
		}()
		select {
		case <-held:
		case err := <-done:
			t.Fatalf("ended early: %v", err)
		}
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
			s, err := d.Status(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if len(s.Requests) == 0 {
				break
			}
			if time.Now().After(end) {
				t.Fatalf("still there: %+v", s.Requests)
			}
		}
		if after := files(t, root); !slices.Equal(before, after) {
			t.Errorf("the cancelled request left %v, before %v", after, before)
		}
	})

	t.Run("settings are read again", func(t *testing.T) {
		const key = "webTools.fetch.browser.tabs"
		settings(0)
		for name, req := range map[string]wire.FetchRequest{
			"batch": {URLs: []string{base + "/page"}},
			"raw":   {URL: base + "/page", DownloadDir: filepath.Join(paths.AgentDir, "none")},
		} {
			_, err := d.Fetch(t.Context(), req, nil)
			if e, _ := errors.AsType[*wire.Error](err); e == nil || e.Code != wire.CodeBadSettings || !strings.Contains(e.Reason, key+" must be a whole number from 1 to 32") {
				t.Errorf("%s: %v", name, err)
			}
		}
		s, err := d.Status(t.Context())
		if err != nil || len(s.Warnings) != 1 || !strings.Contains(s.Warnings[0], key) {
			t.Errorf("status: %+v, %v", s, err)
		}
		settings(3)
		if _, err := d.Fetch(t.Context(), wire.FetchRequest{URLs: []string{base + "/page"}}, nil); err != nil {
			t.Error(err)
		}
	})

	t.Run("userinfo", func(t *testing.T) {
		url := strings.Replace(base, "http://", "http://ann:secret@", 1) + "/page"
		var heard []string
		res, err := d.Fetch(t.Context(), wire.FetchRequest{URLs: []string{url}}, func(s wire.StatusEvent) { heard = append(heard, s.URL) })
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(res)
		if err != nil || strings.Contains(string(text), "secret") {
			t.Errorf("%v in %s", err, text)
		}
		for _, u := range append(heard, res.Outcomes[0].URL) {
			if u != base+"/page" {
				t.Errorf("said of %q, want %q", u, base+"/page")
			}
		}
	})
}
