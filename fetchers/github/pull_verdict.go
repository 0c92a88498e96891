package github

import (
	"slices"
	"strings"
)

// namesInVerdict is how many people a verdict names.
const namesInVerdict = 3

// verdict is how the reviews stand: GitHub's decision where it is known, and
// the last word of each reviewer who gave one. Where later reviews were not
// read it says so: they may hold another word.
func (p *pull) verdict() string {
	var parts []string
	if p.Decision != "" {
		parts = append(parts, p.Decision)
	}
	last := map[string]string{}
	var order []string
	for _, r := range p.Reviews.List {
		switch r.Label {
		case "approved", "changes requested", "dismissed":
			if _, ok := last[r.Author]; !ok {
				order = append(order, r.Author)
			}
			last[r.Author] = r.Label
		}
	}
	for _, verdict := range []string{"changes requested", "approved"} {
		var names []string
		for _, name := range order {
			if last[name] == verdict {
				names = append(names, author(name))
			}
		}
		if len(names) == 0 {
			continue
		}
		if len(names) > namesInVerdict {
			names = append(slices.Clip(names[:namesInVerdict]), "…")
		}
		text := verdict + " by " + strings.Join(names, ", ")
		if p.Reviews.More {
			parts = append(parts, "in "+p.Reviews.count("review")+": "+text)
		} else if verdict == p.Decision {
			parts[0] = text
		} else {
			parts = append(parts, text)
		}
	}
	if len(p.Requested) > 0 && (p.State == "open" || p.State == "draft") {
		parts = append(parts, "waits for "+strings.Join(p.Requested, ", "))
	}
	return strings.Join(parts, "; ")
}
