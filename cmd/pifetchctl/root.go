package main

import (
	"context"

	"github.com/spf13/cobra"

	"pifetch/daemon/client"
	"pifetch/daemon/rundir"
)

func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "pifetchctl",
		Short: "Turn URLs into files and a digest that says what is in them",
		Long: `pifetchctl turns URLs into files that can be read and searched, and prints a
digest that says what is in them. It works through pifetchd, one daemon per user
that keeps a Chrome with your logins, and starts it when it is not running.`,
		SilenceErrors: true,
		SilenceUsage:  true,
		PersistentPreRun: func(*cobra.Command, []string) {
			a.started = true
		},
	}
	root.CompletionOptions.SetDefaultShellCompDirective(cobra.ShellCompDirectiveNoFileComp)
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	root.PersistentFlags().BoolVar(&a.noSpawn, "no-spawn", false, "do not start pifetchd when it is not running")
	root.AddCommand(
		newFetch(a),
		newOpenBrowser(a),
		newCloseBrowser(a),
		newStatus(a),
		newExplain(a),
		newLogs(a),
		newStop(a),
		newDoctor(a),
		newService(a),
		newMCP(a),
		newVersion(a),
	)
	return root
}

// config is how to reach the daemon of this user.
func (a *app) config() (client.Config, error) {
	agentDir, err := rundir.AgentDir()
	if err != nil {
		return client.Config{}, err
	}
	paths, err := rundir.Locate(agentDir)
	if err != nil {
		return client.Config{}, err
	}
	return client.Config{
		Paths:   paths,
		Name:    "pifetchctl/" + version,
		Version: version,
		NoSpawn: a.noSpawn,
		Display: a.display(),
	}, nil
}

// dial connects to the daemon, and starts it first when that is wanted.
func (a *app) dial(ctx context.Context) (*client.Client, error) {
	cfg, err := a.config()
	if err != nil {
		return nil, err
	}
	return client.Dial(ctx, cfg)
}
