package api

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"
)

// token is what GitHub knows a caller by; the zero value is nobody's. The text
// is behind a pointer and never formatted, whatever prints the token.
type token struct {
	text   *string
	key    string // the head of the text's SHA-256: tells tokens apart
	source string // "GH_TOKEN"
	remedy string // what a person does about a bad one
	fault  string // why it is not sent; empty: it is
}

// newToken judges a token: only visible ASCII can be sent.
func newToken(text, source, remedy string) token {
	sum := sha256.Sum256([]byte(text))
	t := token{text: &text, key: hex.EncodeToString(sum[:8]), source: source, remedy: remedy}
	if strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' }) {
		t.fault = fmt.Sprintf("the token from %s has a space, a line break or another character inside that no token has: %s", source, remedy)
	}
	return t
}

// badToken is one that could not be read.
func badToken(source, fault string) token {
	t := newToken("", source, "")
	t.key, t.fault = source, fault
	return t
}

func (t token) none() bool { return t.text == nil }

// name is the source, "anonymous" of nobody's token.
func (t token) name() string {
	if t.none() {
		return "anonymous"
	}
	return t.source
}

func (t token) String() string { return "token from " + t.name() }

// GoString hides the token from %#v.
func (t token) GoString() string { return t.String() }

// LogValue hides the token from logs.
func (t token) LogValue() slog.Value { return slog.StringValue(t.String()) }

// recheck is how long the daemon's own token is believed when there is none,
// or GitHub did not take it: after `gh auth login` the next fetch has it.
const recheck = 10 * time.Second

// ownToken remembers the daemon's own token. One look-up runs at a time, for
// all who wait for it.
type ownToken struct {
	now     func() time.Time
	look    func() token
	changed func(token) // is told of another one than before

	mu  sync.Mutex
	cur *lookup
}

// lookup is one look-up; token, until and refused are set when done is closed.
type lookup struct {
	done    chan struct{}
	token   token
	until   time.Time // believed so long; zero: until GitHub refuses it
	refused bool      // GitHub has refused the token, and a new look-up found the same
}

func (o *ownToken) get(ctx context.Context) (token, error) {
	o.mu.Lock()
	l := o.cur
	if l == nil || l.isDone() && !l.until.IsZero() && !o.now().Before(l.until) {
		l = o.startLocked("")
	}
	o.mu.Unlock()
	return l.wait(ctx)
}

// renew returns the token after GitHub refused old: another one, or old again
// when there is no other.
func (o *ownToken) renew(ctx context.Context, old token) (token, error) {
	o.mu.Lock()
	l := o.cur
	if l.isDone() && l.token.key == old.key && !l.refused {
		l = o.startLocked(old.key)
	}
	o.mu.Unlock()
	return l.wait(ctx)
}

func (o *ownToken) startLocked(refused string) *lookup {
	l, before := &lookup{done: make(chan struct{})}, o.cur
	o.cur = l
	go func() {
		defer close(l.done)
		l.token = o.look()
		if before == nil || before.token.key != l.token.key {
			o.changed(l.token)
		}
		l.refused = refused != "" && l.token.key == refused
		if l.refused || l.token.none() || l.token.fault != "" {
			l.until = o.now().Add(recheck)
		}
	}()
	return l
}

func (l *lookup) isDone() bool {
	select {
	case <-l.done:
		return true
	default:
		return false
	}
}

func (l *lookup) wait(ctx context.Context) (token, error) {
	select {
	case <-l.done:
		return l.token, nil
	case <-ctx.Done():
		return token{}, context.Cause(ctx)
	}
}
