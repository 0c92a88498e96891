package profile

import (
	"errors"
	"io"
	"io/fs"
	"net"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestModesShareWhatCookiesDependOn(t *testing.T) {
	headless := headlessFlags("/p", userAgent("156.0.8078.114"), true)
	headed := headedFlags("/p", true)
	window := windowFlags("/p", true, "http://x.test/?a=1")
	for _, flag := range bothFlags("/p", true) {
		if !slices.Contains(headless, flag) || !slices.Contains(headed, flag) || !slices.Contains(window, flag) {
			t.Errorf("%s is not in all modes", flag)
		}
	}
	if runtime.GOOS == "linux" && !slices.Contains(window, "--password-store=basic") {
		t.Error("the window uses another password store")
	}
	for _, flag := range slices.Concat(headless, headed, window) {
		if flag == "--no-sandbox" || strings.HasPrefix(flag, "--remote-debugging-port") {
			t.Errorf("unasked for: %s", flag)
		}
	}
	for _, flag := range window {
		if strings.Contains(flag, "automation") || strings.Contains(flag, "debugging") || strings.Contains(flag, "headless") {
			t.Errorf("the window is not plain: %s", flag)
		}
	}
	if tail := window[len(window)-2:]; tail[0] != "--" || tail[1] != "http://x.test/?a=1" {
		t.Errorf("the URL is given as %q", tail)
	}
}

func TestUserAgentDoesNotSayHeadless(t *testing.T) {
	ua := userAgent("156.0.8078.114")
	if !strings.Contains(ua, " Chrome/156.0.0.0 ") || strings.Contains(ua, "Headless") {
		t.Error(ua)
	}
}

func TestWindowURL(t *testing.T) {
	for raw, ok := range map[string]bool{
		"": true, "http://x.test/": true, "https://u:p@x.test/#f": true,
		"file:///etc/passwd": false, "javascript:alert(1)": false, "--no-sandbox": false, "chrome://settings": false, "http:": false, "x.test": false,
	} {
		if u, err := windowURL(raw); (err == nil) != ok {
			t.Errorf("%q: %v, %v", raw, u, err)
		}
	}
}

func TestWindowEnv(t *testing.T) {
	own := []string{"HOME=/h", "GH_TOKEN=secret", "PARALLEL_API_KEY=secret", "DISPLAY=:7", "XAUTHORITY=/own", "XDG_RUNTIME_DIR=/run/own"}
	for _, c := range []struct {
		name    string
		display map[string]string
		want    []string
	}{
		{"caller's", map[string]string{"DISPLAY": ":1", "XAUTHORITY": "/theirs", "LD_PRELOAD": "evil.so"}, []string{"DISPLAY=:1", "XAUTHORITY=/theirs", "HOME=/h"}},
		{"caller has none", map[string]string{"XAUTHORITY": "/theirs"}, []string{"XAUTHORITY=/theirs", "HOME=/h"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := windowEnv(own, c.display); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestDisplayAddresses(t *testing.T) {
	for _, c := range []struct {
		env  []string
		want []displayAddress
	}{
		{[]string{"DISPLAY=:0"}, []displayAddress{{"unix", "/tmp/.X11-unix/X0"}, {"unix", "@/tmp/.X11-unix/X0"}}},
		{[]string{"DISPLAY=localhost:10.0"}, []displayAddress{{"tcp", "localhost:6010"}}},
		{[]string{"WAYLAND_DISPLAY=wayland-0", "XDG_RUNTIME_DIR=/run/user/1"}, []displayAddress{{"unix", "/run/user/1/wayland-0"}}},
		{[]string{"WAYLAND_DISPLAY=/w", "DISPLAY=unix:3"}, []displayAddress{{"unix", "/w"}, {"unix", "/tmp/.X11-unix/X3"}, {"unix", "@/tmp/.X11-unix/X3"}}},
		{[]string{"DISPLAY=rubbish"}, nil},
		{[]string{"DISPLAY=:x"}, nil},
	} {
		if got := displayAddresses(c.env); !slices.Equal(got, c.want) {
			t.Errorf("%q: got %v, want %v", c.env, got, c.want)
		}
	}
}

func TestCheckDisplay(t *testing.T) {
	if runtime.GOOS == "darwin" {
		t.Skip("macOS has no display variables")
	}
	if err := checkDisplay(t.Context(), nil, time.Minute); err == nil || err.Error() != "neither DISPLAY nor WAYLAND_DISPLAY is set" {
		t.Errorf("without variables: %v", err)
	}
	dir := t.TempDir()
	env := []string{"WAYLAND_DISPLAY=" + filepath.Join(dir, "w")}
	if err := checkDisplay(t.Context(), env, time.Minute); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without a server: %v", err)
	}
	l, err := net.Listen("unix", filepath.Join(dir, "w"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if err := checkDisplay(t.Context(), env, time.Minute); err != nil {
		t.Errorf("with a server: %v", err)
	}
}

func TestComplaint(t *testing.T) {
	for _, c := range []struct{ stderr, want string }{
		{"", "it said nothing"},
		{"a\n\n b \n\n", "b"},
		{"[1:2:FATAL:x.cc(3)] boom\n#0 0x1\n#1 0x2\n", "[1:2:FATAL:x.cc(3)] boom"},
	} {
		if got := complaint(c.stderr); got != c.want {
			t.Errorf("%q: %q", c.stderr, got)
		}
	}
	s := &tail{}
	io.WriteString(s, strings.Repeat("x", tailBytes))
	io.WriteString(s, "end")
	if got := s.String(); len(got) != tailBytes || !strings.HasSuffix(got, "xend") {
		t.Errorf("kept %d bytes", len(got))
	}
}
