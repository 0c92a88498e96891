package main

import (
	"context"
	"io"
	"log/slog"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"
)

type mcpOptions struct {
	allowOpenBrowser bool
}

func newMCP(a *app) *cobra.Command {
	var o mcpOptions
	cmd := &cobra.Command{
		Use:   "mcp [flags]",
		Short: "Serve web_fetch to an agent, as an MCP server",
		Long: `Serve the tool web_fetch to an agent, as an MCP server on standard input and
output. Agents start it themselves; docs/agents.md says how each is told to. It
ends when its input does.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runMCP(cmd.Context(), a, o) },
	}
	cmd.Flags().BoolVar(&o.allowOpenBrowser, "allow-open-browser", false, "serve open_browser as well, with which the agent opens a Chrome window on your screen")
	return cmd
}

// runMCP serves until the client closes its end, or until ctx ends, which ends
// the calls that run.
func runMCP(ctx context.Context, a *app, o mcpOptions) error {
	s := newMCPServer(a, o)
	s.AddReceivingMiddleware(endingWith(ctx))
	session, err := s.Connect(ctx, &mcp.IOTransport{Reader: io.NopCloser(a.in), Writer: nopCloser{a.out}}, nil)
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { session.Close() })()
	err = session.Wait()
	if ctx.Err() != nil {
		return nil // SIGTERM is how clients end a server that does not end by itself
	}
	return err
}

// endingWith ends the context of every call when ctx ends: the server itself
// would wait for them.
func endingWith(ctx context.Context) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(callCtx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			callCtx, cancel := context.WithCancelCause(callCtx)
			defer cancel(nil)
			defer context.AfterFunc(ctx, func() { cancel(context.Cause(ctx)) })()
			return next(callCtx, method, req)
		}
	}
}

// mcpLog is the server's log: its warnings and errors, on stderr, for stdout
// belongs to the protocol.
func mcpLog(a *app) *slog.Logger {
	return slog.New(slog.NewTextHandler(a.err, &slog.HandlerOptions{Level: slog.LevelWarn}))
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }
