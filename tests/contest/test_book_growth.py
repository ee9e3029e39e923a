"""Growing a book: the same one by any number of workers and after any interruption, with the right values."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import polyversi as pv
from polyversi.contest.book_growth import Growth
from polyversi.contest.workers import local_workers
from polyversi.engines.book import load
from polyversi.engines.search import EngineError
from polyversi.engines.solver import solve
from polyversi.games.errors import PolyversiError
from polyversi.records.position_keys import position_key
from tests.testing.timeout import TIMEOUT


def test_a_whole_small_game_has_the_values_of_the_solver(tmp_path: Path) -> None:
    growth = Growth.begin("othello-4", "depth=2")    # only at the ends does the engine see the result
    growth.run(10**6, path=tmp_path / "4.book")
    book = load(tmp_path / "4.book")
    start = book.game.start()
    assert max(book.values(start).values()) == -8
    states, waiting = {}, [start]
    while waiting:
        state = waiting.pop()
        if state.is_over or position_key(state) in states:
            continue
        states[position_key(state)] = state
        waiting += [state.play(move) for move in state.moves]
    assert len(book.positions) == len(states)
    for state in list(states.values())[::25]:
        assert max(book.values(state).values()) == solve(state).value


def test_the_same_book_by_two_workers_and_after_interruptions(tmp_path: Path) -> None:
    Growth.begin("othello-6", "depth=4", "grow").run(60, path=tmp_path / "whole.book")
    Growth.begin("othello-6", "depth=4", "grow").run(60, local_workers(2), path=tmp_path / "two.book")

    def interrupt(growth: Growth) -> None:
        if len(growth.book.positions) % 3 == 0:
            raise KeyboardInterrupt

    part = tmp_path / "part.book"
    for _ in range(100):
        growth = (Growth.resume(part, "othello-6", "depth=4", "grow") if part.exists()
                  else Growth.begin("othello-6", "depth=4", "grow"))
        try:
            growth.run(60, path=part, progress=interrupt)
            break
        except KeyboardInterrupt:
            assert load(part).positions
    whole = load(tmp_path / "whole.book")
    assert len(whole.positions) == 60
    for other in ("two.book", "part.book"):
        assert load(tmp_path / other).positions == whole.positions
    # Nearest to best play first: both good replies of the first move are in, before the worst one is followed.
    first = whole.values(whole.game.start().play(next(iter(whole.values(whole.game.start())))))
    assert len(first) > 1


def test_a_killed_command_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "killed.book"
    command = [sys.executable, "-m", "polyversi", "book", "grow", "--variant", "othello", "--out", str(file),
               "--limit", "depth=5"]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + TIMEOUT
    while not file.exists():
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.01)
    process.kill()
    process.wait()
    before = len(load(file).positions)
    stopped = subprocess.Popen([*command, "--positions", "1000000"], stderr=subprocess.PIPE, text=True)
    assert stopped.stderr is not None
    stopped.stderr.readline()    # it has begun
    stopped.send_signal(signal.SIGINT)
    said = stopped.stderr.read()
    assert stopped.wait(TIMEOUT) == 130 and "the same command goes on" in said
    assert len(load(file).positions) > before
    done = subprocess.run([*command, "--positions", str(before + 1)], check=True, capture_output=True, text=True)
    assert "positions of othello" in done.stdout


def test_what_cannot_grow_is_said(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="there is no engine to make a book for"):
        Growth.begin("xt:starfish", "depth=2")
    with pytest.raises(PolyversiError, match="a book has no bank"):
        Growth.begin("othello", "bank=60")
    Growth.begin("hex:side=2", "depth=2").run(5, path=tmp_path / "hex.book")
    with pytest.raises(PolyversiError, match="grow it on as it began"):
        Growth.resume(tmp_path / "hex.book", "hex:side=2", "depth=3")


def test_a_random_set_up_begins_with_every_set_up() -> None:
    growth = Growth.begin("hex", "depth=1")
    roots = growth._roots()
    drawn = len(pv.game("hex").definition.drawn)
    assert 1 < len(roots) <= 2 ** drawn
    starts = {pv.game("hex").start(seed).canonical()[0].text for seed in range(64)}
    assert starts <= set(roots)
