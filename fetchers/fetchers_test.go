package fetchers_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"pifetch/fetchers"
)

func TestOpenBrowser(t *testing.T) {
	for _, tt := range []struct{ client, url, want string }{
		{"", "https://a.example/x", "pifetchctl open-browser 'https://a.example/x'"},
		{"pifetchctl/1.0", "https://a.example/it's?a=b&c", "pifetchctl open-browser 'https://a.example/it%27s?a=b&c'"},
		{"pi/1.6.0", "https://a.example/x", "/open-browser https://a.example/x"},
		{"pi", "https://a.example/x", "/open-browser https://a.example/x"},
		{"pilot/2", "https://a.example/x", "pifetchctl open-browser 'https://a.example/x'"},
	} {
		if got := (fetchers.Request{Client: tt.client}).OpenBrowser(tt.url); got != tt.want {
			t.Errorf("client %q: OpenBrowser(%q) = %q, want %q", tt.client, tt.url, got, tt.want)
		}
	}
}

func TestEnvIsNotLogged(t *testing.T) {
	var log bytes.Buffer
	req := fetchers.Request{Env: fetchers.Env{"GH_TOKEN": "canary"}}
	slog.New(slog.NewJSONHandler(&log, nil)).Info("fetch start", "env", req.Env)
	if s := log.String(); strings.Contains(s, "canary") || !strings.Contains(s, "GH_TOKEN") {
		t.Errorf("log line %s: want the name GH_TOKEN and not its value", s)
	}
}
