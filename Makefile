# `make run` opens the page, `make test` checks everything. Both set up their environment first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
PAGE := tests/page
EXTRAS := arena,cluster,dev,rl,server
# The versions that the tests have passed with; `make lock` takes the newest.
LOCK := requirements-dev.lock
CORE := CMakeLists.txt pyproject.toml $(shell find core -type f)
# Some images set this. Every process that the tests start would then compile the whole package again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help attack soak rehearsal setup lock run test test-all test-busy lint check fuzz thorough bench page-texts page-types system sanitize threads ladder strength endurance load load-analysis chaos xt-chaos xt-punctual playthroughs pictures torture swiss ratings clean

help:
	@echo "make run           the page: play, watch, edit and compare in the browser"
	@echo "make test          lint, types and the tests, in a few minutes"
	@echo "make test-all      the slow tests too: exhaustive comparisons, long games, repeated kills"
	@echo "make test-busy     the tests three times while 16 processes keep the machine busy, in an hour or two"
	@echo "make bench         speed, compared with the peers that are installed"
	@echo "make page-texts    texts of the page that its languages lack"
	@echo "make fuzz          a million inputs for every parser"
	@echo "make thorough      many more random games against the plain implementation"
	@echo "make strength      the built-in players against each other"
	@echo "make ladder        each level of the engine against the one below"
	@echo "make endurance     hundreds of games of every player against random moves"
	@echo "make load          a thousand clients at a hundred games of the page for five minutes, measured"
	@echo "make load-analysis two hundred visitors who analyse at once while games are played, for two minutes, measured"
	@echo "make attack        hostile visitors against a running server: what held, and what others noticed, in ten minutes"
	@echo "make soak          a day of a server in an hour: honest and hostile visitors, kills; nothing lost, nothing grows"
	@echo "make rehearsal     a course on a site: 60 people and bots, ladder, tournaments, watchers, kills, in an hour or so"
	@echo "make chaos         a thousand games over a bad network, with the server killed on the way"
	@echo "make xt-chaos      a thousand games of Reversi XT among hostile clients, and a million fuzzed frames"
	@echo "make xt-punctual   how much time is left when our XT client answers, on a busy machine"
	@echo "make torture       tournaments killed 200 times, in SQLite and in PostgreSQL"
	@echo "make swiss         5,000 Swiss events, every pairing checked"
	@echo "make ratings       how often rating intervals and sequential tests are right, simulated"
	@echo "make sanitize      the tests under the address and undefined-behaviour sanitizers"
	@echo "make threads       the tests with several threads under the thread sanitizer"
	@echo "make lock          write down the newest versions of what the tests need, in $(LOCK)"
	@echo "make playthroughs  rewrite the stored games, to see a change of rules as a diff"
	@echo "make pictures      redraw the pictures in docs/"

setup: $(VENV)/.ready

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

# The package is installed in place: Python files are used as they are, and the core is rebuilt when it has changed.
$(VENV)/.ready: $(BIN)/python $(CORE) $(LOCK)
	$(BIN)/python .ci/requirements.py $(EXTRAS) > $(VENV)/requirements.txt
	$(PIP) --requirement $(VENV)/requirements.txt --constraint $(LOCK) \
	  || { echo "The versions of $(LOCK) cannot be installed here; taking others."; $(PIP) --requirement $(VENV)/requirements.txt; }
	POLYVERSI_STRICT=ON $(PIP) --no-build-isolation --no-deps --editable .
	touch $@

# Write down the newest versions; then run the tests with them.
lock:
	rm -rf build/lock
	$(PYTHON) -m venv build/lock
	$(PYTHON) .ci/requirements.py $(EXTRAS) > build/lock/requirements.txt
	build/lock/bin/python -m pip install --quiet --disable-pip-version-check --requirement build/lock/requirements.txt
	build/lock/bin/python -m pip freeze > $(LOCK)

run: setup
	$(BIN)/polyversi run

# Compiling and installing take about the same time and need different resources, so they run in parallel.
test:
	$(MAKE) --jobs=2 setup system
	$(MAKE) --jobs=2 lint check

test-all:
	$(MAKE) --jobs=2 setup system
	$(MAKE) --jobs=2 lint check TESTS='-m ""'

test-busy: setup system
	$(BIN)/python -m tests.soak.busy -- $(MAKE) check TESTS='-n 20'

lint: setup page-types
	$(BIN)/ruff check .
	$(BIN)/mypy

# Without the tests marked slow, unless TESTS says otherwise; with four more workers than processors, since many tests wait
# for a browser, a server or a clock. Workers that have no tests left take some from the others: those of the page stand
# together and would otherwise keep one worker busy when the rest is done.
check: setup system $(PAGE)/node_modules/.ready
	$(BIN)/python -m pytest -n $$(( $$(nproc) + 4 )) --dist worksteal $(TESTS)

# The page is tested in a real browser, the store with a real PostgreSQL, bots in their sandbox, and one bot is written in
# JavaScript; npm installs the type checker of the page. If something cannot be installed, the tests that need it say so.
system:
	@missing=; command -v npm > /dev/null || missing="nodejs npm"; \
	command -v chromium-headless-shell > /dev/null || command -v chromium > /dev/null || missing="$$missing chromium-headless-shell"; \
	command -v bwrap > /dev/null || missing="$$missing bubblewrap"; \
	ls /usr/lib/postgresql/*/bin/initdb > /dev/null 2>&1 || command -v initdb > /dev/null || missing="$$missing postgresql"; \
	test -z "$$missing" || apt-get update -qq > /dev/null 2>&1 || true; \
	for package in $$missing; do apt-get install -qq -y $$package > /dev/null 2>&1 || true; done; \
	command -v chromium-headless-shell > /dev/null || command -v chromium > /dev/null || apt-get install -qq -y chromium > /dev/null 2>&1 || true

$(PAGE)/node_modules/.ready: $(PAGE)/package.json $(PAGE)/package-lock.json | system
	cd $(PAGE) && npm ci --silent
	touch $@

# The page is plain JavaScript with types in comments; TypeScript only checks them.
page-types: $(PAGE)/node_modules/.ready
	$(PAGE)/node_modules/.bin/tsc --project $(PAGE)
	@! grep -rnoE --include='*.js' --include='*.css' --include='*.html' '(https?|wss?):?//[a-zA-Z0-9][^"'"'"' )]*' \
	  src/polyversi/page | grep -v '//www\.w3\.org/' || (echo "the page must not name another host"; exit 1)

# What the dictionaries in page/languages/ lack, as JSON to be filled in.
page-texts: setup
	@$(BIN)/python -m tests.testing.texts

fuzz: setup
	$(BIN)/python -m tests.soak.fuzz

thorough: setup
	HYPOTHESIS_PROFILE=thorough $(BIN)/python -m pytest -n auto tests/games/test_against_reference.py

torture: setup system
	$(BIN)/python -m tests.soak.torture 200
	$(BIN)/python -m tests.soak.torture 200 postgresql

swiss: setup
	$(BIN)/python -m tests.soak.swiss

ratings: setup
	$(BIN)/python -m tests.soak.rating_coverage

bench: setup
	$(BIN)/python -m benchmarks
	$(BIN)/python -m benchmarks.tournaments

# A separate build, so that nothing slow or instrumented is left in the environment. Bots are left out: they run under a
# memory limit that the sanitizers themselves would exceed.
SANITIZED := build/sanitized
sanitize: setup
	$(PYTHON) -m venv $(SANITIZED)
	$(SANITIZED)/bin/python -m pip install --quiet --disable-pip-version-check --constraint $(LOCK) scikit-build-core nanobind ninja
	POLYVERSI_SANITIZE=address,undefined $(SANITIZED)/bin/python -m pip install --quiet --disable-pip-version-check \
	  --constraint $(LOCK) --no-build-isolation --config-settings=build-dir=build/sanitized-core '.[dev,rl,server]'
	LD_PRELOAD="$$(gcc -print-file-name=libasan.so) $$(gcc -print-file-name=libstdc++.so)" \
	  ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 POLYVERSI_SANITIZED=1 \
	  $(SANITIZED)/bin/python -m pytest -n auto tests --ignore tests/gameplay/bots --ignore tests/cli/test_bot.py \
	  --deselect 'tests/test_examples.py::test_docstrings[polyversi.protocols.check]' \
	  --deselect 'tests/test_examples.py::test_docstrings[polyversi.gameplay.bots.process]'

# The same for races between threads. The sanitizer needs addresses where it expects them (setarch), and Python's own code is
# not instrumented: it tells of races in the core, which is what runs without the GIL.
THREADS := build/threads
threads: setup
	$(PYTHON) -m venv $(THREADS)
	$(THREADS)/bin/python -m pip install --quiet --disable-pip-version-check --constraint $(LOCK) scikit-build-core nanobind ninja
	POLYVERSI_SANITIZE=thread $(THREADS)/bin/python -m pip install --quiet --disable-pip-version-check \
	  --constraint $(LOCK) --no-build-isolation --config-settings=build-dir=build/threads-core '.[dev]'
	LD_PRELOAD="$$(gcc -print-file-name=libtsan.so)" POLYVERSI_SANITIZED=1 \
	  TSAN_OPTIONS="halt_on_error=1 die_after_fork=0 suppressions=tests/core/thread_sanitizer.txt" \
	  setarch -R $(THREADS)/bin/python -m pytest -m "" tests/core/test_threads.py tests/games/test_hostile.py

# How strong the players are against each other, and whether they last through hundreds of games.
ladder: setup
	$(BIN)/python -m tests.soak.ladder

strength: setup
	$(BIN)/python -m tests.soak.strength
	$(BIN)/python -m tests.soak.course_order

endurance: setup
	$(BIN)/python -m tests.soak.endurance

# The page's server with many guests, and over a network that loses and duplicates messages.
load: setup
	$(BIN)/python -m tests.soak.load

# The same for the engine workers: who waits how long for first values, and whether games notice it.
load-analysis: setup
	$(BIN)/python -m tests.soak.load.analysis

attack: setup system
	$(BIN)/python -m tests.soak.attack

soak: setup
	$(BIN)/python -m tests.soak.day

# A course of a site; REHEARSAL='--minutes 1 --people 8 --watchers 10 --kills 1' is the short form.
rehearsal: setup system
	$(BIN)/python -m tests.soak.rehearsal $(REHEARSAL)

chaos: setup
	$(BIN)/python -m tests.soak.load.chaos

xt-chaos: setup
	$(BIN)/python -m tests.soak.load.xt

xt-punctual: setup
	$(BIN)/python -m tests.soak.load.punctual

playthroughs: setup
	$(BIN)/python -m tests.testing.playthroughs

pictures: setup system $(PAGE)/node_modules/.ready
	$(BIN)/python docs/pictures/draw.py
	POLYVERSI_PICTURES=1 $(BIN)/python -m pytest -m "" tests/page

clean:
	rm -rf build $(VENV)
