package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pifetch/daemon/client"
	"pifetch/daemon/wire"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", filepath.FromSlash(name))
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (run with -update to accept):\n%s", file, diff)
	}
}

// commands lists the commands of our own, the root first.
func commands(a *app) []*cobra.Command {
	var all []*cobra.Command
	var add func(*cobra.Command)
	add = func(cmd *cobra.Command) {
		all = append(all, cmd)
		for _, sub := range cmd.Commands() {
			add(sub)
		}
	}
	add(newRoot(a))
	return all
}

func testApp() (a *app, out, stderr *bytes.Buffer) {
	out, stderr = &bytes.Buffer{}, &bytes.Buffer{}
	return &app{in: strings.NewReader(""), out: out, err: stderr, getenv: func(string) string { return "" }}, out, stderr
}

func TestHelp(t *testing.T) {
	a, _, _ := testApp()
	for _, cmd := range commands(a) {
		path := strings.Fields(cmd.CommandPath())
		name := strings.Join(path[min(1, len(path)-1):], "-") // "service-status"
		t.Run(name, func(t *testing.T) {
			a, out, stderr := testApp()
			args := append(path[1:], "--help")
			if code := a.run(t.Context(), args); code != exitOK || stderr.Len() > 0 {
				t.Fatalf("exit code %d, stderr %q", code, stderr)
			}
			golden(t, "help/"+name+".txt", out.String())
		})
	}
}

// docs/cli.md describes every command and every flag.
func TestDocumented(t *testing.T) {
	doc, err := os.ReadFile("../../docs/cli.md")
	if err != nil {
		t.Fatal(err)
	}
	a, _, _ := testApp()
	for _, cmd := range commands(a) {
		if cmd.HasParent() && !cmd.Parent().HasParent() && !bytes.Contains(doc, []byte("\n## "+cmd.Name()+"\n")) {
			t.Errorf("docs/cli.md has no section %q", cmd.Name())
		}
		if cmd.HasParent() && !bytes.Contains(doc, []byte(cmd.CommandPath())) {
			t.Errorf("docs/cli.md does not mention %s", cmd.CommandPath())
		}
		cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
			if f.Name != "help" && !bytes.Contains(doc, []byte("`--"+f.Name)) {
				t.Errorf("docs/cli.md does not mention --%s of %s", f.Name, cmd.Name())
			}
		})
	}
}

func TestExitCode(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want int
	}{
		{nil, 0},
		{errAllFailed, 1},
		{errUnhealthy, 1},
		{&wire.Error{Code: wire.CodeBadSettings, Reason: "tabs"}, 1},
		{&client.LostError{}, 1},
		{client.ErrSilent, 1},
		{usageError{errors.New("unknown flag")}, 2},
		{hintedError{usageError{errors.New("unknown flag")}, "help"}, 2},
		{errSomeFailed, 3},
		{client.ErrNoDaemon, 4},
		{fmt.Errorf("dial: %w", client.ErrNoDaemon), 4},
		{&client.StartError{}, 4},
	} {
		t.Run(fmt.Sprintf("%T_%v", tt.err, tt.err), func(t *testing.T) {
			if got := exitCode(tt.err); got != tt.want {
				t.Errorf("exit code %d, want %d", got, tt.want)
			}
		})
	}
}

func TestReport(t *testing.T) {
	for _, tt := range []struct {
		name string
		err  error
		want string
	}{
		{"nothing", nil, ""},
		{"said already", errSomeFailed, ""},
		{
			"with the next step", &wire.Error{Code: wire.CodeInteractive, Reason: "the interactive browser is open"},
			"pifetchctl: error: the interactive browser is open\n" +
				"pifetchctl: hint: quit Chrome to resume fetching, or run: pifetchctl close-browser\n",
		},
		{"reason says it all", &wire.Error{Code: wire.CodeBadRequest, Reason: "artifactRoot: not absolute"}, "pifetchctl: error: artifactRoot: not absolute\n"},
		{
			"another user's folder", fmt.Errorf("reach pifetchd: %w", fs.ErrPermission),
			"pifetchctl: error: reach pifetchd: permission denied\npifetchctl: hint: use a folder of your own: look at PI_CODING_AGENT_DIR\n",
		},
		{"control characters", errors.New("a\x1b[31mb\nc"), "pifetchctl: error: ab c\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, out, stderr := testApp()
			a.report(tt.err)
			if out.Len() > 0 || stderr.String() != tt.want {
				t.Errorf("stdout %q, stderr %q, want %q", out, stderr, tt.want)
			}
		})
	}
}

func TestShellQuote(t *testing.T) {
	for in, want := range map[string]string{
		"https://a.example/?q=1&r=$x":   `'https://a.example/?q=1&r=$x'`,
		"https://a.example/it's":        `'https://a.example/it%27s'`,
		"https://a.example/`rm`;echo\\": "'https://a.example/`rm`;echo\\'",
	} {
		if got := shellQuote(in); got != want {
			t.Errorf("shellQuote(%q) = %s, want %s", in, got, want)
		}
	}
}
