//go:build docs

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra/doc"
)

// With the tag docs this package is another program, which writes man pages and
// completion scripts of the same commands into a folder: pifetchctl itself then
// links nothing that makes man pages. The Makefile runs it.
func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run -tags docs ./cmd/pifetchctl DIR")
		os.Exit(2)
	}
	if err := generate(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// generate writes man1/*.1 and completions/* into dir. The date on the man
// pages is SOURCE_DATE_EPOCH, where it is set.
func generate(dir string) error {
	time.Local = time.UTC // or the month would depend on where the pages are made
	pages, completions := filepath.Join(dir, "man1"), filepath.Join(dir, "completions")
	for _, sub := range []string{pages, completions} {
		if err := os.MkdirAll(sub, 0o755); err != nil {
			return err
		}
	}
	cmd := newRoot(&app{in: os.Stdin, out: os.Stdout, err: os.Stderr, getenv: os.Getenv})
	cmd.InitDefaultCompletionCmd()
	cmd.DisableAutoGenTag = true
	header := &doc.GenManHeader{Section: "1", Source: "pifetch " + version, Manual: "pifetch"}
	return errors.Join(
		doc.GenManTree(cmd, header, pages),
		cmd.GenBashCompletionFileV2(filepath.Join(completions, "pifetchctl.bash"), true),
		cmd.GenZshCompletionFile(filepath.Join(completions, "_pifetchctl")),
		cmd.GenFishCompletionFile(filepath.Join(completions, "pifetchctl.fish"), true),
		cmd.GenPowerShellCompletionFileWithDesc(filepath.Join(completions, "_pifetchctl.ps1")),
	)
}
