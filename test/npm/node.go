package npm

import (
	"fmt"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
)

// Node22 is the path of a Node.js that runs today's clients: the one that is
// installed with the packages of the tests, which there is for Linux, else the
// one on PATH if it is new enough.
func Node22() (string, error) {
	arch := map[string]string{"amd64": "x64"}[runtime.GOARCH]
	if arch == "" {
		arch = runtime.GOARCH
	}
	if p, err := Locked("node-" + runtime.GOOS + "-" + arch); err == nil {
		return p.Path("bin/node")
	}
	return node(22)
}

// Node20 is the path of a Node.js on PATH of version 20 or later.
func Node20() (string, error) { return node(20) }

func node(least int) (string, error) {
	path, err := exec.LookPath("node")
	if err != nil {
		return "", err
	}
	out, err := exec.Command(path, "--version").Output()
	if err != nil {
		return "", fmt.Errorf("%s --version: %w", path, err)
	}
	major, _, _ := strings.Cut(strings.TrimPrefix(string(out), "v"), ".")
	if n, err := strconv.Atoi(major); err != nil || n < least {
		return "", fmt.Errorf("%s has version %s, wanted %d or later", path, strings.TrimSpace(string(out)), least)
	}
	return path, nil
}
