package profile

import (
	"strings"
	"testing"
	"time"
)

const page = "http://site.example/page"

// after is a step of a page's life, at a time since the start of the visit.
type after struct {
	at time.Duration
	do func(s *settler, now time.Time)
}

func ms(n int) time.Duration { return time.Duration(n) * time.Millisecond }

func at(n int, do func(*settler, time.Time)) after { return after{ms(n), do} }

func commit(s *settler, now time.Time) { s.navigating("L1"); s.commit(now, "L1", page) }
func dcl(s *settler, now time.Time)    { s.dcl(now) }
func load(s *settler, now time.Time)   { s.load(now) }
func whole(s *settler, now time.Time)  { s.done(now, "L1") }
func show(s *settler, now time.Time)   { s.shown(now) }

func probe(text, scripts int) func(*settler, time.Time) {
	return func(s *settler, now time.Time) { s.probe(now, text, scripts) }
}

func request(id, kind string) func(*settler, time.Time) {
	return func(s *settler, now time.Time) { s.request(now, id, "L1", kind, "http://site.example/"+kind+"?"+id) }
}

func done(id string) func(*settler, time.Time) {
	return func(s *settler, now time.Time) { s.done(now, id) }
}

func expect(u string, delay time.Duration) func(*settler, time.Time) {
	return func(s *settler, now time.Time) { s.expect(now, u, delay) }
}

func next(loader string) func(*settler, time.Time) {
	return func(s *settler, _ time.Time) { s.navigating(loader) }
}

func arrive(loader, u string) func(*settler, time.Time) {
	return func(s *settler, now time.Time) { s.commit(now, loader, u) }
}

// settle plays the steps, asking as a tab does: after each step, and at the
// times the settler names.
func settle(steps []after) (rule, time.Duration) {
	start := time.Unix(1000, 0)
	s := newSettler(defaultSettle, start)
	now := start
	for i := 0; ; i++ {
		end := start.Add(time.Hour)
		if i < len(steps) {
			end = start.Add(steps[i].at)
		}
		for {
			by, wake := s.decide(now)
			if by != "" {
				return by, now.Sub(start)
			}
			if !wake.Before(end) {
				break
			}
			now = wake
		}
		if i == len(steps) {
			return "", 0
		}
		now = end
		steps[i].do(s, now)
	}
}

func TestSettle(t *testing.T) {
	loaded := []after{at(100, commit), at(150, whole), at(200, dcl), at(200, probe(500, 2)), at(250, load)}
	with := func(steps ...after) []after { return append(append([]after{}, loaded...), steps...) }
	ticks := func(from, to, every, growth int) (steps []after) {
		for n, text := from, 500; n < to; n += every {
			text += growth
			steps = append(steps, at(n, probe(text, 2)))
		}
		return steps
	}
	tests := []struct {
		name  string
		steps []after
		rule  rule
		when  int // ms
	}{
		{"no document", nil, ruleTimeout, 15000},
		{"document without an end", []after{at(100, commit)}, ruleTimeout, 15000},

		{"1: no scripts", []after{at(100, commit), at(200, dcl), at(210, probe(20, 0))}, ruleStatic, 210},
		{"1: a style sheet in flight", []after{at(100, commit), at(150, request("1", "Stylesheet")), at(200, dcl), at(200, probe(20, 0)), at(700, done("1"))}, ruleStatic, 700},
		{"1: a frame that hangs", []after{at(100, commit), at(150, request("1", "Document")), at(200, dcl), at(200, probe(20, 0))}, ruleStatic, 1650},
		{"1: images do not count", []after{at(100, commit), at(150, request("1", "Image")), at(200, dcl), at(200, probe(20, 0))}, ruleStatic, 200},

		{"2: quiet after load", loaded, ruleQuiet, 300},
		{"2: grows", with(at(290, probe(900, 2)), at(350, probe(1500, 2))), ruleQuiet, 450},
		{"2: a clock does not hold it", with(ticks(255, 2000, 40, 1)...), ruleQuiet, 300},
		{"2: a request", with(at(260, request("1", "Fetch")), at(900, done("1")), at(940, probe(900, 2))), ruleQuiet, 1040},
		{"2: a request just over", with(at(260, request("1", "XHR")), at(900, done("1"))), ruleQuiet, 950},
		{"2: websockets and event sources do not count", with(at(260, request("1", "WebSocket")), at(260, request("2", "EventSource"))), ruleQuiet, 300},

		{"3: load hangs", []after{at(100, commit), at(150, request("1", "Script")), at(200, dcl), at(200, probe(500, 2))}, ruleNoLoad, 1650},
		{"3: load hangs on an image", []after{at(100, commit), at(200, dcl), at(200, probe(500, 2))}, ruleNoLoad, 500},

		{"4: thin", []after{at(100, commit), at(200, dcl), at(200, probe(20, 1)), at(250, load)}, ruleThin, 1750},
		{"4: grows in time", []after{at(100, commit), at(200, dcl), at(200, probe(20, 1)), at(250, load), at(1000, probe(800, 1))}, ruleQuiet, 1100},
		{"4: time to draw what a request brought", []after{at(100, commit), at(200, dcl), at(200, probe(20, 1)), at(220, request("1", "Fetch")), at(250, load), at(3000, done("1")), at(3200, probe(800, 1))}, ruleQuiet, 3300},

		{"5: polling", with(at(260, request("1", "Fetch")), at(261, request("2", "Fetch")), at(262, request("3", "Fetch")), at(263, done("1")), at(264, done("2")), at(265, done("3")), at(270, request("4", "Fetch"))), ruleQuiet, 315},

		{"6: a script in the body hangs", []after{at(100, commit), at(150, whole), at(180, probe(500, 1))}, ruleNoDCL, 1680},
		{"6: the body has not arrived", []after{at(100, commit), at(180, probe(500, 1))}, ruleTimeout, 15000},
		{"6: a script in the head hangs", []after{at(100, commit), at(150, whole)}, ruleNoParser, 5150},

		{"7: a refresh", with(at(251, expect("http://site.example/2", 2*time.Second)), at(2300, next("L2")), at(2800, arrive("L2", "http://site.example/2")), at(2900, dcl), at(2900, probe(20, 0))), ruleStatic, 2900},
		{"7: a refresh that does not come", with(at(251, expect("http://site.example/2", time.Second))), ruleQuiet, 2251},
		{"7: a refresh far off", with(at(251, expect("http://site.example/2", time.Minute))), ruleQuiet, 300},
		{"7: a link to a program", with(at(251, expect("mailto:a@b", 0))), ruleQuiet, 300},
		{"7: a navigation", with(at(251, next("L2")), at(9000, arrive("L2", "http://site.example/2")), at(9100, dcl), at(9100, probe(20, 0))), ruleStatic, 9100},
		{"7: a navigation that fails", with(at(251, next("L2")), at(2000, done("L2"))), ruleQuiet, 2000},
		{"7: a navigation that hangs", with(at(251, next("L2"))), ruleBudget, 15000},
		{"7: the next document has no end", with(at(251, next("L2")), at(9000, arrive("L2", "http://site.example/2"))), ruleTimeout, 15000},
		{"7: a page that reloads itself", with(at(260, arrive("L2", page)), at(270, dcl), at(270, probe(500, 1)), at(271, expect(page, 0)), at(280, load)), ruleQuiet, 370},

		{"8: a request that never ends", with(at(260, request("1", "Fetch"))), ruleBudget, 5200},
		{"8: text that never ends", with(ticks(260, 9000, 90, 100)...), ruleBudget, 5200},
		{"8: no probe", []after{at(100, commit), at(200, dcl), at(250, load)}, ruleBudget, 5200},

		{"shown: nothing more", with(at(280, show)), ruleQuiet, 380},
		{"shown: more", with(at(280, show), at(350, probe(900, 1))), ruleQuiet, 650},
		{"shown: more and more", with(append([]after{at(255, show)}, ticks(260, 9000, 90, 100)...)...), ruleLazy, 2255},
		{"shown: a request that never ends", with(at(280, show), at(290, request("1", "Fetch"))), ruleLazy, 2280},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			by, when := settle(test.steps)
			if by != test.rule || when != ms(test.when) {
				t.Errorf("settled by %q at %v, want %q at %v", by, when, test.rule, ms(test.when))
			}
		})
	}
}

func TestParseRefresh(t *testing.T) {
	const base = "http://site.example/a/b"
	for content, want := range map[string]struct {
		delay time.Duration
		to    string
	}{
		"0; URL=/next":           {0, "http://site.example/next"},
		"5;url='http://o.ex/?q'": {5 * time.Second, "http://o.ex/?q"},
		`0.5 ; url = "c" x`:      {500 * time.Millisecond, "http://site.example/a/c"},
		"3":                      {3 * time.Second, base},
		" 2 , /next":             {2 * time.Second, "http://site.example/next"},
		"0;url":                  {0, "http://site.example/a/url"},
		"0;url=":                 {0, base},
	} {
		delay, to, ok := parseRefresh(content, base)
		if !ok || delay != want.delay || to != want.to {
			t.Errorf("parseRefresh(%q) = %v, %q, %v, want %v, %q", content, delay, to, ok, want.delay, want.to)
		}
	}
	for _, content := range []string{"", "soon", "; url=/x", "10000000; url=/x", "0; url=http://[", strings.Repeat("9", 400)} {
		if delay, to, ok := parseRefresh(content, base); ok {
			t.Errorf("parseRefresh(%q) = %v, %q", content, delay, to)
		}
	}
}

func FuzzParseRefresh(f *testing.F) {
	f.Add("0; URL=/next", page)
	f.Add(`1.5;url="`, page)
	f.Fuzz(func(t *testing.T, content, base string) {
		if delay, to, ok := parseRefresh(content, base); ok && delay < 0 {
			t.Errorf("parseRefresh(%q, %q) = %v, %q", content, base, delay, to)
		}
	})
}
