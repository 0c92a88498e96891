package main

import (
	"net/url"
	"path"
	"slices"
	"strings"

	"pifetch/fetchers"
	"pifetch/internal/settings"
	"pifetch/internal/weburl"
)

// forceLocal reports whether no fetcher but local may see a URL. While the
// settings are wrong none may see any: the user may have forbidden it.
func forceLocal(file *settings.File, u fetchers.URL) bool {
	s, _, err := file.Load()
	if err != nil {
		return true
	}
	pages := pagesOf(u)
	return slices.ContainsFunc(s.ForceLocal, func(p settings.Pattern) bool { return slices.ContainsFunc(pages, p.Match) })
}

// pagesOf are the pages that a URL may stand for: itself; or, where it is
// written as for git or without a scheme (ssh://git@host/o/r.git,
// git@host:o/r.git, host/o/r), what is at that path of the host on the web.
func pagesOf(u fetchers.URL) []*url.URL {
	if p := u.Parsed; p != nil && (p.Scheme == "http" || p.Scheme == "https") {
		tidy := *p
		tidy.Path = tidyPath(p.Path)
		return []*url.URL{p, &tidy}
	}
	text := strings.TrimSpace(u.Asked)
	if _, rest, ok := strings.Cut(text, "://"); ok {
		text = rest
	} else if host, name, ok := strings.Cut(text, ":"); ok && !strings.Contains(host, "/") {
		text = host + "/" + name
	}
	at, err := weburl.Parse("https://" + text)
	if err != nil {
		return nil
	}
	var pages []*url.URL
	tidy := tidyPath(at.Path)
	for _, host := range []string{at.Hostname(), strings.TrimPrefix(at.Hostname(), "ssh.")} { // of SSH on the port of HTTPS
		for _, name := range []string{tidy, strings.TrimSuffix(tidy, ".git")} {
			pages = append(pages, &url.URL{Scheme: "https", Host: host, Path: name, RawQuery: at.RawQuery})
		}
	}
	return pages
}

// tidyPath is a path without the slashes that many servers, and the fetchers,
// take no notice of.
func tidyPath(p string) string {
	tidy := path.Clean("/" + p)
	if strings.HasSuffix(p, "/") && tidy != "/" {
		tidy += "/"
	}
	return tidy
}
