//go:build docs

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// With the tag docs this package is another program, which writes the man page
// of pifetchd into a folder; that of pifetchctl does the same.
func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run -tags docs ./cmd/pifetchd DIR")
		os.Exit(2)
	}
	if err := generate(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

// generate writes man1/pifetchd.1 into dir, out of what --help says and of the
// flags. Its date is SOURCE_DATE_EPOCH, where it is set.
func generate(dir string) error {
	time.Local = time.UTC // or the month would depend on where the page is made
	if err := os.MkdirAll(filepath.Join(dir, "man1"), 0o755); err != nil {
		return err
	}
	// In markdown, the commands are a block when they are indented by four.
	about := regexp.MustCompile(`(?m)^  `).ReplaceAllString(strings.Replace(usage, "usage:\n", "", 1), "    ")
	cmd := &cobra.Command{
		Use: "pifetchd", Short: "turns URLs into files for coding agents", Long: about,
		Run:               func(*cobra.Command, []string) {}, // a command without one takes no flags
		DisableAutoGenTag: true,
	}
	cmd.Flags().AddGoFlagSet(new(options).flags())
	f, err := os.Create(filepath.Join(dir, "man1", "pifetchd.1"))
	if err != nil {
		return err
	}
	defer f.Close()
	if err := doc.GenMan(cmd, &doc.GenManHeader{Section: "1", Source: "pifetch " + version, Manual: "pifetch"}, f); err != nil {
		return err
	}
	_, err = fmt.Fprint(f, "\n.SH SEE ALSO\n\\fBpifetchctl(1)\\fP, \\fBpifetchctl-service(1)\\fP\n")
	return err
}
