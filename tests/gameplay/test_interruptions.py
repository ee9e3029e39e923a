"""Breaking in on the referee: giving up, taking back and verdicts while somebody else is being asked."""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any

import pytest

import polyversi as pv
from polyversi.gameplay import (
    Event,
    Finished,
    LocalSeat,
    MoveEvent,
    Observer,
    Referee,
    Request,
    Resign,
    Seat,
    Undo,
    UndoEvent,
    Verdict,
)
from polyversi.gameplay.bots import Command
from polyversi.games.xt import xt_game
from polyversi.games.xtmap import XtMap
from polyversi.protocols.json_bot import JsonSeat
from tests.testing.clock import Clock, until, with_clock
from tests.testing.timeout import TIMEOUT

THREE_SEATS = xt_game(XtMap.parse("3 2 1 0  3 4  0 2 1 0  0 3 1 0  0 1 2 0"))
OTHELLO = pv.game("othello-6")


class Table:
    """A game whose seats are all played by the test: it sees every question and answers when it likes."""

    def __init__(self, game: pv.Game, limit: pv.Limit | None = None, prepares: bool = False,
                 observers: Sequence[Observer] = ()) -> None:
        self.questions: asyncio.Queue[tuple[Request, asyncio.Future[Any]]] = asyncio.Queue()
        self.broken_off: list[int] = []
        self.prepared: asyncio.Queue[asyncio.Future[None]] = asyncio.Queue()
        self.prepares = prepares
        self.events: list[Event] = []
        seats = [Asked(self, f"seat {number}") for number in range(1, game.seats + 1)]
        self.referee = Referee(game.start(), seats, limit or pv.Limit(), [self.events.append, *observers])
        self.game = asyncio.create_task(self.referee.run())

    async def asked(self) -> tuple[Request, asyncio.Future[Any]]:
        """The next question."""
        return await asyncio.wait_for(self.questions.get(), TIMEOUT)

    async def play(self, plies: int) -> None:
        """Answers so many questions."""
        for _ in range(plies):
            request, answer = await self.asked()
            answer.set_result(request.state.moves[0])

    async def finish(self) -> Finished:
        """Plays to the end."""
        async def go_on() -> None:
            while True:
                await self.play(1)

        playing = asyncio.create_task(go_on())
        try:
            return await asyncio.wait_for(self.game, TIMEOUT)
        finally:
            playing.cancel()

    @property
    def kinds(self) -> list[str]:
        return [event.kind for event in self.events]


class Asked(Seat):
    """A seat of that table."""

    def __init__(self, table: Table, name: str) -> None:
        self.name = name
        self._table = table

    async def prepare(self, request: Request) -> None:
        if self._table.prepares:
            waits: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._table.prepared.put_nowait(waits)
            await waits

    async def answer(self, request: Request) -> Any:
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._table.questions.put_nowait((request, answer))
        try:
            return await answer
        except asyncio.CancelledError:
            self._table.broken_off.append(request.seat)
            raise


def within(test: Callable[[], Coroutine[Any, Any, None]]) -> Callable[[], None]:
    """A test that runs in an event loop."""
    def run() -> None:
        asyncio.run(test())

    run.__name__ = test.__name__
    return run


@pytest.mark.parametrize("seat", [1, 2])
def test_either_seat_gives_up_at_any_time(seat: int) -> None:
    async def run() -> None:
        table = Table(OTHELLO)
        await table.play(3)
        await table.asked()
        assert table.referee.interrupt(seat, Resign())
        finished = await table.game
        assert (finished.verdict, finished.result.winner) == (Verdict("resigned", seat), 3 - seat)
        assert table.kinds == ["start", "move", "move", "move", "end"]
        assert table.broken_off == [2], "whoever was asked hears that nobody waits any longer"

    asyncio.run(run())


@within
async def test_a_verdict_from_outside() -> None:
    table = Table(OTHELLO)
    await table.play(2)
    await table.asked()
    assert table.referee.interrupt(2, Verdict("disconnect", 2, "it was gone for 60 s"))
    finished = await table.game
    assert str(finished.verdict) == "seat 2: disconnect (it was gone for 60 s)"
    assert finished.result.winner == 1
    assert table.kinds == ["start", "move", "move", "verdict", "end"]


@within
async def test_taking_back_while_the_other_thinks() -> None:
    table = Table(OTHELLO, pv.Limit(bank=TIMEOUT, increment=10))
    await table.play(3)
    await table.asked()
    assert table.referee.interrupt(1, Undo())
    request, answer = await table.asked()
    assert (request.seat, len(request.moves)) == (1, 2)
    undo = table.events[-1]
    earlier = table.events[-3]
    assert isinstance(undo, UndoEvent) and (undo.seat, undo.plies) == (1, 1)
    assert isinstance(earlier, MoveEvent) and undo.clocks == earlier.clocks
    assert table.broken_off == [2]
    table.questions.put_nowait((request, answer))
    assert (await table.finish()).verdict.kind in ("win", "draw")


@within
async def test_what_comes_to_nothing_breaks_nothing_off() -> None:
    table = Table(THREE_SEATS)
    assert not table.referee.interrupt(1, Resign()), "the game has not begun"
    question = await table.asked()
    assert not table.referee.interrupt(1, Undo()), "there is no move to take back"
    assert table.referee.interrupt(3, Resign())
    question = await table.asked()
    assert not table.referee.interrupt(3, Resign()), "the seat is out"
    assert not table.referee.interrupt(3, Verdict("disconnect", 3))
    table.questions.put_nowait(question)
    await table.finish()
    assert not table.referee.interrupt(1, Resign()), "the game is over"
    assert table.broken_off == [1]


@within
async def test_giving_up_in_xt_leaves_the_game_to_the_others_and_the_clock_goes_on() -> None:
    table = Table(THREE_SEATS, pv.Limit(bank=TIMEOUT))
    _, unanswered = await table.asked()
    asked, begin = table.referee.asked, time.perf_counter()
    assert asked is not None
    assert asked.since is not None
    assert asked.since <= begin
    await asyncio.sleep(0)
    thought = time.perf_counter() - begin
    assert table.referee.interrupt(2, Resign())
    request, answer = await table.asked()
    assert unanswered.cancelled()
    assert (request.seat, request.state.out) == (1, (2,))
    assert request.limit.bank is not None
    assert request.limit.bank <= TIMEOUT - thought
    answer.set_result(request.state.moves[0])
    await table.finish()
    move = next(event for event in table.events if isinstance(event, MoveEvent))
    assert move.seconds >= thought - 1e-6
    assert table.kinds[:3] == ["start", "verdict", "move"]


@within
async def test_the_last_but_one_gives_up_in_xt() -> None:
    table = Table(THREE_SEATS)
    await table.asked()
    assert table.referee.interrupt(2, Resign())
    assert table.referee.interrupt(1, Resign()), "two at the same moment"
    finished = await table.game
    assert finished.result.reason == "one seat left"
    assert finished.result.winner == 3
    assert [str(offence) for offence in finished.offences] == ["seat 2: resigned", "seat 1: resigned"]


@within
async def test_the_first_of_two_ends_the_game() -> None:
    table = Table(OTHELLO)
    await table.asked()
    assert table.referee.interrupt(2, Resign())
    assert table.referee.interrupt(1, Resign())
    assert (await table.game).verdict == Verdict("resigned", 2)


@within
async def test_what_was_accepted_counts_even_if_the_answer_comes_in_the_same_moment() -> None:
    table = Table(OTHELLO)
    request, answer = await table.asked()
    answer.set_result(request.state.moves[0])
    assert table.referee.interrupt(1, Resign())
    assert (await table.game).verdict == Verdict("resigned", 1)
    assert table.kinds == ["start", "end"]
    assert table.broken_off == []


@within
async def test_between_two_questions() -> None:
    def give_up(event: Event) -> None:
        if isinstance(event, MoveEvent):
            assert table.referee.asked is None
            assert table.referee.interrupt(1, Resign())

    table = Table(OTHELLO, observers=[give_up])
    await table.play(1)
    assert (await table.game).verdict == Verdict("resigned", 1)
    assert table.kinds == ["start", "move", "end"]


@within
async def test_while_a_seat_prepares() -> None:
    table = Table(OTHELLO, prepares=True)
    waits = await table.prepared.get()
    asked = table.referee.asked
    assert asked is not None
    assert asked == (1, None), "its clock does not run yet"
    waits.set_result(None)
    await table.play(1)
    waits = await table.prepared.get()
    assert table.referee.interrupt(1, Undo())
    again = await table.prepared.get()
    assert waits.cancelled()
    again.set_result(None)    # ready in the very moment in which somebody gives up
    assert table.referee.interrupt(2, Resign())
    assert (await table.game).verdict == Verdict("resigned", 2)
    assert table.kinds == ["start", "move", "undo", "end"]
    assert table.questions.empty()


def test_preparing_takes_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    async def evening(clock: Clock) -> None:
        clock.stop_time()
        monkeypatch.setattr(time, "perf_counter", clock.time)    # with which the referee measures thinking
        table = Table(OTHELLO, pv.Limit(bank=0.0, increment=1.0), prepares=True)
        waits = await table.prepared.get()
        clock.advance(TIMEOUT)    # far more than the seat has
        waits.set_result(None)
        await table.play(1)
        await table.prepared.get()
        assert table.kinds == ["start", "move"]
        table.referee.interrupt(1, Resign())
        await table.game

    with_clock(evening)


@within
async def test_a_cancelled_game_is_cancelled_whatever_was_interjected() -> None:
    table = Table(OTHELLO)
    await table.asked()
    assert table.referee.interrupt(2, Resign())
    table.game.cancel()
    with pytest.raises(asyncio.CancelledError):
        await table.game
    assert table.kinds == ["start"]


@within
async def test_a_seat_that_times_itself_out_has_a_fault() -> None:
    table = Table(OTHELLO)
    _, answer = await table.asked()
    answer.set_exception(TimeoutError("no answer from its server"))
    assert str((await table.game).verdict) == "seat 1: crash (TimeoutError: no answer from its server)"


class Slow(pv.Player):
    """A player that answers when the test lets it, and that cannot think of two things at once."""

    name = "slow"

    def __init__(self) -> None:
        self.is_thinking = threading.Semaphore(0)
        self.may_answer = threading.Semaphore(0)
        self.at_once = self.most_at_once = 0

    def choose(self, state: pv.State, limit: pv.Limit | None = None) -> pv.Move:
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        self.is_thinking.release()
        self.may_answer.acquire()
        self.at_once -= 1
        return state.moves[0]

    def spec(self) -> str:
        return self.name


@within
async def test_a_player_of_this_process_is_never_asked_two_things_at_once() -> None:
    slow, table = Slow(), Table(OTHELLO)
    table.referee.seats[1] = LocalSeat(slow, in_thread=True)
    await table.play(1)
    await asyncio.to_thread(slow.is_thinking.acquire)
    assert table.referee.interrupt(1, Undo())
    await table.play(1)
    while table.referee.asked != (2, None):    # it is to move again and has yet to come back
        await asyncio.sleep(0)
    slow.may_answer.release()
    await asyncio.to_thread(slow.is_thinking.acquire)
    slow.may_answer.release()
    await table.asked()
    assert table.kinds == ["start", "move", "undo", "move", "move"]
    assert slow.most_at_once == 1
    table.referee.interrupt(1, Resign())
    await table.game


@within
async def test_an_engine_comes_back_from_a_question_that_was_broken_off() -> None:
    """It has an hour for a move, and is asked anew at once when the other one has taken a move back."""
    table = Table(pv.game("othello"), pv.Limit(seconds=3600))
    table.referee.seats[1] = LocalSeat(pv.player("polyversi"))
    for answer in (Undo(), Undo(), Resign()):
        await table.play(1)
        async with asyncio.timeout(TIMEOUT):
            while (asked := table.referee.asked) is None or asked.seat != 2 or asked.since is None:
                await asyncio.sleep(0)
        assert table.referee.interrupt(1, answer)
    assert (await table.game).verdict.kind == "resigned"
    assert table.kinds[:-1] == ["start", "move", "undo", "move", "undo", "move"]


BOT = """
import json, pathlib, sys, time
started = pathlib.Path("started")
is_first = not started.exists()
started.touch()
for line in sys.stdin:
    if is_first:
        pathlib.Path("asked").touch()
        time.sleep(3600)
    print(json.dumps({"move": json.loads(line)["moves"][0]}), flush=True)
"""


def test_a_bot_that_was_broken_off_starts_anew(tmp_path: Path) -> None:
    async def run() -> None:
        (tmp_path / "bot.py").write_text(BOT)
        table = Table(OTHELLO)
        table.referee.seats[1] = JsonSeat(Command((sys.executable, "bot.py"), tmp_path), "bot")
        await table.play(1)
        await until((tmp_path / "asked").exists)
        assert table.referee.interrupt(1, Undo())
        finished = await table.finish()
        assert finished.verdict.kind in ("win", "draw")
        assert table.kinds[:4] == ["start", "move", "undo", "move"]

    asyncio.run(run())
