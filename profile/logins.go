package profile

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ncruces/go-sqlite3"
	"golang.org/x/net/publicsuffix"
)

// everySite in the list of logins stands for all: once, it could not be found
// out which sites got cookies.
const everySite = "*"

// logins are the sites, by registrable domain, where a person may have logged
// in: those that got cookies while a login window was open. They are kept in a
// file, a line for each; a site leaves the list when its line is removed and
// the daemon starts anew.
type logins struct {
	file string // empty: in memory only

	mu     sync.Mutex
	sites  map[string]bool
	opened map[string]bool // of the URLs in the window that is open
}

func openLogins(file string) (*logins, error) {
	l := &logins{file: file, sites: map[string]bool{}, opened: map[string]bool{}}
	text, err := os.ReadFile(file)
	if err != nil && file != "" && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read the list of logins: %w", err)
	}
	for _, s := range strings.Fields(string(text)) {
		l.sites[s] = true
	}
	return l, nil
}

func (l *logins) has(host string) bool {
	s := registrable(host)
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.sites[s] || l.sites[everySite] || l.opened[s]
}

// open notes a host that is shown in the login window.
func (l *logins) open(host string) {
	if host == "" {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.opened[registrable(host)] = true
}

// close adds the hosts that got cookies in a login window that is closed now.
func (l *logins) close(hosts []string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	clear(l.opened)
	before := len(l.sites)
	for _, h := range hosts {
		l.sites[registrable(h)] = true
	}
	if l.file == "" || len(l.sites) == before {
		return nil
	}
	return writeFile(l.file, []byte(strings.Join(slices.Sorted(maps.Keys(l.sites)), "\n")+"\n"))
}

// registrable is the registrable domain of a host, or the host where it has none.
func registrable(host string) string {
	host = strings.ToLower(strings.Trim(host, ".[]")) // Chrome notes IPv6 addresses in brackets
	if _, err := netip.ParseAddr(host); err == nil {
		return host
	}
	if domain, err := publicsuffix.EffectiveTLDPlusOne(host); err == nil {
		return domain
	}
	return host
}

// LoggedIn reports whether a host belongs to a site where a person may have a
// login: one that got cookies in a login window, or is open in one.
func (b *Browser) LoggedIn(host string) bool { return b.logins.has(host) }

// noteLogins reads off the profile which sites got cookies in a login window
// that was opened then and is closed. Chrome must not run.
func (b *Browser) noteLogins(profile string, opened time.Time) {
	hosts, err := cookieHosts(profile, opened)
	if err != nil {
		b.cfg.Log.Warn("which sites got cookies in the login window is not known: all count as logged in until the line * is removed from the list and the daemon is restarted",
			"error", err, "list", b.logins.file)
		hosts = []string{everySite}
	}
	if err := b.logins.close(hosts); err != nil {
		b.cfg.Log.Warn("noting the logins failed: they are known until the daemon ends", "error", err)
	}
}

// cookieHosts are the hosts, some with a dot in front, that have a cookie in the
// profile which was set at that time or later. Values are encrypted and not
// looked at.
func cookieHosts(dir string, since time.Time) (hosts []string, err error) {
	name := filepath.Join(dir, "Default", "Cookies")
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	db, err := sqlite3.OpenFlags(name, sqlite3.OPEN_READONLY)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", name, err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	query, _, err := db.Prepare("SELECT DISTINCT host_key FROM cookies WHERE max(creation_utc, last_update_utc) >= ?")
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	defer func() { err = errors.Join(err, query.Close()) }()
	if err := query.BindInt64(1, chromeTime(since)); err != nil {
		return nil, err
	}
	for query.Step() {
		hosts = append(hosts, query.ColumnText(0))
	}
	if err := query.Err(); err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return hosts, nil
}

// chromeTime is a time as Chrome stores it: microseconds since 1601.
func chromeTime(t time.Time) int64 {
	const from1601 = 11_644_473_600 // seconds until 1970
	return t.UnixMicro() + from1601*1_000_000
}
