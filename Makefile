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
# The build that `make bench` compares with: moved by hand, when a loss of speed is decided.
REFERENCE := 03d9b11
GO_FILES := $(wildcard *.go) handlers i18n internal static tools views
# What the scripts and styles are built from. Tailwind reads the class names in views.
ASSET_SOURCES := tailwind.config.js package.json $(shell find islands scripts static views -type f \
	-not -path 'static/dist/*' -not -name '*.go' -not -name '*.out.css' -not -name '*.test.ts*')

.PHONY: help run build dev test check-go check-js test-go test-js e2e e2e-react fuzz bench inp nav \
	task pictures fmt lint lint-deep gosec vuln release release-check templates fake chromium engines postgresql caddy
help: ## lists the commands
	@grep -hE '^[a-z0-9 -]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z0-9 -]+):.*## /  make \1\t/' | expand -t 22

run: build ## builds what is missing and serves the site on http://localhost:8080 with demo content
	exec bin/zedcard serve
build: static/dist/manifest.json templates ## one self-contained binary, bin/zedcard
	go build -ldflags '-s -w -X main.version=$(VERSION)' -o bin/zedcard .
dev: node_modules/.package-lock.json ## live reload of templates, islands, styles and translations
	exec node scripts/dev.mjs

test: ## everything that CI runs
	.ci/run
check-go: templates ## formatting, vet and lint of Go
	@unformatted=$$(gofmt -l $(GO_FILES)); [ -z "$$unformatted" ] || { echo "see make fmt:" $$unformatted; exit 1; }
	go build -C tools -buildvcs=false -o ../bin/lint ./lint # the same program for each commit: go vet caches results
	go vet -vettool=$(CURDIR)/bin/lint -ST1000=false ./... # which asks for a comment of each package's tests, too
check-js: node_modules/.package-lock.json ## formatting, types and lint of TypeScript and CSS; the length of every line
	npm run --silent format:check
	npm run --silent typecheck
	npm run --silent lint
# The race detector makes what only computes five to thirty times slower, and finds nothing there. It watches all
# else; without it in crypto, compress, brotli or klauspost/compress, whose locks it needs to see, it gave false alarms,
# and so did any sync.Map while it did not watch those of wazero 1.9.0 that have one: the linker takes one copy of that
# code for all packages. With it, internal/picture's processes reach their bound of processor time.
UNWATCHED := modernc.org github.com/gen2brain image golang.org/x/image codeberg.org/go-pdf/fpdf \
	$(addprefix github.com/tetratelabs/wazero/internal/engine/wazevo/,backend frontend ssa) zedcard/internal/picture
# check-go has vetted. Without GORACE each program with the race detector sleeps for a second before it exits.
test-go: static/dist/manifest.json templates postgresql caddy ## Go tests, with the race detector
	CGO_ENABLED=1 GORACE=atexit_sleep_ms=0 go test -race -vet=off \
		$(patsubst %,-gcflags=%/...=-race=false,$(UNWATCHED)) ./...
test-js: node_modules/.package-lock.json ## unit tests of the islands
	npm test --silent
e2e: build chromium engines .cache/e2e ## browser tests, all in one process (see e2e/all.ts)
	npm run --silent e2e
# Each row is one build of the islands; the last is what is shipped, so that it stays.
e2e-react: build chromium .cache/e2e ## browser tests of the islands with React (production, development) and as shipped
	@for react in production development shipped; do echo "# islands with $$react"; \
		node scripts/build.mjs --react=$$react && go build -o bin/zedcard-react . || exit 1; \
		ZEDCARD=bin/zedcard-react ISLANDS=$$react node --import tsx --test --test-concurrency=1 \
			$(patsubst %,e2e/%.test.ts,$(ISLAND_TESTS)) || failed=1; \
	done; exit $${failed:-0}
ISLAND_TESTS := home cards favorites dock lightbox profile casting forms coach media
fuzz: ## every fuzz target for half a minute
	@failed=0; for file in $$(grep -rl --include=*_test.go '^func Fuzz' handlers internal); do \
		for target in $$(sed -n 's/^func \(Fuzz[A-Za-z]*\).*/\1/p' "$$file"); do \
			go test "./$$(dirname "$$file")" -run '^$$' -fuzz "^$$target\$$" -fuzztime 30s || failed=1; \
		done; \
	done; exit $$failed

# The figures of one machine and one hour only compare with each other: docs/performance.md.
bench: build ## cached pages beside nginx and net/http, uncached ones, and all beside the build of REFERENCE
	@scripts/debian.sh wrk wrk "The benchmarks"
	@scripts/debian.sh nginx nginx-light "The benchmarks" || true
	go test ./e2e/bench -run '^$$' -bench . -benchtime 3x -timeout 30m
	go test ./handlers -run '^$$' -bench Page -benchtime 300x -timeout 30m
	node e2e/bench/reference.mjs $(REFERENCE)
inp nav task: build chromium .cache/e2e ## press to paint; click to next page beside AGAINST; a casting director's task
	AGAINST=$(AGAINST) node --import tsx scripts/$@.ts
pictures: build chromium .cache/e2e ## pictures of every screen into OUT, beside AGAINST (see scripts/pictures.ts)
	node --import tsx scripts/pictures.ts $(if $(OUT),--out $(OUT)) $(if $(AGAINST),--against $(AGAINST)) \
		$(if $(BINARY),--binary $(BINARY)) $(if $(SCREENS),--screens "$(SCREENS)") \
		$(if $(WIDTHS),--widths "$(WIDTHS)") $(if $(LANGS),--langs "$(LANGS)") $(if $(STRIP),--strip)

fmt: node_modules/.package-lock.json ## formats everything
	gofmt -w $(GO_FILES)
	go tool templ fmt -log-level error views
	npm run --silent format
lint: check-go check-js ## formatting, vet, lint and types
lint-deep: templates ## staticcheck with all that it learns from dependencies, which takes minutes (see tools/lint)
	go tool -modfile=tools/go.mod staticcheck -checks "all,-ST1000" ./...
gosec: ## security lint; no tool of tools/go.mod, because it needs many modules more
	go run github.com/securego/gosec/v2/cmd/gosec@v2.30.0 -quiet ./...
# The database is asked for first, so that one line says why nothing was checked.
vuln: static/dist/manifest.json templates ## known vulnerabilities in what the program calls of others
	@db=$${GOVULNDB:-https://vuln.go.dev}; curl -sfLo /dev/null -m 20 $$db/index/modules.json || { \
		echo "The database of vulnerabilities, $$db, can't be reached, so nothing was checked"; exit 1; }
	go run golang.org/x/vuln/cmd/govulncheck@v1.8.0 ./...
release: static/dist/manifest.json templates ## bin/release: archives, Debian packages, SBOM; sums, signed with SIGN_KEY
	VERSION=$(VERSION) scripts/release.sh
release-check: ## whether two clones of this commit give the same release, which takes minutes
	VERSION=$(VERSION) scripts/release-check.sh

templates: .cache/templates # *_templ.go, which are not in git
.cache/templates: go.mod $(shell find views -type d -o -name '*.templ')
	go tool templ generate -log-level error
	@mkdir -p $(@D) && touch $@
static/dist/manifest.json: node_modules/.package-lock.json $(ASSET_SOURCES)
	npm run --silent build
	@touch $@
node_modules/.package-lock.json: package-lock.json # npm writes it at the end of an installation
	npm ci --no-audit --no-fund
	@touch $@
# The demo's first pictures, with which every site of a browser test begins.
.cache/e2e: $(wildcard internal/media/*.go internal/picture/*.go) | build fake
	@rm -rf $@
	MEDIA_AVIF=false bin/zedcard media warm --covers \
		--data-dir $@ --database-url sqlite:$@/zedcard.db --log-level error >/dev/null
	@touch $@
fake: ; go build -o bin/fake ./e2e/fake
chromium:
	@command -v chromium >/dev/null || scripts/debian.sh chromium-headless-shell chromium-headless-shell "Browser tests"
engines:
	@scripts/debian.sh firefox-esr firefox-esr "The tests in Firefox" || true
	@scripts/debian.sh WebKitWebDriver "webkit2gtk-driver xvfb python3-gi gir1.2-webkit2-4.1" "Tests in WebKit" || true
postgresql caddy: # without them their tests are skipped
	@scripts/debian.sh $(if $(filter caddy,$@),caddy,initdb) $@ "Some Go tests" || true
