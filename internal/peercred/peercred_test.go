package peercred

import (
	"net"
	"os"
	"path/filepath"
	"testing"
)

func TestOf(t *testing.T) {
	dir, err := os.MkdirTemp("/tmp", "pc")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	ln, err := net.Listen("unix", filepath.Join(dir, "s"))
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	client, err := net.Dial("unix", ln.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	server, err := ln.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	want := Cred{UID: os.Geteuid(), PID: os.Getpid()}
	for name, c := range map[string]net.Conn{"client": client, "server": server} {
		got, err := Of(c)
		if err != nil || got != want {
			t.Errorf("%s: got %v, %v; want %v", name, got, err, want)
		}
	}
}

func TestOfOtherKindsOfConnection(t *testing.T) {
	a, b := net.Pipe()
	defer a.Close()
	defer b.Close()
	if c, err := Of(a); err == nil {
		t.Errorf("got %v, want an error", c)
	}
}
