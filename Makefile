# GNU Make 3.81, which macOS ships, is enough.
.DEFAULT_GOAL := help

GO      ?= go
PREFIX  ?= /usr/local
VERSION := $(shell git describe --tags --always --dirty --abbrev=12 2>/dev/null || echo devel)
LDFLAGS := -s -w -X main.version=$(VERSION)

STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
GOFUMPT     := mvdan.cc/gofumpt@v0.12.0

# Taken as it was typed: a URL may hold dollar signs.
override URL := $(value URL)
export URL

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

build: ## build pifetchd and pifetchctl into bin/
	CGO_ENABLED=0 $(GO) build -trimpath -buildvcs=false -ldflags '$(LDFLAGS)' -o bin/ ./cmd/...

# The date on the man pages is that of the last commit: the same sources give the same pages.
docs: ## make the man pages and the completion scripts into bin/share
	@rm -rf bin/share && mkdir -p bin/share
	@export SOURCE_DATE_EPOCH=$${SOURCE_DATE_EPOCH:-$$(git log -1 --format=%ct 2>/dev/null)} GOOS= GOARCH= CGO_ENABLED=0; \
	for program in pifetchctl pifetchd; do \
	$(GO) run -buildvcs=false -tags docs -ldflags '-X main.version=$(VERSION)' ./cmd/$$program bin/share || exit 1; done

SHARE = $(DESTDIR)$(PREFIX)/share

# Units are not among it: pifetchctl service install writes them, with the agent
# directory and the PATH of whoever wants them.
install: build docs ## install both programs, man pages and completions: make install PREFIX=/usr/local
	install -d '$(DESTDIR)$(PREFIX)/bin' '$(SHARE)/man/man1' '$(SHARE)/bash-completion/completions' \
		'$(SHARE)/zsh/site-functions' '$(SHARE)/fish/vendor_completions.d' '$(SHARE)/pwsh/completions'
	install bin/pifetchd bin/pifetchctl '$(DESTDIR)$(PREFIX)/bin'
	install -m 644 bin/share/man1/*.1 '$(SHARE)/man/man1'
	install -m 644 bin/share/completions/pifetchctl.bash '$(SHARE)/bash-completion/completions/pifetchctl'
	install -m 644 bin/share/completions/_pifetchctl '$(SHARE)/zsh/site-functions'
	install -m 644 bin/share/completions/pifetchctl.fish '$(SHARE)/fish/vendor_completions.d'
	install -m 644 bin/share/completions/_pifetchctl.ps1 '$(SHARE)/pwsh/completions'

uninstall: ## remove what make install has put there: make uninstall PREFIX=/usr/local
	rm -f '$(DESTDIR)$(PREFIX)/bin/pifetchd' '$(DESTDIR)$(PREFIX)/bin/pifetchctl' \
		'$(SHARE)/man/man1/pifetchd.1' '$(SHARE)/man/man1/pifetchctl.1' '$(SHARE)/man/man1'/pifetchctl-*.1 \
		'$(SHARE)/bash-completion/completions/pifetchctl' '$(SHARE)/zsh/site-functions/_pifetchctl' \
		'$(SHARE)/fish/vendor_completions.d/pifetchctl.fish' '$(SHARE)/pwsh/completions/_pifetchctl.ps1'

demo: ## set up Chrome, fetch a demo site on loopback, show the digest and check the files
	@sh test/setup.sh chrome
	@$(MAKE) --no-print-directory build
	@$(GO) run -buildvcs=false ./internal/demosite/demo -bin bin

fetch: ## fetch a page with your own daemon: make fetch URL=https://example.com/
	@test -n "$$URL" || { echo 'make fetch: URL is missing: make fetch URL=https://example.com/' >&2; exit 2; }
	@sh test/setup.sh chrome
	@$(MAKE) --no-print-directory build
	@bin/pifetchctl fetch "$$URL"

# What the tests need, and may not skip. systemd's tools look at its units,
# where there are some or Debian's can be installed; macOS has none.
NEEDS   := chrome xvfb gcc npm git
REQUIRE := chrome,xvfb,npm,git
ifneq ($(shell command -v systemd-analyze || command -v apt-get),)
NEEDS   += systemd
REQUIRE := $(REQUIRE),systemd
endif

test: setup ## set up what the tests need, then run all of them
	PIFETCH_REQUIRE=$(REQUIRE) $(GO) test -buildvcs=false -timeout 30m ./...

race: setup ## the same with the race detector
	CGO_ENABLED=1 PIFETCH_REQUIRE=$(REQUIRE) $(GO) test -buildvcs=false -timeout 30m -race ./...

test-clients: ## only the tests of what agents use: the pi package, alone and in real pi, and MCP
	@sh test/setup.sh chrome xvfb npm
	@$(MAKE) --no-print-directory npm-deps
	PIFETCH_REQUIRE=chrome,xvfb,npm $(GO) test -buildvcs=false ./internal/agenttext ./test/pi ./cmd/pifetchctl
	PIFETCH_REQUIRE=chrome,xvfb,npm $(GO) test -buildvcs=false -timeout 20m -run '^Test(Pi|MCP)' ./test/e2e

pictures: setup ## draw the pictures of README from real runs of pi and pifetchctl; needs port 8080
	PIFETCH_REQUIRE=chrome,npm $(GO) test -buildvcs=false -run 'Picture$$' ./test/e2e -update

lint: ## vet for Linux and macOS, staticcheck, gofumpt
	$(GO) vet ./...
	GOOS=darwin CGO_ENABLED=0 $(GO) vet ./...
	$(GO) vet -tags docs ./cmd/pifetchctl ./cmd/pifetchd
	$(GO) run $(STATICCHECK) ./...
	@files=$$($(GO) run $(GOFUMPT) -l .) || exit 1; \
	if test -n "$$files"; then printf 'not formatted (make fix does it):\n%s\n' "$$files" >&2; exit 1; fi

fix: ## rewrite old Go idioms and format
	$(GO) fix ./...
	$(GO) run $(GOFUMPT) -w .

train: ## learn the weights of the extraction from pages with known content: make train CORPUS=DIR
	@test -n '$(CORPUS)' || { echo 'make train: CORPUS is missing: a folder with manifest.jsonl, see docs/architecture.md' >&2; exit 2; }
	$(GO) run -buildvcs=false ./fetchers/local/extract/train -corpus '$(CORPUS)' -cv -out fetchers/local/extract/weights.bin

bench-extract: ## score and time the extraction on such pages: make bench-extract CORPUS=DIR
	@if test -f '$(CORPUS)/manifest.jsonl'; then $(GO) run -buildvcs=false ./fetchers/local/extract/train -corpus '$(CORPUS)'; \
	else echo 'make bench-extract: no corpus: CORPUS=DIR names a folder with manifest.jsonl, see docs/architecture.md'; fi

setup: ## install what is missing for the tests: Chrome, Xvfb, gcc, git, systemd's tools, npm and its packages
	@sh test/setup.sh $(NEEDS)
	@$(MAKE) --no-print-directory npm-deps

npm-deps: test/npm/node_modules/.package-lock.json ## install the npm packages that the tests use into an ignored folder

test/npm/node_modules/.package-lock.json: test/npm/package-lock.json
	npm ci --prefix test/npm --ignore-scripts --no-audit --no-fund --loglevel=error
	@rm -f test/npm/node_modules/@octokit/openapi/generated/ghe*.json test/npm/node_modules/@octokit/openapi/generated/*.deref.json # 370 MB nobody reads
	@touch $@

# Equal bytes from equal commits: the environment's wishes for code generation
# are set aside, and all files are as old as the commit. What make install puts
# below share is in the packages, too.
DIST_TARGETS := darwin-amd64 darwin-arm64 linux-amd64 linux-arm64
RELEASE_URL  ?= https://pifetch.invalid/releases/$(VERSION)
SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || echo 0)
# Of the .debs: whoever made the last commit.
MAINTAINER   ?= $(shell git log -1 --format='%an <%ae>' 2>/dev/null)

dist: ## pack archives, .debs, checksums and a Homebrew formula into dist/: make dist RELEASE_URL=https://…
	rm -rf dist
	@$(MAKE) --no-print-directory install DESTDIR=dist/root PREFIX=
	@set -e; for target in $(DIST_TARGETS); do echo "building for $$target"; \
	GOFLAGS= GOEXPERIMENT= GOFIPS140=off GOAMD64=v1 GOARM64=v8.0 CGO_ENABLED=0 GOOS=$${target%-*} GOARCH=$${target#*-} \
	$(GO) build -trimpath -buildvcs=false -ldflags '$(LDFLAGS)' -o dist/build/$$target/ ./cmd/...; done
	@$(GO) run -buildvcs=false ./internal/dist -version '$(VERSION)' -time $(SOURCE_DATE_EPOCH) -url '$(RELEASE_URL)' -maintainer '$(subst ','\'',$(MAINTAINER))' -builds dist/build -share dist/root/share -out dist
	@rm -rf dist/build dist/root

clean: ## remove what was built
	rm -rf bin dist

.PHONY: help build docs install uninstall demo fetch test race test-clients pictures lint fix train bench-extract setup npm-deps dist clean
