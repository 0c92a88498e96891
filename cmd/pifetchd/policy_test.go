package main

import (
	"net/netip"
	"testing"

	"pifetch/internal/netguard"
)

func TestPolicy(t *testing.T) {
	guard := &netguard.Guard{Policy: func() netguard.Policy {
		return netguard.Policy{Deny: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}}
	}}
	for url, want := range map[string]string{
		"https://wiki.example/":                 "decided on the address the name has when it is dialled; private ones are reached, because the URL asks for them",
		"http://localhost:8080/":                "reached: a loopback address, and the URL asks for it",
		"http://docs.localhost/":                "reached: a loopback address, and the URL asks for it",
		"http://192.168.1.7/":                   "reached: a private address, and the URL asks for it",
		"http://[2606:4700:4700::1111]/":        "reached: a public address",
		"http://10.1.2.3/":                      "network guard: 10.1.2.3 is denied by 10.0.0.0/8 in webTools.fetch.network.deny",
		"http://169.254.169.254/latest/":        "network guard: 169.254.169.254 is a cloud metadata address, and such are never reached",
		"git@github.com:o/r.git":                "",
		"https://user:secret@0x7f000001/secret": "reached: a loopback address, and the URL asks for it",
	} {
		if got := policy(guard, url); got != want {
			t.Errorf("policy of %q is %q, want %q", url, got, want)
		}
	}
}
