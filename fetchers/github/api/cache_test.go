package api

import (
	"net/http"
	"strings"
	"testing"
)

func TestAnswersAreRememberedByETag(t *testing.T) {
	srv := serve(t, func(w http.ResponseWriter, req *http.Request) {
		tag := `W/"` + req.Header.Get("Authorization") + `"`
		w.Header().Set("ETag", tag)
		w.Header().Set("X-RateLimit-Remaining", req.Header.Get("If-None-Match"))
		if req.Header.Get("If-None-Match") == tag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		w.Header().Set("Link", `<http://`+req.Host+`/items?page=2>; rel="next"`)
		reply(200, `{"for":"`+req.Header.Get("Authorization")+`"}`)(w, req)
	})
	c := client(srv.server.URL)
	for i, env := range []map[string]string{{"GH_TOKEN": "one"}, {"GH_TOKEN": "one"}, {"GH_TOKEN": "two"}, {}, {"GH_TOKEN": "one"}} {
		var out struct{ For string }
		answer, err := c.Session(env).Get(t.Context(), "items", nil, &out)
		want := ""
		if env["GH_TOKEN"] != "" {
			want = "Bearer " + env["GH_TOKEN"]
		}
		if err != nil || out.For != want || answer.Status != 200 || answer.Next != srv.server.URL+"/items?page=2" {
			t.Errorf("call %d: %+v %+v %v", i, out, answer, err)
		}
		conditional := srv.asked()[i].Header.Get("If-None-Match")
		if known := i == 1 || i == 4; known != (conditional != "") || known && answer.Header.Get("X-RateLimit-Remaining") != conditional {
			t.Errorf("call %d: If-None-Match %q, header %v", i, conditional, answer.Header)
		}
	}
}

func TestCacheBounds(t *testing.T) {
	c := cache{most: 10 << 10}
	body := func(n int) []byte { return []byte(strings.Repeat("x", n)) }
	c.put(&remembered{key: "a", body: body(3 << 10)})
	c.put(&remembered{key: "b", body: body(3 << 10)})
	c.get("a")
	c.put(&remembered{key: "c", body: body(3 << 10)}) // 12 KB with their overhead: b goes
	if c.get("a") == nil || c.get("b") != nil || c.get("c") == nil {
		t.Errorf("kept %v", c.byKey)
	}
	c.put(&remembered{key: "a", body: body(1 << 10)})
	if c.bytes != 6<<10 || c.order.Len() != 2 || len(c.get("a").body) != 1<<10 {
		t.Errorf("%d bytes in %d answers", c.bytes, c.order.Len())
	}
	big := cache{most: cacheBytes}
	big.put(&remembered{key: "big", body: body(answerBytes)})
	if big.bytes != 0 || big.get("big") != nil {
		t.Error("an answer over the cap of one was kept")
	}
}
