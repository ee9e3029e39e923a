"""Checks of what was handed in: good bots enter the ladder, the zoo fails in the step that is its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Future
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sql

from polyversi.contest.pool import process_pool
from polyversi.site.bots import Bot, Version
from polyversi.site.checking import check_version, versions_before, waiting_versions
from polyversi.site.tables import VERSIONS
from tests.testing.marks import slow
from tests.testing.processes import nothing_left
from tests.testing.sandbox import needs_sandbox
from tests.testing.timeout import TIMEOUT
from tests.testing.uploads import COURSE_AGENT, FIRST_MOVE, JAVASCRIPT, Desk, at_once, packed, zoo_bot

pytestmark = needs_sandbox
CLIENT = Path(__file__).parents[1] / "testing" / "fake_xt_client.py"
LADDER = """
[[ladders]]
id = "othello"
variant = "othello-4"
limit = "seconds={seconds:g},bank={bank:g}"
memory = 600
"""


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots may take as long as they like to end by themselves."""
    monkeypatch.setattr("polyversi.protocols.check.EXIT_TIMEOUT", TIMEOUT)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path)
    yield desk
    desk.store.close()


def checked(desk: Desk, data: str | bytes, name: str = "main.py", arguments: str = "") -> tuple[Bot, Version]:
    """A bot whose first version has been checked; nothing of it runs any more."""
    ann = desk.person("Ann")
    bot = desk.bots.create(ann, "bot", "othello")
    desk.hand_in(ann, bot, data, name, arguments)
    with nothing_left(desk.file.uploads):
        check_version(desk.bots, bot.id, 1, at_once)
    return desk.bots.find(bot.id), desk.bots.version(bot.id, 1)


def faults(version: Version) -> dict[str, str]:
    """What went wrong in which step."""
    return {step["name"]: step["fault"] for step in version.report["steps"] if step["fault"]}


@pytest.mark.parametrize(("data", "name"), [
    slow(COURSE_AGENT, "agent.py"),
    slow(FIRST_MOVE, "main.py"),
    slow(JAVASCRIPT, "bot.js"),
    slow(packed({"mine/main.py": "import helper\n" + FIRST_MOVE, "mine/helper.py": ""}), "mine.zip"),
    slow("#!/usr/bin/env python3\n" + FIRST_MOVE, "program"),
])
def test_a_good_bot_enters_the_ladder(data: str | bytes, name: str, desk: Desk) -> None:
    bot, version = checked(desk, data, name)
    assert faults(version) == {}
    assert (version.phase, version.report["has_passed"], bot.active) == ("passed", True, 1)
    assert len(version.report["steps"]) == version.report["total"] >= 7
    assert waiting_versions(desk.store) == []


@pytest.mark.slow
def test_an_agent_that_lists_other_moves_does_not(desk: Desk) -> None:
    sloppy = COURSE_AGENT + "\n        del self.candidate_list[:-1]"
    bot, version = checked(desk, sloppy)
    assert list(faults(version)) == ["lists exactly the legal moves"]
    assert (version.phase, bot.active) == ("failed", 0)


@pytest.mark.slow
def test_a_crash_is_shown_without_escapes_and_folders(desk: Desk) -> None:
    said = r'import sys; print("\x1b[31m<b>oh</b>\u202e", file=sys.stderr)'
    _, version = checked(desk, f"{said}\ninput()\n1 / 0")
    [step] = [step for step in version.report["steps"] if step["fault"]]
    assert step["name"] == "answers its first request"
    assert "ZeroDivisionError" in step["fault"]
    assert r"\x1b[31m<b>oh</b>\u202e" in step["errors"]
    assert 'File "main.py", line 3' in step["errors"]
    assert str(desk.folder) not in str(version.report)


@pytest.mark.slow
def test_what_it_wrote_on_the_way_is_kept_of_steps_that_pass_too(desk: Desk) -> None:
    _, version = checked(desk, f"import sys; print('depth 9', file=sys.stderr, flush=True)\n{FIRST_MOVE}")
    assert version.phase == "passed"
    first, *asked, last = version.report["steps"]
    assert {step["errors"] for step in asked} == {"depth 9"}
    assert first["errors"] == last["errors"] == "", "the check has cut them off"
    assert not any(step["output"] for step in version.report["steps"])


@pytest.mark.slow
def test_the_place_among_those_that_wait(desk: Desk) -> None:
    bots = {}
    for name, count in (("Ann", 3), ("Bob", 1), ("Cid", 1)):
        person = desk.person(name)
        for number in range(count):
            bot = desk.bots.create(person, f"{name} {number}", "othello")
            desk.hand_in(person, bot, FIRST_MOVE)
            bots[bot.name] = bot.id

    def places() -> dict[str, int]:
        return {name: versions_before(desk.store, id, 1) for name, id in bots.items()}

    assert places() == {"Ann 0": 0, "Bob 0": 1, "Cid 0": 2, "Ann 1": 3, "Ann 2": 4}
    with desk.store.writing() as connection:
        is_it = VERSIONS.c.bot == bots["Ann 0"]
        connection.execute(sql.update(VERSIONS).where(is_it).values(phase="checking"))
    assert places() == {"Ann 0": 0, "Bob 0": 0, "Cid 0": 1, "Ann 1": 2, "Ann 2": 3}
    check_version(desk.bots, bots["Bob 0"], 1, at_once)
    assert places()["Cid 0"] == 0


@pytest.mark.parametrize(("flag", "step", "fault"), [
    ("--exit-mid-move", "answers its first request", "ended with status 3"),
    slow("--allocate", "answers its first request", "crash"),
    slow("--sleep", "answers its first request", "no answer within 1 s"),
    slow("--spin", "answers its first request", "no answer within 1 s"),
    slow("--ignore-everything", "answers its first request", "no answer within 1 s"),
    slow("--leave-thread", "ends when its input ends", "still running"),
    slow("--write-files", "starts and waits for a request", "Read-only file system"),
    slow("--kill-supervisor", "answers its first request", ""),
    slow("--print-line", "answers its first request", "longer than 64 KiB"),
    slow("--flood-errors-forever", "answers its first request", "no answer within 1 s"),
    slow("--close-output", "answers its first request", "it closed its output"),
    slow("--deep-nesting", "answers its first request", "not JSON"),
    slow("--invalid-utf8", "answers its first request", "UTF-8"),
    slow("--illegal", "answers its first request", "illegal move"),
    slow("--two-answers", "writes nothing unasked", "without being asked"),
    slow("--stop-itself", "answers its first request", "no answer within 1 s"),
])
def test_the_zoo(
    flag: str, step: str, fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There is little time only where a bot is to run out of it."""
    if flag == "--leave-thread":
        monkeypatch.setattr("polyversi.protocols.check.EXIT_TIMEOUT", 0.3)
    seconds = 1 if "within 1 s" in fault or flag == "--kill-supervisor" else TIMEOUT
    desk = Desk(tmp_path, more=LADDER.format(seconds=seconds, bank=10 * TIMEOUT))
    bot, version = checked(desk, zoo_bot(flag))
    assert fault in faults(version)[step]
    assert (version.phase, bot.active) == ("failed", 0)
    desk.store.close()


@pytest.mark.slow
def test_a_bot_sees_nothing_of_others(desk: Desk) -> None:
    bob = desk.person("Bob")
    secret = desk.bots.create(bob, "secret", "othello")
    desk.hand_in(bob, secret, FIRST_MOVE, "secret.py")
    places = [str(desk.folder), str(desk.file.uploads), str(desk.file.uploads / secret.id / "1")]
    spy = f"""
import os, sys
for folder in {places}:
    print(folder, os.listdir(folder) if os.path.exists(folder) else None, file=sys.stderr)
input()
1 / 0
"""
    _, version = checked(desk, spy)
    seen = version.report["steps"][-1]["errors"]
    assert "ZeroDivisionError" in seen
    assert "secret.py" not in seen
    assert "site.db" not in seen
    assert "['uploads']" in seen


def test_steps_are_kept_one_by_one_and_a_lost_check_goes_on(desk: Desk) -> None:
    ann = desk.person("Ann")
    bot = desk.bots.create(ann, "bot", "othello")
    desk.hand_in(ann, bot, FIRST_MOVE)
    taken = []

    def lost_after(steps: int) -> Callable[[Callable[[], Any]], Future[Any]]:
        def submit(work: Callable[[], Any]) -> Future[Any]:
            report = desk.bots.version(bot.id, 1).report
            taken.append(len(report.get("steps", ())))
            if len(taken) > steps:
                raise BrokenExecutor("the worker was killed")
            return at_once(work)
        return submit

    with pytest.raises(BrokenExecutor):
        check_version(desk.bots, bot.id, 1, lost_after(2))
    assert taken == [0, 1, 2]
    assert desk.bots.version(bot.id, 1).phase == "checking"
    assert waiting_versions(desk.store) == [(bot.id, 1)]
    check_version(desk.bots, bot.id, 1, lost_after(100))
    assert taken[3] == 2
    assert desk.bots.version(bot.id, 1).phase == "passed"


def test_a_check_that_always_loses_its_worker_ends(desk: Desk) -> None:
    ann = desk.person("Ann")
    bot = desk.bots.create(ann, "bot", "othello")
    desk.hand_in(ann, bot, FIRST_MOVE)

    def lose(_: Callable[[], Any]) -> Future[Any]:
        raise BrokenExecutor("the worker was killed")

    for _ in range(2):
        with pytest.raises(BrokenExecutor):
            check_version(desk.bots, bot.id, 1, lose)
    check_version(desk.bots, bot.id, 1, lose)
    version = desk.bots.version(bot.id, 1)
    assert version.phase == "failed"
    assert "again and again" in faults(version)["can be run here"]


@pytest.mark.parametrize("act", ["withdraw", slow("delete_version"), slow("hand_in")])
def test_a_version_that_goes_while_it_is_checked(act: str, desk: Desk) -> None:
    ann = desk.person("Ann")
    bot = desk.bots.create(ann, "bot", "othello")
    desk.hand_in(ann, bot, FIRST_MOVE)
    steps = 0

    def submit(work: Callable[[], Any]) -> Future[Any]:
        nonlocal steps
        steps += 1
        if steps == 2 and act == "hand_in":
            desk.hand_in(ann, bot, FIRST_MOVE)
        elif steps == 2:
            getattr(desk.bots, act)(ann, bot, 1)
        return at_once(work)

    check_version(desk.bots, bot.id, 1, submit)
    phase = {"withdraw": "withdrawn", "delete_version": "deleted", "hand_in": "passed"}[act]
    assert desk.bots.version(bot.id, 1).phase == phase
    assert steps == (8 if act == "hand_in" else 2), "a newer version does not break a check off"
    assert desk.bots.find(bot.id).active == (1 if act == "hand_in" else 0)


@pytest.mark.slow
def test_xt_clients(tmp_path: Path) -> None:
    ladder = '[[ladders]]\nid = "othello"\nvariant = "xt:cross,players=2"\nlimit = "bank=20,increment=2"\n'
    desk = Desk(tmp_path, more=ladder)
    main = 'import sys\nfrom client import main\nmain(sys.argv[1], sys.argv[2], "/tmp/log")\n'
    bot, version = checked(desk, packed({"main.py": main, "client.py": CLIENT.read_text()}), "client.zip",
                           "{host} {port}")
    assert faults(version) == {}
    assert (version.language, version.phase, bot.active) == ("xt", "passed", 1)
    desk.store.close()


@pytest.mark.slow
def test_workers_check_too(desk: Desk) -> None:
    ann = desk.person("Ann")
    bot = desk.bots.create(ann, "bot", "othello")
    desk.hand_in(ann, bot, COURSE_AGENT)
    with process_pool(1) as pool:
        check_version(desk.bots, bot.id, 1, pool.submit)
    assert desk.bots.find(bot.id).active == 1
