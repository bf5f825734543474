# pitwire: everything a newcomer or CI calls. Needs Python >= 3.11, pip >= 22.3 and make.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed

.PHONY: run test test-debian quick lint bench oracle schema contract-tools lock clean

run: $(STAMP) ## watch a shoe and a wheel deal real rounds, until Ctrl-C
	@$(BIN)/pitwire demo

test: $(STAMP) lint contract-tools ## everything: house rules, laws, real processes
	$(BIN)/python -P -m pytest

VERSION ?= 13
test-debian: ## everything on another Debian, 12 or 13, in a root of its own (as root, with mmdebstrap)
	.ci/debian $(VERSION)

quick: $(STAMP) ## the tests that take less than a few seconds each
	$(BIN)/python -P -m pytest -m "not slow"

lint: $(STAMP) ## style, types, walls between the rooms
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(STAMP) ## frames per second, damage that goes unseen, 64 tables on one PC, drift watch, then latency and a burst against the bare floor, and a backlog
	$(BIN)/python -P bench/decode_rate.py
	PYTHONPATH=bench $(BIN)/python -P bench/wrong_accepts.py
	$(BIN)/python -P bench/many_tables.py
	$(BIN)/python -P bench/drift.py
	$(BIN)/python -P bench/latency.py
	$(BIN)/python -P bench/latency.py --burst
	PYTHONPATH=tests $(BIN)/python -P bench/backlog.py --events 20000

oracle: $(STAMP) ## a million rounds of blackjack against the oracle, then dealers who err
	PYTHONPATH=tests $(BIN)/python -P bench/blackjack_oracle.py

schema: $(STAMP) ## write the published contract again, its examples from a run of the demo's games
	PYTHONPATH=tests $(BIN)/python -m support.contract_messages
	$(BIN)/pitwire schema --into docs

# Other people's tools that the contract is tried with (tests/contract), and what the TypeScript client
# needs (clients/typescript). Without npm, or without a registry, their tests are skipped.
NODE_STAMP := .node/.installed
CLIENT_STAMP := clients/typescript/node_modules/.installed
contract-tools: ## what tests/contract and clients/typescript need of Node, where there is npm
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory $(NODE_STAMP) $(CLIENT_STAMP); \
	else echo "there is no npm: tests/contract/test_tools.py and test_typescript.py are skipped"; fi

$(NODE_STAMP): tests/contract/package.json tests/contract/package-lock.json
	@rm -rf .node && mkdir .node && cp $^ .node
	@if npm ci --prefix .node --ignore-scripts --no-audit --no-fund --silent \
	  --fetch-retries 1 --fetch-timeout 20000; then touch $@; \
	else rm -rf .node && echo "npm cannot install: the tests of tests/contract/test_tools.py are skipped"; fi

$(CLIENT_STAMP): clients/typescript/package.json clients/typescript/package-lock.json
	@if npm ci --prefix clients/typescript --ignore-scripts --no-audit --no-fund --silent \
	  --fetch-retries 1 --fetch-timeout 20000; then touch $@; \
	else rm -rf $(@D) && echo "npm cannot install: the tests of the TypeScript client are skipped"; fi

# The lock holds every package with its hashes: dev tools and the build backend included. The
# system's pip fills the venv: Debian's python3 cannot make one with a pip of its own.
PIP := $(PYTHON) -m pip --python $(BIN)/python --quiet --disable-pip-version-check install
$(STAMP): requirements.lock pyproject.toml
	$(PYTHON) -m venv --without-pip $(VENV)
	$(PIP) --require-hashes -r requirements.lock
	$(PIP) --no-deps --no-build-isolation -e .
	@touch $@

DEV := import tomllib; p = tomllib.load(open("pyproject.toml", "rb")); \
  print(*p["dependency-groups"]["dev"], *p["build-system"]["requires"], "editables", sep="\n")
lock: ## pin again, with hashes (needs pip-tools)
	$(PYTHON) -c '$(DEV)' | $(PYTHON) -m piptools compile --quiet --generate-hashes --strip-extras \
	  --allow-unsafe --no-header --no-annotate --no-emit-index-url --no-emit-find-links \
	  --no-emit-trusted-host --extra embedded --extra dbc --extra mqtt --output-file requirements.lock pyproject.toml -

clean:
	rm -rf $(VENV) .node clients/typescript/node_modules clients/typescript/dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
