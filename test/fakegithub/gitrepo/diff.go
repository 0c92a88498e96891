package gitrepo

import (
	"strconv"
	"strings"
)

// Change is one file of a diff.
type Change struct {
	Status               string // as in REST: added, removed, modified, renamed, changed
	Path, OldPath        string
	SHA                  string // of the new blob, of the old one when it was removed
	OldMode, NewMode     string
	Additions, Deletions int
	Binary               bool
	Patch                string // the hunks without a newline at the end; "" when there are none
}

// Diff is the whole diff between two trees as GitHub's .diff gives it.
func (r Repo) Diff(from, to string) ([]byte, error) {
	return r.Git("diff", "-M", "--no-color", "--no-ext-diff", "--abbrev=10", from, to)
}

// Changes lists the files of a diff, each with its hunks.
func (r Repo) Changes(from, to string) ([]Change, error) {
	raw, err := r.Git("diff", "-M", "--raw", "-z", "--no-abbrev", from, to)
	if err != nil {
		return nil, err
	}
	patches, err := r.patches(from, to)
	if err != nil {
		return nil, err
	}
	fields := strings.Split(strings.TrimSuffix(string(raw), "\x00"), "\x00")
	var changes []Change
	for i := 0; i+1 < len(fields); {
		meta := strings.Fields(strings.TrimPrefix(fields[i], ":"))
		c := Change{OldMode: meta[0], NewMode: meta[1], SHA: meta[3], Path: fields[i+1]}
		i += 2
		switch meta[4][0] {
		case 'A':
			c.Status = "added"
		case 'D':
			c.Status, c.SHA = "removed", meta[2]
		case 'R':
			c.Status, c.OldPath, c.Path = "renamed", c.Path, fields[i]
			i++
		case 'T':
			c.Status = "changed"
		default:
			c.Status = "modified"
		}
		// A change of type is two sections of a diff: GitHub shows the second.
		p := patches[len(changes)]
		c.Patch, c.Binary, c.Additions, c.Deletions = p.hunks, p.binary, p.added, p.removed
		changes = append(changes, c)
	}
	return changes, nil
}

type patch struct {
	hunks          string
	binary         bool
	added, removed int
}

// patches are the sections of a diff in its order, that of Changes; the two
// sections of a change of type are one.
func (r Repo) patches(from, to string) ([]patch, error) {
	out, err := r.Git("diff", "-M", "--no-color", "--no-ext-diff", from, to)
	if err != nil {
		return nil, err
	}
	var patches []patch
	typeChange := false
	previous := ""
	for _, section := range strings.Split("\n"+string(out), "\ndiff --git ")[1:] {
		head, body, hasHunks := strings.Cut(section, "\n@@ ")
		name, _, _ := strings.Cut(head, "\n")
		p := patch{binary: strings.Contains(head, "\nBinary files ")}
		if hasHunks {
			p.hunks = strings.TrimSuffix("@@ "+body, "\n")
			for line := range strings.Lines(p.hunks) {
				switch line[0] {
				case '+':
					p.added++
				case '-':
					p.removed++
				}
			}
		}
		typeChange = name == previous
		previous = name
		if typeChange {
			patches[len(patches)-1] = joined(patches[len(patches)-1], p)
			continue
		}
		patches = append(patches, p)
	}
	return patches, nil
}

// joined is a deletion and a creation as one hunk.
func joined(deletion, creation patch) patch {
	p := patch{binary: deletion.binary || creation.binary, added: creation.added, removed: deletion.removed}
	before, gone, _ := strings.Cut(deletion.hunks, "\n")
	after, new, _ := strings.Cut(creation.hunks, "\n")
	if gone != "" && new != "" {
		p.hunks = "@@ " + strings.Fields(before)[1] + " " + strings.Fields(after)[2] + " @@\n" + gone + "\n" + new
	}
	return p
}

// MergeBase is the best common ancestor, "" when there is none.
func (r Repo) MergeBase(a, b string) string { return r.Line("merge-base", a, b) }

// AheadBehind counts the commits that head has and base has not, and the reverse.
func (r Repo) AheadBehind(base, head string) (ahead, behind int) {
	f := strings.Fields(r.Line("rev-list", "--left-right", "--count", base+"..."+head))
	if len(f) != 2 {
		return 0, 0
	}
	behind, _ = strconv.Atoi(f[0])
	ahead, _ = strconv.Atoi(f[1])
	return ahead, behind
}
