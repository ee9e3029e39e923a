"""Checking bots: good ones pass every step, bad ones fail the step that is theirs."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import polyversi as pv
from polyversi.gameplay.bots import BotSeat, Command
from polyversi.games.xt import xt_game
from polyversi.games.xtmap import XtMap
from polyversi.protocols.check import Check, Step
from polyversi.protocols.course import CourseSeat
from polyversi.protocols.gtp.seat import GtpSeat
from polyversi.protocols.json_bot import JsonSeat
from polyversi.protocols.nboard.seat import NboardSeat
from polyversi.protocols.xt.client_seat import XtClientSeat
from tests.testing.course_agent import CHOOSE, agent
from tests.testing.marks import slow
from tests.testing.processes import nothing_left, run, zoo
from tests.testing.timeout import TIMEOUT

ROOT = Path(__file__).parents[2]


async def steps_of(check: Check) -> list[Step]:
    return [step async for step in check.run()]


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots may take as long as they like to end by themselves."""
    monkeypatch.setattr("polyversi.protocols.check.EXIT_TIMEOUT", TIMEOUT)


def check_zoo(
    folder: Path, flag: str, spec: str = "othello-4", ready: float = TIMEOUT, seconds: float = TIMEOUT
) -> list[Step]:
    """The steps of a bot of the zoo, with little time only where it is meant to run out of it."""
    def make() -> BotSeat:
        return JsonSeat(zoo(folder, flag), flag, ready)

    with nothing_left(folder):
        return run(steps_of(Check(make, pv.game(spec), seconds, seconds)))


def failed(steps: list[Step]) -> list[str]:
    return [step.name for step in steps if step.fault]


@pytest.mark.parametrize("spec", ["othello-6", slow("hex:side=3"), slow("rolit")])
def test_a_good_bot_passes(spec: str, tmp_path: Path) -> None:
    steps = check_zoo(tmp_path, "--well-behaved", spec)
    assert failed(steps) == []
    names = [step.name for step in steps]
    assert names[0] == "starts and waits for a request"
    assert "writes nothing unasked" in names
    assert names[-1] == "ends when its input ends"
    assert ("passes when it must" in names) == (spec != "rolit")


@pytest.mark.parametrize(("flag", "step", "fault", "shown"), [
    slow("--exit-at-once", "starts and waits for a request", "crash (its process ended with status 0)", ""),
    slow("--sleep-unread", "starts and waits for a request", "it did not begin to read its input", ""),
    ("--raise", "answers its first request", "ZeroDivisionError", "ZeroDivisionError: division by zero"),
    slow("--not-json", "answers its first request", "not JSON; it answered b1", "b1"),
    slow("--out-of-turn", "answers its first request", "it wrote before it was asked: hello", "hello"),
    ("--sleep", "answers its first request", "no answer within 0.3 s in -----OX--XO----- X", ""),
])
def test_after_a_step_that_is_needed_no_more_are_tried(
    flag: str, step: str, fault: str, shown: str, tmp_path: Path
) -> None:
    ready = 0.3 if flag == "--sleep-unread" else TIMEOUT
    steps = check_zoo(tmp_path, flag, ready=ready, seconds=0.3 if flag == "--sleep" else TIMEOUT)
    assert failed(steps) == [step] == [steps[-1].name]
    assert fault in (steps[-1].fault or "")
    assert shown in steps[-1].output + steps[-1].errors


@pytest.mark.slow
def test_the_step_that_is_failed_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as hasty:
        hasty.setattr("polyversi.protocols.check.EXIT_TIMEOUT", 0.3)
        hasty.setattr("polyversi.gameplay.bots.process.EXIT_TIMEOUT", 0.3)
        assert failed(check_zoo(tmp_path, "--leave-thread")) == ["ends when its input ends"]
    assert "writes nothing unasked" in failed(check_zoo(tmp_path, "--two-answers"))
    steps = check_zoo(tmp_path, "--exit-after-answer")
    games = ["plays a whole game in the first seat", "plays a whole game in the last seat"]
    assert failed(steps) == ["plays legal moves in 12 positions", "writes nothing unasked",
                             f"keeps a limit of {TIMEOUT:g} s a move", *games]
    assert "crash after 2 moves (its process ended with status 4" in str(steps[-3].fault)


def test_offences_that_do_not_end_a_game_count(tmp_path: Path) -> None:
    steps = check_zoo(tmp_path, "--two-answers", "hex:side=3")
    assert "plays a whole game in the first seat" in failed(steps)


@pytest.mark.slow
def test_engines_are_checked_too() -> None:
    for kind, seat in (("gtp", GtpSeat), ("nboard", NboardSeat)):
        command = Command((sys.executable, "-m", f"tests.testing.fake_{kind}_engine"), ROOT)
        make = lambda seat=seat, command=command: seat(command, "engine")  # noqa: E731
        assert failed(run(steps_of(Check(make, pv.game("othello-6"), TIMEOUT, TIMEOUT)))) == []


@pytest.mark.parametrize(("flag", "fault"), [
    slow("--loud", None),
    slow("--shy", "connects and sends its group number"),
    ("--illegal", "answers its first request"),
    slow("--stay", "ends when the game does"),
])
def test_clients_of_xt_are_checked_too(
    flag: str, fault: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("polyversi.protocols.check.EXIT_TIMEOUT", 0.1 if flag == "--stay" else TIMEOUT)
    monkeypatch.setattr("polyversi.gameplay.bots.process.EXIT_TIMEOUT", 0.1)
    client = (sys.executable, "-m", "tests.testing.fake_xt_client", "{host}", "{port}", str(tmp_path / "log"),
              flag)
    game = xt_game(XtMap.parse("2 0 1 0  3 3  0 0 0  0 1 2  0 2 1"))
    ready = 0.3 if flag == "--shy" else TIMEOUT
    make = lambda: XtClientSeat(Command(client, ROOT), "client", ready, pause=0.0)  # noqa: E731
    with nothing_left(tmp_path):
        steps = run(steps_of(Check(make, game, TIMEOUT, TIMEOUT)))
    assert failed(steps) == ([fault] if fault else [])


def test_a_game_that_is_not_for_it() -> None:
    command = Command((sys.executable, "-m", "tests.testing.fake_gtp_engine"), ROOT)
    steps = run(steps_of(Check(lambda: GtpSeat(command, "engine"), pv.game("hex"), TIMEOUT, TIMEOUT)))
    assert [step.fault for step in steps] == [
        "engine does not play hex: GTP engines play only on square boards with the default start"
    ]


@pytest.mark.slow
def test_agents_must_list_the_legal_moves(tmp_path: Path) -> None:
    def check(seat: CourseSeat) -> list[Step]:
        make = lambda: CourseSeat(seat.path, "agent")  # noqa: E731
        return run(steps_of(Check(make, pv.game("anti-6"), TIMEOUT, TIMEOUT)))

    assert failed(check(agent(tmp_path))) == []
    sloppy = agent(tmp_path, CHOOSE + "\ndel self.candidate_list[:-1]")
    steps = check(sloppy)
    assert failed(steps) == ["lists exactly the legal moves"]
    [fault] = [step.fault for step in steps if step.fault]
    assert "its candidates are" in fault
    assert "the legal moves are" in fault
