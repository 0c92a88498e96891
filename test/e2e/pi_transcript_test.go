package e2e

import (
	"context"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

var colours = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// What a person sees of a call in pi's terminal interface.
func TestPiTranscript(t *testing.T) {
	script, err := exec.LookPath("script") // makes a terminal
	if err != nil || runtime.GOOS != "linux" {
		t.Skip("needs script of util-linux")
	}
	eachPi(t, func(t *testing.T, p *piRig, s *site) {
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		cmd := p.piCommand(ctx)
		cmd.Env = append(cmd.Env, "NODE="+p.node, "CLI="+p.cli, "PROMPT="+fetchPrompt("web_fetch", s.URL+"/shown", s.URL+"/too", "ftp://example.com/a"))
		cmd.Path, cmd.Args = script, []string{"script", "-qfec", `stty rows 40 cols 140; exec "$NODE" "$CLI" --no-session --no-builtin-tools "$PROMPT"`, "/dev/null"}
		stdout, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		stdin, err := cmd.StdinPipe() // its end would end the terminal
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		defer func() {
			stdin.Close()
			cancel()
			cmd.Wait()
		}()
		var screen strings.Builder
		wanted := []string{"web_fetch", "+2", "✓ Page /shown — content.md (", "✓ Page /too — content.md (", "✗ ftp://example.com/a: unsupported scheme"}
		for chunk := make([]byte, 1<<16); len(wanted) > 0; {
			n, err := stdout.Read(chunk)
			screen.Write(chunk[:n])
			text := colours.ReplaceAllString(screen.String(), "")
			wanted = slices.DeleteFunc(wanted, func(w string) bool { return strings.Contains(text, w) })
			if err != nil {
				t.Fatalf("the transcript lacks %q (%v):\n%q", wanted, err, screen.String())
			}
		}
	})
}
