package github

import (
	"context"
	"slices"
	"strings"

	"pifetch/fetchers/github/markdown"
)

// annotation is what a check says about some lines of a file.
type annotation struct {
	Path  string
	First int    `json:"start_line"`
	Last  int    `json:"end_line"`
	Level string `json:"annotation_level"`
	Title string
	Text  string `json:"message"`
}

// place is "src/a.go:3-7". What is about no file is said of ".github".
func (a annotation) place() string {
	if a.Path == "" || a.Path == ".github" {
		return ""
	}
	s := a.Path + ":" + number(a.First)
	if a.Last > a.First {
		s += "-" + number(a.Last)
	}
	return s
}

// weight is 0 for what makes a check fail, and more for what matters less.
func (a annotation) weight() int {
	switch a.Level {
	case "failure":
		return 0
	case "warning":
		return 1
	}
	return 2
}

func (a annotation) words() string {
	if a.Title == "" || strings.HasPrefix(a.Text, a.Title) {
		return a.Text
	}
	return a.Title + ": " + a.Text
}

// line is the annotation on one line.
func (a annotation) line() string {
	text := markdown.Line(a.words())
	if place := a.place(); place != "" {
		text = place + ": " + text
	}
	return text
}

// maxAnnotations is how many of a check's annotations are read.
const maxAnnotations = 200

// annotations are those of a check run, as far as GitHub gives them, failures
// first: they are no reason to fail.
func (j *job) annotations(ctx context.Context, checkRun int64) (notes []annotation, more bool) {
	notes, more, err := readList[annotation](ctx, j, j.path("check-runs/"+decimal(checkRun)+"/annotations"), maxAnnotations)
	slices.SortStableFunc(notes, func(a, b annotation) int { return a.weight() - b.weight() })
	return notes, more && err == nil
}

// addAnnotations writes a table of them.
func addAnnotations(d *markdown.Doc, notes []annotation, more bool, rest string) {
	if len(notes) == 0 {
		return
	}
	d.Heading(2, "Annotations")
	if more {
		d.Add("The first " + markdown.Count(len(notes), "annotation") + "; the rest: " + rest)
	}
	var rows [][]string
	for _, a := range notes {
		place := a.place()
		if place != "" {
			place = markdown.Code(place)
		}
		rows = append(rows, []string{a.Level, place, a.words()})
	}
	d.Table([]string{"level", "place", "says"}, rows)
}
