// Package feed reads RSS, Atom and JSON feeds.
package feed

import (
	"bytes"
	"context"
	"net/url"
	"strings"
	"time"

	"github.com/mmcdole/gofeed"

	"pifetch/fetchers/local/read/input"
	"pifetch/fetchers/local/read/render"
	"pifetch/internal/termtext"
)

const (
	maxBytes   = 16 << 20
	maxEntries = 500
	maxBody    = 512 << 10 // bytes of one entry
)

// Read renders a feed: what it is, then its entries in its order, each with
// its link, date, authors and text. What is no feed is ErrMalformed.
func Read(ctx context.Context, f input.File) (render.Content, error) {
	text, charset, err := f.ReadText(ctx, maxBytes)
	if err != nil {
		return render.Content{}, err
	}
	if err := check(ctx, text); err != nil {
		return render.Content{}, err
	}
	text = dropEncoding(text)
	parsed, err := gofeed.NewParser().Parse(input.Until(ctx, bytes.NewReader(text)))
	if err != nil {
		return render.Content{}, input.ErrMalformed
	}
	c := render.Content{Title: termtext.Line(plain(parsed.Title)), Facts: []string{render.Plural(len(parsed.Items), "entry")}}
	var b render.Builder
	if c.Title != "" {
		b.Add(render.Heading(1, c.Title))
	}
	base, _ := url.Parse(parsed.Link)
	if d := strings.TrimSpace(parsed.Description); d != "" {
		b.Add("\n" + body(d, base))
	}
	b.Add(facts(parsed.Link, stamp(parsed.UpdatedParsed, parsed.Updated), parsed.Authors, nil))
	shown := 0
	var latest time.Time
	for _, item := range parsed.Items {
		if ctx.Err() != nil {
			return render.Content{}, context.Cause(ctx)
		}
		for _, t := range []*time.Time{item.PublishedParsed, item.UpdatedParsed} {
			if t != nil && t.After(latest) {
				latest = *t
			}
		}
		if shown >= maxEntries || b.IsCut() {
			continue
		}
		if b.Add(entry(item, base)) {
			shown++
		}
	}
	if !latest.IsZero() {
		c.Facts = append(c.Facts, "latest "+latest.UTC().Format(time.DateOnly))
	}
	if charset != input.UTF8 {
		c.Facts = append(c.Facts, "charset "+charset)
	}
	if shown < len(parsed.Items) {
		cut := "first " + termtext.Count(shown) + " of " + render.Plural(len(parsed.Items), "entry")
		c.Facts = append(c.Facts, "cut: "+cut)
		b.Note("Cut: " + cut + "; the file has them all")
	}
	c.Markdown = b.String()
	return c, nil
}

// entry renders one entry.
func entry(item *gofeed.Item, base *url.URL) string {
	var sb strings.Builder
	title := termtext.Line(plain(item.Title))
	if title == "" {
		title = "(untitled)"
	}
	sb.WriteString(render.Heading(2, title))
	date := stamp(item.PublishedParsed, item.Published)
	if date == "" {
		date = stamp(item.UpdatedParsed, item.Updated)
	}
	link := item.Link
	if link == "" && strings.HasPrefix(item.GUID, "http") {
		link = item.GUID
	}
	sb.WriteString(facts(link, date, item.Authors, item.Categories))
	for i, e := range item.Enclosures {
		if i == 10 || e == nil {
			break
		}
		if i == 0 {
			sb.WriteString("\n")
		}
		sb.WriteString("- " + render.Link("enclosure", e.URL) + " " + render.Text(e.Type) + "\n")
	}
	if u, err := url.Parse(item.Link); err == nil && u.IsAbs() {
		base = u
	}
	text := item.Content
	if strings.TrimSpace(text) == "" {
		text = item.Description
	}
	sb.WriteString("\n" + body(text, base))
	return sb.String()
}

// facts is the list of what is known about a feed or an entry.
func facts(link, date string, authors []*gofeed.Person, categories []string) string {
	var sb strings.Builder
	if link = termtext.Exact(strings.TrimSpace(link)); link != "" {
		sb.WriteString("- <" + strings.NewReplacer("<", "%3C", ">", "%3E", " ", "%20").Replace(link) + ">\n")
	}
	if date != "" {
		sb.WriteString("- " + render.Text(date) + "\n")
	}
	var names []string
	for _, a := range authors {
		if a == nil || len(names) == 20 {
			continue
		}
		if name := a.Name; name != "" {
			names = append(names, render.Text(render.Clip(name, 200)))
		} else if a.Email != "" {
			names = append(names, render.Text(render.Clip(a.Email, 200)))
		}
	}
	if len(names) > 0 {
		sb.WriteString("- by " + strings.Join(names, ", ") + "\n")
	}
	var tags []string
	for _, tag := range categories {
		if tag = render.Text(render.Clip(tag, 100)); tag != "" && len(tags) < 20 {
			tags = append(tags, tag)
		}
	}
	if len(tags) > 0 {
		sb.WriteString("- tags: " + strings.Join(tags, ", ") + "\n")
	}
	if sb.Len() == 0 {
		return ""
	}
	return "\n" + sb.String()
}

// stamp is a date as it is read most easily.
func stamp(t *time.Time, raw string) string {
	switch {
	case t == nil:
		return termtext.Line(raw)
	case t.Equal(t.Truncate(24*time.Hour)) && t.Location() == time.UTC:
		return t.Format(time.DateOnly)
	}
	if _, offset := t.Zone(); offset == 0 {
		return t.Format("2006-01-02 15:04 UTC")
	}
	return t.Format("2006-01-02 15:04 -0700")
}

// body is the text of an entry, HTML or not, as markdown.
func body(text string, base *url.URL) string {
	cut := len(text) > maxBody
	if cut {
		text = strings.ToValidUTF8(text[:maxBody], "")
	}
	var md string
	if isHTML(text) {
		var err error
		if md, err = render.HTML(text, base, 2); err != nil {
			md = render.Text(text) + "\n"
		}
	} else {
		var sb strings.Builder
		for l := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
			sb.WriteString(render.Text(l) + "\n")
		}
		md = sb.String()
	}
	if cut {
		md += "\n_Cut: the text of this entry is longer; the file has it all_\n"
	}
	return md
}

func isHTML(s string) bool { return strings.ContainsAny(s, "<&") }

// plain is a title without markup and entities, which feeds put there.
func plain(s string) string {
	if !isHTML(s) {
		return s
	}
	return render.PlainHTML(s)
}
