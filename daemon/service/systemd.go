package service

import (
	"fmt"
	"path/filepath"
	"strings"
)

// The names of the units.
const (
	socketUnit  = "pifetchd.socket"
	serviceUnit = "pifetchd.service"
)

// Systemd is the service of a systemd user manager, in whose configuration
// folder (~/.config) the units go. systemd makes the socket, and starts the
// daemon at the first connection.
func Systemd(s Spec, config string) (Service, error) {
	if err := s.check(); err != nil {
		return Service{}, err
	}
	if strings.ContainsAny(s.Program, `"'\`) {
		return Service{}, fmt.Errorf("%s has quotes or backslashes in its path, which systemd does not start — put it elsewhere", s.Program)
	}
	systemctl := func(args ...string) Command {
		return Command{Args: append([]string{"systemctl", "--user"}, args...)}
	}
	reload := systemctl("daemon-reload")
	// Too many failures in a row leave the units failed until they are reset.
	reset := systemctl("reset-failed", socketUnit, serviceUnit)
	reset.MayFail = true
	dir := filepath.Join(config, "systemd", "user")
	return Service{
		Manager: "systemd",
		Socket:  true,
		Files: []File{
			{filepath.Join(dir, socketUnit), fmt.Sprintf(socketText, unitText(s.Paths.Sock))},
			{filepath.Join(dir, serviceUnit), fmt.Sprintf(serviceText,
				unitQuote("PI_CODING_AGENT_DIR="+s.Paths.AgentDir), unitQuote("PATH="+s.Search), unitQuote(s.Program))},
		},
		Links:   []string{filepath.Join(dir, "sockets.target.wants", socketUnit)},
		Reach:   systemctl("show-environment"),
		Start:   []Command{reload, systemctl("enable", "--now", socketUnit)},
		Restart: []Command{reset, systemctl("restart", socketUnit, serviceUnit)},
		Stop:    []Command{systemctl("disable", "--now", socketUnit), systemctl("stop", serviceUnit)},
		Forget:  []Command{reload},
		Active:  systemctl("is-active", "--quiet", socketUnit),
	}, nil
}

const socketText = `# Written by pifetchctl service install, which replaces it.
[Unit]
Description=Socket of pifetchd

[Socket]
ListenStream=%s
SocketMode=0600
DirectoryMode=0700

[Install]
WantedBy=sockets.target
`

const serviceText = `# Written by pifetchctl service install, which replaces it.
[Unit]
Description=pifetchd turns URLs into files for coding agents
Requires=pifetchd.socket
After=pifetchd.socket

[Service]
Type=notify
Environment=%s
Environment=%s
ExecStart=%s --managed
# Requests have 30 s to end, then they are cancelled and Chrome is closed.
TimeoutStopSec=75
# The login window outlives the daemon; headless Chrome leaves by itself.
KillMode=process
UMask=0077
# What Chrome can do without. It makes namespaces for its sandbox, compiles
# code, and needs the display, /tmp and the profile as they are.
NoNewPrivileges=yes
RestrictSUIDSGID=yes
LockPersonality=yes
SystemCallArchitectures=native
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
`

// unitText is text in a unit that is taken as it is, but for specifiers.
func unitText(s string) string { return strings.ReplaceAll(s, "%", "%%") }

// unitQuote is one word of a setting, as in systemd.syntax(7).
func unitQuote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, `%`, `%%`).Replace(s) + `"`
}
