# pitwire: everything a newcomer or CI calls. Needs Python >= 3.11, pip >= 22.3 and make.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed

.PHONY: run test test-debian quick lint bench oracle schema lock clean

run: $(STAMP) ## watch a shoe and a wheel deal real rounds, until Ctrl-C
	@$(BIN)/pitwire demo

test: $(STAMP) lint ## everything: house rules, laws, real processes
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

bench: $(STAMP) ## frames per second, damage that goes unseen, 64 tables on one PC, drift watch, then latency against the bare floor
	$(BIN)/python -P bench/decode_rate.py
	$(BIN)/python -P bench/wrong_accepts.py
	$(BIN)/python -P bench/many_tables.py
	$(BIN)/python -P bench/drift.py
	$(BIN)/python -P bench/latency.py

oracle: $(STAMP) ## a million rounds of blackjack against the oracle, then dealers who err
	PYTHONPATH=tests $(BIN)/python -P bench/blackjack_oracle.py

schema: $(STAMP) ## write the published contract again
	$(BIN)/pitwire schema --into docs

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
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
