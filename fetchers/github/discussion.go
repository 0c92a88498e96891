package github

import (
	"context"

	"pifetch/fetchers"
)

func resolveDiscussion(ctx context.Context, j *job) (fetchers.Document, error) {
	return fetchers.Document{}, errUnclaimed
}

func resolveDiscussions(ctx context.Context, j *job) (fetchers.Document, error) {
	return fetchers.Document{}, errUnclaimed
}
