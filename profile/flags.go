package profile

import (
	"runtime"
	"strings"
)

// windowSize is that of an ordinary laptop's browser window; pages choose
// their layout by it.
const windowSize = "1366,900"

// bothFlags are the flags that every Chrome on the profile has, so that each
// can read what the other wrote.
func bothFlags(dir string, sandboxed bool) []string {
	flags := []string{
		"--user-data-dir=" + dir,
		"--no-first-run",             // no welcome page
		"--no-default-browser-check", // no question
	}
	if runtime.GOOS == "linux" {
		// Cookies are encrypted with a key of Chrome's own. A desktop keyring
		// is unreachable without the desktop's session bus, and cookies
		// written with one key are lost under the other.
		flags = append(flags, "--password-store=basic")
	}
	if !sandboxed {
		flags = append(flags, "--no-sandbox") // Chrome refuses to run as root with it
	}
	return flags
}

// headlessFlags are the flags of the Chrome that fetches. Popups stay blocked
// and site isolation stays on: the profile holds logins.
func headlessFlags(dir, userAgent string, sandboxed bool) []string {
	return append(drivenFlags(dir, sandboxed),
		"--headless=new", // the full browser without a window; older versions mean another one by --headless
		"--user-agent="+userAgent,
		"--screen-info={"+strings.Replace(windowSize, ",", "x", 1)+"}", // else the screen is smaller than the window

		"--blink-settings=imagesEnabled=false", // halves the cost of a page; <img> stays in the document
		"--disable-remote-fonts",               // as above
		"--disable-gpu",                        // nothing is drawn
	)
}

// headedFlags are the flags of the Chrome that shows a challenge what it looks
// for, pictures included. It is told no user agent: its own is the one that
// headless Chrome is given.
func headedFlags(dir string, sandboxed bool) []string {
	return append(drivenFlags(dir, sandboxed),
		"--hide-crash-restore-bubble", // pages of fetches are not offered to a person
	)
}

// drivenFlags are the flags of a Chrome that we drive.
func drivenFlags(dir string, sandboxed bool) []string {
	return append(bothFlags(dir, sandboxed),
		"--remote-debugging-pipe", // never a port, which every local user could drive
		"--no-startup-window",     // the keeper tab is the first
		"--window-size="+windowSize,
		"--mute-audio",

		// Six tabs work at the same time, and none is in front.
		"--disable-background-timer-throttling",
		"--disable-backgrounding-occluded-windows",
		"--disable-renderer-backgrounding",

		// Nobody is there to answer.
		"--disable-hang-monitor",
		"--disable-prompt-on-repost",

		// Chrome makes no calls of its own.
		"--disable-background-networking",
		"--disable-breakpad",
		"--disable-component-update",
		"--disable-default-apps",
		"--disable-domain-reliability",
		"--disable-sync",
		"--metrics-recording-only",
		// BackForwardCache would keep the renderers of pages a tab has left,
		// six a tab, to which nobody goes back.
		"--disable-features=Translate,MediaRouter,OptimizationHints,BackForwardCache",
	)
}

// windowFlags are the flags of the login window: a plain Chrome.
func windowFlags(dir string, sandboxed bool, url string) []string {
	flags := append(bothFlags(dir, sandboxed),
		"--hide-crash-restore-bubble", // pages of fetches are not offered to a person
	)
	if url != "" {
		flags = append(flags, "--", url) // never read as a flag
	}
	return flags
}

// userAgent is what the same Chrome sends when a person uses it: headless
// Chrome would call itself HeadlessChrome, and is turned away for that, and
// what a login is bound to must not change with the mode. Chrome itself
// reduces the string to the major version and one platform per system.
func userAgent(version string) string {
	platform := "X11; Linux x86_64"
	if runtime.GOOS == "darwin" {
		platform = "Macintosh; Intel Mac OS X 10_15_7"
	}
	major, _, _ := strings.Cut(version, ".")
	return "Mozilla/5.0 (" + platform + ") AppleWebKit/537.36 (KHTML, like Gecko) Chrome/" + major + ".0.0.0 Safari/537.36"
}

// chromeEnv are the variables Chrome may see: where it finds its libraries,
// fonts and folders, what language and time zone to use, and the proxy.
var chromeEnv = []string{
	"HOME", "PATH", "USER", "LOGNAME", "SHELL", "TMPDIR", "TZ",
	"LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LC_MESSAGES", "LC_NUMERIC", "LC_TIME", "LC_COLLATE", "LC_MONETARY",
	"XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_DIRS", "XDG_DATA_DIRS", "XDG_RUNTIME_DIR",
	"FONTCONFIG_FILE", "FONTCONFIG_PATH", "LD_LIBRARY_PATH", "SSL_CERT_FILE", "SSL_CERT_DIR",
	"CHROME_DEVEL_SANDBOX",
	"http_proxy", "https_proxy", "all_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY",
}

// displayEnv are the variables that say on which screen, and how, a window
// opens. They are the caller's.
var displayEnv = []string{
	"DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS",
	"XDG_SESSION_TYPE", "XDG_SESSION_ID", "XDG_CURRENT_DESKTOP", "XDG_SESSION_DESKTOP", "DESKTOP_SESSION",
	"XMODIFIERS", "GTK_IM_MODULE", "GDK_BACKEND", "XCURSOR_THEME", "XCURSOR_SIZE",
}
