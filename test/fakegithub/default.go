package fakegithub

import (
	"time"

	"pifetch/test/fakegithub/gitrepo"
)

// day is a time of the year in which everything of the world happens.
func day(month time.Month, d, hour, minute int) time.Time {
	return time.Date(2026, month, d, hour, minute, 0, 0, time.UTC)
}

// Who commits.
var (
	ada   = gitrepo.Person{Name: "Ada Octavia", Email: "ada@octo.example"}
	linus = gitrepo.Person{Name: "Linus Novice", Email: "linus@contributor.example"}
)

// newWorld makes the default world; its git repositories are kept in dir.
func newWorld(dir string) (*World, error) {
	w := &World{Users: []*User{
		{Login: "octo", ID: 1001, Type: "Organization", Name: "Octo Works"},
		{Login: "ada", ID: 1002, Type: "User", Name: "Ada Octavia"},
		{Login: "grace", ID: 1003, Type: "User", Name: "Grace Reviewer"},
		{Login: "linus", ID: 1004, Type: "User", Name: "Linus Novice"},
		{Login: "zoe_octo", ID: 1005, Type: "User", Name: "Zoë Managed"},
		{Login: "dependabot[bot]", ID: 1006, Type: "Bot"},
		{Login: "ci[bot]", ID: 1007, Type: "Bot"},
	}}
	for _, build := range []func(string) (*Repo, error){hello, fork, many, empty, secret} {
		r, err := build(dir)
		if err != nil {
			return nil, err
		}
		w.Repos = append(w.Repos, r)
	}
	w.Gists = gists()
	return w, nil
}
