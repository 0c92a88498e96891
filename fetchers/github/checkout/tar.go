package checkout

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// maxArchive is the most bytes of an archive, unpacked, that are read in
// search of a folder.
const maxArchive = 4 << 30

// Tar writes what an archive as GitHub makes them, a gzipped tarball with one
// folder at the top, has below the path dir, "" for all of it. Files marked
// export-ignore in .gitattributes are not in such an archive.
func Tar(ctx context.Context, root *os.Root, r io.Reader, dir string, l Limits) (Result, error) {
	unzipped, err := gzip.NewReader(r)
	if err != nil {
		return Result{}, broken(err)
	}
	a := archive{writer: newWriter(root, l), found: dir == ""}
	if err := a.read(ctx, tar.NewReader(&capped{r: unzipped, left: maxArchive}), dir); err != nil {
		return Result{}, err
	}
	if !a.found {
		return Result{}, ErrNoPath
	}
	return a.result, nil
}

// archive is an archive on its way into a writer.
type archive struct {
	*writer
	found bool   // a member is or was below the wanted folder
	empty string // the folder that came last, as long as nothing in it came
}

func (a *archive) read(ctx context.Context, in *tar.Reader, dir string) error {
	defer func() { a.leave("") }()
	for {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return broken(err)
		}
		if h.Typeflag == tar.TypeXGlobalHeader {
			if commit := h.PAXRecords["comment"]; a.result.Commit == "" && isSHA(commit) {
				a.result.Commit = commit
			}
			continue
		}
		name, below := within(h.Name, dir)
		if !below {
			if a.found && dir != "" {
				return nil // an archive is in order: nothing of the folder comes later
			}
			continue
		}
		a.found = true
		if name == "" {
			continue
		}
		if err := a.member(h, name, in); err != nil {
			return broken(err)
		}
	}
}

// within is the path of a member below dir, "" for dir itself.
func within(member, dir string) (string, bool) {
	_, name, _ := strings.Cut(member, "/") // the folder at the top
	name = strings.TrimSuffix(name, "/")
	if dir == "" {
		return name, true
	}
	if name == dir {
		return "", true
	}
	return strings.CutPrefix(name, dir+"/")
}

func (a *archive) member(h *tar.Header, name string, r io.Reader) error {
	cleaned, refused := clean(name)
	if refused != "" {
		a.omit(name[:min(len(name), maxPath)], refused)
		return nil
	}
	a.leave(cleaned)
	switch h.Typeflag {
	case tar.TypeReg:
		return a.file(cleaned, h.Size, h.Mode&0o111 != 0, r)
	case tar.TypeDir:
		a.empty = cleaned
	case tar.TypeSymlink:
		a.omit(cleaned, "symbolic link to "+h.Linkname[:min(len(h.Linkname), maxTarget)])
	case tar.TypeLink:
		a.omit(cleaned, "hard link to "+h.Linkname[:min(len(h.Linkname), maxTarget)])
	default:
		a.omit(cleaned, "neither a file nor a folder")
	}
	return nil
}

// leave lists the last folder when next is not in it: git keeps no empty
// folders, so it stands for something else.
func (a *archive) leave(next string) {
	if a.empty != "" && !strings.HasPrefix(next, a.empty+"/") {
		a.omit(a.empty, "empty in the archive: a submodule, or left out by .gitattributes")
	}
	a.empty = ""
}

func broken(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return fmt.Errorf("the archive cannot be read: %w", err)
}

// capped fails when more than left bytes are read.
type capped struct {
	r    io.Reader
	left int64
}

func (c *capped) Read(p []byte) (int, error) {
	if c.left <= 0 {
		return 0, fmt.Errorf("it is over %d GB", maxArchive>>30)
	}
	n, err := c.r.Read(p[:min(int64(len(p)), c.left)])
	c.left -= int64(n)
	return n, err
}

// isSHA reports whether s is the full name of a git object.
func isSHA(s string) bool {
	if len(s) != 40 && len(s) != 64 {
		return false
	}
	return strings.Trim(s, "0123456789abcdef") == ""
}
