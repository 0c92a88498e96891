package patch

import (
	"fmt"
	"strings"
)

const regular = "100644"

// canonicalMode is a mode of a tree as git diff writes it, "" for what is no
// mode of a file.
func canonicalMode(mode string) string {
	switch mode {
	case regular, "100755", "120000", "160000":
		return mode
	case "100664": // in trees of long ago
		return regular
	}
	return ""
}

// special reports whether hunks of an added or removed file may be those of a
// symbolic link, one line without its end, or of a submodule.
func special(patch string, h hunks) bool {
	if h.added+h.deleted != 1 {
		return false
	}
	_, line, _ := strings.Cut(patch, "\n")
	return h.last == '\\' || strings.HasPrefix(line[1:], "Subproject commit ")
}

// buildReplaced is a file that changes its type: its deletion and its creation
// with another mode, as git writes it. The hunk has to hold both files whole.
func buildReplaced(f File, h hunks) (text, reason string) {
	if h.n != 1 || h.oldStart > 1 || h.newStart > 1 || h.trailing >= contextLines {
		return "", typeChanged
	}
	var before, after strings.Builder
	var side byte
	_, lines, _ := strings.Cut(f.Patch, "\n")
	for line := range strings.Lines(lines) {
		kind := line[0]
		if kind == '\n' {
			kind, line = ' ', " \n"
		}
		if kind != '\\' {
			side = kind
		}
		if side != '+' {
			before.WriteString(resigned(line, '-'))
		}
		if side != '-' {
			after.WriteString(resigned(line, '+'))
		}
	}
	// Half of a change of type shows no line of the file on the other side.
	if h.deleted+h.context == 0 && f.OldSHA != "" && f.OldSHA != emptyBlob || h.added+h.context == 0 && f.SHA != "" && f.SHA != emptyBlob {
		return "", incomplete
	}
	deletion, creation := f, f
	deletion.Patch = fmt.Sprintf("@@ -1,%d +0,0 @@\n%s", h.deleted+h.context, before.String())
	creation.Patch = fmt.Sprintf("@@ -0,0 +1,%d @@\n%s", h.added+h.context, after.String())
	if h.deleted+h.context == 0 {
		deletion.Patch, deletion.SHA = "", emptyBlob
	}
	if h.added+h.context == 0 {
		creation.Patch, creation.SHA = "", emptyBlob
	}
	first, reason := buildRemoved(deletion, hunks{})
	if reason != "" {
		return "", reason
	}
	second, reason := buildAdded(creation, hunks{})
	return first + second, reason
}

// contextLines is how many unchanged lines git writes after a change, when
// there are as many.
const contextLines = 3

// resigned is a line of a hunk with another sign.
func resigned(line string, sign byte) string {
	if line[0] == '\\' {
		return line
	}
	return string(sign) + line[1:]
}
