"""Objects of the core in several threads, in signal handlers and in forked processes.

`make threads` runs this under the thread sanitizer.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import polyversi as pv
from polyversi import _core
from tests.testing.marks import slow_but
from tests.testing.timeout import TIMEOUT

THREADS = 4
GAMES = 50 if "POLYVERSI_SANITIZED" in os.environ else 1000
"""The sanitizer sees races where nothing comes of them, but is slow."""
SPECS = ["othello", "hex", "othello-10", "rolit", "xt:torus"]


def at_once(*works: Callable[[], object]) -> None:
    """Does all of it at the same time, each in a thread of its own; raises what one of them raises."""
    together = threading.Barrier(len(works))

    def work(one: Callable[[], object]) -> None:
        together.wait()
        one()

    with ThreadPoolExecutor(len(works)) as pool:
        for done in [pool.submit(work, one) for one in works]:
            done.result()


@pytest.mark.parametrize("spec", slow_but(SPECS, "othello", "othello-10"))
def test_every_call_of_a_batch_sees_whole_moves(spec: str) -> None:
    """Games are played out and begun again by one thread; to the others all are over, or none."""
    games = pv.batch(spec, GAMES // 10 if spec.startswith("xt") else GAMES, seed=1)
    is_finished = threading.Event()

    def play() -> None:
        try:
            for _ in range(5):
                games.play_out()
                games.reset()
        finally:
            is_finished.set()

    def look() -> None:
        while not is_finished.is_set():
            for seen in (games.done, games.turns > 0, games.legal.any(axis=1)):
                assert seen.all() or not seen.any()
            assert games.scores.sum(axis=1).all()

    at_once(play, look, look)


@pytest.mark.parametrize("spec", slow_but(SPECS, "othello", "xt:torus"))
def test_a_batch_survives_threads_that_do_anything(spec: str) -> None:
    games = pv.batch(spec, 50, seed=1)
    which = np.zeros(50, np.bool_)
    which[::2] = True

    def play() -> None:
        for number in range(40):
            try:
                games.play(games.random_actions())    # no longer legal, if others were quicker
            except pv.IllegalMoveError:
                games.reset(which)
            assert games[number % 50].game is games.game
            assert (games.tiles.shape[0], games.legal.shape[0], games.points.shape[0]) == (50, 50, 50)

    at_once(*[play] * THREADS)


@pytest.mark.parametrize("threads", [1, 2])
def test_an_engine_answers_threads_one_after_another(threads: int) -> None:
    engine = pv.engine("othello-6", threads=threads, megabytes=1)
    state = pv.game("othello-6").start()
    expected = pv.engine("othello-6").evaluate(state.play("c2"), pv.Limit(depth=4))

    def think() -> None:
        for _ in range(3):
            assert engine.choose(state, pv.Limit(depth=6)) in state.moves
            assert abs(engine.evaluate(state.play("c2"), pv.Limit(depth=4)) - expected) <= 36
            assert engine.nodes > 0

    at_once(*[think] * THREADS)


def test_what_is_kept_for_games_is_shared() -> None:
    """States, moves, evaluations and the engine of Reversi XT."""
    start, plain = pv.game("xt:arena,players=2").start(), pv.game("othello").start()
    engine = _core.XtEngine(start, [0.1] * len(_core.XT_WEIGHTS), "tree", 8)
    sample = _core.XtSample(start)
    factors = _core.six_factor_evaluation()

    def use() -> None:
        for seed in range(5):
            assert engine.think(start, 2, None, None, 500)[0] in start.moves
            assert engine.perft(start, 1) > 0
            sample.add(start)
            assert sample.values([0.1] * len(_core.XT_WEIGHTS))
            assert plain.playout(seed).is_over
            assert start.playout(seed).is_over
            assert factors(plain.play("f5"), 1) != 0
            assert _core.search(plain, factors, 3, None, None, True, "board")[0] in plain.moves
            assert plain.perft(4) == 244

    at_once(*[use] * THREADS)


FORKING = """
import os, sys, threading
import polyversi as pv
from polyversi import _core

def fork_while(work, use):
    def endless():
        while True:
            work()

    threading.Thread(target=endless, daemon=True).start()
    status = 9
    while status == 9:    # until a fork comes at a moment when it is in use
        child = os.fork()
        if child == 0:
            try:
                use()
            except RuntimeError as error:
                print(error, flush=True)
                sys.exit(0)    # with all that the end of Python does
            os._exit(9)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    print(status, flush=True)
    os._exit(0)

"""
ENGINE = """
engine, state = pv.engine("othello", threads={threads}, megabytes=1), pv.game("othello").start()
fork_while(lambda: engine.think(state, pv.Limit(depth=30)), lambda: engine.evaluate(state))
"""
XT_ENGINE = """
state = pv.game("xt:arena,players=2").start()
engine = _core.XtEngine(state, [0.1] * len(_core.XT_WEIGHTS), "tree", 8)
fork_while(lambda: engine.think(state, 60, None, None, None), lambda: engine.perft(state, 0))
"""
BATCH = """
games = pv.batch("othello-10", 10_000)
fork_while(lambda: (games.play_out(), games.reset()), lambda: games.done)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("program", [ENGINE.format(threads=1), ENGINE.format(threads=2), XT_ENGINE, BATCH],
                         ids=["engine", "engine of two threads", "engine of XT", "batch"])
def test_what_was_in_use_at_a_fork_raises_in_the_child(program: str) -> None:
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", FORKING + program], capture_output=True,
                          text=True, timeout=TIMEOUT, check=False)
    assert done.stderr == ""
    said, status = done.stdout.splitlines()
    assert "make another one here" in said
    assert status == "0"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_what_was_idle_at_a_fork_can_be_used_in_the_child() -> None:
    program = """
import os
import polyversi as pv
engine, games = pv.engine("othello-4"), pv.batch("othello", 10)
state = pv.game("othello-4").start()
child = os.fork()
games.play_out()
assert games.done.all() and str(engine.choose(state)) == "b1"
if child:
    assert os.waitpid(child, 0)[1] == 0
"""
    subprocess.run([sys.executable, "-W", "ignore", "-c", program], timeout=TIMEOUT, check=True)


def test_a_signal_handler_cannot_use_what_it_has_interrupted() -> None:
    engine, state = pv.engine("othello", megabytes=1), pv.game("othello").start()
    raised: list[str] = []

    def handle(number: int, frame: object) -> None:
        if raised:
            return
        try:
            engine.choose(state, pv.Limit(depth=1))
        except RuntimeError as error:
            raised.append(str(error))
            engine.stop()

    before = signal.signal(signal.SIGALRM, handle)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
        engine.think(state, pv.Limit(depth=40))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    # On a busy machine the alarm also rings inside its own handler.
    assert set(raised) == {"it is in use: a signal handler cannot use what it has interrupted"}
