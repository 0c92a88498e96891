package github

import (
	"context"

	"pifetch/fetchers"
)

func resolveAPI(ctx context.Context, j *job) (fetchers.Document, error) {
	return fetchers.Document{}, errUnclaimed
}
