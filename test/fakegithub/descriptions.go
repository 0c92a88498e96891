package fakegithub

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"pifetch/test/fakegithub/graph"
	"pifetch/test/fakegithub/openapi"
	"pifetch/test/npm"
)

// cutVersion changes with what is cut, so that older files are not taken.
const cutVersion = "2"

type loaded struct {
	description *openapi.Description
	schema      *graph.Schema
}

var (
	loadMu sync.Mutex
	once   *loaded
)

// descriptions are GitHub's own, read once in a process. What is cut out of the
// npm packages is kept in dir for the next process.
func descriptions(dir string) (*openapi.Description, *graph.Schema, error) {
	loadMu.Lock()
	defer loadMu.Unlock()
	if once != nil {
		return once.description, once.schema, nil
	}
	if err := gitVersion(); err != nil {
		return nil, nil, err
	}
	rest, err := cut(dir, "@octokit/openapi", "generated/api.github.com.json", openapi.Cut)
	if err != nil {
		return nil, nil, err
	}
	sdl, err := cut(dir, "@octokit/graphql-schema", "schema.graphql", graph.Cut)
	if err != nil {
		return nil, nil, err
	}
	description, err := openapi.Load(rest)
	if err != nil {
		return nil, nil, err
	}
	schema, err := graph.Load(string(sdl))
	if err != nil {
		return nil, nil, err
	}
	once = &loaded{description, schema}
	return description, schema, nil
}

// cut is a file of an npm package after fn, from dir where it was made before.
func cut(dir, pkg, file string, fn func([]byte) ([]byte, error)) ([]byte, error) {
	p, err := npm.Locked(pkg)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(cutVersion + p.Integrity + file))
	name := filepath.Join(dir, fmt.Sprintf("%x%s", sum[:10], filepath.Ext(file)))
	if data, err := os.ReadFile(name); err == nil {
		return data, nil
	}
	raw, err := p.Read(file)
	if err != nil {
		return nil, err
	}
	data, err := fn(raw)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	part, err := os.CreateTemp(dir, "part-*")
	if err != nil {
		return nil, err
	}
	_, err = part.Write(data)
	if err := errors.Join(err, part.Close()); err != nil {
		os.Remove(part.Name())
		return nil, err
	}
	return data, os.Rename(part.Name(), name)
}
