"""Clients that the server starts itself: their seats and names, what becomes of them, and why they fail."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import pytest

import polyversi as pv
from polyversi.gameplay import LocalSeat
from polyversi.gameplay.bots import Command
from polyversi.gameplay.bots.sandbox import Sandbox
from polyversi.games.errors import PlayerError
from polyversi.protocols.spec import bot_from
from polyversi.protocols.xt.client_seat import XtClientSeat
from polyversi.server.xt.results import XtGameResult
from polyversi.server.xt.server import ServerMap, XtPlan, limit_of
from tests.testing.marks import slow
from tests.testing.processes import nothing_left
from tests.testing.sandbox import needs_sandbox
from tests.testing.xt_clients import LONG, PATIENT, chart, house, run

ROOT = Path(__file__).parents[3]
TWO = chart("2 0 1 1  2 3  0 1 2  0 2 1", "two")
THREE = chart("3 2 1 0  3 4  0 2 1 0  0 3 1 0  0 1 2 0", "three")
OURS = f"xtclient:{sys.executable} -m polyversi xt-client -s {{host}} -p {{port}} --player random --group 9"


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clients may take as long as they like to end by themselves."""
    monkeypatch.setattr("polyversi.gameplay.bots.process.EXIT_TIMEOUT", 30.0)


def client(folder: Path, *flags: str) -> XtClientSeat:
    """A client of group 6; the folder is also what its processes are found by."""
    words = (sys.executable, "-m", "tests.testing.fake_xt_client", "{host}", "{port}")
    return XtClientSeat(Command((*words, str(folder / "log.txt"), *flags), ROOT), "xtclient:fake")


def plan(where: ServerMap, *clients: XtClientSeat, local: int = 0, games: int = 1,
         longest_wait: float | None = None) -> XtPlan:
    seats = [lambda: LocalSeat(pv.player("random", seed=1))] * local
    return XtPlan([where], limit_of(LONG, 0), seats, games, 0.0, PATIENT, clients, {6: ["Ann"]}, longest_wait)


def test_they_are_started_for_each_game(tmp_path: Path) -> None:
    async def scene() -> list[XtGameResult]:
        async with house(plan(TWO, client(tmp_path), client(tmp_path, "--loud"), games=2)) as running:
            return await running.evening

    with nothing_left(tmp_path):
        games = run(scene())
    for game in games:
        assert game.groups == (6, 6)
        assert game.finished.record.players == ("Ann (group 6)", "group 6 #2")
        assert game.finished.offences == ()
    heard = (tmp_path / "log.txt").read_text().splitlines()
    assert heard.count("connected") == heard.count("EndOfGame()") == 4


def test_who_connects_has_the_first_seats_and_local_players_the_last(tmp_path: Path) -> None:
    async def scene() -> XtGameResult:
        async with house(plan(THREE, client(tmp_path), local=1)) as running:
            await (await running.client(7)).play(Random(1))
            return (await running.evening)[0]

    game = run(scene())
    assert game.groups == (7, 6, None)
    assert game.finished.record.players == ("group 7", "Ann (group 6)", "random:seed=1")


@pytest.mark.parametrize(("flag", "kind", "detail"), [
    ("--crash", "disconnect", "its process ended with status 1; its errors: I have lost my way"),
    slow("--illegal", "illegal move", "is not on this board"),
])
def test_a_verdict_says_how_a_process_ended(flag: str, kind: str, detail: str, tmp_path: Path) -> None:
    async def scene() -> XtGameResult:
        async with house(plan(TWO, client(tmp_path, flag), local=1)) as running:
            return (await running.evening)[0]

    with nothing_left(tmp_path):
        game = run(scene())
    assert game.seats[0].verdict == kind and detail in game.seats[0].reason
    assert game.finished.result.points == (-50, 25)


@pytest.mark.parametrize(("command", "message"), [
    slow(("true", "{port}"), "the client 'fake' does not play: its process ended with status 0"),
    (("sleep", "1000{port}"), r"the client 'fake' does not play: it did not connect to its port within 0\.2"),
])
def test_clients_that_never_connect(
    command: tuple[str, ...], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("polyversi.gameplay.bots.process.EXIT_TIMEOUT", 0.1)

    async def scene() -> None:
        absent = XtClientSeat(Command(command), "xtclient:fake")
        wait = 0.2 if command[0] == "sleep" else None
        async with house(plan(TWO, client(tmp_path, "--stay"), absent, longest_wait=wait)) as running:
            await running.evening

    with nothing_left(tmp_path), pytest.raises(PlayerError, match=message):
        run(scene())


@pytest.mark.slow
@needs_sandbox
def test_in_a_sandbox() -> None:
    async def scene() -> XtGameResult:
        ours = bot_from(OURS, Sandbox())
        assert isinstance(ours, XtClientSeat)
        async with house(plan(TWO, ours, local=1)) as running:
            return (await running.evening)[0]

    game = run(scene())
    assert game.groups == (9, None) and game.finished.offences == ()


def test_too_many_for_a_map(tmp_path: Path) -> None:
    with pytest.raises(PlayerError, match="two has 2 seats, too few for the 3 players of this machine"):
        plan(TWO, client(tmp_path), client(tmp_path), local=1)
    assert not plan(TWO, client(tmp_path), local=1).is_open
