package github

import (
	"context"
	"io"
	"strings"
	"time"

	"pifetch/fetchers"
	"pifetch/fetchers/github/api"
	"pifetch/fetchers/github/target"
)

// job is one URL on its way to a document.
type job struct {
	target.Target
	api    *api.Session
	url    fetchers.URL
	folder fetchers.Folder
	tree   bool      // a directory is wanted as files
	refs   *refCache // of public repositories
	stage  func(fetchers.Stage)
}

// repo is the repository's full name, "octokit/rest.js".
func (j *job) repo() string { return j.Owner + "/" + j.Repo }

// budget is the most time the job may take.
func (j *job) budget() time.Duration {
	switch j.Kind {
	case target.File, target.Archive, target.ReleaseAsset, target.Gist, target.Wiki:
		return downloadBudget
	case target.Repo, target.Directory:
		if j.tree {
			return downloadBudget
		}
	}
	return documentBudget
}

// write stores text as a body.
func (j *job) write(name, text string) (fetchers.Body, error) {
	return j.folder.Write(name, strings.NewReader(text))
}

// store streams an answer into a body and reports how far it is.
func (j *job) store(name string, s *api.Stream) (fetchers.Body, error) {
	defer s.Body.Close()
	return j.folder.Write(name, &meter{Reader: s.Body, total: max(0, s.Length), stage: j.stage})
}

// meter reports what passes through it.
type meter struct {
	io.Reader
	read, total int64
	reported    time.Time
	stage       func(fetchers.Stage)
}

// reportEvery is the pause between two reports of one download.
const reportEvery = time.Second

func (m *meter) Read(p []byte) (int, error) {
	n, err := m.Reader.Read(p)
	m.read += int64(n)
	if now := time.Now(); now.Sub(m.reported) >= reportEvery {
		m.reported = now
		m.stage(fetchers.Stage{Name: fetchers.StageDownloading, Bytes: m.read, Total: m.total})
	}
	return n, err
}

// resolver makes a document of one shape of URL, or fails with the reason.
type resolver func(context.Context, *job) (fetchers.Document, error)

// resolvers are the shapes that are claimed.
var resolvers = map[target.Kind]resolver{
	target.Repo:            resolveRepo,
	target.File:            resolveFile,
	target.Directory:       resolveDirectory,
	target.Issue:           resolveIssue,
	target.IssueList:       resolveIssueList,
	target.PullRequest:     resolvePullRequest,
	target.PullRequestList: resolveIssueList,
	target.LabelList:       resolveLabels,
	target.Milestone:       resolveMilestone,
	target.MilestoneList:   resolveMilestones,
	target.Search:          resolveSearch,
	target.Discussion:      resolveDiscussion,
	target.DiscussionList:  resolveDiscussions,
	target.Commit:          resolveCommit,
	target.CommitList:      resolveCommits,
	target.Compare:         resolveCompare,
	target.Release:         resolveRelease,
	target.ReleaseList:     resolveReleases,
	target.ReleaseAsset:    resolveReleaseAsset,
	target.TagList:         resolveTags,
	target.BranchList:      resolveBranches,
	target.Run:             resolveRun,
	target.RunList:         resolveRuns,
	target.Job:             resolveJob,
	target.CheckRun:        resolveCheckRun,
	target.Advisory:        resolveAdvisory,
	target.AdvisoryList:    resolveAdvisories,
	target.Wiki:            resolveWiki,
	target.Gist:            resolveGist,
	target.GistList:        resolveGists,
	target.Owner:           resolveOwner,
	target.Archive:         resolveArchive,
	target.API:             resolveAPI,
}
