package profile

import "slices"

// fairQueue holds waiting turns: first come, first served within a session,
// one turn each in rotation between sessions.
type fairQueue struct {
	sessions []*sessionQueue // the next to be served first; none is empty
}

type sessionQueue struct {
	name  string
	turns []*turn
}

func (q *fairQueue) push(session string, t *turn) {
	for _, s := range q.sessions {
		if s.name == session {
			s.turns = append(s.turns, t)
			return
		}
	}
	q.sessions = append(q.sessions, &sessionQueue{name: session, turns: []*turn{t}})
}

// pop takes the turn to be served next, nil when none waits.
func (q *fairQueue) pop() *turn {
	if len(q.sessions) == 0 {
		return nil
	}
	s := q.sessions[0]
	q.sessions = q.sessions[1:]
	t := s.turns[0]
	s.turns = s.turns[1:]
	if len(s.turns) > 0 {
		q.sessions = append(q.sessions, s)
	}
	return t
}

// remove reports whether t was still waiting.
func (q *fairQueue) remove(t *turn) bool {
	for i, s := range q.sessions {
		at := slices.Index(s.turns, t)
		if at < 0 {
			continue
		}
		s.turns = slices.Delete(s.turns, at, at+1)
		if len(s.turns) == 0 {
			q.sessions = slices.Delete(q.sessions, i, i+1)
		}
		return true
	}
	return false
}

func (q *fairQueue) len() int {
	n := 0
	for _, s := range q.sessions {
		n += len(s.turns)
	}
	return n
}
