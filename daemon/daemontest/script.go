package daemontest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"sync"
	"testing"

	"pifetch/daemon/rundir"
	"pifetch/daemon/wire"
)

// Role is what a scripted daemon does in one connection.
type Role func(*Peer)

// Script is a daemon that plays a role in each connection, one after the other.
func Script(t testing.TB, roles ...Role) rundir.Paths {
	t.Helper()
	p := Paths(t)
	if err := p.Prepare(); err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("unix", p.Sock)
	if err != nil {
		t.Fatal(err)
	}
	var played sync.WaitGroup
	t.Cleanup(func() {
		ln.Close()
		played.Wait()
	})
	played.Go(func() {
		for _, role := range roles {
			nc, err := ln.Accept()
			if err != nil {
				return
			}
			played.Go(func() { Play(nc, role) })
		}
	})
	return p
}

// Play plays a role in a connection and closes it.
func Play(nc net.Conn, role Role) {
	defer nc.Close()
	role(&Peer{nc: nc, lines: bufio.NewReader(nc)})
}

// Peer is a daemon's side of a connection.
type Peer struct {
	nc    net.Conn
	lines *bufio.Reader
}

// Next waits for the client's next request, and is empty when it hangs up.
func (p *Peer) Next() (h wire.Header) {
	p.Decode(&h)
	return h
}

// Decode is Next for all fields of a request.
func (p *Peer) Decode(request any) error {
	line, err := p.lines.ReadBytes('\n')
	if err != nil {
		return err
	}
	return json.Unmarshal(line, request)
}

// Send writes a line. A client that has hung up misses it.
func (p *Peer) Send(format string, args ...any) { fmt.Fprintf(p.nc, format+"\n", args...) }

// Hello answers a client's first request.
func (p *Peer) Hello(state string) { p.hello(state, false) }

// HelloManaged answers it as a daemon that a service manager runs.
func (p *Peer) HelloManaged(state string) { p.hello(state, true) }

func (p *Peer) hello(state string, managed bool) {
	const pid = 99999999 // there is no such process
	p.Send(`{"id":%q,"event":"result","op":"hello","pid":%d,"state":%q,"managed":%t}`, p.Next().ID, pid, state, managed)
}

// The roles that every client has to cope with.

// Drains is a daemon that leaves.
func Drains(p *Peer) { p.Hello("draining") }

// Vanishes is a daemon that is gone before it greets.
func Vanishes(p *Peer) { p.Next() }

// Refuses is a daemon that begins to leave between greeting and request.
func Refuses(p *Peer) {
	p.Hello("serving")
	p.Send(`{"id":%q,"event":"error","code":"shutting_down","reason":"leaving"}`, p.Next().ID)
	p.Next()
}

// Loses is a daemon that dies when the request is at a stage.
func Loses(stage string) Role {
	return func(p *Peer) {
		p.Hello("serving")
		p.Send(`{"id":%q,"event":"status","url":"u","stage":%q}`, p.Next().ID, stage)
	}
}

// Hangs is a daemon that says nothing more once it has greeted.
func Hangs(p *Peer) {
	p.Hello("serving")
	p.Next()
	p.Next() // until the client hangs up
}

// TalksNonsense is a daemon whose answer is no event.
func TalksNonsense(p *Peer) {
	p.Hello("serving")
	p.Next()
	p.Send(`hello?`)
	p.Next()
}
