package github

import (
	"context"

	"pifetch/fetchers"
)

func resolveDirectory(ctx context.Context, j *job) (fetchers.Document, error) {
	return fetchers.Document{}, errUnclaimed
}
