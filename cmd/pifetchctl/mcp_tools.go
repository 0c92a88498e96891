package main

import (
	"context"
	"crypto/rand"
	"errors"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"pifetch/daemon/client"
	"pifetch/daemon/wire"
	"pifetch/internal/agenttext"
	"pifetch/internal/termtext"
)

// mcpTools answers calls of tools. Results are text and nothing else: some
// clients show the model a structured result in place of the text. A call that
// fails is a result too, marked as an error, so that the model hears why.
type mcpTools struct {
	app     *app
	session string // of this process, for the daemon's fair shares
}

// newMCPServer is a server with the tools that o allows.
func newMCPServer(a *app, o mcpOptions) *mcp.Server {
	t := &mcpTools{app: a, session: "mcp-" + rand.Text()}
	s := mcp.NewServer(&mcp.Implementation{Name: "pifetch", Version: version}, &mcp.ServerOptions{
		Instructions: strings.Join(agenttext.Guidelines(), "\n"),
		Logger:       mcpLog(a),
		// Without this, a log that nobody writes would be offered.
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}},
	})
	mcp.AddTool(s, &mcp.Tool{
		Name:        agenttext.Tool,
		Title:       agenttext.Label,
		Description: agenttext.Description,
		InputSchema: object([]string{"urls"}, map[string]*jsonschema.Schema{
			"urls": {
				Type: "array", Description: agenttext.URLs,
				Items:    &jsonschema.Schema{Type: "string"},
				MinItems: new(1), MaxItems: new(wire.MaxURLs),
			},
			"objective": {Type: "string", Description: agenttext.Objective},
		}),
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, DestructiveHint: new(false), OpenWorldHint: new(true)},
	}, t.webFetch)
	if o.allowOpenBrowser {
		mcp.AddTool(s, &mcp.Tool{
			Name:  "open_browser",
			Title: "Open Browser",
			Description: "Open a Chrome window on the user's screen, for the user to log in to a site. " +
				"Later fetches have the login. Fetches that need Chrome fail until the user quits it.",
			InputSchema: object(nil, map[string]*jsonschema.Schema{
				"url": {Type: "string", Description: "the page to open, such as the one whose fetch said that a login is needed"},
			}),
			Annotations: &mcp.ToolAnnotations{DestructiveHint: new(false), OpenWorldHint: new(true)},
		}, t.openBrowser)
	}
	return s
}

// object is the schema of an object with these properties alone. It is not
// derived from the Go type: a slice would become "array or null", which not
// every client understands.
func object(required []string, properties map[string]*jsonschema.Schema) *jsonschema.Schema {
	return &jsonschema.Schema{
		Type: "object", Properties: properties, Required: required,
		AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}},
	}
}

type webFetchInput struct {
	URLs      []string `json:"urls"`
	Objective string   `json:"objective"`
}

func (t *mcpTools) webFetch(ctx context.Context, req *mcp.CallToolRequest, in webFetchInput) (*mcp.CallToolResult, any, error) {
	p := progressOf(ctx, req, len(in.URLs))
	defer p.stop()
	c, err := t.dial(ctx, req)
	if err != nil {
		return failedCall(err), nil, nil
	}
	defer c.Close()
	res, err := c.Fetch(ctx, wire.FetchRequest{
		URLs:      in.URLs,
		Objective: in.Objective,
		Session:   t.session,
		Env:       t.app.secrets(),
	}, p.show)
	if _, lost := errors.AsType[*client.LostError](err); lost {
		return errorText(failAll(uniqueURLs(in.URLs), err).Digest), nil, nil
	}
	if err != nil {
		return failedCall(err), nil, nil
	}
	for _, w := range res.Warnings {
		t.app.say("warning: %s", w)
	}
	return text(res.Digest), nil, nil
}

type openBrowserInput struct {
	URL string `json:"url"`
}

func (t *mcpTools) openBrowser(ctx context.Context, req *mcp.CallToolRequest, in openBrowserInput) (*mcp.CallToolResult, any, error) {
	p := progressOf(ctx, req, 0)
	defer p.stop()
	c, err := t.dial(ctx, req)
	if err != nil {
		return failedCall(err), nil, nil
	}
	defer c.Close()
	p.set("opening Chrome")
	res, err := c.OpenBrowser(ctx, wire.OpenBrowserRequest{URL: in.URL}, nil)
	if err != nil {
		return failedCall(openBrowserError(err, in.URL)), nil, nil
	}
	return text(browserOpened(res, in.URL) + "\nask the user to log in there and to quit Chrome, then fetch again"), nil, nil
}

// dial reaches the daemon for one call, in the name of the client.
func (t *mcpTools) dial(ctx context.Context, req *mcp.CallToolRequest) (*client.Client, error) {
	cfg, err := t.app.config()
	if err != nil {
		return nil, err
	}
	cfg.Name = clientName(req.Session.InitializeParams())
	return client.Dial(ctx, cfg)
}

// clientName is what the daemon's status and log call the client: "mcp/cursor".
func clientName(p *mcp.InitializeParams) string {
	if p == nil || p.ClientInfo == nil || p.ClientInfo.Name == "" {
		return "mcp"
	}
	const longest = 60 // characters
	return "mcp/" + termtext.Cap(termtext.Line(p.ClientInfo.Name), longest)
}

func text(s string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: strings.TrimRight(s, "\n")}}}
}

func errorText(s string) *mcp.CallToolResult {
	res := text(s)
	res.IsError = true
	return res
}

// failedCall tells the model what went wrong and what to do next.
func failedCall(err error) *mcp.CallToolResult {
	lines := "error: " + termtext.Line(err.Error())
	if h := hint(err); h != "" {
		lines += "\nhint: " + termtext.Line(h)
	}
	return errorText(lines)
}
