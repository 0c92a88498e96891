package installed

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// The products Version tells apart. A profile written by one is not for the
// other.
const (
	GoogleChrome = "Google Chrome"
	Chromium     = "Chromium"
)

const (
	versionTimeout = 30 * time.Second // for --version, which a wrapper script may hang on
	versionGrace   = time.Second      // for what outlives the kill with our pipe in hand
	versionOutput  = 64 << 10         // what is read of it
)

var versionLine = regexp.MustCompile(`(?m)^(Google Chrome|Chromium)\b.*?\s(\d+(?:\.\d+){1,3})\b`)

// Version asks the executable at path what it is: GoogleChrome or Chromium,
// and a version such as 156.0.8078.114. It returns after 31 seconds at the
// latest, whatever the executable does.
func Version(ctx context.Context, path string) (product, version string, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, versionTimeout, fmt.Errorf("no answer after %v", versionTimeout))
	defer cancel()
	var out head
	cmd := exec.CommandContext(ctx, path, "--version")
	cmd.Stdout = &out
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = versionGrace
	err = cmd.Run()
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		return "", "", fmt.Errorf("ask %s for its version: %w", path, err)
	}
	m := versionLine.FindSubmatch(out.Bytes())
	if m == nil {
		return "", "", fmt.Errorf("ask %s for its version: it says %.100q and is neither Google Chrome nor Chromium", path, bytes.TrimSpace(out.Bytes()))
	}
	return string(m[1]), string(m[2]), nil
}

// head keeps the first versionOutput bytes written to it.
type head struct{ bytes.Buffer }

func (h *head) Write(p []byte) (int, error) {
	h.Buffer.Write(p[:min(len(p), versionOutput-h.Len())])
	return len(p), nil
}

// Newer reports whether dotted version a comes after b.
func Newer(a, b string) bool {
	as, bs := strings.Split(a, "."), strings.Split(b, ".")
	for i := range min(len(as), len(bs)) {
		x, errX := strconv.Atoi(as[i])
		y, errY := strconv.Atoi(bs[i])
		if errX != nil || errY != nil {
			return false
		}
		if x != y {
			return x > y
		}
	}
	return len(as) > len(bs)
}
