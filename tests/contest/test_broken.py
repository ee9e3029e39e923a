"""Bots that are broken from the start: the others play, all see why, and who is repaired comes back."""

from __future__ import annotations

import csv
import os
import shutil
import tempfile
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

from polyversi.contest.export import export
from polyversi.contest.plan import Entrant, Plan, PlanError
from polyversi.contest.plan_file import newcomer, parse_plan
from polyversi.contest.playing import protection_of
from polyversi.contest.standings import table_of
from polyversi.contest.tournament import Tournament
from polyversi.contest.workers import local_workers
from polyversi.storage.contests import ContestStore
from tests.testing.files import ordinary_user
from tests.testing.marks import slow
from tests.testing.sandbox import needs_sandbox

BROKEN = "class AI:\n    def go(self, board)\n"
WELL = """
import json, sys
for line in sys.stdin:
    print(json.dumps({"move": json.loads(line)["moves"][0]}), flush=True)
"""
REASON = "bob.py is not valid Python (line 2: expected ':')"
FILE = 'variant = "othello-4"\nentrants = ["random", "bots/*", "greedy"]\ntrust = true\nlimit = 300\n'


@pytest.fixture
def room(tmp_path: Path) -> Path:
    """A folder with a bot that plays and one that does not."""
    (tmp_path / "bots").mkdir()
    (tmp_path / "bots" / "ann.py").write_text(WELL)
    (tmp_path / "bots" / "bob.py").write_text(BROKEN)
    return tmp_path


@pytest.fixture
def store(tmp_path: Path) -> Iterator[ContestStore]:
    opened = ContestStore.open(str(tmp_path / "cup.db"))
    yield opened
    opened.close()


def planned(room: Path, *lines: str) -> Plan:
    """The usual file with some more lines."""
    return parse_plan((FILE + "\n".join(lines)).encode(), room / "cup.toml")


def test_everybody_else_plays(room: Path, store: ContestStore) -> None:
    plan = planned(room, "[anchors]", "bob = 100")
    assert [entrant.name for entrant in plan.entrants] == ["random", "ann", "greedy"]
    assert [(bot.name, bot.reason) for bot in plan.broken] == [("bob", REASON)]
    cup = Tournament.create(store, plan)
    cup.run(workers=local_workers(1))
    assert cup.is_over and len(cup.played) == 6 and not any(game.failures for game in cup.played.values())
    assert table_of(cup).broken == plan.broken and len(table_of(cup).rows) == 3
    assert Tournament(store, "cup").plan == plan


@pytest.mark.parametrize("format", ["swiss", *map(slow, ["round-robin", "knock-out", "ladder", "gauntlet"])])
def test_who_is_repaired_comes_back(room: Path, store: ContestStore, format: str) -> None:
    cup = Tournament.create(store, planned(room, f'format = "{format}"'))
    assert cup.readmit() == []
    (room / "bots" / "bob.py").write_text(WELL)
    again = Tournament(store, "cup")
    assert again.readmit() == [Entrant("bob", f"bot:{room}/bots/bob.py")]
    assert again.plan.broken == () and again.joined == {3: 1}
    again.run(workers=local_workers(1))
    assert again.is_over and any(3 in game.seating for game in again.played.values())


def test_who_is_repaired_after_all_was_played_meets_everybody(room: Path, store: ContestStore) -> None:
    cup = Tournament.create(store, planned(room))
    cup.run(workers=local_workers(1))
    before = dict(cup.played)
    (room / "bots" / "bob.py").write_text("x = 1")
    assert cup.readmit() == []
    assert cup.plan.broken[0].reason.startswith("bob.py is not a bot: it has no class AI")
    (room / "bots" / "bob.py").write_text(WELL)
    cup.readmit()
    cup.run(workers=local_workers(1))
    assert cup.is_over and len(cup.played) == 12 and cup.played.items() >= before.items()


def test_who_is_repaired_too_late_stays_aside(room: Path, store: ContestStore) -> None:
    cup = Tournament.create(store, planned(room, "[format]", 'name = "swiss"', "rounds = 1"))
    cup.run(workers=local_workers(1))
    (room / "bots" / "bob.py").write_text(WELL)
    assert cup.readmit() == []
    said = "bob cannot join: the last round of 'cup' has started"
    assert [bot.reason for bot in Tournament(store, "cup").plan.broken] == [said]


@pytest.mark.parametrize(("text", "line", "said"), [
    ('entrants = ["random",\n"bots/bob.py"]', 2, f"only random can play: {REASON}"),
    ('folder = "none"', 1, f"nobody can play: {REASON}"),
    ('format = "gauntlet"\nentrants = ["bots/bob.py", "random", "greedy"]', 2,
     f"the gauntlet needs bob: {REASON}"),
    ('entrants = ["random", "bots/bob.py", "greedy"]\n[format]\nname = "gauntlet"\nchallengers = -1', 4,
     "challengers"),
    ('entrants = ["random", "greedy", {name = "Eve", spec = "bots/bob.py"}, {name = "Eve", spec = "none"}]',
     1, "two entrants are called Eve; give them different names"),
    (FILE.replace('"random"', '"randm"'), 2, "there is no player or file 'randm'"),
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
    with pytest.raises(PlanError, match=r"bob\.py is not valid Python"):
        newcomer(plan, "bots/bob.py", room)


def test_a_strange_name_of_a_file_stops_nobody(room: Path) -> None:
    shutil.copy(room / "bots" / "ann.py", room / "bots" / f"{'x' * 80}\t .py")
    assert planned(room).entrants[2].name == "x" * 39 + "…"


@pytest.mark.parametrize(("name", "text", "reason"), [
    (b"\x1b[31mred\nnose.py", "class (", r"\x1b[31mred\nnose.py is not valid Python (line 1: "),
    (b"caf\xe9.py", WELL, r"the name of 'caf\udce9.py' or of its folder is not in UTF-8; rename it"),
    (b"caf\xe9.py", "class (", r"the name of 'caf\udce9.py' or of its folder is not in UTF-8; rename it"),
    (b"prog ", WELL, "the name of 'prog ' ends with a space; rename it"),
])
def test_a_strange_name_of_a_broken_file_stops_nobody(
    room: Path, store: ContestStore, name: bytes, text: str, reason: str
) -> None:
    """Neither does it reach a terminal as it is, where it could do anything, nor stop what is kept."""
    file = Path(os.fsdecode(os.path.join(os.fsencode(room / "bots"), name)))  # noqa: PTH118 as bytes
    file.write_text(text)
    file.chmod(0o755)
    cup = Tournament.create(store, planned(room))
    (found,) = (bot for bot in cup.plan.broken if bot.name != "bob")
    assert found.reason.startswith(reason) and str(room) not in found.reason
    cup.readmit()
    assert all(bot.reason.isprintable() for bot in cup.plan.broken)
    cup.run(workers=local_workers(1))
    for suffix in ("html", "csv"):
        export(cup, room / f"cup.{suffix}")
        assert "\x1b" not in (room / f"cup.{suffix}").read_text()


def test_files_that_may_not_be_looked_at_stop_nobody() -> None:
    """A folder whose files can be listed, but not more."""
    with tempfile.TemporaryDirectory() as folder:
        room = Path(folder, "room")
        (room / "bots" / "ann").mkdir(parents=True)
        (room / "bots" / "ann" / "main.py").write_text(WELL)
        Path(folder).chmod(0o755)
        text = b'entrants = ["random", "greedy", "bots/*/*"]'
        parse_plan(text, room / "cup.toml")    # loads what may be only root's to read
        (room / "bots" / "ann").chmod(0o444)
        with ordinary_user():
            plan = parse_plan(text, room / "cup.toml")
            assert protection_of(plan) is not None
        (room / "bots" / "ann").chmod(0o755)
    assert [bot.name for bot in plan.broken] == ["main"]


def test_another_s_file_that_is_gone_is_not_held_against_who_is_repaired(
    room: Path, store: ContestStore
) -> None:
    cup = Tournament.create(store, planned(room))
    (room / "bots" / "bob.py").write_text(WELL)
    (room / "bots" / "ann.py").rename(room / "ann.py")
    assert cup.readmit() == [] and [bot.reason for bot in cup.plan.broken] == [REASON]
    (room / "ann.py").rename(room / "bots" / "ann.py")
    assert [entrant.name for entrant in cup.readmit()] == ["bob"]


@needs_sandbox
@pytest.mark.parametrize("leads_to", ["zed", "../../main/none/zed", ""])
def test_what_leads_nowhere_disturbs_nobody(room: Path, store: ContestStore, leads_to: str) -> None:
    """A link in circles, a link to where nothing is, a folder that was removed: others have their sandbox."""
    (room / "main" / "wild" / "deep").mkdir(parents=True)
    (room / "main" / "main.py").write_text(WELL)
    zed = room / "main" / "wild" / "deep" / "zed"
    if leads_to:
        zed.symlink_to(leads_to)
    else:
        zed.write_text("nothing")
    text = 'variant = "othello-4"\nentrants = ["random", "main/main.py", "main/wild/deep/*"]\n'
    cup = Tournament.create(store, parse_plan(text.encode(), room / "cup.toml"))
    assert [bot.name for bot in cup.plan.broken] == ["zed"]
    if not leads_to:
        shutil.rmtree(room / "main" / "wild")
    cup.run(workers=local_workers(1))
    assert [game.failures for game in cup.played.values()] == [(), ()]


@needs_sandbox
def test_what_is_broken_is_not_shown_to_others(room: Path) -> None:
    """Ann would see her whole folder, if she were the only one in it."""
    (room / "bots" / "cid").mkdir()
    (room / "bots" / "cid" / "a.txt").write_text("mine")
    protection = protection_of(parse_plan(FILE.replace("trust = true", "").encode(), room / "cup.toml"))
    assert protection is not None
    hidden = {str(path.relative_to(room / "bots")) for path in protection.entrants}
    assert hidden == {"ann.py", "bob.py", "cid/bot"}


def test_reports_say_why_and_name_no_folders(room: Path, store: ContestStore) -> None:
    (room / "bots" / "cid.py").write_text("import no_such_module\nclass AI:\n    def go(self, board): ...\n")
    cup = Tournament.create(store, planned(room, "failures = 2"))
    cup.run(workers=local_workers(1))
    files = [room / f"cup.{suffix}" for suffix in ("html", "csv", "jsonl", "ggf")]
    for file in files:
        export(cup, file)
        assert str(room) not in file.read_text()
    page = files[0].read_text()
    assert page.count("bob.py is not valid Python (line 2: expected") == 2    # in the table, and why
    assert "course:cid.py" in page and 'File "cid.py", line 1' in unescape(page)
    with files[1].open(newline="") as file_:
        rows = {row["name"]: row for row in csv.DictReader(file_)}
    bob = rows["bob"]
    assert (bob["player"], bob["games"], bob["set aside"], bob["reason"]) == ("bob.py", "0", "yes", REASON)
    assert (rows["cid"]["set aside"], rows["cid"]["reason"]) == ("yes", "2 crash")


def test_who_was_never_asked_has_written_nothing(room: Path, store: ContestStore) -> None:
    """A course agent whose rival ends at once: the failure is the rival's alone."""
    agent = "class AI:\n    def __init__(self, *_): ...\n    def go(self, board): ...\n"
    (room / "bots" / "ann.py").write_text(agent)
    (room / "bots" / "bob.py").write_text("import no_such_module\n" + agent)
    cup = Tournament.create(store, planned(room))
    cup.run(workers=local_workers(1))
    games = [game for game in cup.played.values() if game.seating == (1, 2)]
    assert [(game.verdict.kind, game.verdict.seat, game.outputs[0]) for game in games] == [("crash", 2, "")]
