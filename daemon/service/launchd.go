package service

import (
	"encoding/xml"
	"fmt"
	"path/filepath"
	"strings"
)

// label is the agent's name.
const label = "dev.pifetch.pifetchd"

// Launchd is an agent of the user's launchd, in whose Library folder
// (~/Library) it goes. launchd hands its sockets over to programs with cgo
// only, which pifetchd is not: the daemon makes its own. It starts at login and
// leaves when idle, after which clients start it; launchd starts it again when
// it has failed.
func Launchd(s Spec, library string, uid int) (Service, error) {
	if err := s.check(); err != nil {
		return Service{}, err
	}
	domain := fmt.Sprintf("gui/%d", uid)
	agent := filepath.Join(library, "LaunchAgents", label+".plist")
	return Service{
		Manager: "launchd",
		Files: []File{{agent, fmt.Sprintf(agentText, label, plistText(s.Program),
			plistText(s.Paths.AgentDir), plistText(s.Search), plistText(s.Paths.Log))}},
		Reach:   Command{Args: []string{"launchctl", "print", domain}},
		Start:   []Command{{Args: []string{"launchctl", "bootstrap", domain, agent}}},
		Restart: []Command{{Args: []string{"launchctl", "kickstart", domain + "/" + label}}},
		Stop:    []Command{{Args: []string{"launchctl", "bootout", domain + "/" + label}, MayFail: true}},
		Active:  Command{Args: []string{"launchctl", "print", domain + "/" + label}},
	}, nil
}

// AbandonProcessGroup is for the login window, which outlives the daemon.
const agentText = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- Written by pifetchctl service install, which replaces it. -->
<plist version="1.0">
<dict>
	<key>Label</key>
	<string>%s</string>
	<key>ProgramArguments</key>
	<array>
		<string>%s</string>
		<string>--managed</string>
	</array>
	<key>EnvironmentVariables</key>
	<dict>
		<key>PI_CODING_AGENT_DIR</key>
		<string>%s</string>
		<key>PATH</key>
		<string>%s</string>
	</dict>
	<key>RunAtLoad</key>
	<true/>
	<key>KeepAlive</key>
	<dict>
		<key>SuccessfulExit</key>
		<false/>
	</dict>
	<key>ProcessType</key>
	<string>Interactive</string>
	<key>ExitTimeOut</key>
	<integer>75</integer>
	<key>AbandonProcessGroup</key>
	<true/>
	<key>Umask</key>
	<integer>63</integer>
	<key>StandardErrorPath</key>
	<string>%s</string>
</dict>
</plist>
`

func plistText(s string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(s)) // a strings.Builder takes everything
	return b.String()
}
