package api

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"testing"

	"github.com/shurcooL/githubv4"
)

type viewer struct {
	Repository *struct {
		Name  string
		Issue *struct{ Title string } `graphql:"issue(number: $number)"`
	} `graphql:"repository(owner: \"o\", name: \"r\")"`
}

var number = map[string]any{"number": githubv4.Int(7)}

func TestQuery(t *testing.T) {
	srv := serve(t, func(w http.ResponseWriter, req *http.Request) {
		var in struct {
			Query     string
			Variables map[string]any
		}
		body, _ := io.ReadAll(req.Body)
		if err := json.Unmarshal(body, &in); err != nil {
			t.Error(err)
		}
		if want := `query($number:Int!){repository(owner: "o", name: "r"){name,issue(number: $number){title}}}`; in.Query != want {
			t.Errorf("query %s", in.Query)
		}
		if in.Variables["number"] != 7.0 || req.Method != "POST" || req.URL.Path != "/graphql" || req.Header.Get("Authorization") != "Bearer "+canary {
			t.Errorf("%s %s %v %v", req.Method, req.URL, req.Header, in.Variables)
		}
		reply(200, `{"data":{"repository":{"name":"r","issue":{"title":"seven"}}}}`)(w, req)
	})
	var q viewer
	if err := client(srv.server.URL).Session(withToken).Query(t.Context(), &q, number); err != nil {
		t.Fatal(err)
	}
	if q.Repository.Name != "r" || q.Repository.Issue.Title != "seven" {
		t.Errorf("got %+v", q.Repository)
	}
}

func TestQueryNeedsAToken(t *testing.T) {
	srv := serve(t, reply(500, ""))
	var q viewer
	err := client(srv.server.URL).Session(nil).Query(t.Context(), &q, number)
	if !errors.Is(err, ErrNoToken) || CodeOf(err) != Unauthorized || len(srv.asked()) != 0 {
		t.Errorf("error %v, %d requests", err, len(srv.asked()))
	}
}
