package checkout

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Modes of a tree's entries that are no plain files.
const (
	Executable = "100755"
	Link       = "120000"
	Submodule  = "160000"
)

// Object is one entry of a tree and of those below it.
type Object struct {
	Path string // below the listed folder, as git has it
	Mode string // Executable, Link, Submodule, or another file's
	SHA  string // of the blob; of the commit for a submodule
}

// List lists what the commit has below dir, "" for all of it: the first most
// entries, and the number of those that follow.
func (r *Repo) List(ctx context.Context, dir string, most int) (objects []Object, more int, err error) {
	tree := r.Commit + ":" + dir
	var kind bytes.Buffer
	if err := r.run(ctx, nil, &kind, "cat-file", "-t", tree); err != nil {
		if ctx.Err() != nil {
			return nil, 0, err
		}
		return nil, 0, ErrNoPath
	}
	if strings.TrimSpace(kind.String()) != "tree" {
		return nil, 0, ErrNoPath
	}
	l := &lister{most: most}
	if err := r.run(ctx, nil, l, "ls-tree", "-r", "-z", "--full-tree", tree); err != nil {
		return nil, 0, err
	}
	return l.objects, l.more, nil
}

// lister reads the output of git ls-tree -z.
type lister struct {
	most    int
	objects []Object
	more    int
	rest    []byte
}

func (l *lister) Write(p []byte) (int, error) {
	l.rest = append(l.rest, p...)
	for {
		line, rest, ok := bytes.Cut(l.rest, []byte{0})
		if !ok {
			l.rest = slices.Clone(l.rest)
			return len(p), nil
		}
		l.rest = rest
		meta, name, _ := strings.Cut(string(line), "\t")
		fields := strings.Fields(meta) // mode, type, SHA
		if len(fields) != 3 {
			return 0, fmt.Errorf("git ls-tree: unexpected line %q", line)
		}
		if len(l.objects) == l.most {
			l.more++
			continue
		}
		l.objects = append(l.objects, Object{Path: name, Mode: fields[0], SHA: fields[2]})
	}
}

// batch is how many blobs are asked for at a time.
const batch = 500

// Most that a Load takes in vain, in times its limit and in fetches that had
// to be ended.
const (
	vainBytes = 5
	vainTimes = 32
)

// Load fetches the blobs of objects until limit bytes arrived. What is too
// much at once is asked for again in halves, after all the others, so that a
// big file costs none but itself. It returns the SHAs of those that are there.
func (r *Repo) Load(ctx context.Context, objects []Object, limit int64) (map[string]bool, error) {
	var blobs []string
	wanted := make(map[string]bool)
	for _, o := range objects {
		if o.Mode != Submodule && !wanted[o.SHA] {
			wanted[o.SHA] = true
			blobs = append(blobs, o.SHA)
		}
	}
	before, loaded := r.size(), make(map[string]bool)
	vain, times := vainBytes*limit, vainTimes
	for queue := slices.Collect(slices.Chunk(blobs, batch)); len(queue) > 0; queue = queue[1:] {
		some, left := queue[0], limit-(r.size()-before)
		if left <= 0 {
			break
		}
		err := r.watched(ctx, left, strings.NewReader(strings.Join(some, "\n")+"\n"),
			"fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--filter=blob:none", "--stdin", "origin")
		switch {
		case errors.Is(err, errTooMuch):
			if vain, times = vain-left, times-1; vain <= 0 || times == 0 {
				return loaded, nil
			}
			if n := len(some); n > 1 {
				queue = append(queue, some[:n/2], some[n/2:])
			}
		case err != nil:
			return loaded, err
		default:
			for _, sha := range some {
				loaded[sha] = true
			}
		}
	}
	return loaded, nil
}

// Read calls each with the bytes of every blob, in order. The blobs must have
// been loaded.
func (r *Repo) Read(ctx context.Context, blobs []string, each func(i int, size int64, content io.Reader) error) error {
	if len(blobs) == 0 {
		return nil
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	out, in := io.Pipe()
	read := make(chan error, 1)
	go func() {
		err := readBatch(bufio.NewReader(out), blobs, each)
		if err != nil {
			cancel(err)
		}
		out.CloseWithError(err)
		read <- err
	}()
	err := r.run(ctx, strings.NewReader(strings.Join(blobs, "\n")+"\n"), in, "cat-file", "--batch", "--buffer")
	in.Close()
	if readErr := <-read; err == nil {
		err = readErr
	}
	return err
}

// readBatch reads the output of git cat-file --batch.
func readBatch(in *bufio.Reader, blobs []string, each func(i int, size int64, content io.Reader) error) error {
	for i, sha := range blobs {
		line, err := in.ReadString('\n')
		if err != nil {
			return fmt.Errorf("git cat-file: %w", err)
		}
		fields := strings.Fields(line)
		if len(fields) != 3 || fields[0] != sha || fields[1] != "blob" {
			return fmt.Errorf("git cat-file: %s", strings.TrimSpace(line))
		}
		size, err := strconv.ParseInt(fields[2], 10, 64)
		if err != nil {
			return fmt.Errorf("git cat-file: %w", err)
		}
		content := &io.LimitedReader{R: in, N: size}
		if err := each(i, size, content); err != nil {
			return err
		}
		if _, err := io.Copy(io.Discard, content); err != nil {
			return err
		}
		if _, err := in.Discard(1); err != nil {
			return fmt.Errorf("git cat-file: %w", err)
		}
	}
	return nil
}
