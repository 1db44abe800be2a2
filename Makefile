# The entry point: every target first sets up the environments that it needs.
SHELL := bash
PYTHON ?= python3
CORES ?= $(shell getconf _NPROCESSORS_ONLN)
BIN := .venv/bin
# REAL=1: tests of real, open data run on a download of it, or on the folder that TUVOUS_MIRROR names.
REAL ?=
MIRROR = $(or $(TUVOUS_MIRROR),$(if $(REAL),build/mirror))
REAL_CORPORA := bcontrast cocoa-mt diabla hdsa iwslt2022 iwslt2023 multiwoz multiwoz-db ntrex pt16 stanford tatoeba tydip winomt
SIDE_BY_SIDE := --no-loadscope-reorder -n $(CORES)
# What snakemake gets besides the target, for example: make results/table7.csv ARGS="--configfile mine.yaml --"
ARGS ?=
# What is planned, and for how many nodes.
TARGET ?= results/table7.csv
NODES ?= 1 2 4 8 16 32 64

# uv, or pip without it, with a line that says how far it is; followed by LOG PYTHON and the arguments of pip install.
INSTALL := $(BIN)/python -m workflow_scripts.progress.install

.PHONY: help setup test test-fast long processors mutants stress cluster real tools sockeye eole convlab sources lint format lock configuration docs gallery picture plan plan-check bench clean
.DEFAULT_GOAL := help

help:  ## this list
	@echo "usage: make TARGET [CORES=8] [PYTHON=python3.12] [ARGS='--configfile mine.yaml --']"
	@echo
	@echo "  results/table7.csv  any file that the workflow makes, with all the set-up it needs"
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  \1|\2/' | column -t -s '|'

setup: .venv/.main  ## the Python environment in .venv, from the pinned versions

# Any leaf: snakemake decides whether jobs must run, so make must always call it.
results/%: .venv/.main FORCE
	@$(BIN)/snakemake --cores $(CORES) $(ARGS) $@

FORCE:

test: .venv/.dev tools $(if $(REAL),real)  ## the tests, but for the longest; with REAL=1 those of real data too, which are downloaded
	TUVOUS_MIRROR="$(MIRROR)" TUVOUS_REAL="$(REAL)" $(BIN)/python -m pytest $(SIDE_BY_SIDE)

test-fast: .venv/.dev $(if $(REAL),real)  ## the tests that take less than half a second each
	TUVOUS_MIRROR="$(MIRROR)" TUVOUS_REAL="$(REAL)" $(BIN)/python -m pytest $(SIDE_BY_SIDE) -m "not slow and not long and not stress and not cluster"

long: .venv/.dev tools  ## the tests that take longest: a new language from its first file to its columns, and others
	TUVOUS_MIRROR="$(MIRROR)" $(BIN)/python -m pytest $(SIDE_BY_SIDE) -m long

# docs/platforms.md says which instructions; a set that the processor lacks is not tried, and the last lines say so.
processors: .venv/.dev tools  ## the tests that compute, with the instructions of older processors: AVX2, SSE
	TUVOUS_MIRROR="$(MIRROR)" $(BIN)/python -m tests.processors $(SIDE_BY_SIDE)

# The modules one after the other, hours in all; MODULES="control leaves": only these; "--sample 100 dialogue": some.
mutants: .venv/.dev  ## small changes of the core that no test notices, of all or of MODULES="--sample 100 dialogue"
	OMP_NUM_THREADS=1 $(BIN)/python -m tests.mutants $(MODULES)

stress: .venv/.dev tools  ## bad weather, in an hour or more: damaged inputs and states, hostile texts, kills (ARGS: python -m tests.stress --help)
	TUVOUS_STRESS='$(ARGS)' $(BIN)/python -m pytest -s -m stress tests/stress

cluster: .venv/.dev tools  ## killed, retried and restarted runs, and the smallest scale whole, on a real Slurm of one node (as root, Debian's slurm-wlm and munge)
	$(BIN)/python -m pytest -s -m cluster tests/cluster

# Resumed after a break; complete files stay. A mirror is only read.
real: .venv/.main
	$(if $(TUVOUS_MIRROR),,$(BIN)/python -m workflow_scripts.corpora.sources.make_mirror build/mirror \
		--registry resources/sources.csv --corpora $(REAL_CORPORA) --partial build/downloads --retries 5 --parallel 8)

tools: .venv/.main  ## Bicleaner's hard rules and lmplz, in environments of their own
	@$(BIN)/snakemake --cores $(CORES) --quiet rules -- tools

# pip would refuse these versions of torch and numpy beside Sockeye's own pins: hence the second line.
SOCKEYE := .venvs/sockeye-$(shell sha256sum envs/sockeye.txt | cut -c 1-10)
sockeye: $(SOCKEYE)/.done  ## Sockeye 3 in an environment of its own, for the tests and the bench that compare with it
$(SOCKEYE)/.done: envs/sockeye.txt | .venv/.main
	$(PYTHON) -m venv --clear $(SOCKEYE)
	@$(INSTALL) $(SOCKEYE)/install.log $(SOCKEYE)/bin/python -c envs/sockeye.txt torch numpy pyyaml sacrebleu subword-nmt
	@$(INSTALL) $(SOCKEYE)/install-sockeye.log $(SOCKEYE)/bin/python -c envs/sockeye.txt --no-deps sockeye
	@touch $@

# Only the requirements of eole's training and decoding; envs/eole.overrides leaves out the others.
EOLE := .venvs/eole-$(shell sha256sum envs/eole.txt | cut -c 1-10)
eole: $(EOLE)/.done  ## eole in an environment of its own, for the bench that compares with it
$(EOLE)/.done: envs/eole.txt | .venv/.main
	$(PYTHON) -m venv --clear $(EOLE)
	@$(INSTALL) $(EOLE)/install.log $(EOLE)/bin/python -c envs/eole.txt \
		huggingface_hub numpy pydantic pyonmttok pyyaml sacrebleu safetensors tokenizers torch
	@$(INSTALL) $(EOLE)/install-eole.log $(EOLE)/bin/python -c envs/eole.txt --no-deps eole
	@touch $@

# Of ConvLab only its DAMD is imported; envs/convlab.overrides leaves out the requirements of everything else.
CONVLAB := .venvs/convlab-$(shell sha256sum envs/convlab.txt | cut -c 1-10)
convlab: $(CONVLAB)/.done  ## ConvLab-3 in an environment of its own, for the test that compares with its DAMD
$(CONVLAB)/.done: envs/convlab.txt | .venv/.main
	$(PYTHON) -m venv --clear $(CONVLAB)
	@$(INSTALL) $(CONVLAB)/install.log $(CONVLAB)/bin/python -c envs/convlab.txt numpy torch
	@$(INSTALL) $(CONVLAB)/install-convlab.log $(CONVLAB)/bin/python -c envs/convlab.txt --no-deps convlab
	@touch $@

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
	$(BIN)/python -m workflow_scripts.core.conda envs/main.txt envs/main.yaml envs/rules.yaml \
		--asked envs/main.in --tests envs/dev.in
	for tool in align bicleaner convlab docs eole hardrules kenlm langdetect llama sentences sockeye spacy; do \
		$(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --no-annotate \
			--custom-compile-command "make lock" envs/$$tool.in \
			$$(test ! -e envs/$$tool.overrides || echo --override envs/$$tool.overrides) -o envs/$$tool.txt; \
	done

sources: .venv/.main  ## every corpus of the registry: is it present, missing or damaged on this machine?
	@$(BIN)/snakemake --nolock --quiet all --cores 1 $(ARGS) sources

configuration: .venv/.main  ## config/schema.json and docs/configuration.md, from the typed model
	$(BIN)/python -m workflow_scripts.config.reference config/schema.json docs/configuration.md

# Of all warnings at once: of every page (-E) and every link between pages (-n), and a warning ends the command (-W).
DOCS := .venvs/docs-$(shell sha256sum envs/docs.txt | cut -c 1-10)
docs: $(DOCS)/.done  ## the documents as a site, build/site/index.html, in an environment of its own
	@rm -rf build/site.partial
	@$(DOCS)/bin/python -m sphinx -c docs -b html -q -E -n -W --keep-going -d build/doctrees . build/site.partial
	@cp build/site.partial/README.html build/site.partial/index.html
	@rm -rf build/site && mv build/site.partial build/site
$(DOCS)/.done: envs/docs.in envs/docs.txt | .venv/.main
	$(PYTHON) -m venv --clear $(DOCS)
	@$(INSTALL) $(DOCS)/install.log $(DOCS)/bin/python -r envs/docs.in -c envs/docs.txt
	@touch $@

# In the directory of an experiment; with a folder of downloads: ARGS='--config mirror=/path/to/mirror'.
picture: .venv/.main  ## docs/table3.svg, the picture of the README: TyDiP's Table 3 at open scale
	@$(BIN)/snakemake --cores $(CORES) --directory runs/open --configfile config/open.yaml $(ARGS) -- results/tydip/table3.csv
	$(BIN)/python -m workflow_scripts.papers.tydip.picture docs/table3.svg \
		--comparison runs/open/results/tydip/table3.compare.csv --names resources/printed/tydip/languages.csv

# In the directory of an experiment, where an interrupted run goes on; LEAVES="tydip/table3": only these, the others are
# kept. ARGS, GALLERY_RUN and GALLERY name another configuration and other folders, to try it.
LEAVES ?=
GALLERY ?= docs/gallery
GALLERY_RUN ?= runs/open
# The leaves of which the paper prints numbers: the comparison of Table 7 is made by a rule of its own.
COMPARED = $(foreach leaf,$(LEAVES),$(if $(wildcard resources/printed/$(leaf).csv resources/printed/xformal/$(leaf).csv),$(leaf)))
gallery: .venv/.main  ## the leaves of all papers at open scale, run whole and copied to docs/gallery (LEAVES="tydip/table3": only these)
	@$(BIN)/snakemake --cores $(CORES) --directory $(GALLERY_RUN) --configfile config/open.yaml \
		$(if $(TUVOUS_MIRROR),--config mirror="$(abspath $(TUVOUS_MIRROR))") $(ARGS) \
		-- $(if $(LEAVES),$(LEAVES:%=results/%.csv) $(COMPARED:%=results/%.compare.csv) results/sources.csv,all) results/settings.json
	$(BIN)/python -m workflow_scripts.report.gallery $(GALLERY) --results $(GALLERY_RUN)/results \
		--leaves resources/leaves.csv --plots resources/plots.csv --sources resources/sources.csv $(if $(LEAVES),--only $(LEAVES))

# No job of the workflow: a plan is of its graph. TARGET and ARGS (--configfile, --config) as snakemake takes them.
plan: .venv/.main  ## what a run costs: results/plan.csv (TARGET=results/table7.csv, ARGS='--configfile config/paper.yaml', NODES='1 8')
	@$(BIN)/python -m workflow_scripts.planning.plan results/plan.csv --targets $(TARGET) --nodes $(NODES) $(ARGS)

# After a whole run; ARGS="--same-machine" if resources/rates.csv is of this machine.
plan-check: .venv/.main  ## the plan beside what the finished run here took
	@$(BIN)/python -m workflow_scripts.planning.check build/plan-check.csv --folder . --targets $(TARGET) $(ARGS)

bench: .venv/.main  ## how fast training, decoding and filtering are on this machine; after Table 7: resources/rates.csv
	$(BIN)/python bench/seq2seq.py
	$(BIN)/python bench/filtering.py build/bench
	$(BIN)/python -m workflow_scripts.planning.rates_of resources/rates.csv --runs . build/bench \
		--targets $(TARGET) --machine "$$(uname -nmp)"

clean:  ## delete what the workflow made and downloaded, but not translations and tools
	rm -rf build results/*.csv results/*.html results/*.svg results/*/ logs

.venv/.main: envs/main.in envs/main.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "tuvous needs Python 3.11 or later: make PYTHON=python3.12 ...")'
	@test -x $(BIN)/python || { echo "making .venv"; $(PYTHON) -m venv .venv; }
	@$(BIN)/python -m pip install --disable-pip-version-check --retries 1 --only-binary uv -c envs/main.txt uv > .venv/uv.log 2>&1 \
		|| echo "uv cannot be had (log: .venv/uv.log): pip installs, which takes longer"
	@$(INSTALL) .venv/install.log $(BIN)/python -r envs/main.in -c envs/main.txt
	@touch $@

.venv/.dev: .venv/.main envs/dev.in
	@$(INSTALL) .venv/install.log $(BIN)/python -r envs/dev.in -c envs/main.txt
	@touch $@
