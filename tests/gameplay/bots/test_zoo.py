"""The zoo: bots that misbehave get the right verdict, leave nothing behind, and the next game starts."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

import polyversi as pv
from polyversi.gameplay import Finished, LocalSeat, Referee
from polyversi.gameplay.bots import Sandbox
from polyversi.protocols.json_bot import JsonSeat
from tests.gameplay.bots.watching import nothing_left, run, zoo
from tests.gameplay.bots.zoo import FLAGS

PLENTY, LITTLE = 30.0, 0.25
"""Seconds a move: for bots that answer or end, and for those that must run out of time."""

FINE = ["--well-behaved", "--fork", "--fork-many", "--leave-thread", "--write-files", "--flood-errors",
        "--close-errors", "--empty-lines", "--carriage-returns", "--byte-by-byte"]
CRASH = {
    "--exit-at-once": "ended with status 0",
    "--exit-mid-move": "ended with status 3",
    "--exit-after-answer": "ended with status 4",
    "--raise": "ZeroDivisionError",
    "--signal": "ended by SIGSEGV",
    "--fork-and-exit": "ended with status 0",
    "--allocate": "MemoryError",
    "--open-files": "Too many open files",
    "--print-line": "longer than 64 KiB: xxxx",
    "--half-line": 'in the middle of a line: {"move": "b',
    "--close-input": "closed its input",
    "--close-output": "closed its output",
}
ILLEGAL = {
    "--print-lines": "no JSON; it answered xxxx",
    "--invalid-utf8": "no UTF-8; it answered {\"move\": \"\\xff\\xfe\"}",
    "--not-json": "no JSON; it answered b1",
    "--no-object": "no object such as",
    "--wrong-types": "\"move\" must be a text",
    "--no-move": "\"move\" must be a text",
    "--huge-number": "no JSON; it answered {\"move\": 999",
    "--deep-nesting": "no JSON; it answered [[[",
    "--null-byte": "no JSON; it answered \\x00\\x00\\x00",
    "--null-in-move": "'b\\x001' is no cell name",
    "--half-character": "'\\ud800' is no cell name",
    "--illegal": "it answered {\"move\": \"a1\"}",
    "--no-cell": "it answered {\"move\": \"z99\"}",
    "--pass": "it answered {\"move\": \"pass\"}",
    "--echo": "\"move\" must be a text",
    "--out-of-turn": "it wrote before it was asked: hello",
    "--out-of-turn-half": "it wrote before it was asked: {\"mo",
    "--two-answers": "",    # the second answer comes out of turn, or is taken for the next and is illegal
}
TIMEOUT = ["--sleep", "--sleep-unread", "--spin", "--ignore-sigterm", "--ignore-everything", "--stop-itself",
           "--fork-and-sleep", "--never-end-line", "--flood-errors-forever", "--kill-warden", "--stop-warden"]


def play(
    folder: Path, flag: str, seconds: float = PLENTY, spec: str = "othello-4", *,
    sandbox: Sandbox | None = None, again: bool = True,
) -> Finished:
    """A game of a bot of the zoo against random moves, and another one to see that one can be played."""
    game = pv.game(spec)
    bot = JsonSeat(zoo(folder, flag), flag, ready=LITTLE if flag == "--sleep-unread" else PLENTY)
    bot.protection = sandbox
    others = [LocalSeat(pv.player("random", seed=seed)) for seed in range(game.seats - 1)]
    with nothing_left(folder):
        finished = run(Referee(game.start(), [bot, *others], pv.Limit(seconds=seconds)).run())
    if again:
        assert play(folder, "--well-behaved", spec=spec, again=False).verdict.kind in ("win", "draw")
    return finished


def test_every_bot_of_the_zoo_is_expected_somewhere() -> None:
    assert {*FINE, *CRASH, *ILLEGAL, *TIMEOUT, "--resign"} == set(FLAGS)
    assert len(FLAGS) > 20


@pytest.mark.parametrize("flag", FINE)
def test_odd_habits_that_cost_nothing(flag: str, tmp_path: Path) -> None:
    finished = play(tmp_path, flag)
    assert finished.verdict.kind in ("win", "draw"), finished.verdict
    assert finished.offences == ()


@pytest.mark.parametrize("flag", CRASH)
def test_crashes(flag: str, tmp_path: Path) -> None:
    verdict = play(tmp_path, flag).verdict
    assert (verdict.kind, verdict.seat) == ("crash", 1), verdict
    assert CRASH[flag] in verdict.detail


@pytest.mark.parametrize("flag", ILLEGAL)
def test_illegal_moves(flag: str, tmp_path: Path) -> None:
    verdict = play(tmp_path, flag).verdict
    assert (verdict.kind, verdict.seat) == ("illegal move", 1), verdict
    assert ILLEGAL[flag] in verdict.detail
    assert verdict.detail.isprintable()
    assert len(verdict.detail) < 1000


@pytest.mark.parametrize("flag", TIMEOUT)
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
        finished = run(Referee(start, [bot, LocalSeat(pv.player("random"))], patience=LITTLE).run())
    assert (finished.verdict.kind, finished.verdict.seat) == ("stall", 1)


def test_where_a_bad_answer_is_a_pass_the_game_goes_on(tmp_path: Path) -> None:
    finished = play(tmp_path, "--not-json", spec="hex:side=3")
    assert finished.verdict.kind in ("win", "draw")
    assert {(offence.kind, offence.seat) for offence in finished.offences} == {("illegal move", 1)}
    assert [str(move) for move in finished.record.moves[::2]] == ["pass"] * len(finished.record.moves[::2])


@pytest.mark.parametrize(("flag", "kind"), [("--exit-mid-move", "crash"), ("--illegal", "illegal move"),
                                            ("--exit-at-once", "crash")])
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
