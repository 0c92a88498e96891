package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pifetch/daemon/client"
	"pifetch/daemon/wire"
	"pifetch/fetchers"
	"pifetch/internal/termtext"
	"pifetch/internal/weburl"
)

type fetchOptions struct {
	objective string
	out       string
	json      bool
	tree      bool
	cat       bool
}

func newFetch(a *app) *cobra.Command {
	var o fetchOptions
	cmd := &cobra.Command{
		Use:   "fetch [flags] URL...|-",
		Short: "Fetch URLs into files and print a digest of them",
		Long: `Fetch URLs into files and print a digest: title, facts, the files with their
sizes, an outline and an excerpt of each document. A URL that could not be had
stands under "Failed:" with the reason.

With "-" URLs are read from standard input, one a line; empty lines and lines
that start with # are skipped.

With --cat the main file of each document is printed instead of the digest, and
"Failed:" goes to standard error. An agent (AI_AGENT or PI_CODING_AGENT is set)
gets the file's path instead of its content.`,
		Example: `  pifetchctl fetch https://go.dev/doc/effective_go
  pifetchctl fetch --out ./docs --json https://go.dev/ref/spec https://go.dev/ref/mem
  pifetchctl fetch --cat https://go.dev/ref/mem | less
  pifetchctl fetch - < urls.txt`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("no URL is given")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("out") && o.out == "" {
				return usageError{errors.New("--out: no folder is given")}
			}
			if o.cat && o.json {
				return usageError{errors.New("--cat does not go together with --json")}
			}
			return runFetch(cmd.Context(), a, o, args)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.objective, "objective", "", "say what you want to know: fetchers that can look for `TEXT`")
	f.StringVar(&o.out, "out", "", "put the files into `DIR` (default: a folder of pifetch's own, kept for some days)")
	f.BoolVar(&o.json, "json", false, "print the result as one JSON object")
	f.BoolVar(&o.cat, "cat", false, "print the main file of each document")
	f.BoolVar(&o.tree, "tree", false, "make files of a repository's folder (github.com/O/R/tree/…) instead of a listing")
	cmd.MarkFlagDirname("out")
	return cmd
}

func runFetch(ctx context.Context, a *app, o fetchOptions, args []string) error {
	urls, err := readURLs(a.in, args)
	if err != nil {
		return err
	}
	req := wire.FetchRequest{
		Objective: o.objective,
		Session:   a.getenv("PI_SESSION_ID"),
		Env:       a.secrets(),
		Tree:      o.tree,
	}
	if o.out != "" {
		if req.ArtifactRoot, err = filepath.Abs(o.out); err != nil {
			return err
		}
	}

	var parts []*wire.FetchResult
	p := a.progress(urls)
	for chunk := range slices.Chunk(urls, wire.MaxURLs) {
		req.URLs = chunk
		part, err := fetchChunk(ctx, a, req, p)
		p.clear()
		if _, lost := errors.AsType[*client.LostError](err); lost || err != nil && len(parts) > 0 {
			// What is delivered so far must not be lost with the rest.
			part, err = failAll(chunk, err), nil
		}
		if e, ok := errors.AsType[*wire.Error](err); ok && e.Code == wire.CodeBadRequest && o.out != "" {
			return hintedError{err, "give --out a folder of yours that others may not write to, and no symbolic link"}
		}
		if err != nil {
			return err
		}
		parts = append(parts, part)
		if req.ArtifactRoot == "" {
			req.ArtifactRoot = part.ArtifactRoot // one call, one folder
		}
	}
	res := join(parts)
	for _, w := range res.Warnings {
		a.saySo(yellow, "warning:", "%s", w)
	}
	if err := printFetch(a, o, res); err != nil {
		return err
	}
	return failures(res.Outcomes)
}

func fetchChunk(ctx context.Context, a *app, req wire.FetchRequest, p *progress) (*wire.FetchResult, error) {
	c, err := a.dial(ctx)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	return c.Fetch(ctx, req, p.show)
}

func printFetch(a *app, o fetchOptions, res *wire.FetchResult) error {
	switch {
	case o.json:
		return printJSON(a.out, res)
	case o.cat:
		return printBodies(a, res)
	}
	_, err := fmt.Fprintln(a.out, strings.TrimRight(res.Digest, "\n"))
	return err
}

// printJSON prints one object on one line, URLs as they are.
func printJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// failures turns failed URLs into the error that chooses the exit code.
func failures(outcomes []fetchers.Outcome) error {
	failed := 0
	for _, o := range outcomes {
		if o.Document == nil {
			failed++
		}
	}
	switch failed {
	case 0:
		return nil
	case len(outcomes):
		return errAllFailed
	default:
		return errSomeFailed
	}
}

// readURLs returns each URL of the arguments once, in order, "-" replaced by
// the lines of in.
func readURLs(in io.Reader, args []string) ([]string, error) {
	var urls []string
	for _, arg := range args {
		switch arg {
		case "-":
		case "":
			return nil, usageError{errors.New("an empty argument stands in place of a URL")}
		default:
			urls = append(urls, arg)
			continue
		}
		lines := bufio.NewScanner(in)
		lines.Buffer(nil, wire.MaxRequestLine)
		for lines.Scan() {
			line := strings.TrimSpace(lines.Text())
			if line != "" && !strings.HasPrefix(line, "#") {
				urls = append(urls, line)
			}
		}
		if err := lines.Err(); err != nil {
			return nil, fmt.Errorf("read URLs from standard input: %w", err)
		}
	}
	if len(urls) == 0 {
		return nil, usageError{errors.New("no URLs on standard input")}
	}
	return uniqueURLs(urls), nil
}

// uniqueURLs keeps the first of each URL, as the daemon does.
func uniqueURLs(urls []string) []string {
	var unique []string
	seen := map[string]bool{}
	for _, url := range urls {
		if key := weburl.Key(url); !seen[key] {
			seen[key] = true
			unique = append(unique, url)
		}
	}
	return unique
}

// failAll is the result of a request that got none: every URL failed with err.
func failAll(urls []string, err error) *wire.FetchResult {
	reason := termtext.Line(err.Error())
	res := &wire.FetchResult{}
	res.Warnings = []string{}
	res.Op = wire.OpFetch
	res.Event.Event = wire.EventResult
	var digest strings.Builder
	digest.WriteString(failedHeading)
	for _, u := range urls {
		u = termtext.Line(weburl.Redact(u))
		fmt.Fprintf(&digest, "- %s\n  %s\n", u, reason)
		res.Outcomes = append(res.Outcomes, fetchers.Outcome{URL: u, Attempts: []fetchers.Attempt{}, Reason: reason})
	}
	res.Digest = digest.String()
	return res
}

// join makes one result of the results of one call that was split.
func join(parts []*wire.FetchResult) *wire.FetchResult {
	if len(parts) == 1 {
		return parts[0]
	}
	whole := *parts[0]
	whole.Outcomes, whole.Warnings = nil, []string{}
	var digests []string
	for _, p := range parts {
		digests = append(digests, p.Digest)
		whole.ArtifactRoot = cmp.Or(whole.ArtifactRoot, p.ArtifactRoot) // a part that was lost has none
		whole.Outcomes = append(whole.Outcomes, p.Outcomes...)
		for _, w := range p.Warnings {
			if !slices.Contains(whole.Warnings, w) {
				whole.Warnings = append(whole.Warnings, w)
			}
		}
	}
	whole.Digest = joinDigests(digests)
	return &whole
}

// failedHeading opens a digest's list of failures.
const failedHeading = "Failed:\n"

// splitDigest returns the documents of a digest and its failures, without the
// heading.
func splitDigest(digest string) (delivered, failures string) {
	delivered, failures, _ = strings.Cut("\n"+strings.TrimRight(digest, "\n"), "\n"+failedHeading)
	return strings.Trim(delivered, "\n"), failures
}

// joinDigests numbers the documents through and makes one list of all failures.
// It relies on what every digest keeps: only the number of a document, the
// heading of the failures and a failed URL stand at the start of a line.
func joinDigests(digests []string) string {
	var docs, failed []string
	number := 0
	for _, d := range digests {
		delivered, failures := splitDigest(d)
		if delivered != "" {
			lines := strings.Split(delivered, "\n")
			for i, l := range lines {
				digits := len(l) - len(strings.TrimLeft(l, "0123456789"))
				if digits > 0 && strings.HasPrefix(l[digits:], ". ") {
					number++
					lines[i] = fmt.Sprintf("%d%s", number, l[digits:])
				}
			}
			docs = append(docs, strings.Join(lines, "\n"))
		}
		if failures != "" {
			failed = append(failed, failures)
		}
	}
	if len(failed) > 0 {
		docs = append(docs, failedHeading+strings.Join(failed, "\n"))
	}
	return strings.Join(docs, "\n\n")
}
