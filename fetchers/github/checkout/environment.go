package checkout

import (
	"encoding/base64"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
)

// environment is the whole environment of git. What the user's own
// configuration or the repository could make git run or reach is switched
// off. The token stands here, where no other user and no file can see it.
func (r *Repo) environment() []string {
	config := [][2]string{
		{"remote.origin.url", r.remote.URL},
		{"remote.origin.promisor", "true"},
		{"remote.origin.partialCloneFilter", "blob:none"},
		{"core.hooksPath", os.DevNull},
		{"core.fsmonitor", "false"},
		{"credential.helper", ""},
		{"fetch.negotiationAlgorithm", "noop"},
		{"transfer.unpackLimit", "1"},
		{"gc.auto", "0"},
		{"maintenance.auto", "false"},
		{"http.followRedirects", "false"},
		{"http.lowSpeedLimit", "1"}, // bytes a second, for
		{"http.lowSpeedTime", "30"}, // seconds
		{"protocol.version", "2"},
	}
	protocols := "https"
	if u, err := url.Parse(r.remote.URL); err == nil {
		if u.Scheme == "http" && loopback(u.Hostname()) {
			protocols = "https:http"
		}
		if r.remote.Token != "" && (u.Scheme == "https" || loopback(u.Hostname())) {
			login := base64.StdEncoding.EncodeToString([]byte("x-access-token:" + r.remote.Token))
			config = append(config, [2]string{"http." + u.Scheme + "://" + u.Host + "/.extraHeader", "Authorization: Basic " + login})
		}
	}
	env := []string{
		"PATH=" + os.Getenv("PATH"),
		"HOME=" + filepath.Join(r.dir, "home"), // there is none
		"GIT_DIR=" + r.repository(),
		"LC_ALL=C",
		"GIT_CONFIG_NOSYSTEM=1",
		"GIT_CONFIG_GLOBAL=" + os.DevNull,
		"GIT_TERMINAL_PROMPT=0",
		"GIT_ASKPASS=/bin/false",
		"GIT_NO_LAZY_FETCH=1",
		"GIT_ALLOW_PROTOCOL=" + protocols,
		fmt.Sprintf("GIT_CONFIG_COUNT=%d", len(config)),
	}
	for i, kv := range config {
		env = append(env, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", i, kv[0]), fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", i, kv[1]))
	}
	return env
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
