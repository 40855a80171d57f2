PYTHON ?= python3
BIN := .venv/bin
EVAL ?= $(PAGERAG_EVAL)
WORK ?= .bench

.PHONY: setup test soak demo ui bench clean

setup: .venv/.ready

# setuptools comes first and from the constraints, so that the build of the package itself is pinned too.
.venv/.ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt setuptools
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt --no-build-isolation -e '.[dev]'
	touch $@

test: setup
	$(BIN)/python -m pytest -m 'not slow'

soak: setup
	$(BIN)/python -m pytest -m slow

demo: setup
	$(BIN)/python examples/demo.py

ui: setup
	$(BIN)/pagerag ui

bench: setup
	PAGERAG_EVAL='$(EVAL)' $(BIN)/python benchmarks/all.py --work $(WORK)

clean:
	rm -rf .venv .demo .bench build *.egg-info .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
