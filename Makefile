# structron: `make demo` and `make test` do all set-up themselves.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_QUIET := 1

SOURCES := $(wildcard core/*.hpp core/*/*.hpp bind/*.cpp bind/*.hpp)
ENGINE := $(SOURCES) CMakeLists.txt

.PHONY: setup demo test fuzz test-cluster test-kill check format bench experiments clean

setup: $(VENV)/.installed

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

# The stamp depends on what is compiled or declared, so a second run is quick and an edit rebuilds.
$(VENV)/.installed: $(BIN)/python pyproject.toml $(ENGINE)
	$(BIN)/python -m pip install -e '.[plot,test]'
	@touch $@

$(VENV)/.check: $(VENV)/.installed
	$(BIN)/python -m pip install -e '.[plot,test,check]'
	@touch $@

$(VENV)/.bench: $(VENV)/.installed
	$(BIN)/python -m pip install -e '.[plot,test,bench]'
	@touch $@

demo: setup
	$(BIN)/python -m structron.cli demo

test: setup
	$(BIN)/python -m pytest

# The same laws and parities on examples not tried before, ROUNDS times; what fails is kept and tried first.
ROUNDS ?= 5
fuzz: setup
	for round in $$(seq $(ROUNDS)); do STRUCTRON_FUZZ=1 $(BIN)/python -m pytest -x tests/laws tests/parity || exit 1; done

$(VENV)/.ray: $(VENV)/.installed
	$(BIN)/python -m pip install -e '.[plot,test,ray]'
	@touch $@

# Ray is large and starts slowly: its tests are a verb of their own, and are skipped where it is not installed.
test-cluster: $(VENV)/.ray
	$(BIN)/python -m pytest tests/cluster tests/unit/training/test_cluster.py

# Every task with every schedule, killed KILLS times at random moments and resumed; it takes an hour or two.
KILLS ?= 100
test-kill: setup
	STRUCTRON_KILLS=$(KILLS) $(BIN)/python -m pytest tests/slow

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

experiments: setup
	$(BIN)/python experiments/run.py

clean:
	rm -rf $(VENV) build .pytest_cache .mypy_cache .ruff_cache .hypothesis
