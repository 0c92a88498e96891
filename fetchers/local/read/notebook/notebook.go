// Package notebook reads Jupyter notebooks.
package notebook

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"pifetch/fetchers/local/read/input"
	"pifetch/fetchers/local/read/render"
	"pifetch/internal/termtext"
)

const (
	maxBytes  = 16 << 20
	maxOutput = 20_000 // bytes of one output
)

// Read renders the cells of a notebook in their order: markdown as it is, code
// in the language of the kernel, then what it printed. Pictures are named, not
// shown. What is no notebook is ErrMalformed.
func Read(ctx context.Context, f input.File) (render.Content, error) {
	text, _, err := f.ReadText(ctx, maxBytes)
	if err != nil {
		return render.Content{}, err
	}
	var n notebook
	if err := json.Unmarshal(text, &n); err != nil || n.Format == 0 {
		return render.Content{}, input.ErrMalformed
	}
	for _, s := range n.Worksheets { // of format 3
		n.Cells = append(n.Cells, s.Cells...)
	}
	if len(n.Cells) == 0 {
		return render.Content{}, input.ErrMalformed
	}
	r := &renderer{lang: n.language()}
	shown, code := 0, 0
	title := termtext.Line(n.Metadata.Title)
	for i, raw := range n.Cells {
		if ctx.Err() != nil {
			return render.Content{}, context.Cause(ctx)
		}
		var c cell
		if err := json.Unmarshal(raw, &c); err != nil {
			return render.Content{}, input.ErrMalformed
		}
		n.Cells[i] = nil // which can be a large picture
		if title == "" {
			title = c.heading()
		}
		if c.Type == "code" {
			code++
		}
		if !r.b.IsCut() && r.cell(c) {
			shown++
		}
	}
	c := render.Content{Title: title, Facts: []string{render.Plural(len(n.Cells), "cell"), termtext.Count(code) + " of code"}}
	if r.lang != "" {
		c.Facts = append(c.Facts, r.lang)
	}
	if r.errors > 0 {
		c.Facts = append(c.Facts, render.Plural(r.errors, "error"))
	}
	switch {
	case shown < len(n.Cells):
		cut := "first " + termtext.Count(shown) + " of " + render.Plural(len(n.Cells), "cell")
		c.Facts = append(c.Facts, "cut: "+cut)
		r.b.Note("Cut: " + cut + "; the file has them all")
	case r.clipped:
		c.Facts = append(c.Facts, "cut: long outputs")
	}
	c.Markdown = r.b.String()
	return c, nil
}

type notebook struct {
	Format   int `json:"nbformat"`
	Metadata struct {
		Title  string `json:"title"`
		Kernel struct {
			Language string `json:"language"`
			Name     string `json:"name"`
		} `json:"kernelspec"`
		Language struct {
			Name string `json:"name"`
		} `json:"language_info"`
	} `json:"metadata"`
	Cells      []json.RawMessage `json:"cells"` // each a cell, decoded one at a time
	Worksheets []struct {
		Cells []json.RawMessage `json:"cells"`
	} `json:"worksheets"`
}

type cell struct {
	Type     string   `json:"cell_type"`
	Level    int      `json:"level"` // of format 3's headings
	Source   lines    `json:"source"`
	Input    lines    `json:"input"` // format 3's source
	Language string   `json:"language"`
	Outputs  []output `json:"outputs"`
}

type output struct {
	Type      string           `json:"output_type"`
	Text      lines            `json:"text"`
	Data      map[string]lines `json:"data"`
	Name      string           `json:"ename"`
	Value     string           `json:"evalue"`
	Traceback []string         `json:"traceback"`
}

// lines is a text that is written as one string or as a list of lines. Data of
// another shape stands as its JSON.
type lines string

// UnmarshalJSON implements json.Unmarshaler.
func (l *lines) UnmarshalJSON(b []byte) error {
	var s string
	if json.Unmarshal(b, &s) == nil {
		*l = lines(s)
		return nil
	}
	var list []string
	if json.Unmarshal(b, &list) == nil {
		*l = lines(strings.Join(list, ""))
		return nil
	}
	*l = lines(b)
	return nil
}

func (n notebook) language() string {
	lang := n.Metadata.Language.Name
	if lang == "" {
		lang = n.Metadata.Kernel.Language
	}
	if lang == "" && strings.HasPrefix(n.Metadata.Kernel.Name, "python") {
		lang = "python"
	}
	return word(lang)
}

// word is a language's name as it can stand after a fence.
func word(lang string) string {
	lang = strings.ToLower(strings.TrimSpace(lang))
	if lang == "ipython" || lang == "ipython3" || lang == "python3" {
		return "python"
	}
	if len(lang) > 30 || strings.ContainsFunc(lang, func(r rune) bool { return r <= ' ' || r > '~' || r == '`' }) {
		return ""
	}
	return lang
}

// heading is the first heading of the top level in a cell.
func (c cell) heading() string {
	switch c.Type {
	case "markdown":
		for l := range strings.Lines(string(c.Source)) {
			if h, ok := strings.CutPrefix(l, "# "); ok {
				return termtext.Line(h)
			}
		}
	case "heading":
		return termtext.Line(string(c.Source))
	}
	return ""
}

type renderer struct {
	b       render.Builder
	lang    string
	errors  int
	clipped bool
}

// cell writes a cell with its outputs, or nothing of it.
func (r *renderer) cell(c cell) bool {
	src := strings.Trim(text(c.Source)+text(c.Input), "\n")
	var sb strings.Builder
	switch c.Type {
	case "markdown":
		sb.WriteString("\n" + src + "\n")
	case "heading":
		sb.WriteString(render.Heading(max(1, c.Level), src))
	case "code":
		lang := word(c.Language)
		if lang == "" {
			lang = r.lang
		}
		if first, _, _ := strings.Cut(src, "\n"); strings.HasPrefix(first, "%%") {
			if l := magics[strings.Fields(first + " ")[0]]; l != "" {
				lang = l
			}
		}
		if src != "" {
			sb.WriteString(render.Fence(lang, src))
		}
		// Streams come in pieces.
		for i := 0; i < len(c.Outputs); i++ {
			o := c.Outputs[i]
			for o.Type == "stream" && i+1 < len(c.Outputs) && c.Outputs[i+1].Type == "stream" {
				i++
				o.Text += c.Outputs[i].Text
			}
			r.output(&sb, o)
		}
	default: // raw
		if src != "" {
			sb.WriteString(render.Fence("", src))
		}
	}
	return r.b.Add(sb.String())
}

// magics are the cell magics that change the language.
var magics = map[string]string{
	"%%bash": "bash", "%%sh": "sh", "%%html": "html", "%%javascript": "javascript", "%%js": "javascript", "%%latex": "latex",
	"%%sql": "sql", "%%perl": "perl", "%%ruby": "ruby", "%%R": "r", "%%svg": "svg", "%%cython": "cython", "%%writefile": "text",
}

func (r *renderer) output(sb *strings.Builder, o output) {
	switch o.Type {
	case "stream":
		r.fence(sb, "Output:", string(o.Text))
	case "error", "pyerr":
		r.errors++
		trace := strings.Join(o.Traceback, "\n")
		if trace == "" {
			trace = o.Name + ": " + o.Value
		}
		r.fence(sb, "Error:", trace)
	default:
		r.data(sb, o)
	}
}

// data writes the best form of a result, and names the pictures.
func (r *renderer) data(sb *strings.Builder, o output) {
	md, plain := text(o.Data["text/markdown"]), text(o.Data["text/plain"])+text(o.Text)
	switch {
	case strings.TrimSpace(md) != "":
		sb.WriteString("\nOutput:\n\n" + r.shorten(strings.Trim(md, "\n")) + "\n")
	case strings.TrimSpace(plain) != "":
		r.fence(sb, "Output:", plain)
	case o.Data["text/html"] != "":
		if s, err := render.HTML(r.shorten(string(o.Data["text/html"])), nil, 2); err == nil && s != "" {
			sb.WriteString("\nOutput:\n\n" + s)
		}
	case o.Data["text/latex"] != "":
		r.fence(sb, "Output:", text(o.Data["text/latex"]))
	case o.Data["application/json"] != "":
		r.fence(sb, "Output:", text(o.Data["application/json"]))
	}
	var types []string
	for t := range o.Data {
		if strings.HasPrefix(t, "image/") {
			types = append(types, t)
		}
	}
	slices.Sort(types)
	for _, t := range types {
		data := o.Data[t]
		n := len(data)
		if !strings.HasPrefix(t, "image/svg") {
			n = n / 4 * 3 // base64
		}
		fmt.Fprintf(sb, "\nOutput: picture (%s, %s)\n", termtext.Line(t), termtext.Bytes(int64(n)))
	}
}

func (r *renderer) fence(sb *strings.Builder, label, s string) {
	s = strings.Trim(text(lines(lastStates(s))), "\n")
	if strings.TrimSpace(s) == "" {
		return
	}
	sb.WriteString("\n" + label + "\n" + render.Fence("text", r.shorten(s)))
}

func (r *renderer) shorten(s string) string {
	r.clipped = r.clipped || len(s) > maxOutput
	return render.Shorten(s, maxOutput)
}

// lastStates is what a terminal shows of lines that were written again and
// again: progress bars.
func lastStates(s string) string {
	if !strings.Contains(s, "\r") {
		return s
	}
	all := strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
	for i, l := range all {
		l = strings.TrimRight(l, "\r")
		all[i] = l[strings.LastIndexByte(l, '\r')+1:]
	}
	return strings.Join(all, "\n")
}

// text is a text without the escape sequences of a terminal.
func text(l lines) string { return termtext.Text(string(l)) }
