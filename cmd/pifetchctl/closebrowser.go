package main

import (
	"context"

	"github.com/spf13/cobra"
)

func newCloseBrowser(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "close-browser",
		Short: "Close the window that open-browser opened",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return runCloseBrowser(cmd.Context(), a) },
	}
}

func runCloseBrowser(ctx context.Context, a *app) error {
	c, err := a.dial(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	res, err := c.CloseBrowser(ctx)
	if err != nil {
		return err
	}
	if res.Closed {
		a.say("Chrome has been closed")
	} else {
		a.say("there was no window to close")
	}
	return nil
}
