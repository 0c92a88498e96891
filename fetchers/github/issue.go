package github

import (
	"context"

	"pifetch/fetchers"
)

func resolveIssue(ctx context.Context, j *job) (fetchers.Document, error) {
	return fetchers.Document{}, errUnclaimed
}
