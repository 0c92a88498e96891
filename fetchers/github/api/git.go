package api

import "context"

// GitToken is the text of the token for git, which speaks HTTP itself; empty
// when there is none that can be sent. It must reach no argument of a
// program, no file and no other host.
func (s *Session) GitToken(ctx context.Context) string {
	t, err := s.token(ctx)
	if err != nil || t.none() || t.fault != "" {
		return ""
	}
	return *t.text
}
