"""The referee: every verdict, every variant's rule for a bad answer, clocks, events and taking back."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest

import polyversi as pv
from polyversi.contest.pace import Pace, PacedSeat
from polyversi.gameplay import (
    EndEvent,
    Event,
    Finished,
    LocalSeat,
    MoveEvent,
    Referee,
    Request,
    Resign,
    Seat,
    SeatFailure,
    StartEvent,
    Undo,
    UndoEvent,
)
from polyversi.games.xt import xt_game
from polyversi.games.xtmap import XtMap
from polyversi.protocols.spec import BOTS
from tests.testing.specs import SPECS


class Scripted(Seat):
    """A seat that answers by a function of the request."""

    def __init__(self, answer: Callable[[Request], Any], name: str = "scripted") -> None:
        self.name = name
        self.closed = False
        self._answer = answer

    async def answer(self, request: Request) -> Any:
        value = self._answer(request)
        return await value if asyncio.iscoroutine(value) else value

    async def close(self) -> None:
        self.closed = True


def first(request: Request) -> pv.Move:
    """The first legal move."""
    return request.state.moves[0]


def run(
    spec: str, *seats: Seat, limit: pv.Limit | None = None, observers: Any = (), stall_timeout: float = 600.0
) -> Finished:
    """A game between these seats."""
    referee = Referee(pv.game(spec).start(), seats, limit or pv.Limit(), observers, stall_timeout)
    return asyncio.run(referee.run())


async def never(_: Request | None = None) -> str:
    """No answer, ever."""
    await asyncio.Event().wait()
    return ""


@pytest.mark.parametrize("spec", SPECS)
def test_whole_games_of_every_variant(spec: str) -> None:
    start = pv.game(spec).start()
    finished = pv.play(start, [pv.player("random", seed=seat) for seat in range(start.game.seats)])
    assert finished.verdict.kind in ("win", "draw")
    assert finished.record.final.result == finished.result
    assert finished.verdict.seat == finished.result.winner
    assert finished.offences == ()


def test_events_are_numbered_and_tell_the_whole_game() -> None:
    events: list[Event] = []
    finished = run("othello-4", Scripted(first, "Ann"), Scripted(first, "Bob"), observers=[events.append])
    assert [event.number for event in events] == list(range(len(events)))
    assert [event.kind for event in events] == ["start", *["move"] * len(finished.record.moves), "end"]
    begin, end = events[0], events[-1]
    assert isinstance(begin, StartEvent) and begin.players == ("Ann", "Bob")
    state = pv.game(begin.game).position(begin.start)
    for event in events[1:-1]:
        assert isinstance(event, MoveEvent) and event.seat == state.turn
        state = state.play(event.move)
        assert event.position == state.text
    assert isinstance(end, EndEvent) and end.scores == state.scores
    assert end.verdict == finished.verdict


@pytest.mark.parametrize(
    ("answer", "kind", "detail"),
    [
        (lambda request: "a1", "illegal move", "a1 is not legal: it captures nothing"),
        (lambda request: "what?", "illegal move", "'what?' is not a cell"),
        (lambda request: 17, "illegal move", "a move is a Move or its text"),
        (lambda request: None, "illegal move", "a move is a Move or its text"),
        (lambda request: Resign(), "resigned", ""),
    ],
)
def test_a_bad_answer_loses_the_game(answer: Callable[[Request], Any], kind: str, detail: str) -> None:
    for seat in (1, 2):
        seats = [Scripted(first), Scripted(first)]
        seats[seat - 1] = Scripted(answer)
        finished = run("othello", *seats)
        assert (finished.verdict.kind, finished.verdict.seat) == (kind, seat)
        assert detail in finished.verdict.detail
        assert finished.result.winner == 3 - seat
        assert finished.result.points == ((0.0, 1.0) if seat == 1 else (1.0, 0.0))
        assert finished.record.outcome is not None
        assert finished.record.outcome.reason == kind
        assert all(seat.closed for seat in seats)


def test_a_seat_that_fails_loses_with_its_own_verdict() -> None:
    def crash(request: Request) -> str:
        raise SeatFailure("crash", "exit status 3")

    finished = run("othello", Scripted(first), Scripted(crash))
    assert str(finished.verdict) == "seat 2: crash (exit status 3)"


def test_no_answer_is_a_timeout_or_a_stall() -> None:
    timed = run("othello", Scripted(never), Scripted(first), limit=pv.Limit(seconds=0.02))
    assert (timed.verdict.kind, timed.verdict.detail) == ("timeout", "no answer within 0.02 s")
    banked = run("othello", Scripted(never), Scripted(first), limit=pv.Limit(bank=0.02, increment=5))
    assert banked.verdict.kind == "timeout"
    stalled = run("othello", Scripted(never), Scripted(first), stall_timeout=0.02)
    assert (stalled.verdict.kind, stalled.result.winner) == ("stall", 2)


def test_hexareversi_counts_an_invalid_move_as_a_pass() -> None:
    finished = run("hex", Scripted(lambda request: "a1"), Scripted(lambda request: "nonsense"))
    assert [str(move) for move in finished.record.moves] == ["pass", "pass"]
    assert finished.result.reason == "passes"
    assert [offence.kind for offence in finished.offences] == ["illegal move", "illegal move"]
    assert finished.verdict.kind in ("win", "draw")


def test_seats_hear_what_observers_hear() -> None:
    class Listening(Scripted):
        def hear(self, event: Event) -> None:
            heard[self.name].append(event)

    told: list[Event] = []
    heard: dict[str, list[Event]] = {"plain": [], "paced": []}
    run("othello-4", Listening(first, "plain"), PacedSeat(Listening(first, "paced"), Pace(0.0)),
        observers=[told.append])
    assert told[-1].kind == "end"
    assert heard == {"plain": told, "paced": told}


def test_a_request_tells_who_is_out_and_since_when() -> None:
    asked: list[Request] = []

    def noting(request: Request) -> pv.Move:
        asked.append(request)
        return first(request)

    finished = run("xt:arena,players=3", Scripted(noting), Scripted(lambda _: "1,1:99"), Scripted(noting))
    assert finished.record.disqualified == ((1, 2),)
    assert [request.disqualified for request in asked[:2]] == [(), ((1, 2),)]
    assert asked[-1].disqualified == finished.record.disqualified


def test_xt_disqualifies_and_goes_on() -> None:
    game = xt_game(XtMap.parse("3 0 0 0  3 4  0 2 1 0  0 3 1 0  0 1 2 0"))
    seats = [Scripted(lambda request: "9,9"), Scripted(first), Scripted(first)]
    finished = asyncio.run(Referee(game.start(), seats).run())
    assert finished.result.ranks[0] == 3
    assert finished.result.points[0] == -50
    assert finished.record.disqualified == ((0, 1),)
    assert str(finished.offences[0]).startswith("seat 1: illegal move")
    assert finished.record.final.result == finished.result


def test_the_last_seat_of_xt_wins_at_once() -> None:
    game = xt_game(XtMap.parse("2 0 9 1  3 3  0 2 1  0 0 0  1 2 0"))
    finished = asyncio.run(Referee(game.start(), [Scripted(lambda request: "0,0:7"), Scripted(first)]).run())
    assert finished.result.reason == "one seat left"
    assert finished.result.points == (-50.0, 25.0)
    assert len(finished.record.moves) == 0


def test_more_than_two_seats_rank_the_offender_last() -> None:
    seats = [Scripted(first), Scripted(lambda request: Resign()), Scripted(first), Scripted(first)]
    finished = run("rolit", *seats)
    assert finished.verdict.seat == 2
    assert finished.result.ranks[1] == 4
    assert max(finished.result.ranks[0], finished.result.ranks[2], finished.result.ranks[3]) <= 3


def test_taking_back() -> None:
    asked: list[str] = []

    def undo_once(request: Request) -> Any:
        asked.append(request.state.text)
        return Undo() if len(asked) == 2 else request.state.moves[-1 if len(asked) == 3 else 0]

    events: list[Event] = []
    finished = run("othello-4", Scripted(undo_once), Scripted(first), observers=[events.append])
    taken = next(event for event in events if isinstance(event, UndoEvent))
    assert (taken.seat, taken.plies) == (1, 2)
    assert asked[2] == asked[0] == taken.position
    assert finished.record.final.result == finished.result


def test_forced_passes_are_played_without_asking() -> None:
    start = pv.game("othello-4").position("XO-OOOOOOOOOOOOO O")
    asked: list[int] = []

    def note(request: Request) -> pv.Move:
        asked.append(request.seat)
        return request.state.moves[0]

    finished = asyncio.run(Referee(start, [Scripted(note), Scripted(note)]).run())
    assert [str(move) for move in finished.record.moves] == ["pass", "c1"]
    assert asked == [1]


def test_undo_before_the_first_move_changes_nothing() -> None:
    answers = iter([Undo(), *["x"] * 3])
    finished = run("othello", Scripted(lambda request: next(answers)), Scripted(first))
    assert finished.verdict.kind == "illegal move"


def test_a_bank_shrinks_and_grows() -> None:
    banks: list[float | None] = []

    def note(request: Request) -> pv.Move:
        banks.append(request.limit.bank)
        return request.state.moves[0]

    run("othello-4", Scripted(note), Scripted(first), limit=pv.Limit(bank=100, increment=10))
    assert banks[0] == 100
    assert banks[1] is not None
    assert 100 < banks[1] <= 110


def test_players_see_only_what_is_theirs() -> None:
    seen: list[Request] = []

    def note(request: Request) -> pv.Move:
        seen.append(request)
        return request.state.moves[-1]

    run("othello-4", Scripted(note), Scripted(first))
    for request in seen:
        assert request.seat == request.state.turn == 1
        state = request.start
        for move in request.moves:
            state = state.play(move)
        assert state == request.state


class Stuck(pv.Player):
    """A player that never comes back by itself."""

    name = "stuck"

    def __init__(self) -> None:
        self.released = threading.Event()

    def choose(self, state: pv.State, limit: pv.Limit | None = None) -> pv.Move:
        self.released.wait()
        return state.moves[0]

    def spec(self) -> str:
        return self.name


def test_a_local_player_that_never_answers_costs_only_itself() -> None:
    stuck = Stuck()
    try:
        finished = run("othello", LocalSeat(stuck), Scripted(first), limit=pv.Limit(seconds=0.02))
    finally:
        stuck.released.set()
    assert (finished.verdict.kind, finished.verdict.seat) == ("timeout", 1)


class Broken(Stuck):
    """A player with a fault in it."""

    def choose(self, state: pv.State, limit: pv.Limit | None = None) -> pv.Move:
        raise ZeroDivisionError("division by zero")


@pytest.mark.parametrize("limit", [pv.Limit(), pv.Limit(seconds=5)])
def test_a_local_player_with_a_fault_crashes_alone(limit: pv.Limit) -> None:
    finished = run("othello", Scripted(first), LocalSeat(Broken()), limit=limit)
    assert str(finished.verdict) == "seat 2: crash (ZeroDivisionError: division by zero)"


def test_a_seat_that_does_not_get_ready() -> None:
    class Late(Scripted):
        async def begin(self, start: pv.State, seat: int) -> None:
            raise SeatFailure("crash", "no such file")

    finished = run("othello", Scripted(first), Late(first))
    assert (finished.verdict.kind, finished.verdict.seat, len(finished.record.moves)) == ("crash", 2, 0)


def test_the_number_of_seats_is_checked() -> None:
    with pytest.raises(pv.PlayerError, match="rolit needs 4 players, not 2"):
        pv.play(pv.game("rolit").start(), [pv.player("random"), pv.player("random")])


def test_taking_back_past_a_disqualification() -> None:
    game = xt_game(XtMap.parse("3 2 1 0  3 4  0 2 1 0  0 3 1 0  0 1 2 0"))
    asked: list[int] = []

    def undo_once(request: Request) -> Any:
        asked.append(request.seat)
        return Undo() if len(asked) == 2 else request.state.moves[0]

    seats = [Scripted(undo_once), Scripted(lambda request: "9,9"), Scripted(first)]
    finished = asyncio.run(Referee(game.start(), seats).run())
    assert finished.record.disqualified == ((1, 2),)
    assert finished.record.final.result == finished.result


def test_eight_seats_that_cannot_get_ready() -> None:
    class Dead(Scripted):
        async def begin(self, start: pv.State, seat: int) -> None:
            raise SeatFailure("crash", "exit status 3")

    finished = run("xt:starfish", *(Dead(first) for _ in range(8)))
    assert finished.result.reason == "one seat left"
    assert finished.result.points == (-50.0,) * 7 + (25.0,)


def test_taking_back_restores_the_clocks() -> None:
    banks: list[float | None] = []

    def undo_thrice(request: Request) -> Any:
        banks.append(request.limit.bank)
        return Undo() if 2 <= len(banks) <= 4 else request.state.moves[0]

    events: list[Event] = []
    seats = [Scripted(undo_thrice), Scripted(first)]
    run("othello-4", *seats, limit=pv.Limit(bank=100, increment=50), observers=[events.append])
    assert banks[0] == banks[2] == banks[3] == banks[4] == 100
    assert banks[1] is not None
    assert banks[1] > 140
    assert [event.clocks for event in events if isinstance(event, UndoEvent)] == [(100, 100)]


def test_resigning_in_xt_leaves_the_game_to_the_others() -> None:
    game = xt_game(XtMap.parse("3 0 0 0  3 4  0 2 1 0  0 3 1 0  0 1 2 0"))
    seats = [Scripted(lambda request: Resign()), Scripted(first), Scripted(first)]
    finished = asyncio.run(Referee(game.start(), seats).run())
    assert finished.verdict.kind in ("win", "draw")
    assert [offence.kind for offence in finished.offences] == ["resigned"]
    assert finished.result.points[0] == -50
    assert len(finished.record.moves) > 0


def test_an_exception_of_a_seat_is_its_crash() -> None:
    finished = run("othello", Scripted(first), Scripted(lambda request: 1 // 0))
    assert str(finished.verdict) == "seat 2: crash (ZeroDivisionError: integer division or modulo by zero)"


def test_the_number_of_limits_is_checked() -> None:
    with pytest.raises(pv.PlayerError, match="give one limit, or one for each of the 2 seats, not 1"):
        Referee(pv.game("othello").start(), [Scripted(first), Scripted(first)], [pv.Limit()])


def test_a_game_can_be_played_where_a_loop_runs() -> None:
    """As in a notebook."""
    async def cell() -> list[str]:
        finished = pv.play("othello-4", ["random:seed=1", "greedy:seed=2"], limit="seconds=60")
        with pytest.raises(pv.PlayerError, match="needs 2 players"):
            pv.play("othello", ["random"])
        return [finished.verdict.kind]

    assert asyncio.run(cell()) == ["win"]


def test_a_limit_may_be_a_text() -> None:
    players = ["random:seed=1", "random:seed=2"]
    by_text = pv.play("othello-4", players, limit=["depth=2", pv.Limit(depth=3)])
    assert by_text.record.moves == pv.play("othello-4", players).record.moves
    with pytest.raises(pv.LimitError, match="'slow' is not a limit"):
        pv.play("othello-4", players, limit="slow")
    with pytest.raises(pv.LimitError, match="5 is not a limit"):
        pv.play("othello-4", players, limit=5)  # type: ignore[arg-type]


def test_a_seed_makes_a_game_repeatable() -> None:
    first = pv.play("hex", ["random", "greedy"], seed=5).record
    assert first.moves == pv.play("hex", ["random", "greedy"], seed=5).record.moves
    assert first.start == pv.game("hex").start(seed=5) and first.players == ("random", "greedy")
    assert first.moves != pv.play("hex", ["random", "greedy"], seed=6).record.moves
    own = pv.play("othello", ["random:seed=1", pv.player("random", seed=2)], seed=6).record
    assert own.moves == pv.play("othello", ["random:seed=1", "random:seed=2"]).record.moves


@pytest.mark.parametrize("kind", BOTS)
def test_bots_need_a_seat(kind: str) -> None:
    with pytest.raises(pv.PlayerError, match=rf"'{kind}'; .* no bots by name: .*Match, or .*seat_of"):
        pv.play("othello", ["greedy", f"{kind}:my_bot"])
