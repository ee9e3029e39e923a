"""`polyversi bench`: the same count of nodes in every run and on every processor."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

import polyversi as pv
from polyversi import _core
from polyversi.cli.commands.bench import TASKS, Task, positions, searched
from tests.testing.terminal import polyversi

SMALLER = [replace(task, positions=1, depth=min(task.depth, 7)) for task in TASKS]


@pytest.mark.slow
def test_the_signature_is_the_sum_of_what_is_shown() -> None:
    done = polyversi("bench")
    assert done.returncode == 0, done.stderr
    _, *rows, last = done.stdout.splitlines()
    assert [row.split()[:4] for row in rows] == [
        [task.spec, str(task.positions), str(task.empties), str(task.depth)] for task in TASKS]
    nodes = sum(int(row.split()[4].replace(",", "")) for row in rows)
    assert re.fullmatch(r"signature \d+", last) and int(last.split()[1]) == nodes
    documented = (Path(__file__).parents[2] / "docs" / "solving.md").read_text(encoding="utf-8")
    assert f"\n{last}\n" in documented, "docs/solving.md shows what `polyversi bench` has shown before"
    shown = re.findall(r"^(\w+(?: +[\d,]+){4}) +\d+\.\d{3} ", documented, re.MULTILINE)
    assert [row.split() for row in shown] == [row.split()[:5] for row in rows[:2]]


@pytest.mark.parametrize("task", SMALLER, ids=str)
def test_runs_and_kernels_agree(task: Task) -> None:
    game = pv.game(task.spec)
    served = [game, *(pv.Game(game.spec, game.definition, kernel=name) for name in _core.kernels(game))]
    assert len({searched(task, one)[0] for one in served}) == 1


@pytest.mark.parametrize("task", TASKS, ids=str)
def test_positions_are_as_they_are_said_to_be(task: Task) -> None:
    found = list(positions(task, pv.game(task.spec)))
    assert len(found) == len(set(found)) == task.positions
    for state in found:
        assert len(state.moves) > 1 and state.tiles.count(0) == task.empties
