"""The zoo: bots that misbehave get the right verdict, leave nothing behind, and the next game starts."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

import polyversi as pv
from polyversi.gameplay import LocalSeat, Referee
from polyversi.protocols.json_bot import JsonSeat
from tests.testing.marks import slow, slow_but
from tests.testing.misbehaving_bot import FLAGS
from tests.testing.misbehaving_games import CRASH, FINE, ILLEGAL, LITTLE, TOO_SLOW, play
from tests.testing.processes import nothing_left, run, zoo


def test_every_bot_of_the_zoo_is_expected_somewhere() -> None:
    assert {*FINE, *CRASH, *ILLEGAL, *TOO_SLOW, "--resign"} == set(FLAGS)
    assert len(FLAGS) > 20


@pytest.mark.parametrize("flag", slow_but(FINE, "--byte-by-byte"))
def test_odd_habits_that_cost_nothing(flag: str, tmp_path: Path) -> None:
    finished = play(tmp_path, flag)
    assert finished.verdict.kind in ("win", "draw"), finished.verdict
    assert finished.offences == ()


@pytest.mark.parametrize("flag", slow_but(CRASH, "--exit-mid-move"))
def test_crashes(flag: str, tmp_path: Path) -> None:
    verdict = play(tmp_path, flag).verdict
    assert (verdict.kind, verdict.seat) == ("crash", 1), verdict
    assert CRASH[flag] in verdict.detail


@pytest.mark.parametrize("flag", slow_but(ILLEGAL, "--echo"))
def test_illegal_moves(flag: str, tmp_path: Path) -> None:
    verdict = play(tmp_path, flag).verdict
    assert (verdict.kind, verdict.seat) == ("illegal move", 1), verdict
    assert ILLEGAL[flag] in verdict.detail
    assert verdict.detail.isprintable()
    assert len(verdict.detail) < 1000


@pytest.mark.parametrize("flag", slow_but(TOO_SLOW, "--never-end-line"))
def test_timeouts(flag: str, tmp_path: Path) -> None:
    verdict = play(tmp_path, flag, LITTLE).verdict
    assert (verdict.kind, verdict.seat, verdict.detail) == ("timeout", 1, "no answer within 0.25 s")


def test_a_bot_may_resign(tmp_path: Path) -> None:
    verdict = play(tmp_path, "--resign").verdict
    assert (verdict.kind, verdict.seat) == ("resigned", 1)


def test_without_a_clock_a_silent_bot_stalls(tmp_path: Path) -> None:
    bot = JsonSeat(zoo(tmp_path, "--sleep"), "sleeper")
    start = pv.game("othello-4").start()
    with nothing_left(tmp_path):
        finished = run(Referee(start, [bot, LocalSeat(pv.player("random"))], stall_timeout=LITTLE).run())
    assert (finished.verdict.kind, finished.verdict.seat) == ("stall", 1)


def test_where_a_bad_answer_is_a_pass_the_game_goes_on(tmp_path: Path) -> None:
    finished = play(tmp_path, "--not-json", spec="hex:side=3")
    assert finished.verdict.kind in ("win", "draw")
    assert {(offence.kind, offence.seat) for offence in finished.offences} == {("illegal move", 1)}
    assert [str(move) for move in finished.record.moves[::2]] == ["pass"] * len(finished.record.moves[::2])


@pytest.mark.parametrize(("flag", "kind"), [slow("--exit-mid-move", "crash"), ("--illegal", "illegal move"),
                                            slow("--exit-at-once", "crash")])
def test_where_a_bad_answer_disqualifies_the_others_go_on(flag: str, kind: str, tmp_path: Path) -> None:
    chart = tmp_path / "small.map"
    chart.write_text("3 1 1 1  5 5  0 0 0 0 0  0 1 2 0 0  0 2 3 1 0  0 3 1 2 0  0 0 0 0 0\n")
    finished = play(tmp_path, flag, spec=f"xt:{chart}")
    assert [(offence.kind, offence.seat) for offence in finished.offences] == [(kind, 1)]
    assert finished.result.ranks[0] == 3


def test_a_cancelled_game_leaves_nothing(tmp_path: Path) -> None:
    async def cancelled() -> None:
        thinking = JsonSeat(zoo(tmp_path, "--never-end-line"), "thinking")
        waiting = JsonSeat(zoo(tmp_path, "--fork-and-sleep"), "waiting")
        game = asyncio.create_task(Referee(pv.game("othello-4").start(), [thinking, waiting]).run())
        while thinking.child is None or not thinking.child.output:
            await asyncio.sleep(0)
        game.cancel()
        with pytest.raises(asyncio.CancelledError):
            await game

    with nothing_left(tmp_path):
        run(cancelled())
