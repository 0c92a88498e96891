package github

import (
	"context"
	"errors"
	"fmt"
	"path"
	"reflect"
	"strings"

	"github.com/shurcooL/githubv4"

	"pifetch/fetchers/github/api"
	"pifetch/fetchers/github/target"
)

// place is a path of a repository at one commit.
type place struct {
	repo    string // full name, as GitHub has it now
	private bool
	ref     string    // as the URL has it, "main"
	commit  string    // full SHA; as the URL abbreviates it when nobody was asked
	path    string    // "" for the root
	entry   *gitEntry // what stands there; nil when nobody was asked
}

// at is ref and commit as facts write them: main@0123456.
func (p place) at() string {
	if strings.HasPrefix(p.commit, p.ref) {
		return "commit " + shortSHA(p.commit)
	}
	return p.ref + "@" + shortSHA(p.commit)
}

func shortSHA(sha string) string { return sha[:min(len(sha), 7)] }

// url is the permanent address of the place: view is "blob" or "tree".
func (p place) url(view string) string {
	u := "https://github.com/" + p.repo + "/" + view + "/" + p.commit
	if p.path == "" {
		return u
	}
	return u + "/" + escapePath(p.path)
}

// moved says that the repository has another name than the URL's, "" when it
// has not.
func (p place) moved(j *job) string {
	if strings.EqualFold(p.repo, j.repo()) {
		return ""
	}
	return "the repository is now " + p.repo
}

// gitEntry is a file, a folder or something else in a tree.
type gitEntry struct {
	Name    string
	Mode    int // of git: 0o100755, modeLink, …
	SHA     string
	Size    int64
	Module  string     // the URL of a submodule, "" when unknown
	Entries []gitEntry // of a folder
	Cut     bool       // the folder has more entries
}

// Modes of entries, as git has them.
const (
	modeFile       = 0o100644
	modeExecutable = 0o100755
	modeLink       = 0o120000
	modeFolder     = 0o040000
	modeSubmodule  = 0o160000
)

// split is one way to tell ref and path of a URL apart.
type split struct {
	ref       string // "main"
	qualified string // "refs/heads/main", a SHA, or HEAD
	path      string
}

// maxSplits is how many elements of a path are tried as parts of a ref.
const maxSplits = 12

// splits are the ways to tell ref and path apart, those with the longest path
// first and branches before tags. folder allows an empty path.
func splits(t target.Target, folder bool) []split {
	if t.Kind == target.Repo {
		return refSplits("HEAD", "", "")
	}
	if t.Sub == "contents" {
		ref := t.Params.Get("ref")
		kind := t.RefType
		for _, k := range []string{"heads", "tags"} {
			if name, ok := strings.CutPrefix(ref, "refs/"+k+"/"); ok {
				ref, kind = name, k
			}
		}
		if ref == "" {
			ref = "HEAD"
		}
		return refSplits(ref, kind, path.Join(t.Path...))
	}
	least := 1
	if folder {
		least = 0
	}
	var all []split
	for n := 1; n <= len(t.Path)-least && n <= maxSplits; n++ {
		all = append(all, refSplits(strings.Join(t.Path[:n], "/"), t.RefType, strings.Join(t.Path[n:], "/"))...)
	}
	return all
}

// refSplits are the things a ref can be the name of.
func refSplits(ref, kind, path string) []split {
	one := func(prefix string) split { return split{ref, prefix + ref, path} }
	switch {
	case kind != "":
		return []split{one("refs/" + kind + "/")}
	case ref == "HEAD" || isSHA(ref):
		return []split{one("")}
	}
	s := []split{one("refs/heads/"), one("refs/tags/")}
	if isShortSHA(ref) {
		s = append(s, one(""))
	}
	return s
}

// isSHA reports whether s is the full name of a commit.
func isSHA(s string) bool { return (len(s) == 40 || len(s) == 64) && isHex(s) }

// isShortSHA reports whether s can be the name of a commit in short.
func isShortSHA(s string) bool { return len(s) >= 7 && len(s) < 40 && isHex(s) }

func isHex(s string) bool { return strings.Trim(s, "0123456789abcdef") == "" }

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
		target := reflect.StructField{Name: "Target", Type: reflect.StructOf([]reflect.StructField{id, commit})}
		tagged := reflect.StructField{Name: "Tag", Type: reflect.StructOf([]reflect.StructField{target}), Tag: graphqlTag("... on Tag")}
		kind := reflect.StructField{Name: "Typename", Type: reflect.TypeFor[githubv4.String](), Tag: graphqlTag("__typename")}
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
	switch v.FieldByName("Typename").String() {
	case "Commit":
	case "Tag":
		v = v.FieldByName("Tag").FieldByName("Target")
	default:
		return false
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
