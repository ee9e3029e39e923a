"""Weights of any size, quickly made, for tests of what carries them."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

import polyversi as pv
from polyversi.engines.network import HIDDEN, MOBILITY_ROWS, Network
from polyversi.engines.weights import (
    MOBILITY_WEIGHTS,
    Header,
    NetworkSize,
    NetworkWeights,
    TableWeights,
    Weights,
    load,
    phases_by_parity,
    tables_of,
)


def made(spec: str = "othello-4", phases: int | None = None) -> TableWeights:
    """Random weights; with a number of phases as files of version 1 have them."""
    board = pv.game(spec).board
    tables = tables_of(board)
    phase_of = phases_by_parity(board) if phases is None else []
    phases = max(phase_of) + 1 if phases is None else phases
    patterns = [(group.cells, len(group.patterns)) for group in tables.classes]
    header = Header(
        spec, phases, patterns, tables.fingerprint, f"polyversi train {spec}", "2026-11-15", 1000, 4.5,
        [None, *[4.5] * (phases - 1)], [1.5, -0.25, 0.125, 0.0, 0.0, 0.0], phase_of=phase_of,
    )
    random = np.random.default_rng(1)
    values = random.integers(-100, 100, (phases, tables.weights_per_phase), dtype=np.int16)
    mobility = random.integers(-100, 100, (len(phase_of), MOBILITY_WEIGHTS), dtype=np.int16)
    return TableWeights(header, values, mobility if phase_of else None)


def loaded_tables(path: Path) -> TableWeights:
    """The weights of a file, which must be tables."""
    return as_tables(load(path))


def as_tables(weights: Weights) -> TableWeights:
    """The same weights, which must be tables."""
    assert isinstance(weights, TableWeights)
    return weights


def made_network(spec: str = "othello-4", width: int = 16) -> NetworkWeights:
    """Random weights that are a network: its sums are clamped at both ends, and some of them wrap."""
    board = pv.game(spec).board
    phase_of = phases_by_parity(board)
    phases, rows = max(phase_of) + 1, tables_of(board).weights_per_phase
    random = np.random.default_rng(width)

    def short(most: int, *shape: int) -> NDArray[np.int16]:
        return random.integers(-most, most, shape, dtype=np.int16, endpoint=True)

    def long(most: int, *shape: int) -> NDArray[np.int32]:
        return random.integers(-most, most, shape, dtype=np.int32, endpoint=True)

    pattern_rows, stones_rows = short(100, rows, width), short(100, board.size + 1, width)
    pattern_rows[:, :2], stones_rows[:, :2] = short(2**14, rows, 2), 2**15 - 1
    network = Network(
        pattern_rows, short(100, MOBILITY_ROWS, width), stones_rows, short(500, phases, HIDDEN, width),
        short(400, phases, HIDDEN), short(30, phases, width), long(200_000, phases, HIDDEN),
        long(200_000, phases))
    header = msgspec.structs.replace(
        made(spec).header, network=NetworkSize(width, HIDDEN))
    return NetworkWeights(header, network)
