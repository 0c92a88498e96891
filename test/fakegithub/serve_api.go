package fakegithub

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"pifetch/test/fakegithub/openapi"
)

// serveAPI is api.github.com.
func (f *Fake) serveAPI(w http.ResponseWriter, r *http.Request) {
	authorized, valid := f.authorized(r)
	call := callOf(w)
	call.Authorized, call.Counted = authorized, true
	if r.URL.Path == "/graphql" {
		f.serveGraphQL(w, r, authorized, valid)
		return
	}
	what := fmt.Sprintf("%s %s", r.Method, r.URL.RequestURI())
	if r.Header.Get("User-Agent") == "" {
		f.fault("%s: no User-Agent", what)
		failed(403, "Request forbidden by administrative rules. Please make sure your request has a User-Agent header").write(w)
		return
	}
	if wait := f.early(authorized, what); wait > 0 {
		Secondary(wait.Truncate(time.Second) + time.Second).write(w)
		return
	}
	x := f.failing("api " + r.URL.EscapedPath())
	if x != nil && !x.broken() {
		if x.Retry > 0 {
			f.block(authorized, x.Retry)
		}
		x.serve(w, r)
		return
	}
	out := &reply{header: http.Header{}}
	switch {
	case !valid:
		out.failure(Unauthorized())
	case !f.spend(out.header, authorized, resource(r.URL.Path), 1):
		out.failure(failed(403, "API rate limit exceeded for 127.0.0.1. (But here's the good news: Authenticated requests get a higher rate limit. Check out the documentation for more details.)"))
	default:
		f.rest(out, r, authorized, what)
	}
	f.conditional(out, r, authorized, call)
	breakOff(w, x)
	out.send(w)
}

// authorized reports whether a request bears the token, and whether what it
// bears is valid: nothing is.
func (f *Fake) authorized(r *http.Request) (authorized, valid bool) {
	value := r.Header.Get("Authorization")
	if value == "" {
		return false, true
	}
	scheme, token, _ := strings.Cut(value, " ")
	if s := strings.ToLower(scheme); s != "bearer" && s != "token" {
		return false, false
	}
	return token == f.Token, token == f.Token
}

// mediaType is what a request may accept of the API.
var mediaType = regexp.MustCompile(`^application/(json|octet-stream|vnd\.github(\.v3)?(\.(raw|html|object|diff|patch|sha|full|text|star|text-match))?(\+json)?)$`)

// rest answers one REST request.
func (f *Fake) rest(out *reply, r *http.Request, authorized bool, what string) {
	if r.Method != http.MethodGet {
		f.fault("%s: only GET is expected", what)
		out.failure(NotFound())
		return
	}
	if accept := r.Header.Get("Accept"); !mediaType.MatchString(accept) {
		f.fault("%s: Accept %q is no media type of the API", what, accept)
	}
	path := f.byName(r.URL.EscapedPath())
	op, params, ok := f.description.Find(path)
	if !ok {
		f.fault("%s: no such operation", what)
		out.failure(NotFound())
		return
	}
	for _, err := range op.CheckRequest(params, r.URL.Query()) {
		f.fault("%s: %v", what, err)
	}
	req := Request{Template: op.Template, Params: params, Query: r.URL.Query(), Header: r.Header, Authorized: authorized}
	if owner, name := params["owner"], params["repo"]; owner != "" && name != "" {
		repo, moved := f.World.Repo(owner + "/" + name)
		if repo == nil || repo.Private && !authorized {
			out.failure(NotFound())
			return
		}
		if moved {
			rest := strings.TrimPrefix(path, fmt.Sprintf("/repos/%s/%s", url.PathEscape(owner), url.PathEscape(name)))
			f.moved(out, fmt.Sprintf("/repositories/%d%s", repo.ID, rest), r.URL.RawQuery)
			return
		}
		req.Repo = repo
	}
	f.mu.Lock()
	handler := f.handlers[op.Template]
	f.mu.Unlock()
	status, body := 0, any(nil)
	if handler != nil {
		status, body = handler(req)
	}
	if serve := f.world[op.Template]; status == 0 && serve != nil {
		status, body = serve(req)
	}
	if status == 0 {
		f.fault("%s: the world does not serve %s: use Handle", what, op.Template)
		out.failure(NotFound())
		return
	}
	f.render(out, r, op, status, body, what)
}

// moved sends the asker to another address.
func (f *Fake) moved(out *reply, path, query string) {
	if query != "" {
		path += "?" + query
	}
	out.json(301, map[string]any{
		"message": "Moved Permanently", "url": "https://api.github.com" + path,
		"documentation_url": "https://docs.github.com/rest/guides/best-practices-for-using-the-rest-api#follow-redirects",
	})
	out.header.Set("Location", f.base[API]+path)
}

// render writes a handler's body and checks it.
func (f *Fake) render(out *reply, r *http.Request, op *openapi.Operation, status int, body any, what string) {
	contentType := "application/json; charset=utf-8"
	if typed, ok := body.(asType); ok {
		contentType, body = typed.mediaType, typed.Partial
	}
	switch b := body.(type) {
	case Bytes:
		out.status, out.body = status, b.Data
		out.header.Set("Content-Type", b.Type)
		return
	case Moved:
		f.moved(out, b.Path, r.URL.RawQuery)
		return
	case Redirect:
		out.status = status
		out.header.Set("Location", string(b))
		return
	case Failure:
		out.failure(b) // in life with members that the description has not
		return
	case List:
		page, link := f.page(r, b.Items)
		if link != "" {
			out.header.Set("Link", link)
		}
		var v any = page
		if b.Key != "" {
			m := maps.Clone(b.Fields)
			if m == nil {
				m = map[string]any{}
			}
			m[b.Key] = page
			if _, ok := m["total_count"]; !ok {
				m["total_count"] = max(b.Total, len(b.Items))
			}
			v = m
		}
		v = generic(v)
		if !b.Whole {
			v = op.Fill(status, contentType, v)
		}
		out.json(status, v)
	case Partial:
		out.json(status, op.Fill(status, contentType, generic(b.Body)))
	default:
		out.json(status, body)
	}
	out.header.Set("Content-Type", contentType)
	if err := op.CheckAnswer(out.status, contentType, out.body); err != nil {
		f.fault("the answer to %s: %v", what, err)
	}
}
