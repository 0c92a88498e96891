// Command demo shows pifetch at work without a network: it serves the demo site
// on loopback, fetches all its pages in one call with a daemon and a profile of
// its own, and checks that the files hold what the pages show.
//
//	go run ./internal/demosite/demo -bin bin
//	go run ./internal/demosite/demo -serve
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"pifetch/internal/demosite"
)

func main() {
	bin := flag.String("bin", "bin", "folder that holds pifetchd and pifetchctl")
	serve := flag.Bool("serve", false, "only serve the site, until interrupted")
	addr := flag.String("addr", "127.0.0.1:0", "address to serve the site on")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Stdout, *bin, *addr, *serve); err != nil {
		fmt.Fprintln(os.Stderr, "demo: error:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out io.Writer, bin, addr string, serveOnly bool) error {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	srv := &http.Server{Handler: demosite.Handler()}
	go srv.Serve(l)
	defer srv.Close()
	base := "http://" + l.Addr().String()
	if serveOnly {
		fmt.Fprintln(out, base)
		<-ctx.Done()
		return nil
	}

	// The run folder holds a socket, whose path has to be short.
	dir, err := os.MkdirTemp("/tmp", "pifetch-demo-")
	if err != nil {
		return err
	}
	ctl, err := filepath.Abs(filepath.Join(bin, "pifetchctl"))
	if err != nil {
		return err
	}
	d := demo{out: out, base: base, ctl: ctl, agent: filepath.Join(dir, "agent"), files: filepath.Join(dir, "files")}
	if err := os.Mkdir(d.agent, 0o700); err != nil {
		return err
	}
	// An interrupted demo stops its daemon as well.
	if err := errors.Join(d.fetch(ctx), d.stop(context.WithoutCancel(ctx))); err != nil {
		return err
	}
	fmt.Fprintf(out, "\nThe daemon has been stopped. The files are in %s\n", d.files)
	return nil
}

// demo is one run: a site, and a daemon with an agent directory of its own.
type demo struct {
	out   io.Writer
	base  string // of the site
	ctl   string // pifetchctl
	agent string // folder for the daemon and its profile
	files string // folder for what is fetched
}

// someFailed is pifetchctl's exit code when some of the URLs failed: two of the
// pages are there to fail.
const someFailed = 3

func (d demo) fetch(ctx context.Context) error {
	urls := []string{}
	for _, p := range demosite.Pages() {
		urls = append(urls, d.base+p.Path)
	}
	fmt.Fprintf(d.out, "The demo site is at %s. Fetching its %d pages:\n\n$ pifetchctl fetch --out %s \\\n    %s\n\n",
		d.base, len(urls), d.files, strings.Join(urls, " \\\n    "))

	var digest bytes.Buffer
	fetch := d.command(ctx, append([]string{"fetch", "--out", d.files}, urls...)...)
	fetch.Stdout = io.MultiWriter(d.out, &digest)
	err := fetch.Run()
	switch {
	case ctx.Err() != nil:
		return errors.New("interrupted")
	case fetch.ProcessState == nil:
		return err
	case fetch.ProcessState.ExitCode() != someFailed:
		return fmt.Errorf("pifetchctl fetch: %v, want exit status %d", fetch.ProcessState, someFailed)
	}
	fmt.Fprintln(d.out, "\nChecking the files against the pages:")
	return d.check(digest.String())
}

func (d demo) stop(ctx context.Context) error {
	if err := d.command(ctx, "stop").Run(); err != nil {
		return fmt.Errorf("stop the daemon: %w", err)
	}
	return os.RemoveAll(d.agent)
}

func (d demo) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, d.ctl, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.Env = append(os.Environ(), "PI_CODING_AGENT_DIR="+d.agent)
	cmd.Stderr = os.Stderr
	return cmd
}

// check prints a line for each page and fails when one is not what it must be.
func (d demo) check(digest string) error {
	bad := 0
	for _, p := range demosite.Pages() {
		said, err := d.checkPage(p, digest)
		if err != nil {
			bad++
			fmt.Fprintf(d.out, "  FAIL %-14s %v\n", p.Path, err)
			continue
		}
		fmt.Fprintf(d.out, "  ok   %-14s %s\n", p.Path, said)
	}
	if bad > 0 {
		return fmt.Errorf("%d of %d pages are not what they must be; the files are in %s", bad, len(demosite.Pages()), d.files)
	}
	return nil
}

func (d demo) checkPage(p demosite.Page, digest string) (string, error) {
	delivered, failed, _ := strings.Cut("\n"+digest, "\nFailed:\n")
	if p.Failed != "" {
		_, reason, ok := strings.Cut(failed, "- "+d.base+p.Path+"\n")
		if !ok {
			return "", errors.New("is not listed as failed")
		}
		reason, _, _ = strings.Cut(reason, "\n")
		reason = strings.TrimSpace(reason)
		if !strings.Contains(reason, p.Failed) {
			return "", fmt.Errorf("failed with %q, want %q", reason, p.Failed)
		}
		return "failed, as it must: " + reason, nil
	}

	if !strings.Contains(delivered, d.base+p.Path+"\n") {
		return "", errors.New("is not listed as a document")
	}
	slug := strings.ReplaceAll(strings.TrimPrefix(p.Path, "/"), ".", "-")
	found, err := filepath.Glob(filepath.Join(d.files, "*"+slug, p.Body))
	if err != nil {
		return "", err
	}
	if len(found) != 1 {
		return "", fmt.Errorf("no single file */%s for it", p.Body)
	}
	content, err := os.ReadFile(found[0])
	if err != nil {
		return "", err
	}
	if p.Bytes != nil {
		if !bytes.Equal(content, p.Bytes) {
			return "", fmt.Errorf("%s differs from what the site serves", found[0])
		}
		return p.Body + " is the served file, byte for byte", nil
	}
	text := unspaced(string(content))
	for _, s := range p.Holds {
		if !strings.Contains(text, unspaced(s)) {
			return "", fmt.Errorf("%s lacks %q", found[0], s)
		}
	}
	for _, s := range p.Lacks {
		if strings.Contains(text, unspaced(s)) {
			return "", fmt.Errorf("%s holds %q", found[0], s)
		}
	}
	return p.Body + " holds what the page shows", nil
}

// unspaced folds white space: tables may be padded, paragraphs wrapped.
func unspaced(s string) string { return strings.Join(strings.Fields(s), " ") }
