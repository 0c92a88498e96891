package fakegithub

import (
	"strings"

	"pifetch/test/fakegithub/gitrepo"
)

var tortureText = strings.Repeat("line of text\nanother\n", 30)

// tortureBase is the folder that pull request 7 changes: one file for each
// kind of change that a patch can get wrong.
func tortureBase() map[string]gitrepo.File {
	return map[string]gitrepo.File{
		"mod.txt":          gitrepo.Text(tortureText),
		"del.txt":          gitrepo.Text("a\nb\n"),
		"del_empty":        gitrepo.Text(""),
		"ren_old.txt":      gitrepo.Text(tortureText + "x\n"),
		"ren edit old.txt": gitrepo.Text(tortureText + "y\n"),
		"noeol.txt":        gitrepo.Text("a\nb"),
		"crlf.txt":         gitrepo.Text("a\r\nb\r\nc\r\n"),
		"sp ace/f ile.txt": gitrepo.Text("1\n2\n"),
		"ünï/çode.txt":     gitrepo.Text("1\n"),
		"quo\"te\t.txt":    gitrepo.Text("1\n"),
		"latin1.txt":       gitrepo.Text("caf\xe9\n1\n"),
		"mode.sh":          gitrepo.Text("#!/bin/sh\n"),
		"modeedit.sh":      gitrepo.Text("#!/bin/sh\n"),
		"delx.sh":          gitrepo.Executable("#!/bin/sh\necho gone\n"),
		"bin.png":          gitrepo.Text("\x89PNG\x00\x01"),
		"delbin.png":       gitrepo.Text("\x89PNG\x00\x02"),
		"link":             gitrepo.Link("mod.txt"),
		"dellink":          gitrepo.Link("mod.txt"),
		"type":             gitrepo.Text("file\n"),
		"a b/ b/x":         gitrepo.Text("tricky\n"),
	}
}

// tortureHead is what pull request 7 makes of it.
func tortureHead() map[string]gitrepo.File {
	return map[string]gitrepo.File{
		"mod.txt":            gitrepo.Text("new first\n" + tortureText),
		"del.txt":            gitrepo.Deleted,
		"del_empty":          gitrepo.Deleted,
		"ren_old.txt":        gitrepo.Deleted,
		"ren_new.txt":        gitrepo.Text(tortureText + "x\n"),
		"ren edit old.txt":   gitrepo.Deleted,
		"ren edit new.txt":   gitrepo.Text(tortureText + "z\n"),
		"noeol.txt":          gitrepo.Text("a\nc"),
		"noeol_new.txt":      gitrepo.Text("no newline"),
		"crlf.txt":           gitrepo.Text("a\r\nB\r\nc\r\n"),
		"sp ace/f ile.txt":   gitrepo.Text("1\n3\n"),
		"sp ace/new file.md": gitrepo.Text("new\n"),
		"ünï/çode.txt":       gitrepo.Text("2\n"),
		"quo\"te\t.txt":      gitrepo.Text("2\n"),
		"latin1.txt":         gitrepo.Text("caf\xe9\n2\n"),
		"mode.sh":            gitrepo.Executable("#!/bin/sh\n"),
		"modeedit.sh":        gitrepo.Executable("#!/bin/bash\n"),
		"delx.sh":            gitrepo.Deleted,
		"newx.sh":            gitrepo.Executable("#!/bin/sh\necho new\n"),
		"bin.png":            gitrepo.Text("\x89PNG\x00\x03"),
		"newbin.png":         gitrepo.Text("\x89PNG\x00\x04"),
		"delbin.png":         gitrepo.Deleted,
		"empty_new":          gitrepo.Text(""),
		"link":               gitrepo.Link("crlf.txt"),
		"newlink":            gitrepo.Link("crlf.txt"),
		"dellink":            gitrepo.Deleted,
		"type":               gitrepo.Link("mod.txt"),
		"a b/ b/x":           gitrepo.Text("tricky2\n"),
	}
}
