package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"pifetch/daemon/wire"
	"pifetch/fetchers"
	"pifetch/internal/termtext"
)

// mcpProgressGap is the longest a client hears nothing of a call that runs:
// clients give up after a minute or less without a sign of life.
const mcpProgressGap = 5 * time.Second

// mcpProgressPause is how long a status waits for a newer one, or for the end
// of the call: the official client for Node.js may take a message that arrives
// together with the result for one that belongs to no call.
const mcpProgressPause = 100 * time.Millisecond

// mcpProgress tells an MCP client how far one call is: the newest status, and
// when there is no newer one the same again. A slow client gets fewer messages
// and holds nothing up. A nil mcpProgress tells nobody.
type mcpProgress struct {
	total int
	wake  chan struct{} // there is something new to tell
	quit  chan struct{}
	told  sync.WaitGroup

	mu      sync.Mutex
	written int
	now     string
}

// progressOf tells the client of req, if it has asked for that, about total
// URLs; 0: about something else.
func progressOf(ctx context.Context, req *mcp.CallToolRequest, total int) *mcpProgress {
	token := req.Params.GetProgressToken()
	if token == nil {
		return nil
	}
	return newMCPProgress(total, func(n int, message string) {
		// A client that cannot be told is about to be found gone.
		_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: float64(n), Message: message})
	})
}

// newMCPProgress calls tell, never twice at a time, until stop. n counts the
// messages: the protocol wants it to grow with each.
func newMCPProgress(total int, tell func(n int, message string)) *mcpProgress {
	p := &mcpProgress{total: total, wake: make(chan struct{}, 1), quit: make(chan struct{}), now: "waiting for pifetchd"}
	p.told.Go(func() {
		gap := time.NewTicker(mcpProgressGap)
		defer gap.Stop()
		for n := 1; ; n++ {
			select {
			case <-p.quit:
				return
			case <-p.wake:
				select {
				case <-p.quit:
					return
				case <-time.After(mcpProgressPause):
				}
				gap.Reset(mcpProgressGap)
			case <-gap.C:
			}
			select {
			case <-p.wake: // what it announces is told now
			default:
			}
			tell(n, p.message())
		}
	})
	return p
}

func (p *mcpProgress) message() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.total == 0 {
		return p.now
	}
	return fmt.Sprintf("%d/%d · %s", p.written, p.total, p.now)
}

// show takes the newest status.
func (p *mcpProgress) show(e wire.StatusEvent) {
	if p == nil {
		return
	}
	p.mu.Lock()
	if e.Name == fetchers.StageWritten {
		p.written++
	}
	stage := string(e.Name)
	if e.Name == fetchers.StageDownloading {
		stage += " " + termtext.Bytes(e.Bytes)
	}
	p.mu.Unlock()
	p.set(stage + " " + e.URL)
}

// set says what goes on now.
func (p *mcpProgress) set(now string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	p.now = termtext.Line(now)
	p.mu.Unlock()
	select {
	case p.wake <- struct{}{}:
	default: // it is about to be told
	}
}

// stop returns when the last message has been sent.
func (p *mcpProgress) stop() {
	if p != nil {
		close(p.quit)
		p.told.Wait()
	}
}
