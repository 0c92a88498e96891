package api

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// ghTimeout is how long gh may take: it may ask a keyring.
const ghTimeout = 5 * time.Second

// lookUpToken finds the daemon's own token: in its environment, in the file
// github-token of the agent directory, with gh.
func (c *Client) lookUpToken() token {
	for _, name := range []string{"GH_TOKEN", "GITHUB_TOKEN"} {
		if text := strings.TrimSpace(c.env(name)); text != "" {
			return newToken(text, "the daemon's "+name, "set a valid "+name+" and run: pifetchctl stop")
		}
	}
	if c.cfg.AgentDir != "" {
		path := filepath.Join(c.cfg.AgentDir, "github-token")
		content, err := os.ReadFile(path)
		if text := strings.TrimSpace(string(content)); text != "" {
			return newToken(text, "the file github-token", "write a valid one to "+path)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return badToken("the file github-token", "the file github-token cannot be read: "+err.Error())
		}
	}
	text, err := c.askGH()
	if err != nil {
		c.cfg.Log.Warn("github token", "gh", err.Error())
	}
	if text != "" {
		return newToken(text, "gh", "run: gh auth login")
	}
	return token{}
}

// env is a variable of the daemon's environment.
func (c *Client) env(name string) (value string) {
	for _, entry := range c.cfg.Env {
		if v, ok := strings.CutPrefix(entry, name+"="); ok {
			value = v
		}
	}
	return value
}

// askGH runs `gh auth token`. Without gh on the daemon's PATH, or a login in
// it, there is neither a token nor an error.
func (c *Client) askGH() (string, error) {
	program := ""
	for _, dir := range filepath.SplitList(c.env("PATH")) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if p, err := exec.LookPath(filepath.Join(dir, "gh")); err == nil {
			program = p
			break
		}
	}
	if program == "" {
		return "", nil
	}
	ctx, cancel := context.WithTimeoutCause(context.Background(), ghTimeout, errors.New("gh auth token took longer than 5s"))
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "auth", "token", "--hostname", "github.com")
	cmd.Env = append(c.cfg.Env[:len(c.cfg.Env):len(c.cfg.Env)], "GH_PROMPT_DISABLED=1", "GH_NO_UPDATE_NOTIFIER=1")
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if _, ok := errors.AsType[*exec.ExitError](err); ok {
		return "", nil
	}
	return strings.TrimSpace(string(out)), err
}
