package main

// colour is an SGR sequence (ECMA-48, section 8.3.117).
type colour string

const (
	red    colour = "\x1b[31m"
	green  colour = "\x1b[32m"
	yellow colour = "\x1b[33m"
)

// coloured reports whether a terminal may get colours: NO_COLOR (no-color.org),
// a dumb terminal and an agent have none.
func (a *app) coloured() bool {
	return a.getenv("NO_COLOR") == "" && a.getenv("TERM") != "dumb" && !a.agent()
}

func paint(on bool, c colour, text string) string {
	if !on {
		return text
	}
	return string(c) + text + "\x1b[0m"
}
