package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"pifetch/daemon/wire"
	"pifetch/internal/termtext"
)

type explainOptions struct {
	json bool
}

func newExplain(a *app) *cobra.Command {
	var o explainOptions
	cmd := &cobra.Command{
		Use:   "explain [flags] URL",
		Short: "Say which fetchers would be asked for a URL, and why",
		Long: `Say which fetchers would be asked for a URL, in their order: whether each of
them wants it and why, where its key comes from (never the key), and what the
network policy makes of the host. Nothing is fetched. Exit code 1 when no
fetcher wants it.`,
		Example: `  pifetchctl explain https://github.com/o/r/pull/7`,
		Args:    cobra.ExactArgs(1),
		RunE:    func(cmd *cobra.Command, args []string) error { return runExplain(cmd.Context(), a, o, args[0]) },
	}
	cmd.Flags().BoolVar(&o.json, "json", false, "print the answer as one JSON object")
	return cmd
}

func runExplain(ctx context.Context, a *app, o explainOptions, url string) error {
	if url == "" {
		return usageError{errors.New("an empty argument stands in place of a URL")}
	}
	c, err := a.dial(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	res, err := c.Explain(ctx, wire.ExplainRequest{URL: url, Env: a.secrets()})
	if err != nil {
		return err
	}
	if o.json {
		err = printJSON(a.out, res)
	} else {
		err = printExplanation(a, res)
	}
	if err == nil && res.Source == "" {
		return errUnclaimed
	}
	return err
}

func printExplanation(a *app, res *wire.ExplainResult) error {
	var text strings.Builder
	line := func(mark, name, format string, args ...any) {
		fmt.Fprintf(&text, "%s  %-8s  %s\n", mark, name, termtext.Line(fmt.Sprintf(format, args...)))
	}
	fmt.Fprintln(&text, termtext.Line(res.URL))
	rank := 0
	for _, c := range res.Fetchers {
		mark, reason := "-", c.Reason
		if c.Claims {
			rank++
			mark = fmt.Sprint(rank)
		}
		if c.Auth != "" {
			reason = strings.TrimPrefix(reason+" · auth: "+c.Auth, " · ")
		}
		line(mark, c.Source, "%s", reason)
	}
	if res.Policy != "" {
		line(" ", "network", "%s", res.Policy)
	}
	_, err := fmt.Fprint(a.out, text.String())
	return err
}
