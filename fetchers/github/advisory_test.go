package github

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pifetch/test/fakegithub"
)

const ghsaID = "GHSA-2345-cfgh-jmpq"

// advisoryJSON is what a repository's advisory and one of GitHub's database
// have in common.
func advisoryJSON(page string) map[string]any {
	return map[string]any{
		"ghsa_id": ghsaID, "cve_id": "CVE-2026-1234", "html_url": page, "summary": "Greeting | injection", "severity": "critical",
		"description":  "### Impact\r\n\r\nGreetings run as code.\r\n\r\n```go\r\nopen",
		"published_at": "2026-03-01T10:00:00Z", "updated_at": "2026-03-02T10:00:00Z", "withdrawn_at": nil,
		"cvss":            map[string]any{"vector_string": "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H", "score": 9.8},
		"cvss_severities": map[string]any{"cvss_v3": map[string]any{"vector_string": "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H", "score": 9.8}, "cvss_v4": map[string]any{"vector_string": "CVSS:4.0/AV:N/AC:L", "score": 9.3}},
		"cwes":            []any{map[string]any{"cwe_id": "CWE-94", "name": "Code Injection"}},
		"identifiers":     []any{map[string]any{"type": "GHSA", "value": ghsaID}},
	}
}

func affected(name, versions string, fixed any, member string) map[string]any {
	return map[string]any{
		"package": map[string]any{"ecosystem": "go", "name": name}, "vulnerable_version_range": versions, member: fixed, "vulnerable_functions": []any{"greet.Run"},
	}
}

func advise(f *fakegithub.Fake) {
	own := advisoryJSON("https://github.com/octo/hello/security/advisories/" + ghsaID)
	own["state"] = "published"
	own["author"], own["publisher"] = map[string]any{"login": "ada"}, map[string]any{"login": "octo"}
	own["vulnerabilities"] = []any{affected("github.com/octo/hello", "< 1.1.0", "1.1.0", "patched_versions"), affected("github.com/octo/old", ">= 0", nil, "patched_versions")}
	own["credits"] = []any{map[string]any{"login": "grace", "type": "remediation_developer"}}
	reviewed := advisoryJSON("https://github.com/advisories/" + ghsaID)
	reviewed["type"], reviewed["source_code_location"] = "reviewed", "https://github.com/octo/hello"
	reviewed["github_reviewed_at"] = "2026-03-03T10:00:00Z"
	reviewed["references"] = []any{"https://nvd.nist.gov/vuln/detail/CVE-2026-1234", "https://github.com/octo/hello/commit/abc"}
	reviewed["epss"] = map[string]any{"percentage": 0.00042, "percentile": 0.13}
	reviewed["vulnerabilities"] = []any{affected("github.com/octo/hello", "< 1.1.0", "1.1.0", "first_patched_version")}
	reviewed["credits"] = []any{map[string]any{"user": map[string]any{"login": "grace"}, "type": "finder"}}
	withdrawn := advisoryJSON("https://github.com/advisories/GHSA-2345-cfgh-jmpr")
	for k, v := range map[string]any{"ghsa_id": "GHSA-2345-cfgh-jmpr", "cve_id": nil, "type": "unreviewed", "description": nil, "severity": "unknown", "withdrawn_at": "2026-04-01T00:00:00Z", "cvss_severities": nil, "cvss": nil, "references": []any{}, "vulnerabilities": []any{}, "credits": nil, "source_code_location": nil} {
		withdrawn[k] = v
	}
	f.Handle("GET /repos/{owner}/{repo}/security-advisories/{ghsa_id}", func(r fakegithub.Request) (int, any) {
		if r.Params["ghsa_id"] != ghsaID {
			return 404, fakegithub.NotFound()
		}
		return 200, fakegithub.Partial{Body: own}
	})
	f.Handle("GET /repos/{owner}/{repo}/security-advisories", func(r fakegithub.Request) (int, any) {
		if r.Query.Get("state") != "published" {
			return 200, fakegithub.List{}
		}
		return 200, fakegithub.List{Items: []any{own}}
	})
	f.Handle("GET /advisories/{ghsa_id}", func(r fakegithub.Request) (int, any) {
		switch r.Params["ghsa_id"] {
		case ghsaID:
			return 200, fakegithub.Partial{Body: reviewed}
		case "GHSA-2345-cfgh-jmpr":
			return 200, fakegithub.Partial{Body: withdrawn}
		}
		return 404, fakegithub.NotFound()
	})
}

func TestAdvisory(t *testing.T) {
	f := fakegithub.New(t)
	advise(f)
	for name, url := range map[string]string{
		"repository":  "https://github.com/octo/hello/security/advisories/" + ghsaID,
		"lower_case":  "https://github.com/octo/hello/security/advisories/" + strings.ToLower(ghsaID),
		"renamed":     "https://github.com/octo/old-hello/security/advisories/" + ghsaID,
		"database":    "https://github.com/advisories/" + ghsaID,
		"withdrawn":   "https://github.com/advisories/GHSA-2345-cfgh-jmpr",
		"absent":      "https://github.com/advisories/GHSA-2345-cfgh-jmpv",
		"list":        "https://github.com/octo/hello/security/advisories",
		"list_drafts": "https://github.com/octo/hello/security/advisories?state=draft",
		"list_page":   "https://github.com/octo/hello/security/advisories?page=2",
	} {
		golden(t, f, "advisory/"+name, url)
	}
}

func TestLongAdvisoryList(t *testing.T) {
	f := fakegithub.New(t)
	f.Handle("GET /repos/{owner}/{repo}/security-advisories", func(fakegithub.Request) (int, any) {
		var list fakegithub.List
		for range 101 {
			list.Items = append(list.Items, advisoryJSON("https://github.com/octo/hello/security/advisories/"+ghsaID))
		}
		return 200, list
	})
	got := fetch(t, f, anonymous, "https://github.com/octo/hello/security/advisories")
	if fact := "100 published advisories, and there are more"; !slices.Contains(got.Document.Facts, fact) {
		t.Errorf("facts %q lack %q", got.Document.Facts, fact)
	}
	const rest = "\nThe rest: https://api.github.com/repos/octo/hello/security-advisories?page=2&per_page=100&state=published\n"
	if text := got.body(t, listingName); !strings.Contains(text, rest) {
		t.Errorf("the listing does not say where the rest is:\n%.300s", text)
	}
}

func TestAdvisoryFactsAreFew(t *testing.T) {
	a := advisory{}
	for i := range 9 {
		v := vulnerability{Range: fmt.Sprintf("< %d", i), First: "9"}
		v.Package.Name = "p"
		a.Vulnerabilities = append(a.Vulnerabilities, v)
	}
	want := []string{"p < 0 fixed in 9", "p < 1 fixed in 9", "p < 2 fixed in 9", "and 6 more packages or ranges"}
	if got := a.facts(); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
