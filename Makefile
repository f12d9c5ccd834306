# The commands of the project. `make` alone lists them.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := help

# One way of compiling for the program, its tests and the linters: what they share is compiled once. Without nodynamic
# the AVIF encoder would look for a library of the system, and the program need a dynamic linker.
export CGO_ENABLED := 0
export GOFLAGS := -trimpath -tags=nodynamic

VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo devel)
GO_FILES := $(wildcard *.go) handlers i18n internal static tools views
# What the scripts and styles are built from. Tailwind reads the class names in views.
ASSET_SOURCES := tailwind.config.js package.json $(shell find islands scripts static views -type f \
	-not -path 'static/dist/*' -not -name '*.go' -not -name '*.out.css' -not -name '*.test.ts*')

.PHONY: help
help: ## lists the commands
	@grep -hE '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z0-9-]+):.*## /  make \1\t/' | expand -t 20

.PHONY: run
run: build ## builds what is missing and serves the site on http://localhost:8080 with demo content
	exec bin/zedcard serve

.PHONY: build
build: static/dist/manifest.json templates ## one self-contained binary, bin/zedcard
	go build -ldflags '-s -w -X main.version=$(VERSION)' -o bin/zedcard .

.PHONY: dev
dev: node_modules/.package-lock.json ## live reload of templates, islands, styles and translations
	exec node scripts/dev.mjs

# The figures of one machine and one hour only compare with each other: docs/performance.md.
.PHONY: bench
bench: build bench-tools ## cached pages beside nginx and net/http, uncached ones with 1,000 and 100,000 talents
	go test ./e2e/bench -run '^$$' -bench . -benchtime 3x -timeout 30m
	go test ./handlers -run '^$$' -bench Page -benchtime 300x -timeout 30m

.PHONY: bench-tools
bench-tools:
	@command -v wrk >/dev/null || { $(call debian,wrk,The benchmarks) || true; }
	@command -v nginx >/dev/null || { $(call debian,nginx-light,The benchmarks) || true; }

.PHONY: test
test: build ## everything that CI runs; the browser tests alone, because some of them assert time
	@$(MAKE) --jobs=2 --output-sync=line test-slow test-race check-go check-js test-js
	@$(MAKE) e2e

.PHONY: check-go
check-go: templates ## formatting, vet and lint of Go
	@unformatted=$$(gofmt -l $(GO_FILES)); [ -z "$$unformatted" ] || \
		{ echo "not formatted, see make fmt:" $$unformatted; exit 1; }
	go build -C tools -buildvcs=false -o ../bin/lint ./lint # the same program for each commit: go vet caches results
	go vet -vettool=$(CURDIR)/bin/lint $(LINT_WITHOUT:%=-%=false) ./...

# staticcheck analyzes the source of every dependency, too: some 450 s of processor time, of them SQLite 180.
.PHONY: lint-deep
lint-deep: templates ## staticcheck with all that it learns from dependencies (see tools/lint)
	go tool -modfile=tools/go.mod staticcheck -checks "all$(LINT_WITHOUT:%=,-%)" ./...

# It is no tool of tools/go.mod, because it needs many modules more: clients of language models.
.PHONY: gosec
gosec: ## security lint; fails on any report
	go run github.com/securego/gosec/v2/cmd/gosec@v2.30.0 -quiet ./...

# It asks for a comment of each package's tests, too.
LINT_WITHOUT := ST1000

.PHONY: check-js
check-js: node_modules/.package-lock.json ## formatting, types and lint of TypeScript and CSS; the length of every line
	npm run --silent format:check
	npm run --silent typecheck
	npm run --silent lint

.PHONY: test-go
test-go: test-race test-slow ## Go tests, with the race detector but for the slow ones

# check-go has vetted. Without GORACE each program with the race detector sleeps for a second before it exits.
.PHONY: test-race
test-race: static/dist/manifest.json templates postgresql caddy
	CGO_ENABLED=1 GORACE=atexit_sleep_ms=0 go test -race -short -vet=off ./...

# Tests that skip themselves with -short take ten times longer with the race detector and look for no race: they run
# once, without it.
SLOW = $(shell grep -rhA1 --include=*_test.go '^func Test' handlers i18n internal views | \
	grep -B1 'testing\.Short()' | sed -n 's/^func \(Test[A-Za-z0-9]*\).*/\1/p' | paste -sd'|')

.PHONY: test-slow
test-slow: static/dist/manifest.json templates postgresql caddy
	go test -vet=off ./handlers ./i18n ./internal/... ./views -run '^($(SLOW))$$'

.PHONY: fuzz
fuzz: ## every fuzz target for half a minute
	@failed=0; for file in $$(grep -rl --include=*_test.go '^func Fuzz' handlers internal); do \
		for target in $$(sed -n 's/^func \(Fuzz[A-Za-z]*\).*/\1/p' "$$file"); do \
			go test "./$$(dirname "$$file")" -run '^$$' -fuzz "^$$target\$$" \
				-fuzztime 30s -fuzzminimizetime 5s || failed=1; \
		done; \
	done; exit $$failed

.PHONY: release
release: static/dist/manifest.json templates ## archives, Debian packages, sums and SBOM in bin/release
	VERSION=$(VERSION) scripts/release.sh

.PHONY: test-js
test-js: node_modules/.package-lock.json ## unit tests of the islands
	npm test --silent

.PHONY: e2e
e2e: build chromium .cache/e2e ## browser tests
	npm run --silent e2e

# The demo's first pictures, with which every site of a browser test begins.
.cache/e2e: $(wildcard internal/media/*.go internal/picture/*.go) | build fake
	@rm -rf $@
	MEDIA_AVIF=false bin/zedcard media warm --covers \
		--data-dir $@ --database-url sqlite:$@/zedcard.db --log-level error >/dev/null
	@touch $@

.PHONY: fake
fake:
	go build -o bin/fake ./e2e/fake

# Each row is one build of the islands; the last is what is shipped, so that it stays.
.PHONY: e2e-react
e2e-react: build chromium .cache/e2e ## browser tests of the islands with React (production, development) and as shipped
	@for react in production development shipped; do \
		node scripts/build.mjs --react=$$react && go build -o bin/zedcard-react . || exit 1; \
		echo "# islands with $$react"; \
		ZEDCARD=bin/zedcard-react ISLANDS=$$react node --import tsx --test --test-concurrency=1 \
			$(addprefix e2e/,$(addsuffix .test.ts,$(ISLAND_TESTS))) || failed=1; \
	done; exit $${failed:-0}

ISLAND_TESTS := home cards favorites dock lightbox profile casting forms coach media

.PHONY: inp
inp: build chromium .cache/e2e ## from a press to the next paint on a processor six times slower (see e2e/inp.ts)
	node --import tsx e2e/inp.ts

.PHONY: nav
nav: build chromium .cache/e2e ## from a click to the next page on slow lines, beside AGAINST (see e2e/nav.ts)
	AGAINST=$(AGAINST) node --import tsx e2e/nav.ts

.PHONY: task
task: build chromium .cache/e2e ## clicks, seconds and scripts of a casting director's task (see e2e/task.ts)
	node --import tsx e2e/task.ts

.PHONY: pictures
pictures: build chromium .cache/e2e ## pictures of every screen into OUT, compared with AGAINST (see e2e/pictures.ts)
	node --import tsx e2e/pictures.ts $(if $(OUT),--out $(OUT)) $(if $(AGAINST),--against $(AGAINST)) \
		$(if $(BINARY),--binary $(BINARY)) $(if $(SCREENS),--screens "$(SCREENS)") \
		$(if $(WIDTHS),--widths "$(WIDTHS)") $(if $(LANGS),--langs "$(LANGS)") $(if $(STRIP),--strip)

# What the tests need of Debian is installed where it is missing and we are root.
.PHONY: chromium
chromium:
	@command -v chromium-headless-shell >/dev/null || \
		{ $(call debian,chromium-headless-shell,The browser tests); } || command -v chromium >/dev/null

.PHONY: postgresql
postgresql:
	@command -v initdb >/dev/null || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || \
		{ $(call debian,postgresql,The database tests) || echo "Without it their half on PostgreSQL is skipped"; }

.PHONY: caddy
caddy: | postgresql # apt-get is not run twice at once
	@command -v caddy >/dev/null || \
		{ $(call debian,caddy,The tests of two replicas); } || echo "Without it that test is skipped"

# $(call debian,PACKAGE,WHO) fails where it may not install.
define debian
if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	echo "$(2) need $(1): installing Debian's package with apt-get"; \
	apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends $(1); \
else \
	echo "$(2) need $(1), and only root may install it: sudo apt-get install $(1)"; false; \
fi
endef

.PHONY: fmt
fmt: node_modules/.package-lock.json ## formats everything
	gofmt -w $(GO_FILES)
	go tool templ fmt -log-level error views
	npm run --silent format

.PHONY: lint
lint: check-go check-js ## formatting, vet, lint and types

.PHONY: templates
# *_templ.go, which are not in git.
templates: .cache/templates
.cache/templates: go.mod $(shell find views -type d -o -name '*.templ')
	go tool templ generate -log-level error
	@mkdir -p $(@D) && touch $@

# npm writes this file at the end of an installation.
node_modules/.package-lock.json: package-lock.json
	@echo "Installing what scripts, styles and their tests need (npm ci)"
	npm ci --no-audit --no-fund
	@touch $@

static/dist/manifest.json: node_modules/.package-lock.json $(ASSET_SOURCES)
	npm run --silent build
	@touch $@
