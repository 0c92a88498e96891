package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"pifetch/daemon/client"
)

func newStop(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "stop",
		Short: "Stop pifetchd after it has finished what it is doing",
		Long: `Stop pifetchd after it has finished what it is doing, and return when it is gone.
The next fetch starts it again. An open login window stays open.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runStop(cmd.Context(), a) },
	}
}

func runStop(ctx context.Context, a *app) error {
	cfg, err := a.config()
	if err != nil {
		return err
	}
	pid, err := client.Stop(ctx, cfg)
	switch {
	case errors.Is(err, client.ErrNoDaemon):
		a.say("pifetchd was not running")
		return nil
	case err != nil:
		return err
	}
	a.say("pifetchd has stopped (pid %d)", pid)
	return nil
}
