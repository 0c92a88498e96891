#!/bin/sh
# Installs what is missing of: chrome xvfb gcc npm git systemd. Says what it does, asks nothing,
# and does nothing when everything is there.
#
#	sh test/setup.sh chrome xvfb gcc npm git systemd
#
# OS_RELEASE and APPLICATIONS are for its tests.
set -u

os_release=${OS_RELEASE:-/etc/os-release}
applications=${APPLICATIONS:-/Applications}
system=$(uname -s)

say() { echo "setup: $*" >&2; }
fail() { say "$@"; exit 1; }

# A snap's Chromium sees no hidden folder of the home directory, and so not the profile.
is_snap() {
	case $(readlink -f "$1" 2>/dev/null) in /snap/* | */snap) return 0 ;; esac
	head -c 4096 "$1" 2>/dev/null | grep -aq '/snap/bin/'
}

has_chrome() {
	if test "$system" = Darwin; then
		for dir in "$applications" "$HOME/Applications"; do
			for app in 'Google Chrome' Chromium; do
				test -x "$dir/$app.app/Contents/MacOS/$app" && return 0
			done
		done
		return 1
	fi
	for name in google-chrome-stable google-chrome chromium chromium-browser; do
		path=$(command -v "$name") && ! is_snap "$path" && return 0
	done
	return 1
}

has() {
	case $1 in
	chrome) has_chrome ;;
	xvfb) test "$system" = Darwin || command -v Xvfb >/dev/null ;; # macOS has a display
	gcc) command -v "${CC:-cc}" >/dev/null || command -v gcc >/dev/null ;;
	systemd) command -v systemd-analyze >/dev/null && command -v systemd-socket-activate >/dev/null ;; # its tools; it need not run
	npm | git) command -v "$1" >/dev/null ;;
	*) fail "unknown requirement: $1" ;;
	esac
}

missing=
for need in "$@"; do
	has "$need" || missing="$missing $need"
done
test -z "$missing" && exit 0
say "missing:$missing"

install_macos() {
	for need in $missing; do
		case $need in
		chrome)
			command -v brew >/dev/null || fail 'install Google Chrome from https://www.google.com/chrome/ (there is no Homebrew to do it with), then run this again'
			say 'running: brew install --cask google-chrome'
			brew install --cask google-chrome || fail 'brew could not install Google Chrome'
			;;
		npm)
			command -v brew >/dev/null || fail 'install Node.js from https://nodejs.org/ (there is no Homebrew to do it with), then run this again'
			say 'running: brew install node'
			brew install node || fail 'brew could not install Node.js'
			;;
		gcc | git) fail 'install the command line tools, then run this again: xcode-select --install' ;;
		esac
	done
}

install_debian() {
	packages=
	for need in $missing; do
		case $need in
		chrome) test "$ID" = ubuntu && continue || packages="$packages chromium chromium-sandbox" ;;
		gcc) packages="$packages gcc libc6-dev" ;;
		npm) packages="$packages nodejs npm" ;;
		*) packages="$packages $need" ;;
		esac
	done
	if test -n "$packages"; then
		command="apt-get update && apt-get install -y --no-install-recommends$packages"
		if test "$(id -u)" = 0; then
			run=
		elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
			run='sudo -n'
		else
			fail "needs root and sudo asks for a password; run this, then try again: sudo sh -c '$command'"
		fi
		say "running${run:+ through sudo}: $command"
		# The lists may be fresh enough when they cannot be updated.
		$run env DEBIAN_FRONTEND=noninteractive apt-get update >&2 || say 'apt-get update failed, going on with the lists there are'
		$run env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $packages >&2 ||
			fail 'apt-get could not install them'
	fi
	case " $missing " in *' chrome '*)
		test "$ID" != ubuntu || fail "Ubuntu's chromium is a snap and cannot use the profile folder; install Google Chrome, then try again:
  curl -LO https://dl.google.com/linux/direct/google-chrome-stable_current_amd64.deb
  sudo apt-get install ./google-chrome-stable_current_amd64.deb" ;;
	esac
}

ID= ID_LIKE=
test -r "$os_release" && . "$os_release"
if test "$system" = Darwin; then
	install_macos
elif command -v apt-get >/dev/null; then
	case " $ID $ID_LIKE " in
	*' debian '* | *' ubuntu '*) install_debian ;;
	*) fail "install these with this system's package manager, then try again:$missing (chrome: Google Chrome or Chromium)" ;;
	esac
else
	fail "install these with this system's package manager, then try again:$missing (chrome: Google Chrome or Chromium)"
fi

for need in $missing; do
	has "$need" || fail "$need is still missing"
done
