"""Bots that are broken from the start: the others play, all see why, and who is repaired comes back."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from polyversi.arena.tournament.export import export
from polyversi.arena.tournament.plan import Entrant, PlanError, TournamentPlan
from polyversi.arena.tournament.planfile import newcomer, parse_plan
from polyversi.arena.tournament.playing import protection_of
from polyversi.arena.tournament.runner import local_workers, run
from polyversi.arena.tournament.store import TournamentStore
from polyversi.arena.tournament.table import table_of
from polyversi.arena.tournament.tournament import Tournament
from tests.arena.tournament.test_untrusted import MISSING

BROKEN = "class AI:\n    def go(self, board)\n"
WELL = """
import json, sys
for line in sys.stdin:
    print(json.dumps({"move": json.loads(line)["moves"][0]}), flush=True)
"""
REASON = "bob.py is no Python that can be run (line 2: expected ':')"
FILE = 'variant = "othello-4"\nentrants = ["random", "bots/*", "greedy"]\ntrust = true\n'


@pytest.fixture
def room(tmp_path: Path) -> Path:
    """A folder with a bot that plays and one that does not."""
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "ann.py").write_text(WELL)
    (tmp_path / "bots" / "bob.py").write_text(BROKEN)
    return tmp_path


@pytest.fixture
def store(tmp_path: Path) -> Iterator[TournamentStore]:
    opened = TournamentStore.open(str(tmp_path / "cup.db"))
    yield opened
    opened.close()


def planned(room: Path, *lines: str) -> TournamentPlan:
    """The usual file with some more lines."""
    return parse_plan((FILE + "\n".join(lines)).encode(), room / "cup.toml")


def test_everybody_else_plays(room: Path, store: TournamentStore) -> None:
    plan = planned(room, "[anchors]", "bob = 100")
    assert [entrant.name for entrant in plan.entrants] == ["random", "ann", "greedy"]
    assert [(bot.name, bot.reason) for bot in plan.broken] == [("bob", REASON)]
    cup = Tournament.create(store, plan)
    run(cup, local_workers(1))
    assert cup.is_over and len(cup.played) == 6 and not any(game.failures for game in cup.played.values())
    assert table_of(cup).broken == plan.broken and len(table_of(cup).rows) == 3
    assert Tournament(store, "cup").plan == plan


@pytest.mark.parametrize("format", ["round-robin", "swiss", "knock-out", "ladder", "gauntlet"])
def test_who_is_repaired_comes_back(room: Path, store: TournamentStore, format: str) -> None:
    cup = Tournament.create(store, planned(room, f'format = "{format}"'))
    assert cup.readmit() == []
    (room / "bots" / "bob.py").write_text(WELL)
    again = Tournament(store, "cup")
    assert again.readmit() == [Entrant("bob", f"bot:{room}/bots/bob.py")]
    assert again.plan.broken == () and again.joined == {3: 1}
    run(again, local_workers(1))
    assert again.is_over and any(3 in game.seating for game in again.played.values())


def test_who_is_repaired_after_all_was_played_meets_everybody(room: Path, store: TournamentStore) -> None:
    cup = Tournament.create(store, planned(room))
    run(cup, local_workers(1))
    before = dict(cup.played)
    (room / "bots" / "bob.py").write_text("x = 1")
    assert cup.readmit() == []
    assert cup.plan.broken[0].reason.startswith("bob.py is no bot: it has no class AI")
    (room / "bots" / "bob.py").write_text(WELL)
    cup.readmit()
    run(cup, local_workers(1))
    assert cup.is_over and len(cup.played) == 12 and cup.played.items() >= before.items()


def test_who_is_repaired_too_late_stays_aside(room: Path, store: TournamentStore) -> None:
    cup = Tournament.create(store, planned(room, "[format]", 'name = "swiss"', "rounds = 1"))
    run(cup, local_workers(1))
    (room / "bots" / "bob.py").write_text(WELL)
    assert cup.readmit() == []
    said = "bob would play nothing: the last round of 'cup' has begun"
    assert [bot.reason for bot in Tournament(store, "cup").plan.broken] == [said]


@pytest.mark.parametrize(("text", "line", "said"), [
    ('entrants = ["random",\n"bots/bob.py"]', 2, f"only random can play: {REASON}"),
    ('folder = "none"', 1, f"nobody can play: {REASON}"),
    ('format = "gauntlet"\nentrants = ["bots/bob.py", "random", "greedy"]', 2,
     f"the gauntlet needs bob: {REASON}"),
    (FILE.replace('"random"', '"randm"'), 2, "there is no player and no file 'randm'"),
])
def test_what_nobody_can_play_is_a_mistake(room: Path, text: str, line: int, said: str) -> None:
    (room / "none").mkdir()
    shutil.copy(room / "bots" / "bob.py", room / "none")
    with pytest.raises(PlanError) as error:
        parse_plan(text.encode(), room / "cup.toml")
    assert str(error.value).startswith(f"cup.toml, line {line}: {said}")


def test_names_are_told_apart_from_those_that_are_broken(room: Path) -> None:
    plan = planned(room)
    assert newcomer(plan, "bots/ann.py", room).name == "ann#2"
    (room / "bob.py").write_text(WELL)
    assert newcomer(plan, "bob.py", room).name == "bob#2"
    with pytest.raises(PlanError, match=r"bob\.py is no Python that can be run"):
        newcomer(plan, "bots/bob.py", room)


def test_a_strange_name_of_a_file_stops_nobody(room: Path) -> None:
    shutil.copy(room / "bots" / "ann.py", room / "bots" / f"{'x' * 80}\t .py")
    assert planned(room).entrants[2].name == "x" * 39 + "…"


@pytest.mark.skipif(not shutil.which("bwrap"), reason=MISSING)
def test_what_is_broken_is_not_shown_to_others(room: Path) -> None:
    """Ann would see her whole folder, if she were the only one in it."""
    (room / "bots" / "cid").mkdir()
    (room / "bots" / "cid" / "a.txt").write_text("mine")
    protection = protection_of(parse_plan(FILE.replace("trust = true", "").encode(), room / "cup.toml"))
    assert protection is not None
    hidden = {str(path.relative_to(room / "bots")) for path in protection.entrants}
    assert hidden == {"ann.py", "bob.py", "cid/bot"}


def test_reports_say_why_and_name_no_folders(room: Path, store: TournamentStore) -> None:
    (room / "bots" / "cid.py").write_text("import no_such_module\nclass AI:\n    def go(self, board): ...\n")
    cup = Tournament.create(store, planned(room, "failures = 2"))
    run(cup, local_workers(1))
    files = [room / f"cup.{suffix}" for suffix in ("html", "csv", "jsonl", "ggf")]
    for file in files:
        export(cup, file)
        assert str(room) not in file.read_text()
    page = files[0].read_text()
    assert page.count("bob.py is no Python that can be run (line 2: expected") == 2    # in the table, and why
    assert "course:cid.py" in page and 'File "cid.py", line 1' in page.replace("&quot;", '"')
    with files[1].open(newline="") as file_:
        rows = {row["name"]: row for row in csv.DictReader(file_)}
    bob = rows["bob"]
    assert (bob["player"], bob["games"], bob["set aside"], bob["reason"]) == ("bob.py", "0", "yes", REASON)
    assert (rows["cid"]["set aside"], rows["cid"]["reason"]) == ("yes", "2 crash")


def test_who_was_never_asked_has_written_nothing(room: Path, store: TournamentStore) -> None:
    """A course agent whose rival ends at once: the failure is the rival's alone."""
    agent = "class AI:\n    def __init__(self, *_): ...\n    def go(self, board): ...\n"
    (room / "bots" / "ann.py").write_text(agent)
    (room / "bots" / "bob.py").write_text("import no_such_module\n" + agent)
    cup = Tournament.create(store, planned(room))
    run(cup, local_workers(1))
    games = [game for game in cup.played.values() if game.seating == (1, 2)]
    assert [(game.verdict.kind, game.verdict.seat, game.outputs[0]) for game in games] == [("crash", 2, "")]
