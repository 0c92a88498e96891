package parallel

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pifetch/fetchers"
	"pifetch/fetchers/artifact"
	"pifetch/fetchers/fetchertest"
	"pifetch/internal/settings"
	"pifetch/internal/weburl"
	"pifetch/router"
	"pifetch/test/fakeparallel"
)

func TestShareable(t *testing.T) {
	for raw, want := range map[string]bool{
		"https://www.example.com/a?b=c":   true,
		"http://example.co.uk:8080/":      true,
		"https://user.github.io/":         true,
		"https://bücher.example.com/":     true,
		"https://EXAMPLE.com./":           true,
		"http://93.184.215.14/":           true,
		"http://[2606:2800:220:1::1]/":    true,
		"https://ann@www.example.com/":    false,
		"https://ann:pw@www.example.com/": false,
		"https://:pw@www.example.com/":    false,
		"ftp://www.example.com/":          false,

		"https://b.s3.amazonaws.com/a.pdf?X-Amz-Date=1&X-Amz-Signature=0f": false,
		"https://storage.googleapis.com/b/a?x-goog-signature=0f":           false,
		"https://a.blob.core.windows.net/c/a.pdf?sv=2&se=3&sig=0f%3D":      false,
		"https://www.example.com/?a=1;ACCESS%5Ftoken=x":                    false,
		"https://www.example.com/reset?token=x#part":                       false,
		"https://gitlab.example.com/api/v4/user?private_token=x":           false,
		"https://gitlab.example.com/o/r/-/issues.atom?feed_token=x":        false,
		"https://www.example.com/?token=":                                  true,
		"https://www.example.com/?tokens=3&q=signature":                    true,
		"https://www.example.com/#access_token=x":                          true, // not sent

		"http://localhost/":               false,
		"http://wiki/":                    false,
		"http://wiki./":                   false,
		"http://com/":                     false,
		"http://printer.local/":           false,
		"http://db.internal/":             false,
		"http://nas.home.arpa/":           false,
		"http://1.0.168.192.in-addr.arpa": false,
		"http://app.localhost/":           false,
		"http://router.lan/":              false,
		"http://sso.corp/":                false,
		"http://x.test/":                  false,
		"http://abcdefg.onion/":           false,
		"http://127.0.0.1/":               false,
		"http://0x7f.1/":                  false,
		"http://2130706433/":              false,
		"http://0300.0250.1/":             false,
		"http://10.1.2.3/":                false,
		"http://100.64.0.1/":              false,
		"http://169.254.169.254/":         false,
		"http://192.0.2.1/":               false,
		"http://0.0.0.0/":                 false,
		"http://[::1]/":                   false,
		"http://[::ffff:10.0.0.1]/":       false,
		"http://[64:ff9b::a00:1]/":        false,
		"http://[fd00::1]/":               false,
		"http://[fe80::1]/":               false,
	} {
		u, err := weburl.Parse(raw)
		if err != nil {
			t.Errorf("%s: %v", raw, err)
			continue
		}
		if got := shareable(u); got != want {
			t.Errorf("shareable(%s) = %v, want %v", raw, got, want)
		}
	}
}

func TestKey(t *testing.T) {
	const own = "PARALLEL_API_KEY=own-key"
	for _, tt := range []struct {
		name      string
		daemon    []string
		env       fetchers.Env
		key, base string
	}{
		{"none", nil, nil, "", "https://setting.example"},
		{"of the request", []string{own}, fetchers.Env{keyVariable: "theirs"}, "theirs", "https://setting.example"},
		{"of the daemon", []string{own}, nil, "own-key", "https://setting.example"},
		{"of the daemon, its base URL", []string{own, "PARALLEL_BASE_URL=https://own.example"}, nil, "own-key", "https://own.example"},
		{"base URL of the request", []string{own, "PARALLEL_BASE_URL=https://own.example"}, fetchers.Env{keyVariable: "theirs", baseVariable: "https://theirs.example"}, "theirs", "https://theirs.example"},
		{"the daemon's key stays with it", []string{own}, fetchers.Env{baseVariable: "https://theirs.example"}, "", "https://theirs.example"},
		{"blank", []string{own + "\n"}, fetchers.Env{keyVariable: " "}, "own-key", "https://setting.example"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := New(Config{Env: tt.daemon, BaseURL: func() string { return "https://setting.example" }})
			a := f.account(tt.env)
			if f.key(tt.env) != tt.key || (a.key != nil) != (tt.key != "") || a.base != tt.base {
				t.Errorf("key %q at %q, want %q at %q", f.key(tt.env), a.base, tt.key, tt.base)
			}
			u, err := weburl.Parse("https://www.example.com/")
			if err != nil {
				t.Fatal(err)
			}
			if got := f.Claims(fetchers.Request{Env: tt.env}, fetchers.URL{Parsed: u}); got != (tt.key != "") {
				t.Errorf("claimed: %v", got)
			}
		})
	}
	if a := (account{key: new("secret")}); strings.Contains(fmt.Sprintf("%v %+v %#v %v", a, a, a, a.LogValue()), "secret") {
		t.Error("a printed account shows its key")
	}
}

func TestBaseURL(t *testing.T) {
	for base, want := range map[string]string{
		"https://api.parallel.ai": "https://api.parallel.ai/v1/extract",
		"http://127.0.0.1:8080/":  "http://127.0.0.1:8080/v1/extract",
		"https://gate.example/p":  "https://gate.example/p/v1/extract",
		"https://u:p@a.example":   "",
		"ftp://a.example":         "",
		"a.example":               "",
		"https://a.example/?x=1":  "",
		"http://[":                "",
	} {
		got, err := account{base: base}.endpoint()
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q, %v, want %q", base, got, err, want)
		}
		if err != nil && strings.Contains(err.Error(), base) {
			t.Errorf("%s is quoted: %v", base, err)
		}
	}
}

// A hundred URLs that are nobody else's business, in one chain as the daemon
// has it: none is sent, and the next fetcher gets them.
func TestNothingPrivateIsSent(t *testing.T) {
	fake := fakeparallel.New(t)
	var urls []string
	for _, host := range []string{
		"localhost", "wiki", "intranet", "db.internal", "printer.local", "app.localhost", "nas.home.arpa", "sso.corp", "router.lan", "a.test",
		"127.0.0.1", "0x7f.2", "2130706435", "10.1.2.3", "192.168.1.1", "172.16.0.9", "100.64.0.1", "169.254.169.254", "[::1]", "[fd00::1]",
	} {
		urls = append(urls, "http://"+host+"/page", "https://"+host+":8443/a/b?c=d")
	}
	for i := range 20 {
		urls = append(urls,
			fmt.Sprintf("https://ann:pw%d@www.example.com/%d", i, i),
			fmt.Sprintf("https://docs%d.corp.example.com/", i),
			fmt.Sprintf("https://www.example.org/private/%d", i))
	}
	var patterns []settings.Pattern
	for _, s := range []string{"*.corp.example.com", "https://www.example.org/private/*"} {
		p, err := settings.ParsePattern(s)
		if err != nil {
			t.Fatal(err)
		}
		patterns = append(patterns, p)
	}
	if len(urls) != 100 {
		t.Fatalf("%d URLs, want 100", len(urls))
	}
	local := 0
	f := newFetcher(fake)
	f.cfg.LoggedIn = func(host string) bool { return host == "shop.example.net" }
	r := router.New(router.Config{
		Fetchers: []fetchers.Fetcher{f, &fetchertest.Fake{Name: "local", Seen: func(_ fetchers.Request, tasks []fetchers.Task) { local += len(tasks) }}},
		Store:    artifact.New(artifact.Config{Root: func() string { return filepath.Join(t.TempDir(), "out") }, Fallbacks: []string{}}),
		LastOnly: func(u fetchers.URL) bool {
			return u.Parsed != nil && slices.ContainsFunc(patterns, func(p settings.Pattern) bool { return p.Match(u.Parsed) })
		},
	})
	urls = append(urls, "https://shop.example.net/orders", "https://www.example.com/public#part")
	res, err := r.Fetch(t.Context(), router.Request{URLs: urls, Fetch: request})
	if err != nil {
		t.Fatal(err)
	}
	if local != 101 {
		t.Errorf("%d URLs went to the next fetcher, want 101", local)
	}
	calls := fake.Calls()
	if len(calls) != 1 || !slices.Equal(calls[0].URLs, []string{"https://www.example.com/public"}) {
		t.Errorf("sent: %+v", calls)
	}
	if last := res.Outcomes[len(res.Outcomes)-1]; last.Document == nil || last.Document.Source != "parallel" {
		t.Errorf("the public URL: %+v", last)
	}
}
