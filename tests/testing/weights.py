"""Weights of any size, quickly made, for tests of what carries them."""

from __future__ import annotations

import numpy as np

import polyversi as pv
from polyversi.engines.weights import Header, Weights, phases_of, tables_of


def made(spec: str = "othello-4", phases: int | None = None) -> Weights:
    """Random weights."""
    board = pv.game(spec).board
    tables = tables_of(board)
    phases = phases_of(board) if phases is None else phases
    patterns = [(group.cells, len(group.patterns)) for group in tables.classes]
    header = Header(
        spec, phases, patterns, tables.fingerprint, f"polyversi train {spec}", "2026-11-15", 1000, 4.5,
        [None, *[4.5] * (phases - 1)], [1.5, -0.25, 0.125, 0.0, 0.0, 0.0],
    )
    values = np.random.default_rng(1).integers(-100, 100, (phases, tables.weights_per_phase), dtype=np.int16)
    return Weights(header, values)
