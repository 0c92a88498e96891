package checkout

import (
	"context"
	"io"
	"os"
)

// maxTarget is the most bytes of a link's target that are told.
const maxTarget = 4 << 10

// packOverhead is what files that are hard to compress may take on the way
// beside their own bytes.
const packOverhead = 1 << 20

// Subtree writes what the commit has below dir, "" for all of it.
func (r *Repo) Subtree(ctx context.Context, root *os.Root, dir string, l Limits) (Result, error) {
	objects, more, err := r.List(ctx, dir, l.Files)
	if err != nil {
		return Result{}, err
	}
	loaded, err := r.Load(ctx, objects, l.Bytes+packOverhead)
	if err != nil {
		return Result{}, err
	}
	w := newWriter(root, l)
	w.result.Commit, w.result.More = r.Commit, more
	var present []Object
	var blobs []string
	for _, o := range objects {
		name, refused := clean(o.Path)
		switch {
		case refused != "":
			w.omit(o.Path[:min(len(o.Path), maxPath)], refused)
		case o.Mode == Submodule:
			w.omit(name, "submodule at "+o.SHA)
		case !loaded[o.SHA]:
			w.missing(name, l.bytesReason())
		default:
			o.Path = name
			present = append(present, o)
			blobs = append(blobs, o.SHA)
		}
	}
	err = r.Read(ctx, blobs, func(i int, size int64, content io.Reader) error {
		o := present[i]
		if o.Mode == Link {
			target, err := io.ReadAll(io.LimitReader(content, maxTarget))
			w.omit(o.Path, "symbolic link to "+string(target))
			return err
		}
		return w.file(o.Path, size, o.Mode == Executable, content)
	})
	return w.result, err
}
