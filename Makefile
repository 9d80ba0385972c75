# Two commands do everything: `make run` and `make test`.

DATA ?= data
# How long each reader is fed; a frame may be long enough to say too much.
SECONDS_EACH ?= 600
# Requests of each kind that the outside tool makes up for one address.
EXAMPLES ?= 200
# Models that are fetched: what they are for is off without them.
ASSETS ?= assets
# The small model that is run in the process (`make local`).
SMALL = $(abspath $(ASSETS))/smollm2/SmolLM2-135M-Instruct.Q4_1.gguf
# In tests the server can kill itself, and in a bench wait, at a moment of their choice.
PERILS := sayso-server/perils
# Where the tests' binary is. Whatever tests use is built for the whole workspace at once:
# built for one crate alone, the same libraries would be compiled again.
BUILT := $(or $(CARGO_TARGET_DIR),target)/debug
SHELL := /bin/bash
.DEFAULT_GOAL := help

.PHONY: help run build test check talk schema bench proof figures fuzz mutants outsider clients local tools assets web surface soak gallery picture fixtures

help: ## Show this list
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | sort | column -t -s $$'\t'

run: build ## Build Sayso and start it with sample data; prints the address
	@command -v python3 >/dev/null && scripts/assets --optional --dir $(ASSETS) || \
		echo "Going on without the models: python3 is needed to fetch them."
	@exec target/release/sayso serve --demo --data $(DATA) --assets $(ASSETS)

build: tools
	@echo "Building Sayso. The first time takes a few minutes; later it is quick."
	@started=$$(date +%s); cargo build --release --locked -p sayso-server && \
		echo "Built in $$(( $$(date +%s) - started )) s."

assets: ## Fetch the models of assets.toml, each checked against its SHA-256
	@scripts/need python3 pip npm
	@scripts/assets --dir $(ASSETS)

test: check assets ## What every commit passes: check, then all tests and talks
	@started=$$(date +%s); SAYSO_TEST_ASSETS=$(abspath $(ASSETS)) \
		cargo test --workspace --features $(PERILS) --locked --no-fail-fast && \
		echo "All tests passed in $$(( $$(date +%s) - started )) s."
	@$(MAKE) --no-print-directory surface
	@$(MAKE) --no-print-directory figures

web/node_modules: web/package.json web/package-lock.json
	@scripts/need node npm
	cd web && npm ci --no-audit --no-fund && touch node_modules

web: web/node_modules ## Build the pages of web/ into web/dist, which the binary carries
	cd web && npm run --silent build

surface: web/node_modules ## The pages: types, lints, tests, freshness, sizes, and people using them
	cd web && npm run --silent types && npm run --silent lint && npm run --silent test
	cd web && npm run --silent fresh && npm run --silent budgets
	cargo test --workspace --features $(PERILS) --locked --no-run --quiet
	scripts/chromium
	cd web && npm run --silent gallery && SAYSO_BIN=$(abspath $(BUILT))/sayso \
		SAYSO_ASSETS=$(abspath $(ASSETS)) npm run --silent e2e

gallery: web/node_modules ## Pictures of every part in every state, into web/.gallery/shots
	mkdir -p web/.gallery && cd web && npm run --silent gallery && mkdir -p .gallery/shots && \
		SHOTS=.gallery/shots npm run --silent e2e gallery

picture: web/node_modules ## Take the picture in the README again, of a real conversation
	cd web && SAYSO_BIN=$(abspath $(BUILT))/sayso \
		SAYSO_ASSETS=$(abspath $(ASSETS)) node e2e/picture.mjs

fixtures: tools ## Rewrite what the web client is tested with, from talks
	BLESS=1 cargo test --locked -p sayso-testkit --test fixtures

figures: ## Print how well sentences, times and names are read
	@cargo test --workspace --features $(PERILS) --locked --no-run --quiet
	@cargo test --workspace --features $(PERILS) --locked --quiet --test times --test names -- \
		--nocapture | grep -oE "(times: .*|[0-9]+ names: [0-9]+ of .*|[0-9]+ names out of .*)"
	@$(BUILT)/sayso understand --corpus
	@SAYSO_TEST_ASSETS=$(abspath $(ASSETS)) cargo test --workspace --features $(PERILS) --locked \
		--quiet --test recall -- --nocapture | grep -oE "memories( by their words alone)?: .*"

check: tools ## Format, lints, documentation, freshness of schema and types
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --features $(PERILS) --locked -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked --quiet
	cargo test --workspace --features $(PERILS) --locked --quiet --test golden

talk: tools ## Run talks/*.talk; BLESS=1 rewrites what they expect
	$(if $(BLESS),BLESS=1) cargo test --locked -p sayso-testkit --test talks -- --nocapture

schema: tools ## Rewrite the exported schema, types and documented frames
	BLESS=1 cargo test --locked -p sayso-wire --test golden

bench: tools ## Measure speed and memory next to a bare echo in the same run
	cargo bench --locked -p sayso-server --features $(PERILS) --bench house
	SAYSO_ASSETS=$(abspath $(ASSETS)) cargo bench --locked -p sayso-models --bench understanding
	SAYSO_ASSETS=$(abspath $(ASSETS)) cargo bench --locked -p sayso-testkit --bench memories
	cargo bench --locked -p sayso-reader --bench parsing
	@scripts/clips target/clips
	cargo run --release --locked -q -p sayso-server -- bench speech --clips target/clips \
		--assets $(ASSETS)
	cargo run --release --locked -q -p sayso-server -- understand --corpus --assets $(ASSETS)

proof: tools mutants fuzz outsider clients local ## What takes long: many deaths, many clients, rules that are changed
	cargo test --release --locked -p sayso-testkit --test crashes -- --ignored --nocapture \
		--test-threads 1
	cargo test --release --locked -p sayso-server --features $(PERILS) --test it -- --ignored \
		--nocapture --test-threads 1
	SAYSO_REPLAYS=3000 SAYSO_TEST_ASSETS=$(abspath $(ASSETS)) cargo test --release --locked \
		-p sayso-session --test it echo -- --nocapture
	@scripts/second-voice target/second-voice
	SAYSO_ANSWERS_EVERY=1 SAYSO_SECOND_VOICE=$(abspath target/second-voice) \
		SAYSO_TEST_ASSETS=$(abspath $(ASSETS)) cargo test --release --locked \
		-p sayso-session --test it consent -- --include-ignored --nocapture
	SAYSO_SECOND_VOICE=$(abspath target/second-voice) SAYSO_TEST_ASSETS=$(abspath $(ASSETS)) \
		cargo test --release --locked -p sayso-testkit --test talks_aloud --test other_minds -- \
		--ignored --nocapture
	@$(MAKE) --no-print-directory soak

soak: build web/node_modules ## Break the page's connection five hundred times; nothing twice, nothing lost
	scripts/chromium
	cd web && SAYSO_BIN=$${CARGO_TARGET_DIR:-$(CURDIR)/target}/release/sayso \
		SAYSO_ASSETS=$(abspath $(ASSETS)) node e2e/soak.mjs

fuzz: tools ## Feed the readers of sentences, times and frames whatever breaks them, SECONDS_EACH long
	@command -v cargo-fuzz >/dev/null || cargo install cargo-fuzz --locked
	@for reader in sentence:400 time:400 frame:40000 confirm:4000 cursor:400; do \
		RUSTC_BOOTSTRAP=1 cargo fuzz run --sanitizer none $${reader%:*} -- \
		-max_total_time=$(SECONDS_EACH) -max_len=$${reader#*:} -print_final_stats=1 || exit 1; done

mutants: tools ## Change the rules of the gate one by one; 95 of 100 changes must be noticed
	@command -v cargo-mutants >/dev/null || cargo install cargo-mutants --locked
	@scripts/mutants

outsider: build ## Let an outside tool try every address of /openapi.json
	@scripts/need python3 pip
	@scripts/outsider target/release/sayso --max-examples $(EXAMPLES)

clients: tools ## Let the official clients of OpenAI, Anthropic and Google talk to our fakes
	@scripts/need python3 pip
	@scripts/clients

local: tools ## Run the model in the process for real; prints tokens per second
	@scripts/need python3 pip
	@scripts/assets --group local --dir $(ASSETS)
	cargo clippy --workspace --all-targets --features $(PERILS),sayso-server/local-model --locked \
		-- -D warnings
	SAYSO_TEST_LOCAL_MODEL=$(SMALL) cargo test --release --locked -p sayso-local --test real -- \
		--ignored --nocapture --test-threads 1
	SAYSO_TEST_LOCAL_MODEL=$(SMALL) cargo test --workspace --locked \
		--features $(PERILS),sayso-server/local-model --test it -- --include-ignored --nocapture \
		in_process

tools:
	@scripts/need cargo rustc cc
