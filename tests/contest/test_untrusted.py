"""Bots that nobody has read, in a whole tournament: right verdicts, nobody left, and others not disturbed."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

import polyversi as pv
from polyversi.contest.openings import Openings
from polyversi.contest.plan import Entrant, Plan
from polyversi.contest.standings import table_of
from polyversi.contest.tournament import Tournament
from polyversi.contest.workers import local_workers
from polyversi.gameplay.bots import SandboxError
from polyversi.storage.contests import ContestStore
from tests.testing.processes import ZOO, nothing_left
from tests.testing.sandbox import needs_sandbox

KINDS = {
    "--well-behaved": "",
    "--exit-mid-move": "crash",
    "--signal": "crash",
    "--allocate": "crash",
    "--fork-and-exit": "crash",
    "--not-json": "illegal move",
    "--illegal": "illegal move",
    "--sleep": "timeout",
    "--ignore-everything": "timeout",
    "--kill-supervisor": "timeout",
}
TAME = (Entrant("random", "random"), Entrant("greedy", "greedy"))


def gauntlet(
    store: ContestStore, name: str, wild: tuple[Entrant, ...], *, trust: bool = False
) -> Tournament:
    """Random moves against everybody else."""
    plan = Plan(
        name, TAME + wild, ("othello-4",), "gauntlet", openings=Openings("random", 2),
        limit=pv.Limit(seconds=5), trust=trust,
    )
    return Tournament.create(store, plan)


def moves(tournament: Tournament, ids: set[str]) -> list[tuple[pv.Move, ...]]:
    """Of the games with these ids."""
    return [game.record.moves for game in tournament.played.values() if game.id in ids]


@pytest.mark.slow
@needs_sandbox
def test_the_zoo_in_a_tournament(tmp_path: Path) -> None:
    wild = []
    for flag in KINDS:
        folder = tmp_path / flag.strip("-")
        folder.mkdir()
        shutil.copy(ZOO, folder / "zoo.py")
        wild.append(Entrant(flag, f"bot:{sys.executable} {folder / 'zoo.py'} {flag}"))
    store = ContestStore.open(str(tmp_path / "cup.db"))
    with nothing_left(tmp_path):
        cup = gauntlet(store, "cup", tuple(wild))
        cup.run(workers=local_workers(1))
    assert cup.is_over
    for row in table_of(cup).rows:
        expected = KINDS.get(row.name, "")
        assert row.score.faults == ({expected: 2} if expected else {}), row.name
    calm = gauntlet(store, "calm", ())
    calm.run(workers=local_workers(1))
    assert moves(calm, set(calm.played)) == moves(cup, set(calm.played)) and len(calm.played) == 2
    store.close()


def test_without_a_sandbox_nothing_begins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bot = Entrant("bot", f"bot:{sys.executable} {ZOO} --well-behaved")
    store = ContestStore.open(str(tmp_path / "cup.db"))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SandboxError, match=r"bwrap is missing; install bubblewrap .* --trust"):
        gauntlet(store, "cup", (bot,)).run(workers=local_workers(1))
    trusting = gauntlet(store, "trusting", (bot,), trust=True)
    trusting.run(workers=local_workers(1))
    assert trusting.is_over and not any(game.failures for game in trusting.played.values())
    store.close()


READS_EVE = """
import json, pathlib, sys
pathlib.Path(__file__).with_name("eve.py").read_text()
for line in sys.stdin:
    print(json.dumps({"move": json.loads(line)["moves"][0]}), flush=True)
"""


@needs_sandbox
def test_nobody_sees_the_files_of_those_that_another_program_added(tmp_path: Path) -> None:
    (tmp_path / "bots").mkdir()
    for name in ("ann", "eve"):
        (tmp_path / "bots" / f"{name}.py").write_text(READS_EVE)
    store = ContestStore.open(str(tmp_path / "cup.db"))
    plan = Plan("cup", (TAME[0], Entrant("ann", f"bot:{tmp_path}/bots/ann.py")), ("othello-4",))
    cup = Tournament.create(store, plan)
    Tournament(store, "cup").add(Entrant("eve", f"bot:{tmp_path}/bots/eve.py"))
    cup.run(workers=local_workers(1))
    failed = {game.seating[(one.seat or 1) - 1] for game in cup.played.values() for one in game.failures}
    assert cup.is_over and failed == {1}
    store.close()
