# Everything is installed into .venv; nothing else on the machine is touched (make test-all may use apt-get for servers).
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin

.PHONY: setup dev demo test test-all soak lint wheel clean pictures train \
	bench bench-answers bench-ingest bench-memory bench-passages bench-peers bench-recall bench-reconstruction \
	bench-service bench-speed bench-store

setup: $(VENV)/.setup   ## the product with its local embedder and every format
dev: $(VENV)/.dev       ## every extra and the test tools

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "anaphor needs Python 3.11 or later")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.setup: $(BIN)/python pyproject.toml
	$(BIN)/python scripts/install.py local documents serve
	@touch $@

$(VENV)/.dev: $(BIN)/python pyproject.toml
	$(BIN)/python scripts/install.py local documents onnx watch serve eval --group dev
	@touch $@ $(VENV)/.setup

demo: setup             ## ingest the sample knowledge base, play one conversation a language, then chat
	$(BIN)/anaphor demo

test: dev               ## every test that needs neither root nor a server nor a browser
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest -q -m "not served and not slow and not soak"

test-all: dev           ## the rest: real model server, built wheel, kill tests
	$(BIN)/python scripts/install.py --group models --group browser
	scripts/browser.sh
	$(BIN)/pytest -q -m "served or slow"

soak: dev               ## the long counts
	$(BIN)/pytest -q -m soak

lint: dev
	$(BIN)/ruff check --fix . && $(BIN)/ruff format . && $(BIN)/mypy

bench: dev              ## measure on the evaluation sets in DATA=folder; writes docs/benchmarks/
	ANAPHOR_DATA="$(or $(DATA),$(ANAPHOR_DATA))" $(BIN)/python benchmarks/spine.py

bench-answers: dev      ## answers alone: quoted, declined, flagged; writes docs/benchmarks/answers.md
	ANAPHOR_DATA="$(or $(DATA),$(ANAPHOR_DATA))" $(BIN)/python benchmarks/answers.py

bench-reconstruction: dev ## the reach of reconstruction, row by row; writes docs/benchmarks/reconstruction.*
	ANAPHOR_DATA="$(or $(DATA),$(ANAPHOR_DATA))" $(BIN)/python benchmarks/reconstruction.py

bench-recall: dev       ## evidence inside 1,500 tokens, by length, by arm; writes docs/benchmarks/recall.*
	ANAPHOR_DATA="$(or $(DATA),$(ANAPHOR_DATA))" $(BIN)/python benchmarks/recall.py

bench-memory: dev       ## facts read, contradictions, growth, evidence with facts; writes docs/benchmarks/memory.*
	ANAPHOR_DATA="$(or $(DATA),$(ANAPHOR_DATA))" $(BIN)/python benchmarks/memory.py

bench-passages: dev     ## the right passage first, and across the scripts of Chinese; writes docs/benchmarks/passages.*
	ANAPHOR_DATA="$(or $(DATA),$(ANAPHOR_DATA))" $(BIN)/python benchmarks/passages.py

bench-peers: dev        ## evidence inside 1,500 tokens beside other libraries; writes docs/benchmarks/peers.*
	$(BIN)/python benchmarks/peers.py "$(or $(DATA),$(ANAPHOR_DATA))" --python "$$($(BIN)/python scripts/install_peers.py)"

bench-speed: dev        ## how fast recall is and how it grows, beside other libraries; writes docs/benchmarks/speed.*
	$(BIN)/python benchmarks/speed.py "$(or $(DATA),$(ANAPHOR_DATA))" --python "$$($(BIN)/python scripts/install_peers.py)"

bench-ingest: dev       ## passages a second until they are found, and embedding; writes docs/benchmarks/ingest.*
	$(BIN)/python benchmarks/ingest.py --to docs/benchmarks

bench-store: dev        ## accept and commit, opening, erasing, verifying; writes docs/benchmarks/store.*
	$(BIN)/python benchmarks/store.py --to docs/benchmarks

bench-service: dev      ## turns a second and their times over HTTP; DATA=folder; writes docs/benchmarks/service.*
	ANAPHOR_DATA="$(or $(DATA),$(ANAPHOR_DATA))" $(BIN)/python benchmarks/service.py

train: dev              ## learn again, from the evaluation sets in DATA=folder, what ships as weights
	$(BIN)/python scripts/train_antecedents.py "$(or $(DATA),$(ANAPHOR_DATA))"
	$(BIN)/python scripts/train_centre.py "$(or $(DATA),$(ANAPHOR_DATA))"
	$(BIN)/python scripts/train_spans.py "$(or $(DATA),$(ANAPHOR_DATA))"

pictures: dev           ## the pictures in docs/, made by the tests of the page
	$(BIN)/python scripts/install.py --group browser
	scripts/browser.sh
	ANAPHOR_PICTURES=docs/pictures $(BIN)/pytest -q tests/page -k "shows_why and zh-TW and 1280 or documents_come and ja-JP and 390"

wheel: dev
	$(BIN)/python -m pip wheel -q --no-deps -w dist .

clean:
	rm -rf $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache
