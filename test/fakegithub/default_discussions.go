package fakegithub

import (
	"time"
)

func helloDiscussions() []*Discussion {
	return []*Discussion{
		{
			Number: DiscussionGuide, ID: 8000020, Title: "How do I add a language?", Body: "The guide does not say.\r\n\r\n# Big heading", Author: "linus", Association: "CONTRIBUTOR",
			Category: "Q&A", Answerable: true, Answered: day(time.February, 3, 9, 0), AnsweredBy: "linus", Created: day(time.February, 1, 9, 0), Updated: day(time.February, 3, 9, 0), Upvotes: 4,
			Labels: []string{"help wanted"},
			Comments: []*DiscussionComment{
				{Comment: Comment{ID: 9000001, Author: "zoe_octo", Body: "I wonder, too.", Created: day(time.February, 1, 10, 0)}},
				{
					Comment: Comment{ID: 9000002, Author: "ada", Association: "MEMBER", Body: "Edit `src/greet.go`.", Created: day(time.February, 2, 9, 0)}, Answer: true, Upvotes: 2,
					Replies: []*Comment{
						{ID: 9000003, Author: "linus", Association: "CONTRIBUTOR", Body: "Thanks!", Created: day(time.February, 2, 10, 0)},
						{ID: 9000004, Author: "", Body: "Me, too.", Created: day(time.February, 2, 11, 0), Minimized: "OFF_TOPIC"},
					},
				},
			},
		},
		{
			Number: DiscussionIdea, ID: 8000021, Title: "Idea: sing", Body: "La la la.", Author: "grace", Association: "MEMBER", Category: "Ideas",
			Created: day(time.February, 5, 9, 0), Updated: day(time.February, 5, 9, 0), Closed: day(time.February, 6, 9, 0), Reason: "OUTDATED",
		},
	}
}
