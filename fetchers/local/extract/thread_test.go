package extract

import (
	"fmt"
	"strings"
	"testing"
)

func TestDates(t *testing.T) {
	for in, want := range map[string]string{
		`<time datetime="2024-05-03T09:00:00Z">3 days ago</time>`:                             "2024-05-03 09:00 UTC",
		`<time datetime="2024-05-03T09:00:00+02:00">Friday</time>`:                            "2024-05-03 09:00 +02:00",
		`<time datetime="2024-05-03T09:00:00Z">May 3, 2024</time>`:                            "May 3, 2024",
		`<time datetime="2024-05-03T09:00:00Z">May 3</time>`:                                  "2024-05-03 09:00 UTC",
		`<time>2024-05-03T09:00:12.467Z</time>`:                                               "2024-05-03 09:00 UTC",
		`<time>Jan 11</time>`:                                                                 "Jan 11",
		`<span class="age" title="2024-05-03T09:00:00 1714726800">2 hours ago</span>`:         "2024-05-03 09:00",
		`<span class="relative-date" data-time="1714726800000">2h</span>`:                     "2024-05-03 09:00 UTC",
		`<span class="date">posted 2 hours ago</span>`:                                        "2 hours ago",
		`<p>Posted: Fri May 3, 2024 9:00 am</p>`:                                              "Fri May 3, 2024 9:00 am",
		`<span data-tippy-content="Friday, May 3rd, 2024 at 09:00:58 AM GMT+00:00">1y</span>`: "2024-05-03 09:00",
	} {
		page := ""
		for _, name := range []string{"ann", "ben"} {
			page += `<div class="comment"><a class="author">` + name + `</a> ` + in + `<div class="comment-text">A text of some words.</div></div>`
		}
		if md := extracted(t, page); !strings.Contains(md, "**ben** · "+want+"\n\nA text") {
			t.Errorf("%s: want date %q in\n%s", in, want, md)
		}
	}
}

func TestNotThePostsDate(t *testing.T) {
	for _, other := range []string{
		`<div class="userinfo">Join date: <span class="date">May 3, 2005</span></div>`,
		`<dl><dt>Joined</dt><dd>May 3, 2005</dd></dl>`,
		`<p class="edited">Last edited by ann on May 3, 2005</p>`,
		`<p>Last active: <time>May 3, 2005</time></p>`,
	} {
		page := ""
		for _, name := range []string{"ann", "ben"} {
			page += `<div class="comment"><a class="author">` + name + `</a> ` + other + `<span class="date">June 4, 2024</span><div class="comment-text">A text of some words.</div></div>`
		}
		if md := extracted(t, page); strings.Contains(md, "2005") || !strings.Contains(md, "**ben** · June 4, 2024") {
			t.Errorf("%s: got\n%s", other, md)
		}
	}
}

func TestPostParts(t *testing.T) {
	one := func(name, attrs, more string) string {
		return `<div ` + attrs + `><b class="username">` + name + `</b> <time>Jan 11, 2024</time><div class="post-body"><p>The text by ` + name + `.</p></div>` + more + `</div>`
	}
	for _, tt := range []struct{ name, page, has, lacks string }{
		{"accepted_by_mark", one("ann", `class="post"`, "") + one("ben", `class="post"`, `<span class="solution-mark">Solution</span>`), "**ben** · Jan 11, 2024 · accepted answer", "Solution\n"},
		{"hidden_mark", one("ann", `class="post"`, "") + one("ben", `class="post"`, `<div class="accepted d-none">Accepted answer</div>`), "**ben** · Jan 11, 2024\n", "ccepted"},
		{"no_votes", one("ann", `class="post"`, `<span class="vote-count">0</span>`) + one("ben", `class="post"`, `<span class="vote-count">7</span>`), "**ben** · Jan 11, 2024 · 7 votes", " 0 "},
		{"level", one("ann", `class="post" data-depth="2"`, "") + one("ben", `class="post" data-depth="3"`, ""), "\n↳ **ben**", "↳↳"},
		{"signature", one("ann", `class="post"`, `<div class="signature"><p>`+strings.Repeat("Wise words. ", 30)+`</p></div>`) + one("ben", `class="post"`, ""), "text by ann", "Wise"},
		{"attachment", one("ann", `class="post"`, `<div class="attachments"><a href="/log.txt">log.txt</a></div>`) + one("ben", `class="post"`, ""), "log.txt", ""},
		{"own_heading", strings.Replace(one("ann", `class="post"`, ""), "<b", "<h2>What I found</h2><b", 1) + one("ben", `class="post"`, ""), "What I found", ""},
		{"long_text_beside", one("ann", `class="post"`, `<div>`+strings.Repeat("More of the text. ", 12)+`</div>`) + one("ben", `class="post"`, ""), "More of the text", ""},
		{"code_beside", one("ann", `class="post"`, `<pre>run --now</pre>`) + one("ben", `class="post"`, ""), "run --now", ""},
		{"second_text", one("ann", `class="post"`, `<div class="post-body">And more.</div>`) + one("ben", `class="post"`, ""), "And more.", ""},
		{"paragraph_beside", one("ann", `class="post"`, `<p>As said.</p><p class="likes">4 like this</p><p><a href="/r">Reply</a></p>`) + one("ben", `class="post"`, ""), "As said.", "like"},
		{"long_first_post", strings.Replace(one("ann", `class="post"`, ""), "The text", strings.Repeat("A long story. ", 200)+"The text", 1) + one("ben", `class="post"`, ""), "text by ben", ""},
		{"one_answer", `<div class="question">` + one("ann", `class="question"`, "") + one("ben", `class="answer"`, "") + `</div>`, "by ann.\n\n**ben** ·", ""},
		{"single_post", one("ann", `class="post"`, ""), "**ann** Jan 11, 2024", " · "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			md := extracted(t, "<h1>Thread</h1>"+tt.page)
			if !strings.Contains(md, tt.has) || tt.lacks != "" && strings.Contains(md, tt.lacks) {
				t.Errorf("want %q, not %q, in\n%s", tt.has, tt.lacks, md)
			}
		})
	}
}

func TestPostsAreListed(t *testing.T) {
	doc, err := parse([]byte(`<ul><li class="comment"><b class="author">ann</b> <time>Jan 11, 2024</time><p>Loose text by ann.</p><ul class="replies"><li class="comment"><b class="author">ben</b> <time>Jan 12, 2024</time><p>Loose text by ben.</p></li></ul></li></ul>`))
	if err != nil {
		t.Fatal(err)
	}
	d := &document{root: doc}
	d.arrangePosts(doc, "")
	if len(d.posts) != 2 {
		t.Fatalf("%d posts, want 2", len(d.posts))
	}
	for i, want := range []struct{ head, body string }{{"ann · Jan 11, 2024", "Loose text by ann."}, {"↳ ben · Jan 12, 2024", "Loose text by ben."}} {
		p := d.posts[i]
		if head, body := trimmedText(p.head), trimmedText(p.body); head != want.head || body != want.body {
			t.Errorf("post %d: head %q body %q, want %q and %q", i, head, body, want.head, want.body)
		}
		if p.head.Parent != p.root || p.body.Parent != p.root {
			t.Errorf("post %d: head and body are not in the root", i)
		}
	}
}

// A thread of many posts, side by side or one in the other, takes time linear
// in their number; a quadratic search would not end in the test's time.
func TestLongThread(t *testing.T) {
	post := `<div class="comment"><b class="author">ann</b> <time>Jan 11, 2024</time><div class="comment-text">Some words of text.</div>`
	flat := strings.Repeat(post+"</div>", 4000)
	deep := strings.Repeat(strings.Repeat(post, 150)+strings.Repeat("</div>", 150), 20)
	for name, page := range map[string]string{"flat": flat, "deep": deep} {
		if n := strings.Count(extracted(t, page), "**ann**"); n != strings.Count(page, "ann") {
			t.Errorf("%s: %d posts of %d", name, n, strings.Count(page, "ann"))
		}
	}
	wide := fmt.Sprintf(`<div class="post">%s</div>`, strings.Repeat(`<div class="content">text</div>`, 10000))
	if md := extracted(t, wide+wide); !strings.Contains(md, "text") {
		t.Error("wide: no text")
	}
}
