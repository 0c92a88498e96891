package github

import (
	"context"

	"pifetch/fetchers"
)

func resolveLabels(ctx context.Context, j *job) (fetchers.Document, error) {
	return fetchers.Document{}, errUnclaimed
}
