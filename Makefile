# Everything a newcomer needs: `make run` plays, `make test` checks. Both set themselves up.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CORE := CMakeLists.txt pyproject.toml $(shell find core -type f)

.PHONY: setup build run test
setup: $(VENV)/.ready

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

# The package is installed in place: Python files are used as they are, and the core is built anew when it changed.
$(VENV)/.ready: $(VENV)/bin/python $(CORE)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check scikit-build-core nanobind ninja
	POLYVERSI_STRICT=ON $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --editable '.[dev,rl]'
	touch $@

build: setup
