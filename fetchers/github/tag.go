package github

import (
	"context"

	"pifetch/fetchers"
)

func resolveTags(ctx context.Context, j *job) (fetchers.Document, error) {
	return fetchers.Document{}, errUnclaimed
}
