package github

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"pifetch/fetchers"
	"pifetch/fetchers/github/markdown"
)

const advisoryName = "advisory.md"

// advisory is a security advisory, of a repository or of GitHub's database.
type advisory struct {
	ID              string `json:"ghsa_id"`
	CVE             string `json:"cve_id"`
	URL             string `json:"html_url"`
	Summary         string
	Description     string
	Severity        string
	State           string // of a repository's: "published", "draft", "withdrawn", …
	Type            string // of the database's: "reviewed", "unreviewed", "malware"
	Author          *restUser
	Publisher       *restUser
	Published       time.Time `json:"published_at"`
	Updated         time.Time `json:"updated_at"`
	Reviewed        time.Time `json:"github_reviewed_at"`
	Withdrawn       time.Time `json:"withdrawn_at"`
	Source          string    `json:"source_code_location"`
	References      []string
	Vulnerabilities []vulnerability
	CVSS            cvss
	Severities      struct {
		V3 cvss `json:"cvss_v3"`
		V4 cvss `json:"cvss_v4"`
	} `json:"cvss_severities"`
	EPSS *struct{ Percentage, Percentile float64 }
	CWEs []struct {
		ID   string `json:"cwe_id"`
		Name string
	}
	// Credits name an account by its login in a repository's advisory, by an
	// object in the database.
	Credits []struct {
		Login string
		User  *restUser
		Type  string
	}
}

type vulnerability struct {
	Package   struct{ Ecosystem, Name string }
	Range     string   `json:"vulnerable_version_range"`
	Patched   string   `json:"patched_versions"`      // of a repository's advisory
	First     string   `json:"first_patched_version"` // of the database's
	Functions []string `json:"vulnerable_functions"`
}

// fixed is the version to go to, "" when there is none known.
func (v vulnerability) fixed() string {
	if v.Patched != "" {
		return v.Patched
	}
	return v.First
}

func (v vulnerability) name() string {
	return strings.Trim(v.Package.Ecosystem+" "+v.Package.Name, " ")
}

type cvss struct {
	Vector string `json:"vector_string"`
	Score  float64
}

func (c cvss) String() string {
	if c.Vector == "" {
		return ""
	}
	return fmt.Sprintf("%.1f (%s)", c.Score, c.Vector)
}

func resolveAdvisory(ctx context.Context, j *job) (fetchers.Document, error) {
	if !j.keepsTo() {
		return fetchers.Document{}, errUnclaimed
	}
	path := "advisories/" + j.ID
	if j.Repo != "" {
		path = j.path("security-advisories/" + j.ID)
	}
	var a advisory
	if _, err := j.api.Get(ctx, path, nil, &a); err != nil {
		return fetchers.Document{}, err
	}
	body, err := j.write(advisoryName, a.render())
	if err != nil {
		return fetchers.Document{}, err
	}
	facts := a.facts()
	if j.Repo != "" {
		facts = append(facts, with(j.newName(a.URL))...)
	}
	return fetchers.Document{
		Kind: "github.advisory", Title: a.title(), Link: j.linkTo(a.URL), Facts: facts,
		Excerpt: excerptOf(cmp.Or(a.Description, a.Summary)), Via: "api", Bodies: []fetchers.Body{body},
	}, nil
}

func (a advisory) title() string { return markdown.Line(a.ID + ": " + a.Summary) }

// scores are those that were given, the latest version of the scale first.
func (a advisory) scores() []string {
	var scores []string
	v3 := a.Severities.V3
	if v3.Vector == "" && a.CVSS.Vector != a.Severities.V4.Vector {
		v3 = a.CVSS
	}
	for _, c := range []cvss{a.Severities.V4, v3} {
		if c.Vector != "" {
			scores = append(scores, c.String())
		}
	}
	return scores
}

// standing is what makes an advisory more or less than a published one.
func (a advisory) standing() string {
	switch {
	case !a.Withdrawn.IsZero():
		return "withdrawn " + markdown.Day(a.Withdrawn)
	case a.State != "" && a.State != "published":
		return a.State
	case a.Type != "" && a.Type != "reviewed":
		return a.Type
	}
	return ""
}

// packagesInFacts is how many packages facts name.
const packagesInFacts = 3

func (a advisory) facts() []string {
	var facts []string
	add := func(text string) {
		if text != "" {
			facts = append(facts, named(text))
		}
	}
	add(a.standing())
	if a.Severity != "" {
		add("severity " + a.Severity)
	}
	if scores := a.scores(); len(scores) > 0 {
		score, _, _ := strings.Cut(scores[0], " ")
		add("CVSS " + score)
	}
	add(a.CVE)
	for i, v := range a.Vulnerabilities {
		if i == packagesInFacts {
			add(fmt.Sprintf("and %d more packages or ranges", len(a.Vulnerabilities)-i))
			break
		}
		text := v.name() + " " + v.Range
		if fixed := v.fixed(); fixed != "" {
			text += " fixed in " + fixed
		} else {
			text += " has no known fix"
		}
		add(text)
	}
	if !a.Published.IsZero() {
		add("published " + markdown.Day(a.Published))
	}
	return facts
}

func (a advisory) render() string {
	var h head
	h.add("severity", a.Severity)
	for _, score := range a.scores() {
		h.add("CVSS", score)
	}
	h.add("CVE", a.CVE)
	for _, w := range a.CWEs {
		h.add("weakness", w.ID+" "+w.Name)
	}
	if a.EPSS != nil {
		h.add("EPSS", fmt.Sprintf("%.3f%% within 30 days, percentile %.0f", 100*a.EPSS.Percentage, 100*a.EPSS.Percentile))
	}
	h.add("state", a.standing())
	h.add("author", a.Author.login())
	h.add("publisher", a.Publisher.login())
	h.add("published", markdown.Time(a.Published))
	h.add("reviewed by GitHub", markdown.Time(a.Reviewed))
	h.add("updated", markdown.Time(a.Updated))
	h.add("source code", a.Source)
	h.add("page", a.URL)
	var d markdown.Doc
	d.Heading(1, a.title())
	d.Add(strings.Join(h, "\n"))
	a.addVulnerabilities(&d)
	if text := markdown.Body(a.Description, 2); text != "" {
		d.Heading(2, "Description")
		d.Add(text)
	}
	if len(a.References) > 0 {
		d.Heading(2, "References")
		var list []string
		for _, r := range a.References {
			list = append(list, "- "+markdown.Line(r))
		}
		d.Add(strings.Join(list, "\n"))
	}
	if len(a.Credits) > 0 {
		d.Heading(2, "Credits")
		var list []string
		for _, c := range a.Credits {
			login := c.Login
			if login == "" {
				login = c.User.login()
			}
			list = append(list, "- "+markdown.Line(author(login)+", "+words(c.Type)))
		}
		d.Add(strings.Join(list, "\n"))
	}
	return d.String()
}

func (a advisory) addVulnerabilities(d *markdown.Doc) {
	if len(a.Vulnerabilities) == 0 {
		return
	}
	d.Heading(2, "Affected")
	var rows [][]string
	for _, v := range a.Vulnerabilities {
		fixed := v.fixed()
		if fixed == "" {
			fixed = "none known"
		}
		rows = append(rows, []string{v.Package.Ecosystem, v.Package.Name, v.Range, fixed, codes(v.Functions)})
	}
	d.Table([]string{"ecosystem", "package", "vulnerable", "fixed in", "functions"}, rows)
}
