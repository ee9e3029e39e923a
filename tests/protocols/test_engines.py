"""Engines that speak GTP and NBoard: good ones, slow, wrong and chatty ones."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

import polyversi as pv
from polyversi.contest.openings import random_opening
from polyversi.gameplay import Finished, LocalSeat, Referee, Undo
from polyversi.gameplay.bots import BotSeat, Command
from polyversi.protocols.gtp.seat import GtpSeat, path_to
from polyversi.protocols.nboard.seat import NboardSeat
from tests.testing.marks import slow
from tests.testing.processes import nothing_left, run

ROOT = Path(__file__).parents[2]


def gtp(*flags: str) -> GtpSeat:
    return GtpSeat(_command("fake_gtp_engine", flags), "gtp")


def nboard(*flags: str) -> NboardSeat:
    return NboardSeat(_command("fake_nboard_engine", flags), "nboard")


def _command(module: str, flags: tuple[str, ...]) -> Command:
    return Command((sys.executable, "-m", f"tests.testing.{module}", *flags), ROOT)


def play(
    seat: BotSeat, spec: str = "othello", number: int = 1, limit: pv.Limit | None = None,
    start: pv.State | None = None, **more: Any
) -> Finished:
    """A game of an engine against random moves."""
    seats: list[Any] = [LocalSeat(pv.player("random", seed=seed)) for seed in range(2)]
    seats[number - 1] = seat
    with nothing_left(ROOT / "nothing"):
        referee = Referee(start or pv.game(spec).start(), seats, limit or pv.Limit(), **more)
        return run(referee.run())


@pytest.mark.parametrize("number", [slow(1), 2])
@pytest.mark.parametrize("spec", [slow("othello"), "othello-6", slow("anti")])
@pytest.mark.parametrize("seat", [
    gtp(), slow(gtp("--chatty", "--no-pass")), nboard(), slow(nboard("--chatty", "--spaces")),
], ids=["gtp", "gtp-chatty", "nboard", "nboard-chatty"])
def test_whole_games(seat: BotSeat, spec: str, number: int) -> None:
    finished = play(seat, spec, number)
    assert finished.verdict.kind in ("win", "draw"), finished.verdict
    for state, move in zip(finished.record.states(), finished.record.moves, strict=False):
        assert state.turn != number or move == state.moves[0]


@pytest.mark.parametrize(("seat", "kind", "detail"), [
    (gtp("--wrong"), "illegal move", "it answered a1"),
    slow(gtp("--exit"), "crash", "ended with status 1; its errors: no more"),
    (gtp("--refuse"), "crash", "it refused 'genmove b': I do not want to"),
    slow(nboard("--wrong"), "illegal move", "it answered === A1/0.50/0.1"),
    slow(nboard("--no-move"), "illegal move", "there is no move in its answer === nothing/0.50/0.1"),
    (nboard("--exit"), "crash", "ended with status 1; its errors: "),
    slow(GtpSeat(Command(("true",)), "true"), "crash", "ended with status 0"),
    slow(NboardSeat(Command(("true",)), "true"), "crash", "ended with status 0"),
], ids=lambda value: value.name if isinstance(value, BotSeat) else value)
def test_verdicts(seat: BotSeat, kind: str, detail: str) -> None:
    verdict = play(seat).verdict
    assert (verdict.kind, verdict.seat) == (kind, 1)
    assert detail in verdict.detail


@pytest.mark.parametrize("seat", [gtp("--slow"), slow(nboard("--slow"))], ids=["gtp", "nboard"])
def test_slow_engines_run_out_of_time(seat: BotSeat) -> None:
    assert play(seat, limit=pv.Limit(seconds=0.3)).verdict.kind == "timeout"


@pytest.mark.parametrize("seat", [
    slow(gtp("--mute")), nboard("--mute"), slow(GtpSeat(Command(("cat",)), "cat")),
], ids=["gtp", "nboard", "cat"])
def test_mute_engines_stall(seat: BotSeat) -> None:
    seat.ready = 0.3
    verdict = play(seat).verdict
    assert verdict.kind == "stall"
    assert "did not answer" in verdict.detail


def test_an_engine_may_resign() -> None:
    finished = play(gtp("--resign"))
    assert (finished.verdict.kind, len(finished.record.moves)) == ("resigned", 2)


@pytest.mark.parametrize(("limit", "told"), [
    (pv.Limit(seconds=5), ["time_settings 0 5 1", "time_left b 4.97 1"]),
    slow(pv.Limit(bank=60, increment=1), ["time_settings 60 0 0", "time_left b 59.97 0"]),
    slow(pv.Limit(depth=3), []),
], ids=str)
def test_gtp_engines_are_told_the_time(limit: pv.Limit, told: list[str]) -> None:
    seat = gtp("--timed", "--resign")
    play(seat, limit=limit)
    assert seat.child is not None
    assert seat.child.errors.decode().splitlines()[:2] == told


def test_nboard_engines_are_told_the_depth() -> None:
    seat = nboard("--wrong")
    play(seat, limit=pv.Limit(depth=3))
    assert seat.child is not None
    assert b"depth 3" in seat.child.errors


@pytest.mark.slow
def test_unsupported_boards_are_refused() -> None:
    with pytest.raises(pv.PlayerError, match=r"gtp does not play othello-10: it refused 'boardsize 10'"):
        play(gtp(), "othello-10")
    for seat in (gtp(), nboard()):
        for spec in ("hex", "torus", "octagon", "reversi", "othello:width=6,height=8"):
            with pytest.raises(pv.PlayerError, match="does not play"):
                play(seat, spec)
    with pytest.raises(pv.PlayerError, match="does not play"):
        play(gtp(), "othello:start=parallel")
    assert play(nboard(), "othello:start=parallel").verdict.kind in ("win", "draw")


@pytest.mark.parametrize("seat", [gtp(), slow(nboard())], ids=["gtp", "nboard"])
def test_games_from_an_opening(seat: BotSeat) -> None:
    start = random_opening(pv.game("othello"), 8, seed=5)
    assert play(seat, start=start).verdict.kind in ("win", "draw")


def test_gtp_refuses_positions_it_cannot_reach() -> None:
    start = random_opening(pv.game("othello"), 30, seed=5)
    with pytest.raises(pv.PlayerError, match="GTP cannot set up positions"):
        play(gtp(), start=start)
    impossible = pv.game("othello").position("X" + "-" * 26 + "OX------XO" + "-" * 27 + " X")
    assert path_to(impossible) is None


@pytest.mark.parametrize("plies", range(13))
def test_moves_to_an_opening_are_found(plies: int) -> None:
    target = random_opening(pv.game("othello"), plies, seed=plies)
    state, path = target.game.start(), path_to(target)
    assert path is not None
    for move in path:
        state = state.play(move)
    assert state == target


class Wavering(LocalSeat):
    """Takes its first move back, once."""

    async def answer(self, request: Any) -> Any:
        if len(request.moves) == 3 and not hasattr(self, "has_wavered"):
            self.has_wavered = True
            return Undo()
        return await super().answer(request)


def test_engines_follow_undo() -> None:
    for seat in (gtp(), nboard()):
        other = Wavering(pv.player("random", seed=3))
        finished = run(Referee(pv.game("othello").start(), [seat, other]).run())
        assert finished.verdict.kind in ("win", "draw"), finished.verdict
