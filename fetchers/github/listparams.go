package github

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"pifetch/fetchers/github/target"
)

// onlyParams reports whether the URL's parameters but the known ones ask for
// nothing. Whoever lists without regard to one that narrows or orders the page
// would show another list.
func onlyParams(t target.Target, known ...string) bool {
	for name, values := range t.Params {
		ignored := name == "per_page" || strings.HasPrefix(name, "utm_")
		if !ignored && strings.Join(values, "") != "" && !slices.Contains(known, name) {
			return false
		}
	}
	return true
}

// apiPage is the page of 100 items that holds all of the page of per items
// which the URL's parameter asks for. ok is false when there is none.
func apiPage(t target.Target, parameter string, per int) (page int, ok bool) {
	text := t.Params.Get(parameter)
	if text == "" {
		return 1, true
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > 1e6 {
		return 0, false
	}
	first, last := (n-1)*per, n*per-1
	return first/perPage + 1, first/perPage == last/perPage
}

// onPageOf is the URL of a list's page of per items with which the API's page
// begins: the reverse of apiPage.
func onPageOf(list string, page, per int) string {
	if page <= 1 {
		return list
	}
	sep := "?"
	if strings.Contains(list, "?") {
		sep = "&"
	}
	return list + sep + "page=" + strconv.Itoa((page-1)*perPage/per+1)
}

// onPage are the parameters of a request for a page of a list.
func onPage(page int) url.Values {
	q := url.Values{"per_page": {strconv.Itoa(perPage)}}
	if page > 1 {
		q.Set("page", strconv.Itoa(page))
	}
	return q
}

// readPage reads one page of a list and says where it stands in it.
func readPage[T any](ctx context.Context, j *job, path string, query url.Values) ([]T, extent, error) {
	var list []T
	answer, err := j.api.Get(ctx, path, query, &list)
	first := 1
	if n, convErr := strconv.Atoi(query.Get("page")); convErr == nil {
		first = (n-1)*perPage + 1
	}
	return list, extent{First: first, Shown: len(list), Total: -1, More: answer.Next != ""}, err
}
