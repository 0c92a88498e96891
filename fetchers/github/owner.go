package github

import (
	"context"

	"pifetch/fetchers"
)

func resolveOwner(ctx context.Context, j *job) (fetchers.Document, error) {
	return fetchers.Document{}, errUnclaimed
}
