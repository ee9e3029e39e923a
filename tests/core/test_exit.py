"""The end of a program whose other threads are still at work in the core."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.testing.marks import slow

PROGRAM = """
import threading
import polyversi as pv

game = pv.game({spec!r})
state, begun = game.start(), threading.Event()

def work():
    while True:
        {work}
        begun.set()

threading.Thread(target=work, daemon=True).start()
begun.wait()
"""


@pytest.mark.parametrize(("spec", "work"), [
    ("othello", "pv.engine(game, megabytes=1).think(state, pv.Limit(nodes=200_000))"),
    slow("othello", "pv.player('six-factor').choose(state, pv.Limit(depth=3))"),
    slow("xt:arena,players=2", "pv.player('xt').choose(state, pv.Limit(nodes=2_000))"),
    slow("othello", "pv.playouts(state, 500, 1)"),
    slow("othello-4", "state.solve()"),
    slow("othello", "state.perft(7)"),
])
def test_a_thread_at_work_does_not_spoil_the_end(spec: str, work: str) -> None:
    for _ in range(3):
        program = [sys.executable, "-c", PROGRAM.format(spec=spec, work=work)]
        done = subprocess.run(program, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
