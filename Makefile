# The entry point: every target sets up what it needs first.
SHELL := bash
PYTHON ?= python3
CORES ?= $(shell getconf _NPROCESSORS_ONLN)
BIN := .venv/bin
# REAL=1: tests of real, open data run on a download of it, or on the folder that TUVOUS_MIRROR names.
REAL ?=
MIRROR = $(or $(TUVOUS_MIRROR),$(if $(REAL),build/mirror))
REAL_CORPORA := cocoa-mt diabla ntrex pt16 tatoeba tydip
SIDE_BY_SIDE := -n $(CORES) --no-loadscope-reorder
# What snakemake gets besides the target, for example: make results/table7.csv ARGS="--configfile mine.yaml --"
ARGS ?=

.PHONY: help setup test test-fast mutants stress real tools sources lint format lock configuration bench clean
.DEFAULT_GOAL := help

help:  ## this list
	@echo "usage: make TARGET [CORES=8] [PYTHON=python3.12] [ARGS='--configfile mine.yaml --']"
	@echo
	@echo "  results/table7.csv  any file that the workflow makes, with all the set-up it needs"
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  \1|\2/' | column -t -s '|'

setup: .venv/.main  ## the Python environment in .venv, from the pinned versions

# Any leaf: snakemake decides what is to be done, so make must always ask it.
results/%: .venv/.main FORCE
	@$(BIN)/snakemake --cores $(CORES) $(ARGS) $@

FORCE:

test: .venv/.dev tools $(if $(REAL),real)  ## all tests; with REAL=1 those of real data too, which are downloaded
	TUVOUS_MIRROR="$(MIRROR)" TUVOUS_REAL="$(REAL)" $(BIN)/python -m pytest $(SIDE_BY_SIDE)

test-fast: .venv/.dev $(if $(REAL),real)  ## the tests that train no model, build no tool and run no workflow
	TUVOUS_MIRROR="$(MIRROR)" TUVOUS_REAL="$(REAL)" $(BIN)/python -m pytest $(SIDE_BY_SIDE) -m "not slow"

# The modules one after the other, an hour or more in all; MODULES="control leaves": only these.
mutants: .venv/.dev  ## small changes of the numeric core that no test notices, of all or of MODULES="control edits"
	OMP_NUM_THREADS=1 $(BIN)/python -m tests.mutants $(MODULES)

stress: .venv/.dev tools  ## bad weather, in an hour or more: damaged inputs and states, hostile texts, kills (ARGS: python -m tests.stress --help)
	TUVOUS_STRESS='$(ARGS)' $(BIN)/python -m pytest -s -m stress tests/stress

# Resumed after a break; what is there and whole stays. A mirror is only read.
real: .venv/.main
	$(if $(TUVOUS_MIRROR),,$(BIN)/python -m workflow_scripts.corpora.sources.make_mirror build/mirror \
		--registry resources/sources.csv --corpora $(REAL_CORPORA) --partial build/downloads --retries 5 --parallel 8)

tools: .venv/.main  ## Bicleaner and lmplz, in environments of their own
	@$(BIN)/snakemake --cores $(CORES) --quiet rules -- tools

lint: .venv/.dev  ## formatting, lint and types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/snakefmt --check Snakefile rules
	$(BIN)/mypy
	$(BIN)/snakemake --lint

format: .venv/.dev  ## format the code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/snakefmt Snakefile rules

lock: .venv/.dev  ## renew the exact versions of everything (envs/*.txt)
	$(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --no-annotate \
		--custom-compile-command "make lock" envs/main.in envs/dev.in -o envs/main.txt
	$(BIN)/python -m workflow_scripts.core.conda envs/main.in envs/main.txt envs/main.yaml
	for tool in bicleaner kenlm spacy; do \
		$(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --no-annotate \
			--custom-compile-command "make lock" envs/$$tool.in \
			$$(test ! -e envs/$$tool.overrides || echo --override envs/$$tool.overrides) -o envs/$$tool.txt; \
	done

sources: .venv/.main  ## every corpus of the registry: is it present, missing or damaged on this machine?
	@$(BIN)/snakemake --nolock --quiet all --cores 1 $(ARGS) sources

configuration: .venv/.main  ## config/schema.json and docs/configuration.md, from the typed model
	$(BIN)/python -m workflow_scripts.config.reference config/schema.json docs/configuration.md

bench: .venv/.main  ## how fast training and decoding are on this machine
	$(BIN)/python bench/seq2seq.py

clean:  ## delete what the workflow made and downloaded, but not translations and tools
	rm -rf build results/*.csv results/*.html results/*.svg results/*/ logs

.venv/.main: envs/main.in envs/main.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "tuvous needs Python 3.11 or later: make PYTHON=python3.12 ...")'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r envs/main.in -c envs/main.txt
	touch $@

.venv/.dev: .venv/.main envs/dev.in
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r envs/dev.in -c envs/main.txt
	touch $@
