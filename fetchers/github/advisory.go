package github

import (
	"context"

	"pifetch/fetchers"
)

func resolveAdvisory(ctx context.Context, j *job) (fetchers.Document, error) {
	return fetchers.Document{}, errUnclaimed
}

func resolveAdvisories(ctx context.Context, j *job) (fetchers.Document, error) {
	return fetchers.Document{}, errUnclaimed
}
