package github

import (
	"testing"

	"pifetch/test/fakegithub"
)

// Users and organisations as documents.
func TestGoldenOwners(t *testing.T) {
	f := fakegithub.New(t)
	handleAccounts(f)
	for _, tt := range []struct{ name, url string }{
		{"owner/organisation", "https://github.com/octo"},
		{"owner/user", "https://github.com/ada?tab=repositories"},
		{"owner/filter", "https://github.com/ada?tab=repositories&q=x"},
		{"owner/missing", "https://github.com/nobody"},
	} {
		golden(t, f, tt.name, tt.url)
	}
}

// A list that ends is whole, whatever the profile counts.
func TestOwnerCountsMore(t *testing.T) {
	f := fakegithub.New(t)
	handleAccounts(f)
	f.Handle("GET /users/{username}", func(fakegithub.Request) (int, any) {
		return 200, fakegithub.Partial{Body: object{"login": "ada", "type": "User", "html_url": "https://github.com/ada", "public_repos": 5}}
	})
	fetch(t, f, anonymous, "https://github.com/ada").has(t, "2 repositories")
}

// handleAccounts serves the profiles and lists of octo and ada.
func handleAccounts(f *fakegithub.Fake) {
	profile := func(login, kind string) object {
		return object{
			"login": login, "type": kind, "html_url": "https://github.com/" + login, "followers": 1500, "public_repos": 3, "public_gists": 1,
			"created_at": "2020-05-06T07:08:09Z", "blog": "https://" + login + ".example", "location": nil, "company": nil,
		}
	}
	octo, ada := profile("octo", "Organization"), profile("ada", "User")
	octo["name"], ada["name"], ada["bio"], ada["public_repos"] = "Octo Works", "Ada Octavia", "I greet.\r\n\r\n# In many languages", 2
	f.Handle("GET /users/{username}", func(r fakegithub.Request) (int, any) {
		switch r.Params["username"] {
		case "octo":
			return 200, fakegithub.Partial{Body: octo}
		case "ada":
			return 200, fakegithub.Partial{Body: ada}
		}
		return 404, fakegithub.NotFound()
	})
	f.Handle("GET /users/{username}/repos", func(r fakegithub.Request) (int, any) {
		if r.Params["username"] == "octo" {
			return 200, fakegithub.List{Items: manyRepositories(3)}
		}
		return 200, fakegithub.List{Items: manyRepositories(2)}
	})
	f.Handle("GET /orgs/{org}/repos", func(r fakegithub.Request) (int, any) {
		return 200, fakegithub.List{Items: manyRepositories(4)}
	})
}

func TestOwnerOfMany(t *testing.T) {
	for _, tt := range []struct {
		mode mode
		fact string
	}{
		{anonymous, "250 repositories, showing first 100 (by their last push)"},
		{withToken, "100 repositories, and there are more (by their last push)"}, // how many there are with the private ones is not told
	} {
		f := fakegithub.New(t)
		handleAccounts(f)
		all := func(fakegithub.Request) (int, any) { return 200, fakegithub.List{Items: manyRepositories(250)} }
		f.Handle("GET /orgs/{org}/repos", all)
		f.Handle("GET /users/{username}/repos", all)
		f.Handle("GET /users/{username}", func(fakegithub.Request) (int, any) {
			return 200, fakegithub.Partial{Body: object{"login": "octo", "type": "Organization", "html_url": "https://github.com/octo", "public_repos": 250}}
		})
		got := fetch(t, f, tt.mode, "https://github.com/octo")
		got.has(t, tt.fact)
		if rows := got.rows(t); len(rows) != 100 {
			t.Errorf("%s: %d rows", tt.mode, len(rows))
		}
	}
}
