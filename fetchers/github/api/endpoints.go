package api

import (
	"maps"
	"net/url"
	"strings"
)

// Host is one of the places GitHub is reached at.
type Host int

// The hosts. Only API is ever sent a token.
const (
	API      Host = iota // api.github.com
	Web                  // github.com: .diff, .patch, info/refs, release downloads
	Raw                  // raw.githubusercontent.com
	Gist                 // gist.githubusercontent.com
	Codeload             // codeload.github.com
)

// Endpoints are the base URLs of the hosts, without a slash at the end.
type Endpoints struct{ API, Web, Raw, Gist, Codeload string }

// GitHub returns GitHub's own.
func GitHub() Endpoints {
	return Endpoints{
		API: "https://api.github.com", Web: "https://github.com", Raw: "https://raw.githubusercontent.com",
		Gist: "https://gist.githubusercontent.com", Codeload: "https://codeload.github.com",
	}
}

func (e Endpoints) base(h Host) string {
	return [...]string{API: e.API, Web: e.Web, Raw: e.Raw, Gist: e.Gist, Codeload: e.Codeload}[h]
}

// host reports whose URL u is. Where one base lies below another, it is the
// longer one's.
func (e Endpoints) host(u *url.URL) (h Host, ok bool) {
	longest := -1
	for _, candidate := range []Host{API, Web, Raw, Gist, Codeload} {
		if base := e.base(candidate); below(u, base) && len(base) > longest {
			h, ok, longest = candidate, true, len(base)
		}
	}
	return h, ok
}

// below reports whether u is base or a URL under it.
func below(u *url.URL, base string) bool {
	b, err := url.Parse(base)
	if err != nil || base == "" {
		return false
	}
	path, root := u.EscapedPath(), strings.TrimSuffix(b.EscapedPath(), "/")
	return u.Scheme == b.Scheme && origin(u) == origin(b) && (path == root || strings.HasPrefix(path, root+"/"))
}

// origin is the host and port, the scheme's own port left out.
func origin(u *url.URL) string {
	port := u.Port()
	if u.Scheme == "https" && port == "443" || u.Scheme == "http" && port == "80" {
		port = ""
	}
	return strings.ToLower(u.Hostname()) + ":" + port
}

// resolve returns the URL of path?query at h. path may be a whole URL of h.
// What GitHub's API calls by its own name, a mirror of the API is asked for.
func (e Endpoints) resolve(h Host, path string, query url.Values) (*url.URL, error) {
	base := e.base(h)
	if h == API {
		path = strings.TrimPrefix(path, GitHub().API+"/")
	}
	if !strings.HasPrefix(path, base+"/") {
		if strings.HasPrefix(path, "https://") || strings.HasPrefix(path, "http://") {
			return nil, &Error{Code: Other, Message: "a URL outside of " + base + " is not asked for here"}
		}
		path = base + "/" + strings.TrimPrefix(path, "/")
	}
	u, err := url.Parse(path)
	if err != nil {
		return nil, &Error{Code: Other, Message: "the path is not one of a URL: " + line(err.Error()), cause: err}
	}
	if len(query) > 0 {
		all := u.Query()
		maps.Copy(all, query)
		u.RawQuery = all.Encode()
	}
	return u, nil
}
