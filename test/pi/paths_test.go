package pi

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pifetch/daemon/daemontest"
	"pifetch/daemon/rundir"
)

// Daemon and extension look in the same places.
func TestPaths(t *testing.T) {
	dir := filepath.Dir(daemontest.Paths(t).Dir)
	if err := os.Symlink(dir, dir+"/link"); err != nil {
		t.Fatal(err)
	}
	fits := strings.Repeat("x", rundir.MaxSock-len(dir+"//pifetchd/sock"))
	for name, agent := range map[string]string{
		"short": dir, "missing": dir + "/a/b", "link": dir + "/link/a",
		"103 bytes": dir + "/" + fits, "104 bytes": dir + "/" + fits + "x",
		"not ASCII": dir + "/" + strings.Repeat("é", 50), "long link": dir + "/link/" + fits + "y", "dots": dir + "/a/../b/",
	} {
		t.Run(name, func(t *testing.T) {
			want, err := rundir.Locate(agent)
			if err != nil {
				t.Fatal(err)
			}
			got := value[paths](t, drive(t, job{Module: "paths", Function: "locate", Args: []any{agent, os.Geteuid()}}))
			if got != (paths{want.AgentDir, want.Dir, want.Sock, want.Log}) {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
}

func TestAgentDir(t *testing.T) {
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for dir, want := range daemontest.AgentDirs(wd) {
		t.Run(dir, func(t *testing.T) {
			env := map[string]string{"HOME": "/home/me", "PI_CODING_AGENT_DIR": dir}
			if got := value[string](t, drive(t, job{Module: "paths", Function: "agentDir", Args: []any{env}})); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}
