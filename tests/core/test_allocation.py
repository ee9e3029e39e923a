"""The core's loops allocate nothing per move: playing ten times as many games takes no more allocations.

Nor does looking at ten times as many positions.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.testing.marks import slow

COUNTING = """
import ctypes, sys
import polyversi as pv
count = ctypes.CDLL(sys.argv[1]).malloc_count
count.restype = ctypes.c_ulong
start = pv.game(sys.argv[2]).start()

def allocations(work):
    before = count()
    work()
    return count() - before

"""
LOOPS = """
deep = int(sys.argv[3])
pv.playouts(start, 20)
start.perft(deep)
print(allocations(lambda: pv.playouts(start, 2)), allocations(lambda: pv.playouts(start, 20)))
print(allocations(lambda: start.perft(deep - 1)), allocations(lambda: start.perft(deep)))
"""
SEARCH = """
player = pv.player("xt", method=sys.argv[3])
few, many = pv.Limit(nodes=2_000), pv.Limit(nodes=20_000)
player.search(start, many)
assert player.search(start, many).nodes >= 20_000
print(allocations(lambda: player.search(start, few)), allocations(lambda: player.search(start, many)))
"""
ENGINE = """
from polyversi import _core
from polyversi.engines.weights import evaluation_for
search = _core.Search(start, 1, 1, evaluation_for(start.game))
think = lambda nodes: search.best_move(start, 40, int(sys.argv[3]), None, nodes)
think(500_000)
print(allocations(lambda: think(10_000)), allocations(lambda: think(1_000_000)))
print(search.nodes)
"""


@pytest.fixture(scope="module")
def counter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The counting malloc, compiled."""
    library = tmp_path_factory.mktemp("malloc") / "count_malloc.so"
    source = Path(__file__).with_name("count_malloc.c")
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
    return library


def printed(counter: Path, program: str, *words: str) -> list[int]:
    """The numbers that a program prints whose allocations are counted."""
    done = subprocess.run(
        [sys.executable, "-c", COUNTING + program, str(counter), *words],
        env={**os.environ, "LD_PRELOAD": str(counter)}, capture_output=True, text=True, check=True,
    )
    return [int(word) for word in done.stdout.split()]


DEPTHS = {"othello": 6, "hex": 5, "othello-10": 5, "xt:starfish": 3, "xt:minefield": 3}
plain_malloc = pytest.mark.skipif(
    "POLYVERSI_SANITIZED" in os.environ, reason="the sanitizers bring a malloc of their own"
)


@plain_malloc
@pytest.mark.parametrize("spec", DEPTHS)
def test_no_allocation_per_move(spec: str, counter: Path) -> None:
    few, many, shallow, deep = printed(counter, LOOPS, spec, str(DEPTHS[spec]))
    # Two games or twenty: the same handful for the result and the scratch memory.
    assert many <= few + 5
    # One ply more of the tree: some for that ply's move list as it grows, none for each of its moves.
    assert deep <= shallow + 15
    assert max(few, shallow) < 100


@plain_malloc
@pytest.mark.parametrize(
    ("spec", "method"),
    [("xt:arena,players=2", "tree"), ("xt:arena,players=4", "tree"), ("xt:arena,players=4", "best-reply")],
)
def test_no_allocation_per_node(spec: str, method: str, counter: Path) -> None:
    """With two seats in plain alpha-beta, with four in a tree and by best replies."""
    few, many = printed(counter, SEARCH, spec, method)
    assert few == many < 100


@plain_malloc
@pytest.mark.parametrize("spec", ["othello", slow("anti"), slow("hex"), slow("othello-7")])
@pytest.mark.parametrize("selectivity", ["0", "5"])
def test_no_allocation_per_node_of_the_engine(spec: str, selectivity: str, counter: Path) -> None:
    """Selective or not, with weights or by the rule of thumb."""
    few, many, nodes = printed(counter, ENGINE, spec, selectivity)
    assert nodes > 1_000_000
    assert few == many < 20


TABLES = """
import os, threading

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") >> 20

def think():
    players = [pv.player(sys.argv[3]) for _ in range(2)]
    for player in players:
        player.choose(start, pv.Limit(nodes=200_000))

def evening():
    threads = [threading.Thread(target=think) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

think()
before = resident()
for _ in range(3):
    evening()
print(max(0, resident() - before))
"""


@plain_malloc
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the system does not tell in this way")
@pytest.mark.parametrize(("spec", "player"), [
    ("othello", "polyversi:hash=16"), slow("xt:arena,players=2", "xt"),
])
def test_tables_that_are_dropped_go_back_to_the_system(spec: str, player: str, counter: Path) -> None:
    """In whichever thread they were made: 24 tables of 8 or 16 MB leave nothing behind."""
    (grown,) = printed(counter, TABLES, spec, player)
    assert grown < 10
