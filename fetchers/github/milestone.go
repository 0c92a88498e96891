package github

import (
	"context"

	"pifetch/fetchers"
)

func resolveMilestone(ctx context.Context, j *job) (fetchers.Document, error) {
	return fetchers.Document{}, errUnclaimed
}

func resolveMilestones(ctx context.Context, j *job) (fetchers.Document, error) {
	return fetchers.Document{}, errUnclaimed
}
