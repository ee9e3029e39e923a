"""The core's loops allocate nothing per move: playing ten times as many games takes no more allocations."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import ctypes, sys
import polyversi as pv
count = ctypes.CDLL(sys.argv[1]).malloc_count
count.restype = ctypes.c_ulong
start = pv.game(sys.argv[2]).start()

def allocations(work):
    before = count()
    work()
    return count() - before

pv.playouts(start, 20)
start.perft(2)
print(allocations(lambda: pv.playouts(start, 2)), allocations(lambda: pv.playouts(start, 20)))
"""


@pytest.fixture(scope="module")
def counter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The counting malloc, compiled."""
    library = tmp_path_factory.mktemp("malloc") / "count_malloc.so"
    source = Path(__file__).with_name("count_malloc.c")
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
    return library


@pytest.mark.skipif("POLYVERSI_SANITIZED" in os.environ, reason="the sanitizers bring a malloc of their own")
@pytest.mark.parametrize("spec", ["othello", "hex", "othello-10", "xt:starfish", "xt:minefield"])
def test_no_allocation_per_move(spec: str, counter: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(counter), spec],
        env={**os.environ, "LD_PRELOAD": str(counter)}, capture_output=True, text=True, check=True,
    )
    few, many = map(int, done.stdout.split())
    # Two games or twenty: the same handful for the result and the scratch memory.
    assert many <= few + 5
    assert few < 100
