package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"pifetch/daemon/wire"
)

func TestDoctorLimits(t *testing.T) {
	core := wire.Limit{Source: "github", Key: "GH_TOKEN", Resource: "core", Limit: 5000, Remaining: 4711, ResetSecs: 60}
	search := wire.Limit{Source: "github", Key: "anonymous", Resource: "search", Limit: 10, ResetSecs: 42, BlockedSecs: 50}
	for _, tt := range []struct {
		name   string
		limits []wire.Limit
		want   finding
	}{
		{"none", nil, ok("none told by a service yet")},
		{"left", []wire.Limit{core}, ok("github core (GH_TOKEN): 4,711 of 5,000 left")},
		{"used up", []wire.Limit{core, search}, warn("wait, or use a token with limits of its own", "github search (anonymous): 0 of 10 left, again in 50s")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := doctor{status: &wire.StatusResult{Limits: tt.limits}}
			if got := d.limits(t.Context()); got != tt.want {
				t.Error(cmp.Diff(tt.want, got, cmp.AllowUnexported(finding{})))
			}
		})
	}
}

func TestDoctorVersions(t *testing.T) {
	defer func(v string) { version = v }(version)
	for _, tt := range []struct {
		name, client string
		status       wire.StatusResult
		want         finding
	}{
		{"same", "v1.2.0", wire.StatusResult{Version: "v1.2.0"}, ok("pifetchctl v1.2.0, pifetchd v1.2.0")},
		{"development", devel, wire.StatusResult{Version: "v1.2.0"}, ok("pifetchctl devel, pifetchd v1.2.0")},
		{
			"other", "v1.3.0",
			wire.StatusResult{Version: "v1.2.0"},
			warn("run: pifetchctl stop; if that does not help, install both from one build", "pifetchctl v1.3.0, pifetchd v1.2.0"),
		},
		{
			"managed", "v1.3.0",
			wire.StatusResult{Version: "v1.2.0", Managed: true},
			warn("run: pifetchctl service restart; if that does not help, install both from one build", "pifetchctl v1.3.0, pifetchd v1.2.0"),
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			version = tt.client
			d := doctor{status: &tt.status}
			if got := d.versions(t.Context()); got != tt.want {
				t.Error(cmp.Diff(tt.want, got, cmp.AllowUnexported(finding{})))
			}
		})
	}
}
