package github

import (
	"context"

	"pifetch/fetchers"
)

func resolveArchive(ctx context.Context, j *job) (fetchers.Document, error) {
	return fetchers.Document{}, errUnclaimed
}
