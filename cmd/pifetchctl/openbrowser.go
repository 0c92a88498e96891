package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"pifetch/daemon/wire"
)

type openBrowserOptions struct {
	wait bool
}

func newOpenBrowser(a *app) *cobra.Command {
	var o openBrowserOptions
	cmd := &cobra.Command{
		Use:   "open-browser [flags] [URL]",
		Short: "Open Chrome on pifetch's profile, to log in",
		Long: `Open a plain Chrome window on pifetch's profile. Log in there, then quit Chrome:
later fetches use the login. Fetches that need Chrome fail while the window is
open. It stays open when pifetchctl or pifetchd ends.`,
		Example: `  pifetchctl open-browser https://wiki.example.com/
  pifetchctl open-browser --wait https://wiki.example.com/ && pifetchctl fetch https://wiki.example.com/Home`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			url := ""
			if len(args) == 1 {
				url = args[0]
			}
			return runOpenBrowser(cmd.Context(), a, o, url)
		},
	}
	cmd.Flags().BoolVar(&o.wait, "wait", false, "return when the window has been closed")
	return cmd
}

func runOpenBrowser(ctx context.Context, a *app, o openBrowserOptions, url string) error {
	c, err := a.dial(ctx)
	if err != nil {
		return err
	}
	defer c.Close()

	req := wire.OpenBrowserRequest{URL: url, Wait: o.wait}
	res, err := c.OpenBrowser(ctx, req, func(e wire.StatusEvent) {
		if e.Name == wire.StageOpened {
			a.say(chromeOpened)
		}
	})
	if err != nil {
		return openBrowserError(err, url)
	}
	a.say("%s", browserOpened(res, url))
	return nil
}

const chromeOpened = "Chrome is open; quit it when you are done, and fetching resumes"

// browserOpened says what came of opening the window for url, which may be "".
func browserOpened(res *wire.OpenBrowserResult, url string) string {
	switch {
	case res.Closed:
		return "Chrome has been closed"
	case res.Already && url != "":
		return "Chrome was open already; the page opened in it"
	case res.Already:
		return "Chrome was open already"
	default:
		return chromeOpened
	}
}

// openBrowserError adds the command to run where there is a display.
func openBrowserError(err error, url string) error {
	if e, ok := errors.AsType[*wire.Error](err); ok && e.Code == wire.CodeNoDisplay && url != "" {
		return hintedError{err, "pifetchctl open-browser " + shellQuote(url)}
	}
	return err
}
