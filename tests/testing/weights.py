"""Weights of any size, quickly made, for tests of what carries them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import polyversi as pv
from polyversi.engines.weights import (
    MOBILITY_WEIGHTS,
    Header,
    TableWeights,
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
    weights = load(path)
    assert isinstance(weights, TableWeights)
    return weights
