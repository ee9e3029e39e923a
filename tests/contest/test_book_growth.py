"""Growing a book: the same one by any number of workers and after any interruption, with the right values."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

import polyversi as pv
from polyversi.contest.book_growth import Growth, searched
from polyversi.contest.workers import local_workers
from polyversi.engines.book import load
from polyversi.engines.search import EngineError
from polyversi.games.errors import PolyversiError
from polyversi.games.state import State
from tests.testing.timeout import TIMEOUT
from tests.testing.waiting import until


def test_values_are_passed_on_as_best_play_has_them() -> None:
    exact = Growth.begin("othello-4", "depth=12")
    exact.run(80)
    for line, values in exact.book.positions.items():
        assert max(values.values()) == exact.book.game.position(line).solve()
    rough = Growth.begin("othello-6", "depth=1")
    rough.run(200)
    book = rough.book
    judged = {line: searched(book.header.spec, line, book.header.limit) for line in book.positions}

    def value(state: State) -> int:
        line = state.canonical()[0].text
        game = state.game
        return max(-value(after) if not after.is_over and after.canonical()[0].text in judged else own
                   for number, own in judged[line].items()
                   for after in [game.position(line).play(game.action(number))])

    for line, values in book.positions.items():
        assert max(values.values()) == value(book.game.position(line))


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


@pytest.mark.slow
def test_a_killed_command_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "killed.book"
    command = [sys.executable, "-m", "polyversi", "book", "grow", "--variant", "othello", "--out", str(file),
               "--limit", "depth=5"]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    until(lambda: file.exists() or process.poll() is not None)
    assert process.poll() is None
    process.kill()
    process.wait()
    before = len(load(file).positions)
    stopped = subprocess.Popen([*command, "--until", "1000000"], stderr=subprocess.PIPE, text=True)
    assert stopped.stderr is not None
    stopped.stderr.readline()    # it has begun
    stopped.send_signal(signal.SIGINT)
    said = stopped.stderr.read()
    assert stopped.wait(TIMEOUT) == 130 and "the same command goes on" in said
    assert len(load(file).positions) > before
    done = subprocess.run([*command, "--until", str(before + 1)], check=True, capture_output=True)
    assert b"positions of othello" in done.stdout


def test_what_cannot_grow_is_said(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="there is no engine to make a book for"):
        Growth.begin("xt:starfish", "depth=2")
    with pytest.raises(PolyversiError, match="a book has no bank"):
        Growth.begin("othello", "bank=60")
    Growth.begin("hex:side=3", "depth=2").run(5, path=tmp_path / "hex.book")
    with pytest.raises(PolyversiError, match="grow it on as it began"):
        Growth.resume(tmp_path / "hex.book", "hex:side=3", "depth=3")


def test_a_random_set_up_begins_with_every_set_up() -> None:
    growth = Growth.begin("hex", "depth=1")
    roots = growth.roots
    drawn = len(pv.game("hex").definition.random_cells)
    assert 1 < len(roots) <= 2 ** drawn
    starts = {pv.game("hex").start(seed).canonical()[0].text for seed in range(64)}
    assert starts <= set(roots)
