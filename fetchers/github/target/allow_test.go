package target

import (
	"slices"
	"strings"
	"testing"
)

// Every path of the list is claimed, and none has a segment that administers
// or tells about the token's user.
func TestAPIPaths(t *testing.T) {
	never := []string{
		"admin", "app", "applications", "cache", "caches", "collaborators", "dependabot", "enterprises", "gpg_keys", "hooks", "installation",
		"installations", "invitations", "keys", "logs", "members", "memberships", "notifications", "permissions", "protection", "rulesets",
		"runners", "secret-scanning", "secrets", "ssh_signing_keys", "teams", "traffic", "user", "variables", "zip",
	}
	sample := strings.NewReplacer("**", "x/y", "*", "x", "#", "1")
	for _, p := range apiPaths {
		path := strings.Join(p, "/")
		for _, s := range p {
			if slices.Contains(never, s) {
				t.Errorf("%s: %s must not be listed", path, s)
			}
		}
		if got, ok := Parse("https://api.github.com/" + sample.Replace(path)); !ok {
			t.Errorf("%s is not claimed: %+v", path, got)
		}
	}
}

func TestMatches(t *testing.T) {
	tests := []struct {
		pattern, path string
		want          bool
	}{
		{"zen", "zen", true},
		{"zen", "zen/x", false},
		{"zen", "meta", false},
		{"users/*", "users", false},
		{"users/*", "users/alice", true},
		{"users/*", "users/alice/repos", false},
		{"comments/#", "comments/12", true},
		{"comments/#", "comments/0", false},
		{"comments/#", "comments/a", false},
		{"ref/**", "ref", false},
		{"ref/**", "ref/heads", true},
		{"ref/**", "ref/heads/a/b", true},
	}
	for _, tt := range tests {
		t.Run(tt.pattern+" "+tt.path, func(t *testing.T) {
			if got := matches(strings.Split(tt.pattern, "/"), strings.Split(tt.path, "/")); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}
