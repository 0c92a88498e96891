package netguard

import (
	"fmt"
	"net/netip"
)

// Rule is why a connection was refused.
type Rule int

// The rules.
const (
	none     Rule = iota
	Never         // the class is never reached
	Denied        // by the policy
	NotAsked      // private or loopback, and neither asked for nor reached from such a host
	Changed       // the host has, or had earlier in the request, addresses of another class
)

// Refusal is the error of a connection that may not be made. Nothing was sent.
// Its text is one line that names the host, the address, the rule, and what can
// be done.
type Refusal struct {
	Host   string     // a name, or Addr again
	Addr   netip.Addr // one of the host's
	Class  Class      // of Addr
	Rule   Rule
	Prefix netip.Prefix // which one denies Addr
	Asked  string       // the host asked for, where there is one
}

const (
	allowSetting = "webTools.fetch.network.allow"
	denySetting  = "webTools.fetch.network.deny"
)

func (r *Refusal) Error() string {
	host := r.Host
	if addr := r.Addr.String(); addr != host {
		host += " (" + addr + ")"
	}
	text := fmt.Sprintf("network guard: %s is %s address", host, article(r.Class))
	switch r.Rule {
	case Never:
		text += ", and such are never reached"
		if r.Class == Unspecified {
			text += ": fetch localhost instead"
		}
	case Denied:
		text = fmt.Sprintf("network guard: %s is denied by %s in %s", host, r.Prefix, denySetting)
	case Changed:
		text += ", but the host has had one of another class in this request: list it in " + allowSetting + " if that is right"
	case NotAsked:
		if r.Asked == "" {
			text += ": list it in " + allowSetting + " to allow it"
		} else {
			text += fmt.Sprintf(", where %s may not lead: fetch its own URL, or list the address in %s", r.Asked, allowSetting)
		}
	}
	return text
}

func article(c Class) string {
	if c == Unspecified {
		return "an " + c.String()
	}
	return "a " + c.String()
}
