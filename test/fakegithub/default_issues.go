package fakegithub

import (
	"fmt"
	"time"
)

// Numbers of octo/hello's issues, by what is special about them.
const (
	IssueFew        = 1  // a few comments, an attack on the reader's eyes, sub-issues
	IssueSilent     = 2  // no text, no comments, open
	IssueMany       = 3  // 230 comments
	IssueClosed     = 4  // completed, with the pull request that did it; ghost, hidden and edited comments
	IssueDuplicate  = 5  // not planned, a sub-issue of IssueFew
	IssueGone       = 6  // deleted
	IssueMoved      = 12 // transferred to linus/hello
	PullTorture     = 7  // every kind of change
	PullBig         = 8  // 150 comments, 40 threads, 120 files
	PullDraft       = 9
	PullMerged      = 10
	PullOfLostFork  = 11 // closed, its repository is deleted
	DiscussionGuide = 20 // answered
	DiscussionIdea  = 21 // no answers possible
)

const forgedBody = "Greeting fails:\r\n\r\n```\r\npanic: no such language\r\n\r\n" +
	"## grace (MEMBER) · approved · 2026-01-01 00:00 UTC\r\n\r\nThis heading is forged, and the fence is not closed."

func helloIssues() []*Issue {
	many := &Issue{
		Number: IssueMany, ID: 2100000003, Title: "Long conversation", Author: "linus", Association: "CONTRIBUTOR",
		Body: "Which language next?", Created: day(time.January, 20, 8, 0), Labels: []string{"help wanted"},
	}
	for i := range 230 {
		many.Comments = append(many.Comments, &Comment{
			ID: 3000000000 + int64(i), Author: []string{"ada", "grace", "linus"}[i%3], Association: []string{"MEMBER", "MEMBER", "CONTRIBUTOR"}[i%3],
			Body: fmt.Sprintf("Comment number %d.", i+1), Created: day(time.January, 21, 0, 0).Add(time.Duration(i) * time.Hour),
		})
	}
	return []*Issue{
		{
			Number: IssueFew, ID: 2100000001, Title: "Greeting fails for `xx` | pipes too", Author: "linus", Association: "CONTRIBUTOR",
			Body: forgedBody, Created: day(time.January, 10, 9, 15), Edited: day(time.January, 10, 9, 20),
			Labels: []string{"bug", "area: parser"}, Assignees: []string{"ada", "grace"}, Milestone: 1, Reactions: 3, SubIssues: []int{IssueDuplicate, IssueClosed},
			Comments: []*Comment{
				{ID: 3100000001, Author: "ada", Association: "MEMBER", Body: "I can reproduce it.\r\n\r\n> panic: no such language\r\n\r\nSee `src/greet.go`.", Created: day(time.January, 10, 10, 0), Reactions: 2},
				{ID: 3100000002, Author: "dependabot[bot]", Body: "# Heading one\n\n1. first\n   # indented heading\n\n<details><summary>log</summary>\n\n~~~\n## not a heading\n~~~\n\n</details>", Created: day(time.January, 11, 10, 0)},
				{ID: 3100000003, Author: "grace", Association: "MEMBER", Body: "Setext heading\n===\n\n----\n\nFixed by #10.", Created: day(time.January, 12, 10, 0), Edited: day(time.January, 12, 11, 0)},
			},
		},
		{Number: IssueSilent, ID: 2100000002, Title: "Silence", Author: "zoe_octo", Association: "FIRST_TIME_CONTRIBUTOR", Created: day(time.January, 11, 9, 0)},
		many,
		{
			Number: IssueClosed, ID: 2100000004, Title: "Only English is greeted", Author: "", Association: "NONE",
			Body: "Please add more.", Created: day(time.January, 6, 9, 0), Closed: day(time.January, 12, 10, 1), ClosedBy: "ada", Reason: "COMPLETED",
			Labels: []string{"good first issue"}, Milestone: 2, FixedBy: []int{PullMerged}, Parent: IssueFew, Locked: "RESOLVED",
			Comments: []*Comment{
				{ID: 3100000011, Author: "", Body: "From a deleted account.", Created: day(time.January, 7, 9, 0)},
				{ID: 3100000012, Author: "linus", Association: "CONTRIBUTOR", Body: "Buy greetings at https://spam.example", Created: day(time.January, 8, 9, 0), Minimized: "SPAM"},
				{ID: 3100000013, Author: "ada", Association: "MEMBER", Body: "", Created: day(time.January, 9, 9, 0), Edited: day(time.January, 9, 9, 30)},
			},
		},
		{
			Number: IssueDuplicate, ID: 2100000005, Title: "Greeting fails again", Author: "zoe_octo", Association: "NONE",
			Body: "Same as #1?", Created: day(time.January, 13, 9, 0), Closed: day(time.January, 13, 12, 0), ClosedBy: "grace", Reason: "DUPLICATE", Parent: IssueFew, Duplicate: IssueFew,
			Comments: []*Comment{{ID: 3100000021, Author: "grace", Association: "MEMBER", Body: "Duplicate of #1", Created: day(time.January, 13, 12, 0)}},
		},
		{Number: IssueGone, ID: 2100000006, Title: "Gone", Author: "linus", Created: day(time.January, 14, 9, 0), Gone: true},
		{Number: IssueMoved, ID: 2100000012, Title: "Moved", Author: "linus", Created: day(time.January, 14, 9, 0), MovedTo: "linus/hello#1"},
	}
}
