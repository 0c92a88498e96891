package office

import (
	"bytes"
	"context"
	"encoding/xml"
	"path"
	"strings"

	"pifetch/fetchers/local/read/input"
)

// small is the size of a part of a document beside its text: styles, names.
const small = 8 << 20

// packaged is an Office Open XML package.
type packaged struct {
	ctx context.Context
	z   *input.Zip
}

type relation struct{ kind, target string }

// relations are those of one part, by id, targets inside the package as names
// of parts.
func (p packaged) relations(part string) map[string]relation {
	rels := map[string]relation{}
	dir, base := path.Split(part)
	p.each(path.Join(dir, "_rels", base+".rels"), func(t xml.StartElement) {
		if t.Name.Local != "Relationship" || len(rels) > 100_000 {
			return
		}
		target := input.Attr(t, "Target")
		if input.Attr(t, "TargetMode") != "External" {
			if !strings.HasPrefix(target, "/") {
				target = dir + target
			}
			target = input.PartName(target)
		}
		rels[input.Attr(t, "Id")] = relation{path.Base(input.Attr(t, "Type")), target}
	})
	return rels
}

// each calls yield for the elements of a small part, as far as it can be read.
func (p packaged) each(part string, yield func(t xml.StartElement)) {
	b, err := p.z.Read(part, small)
	if err != nil || b == nil {
		return
	}
	for t := range input.NewXML(p.ctx, bytes.NewReader(b), false).Elements() {
		yield(t)
	}
}

// main is the name of the package's main part.
func (p packaged) main(usual string) string {
	for _, r := range p.relations("") {
		if r.kind == "officeDocument" && p.z.Has(r.target) {
			return r.target
		}
	}
	return usual
}

func (p packaged) title() string { return textOf(p.ctx, p.z, "docProps/core.xml", "title") }

// textOf is the text of the first element of that local name in a small part.
func textOf(ctx context.Context, z *input.Zip, part, local string) string {
	b, err := z.Read(part, small)
	if err != nil || b == nil {
		return ""
	}
	x := input.NewXML(ctx, bytes.NewReader(b), false)
	for t := range x.Elements() {
		if t.Name.Local == local {
			return strings.TrimSpace(x.Text())
		}
	}
	return ""
}
