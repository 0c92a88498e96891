package parallel

import (
	"cmp"
	"errors"
	"log/slog"
	"net/url"
	"strings"

	"pifetch/fetchers"
	"pifetch/internal/weburl"
)

// The variables of the daemon's environment, and of a request's.
const (
	keyVariable  = "PARALLEL_API_KEY"
	baseVariable = "PARALLEL_BASE_URL"
)

// defaultBaseURL is the public API.
const defaultBaseURL = "https://api.parallel.ai"

// account is who pays for a request, and where it goes.
type account struct {
	key  *string // behind a pointer: nothing that prints an account prints it; nil: none
	base string
}

// LogValue hides the key from logs.
func (a account) LogValue() slog.Value {
	return slog.StringValue("account at " + weburl.Redact(a.base))
}

// account is that of a request; its key is nil when there is none.
func (f *Fetcher) account(env fetchers.Env) account {
	base := cmp.Or(env[baseVariable], f.own(baseVariable))
	if base == "" && f.cfg.BaseURL != nil {
		base = f.cfg.BaseURL()
	}
	a := account{base: cmp.Or(base, defaultBaseURL)}
	if key := f.key(env); key != "" {
		a.key = &key
	}
	return a
}

// key is the client's own, else the daemon's, which goes to no base URL that a
// client names; empty when there is none.
func (f *Fetcher) key(env fetchers.Env) string {
	key := strings.TrimSpace(env[keyVariable])
	if key == "" && env[baseVariable] == "" {
		key = strings.TrimSpace(f.own(keyVariable))
	}
	return key
}

// own is the value of a variable of the daemon's environment.
func (f *Fetcher) own(name string) string {
	for _, kv := range f.cfg.Env {
		if k, v, _ := strings.Cut(kv, "="); k == name {
			return v
		}
	}
	return ""
}

// endpoint is the URL that extracts. The error does not quote the base URL,
// which may hold a password.
func (a account) endpoint() (string, error) {
	u, err := url.Parse(a.base)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" ||
		u.User != nil || u.RawQuery != "" || u.ForceQuery || u.Fragment != "" {
		return "", errors.New(baseVariable + " must be an http or https URL without user, query and fragment")
	}
	return u.JoinPath("v1", "extract").String(), nil
}
