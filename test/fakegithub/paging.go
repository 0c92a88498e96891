package fakegithub

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// byName turns the path of a repository by its number into the one by its name.
func (f *Fake) byName(path string) string {
	rest, ok := strings.CutPrefix(path, "/repositories/")
	if !ok {
		return path
	}
	id, rest, _ := strings.Cut(rest, "/")
	for _, repo := range f.World.Repos {
		if strconv.Itoa(repo.ID) == id {
			return strings.TrimSuffix("/repos/"+repo.Full()+"/"+rest, "/")
		}
	}
	return path
}

// generic is a value as encoding/json decodes it.
func generic(v any) any {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var out any
	if err := dec.Decode(&out); err != nil {
		panic(err)
	}
	return out
}

// page is the asked page of a list, and the Link header to the others.
func (f *Fake) page(r *http.Request, items []any) (page []any, link string) {
	per, number := 30, 1
	query := r.URL.Query()
	if n, err := strconv.Atoi(query.Get("per_page")); err == nil && n > 0 {
		per = min(n, 100)
	}
	if n, err := strconv.Atoi(query.Get("page")); err == nil && n > 0 {
		number = n
	}
	from, to := min((number-1)*per, len(items)), min(number*per, len(items))
	last := max(1, (len(items)+per-1)/per)
	var links []string
	add := func(rel string, n int) {
		query.Set("page", strconv.Itoa(n))
		links = append(links, fmt.Sprintf("<%s%s?%s>; rel=%q", f.base[API], f.byNumber(r.URL.EscapedPath()), query.Encode(), rel))
	}
	if number > 1 {
		add("prev", number-1)
	}
	if number < last {
		add("next", number+1)
		add("last", last)
	}
	if number > 1 {
		add("first", 1)
	}
	return append([]any{}, items[from:to]...), strings.Join(links, ", ")
}

// byNumber is the path GitHub puts into Link headers: a repository by its number.
func (f *Fake) byNumber(path string) string {
	rest, ok := strings.CutPrefix(path, "/repos/")
	if !ok {
		return path
	}
	parts := strings.SplitN(rest, "/", 3)
	if len(parts) < 3 {
		return path
	}
	if repo, _ := f.World.Repo(parts[0] + "/" + parts[1]); repo != nil {
		return fmt.Sprintf("/repositories/%d/%s", repo.ID, parts[2])
	}
	return path
}
