package api

import (
	"errors"
	"io"
	"testing"
)

func TestFailures(t *testing.T) {
	const path = "repos/octo/hello/x"
	for _, test := range []struct {
		name      string
		token     bool
		status    int
		body      string
		header    []string
		code      Code
		message   string
		needToken bool
	}{
		{
			name: "401 with a token", token: true, status: 401, body: `{"message":"Bad credentials","documentation_url":"https://docs.github.com/rest"}`,
			code: Unauthorized, message: "401 Unauthorized: the token from GH_TOKEN is not valid: Bad credentials: set GH_TOKEN to a valid one",
		},
		{
			name: "401 without", status: 401, body: `{"message":"Requires authentication"}`, needToken: true,
			code: Unauthorized, message: "401 Unauthorized: octo/hello/x needs a GitHub token: set GH_TOKEN or run: gh auth login",
		},
		{
			name: "403", token: true, status: 403, body: `{"message":"Resource not accessible by personal access token"}`,
			code: Forbidden, message: "403 Forbidden: octo/hello/x: Resource not accessible by personal access token",
		},
		{
			name: "403 without a token", status: 403, body: `{"message":"Must have admin rights to Repository."}`,
			code: Forbidden, message: "403 Forbidden: octo/hello/x: Must have admin rights to Repository: set GH_TOKEN or run: gh auth login",
		},
		{
			name: "403 SAML", token: true, status: 403, body: `{"message":"Resource protected by organization SAML enforcement. You must grant your OAuth token access to this organization."}`,
			header: []string{"X-GitHub-SSO", "required; url=https://github.com/orgs/octo/sso?authorization_request=AZ", "X-RateLimit-Remaining", "0", "X-RateLimit-Reset", "1"},
			code:   SSO, message: "403 Forbidden: the organisation wants the token from GH_TOKEN authorised for SAML single sign-on: open https://github.com/orgs/octo/sso?authorization_request=AZ",
		},
		{
			name: "403 of a blob", token: true, status: 403, body: `{"message":"This API returns blobs up to 100 MB in size.","errors":[{"resource":"Blob","field":"data","code":"too_large"}]}`,
			code: TooLarge, message: "403 Forbidden: octo/hello/x is over GitHub's limits: This API returns blobs up to 100 MB in size: data too_large",
		},
		{
			name: "404 with a token", token: true, status: 404, body: `{"message":"Not Found"}`,
			code: NotFound, message: "404 Not Found: octo/hello/x does not exist, or the token from GH_TOKEN may not see it",
		},
		{
			name: "404 without", status: 404, body: `{"message":"Not Found"}`,
			code: NotFound, message: "404 Not Found: octo/hello/x does not exist, or is private: set GH_TOKEN or run: gh auth login",
		},
		{
			name: "406", status: 406, body: `{"message":"Sorry, the diff exceeded the maximum number of lines (20000)","errors":[{"resource":"PullRequest","field":"diff","code":"too_large"}]}`,
			code: TooLarge, message: "406 Not Acceptable: octo/hello/x is over GitHub's limits: Sorry, the diff exceeded the maximum number of lines (20000): diff too_large",
		},
		{
			name: "409", status: 409, body: `{"message":"Git Repository is empty."}`,
			code: Empty, message: "409 Conflict: octo/hello/x: Git Repository is empty",
		},
		{
			name: "410", status: 410, body: `{"message":"This issue was deleted"}`,
			code: Gone, message: "410 Gone: octo/hello/x was deleted, or is switched off: This issue was deleted",
		},
		{
			name: "422", status: 422, body: `{"message":"Validation Failed","errors":[{"message":"The listed users cannot be searched.","resource":"Search","field":"q","code":"invalid"}]}`,
			code: Invalid, message: "422 Unprocessable Entity: octo/hello/x: Validation Failed: The listed users cannot be searched",
		},
		{
			name: "422 with strings", status: 422, body: `{"message":"Validation Failed","errors":["two\nlines"]}`,
			code: Invalid, message: "422 Unprocessable Entity: octo/hello/x: Validation Failed: two lines",
		},
		{
			name: "451", status: 451, body: `{"message":"Repository access blocked","block":{"reason":"dmca"}}`,
			code: Blocked, message: "451 Unavailable For Legal Reasons: octo/hello/x: Repository access blocked",
		},
		{
			name: "500", status: 500, body: ``, code: Unavailable, message: "500 Internal Server Error: octo/hello/x",
		},
		{
			name: "502 page", status: 502, body: `<html>Unicorn!</html>`, header: []string{"Content-Type", "text/html"},
			code: Unavailable, message: "502 Bad Gateway: octo/hello/x",
		},
		{
			name: "503 text", status: 503, body: "No server is available\nat all", header: []string{"Content-Type", "text/plain"},
			code: Unavailable, message: "503 Service Unavailable: octo/hello/x: No server is available",
		},
		{
			name: "304 unasked", status: 304, code: Other, message: "304 Not Modified: octo/hello/x",
		},
		{
			name: "300", status: 300, body: `{}`, code: Other, message: "300 Multiple Choices: octo/hello/x",
		},
		{
			name: "escape sequences", status: 400, body: `{"message":"\u001b[31mred\u001b[0m\u202eback"}`,
			code: Other, message: "400 Bad Request: octo/hello/x: redback",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			srv := serve(t, reply(test.status, test.body, test.header...))
			env := map[string]string{}
			if test.token {
				env = withToken
			}
			session := client(srv.server.URL).Session(env)
			_, err := session.Get(t.Context(), path, nil, new(any))
			e := wantError(t, err, test.code, test.message)
			if e.Status != test.status {
				t.Errorf("status %d", e.Status)
			}
			if errors.Is(err, ErrNoToken) != test.needToken {
				t.Errorf("errors.Is ErrNoToken: %v", !test.needToken)
			}
			// A stream fails alike.
			s, err := client(srv.server.URL).Session(env).Open(t.Context(), API, path, nil, Diff)
			if s != nil {
				t.Error("a stream came along")
			}
			wantError(t, err, test.code, test.message)
		})
	}
}

func TestBrokenAnswers(t *testing.T) {
	for _, test := range []struct {
		name, body string
		header     []string
		out        any
		code       Code
		message    string
	}{
		{
			"page", "<!DOCTYPE html><title>GitHub</title>",
			[]string{"Content-Type", "text/html; charset=utf-8"},
			new(any),
			Unavailable, "items: the answer is text/html instead of JSON",
		},
		{
			"cut short", `[{"a":1},{"b"`, nil, new(any),
			Unavailable, "items: the answer is broken JSON after 13B: unexpected end of JSON input",
		},
		{
			"another type", `{"a":1}`, nil, new([]int),
			Other, "items: GitHub's answer is not understood: json: cannot unmarshal object into Go value of type []int",
		},
		{
			"truncated", `{"a":`,
			[]string{"Content-Length", "4096"},
			new(any),
			Unavailable, "items: the answer broke off after 5B of 4.0KB",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			srv := serve(t, reply(200, test.body, test.header...))
			_, err := client(srv.server.URL).Session(nil).Get(t.Context(), "items", nil, test.out)
			wantError(t, err, test.code, test.message)
			if test.name == "truncated" && !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Error("not io.ErrUnexpectedEOF")
			}
		})
	}
}

func TestNoConnection(t *testing.T) {
	srv := serve(t, reply(200, "{}"))
	srv.server.Close()
	_, err := client(srv.server.URL).Session(withToken).Get(t.Context(), "items", nil, nil)
	wantError(t, err, Unavailable, "items: dial tcp "+srv.server.Listener.Addr().String()+": connect: connection refused")
}

func TestEmptyAnswer(t *testing.T) {
	srv := serve(t, reply(204, ""))
	out := 5
	answer, err := client(srv.server.URL).Session(nil).Get(t.Context(), "items", nil, &out)
	if err != nil || answer.Status != 204 || out != 5 {
		t.Errorf("%d %+v %v", out, answer, err)
	}
}

func FuzzRefusal(f *testing.F) {
	f.Add([]byte(`{"message":"x","errors":[{"message":"y"},"z",1,null,{"code":"too_large"}]}`))
	f.Add([]byte(`{"message":"x","errors":"text"}`))
	f.Add([]byte(`{"errors":null}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		w := readRefusal(nil, body)
		if w.text != line(w.text) {
			t.Errorf("not one line: %q", w.text)
		}
	})
}
