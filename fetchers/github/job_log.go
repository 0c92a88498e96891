package github

import (
	"context"

	"pifetch/fetchers"
)

func resolveJob(ctx context.Context, j *job) (fetchers.Document, error) {
	return fetchers.Document{}, errUnclaimed
}

func resolveCheckRun(ctx context.Context, j *job) (fetchers.Document, error) {
	return fetchers.Document{}, errUnclaimed
}
