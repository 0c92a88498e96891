package patch

import (
	"cmp"
	"io"
	"strings"
	"unicode/utf8"
)

// File is a changed file as GitHub's REST API lists it (the schema diff-entry),
// with what two trees tell of it.
type File struct {
	Path    string
	OldPath string // previous_filename
	Status  string // added, removed, modified, renamed, copied, changed, unchanged
	Patch   string // hunks alone, without a line end; "" for none

	SHA    string // of the blob in the head, or in the base when it is removed
	OldSHA string // of the blob of OldPath or Path in the base; "" when unknown

	OldMode, NewMode string // "100644", "100755", "120000", "160000"; "" when unknown

	Additions, Deletions, Changes int // lines; all 0 when unknown
}

// Rebuild writes the diff of the files to w, for want of one by GitHub. It
// omits what the listing does not give or gives damaged: binary and large
// files, text that is not UTF-8. Further, where the trees are not known:
//
//   - without modes, an added or removed file that may be a symbolic link or a
//     submodule, and any change of mode or type; another added file is taken
//     for 100644;
//   - without OldSHA, a rename or change of mode alone, because a binary file
//     that changes as well looks the same.
func Rebuild(w io.Writer, files []File, l Limits) (Result, error) {
	out := newOutput(w, l)
	for i := 0; i < len(files); i++ {
		f := files[i]
		text, reason := build(f)
		s := Section{Path: f.Path, OldPath: f.OldPath, Status: f.Status, Additions: f.Additions, Deletions: f.Deletions}
		if i+1 < len(files) && replaced(f, files[i+1]) {
			i++
			creation, why := build(files[i])
			text += creation
			reason = cmp.Or(reason, why)
			s.Status, s.Additions = "changed", files[i].Additions
		}
		var err error
		if reason != "" {
			err = out.omit(s, reason)
		} else {
			err = out.section(s, []byte(text))
		}
		if err != nil {
			return Result{}, err
		}
	}
	return out.close()
}

// replaced reports whether two entries are one file that changes its type.
func replaced(f, next File) bool {
	return f.Status == "removed" && next.Status == "added" && f.Path == next.Path
}

// build is the section of a file, or why there is none.
func build(f File) (text, reason string) {
	f.OldMode, f.NewMode = canonicalMode(f.OldMode), canonicalMode(f.NewMode)
	if f.Patch != "" && !strings.HasSuffix(f.Patch, "\n") {
		f.Patch += "\n"
	}
	h, reason := readHunks(f)
	switch {
	case f.Path == "":
		return "", notNamed
	case reason != "":
		return "", reason
	}
	switch f.Status {
	case "added":
		return buildAdded(f, h)
	case "removed":
		return buildRemoved(f, h)
	case "modified", "changed", "unchanged":
		f.OldPath = f.Path
		return buildChanged(f, h, "")
	case "renamed", "copied":
		verb := map[string]string{"renamed": "rename", "copied": "copy"}[f.Status]
		if f.OldPath == "" {
			return "", notNamed
		}
		return buildChanged(f, h, verb)
	}
	return "", badStatus
}

// readHunks checks the hunks of a file.
func readHunks(f File) (h hunks, reason string) {
	for line := range strings.Lines(f.Patch) {
		header := !h.open() && strings.HasPrefix(line, "@@ ")
		if !h.take([]byte(line)) {
			return h, incomplete
		}
		// The text after a header may be cut within a character by git itself.
		if !header && strings.ContainsRune(line, utf8.RuneError) {
			return h, notUTF8
		}
	}
	counted := f.Additions != 0 || f.Deletions != 0 || f.Changes != 0
	if h.open() || f.Patch != "" && counted && (h.added != f.Additions || h.deleted != f.Deletions) {
		return h, incomplete
	}
	return h, ""
}

// missing is why a file without hunks cannot be written.
func missing(f File) string {
	if f.Additions != 0 || f.Deletions != 0 || f.Changes != 0 {
		return tooLarge
	}
	return noPatch
}

func buildAdded(f File, h hunks) (text, reason string) {
	switch {
	case f.Patch == "" && f.SHA != emptyBlob:
		return "", missing(f)
	case h.deleted > 0 || h.context > 0 || h.n > 1:
		return "", incomplete
	case f.NewMode == "" && special(f.Patch, h):
		return "", modeUnknown
	}
	text = gitLine(f.Path, f.Path) + "new file mode " + cmp.Or(f.NewMode, regular) + "\n"
	if f.Patch == "" {
		return text + "index 0000000..e69de29\n", ""
	}
	return text + "--- /dev/null\n" + mark("+++", "b/"+f.Path) + f.Patch, ""
}

func buildRemoved(f File, h hunks) (text, reason string) {
	switch {
	case f.Patch == "" && f.SHA != emptyBlob:
		return "", missing(f)
	case h.added > 0 || h.context > 0 || h.n > 1:
		return "", incomplete
	case f.OldMode == "" && special(f.Patch, h):
		return "", modeUnknown
	}
	text = gitLine(f.Path, f.Path) + "deleted file mode " + cmp.Or(f.OldMode, regular) + "\n"
	if f.Patch == "" {
		return text + "index e69de29..0000000\n", ""
	}
	return text + mark("---", "a/"+f.Path) + "+++ /dev/null\n" + f.Patch, ""
}

// buildChanged is a file that is there before and after; verb is "rename",
// "copy" or "".
func buildChanged(f File, h hunks, verb string) (text, reason string) {
	modes := f.OldMode != "" && f.NewMode != "" && f.OldMode != f.NewMode
	sameBlob := f.SHA != "" && f.SHA == f.OldSHA
	switch {
	case f.Status == "changed" && (f.OldMode == "" || f.NewMode == ""):
		return "", modeUnknown
	case modes && f.OldMode[:2] != f.NewMode[:2]:
		if verb != "" || f.Patch == "" {
			return "", typeChanged
		}
		return buildReplaced(f, h)
	case f.Patch == "" && !sameBlob:
		return "", missing(f)
	case f.Patch == "" && verb == "" && !modes:
		return "", unchanged
	}
	text = gitLine(f.OldPath, f.Path)
	if modes {
		text += "old mode " + f.OldMode + "\nnew mode " + f.NewMode + "\n"
	}
	if verb != "" {
		text += verb + " from " + quote(f.OldPath) + "\n" + verb + " to " + quote(f.Path) + "\n"
	}
	if f.Patch != "" {
		text += mark("---", "a/"+f.OldPath) + mark("+++", "b/"+f.Path) + f.Patch
	}
	return text, ""
}
