"""Resuming a game from its events: cut anywhere, it goes on as if it had never stopped."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any
from zlib import crc32

import pytest
from msgspec import structs

import polyversi as pv
from polyversi.gameplay import (
    Event,
    Finished,
    MoveEvent,
    Observer,
    Referee,
    Request,
    Resign,
    Seat,
    SeatFailure,
    Undo,
    UndoEvent,
    VerdictEvent,
)
from polyversi.gameplay.events import event_data, read_event
from polyversi.games.xt import xt_game
from polyversi.games.xtmap import XtMap

THREE_SEATS = xt_game(XtMap.parse("3 2 1 0  3 4  0 2 1 0  0 3 1 0  0 1 2 0"))
BANK = pv.Limit(bank=100, increment=2)

Script = dict[int, Any]
"""What is answered, by the number of the event that the answer will become; a legal move otherwise."""


class Repeating(Seat):
    """A seat that answers the same in the same place of the same game, and an error in place of failing."""

    def __init__(self, script: Script, name: str) -> None:
        self.name = name
        self.is_ready = False
        self.events: list[Event] = []
        self._script = script

    async def begin(self, start: pv.State, seat: int) -> None:
        self.is_ready = True

    async def answer(self, request: Request) -> Any:
        assert self.is_ready
        answer = self._script.get(len(self.events))
        if isinstance(answer, Exception):
            raise answer
        moves = [move for move in request.state.moves if not move.is_pass] or request.state.moves
        return answer or moves[crc32(request.state.text.encode()) % len(moves)]


def referee_of(game: pv.Game, script: Script, limit: pv.Limit, events: Sequence[Event] = (),
               observers: Sequence[Observer] = ()) -> Referee:
    seats = [Repeating(script, f"seat {number}") for number in range(1, game.seats + 1)]
    referee = Referee(game.start(seed=1), seats, limit, observers, events=events)
    for seat in seats:
        seat.events = referee.log.events
    return referee


def untimed(events: Sequence[Event]) -> list[Event]:
    """The events without what is never twice the same."""
    plain = []
    for event in events:
        if isinstance(event, MoveEvent):
            event = structs.replace(event, seconds=0.0)
        if isinstance(event, (MoveEvent, UndoEvent)):
            event = structs.replace(event, clocks=())
        plain.append(event)
    return plain


def stored_and_read(event: Event) -> Event:
    """The event as it comes out of a store."""
    return read_event(event.number, event.kind, json.loads(json.dumps(event_data(event))))


def essence(finished: Finished) -> tuple[Any, ...]:
    record = finished.record
    return finished.result, finished.verdict, finished.offences, replace(record, notes=())


GAMES: dict[str, tuple[pv.Game, Script, pv.Limit]] = {
    "othello": (pv.game("othello-6"), {}, pv.Limit()),
    "a bad move that ends it": (pv.game("othello-6"), {9: "a1"}, pv.Limit()),
    "a crash": (pv.game("othello-6"), {9: SeatFailure("crash", "exit status 3")}, pv.Limit()),
    "resigning": (pv.game("othello-6"), {9: Resign()}, pv.Limit()),
    "clocks": (pv.game("othello-6"), {}, BANK),
    "taking back": (pv.game("othello-6"), {5: Undo(), 6: Undo(), 12: Undo()}, BANK),
    "bad moves as passes": (pv.game("hex"), {3: "a1", 8: "what?", 13: Undo(), 15: "a1", 17: "a1"}, BANK),
    "disqualified": (THREE_SEATS, {3: "9,9"}, BANK),
    "disqualified and taken back": (THREE_SEATS, {2: "9,9", 4: Undo(), 6: "9,9"}, BANK),
    "all but one disqualified": (THREE_SEATS, {2: "9,9", 4: Resign()}, pv.Limit()),
}


@pytest.mark.parametrize("name", GAMES)
def test_a_game_goes_on_from_any_of_its_events(name: str) -> None:
    whole = referee_of(*GAMES[name])
    finished = asyncio.run(whole.run())
    for cut in range(len(whole.log.events) + 1):
        stored = [stored_and_read(event) for event in whole.log.events[:cut]]
        told: list[Event] = []
        resumed = referee_of(*GAMES[name], stored, [told.append])
        if stored and isinstance(stored[-1], (MoveEvent, UndoEvent)):
            assert resumed.log.clocks == stored[-1].clocks
        again = asyncio.run(resumed.run())
        assert essence(again) == essence(finished)
        assert untimed(resumed.log.events) == untimed(whole.log.events)
        assert resumed.log.events[:cut] == whole.log.events[:cut]
        assert told == resumed.log.events[cut:], "nobody is told again of what happened before"
        assert len(again.record.notes) == len(finished.record.notes)


def test_the_games_hold_what_they_are_to_show() -> None:
    def kinds(name: str) -> set[str]:
        referee = referee_of(*GAMES[name])
        asyncio.run(referee.run())
        return {event.kind for event in referee.log.events}

    assert {name for name in GAMES if "undo" in kinds(name)} == {
        "taking back", "bad moves as passes", "disqualified and taken back",
    }
    assert {name for name in GAMES if "verdict" not in kinds(name)} == {
        "othello", "resigning", "clocks", "taking back",
    }


def test_taking_back_past_the_cut_restores_the_clocks_of_then() -> None:
    game, limit = pv.game("othello-6"), BANK
    whole = referee_of(game, {9: Undo()}, limit)
    asyncio.run(whole.run())
    resumed = referee_of(game, {9: Undo()}, limit, whole.log.events[:9])
    asyncio.run(resumed.run())
    assert resumed.log.events[9] == whole.log.events[9]
    assert isinstance(resumed.log.events[9], UndoEvent)


def test_a_game_that_is_over_asks_nobody() -> None:
    whole = referee_of(pv.game("othello-6"), {}, BANK)
    finished = asyncio.run(whole.run())
    resumed = referee_of(pv.game("othello-6"), {}, BANK, whole.log.events)
    assert asyncio.run(resumed.run()) == finished
    assert not any(seat.is_ready for seat in resumed.seats if isinstance(seat, Repeating))


def test_a_seat_that_is_out_and_cannot_get_ready_costs_nothing_more() -> None:
    class Gone(Repeating):
        async def begin(self, start: pv.State, seat: int) -> None:
            raise SeatFailure("crash", "no such file")

    whole = referee_of(*GAMES["disqualified"])
    finished = asyncio.run(whole.run())
    verdict = next(event for event in whole.log.events if isinstance(event, VerdictEvent))
    resumed = referee_of(*GAMES["disqualified"], whole.log.events[: verdict.number + 1])
    resumed.seats[verdict.seat - 1] = Gone({}, f"seat {verdict.seat}")
    assert essence(asyncio.run(resumed.run())) == essence(finished)


Change = Callable[[list[Event]], Any]


@pytest.mark.parametrize(("game", "limit", "change", "sentence"), [
    ("othello-6", BANK, lambda events: events.pop(0), "event 0 is missing"),
    ("othello-6", BANK, lambda events: events.pop(4), "event 4 is missing"),
    ("othello-6", BANK, lambda events: events.reverse(), "event 0 is missing"),
    ("othello-6", pv.Limit(), lambda events: None, "the events are those of another game"),
    ("othello", BANK, lambda events: None, "the events are those of another game"),
    ("othello-6", BANK, lambda events: events.insert(3, structs.replace(events[1], number=3)), "not legal"),
    ("othello-6", BANK, lambda events: events.insert(5, structs.replace(events.pop(5), position="nonsense")),
     "but tell of nonsense"),
])
def test_events_that_do_not_fit(game: str, limit: pv.Limit, change: Change, sentence: str) -> None:
    whole = referee_of(pv.game("othello-6"), {}, BANK)
    asyncio.run(whole.run())
    events = list(whole.log.events)
    change(events)
    with pytest.raises(pv.PolyversiError, match=sentence):
        referee_of(pv.game(game), {}, limit, events)
