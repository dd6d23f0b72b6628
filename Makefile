# The six verbs, the same for people and for CI. Each runs in .venv, which they build when it is
# missing or out of date. ARGS goes to the command: `make test ARGS="-k miaui"`.

PYTHON ?= python3
ARGS ?=
BIN := .venv/bin
READY := .venv/.ready
# Variables, not `-c`: they reach pip's own build environments (the second one in newer releases).
PINNED := PIP_CONSTRAINT=constraints.txt PIP_BUILD_CONSTRAINT=constraints.txt
OLD := This needs Python 3.11 or newer, for example: make install PYTHON=python3.12

.DEFAULT_GOAL := help
.PHONY: help install format check test train bench peers playthroughs gallery pages clients oldest constraints

help: ## list the verbs
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

install: $(READY) ## build .venv from constraints.txt (Python 3.11 or newer)

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "$(OLD)")'
	$(PYTHON) -m venv .venv
	$(PINNED) $(BIN)/python -m pip install -e '.[train,dev]'
	@touch $@

format: $(READY) ## put the code in order
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

check: $(READY) ## lint, format and types; changes nothing
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# worksteal: neighbours stay on one worker while it is busy, and a long file does not end up alone.
test: check ## check, then all tests
	$(BIN)/pytest -n auto --dist worksteal $(ARGS)

train: $(READY) ## train a bot: make train ARGS="game=miaui"
	$(BIN)/python -m training.train $(ARGS)

bench: $(READY) ## measure the speed of the games: make bench ARGS="--json speed.json"
	$(BIN)/miaui bench $(ARGS)

# What we compare our speed with gets an environment of its own: 0.9 GB, nothing of ours among it.
PEERS := .venv-peers

peers: $(PEERS)/.ready ## install the other libraries that make bench ARGS=--peers measures

# --no-deps: the file lists all that is needed. EnvPool also asks for 240 MB of other games' pictures.
$(PEERS)/.ready: constraints-peers.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "$(OLD)")'
	$(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/python -m pip install --no-deps -r constraints-peers.txt
	@touch $@

playthroughs: $(READY) ## play the golden games of tests/playthroughs anew; then read their diff
	$(BIN)/python -m tests.playthroughs

gallery: $(READY) ## draw docs/gallery.md and its pictures anew; then look at them
	$(BIN)/python -m tests.gallery

pages: $(READY) ## write docs/games anew: a page for each game, from the game itself
	$(BIN)/python -m tests.pages

# Clients that pull in much and pin old releases get an environment of their own; CI leaves them out.
CLIENTS := .venv-clients

clients: $(CLIENTS)/.ready ## play under SuperSuit, TorchRL and Tianshou, too (docs/clients.md)
	$(CLIENTS)/bin/pytest -n auto --dist worksteal tests/clients $(ARGS)

$(CLIENTS)/.ready: pyproject.toml constraints-clients.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "$(OLD)")'
	$(PYTHON) -m venv $(CLIENTS)
	$(subst constraints,constraints-clients,$(PINNED)) \
	  $(CLIENTS)/bin/python -m pip install -e '.[train,dev,clients]'
	@touch $@

# The other end: the lower bounds of pyproject.toml, with what draws and no other extra.
OLDEST := .venv-oldest

oldest: $(OLDEST)/.ready ## play under the oldest releases that pyproject.toml allows
	$(OLDEST)/bin/pytest -n auto --dist worksteal tests/clients/test_light.py \
	  tests/adapters/test_gymnasium.py tests/adapters/test_pettingzoo.py $(ARGS)

$(OLDEST)/.ready: pyproject.toml tests/floors.py
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "$(OLD)")'
	$(PYTHON) -m venv $(OLDEST)
	$(PYTHON) -m tests.floors > $(OLDEST)/floors.txt
	$(OLDEST)/bin/python -m pip install -e '.[render]' -r $(OLDEST)/floors.txt pytest pytest-xdist hypothesis
	@touch $@

constraints: ## pin the newest releases anew (see the head of constraints.txt)
	$(PYTHON) -m venv --clear .venv
	$(BIN)/python -m pip install torch==$$(sed -n 's/^torch==//p' constraints.txt)
	$(BIN)/python -m pip install -e '.[train,dev]'
	{ grep '^#' constraints.txt; \
	  $(BIN)/python -m pip freeze --all --exclude-editable --exclude pip | sed 's/+[a-z0-9.]*$$//'; \
	} > constraints.new
	mv constraints.new constraints.txt
	@touch $(READY)
