package parallel

import (
	"strings"
	"testing"
)

func FuzzReadAnswer(f *testing.F) {
	for _, s := range []string{
		`{"results":[{"url":"https://a.example/","excerpts":["x"],"full_content":null}],"errors":[{"url":"b","error_type":"t","http_status_code":null}],"warnings":null}`,
		`{"type":"error","error":{"ref_id":"r","message":"m","detail":[1]}}`, `{"results":[{}]}`, `{"results":{`, `{"a":{"b":[[]]},"results":[]}`, `[]`, `{"results":[`, `{1:2}`, "",
	} {
		f.Add(s)
	}
	a := account{key: new("secret")}
	f.Fuzz(func(t *testing.T, text string) {
		given := 0
		ans, err := a.readAnswer(strings.NewReader(text), func(r extractResult) {
			given++
			if r.URL == "" {
				t.Error("a result without a URL")
			}
		})
		if err != nil && (strings.ContainsAny(err.Error(), "\r\n") || err.Error() == "" || strings.Contains(err.Error(), "secret")) {
			t.Errorf("error %q", err)
		}
		if err == nil && given == 0 && len(ans.errors) == 0 && !strings.Contains(text, "{") {
			t.Error("an answer out of nothing")
		}
	})
}
