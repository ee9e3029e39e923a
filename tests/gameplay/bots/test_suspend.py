"""Standing still: a bot's whole family stops from its answer to the next request, and ends all the same."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import polyversi as pv
from polyversi.gameplay import LocalSeat, Referee, Request
from polyversi.gameplay.bots import BotSeat, Command, Sandbox, standstill
from polyversi.gameplay.bots.supervisor import descendants, process_tree
from polyversi.protocols.json_bot import JsonSeat
from tests.testing import clock
from tests.testing.marks import slow
from tests.testing.processes import nothing_left, run, zoo
from tests.testing.sandbox import needs_sandbox
from tests.testing.timeout import TIMEOUT
from tests.testing.waiting import until

START = pv.game("othello-4").start()
REQUEST = Request(START, 1, pv.Limit(), START, ())
OWNER = """
import asyncio, sys
from pathlib import Path
from polyversi.gameplay.bots.process import Child
from dataclasses import replace
from tests.testing.processes import zoo
from tests.testing.timeout import TIMEOUT

async def main():
    child = Child(replace(zoo(Path(sys.argv[1]), "--fork-many"), is_suspended=True))
    child.start()
    await child.wait_until_reading(TIMEOUT)
    child.suspend()
    print(child.group, flush=True)
    await asyncio.sleep(3600)

asyncio.run(main())
"""
KEPT = [slow(None), pytest.param(Sandbox(), marks=needs_sandbox)]


def bot(folder: Path, flag: str, sandbox: Sandbox | None = None) -> JsonSeat:
    seat = JsonSeat(zoo(folder, flag), flag)
    seat.protection, seat.suspends = sandbox, True
    return seat


@pytest.fixture(params=["frozen", "stopped"])
def way(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """How bots stand still: in a control group where there can be one, and by signals where there is none."""
    if request.param == "frozen":
        if (group := standstill.new_group()) is None:
            pytest.skip("control groups (version 2) that we may write to are needed")
        group.rmdir()
    else:
        (tmp_path / "mounts").touch()
        monkeypatch.setattr(standstill, "MOUNTS", tmp_path / "mounts")
    return str(request.param)


def is_still(seat: BotSeat) -> bool:
    assert seat.child is not None
    return seat.child.stands_still


async def until_still(seat: BotSeat) -> None:
    """Waits until all stand still: a signal reaches who runs when that one's turn is over."""
    await clock.until(lambda: is_still(seat))


def stopped(seat: BotSeat) -> set[bool]:
    """Which of a bot's processes a signal has stopped, as the system says."""
    assert seat.child is not None
    texts = [Path(f"/proc/{pid}/stat").read_text() for pid in process_tree(seat.child.pid)]
    return {text.rpartition(")")[2].split()[0] == "T" for text in texts}


@pytest.mark.parametrize("sandbox", KEPT, ids=["trusted", "sandboxed"])
@pytest.mark.parametrize("flag", [slow("--well-behaved"), "--fork-many", slow("--leave-thread")])
def test_a_family_stands_still_between_its_moves(
    flag: str, sandbox: Sandbox | None, way: str, tmp_path: Path
) -> None:
    async def moves() -> list[str]:
        seat, answers = bot(tmp_path, flag, sandbox), []
        await seat.begin(START, 1)
        try:
            for _ in range(3):
                await seat.prepare(REQUEST)
                assert not is_still(seat)
                answers.append(str(await seat.answer(REQUEST)))
                assert not is_still(seat)    # not before its answer has been taken
                await until_still(seat)
                assert stopped(seat) == {way == "stopped"}
            answers.append(str(await seat.answer(REQUEST)))    # also without having been prepared
        finally:
            await seat.close()
        return answers

    with nothing_left(tmp_path):
        assert run(moves()) == ["b1"] * 4


@pytest.mark.parametrize("sandbox", KEPT, ids=["trusted", "sandboxed"])
@pytest.mark.parametrize("ends", ["kill", slow("stop")])
def test_who_stands_still_can_be_ended(ends: str, sandbox: Sandbox | None, way: str, tmp_path: Path) -> None:
    async def end() -> None:
        seat = bot(tmp_path, "--fork-many", sandbox)
        await seat.begin(START, 1)
        await seat.answer(REQUEST)
        await until_still(seat)
        assert seat.child is not None
        if ends == "kill":
            seat.child.kill()
        await seat.close()

    with nothing_left(tmp_path):
        run(end())


@pytest.mark.parametrize("sandbox", KEPT, ids=["trusted", "sandboxed"])
def test_who_is_told_to_go_on_stands_still_again(sandbox: Sandbox | None, way: str, tmp_path: Path) -> None:
    """As a timer could tell it, or any process that was not stopped yet."""
    async def go_on() -> None:
        seat = bot(tmp_path, "--fork-many", sandbox)
        await seat.begin(START, 1)
        try:
            await seat.answer(REQUEST)
            for _ in range(3):
                await until_still(seat)
                assert seat.child is not None
                for pid in process_tree(seat.child.pid):
                    os.kill(pid, signal.SIGCONT)
            await until_still(seat)
        finally:
            await seat.close()

    with nothing_left(tmp_path):
        run(go_on())


@pytest.mark.parametrize("way", ["frozen"], indirect=True)
def test_no_control_group_is_left(way: str, tmp_path: Path) -> None:
    """Neither after a game nor when the owner of a bot is killed."""
    seat = bot(tmp_path, "--fork")
    finished = run(Referee(START, [seat, LocalSeat(pv.player("random", seed=1))]).run())
    assert finished.verdict.kind in ("win", "draw")
    assert seat.child is not None
    assert seat.child.group is not None
    assert not seat.child.group.exists()
    command = [sys.executable, "-c", OWNER, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=Path(__file__).parents[3]) as owner:
        assert owner.stdout is not None
        group = Path(owner.stdout.readline().decode().strip())
        assert group.is_dir()
        owner.kill()
    until(lambda: not group.exists())


@needs_sandbox
def test_who_stands_still_is_still_watched(tmp_path: Path) -> None:
    """The supervisor is no part of the family; nor does its bot look dead to it."""
    async def still() -> int | None:
        seat = bot(tmp_path, "--well-behaved", Sandbox())
        await seat.begin(START, 1)
        await seat.answer(REQUEST)
        await until_still(seat)
        try:
            assert seat.child is not None
            return await seat.child.ended(0.0)
        finally:
            await seat.close()

    assert run(still()) is None


def test_games_go_on_as_ever(tmp_path: Path) -> None:
    seats = [bot(tmp_path, "--fork"), bot(tmp_path, "--well-behaved")]
    with nothing_left(tmp_path):
        finished = run(Referee(START, seats, pv.Limit(seconds=TIMEOUT)).run())
    assert finished.verdict.kind in ("win", "draw")


def test_who_is_not_asked_to_goes_on(tmp_path: Path) -> None:
    async def goes_on() -> set[bool]:
        seat = bot(tmp_path, "--well-behaved")
        seat.suspends = False
        await seat.begin(START, 1)
        try:
            await seat.answer(REQUEST)
            await asyncio.sleep(0)
            return stopped(seat) | {is_still(seat)}
        finally:
            await seat.close()

    assert run(goes_on()) == {False}


def test_descendants_are_the_family(tmp_path: Path) -> None:
    async def both() -> tuple[list[int], list[int]]:
        seat = bot(tmp_path, "--fork-many")
        await seat.begin(START, 1)
        try:
            await seat.answer(REQUEST)
            await until_still(seat)
            assert seat.child is not None
            pid = seat.child.pid
            return sorted(descendants(pid)), sorted(process_tree(pid))
        finally:
            await seat.close()

    found, all_of_them = run(both())
    assert found == all_of_them
    assert len(found) == 31


def test_the_end_of_what_it_wrote_is_kept(tmp_path: Path) -> None:
    code = ("import sys; sys.stderr.write('e' * 9000 + '\\n\\x1b[31mred\\n'); input(); "
            "print('{\"move\": \"b1\"}'); input(); print('bye'); sys.stderr.write('the end')")
    seat = JsonSeat(Command((sys.executable, "-c", code)), "talkative")
    assert (seat.written, seat.last_output) == (("", ""), "")
    seats = [seat, LocalSeat(pv.player("random", seed=1))]
    finished = run(Referee(START, seats, pv.Limit(seconds=TIMEOUT)).run())
    assert (finished.verdict.kind, finished.verdict.seat) == ("illegal move", 1)
    output, errors = seat.written
    assert output.splitlines() == ['{"move": "b1"}', "bye"]
    assert errors.endswith("e…\n\\x1b[31mred\nthe end")
    assert len(errors) <= 8192
    assert seat.last_output == f"standard output:\n{output}\nstandard error:\n{errors}"
