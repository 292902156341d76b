# structron: `make demo` and `make test` do all set-up themselves.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_QUIET := 1
# Where no bytecode is kept, each of the thousands of processes that the tests start compiles structron anew.
unexport PYTHONDONTWRITEBYTECODE

SOURCES := $(shell find core bind -name '*.hpp' -o -name '*.cpp')
ENGINE := $(SOURCES) CMakeLists.txt

.PHONY: setup demo docs test test-adapters sanitize sanitize-short fuzz test-cluster test-kill test-browser check format bench models web experiments wheels clean

setup: $(VENV)/.installed

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

# What the engine is built with stays in the environment: in pip's own, made anew each time, all would be compiled
# again by every install.
$(VENV)/.builder: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install 'scikit-build-core>=0.10' 'nanobind>=2.10.2' cmake ninja
	@touch $@

# $(call needs,EXTRA…): what the extras need from others. These are installed apart from structron, as some come as
# source, to be built in pip's own environment and not in this one. Each has a list of its own (of `make -j` two would
# write one list), and pip is asked by one at a time where there is flock.
LOCKED := $(if $(shell command -v flock),flock $(VENV)/.lock)
needs = $(BIN)/python tools/requirements.py $(1) > $(VENV)/requirements-$(firstword $(1)).txt && $(LOCKED) $(BIN)/python -m pip install -r $(VENV)/requirements-$(firstword $(1)).txt

# The stamp depends on what is compiled or declared, so a second run is quick and an edit rebuilds. A release
# edits the citation, and the version must be the new one.
$(VENV)/.installed: $(VENV)/.builder pyproject.toml tools/tagged_version.py CITATION.cff $(ENGINE)
	$(call needs,plot test)
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python -m pip install --no-build-isolation --no-deps -e .
	@touch $@

# A stamp for each extra that only some verbs need.
EXTRAS := check bench adapters cluster browser docs
$(EXTRAS:%=$(VENV)/.%): $(VENV)/.%: $(VENV)/.installed
	$(call needs,$*)
	@touch $@

# SENTENCE="..." is what it begins with.
demo: export SENTENCE := $(SENTENCE)
demo: setup
	$(BIN)/python -m structron.cli demo $${SENTENCE:+--sentence "$$SENTENCE"}

test: setup
	$(BIN)/python -m pytest -n auto --dist worksteal

# spaCy, Hugging Face's libraries, DuckDB, Polars, PyArrow and what trainings are watched with are large, and have no
# wheels for every Python: their tests are a verb of their own, and are skipped where these are not installed. Those of NLTK, pandas and
# CRFsuite belong to `make test`.
test-adapters: $(VENV)/.adapters
	$(BIN)/python -m pytest -rs tests/adapters
	$(BIN)/python -m pytest -rs tests/command_line/test_documents.py -k "python_block and (spacy or datasets or tables or hub)"

# The engine with a sanitizer of g++, beside the usual one, in build/address or build/thread.
build/address/.built build/thread/.built: build/%/.built: $(VENV)/.installed $(ENGINE)
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python -m pip wheel . --no-build-isolation --no-deps --wheel-dir build/$*/wheel -C build-dir=build/$* \
	  -C cmake.build-type=Debug -C cmake.define.STRUCTRON_SANITIZE=$*
	@touch $@

# Memory and undefined behaviour under all that runs the engine, races under all that has threads.
ADDRESS := tests/sanitize/python address -m pytest -n auto --dist worksteal
THREAD := tests/sanitize/python thread -m pytest
THREADED := tests/unit/engine/test_concurrency.py tests/unit/estimators/test_sharing.py tests/laws/learners/test_minibatch.py tests/laws/learners/test_mixing.py \
  tests/parity/text/test_word_alignment.py tests/unit/tasks/tagging/test_hidden.py tests/parity/search/test_dp_beam.py tests/command_line/commands/test_schedules.py
sanitize: build/address/.built build/thread/.built
	$(ADDRESS) tests/unit tests/parity tests/laws
	$(THREAD) $(THREADED)
	tests/sanitize/python address -m tests.sanitize.leaks

# The same on fewer tests and examples, and some mutated files.
sanitize-short: build/address/.built build/thread/.built
	STRUCTRON_EXAMPLES=10 $(ADDRESS) tests/parity tests/unit/io/model_file tests/fuzz -k "not exact and not every_character"
	STRUCTRON_EXAMPLES=5 $(THREAD) $(THREADED) -k thread

# New examples for the same laws and parities, ROUNDS times; what fails is kept and tried first. Tests without
# examples are left out, as make test has run them. Then COUNT mutated
# model files and COUNT mutated corpora, in the sanitized engine; FOLDER keeps the count for each SEED, so that a run
# goes on with files that were not tried before.
ROUNDS ?= 5
COUNT ?= 20000
SEED ?= 0
FOLDER ?= build/fuzz
fuzz: setup build/address/.built
	for round in $$(seq $(ROUNDS)); do STRUCTRON_FUZZ=1 $(BIN)/python -m pytest -n auto -x tests/laws tests/parity || exit 1; done
	for what in models corpora; do tests/sanitize/python address -m tests.fuzz $$what --count $(COUNT) --seed $(SEED) --folder $(FOLDER)/$$what-$(SEED) || exit 1; done

# Ray and Spark are large and start slowly: their tests are a verb of their own, and are skipped where they, or the
# Java that Spark needs, are not installed. TEXTS is how many texts are annotated: 8000000 are 10^8 tokens.
TEXTS ?= 600
test-cluster: $(VENV)/.cluster
	STRUCTRON_TEXTS=$(TEXTS) $(BIN)/python -m pytest -rs tests/cluster tests/unit/fit/test_cluster.py
	$(BIN)/python -m pytest -rs tests/command_line/test_documents.py -k "python_block and machines"

# Seven trainings with every schedule, killed KILLS times at random moments and resumed; it takes an hour or two.
KILLS ?= 100
test-kill: setup
	STRUCTRON_KILLS=$(KILLS) $(BIN)/python -m pytest tests/slow

# The playground in the system's chromium; skipped with a message where there is none. SCREENSHOTS=docs/playground
# makes the pictures of the documentation again.
test-browser: $(VENV)/.browser
	STRUCTRON_BROWSER=1 SCREENSHOTS=$(SCREENSHOTS) $(BIN)/python -m pytest -rs tests/browser

check: $(VENV)/.check
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/codespell
	$(BIN)/clang-format --dry-run --Werror $(SOURCES)

format: $(VENV)/.check
	$(BIN)/ruff check --fix . ; $(BIN)/ruff format .
	$(BIN)/clang-format -i $(SOURCES)

bench: $(VENV)/.bench
	$(BIN)/python benchmarks/run.py
	$(BIN)/python benchmarks/learners.py
	$(BIN)/python benchmarks/words.py
	$(BIN)/python benchmarks/translation.py
	$(BIN)/python benchmarks/classification.py
	$(BIN)/python benchmarks/raw_text.py
	$(BIN)/python benchmarks/frontier.py --on test

# The models that come with structron, from the data folder; some twenty minutes. The same data give the same bytes.
models: setup
	$(BIN)/python models/make.py

# The parser of the page that needs no server, in web/built: the engine in WebAssembly, by Debian's emscripten, and a
# small model, from the data folder.
web: setup
	mkdir -p web/built
	em++ -std=c++20 -O2 -ffp-contract=off -include web/missing.hpp -Icore web/parser.cpp core/search/decoders.cpp \
	  -o web/built/parser.wasm -sSTANDALONE_WASM=1 -sALLOW_MEMORY_GROWTH=1 --no-entry \
	  -sEXPORTED_FUNCTIONS=_take,_load,_parse,_numbers
	$(BIN)/python web/model.py web/built

# Wheels for the Python versions to be had, in dist, each tried in an empty environment.
wheels:
	$(PYTHON) tools/wheels.py $(PYTHONS)

experiments: setup
	$(BIN)/python experiments/run.py

# The site, in build/docs, with the playground in build/docs/live; a warning is an error.
docs: $(VENV)/.docs
	$(BIN)/python -m sphinx -W --keep-going -E -q -b html docs build/docs
	$(BIN)/python web/site.py build/docs/live

clean:
	rm -rf $(VENV) build docs/copied docs/names .pytest_cache .mypy_cache .ruff_cache .hypothesis
