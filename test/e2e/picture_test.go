package e2e

import (
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pifetch/internal/demosite"
	"pifetch/test/terminal"
)

var update = flag.Bool("update", false, "write docs/pictures anew; needs port 8080")

// picture writes a picture of the terminal when -update is given.
func picture(t *testing.T, x *terminal.Terminal, name string) {
	t.Helper()
	svg := x.SVG()
	t.Logf("%s, %d bytes:\n%s", name, len(svg), x)
	if !*update {
		return
	}
	if err := os.WriteFile(filepath.Join("../../docs/pictures", name), svg, 0o644); err != nil {
		t.Fatal(err)
	}
}

// greenhouse is the demo site under a name. The answer that /live.html waits
// for and the second half of /season.csv are held back until the test ends.
func greenhouse(t *testing.T) (base string) {
	t.Helper()
	mux := http.NewServeMux()
	held := func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	mux.Handle("/", demosite.Handler())
	mux.HandleFunc("/live.json", held)
	mux.HandleFunc("/season.csv", func(w http.ResponseWriter, r *http.Request) {
		rows := strings.Repeat("2026-07-06,tomatoes,4.5\n", 100_000)
		w.Header().Set("Content-Type", "text/csv")
		w.Header().Set("Content-Length", fmt.Sprint(2*len(rows)))
		fmt.Fprint(w, rows)
		w.(http.Flusher).Flush()
		held(w, r)
	})
	address := "127.0.0.1:0"
	if *update {
		address = "127.0.0.1:8080"
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewUnstartedServer(mux)
	s.Listener.Close()
	s.Listener = l
	s.Start()
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return fmt.Sprintf("http://greenhouse.localhost:%d", l.Addr().(*net.TCPAddr).Port)
}

// What people see of pi: a fetch that is done, what the model makes of it, and
// one that is under way.
func TestPiPicture(t *testing.T) {
	p, base := newPi(t, piToday), greenhouse(t)
	if *update {
		p.set(func(s map[string]any) {
			delete(s["webTools"].(map[string]any)["fetch"].(map[string]any), "artifacts")
		})
	}
	call := func(tool string, args map[string]any) string {
		data, err := json.Marshal(args)
		if err != nil {
			t.Fatal(err)
		}
		return tool + " " + string(data)
	}
	ask := "How do I water the tomatoes from a program? The guide is " + base + "/guide.html, and there is a manual.pdf."
	p.model.Play(
		ask,
		func(string) string {
			return call("web_fetch", map[string]any{"urls": []string{base + "/guide.html", base + "/manual.pdf"}})
		},
		func(digest string) string {
			folder := regexp.MustCompile(`bodies \(in (/\S+)\):`).FindStringSubmatch(digest)
			if folder == nil {
				t.Errorf("no folder in the digest:\n%s", digest)
				return "ok"
			}
			return call("read", map[string]any{"path": folder[1] + "content.md", "offset": 7, "limit": 14})
		},
		func(string) string {
			return "Call `Water(zone, 4.5)` once a day, early in the morning: tomatoes take 4.5 litres per square metre. " +
				"When it was interrupted, call it again with the litres that are missing."
		},
	)
	then := "What do the sensors say?"
	p.model.Play(then, func(string) string {
		return call("web_fetch", map[string]any{"urls": []string{base + "/live.html", base + "/season.csv", base + "/zones.json"}})
	})

	// pi warns when these are missing.
	for _, name := range []string{"fd", "rg"} {
		if err := os.Symlink("/usr/bin/true", filepath.Join(p.agent, name)); err != nil {
			t.Fatal(err)
		}
	}
	cmd := p.piCommand(t.Context(), "--no-session", ask)
	cmd.Env = append(cmd.Env, "PATH="+p.agent+":"+p.path, "TERM=xterm-256color", "COLORTERM=truecolor")
	x := terminal.Start(t, cmd, 100, 36)
	x.Wait(patience, "web_fetch "+base+"/guide.html", "✓ Watering the greenhouse", "content.md (", "✓ ", "manual.pdf (", "that are missing.")
	x.Type(then)
	x.Wait(patience, "1 of 3 fetched", "settling "+base+"/live.html", "downloading 2.3MB of 4.6MB")
	picture(t, x, "pi.svg")
}

// What people see of a fetch of several URLs in a shell, and the digest that
// README shows.
func TestFetchPicture(t *testing.T) {
	r, base := newRig(t), greenhouse(t)
	home := t.TempDir()
	var list strings.Builder
	for _, name := range []string{"guide.html", "live.html", "manual.pdf", "season.csv", "zones.json"} {
		fmt.Fprintf(&list, "%s/%s\n", base, name)
	}
	if err := os.WriteFile(filepath.Join(home, "urls.txt"), []byte(list.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := r.command(t.Context())
	cmd.Path, cmd.Args = "/bin/sh", []string{"sh", "-i"}
	cmd.Dir = home
	cmd.Env = append(cmd.Env, "PATH="+r.bin+":/usr/bin:/bin", "PS1=$ ", "ENV=", "TERM=xterm-256color")
	x := terminal.Start(t, cmd, 100, 30)
	x.Wait(patience, "$")
	x.Type("pifetchctl fetch - < urls.txt")
	x.Wait(patience, "written · "+base+"/guide.html", "settling · "+base+"/live.html", "written · "+base+"/manual.pdf", "downloading 2.3MB of 4.6MB · "+base+"/season.csv", "written · "+base+"/zones.json")
	picture(t, x, "fetch.svg")

	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	// Of the folder only the last part is the same each time.
	usual := func(text string) string {
		text = regexp.MustCompile(`localhost([:-])\d+`).ReplaceAllString(text, "localhost${1}8080")
		return regexp.MustCompile(`\(in /\S+Z/`).ReplaceAllString(text, "(in ")
	}
	if digest := usual(r.run("fetch", base+"/guide.html").want(t, 0).stdout); !strings.Contains(usual(string(readme)), digest) {
		t.Errorf("README.md lacks this digest, but for the folder's time:\n%s", digest)
	}
}
