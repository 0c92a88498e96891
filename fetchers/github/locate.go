package github

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	"github.com/shurcooL/githubv4"

	"pifetch/fetchers/github/api"
)

// locate finds out what a URL's ref and path are with one query. It returns
// the first split that is of the wanted kind, else the first that is anything,
// else errUnclaimed.
func (j *job) locate(ctx context.Context, folder bool) (place, error) {
	candidates := splits(j.Target, folder)
	q, vars := splitQuery(candidates)
	vars["owner"], vars["name"] = githubv4.String(j.Owner), githubv4.String(j.Repo)
	if err := j.api.Query(ctx, q.Addr().Interface(), vars); err != nil && !onlyMisses(err) {
		return place{}, j.noRepository(err)
	}
	repository := q.Field(0)
	if repository.IsNil() {
		return place{}, j.missing()
	}
	repository = repository.Elem()
	base := place{
		repo:    string(repository.FieldByName("NameWithOwner").Interface().(githubv4.String)),
		private: bool(repository.FieldByName("IsPrivate").Interface().(githubv4.Boolean)),
	}
	var other *place
	for i, c := range candidates {
		p := base
		p.ref, p.path = c.ref, c.path
		if !p.read(repository.FieldByName(fmt.Sprintf("C%d", i))) {
			continue
		}
		if (p.entry.Mode == modeFolder) == folder {
			return p, nil
		}
		if other == nil {
			other = &p
		}
	}
	if other == nil {
		return place{}, errUnclaimed
	}
	return *other, nil
}

// missing is the failure of a repository nobody knows.
func (j *job) missing() error {
	return fmt.Errorf("404 Not Found: %s does not exist, or the token may not see it", j.repo())
}

func (j *job) noRepository(err error) error {
	if _, ok := errors.AsType[*api.QueryError](err); ok && api.CodeOf(err) == api.NotFound {
		return j.missing()
	}
	return err
}

// onlyMisses reports whether a query failed in nothing but paths that a commit
// does not have. GitHub makes an error of each, beside the data.
func onlyMisses(err error) bool {
	q, ok := errors.AsType[*api.QueryError](err)
	if !ok {
		return false
	}
	for _, e := range q.Errors {
		if e.Type != "NOT_FOUND" || len(e.Path) == 0 || e.Path[len(e.Path)-1] != "file" {
			return false
		}
	}
	return true
}

// Parts of the query that finds a path.
type (
	gitTreeEntry struct {
		Name      githubv4.String
		Mode      int
		Oid       githubv4.String
		Size      int64
		Submodule *struct {
			GitURL githubv4.String `graphql:"gitUrl"`
		}
	}
	gitTree struct{ Entries []gitTreeEntry }

	located struct {
		gitTreeEntry
		Object *struct {
			Tree gitTree `graphql:"... on Tree"`
		}
	}
)

// splitQuery asks for every split at once: c0, c1, … are the commits, or the
// tags of commits, with the entry at the split's path.
func splitQuery(candidates []split) (q reflect.Value, vars map[string]any) {
	vars = make(map[string]any)
	fields := []reflect.StructField{
		{Name: "NameWithOwner", Type: reflect.TypeFor[githubv4.String]()},
		{Name: "IsPrivate", Type: reflect.TypeFor[githubv4.Boolean]()},
	}
	for i, c := range candidates {
		var at reflect.StructField
		if c.path == "" {
			at = reflect.StructField{Name: "Tree", Type: reflect.TypeFor[gitTree]()}
		} else {
			at = reflect.StructField{Name: "File", Type: reflect.TypeFor[*located](), Tag: graphqlTag("file(path: $p%d)", i)}
			vars[fmt.Sprintf("p%d", i)] = githubv4.String(c.path)
		}
		id := reflect.StructField{Name: "Oid", Type: reflect.TypeFor[githubv4.String]()}
		commit := reflect.StructField{Name: "Commit", Type: reflect.StructOf([]reflect.StructField{at}), Tag: graphqlTag("... on Commit")}
		kind := reflect.StructField{Name: "Typename", Type: reflect.TypeFor[githubv4.String](), Tag: graphqlTag("__typename")}
		target := reflect.StructField{Name: "Target", Type: reflect.StructOf([]reflect.StructField{kind, id, commit})}
		tagged := reflect.StructField{Name: "Tag", Type: reflect.StructOf([]reflect.StructField{target}), Tag: graphqlTag("... on Tag")}
		object := reflect.PointerTo(reflect.StructOf([]reflect.StructField{kind, id, commit, tagged}))
		fields = append(fields, reflect.StructField{Name: fmt.Sprintf("C%d", i), Type: object, Tag: graphqlTag("c%d: object(expression: $e%[1]d)", i)})
		vars[fmt.Sprintf("e%d", i)] = githubv4.String(c.qualified)
	}
	repository := reflect.PointerTo(reflect.StructOf(fields))
	return reflect.New(reflect.StructOf([]reflect.StructField{
		{Name: "Repository", Type: repository, Tag: graphqlTag("repository(owner: $owner, name: $name)")},
	})).Elem(), vars
}

func graphqlTag(format string, args ...any) reflect.StructTag {
	return reflect.StructTag(fmt.Sprintf("graphql:%q", fmt.Sprintf(format, args...)))
}

// read takes over what the query found for one split, and reports false when
// that is nothing.
func (p *place) read(object reflect.Value) bool {
	if object.IsNil() {
		return false
	}
	v := object.Elem()
	if v.FieldByName("Typename").String() == "Tag" {
		v = v.FieldByName("Tag").FieldByName("Target")
	}
	if v.FieldByName("Typename").String() != "Commit" {
		return false // a tag of a tree, of a file or of another tag
	}
	p.commit = v.FieldByName("Oid").String()
	switch at := v.FieldByName("Commit").Field(0).Interface().(type) {
	case gitTree:
		p.entry = &gitEntry{Mode: modeFolder, Entries: at.list()}
	case *located:
		if at == nil {
			return false
		}
		e := at.entry()
		if at.Object != nil {
			e.Entries = at.Object.Tree.list()
		}
		p.entry = &e
	}
	return isSHA(p.commit)
}

func (t gitTree) list() []gitEntry {
	entries := make([]gitEntry, len(t.Entries))
	for i, e := range t.Entries {
		entries[i] = e.entry()
	}
	return entries
}

func (e gitTreeEntry) entry() gitEntry {
	got := gitEntry{Name: string(e.Name), Mode: e.Mode, SHA: string(e.Oid), Size: e.Size}
	if e.Submodule != nil {
		got.Module = string(e.Submodule.GitURL)
	}
	return got
}
