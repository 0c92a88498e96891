package profile

import (
	"net/url"
	"strconv"
	"strings"
	"time"
)

// settleRules are the thresholds by which a page counts as rendered. They were
// measured: no single browser event is right, load misses pages rendered by
// script and network idle never comes on pages that poll.
type settleRules struct {
	Navigation time.Duration // from the start to DOMContentLoaded
	Budget     time.Duration // from DOMContentLoaded to the end of waiting

	Quiet       time.Duration // without a change of the text, after load
	QuietNoLoad time.Duration // the same, while load hangs on a third party
	QuietNoDCL  time.Duration // the same, while the parser hangs on a script in the body
	NetQuiet    time.Duration // since the last request that counts
	Young       time.Duration // how long a script, style sheet or frame may hold the page up
	ThinText    int           // characters below which a page is hardly one
	ThinWait    time.Duration // after load and the last request that counts, for a thin page to grow
	Polls       int           // requests of one URL beyond which it is being polled
	Refresh     time.Duration // longest announced refresh that is waited for
	Requested   time.Duration // how long a requested navigation may take to send its request
	Lazy        time.Duration // for what a longer view makes a page load
}

// defaultSettle is what the measurements gave.
var defaultSettle = settleRules{
	Navigation:  15 * time.Second,
	Budget:      5 * time.Second,
	Quiet:       100 * time.Millisecond,
	QuietNoLoad: 300 * time.Millisecond,
	QuietNoDCL:  1500 * time.Millisecond,
	NetQuiet:    50 * time.Millisecond,
	Young:       1500 * time.Millisecond,
	ThinText:    200,
	ThinWait:    1500 * time.Millisecond,
	Polls:       3,
	Refresh:     5 * time.Second,
	Requested:   time.Second,
	Lazy:        2 * time.Second,
}

// rule names why a settler stopped waiting.
type rule string

const (
	ruleStatic   rule = "static"    // no script will change it
	ruleQuiet    rule = "quiet"     // loaded, and nothing changes any more
	ruleNoLoad   rule = "no load"   // nothing changes, something else hangs
	ruleThin     rule = "thin"      // loaded, and hardly any text came
	ruleNoDCL    rule = "no dcl"    // the text is there, a script in the body hangs
	ruleNoParser rule = "no parser" // the source is there, a script before the body hangs
	ruleLazy     rule = "lazy"      // a longer view makes it load more and more
	ruleBudget   rule = "budget"    // still busy
	ruleTimeout  rule = "timeout"   // no document in time
)

// settler decides when the page of a visit is rendered. It is told what
// happens and when, and does nothing by itself.
type settler struct {
	rules settleRules
	start time.Time

	document string // loader of the current document; "" before the first
	visited  map[string]int
	dclAt    time.Time
	loadAt   time.Time
	bodyAt   time.Time // when the document's own response had arrived whole

	probed  bool
	shownAt time.Time // when all of the page came into view
	scripts int
	text    int
	textAt  time.Time

	requests map[string]inflight
	seen     map[string]int
	netAt    time.Time

	next      string    // loader of a main-frame navigation under way
	expectEnd time.Time // until then a main-frame navigation is expected to start
}

type inflight struct {
	kind   string
	loader string
	start  time.Time
}

func newSettler(r settleRules, now time.Time) *settler {
	return &settler{rules: r, start: now, visited: map[string]int{}, requests: map[string]inflight{}, seen: map[string]int{}, netAt: now}
}

// commit starts a new document, whose main request has the loader's id.
func (s *settler) commit(now time.Time, loader, u string) {
	s.document = loader
	s.visited[u]++
	s.dclAt, s.loadAt, s.bodyAt, s.shownAt = time.Time{}, time.Time{}, time.Time{}, time.Time{}
	s.probed, s.scripts, s.text, s.textAt = false, 0, 0, now
	s.next, s.expectEnd = "", time.Time{}
	for id, r := range s.requests {
		if r.loader != loader {
			delete(s.requests, id)
		}
	}
	clear(s.seen)
}

func (s *settler) dcl(now time.Time)  { s.dclAt = now }
func (s *settler) load(now time.Time) { s.loadAt = now }

// request is told of every request of the page, main-frame documents excepted.
func (s *settler) request(now time.Time, id, loader, kind, u string) {
	switch kind {
	case "XHR", "Fetch":
		u, _, _ = strings.Cut(u, "?")
		if s.seen[u]++; s.seen[u] > s.rules.Polls {
			return
		}
	case "Script", "Stylesheet", "Document":
	default:
		return
	}
	s.requests[id] = inflight{kind, loader, now}
	s.netAt = now
}

// done is told of the end of every request, however it ended.
func (s *settler) done(now time.Time, id string) {
	if id == s.document && s.bodyAt.IsZero() {
		s.bodyAt = now
	}
	if id == s.next {
		s.abandon()
	}
	if _, ok := s.requests[id]; ok {
		delete(s.requests, id)
		s.netAt = now
	}
}

// probe is told the length of the text and the number of scripts. Small
// changes do not count: clocks and counters tick for ever.
func (s *settler) probe(now time.Time, text, scripts int) {
	if !s.probed || abs(text-s.text) > max(16, s.text/200) {
		s.textAt, s.text = now, text
	}
	s.probed, s.scripts = true, scripts
}

// shown is told that all of a settled page came into view, upon which it may
// load the rest of its content.
func (s *settler) shown(now time.Time) { s.shownAt, s.textAt = now, now }

func abs(n int) int { return max(n, -n) }

// expect is told that the main frame will navigate to u after delay. A page
// that keeps loading itself again is taken as it is the second time.
func (s *settler) expect(now time.Time, u string, delay time.Duration) {
	p, err := url.Parse(u)
	if err != nil || p.Scheme != "http" && p.Scheme != "https" || delay > s.rules.Refresh || s.visited[u] > 1 || now.Before(s.expectEnd) {
		return
	}
	s.expectEnd = now.Add(delay + s.rules.Requested)
}

// refresh is told what a document says in its Refresh header or meta element.
func (s *settler) refresh(now time.Time, content, base string) {
	if delay, to, ok := parseRefresh(content, base); ok {
		s.expect(now, to, delay)
	}
}

// parseRefresh reads "5; url=/next", with or without the quotes, the name and
// the URL.
func parseRefresh(content, base string) (delay time.Duration, to string, ok bool) {
	content = strings.TrimSpace(content)
	digits := len(content) - len(strings.TrimLeft(content, "0123456789."))
	seconds, err := strconv.ParseFloat(content[:digits], 64)
	if err != nil || seconds > 1e6 {
		return 0, "", false
	}
	rest := strings.TrimLeft(content[digits:], " \t\r\n;,")
	if len(rest) >= 3 && strings.EqualFold(rest[:3], "url") {
		if value, found := strings.CutPrefix(strings.TrimSpace(rest[3:]), "="); found {
			rest = strings.TrimSpace(value)
		}
	}
	if rest != "" && (rest[0] == '"' || rest[0] == '\'') {
		rest, _, _ = strings.Cut(rest[1:], rest[:1])
	}
	from, err := url.Parse(base)
	if err != nil {
		return 0, "", false
	}
	u, err := from.Parse(rest)
	if err != nil {
		return 0, "", false
	}
	return time.Duration(seconds * float64(time.Second)), u.String(), true
}

// navigating is told that the main frame has sent its request for a document.
func (s *settler) navigating(loader string) {
	if loader != s.document {
		s.next, s.expectEnd = loader, time.Time{}
	}
}

// abandon is told that the navigation under way will bring no document.
func (s *settler) abandon() { s.next, s.expectEnd = "", time.Time{} }

// thin reports whether there is hardly any text.
func (s *settler) thin() bool { return s.text < s.rules.ThinText }

// decide returns the rule by which waiting is over, or "" and the time at which
// to ask again should nothing happen until then.
func (s *settler) decide(now time.Time) (rule, time.Time) {
	name, at := s.verdict()
	if at.After(now) {
		return "", at
	}
	return name, at
}

// verdict is the first rule that will hold if nothing happens any more, and when.
func (s *settler) verdict() (first rule, when time.Time) {
	limit := s.start.Add(s.rules.Navigation)
	first, when = ruleTimeout, limit
	if !s.dclAt.IsZero() {
		first, when = ruleBudget, s.dclAt.Add(s.rules.Budget)
	}
	if s.next != "" {
		// The document on screen is on its way out. It is better than none
		// when the next one does not come.
		if first == ruleBudget {
			when = latest(when, limit)
		}
		return first, when
	}
	consider := func(name rule, times ...time.Time) {
		if at := latest(append(times, s.expectEnd)...); at.Before(when) {
			first, when = name, at
		}
	}

	var resources time.Time
	fetching := false
	for _, r := range s.requests {
		switch r.kind {
		case "XHR", "Fetch":
			fetching = true
		default:
			resources = latest(resources, r.start.Add(s.rules.Young))
		}
	}

	switch {
	case s.dclAt.IsZero():
		if !s.bodyAt.IsZero() {
			if s.probed && !s.thin() {
				consider(ruleNoDCL, s.textAt.Add(s.rules.QuietNoDCL), s.bodyAt)
			}
			consider(ruleNoParser, s.bodyAt.Add(s.rules.Budget), s.textAt.Add(s.rules.Budget))
		}
	case !s.probed:
	case s.scripts == 0:
		consider(ruleStatic, s.dclAt, resources)
	case fetching:
		if !s.shownAt.IsZero() {
			consider(ruleLazy, s.shownAt.Add(s.rules.Lazy))
		}
	case !s.thin():
		quietNet := s.netAt.Add(s.rules.NetQuiet)
		quiet := s.rules.Quiet
		if !s.shownAt.IsZero() {
			consider(ruleLazy, s.shownAt.Add(s.rules.Lazy))
			if s.textAt.After(s.shownAt) || s.netAt.After(s.shownAt) {
				quiet = s.rules.QuietNoLoad // one part may follow another
			}
		}
		if !s.loadAt.IsZero() {
			consider(ruleQuiet, s.textAt.Add(quiet), quietNet, resources)
		}
		consider(ruleNoLoad, s.textAt.Add(s.rules.QuietNoLoad), quietNet, resources)
	case !s.loadAt.IsZero():
		consider(ruleThin, s.loadAt.Add(s.rules.ThinWait), s.netAt.Add(s.rules.ThinWait), s.textAt.Add(s.rules.Quiet), resources)
	}
	return first, when
}

func latest(times ...time.Time) time.Time {
	var l time.Time
	for _, t := range times {
		if t.After(l) {
			l = t
		}
	}
	return l
}
