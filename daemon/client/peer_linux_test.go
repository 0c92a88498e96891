package client_test

import (
	"net"
	"os"
	"strings"
	"testing"

	"pifetch/daemon/client"
	"pifetch/daemon/daemontest"
)

func TestSocketOfAnotherUserIsNotSpokenTo(t *testing.T) {
	daemontest.NeedRoot(t)
	p := daemontest.Paths(t)
	if err := p.Prepare(); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{p.AgentDir, p.Dir} {
		if err := os.Chmod(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	ln := daemontest.AsNobody(t, func() (net.Listener, error) { return net.Listen("unix", p.Sock) })
	defer ln.Close()
	_, err := client.Dial(t.Context(), client.Config{Paths: p, NoSpawn: true})
	if err == nil || !strings.Contains(err.Error(), "served by another user (uid 65534)") {
		t.Errorf("got %v", err)
	}
}
