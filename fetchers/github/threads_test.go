package github

import (
	"encoding/json"
	"strings"
	"testing"
)

// A comment of a review that was not submitted is marked.
func TestPendingComment(t *testing.T) {
	var page threadCommentsNode
	if err := json.Unmarshal([]byte(`{"nodes": [{"fullDatabaseId": "1", "state": "SUBMITTED"}, {"fullDatabaseId": "2", "state": "PENDING"}]}`), &page); err != nil {
		t.Fatal(err)
	}
	var th thread
	th.add(page)
	if a, b := th.Comments[0].heading(), th.Comments[1].heading(); a != "ghost" || b != "ghost · pending, seen by its author alone" {
		t.Errorf("headings %q and %q", a, b)
	}
}

func TestThreadExcerpt(t *testing.T) {
	var long strings.Builder
	long.WriteString("@@ -1,40 +1,40 @@ func f() {\r\n")
	for range 40 {
		long.WriteString(" line\r\n")
	}
	got := thread{Hunk: long.String(), OldStart: 38, Old: 40}.excerpt()
	lines := strings.Split(got, "\n")
	if len(lines) != 2+hunkContext+1+2 || lines[0] != "@@ -1,40 +1,40 @@ func f() {" || lines[1] != "… 29 lines of the hunk left out" {
		t.Errorf("%d lines:\n%s", len(lines), got)
	}
	if got := (thread{Hunk: "@@ -1 +1,2 @@\n a\n+b"}).excerpt(); got != "@@ -1 +1,2 @@\n a\n+b" {
		t.Errorf("a short hunk is %q", got)
	}
}
