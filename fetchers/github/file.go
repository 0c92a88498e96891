package github

import (
	"context"

	"pifetch/fetchers"
)

func resolveFile(ctx context.Context, j *job) (fetchers.Document, error) {
	return fetchers.Document{}, errUnclaimed
}
