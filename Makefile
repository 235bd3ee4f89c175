# One command for each thing. `.venv` is made from requirements.lock, and patstone is installed into it as a user would
# install it: tests and tools meet the built package, never the source folder.

PYTHON ?= python3
PATSTONE_SAMPLES ?= ../shared/data
ARGS ?=

BIN := .venv/bin
TOOLS := .venv/.tools
INSTALLED := .venv/.installed
PEERS := .venv-bench/.tools
NEURAL_BIN := .venv-neural/bin
NEURAL := .venv-neural/.tools
# Folders count as sources too: deleting or adding a module touches its folder.
SOURCES := pyproject.toml README.md LICENSE $(shell find src -name __pycache__ -prune -o -name '*.egg-info' -prune -o -print)

.PHONY: help setup demo test test-samples test-neural check bench docs judge clean

help:
	@echo "make setup         the development environment in .venv"
	@echo "make demo          the whole flow on bundled samples"
	@echo "make test          every test but those on real data"
	@echo "make test-samples  tests on the real data in PATSTONE_SAMPLES ($(PATSTONE_SAMPLES))"
	@echo "make test-neural   tests of networks, in an environment of their own with torch"
	@echo "make check         style, types, layers, spelling, dead code"
	@echo "make bench         side by side with peers, into bench/RESULTS.md"
	@echo "make docs          the generated reference pages"
	@echo "make judge         train the judge that comes in the wheel"

setup: $(INSTALLED)

demo: $(INSTALLED)
	@$(BIN)/patstone demo --out patstone-demo $(ARGS)

test: $(INSTALLED)
	@.ci/packages
	@$(BIN)/pytest -n auto -m "not samples and not neural" $(ARGS)

test-samples: $(INSTALLED)
	@test -d "$(PATSTONE_SAMPLES)" || { \
	  echo "No sample data at $(PATSTONE_SAMPLES): point PATSTONE_SAMPLES at the folder that holds it." >&2; exit 1; }
	@PATSTONE_SAMPLES="$(abspath $(PATSTONE_SAMPLES))" $(BIN)/pytest -m samples $(ARGS)

test-neural: $(NEURAL)
	@$(NEURAL_BIN)/pip install --quiet --disable-pip-version-check --no-deps --force-reinstall .
	@$(NEURAL_BIN)/pytest -m neural tests/neural $(ARGS)

check: $(INSTALLED)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/codespell
	$(BIN)/vulture
	$(BIN)/pytest -q tests/test_house.py

bench: $(INSTALLED) $(PEERS)
	$(BIN)/python -m bench.ranking $(ARGS)
	$(BIN)/python -m bench.comparison
	$(BIN)/python -m bench.hierarchy
	$(BIN)/python -m bench.classes
	$(BIN)/python -m bench.search
	$(BIN)/python -m bench.training
	$(BIN)/python -m bench.numbers
	$(BIN)/python -m bench.families
	PATSTONE_SAMPLES="$(abspath $(PATSTONE_SAMPLES))" $(BIN)/python -m bench.claims
	$(BIN)/python -m bench.judges
	$(BIN)/python -m bench.convert

docs: $(INSTALLED)
	$(BIN)/python -m patstone.cli.reference docs/reference

# From the claims of the public US samples and invented ones; only weights come out of it.
judge: $(INSTALLED)
	$(BIN)/python -m patstone.experiments.shipping "$(PATSTONE_SAMPLES)/samples/uspto"

clean:
	rm -rf .venv .venv-bench .venv-neural .bench build patstone-demo src/*.egg-info .mypy_cache .ruff_cache .hypothesis .import_linter_cache

$(TOOLS): requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "patstone needs Python 3.11 or later: install it, or name it with make PYTHON=/path/to/python3." >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { \
	  echo "Python's venv module is missing: apt-get install python3-venv, then run make again." >&2; exit 1; }
	@test -x $(BIN)/pip || $(PYTHON) -m venv --clear .venv
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-deps -r requirements.lock
	@$(BIN)/pip check --disable-pip-version-check > /dev/null || { $(BIN)/pip check; exit 1; }
	@touch $@

# An old build folder would bring deleted modules back.
$(INSTALLED): $(TOOLS) $(SOURCES)
	@rm -rf build
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --force-reinstall .
	@rm -rf build
	@touch $@

$(PEERS): bench/requirements.txt
	@$(PYTHON) -m venv --clear .venv-bench
	@.venv-bench/bin/pip install --quiet --disable-pip-version-check -r bench/requirements.txt
	@touch $@

# torch is two gigabytes: not in the lock, and made only for those who ask.
$(NEURAL): pyproject.toml
	@test -x $(NEURAL_BIN)/pip || $(PYTHON) -m venv --clear .venv-neural
	@$(NEURAL_BIN)/pip install --quiet --disable-pip-version-check '.[neural,train]' pytest hypothesis
	@touch $@
