package github

import (
	"context"

	"pifetch/fetchers"
)

func resolveRepo(ctx context.Context, j *job) (fetchers.Document, error) {
	return fetchers.Document{}, errUnclaimed
}
