package fakegithub

func (f *Fake) review(r *Repo, i *Issue, v *Review) m {
	page := r.HTML("/pull/%d#pullrequestreview-%d", i.Number, v.ID)
	return m{
		"id": v.ID, "user": f.userOrNil(v.Author), "body": v.Body, "state": v.State, "html_url": page, "pull_request_url": r.API("/pulls/%d", i.Number),
		"commit_id": v.Commit, "submitted_at": stamp(v.Submitted), "author_association": association(v.Association),
	}
}

func (f *Fake) restReviews(r Request) (int, any) {
	i := f.onPull(r)
	if i == nil {
		return notFound()
	}
	return 200, items(i.Pull.Reviews, func(v *Review) any { return f.review(r.Repo, i, v) })
}

func (f *Fake) restReview(r Request) (int, any) {
	if i := f.onPull(r); i != nil {
		for _, v := range i.Pull.Reviews {
			if v.ID == big(r.Params["review_id"]) {
				return ok(f.review(r.Repo, i, v))
			}
		}
	}
	return notFound()
}

func (f *Fake) reviewComment(r *Repo, i *Issue, t *Thread, c *ReviewComment) m {
	api := r.API("/pulls/comments/%d", c.ID)
	out := m{
		"id": c.ID, "pull_request_review_id": c.Review, "path": t.Path, "diff_hunk": t.Hunk, "body": c.Body, "user": f.userOrNil(c.Author), "author_association": association(c.Association),
		"commit_id": i.Pull.HeadSHA, "original_commit_id": i.Pull.HeadSHA, "html_url": r.HTML("/pull/%d#discussion_r%d", i.Number, c.ID), "url": api, "pull_request_url": r.API("/pulls/%d", i.Number),
		"created_at": stamp(c.Created), "updated_at": stamp(latest(c.Created, c.Edited)), "reactions": reactions(api, c.Reactions),
		"subject_type": "line", "side": t.side(), "start_line": nil, "original_start_line": nil, "start_side": nil,
	}
	if t.WholeFile {
		out["subject_type"] = "file"
	}
	out["line"], out["original_line"] = orNone(t.Line), orNone(t.OriginalLine)
	if t.StartLine > 0 {
		out["start_line"], out["original_start_line"], out["start_side"] = t.StartLine, t.StartLine, t.side()
	}
	if first := t.Comments[0]; first != c {
		out["in_reply_to_id"] = first.ID
	}
	return out
}

func (f *Fake) restReviewComments(r Request) (int, any) {
	i := f.onPull(r)
	if i == nil {
		return notFound()
	}
	out := List{}
	for _, t := range i.Pull.Threads {
		for _, c := range t.Comments {
			out.Items = append(out.Items, f.reviewComment(r.Repo, i, t, c))
		}
	}
	return 200, out
}

func (f *Fake) restReviewComment(r Request) (int, any) {
	for _, i := range r.Repo.Issues {
		if i.Pull == nil {
			continue
		}
		for _, t := range i.Pull.Threads {
			for _, c := range t.Comments {
				if c.ID == big(r.Params["comment_id"]) {
					return ok(f.reviewComment(r.Repo, i, t, c))
				}
			}
		}
	}
	return notFound()
}
