package fetchers

import "context"

// Claim is what one fetcher would do with a URL.
type Claim struct {
	Source string `json:"source"`
	Claims bool   `json:"claims"`
	Reason string `json:"reason,omitempty"` // what it sees in the URL, or why it does not want it
	Auth   string `json:"auth,omitempty"`   // where its key comes from, never the key: "GH_TOKEN", "anonymous"
}

// Explainer is a Fetcher that can say why it claims a URL or does not.
type Explainer interface {
	// Explain returns the reason for what Claims says, and where the key comes
	// from that would be used, both one line or empty. It may look for the key,
	// until ctx ends.
	Explain(ctx context.Context, req Request, u URL) (reason, auth string)
}
