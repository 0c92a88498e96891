package api

import (
	"context"
	"errors"
	"strings"
)

// Session asks with one caller's token. Its methods may be called concurrently.
type Session struct {
	c         *Client
	endpoints Endpoints
	given     *token // of the caller; nil: the daemon's own
}

// Session is GitHub as one caller sees it: with GH_TOKEN or GITHUB_TOKEN of
// env, else with the daemon's own token, else with none.
func (c *Client) Session(env map[string]string) *Session {
	s := &Session{c: c, endpoints: c.cfg.Endpoints()}
	for _, name := range []string{"GH_TOKEN", "GITHUB_TOKEN"} {
		if text := strings.TrimSpace(env[name]); text != "" {
			t := newToken(text, name, "set "+name+" to a valid one")
			s.given = &t
			break
		}
	}
	return s
}

// Token reports whether there is a token, valid or not. It may run gh, once.
func (s *Session) Token(ctx context.Context) bool {
	t, err := s.token(ctx)
	return err == nil && !t.none()
}

// TokenSource names where the token comes from, "anonymous" when there is none.
// It may run gh, once.
func (s *Session) TokenSource(ctx context.Context) string {
	t, err := s.token(ctx)
	if err != nil {
		return ""
	}
	return t.name()
}

// Endpoint is the base URL of a host, without a slash at the end.
func (s *Session) Endpoint(h Host) string { return s.endpoints.base(h) }

// token returns the token to ask with. It fails when ctx ends first.
func (s *Session) token(ctx context.Context) (token, error) {
	if s.given != nil {
		return *s.given, nil
	}
	return s.c.own.get(ctx)
}

// authorised runs do with the token. When GitHub does not take the daemon's
// own, it is looked up again, and do runs once more when it has changed.
func (s *Session) authorised(ctx context.Context, do func(token) error) error {
	t, err := s.token(ctx)
	if err != nil {
		return err
	}
	err = do(t)
	if e, ok := errors.AsType[*Error](err); !ok || e.Code != Unauthorized || t.none() || s.given != nil {
		return err
	}
	fresh, renewErr := s.c.own.renew(ctx, t)
	if renewErr != nil || fresh.key == t.key {
		return err
	}
	return do(fresh)
}
