package github

import (
	"context"

	"pifetch/fetchers"
)

func resolveRun(ctx context.Context, j *job) (fetchers.Document, error) {
	return fetchers.Document{}, errUnclaimed
}

func resolveRuns(ctx context.Context, j *job) (fetchers.Document, error) {
	return fetchers.Document{}, errUnclaimed
}
