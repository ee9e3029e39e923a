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

deep = int(sys.argv[3])
pv.playouts(start, 20)
start.perft(deep)
print(allocations(lambda: pv.playouts(start, 2)), allocations(lambda: pv.playouts(start, 20)))
print(allocations(lambda: start.perft(deep - 1)), allocations(lambda: start.perft(deep)))
"""


@pytest.fixture(scope="module")
def counter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The counting malloc, compiled."""
    library = tmp_path_factory.mktemp("malloc") / "count_malloc.so"
    source = Path(__file__).with_name("count_malloc.c")
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
    return library


DEPTHS = {"othello": 6, "hex": 5, "othello-10": 5, "xt:starfish": 3, "xt:minefield": 3}


@pytest.mark.skipif("POLYVERSI_SANITIZED" in os.environ, reason="the sanitizers bring a malloc of their own")
@pytest.mark.parametrize("spec", DEPTHS)
def test_no_allocation_per_move(spec: str, counter: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(counter), spec, str(DEPTHS[spec])],
        env={**os.environ, "LD_PRELOAD": str(counter)}, capture_output=True, text=True, check=True,
    )
    few, many, shallow, deep = map(int, done.stdout.split())
    # Two games or twenty: the same handful for the result and the scratch memory.
    assert many <= few + 5
    # One ply more of the tree: some for that ply's move list as it grows, none for each of its moves.
    assert deep <= shallow + 15
    assert max(few, shallow) < 100
