"""The log: what its events add up to, worked out once in a process, and records that nobody plays again."""

from __future__ import annotations

import pickle
import random
from dataclasses import replace
from typing import Any

import pytest
from msgspec import structs

import polyversi as pv
from polyversi.gameplay import Event, GameLog, MoveEvent
from polyversi.gameplay.events import EventError, compact, event_data, read_event
from polyversi.gameplay.verdict import Verdict
from polyversi.players import Limit
from polyversi.records.maps import named_game
from polyversi.records.record import Record
from tests.testing.specs import SPECS


def played(spec: str, *logs: GameLog) -> list[Event]:
    start = logs[0].start if logs else pv.game(spec).start(seed=1)
    events: list[Event] = []
    players = [pv.player("random", seed=seed) for seed in range(start.game.seats)]
    pv.play(start, players, observers=[events.append, *(log.apply for log in logs)])
    return events


def test_the_logs_of_a_process_share_the_states_of_a_game() -> None:
    start = pv.game("othello-6").start()
    first, second = GameLog(start), GameLog(start)
    played("othello-6", first, second)
    assert all(one.before is other.before for one, other in zip(first.plies, second.plies, strict=True))
    assert first.state is second.state


@pytest.mark.parametrize("spec", SPECS)
def test_stored_events_add_up_to_the_same(spec: str) -> None:
    events = played(spec)
    start = pv.game(spec).start(seed=1)
    stored = [read_event(event.number, event.kind, event_data(event)) for event in events]
    told, read = GameLog(start, events), GameLog(start, stored)
    assert (told.state, told.clocks, told.result) == (read.state, read.clocks, read.result)
    assert told.record == read.record


def test_what_cannot_have_happened_changes_nothing() -> None:
    events = played("othello-4")
    log = GameLog(pv.game("othello-4").start(seed=1), events[:3])
    state, third = log.state, events[3]
    assert isinstance(third, MoveEvent)
    other = 3 - third.seat
    wrong: list[dict[str, Any]] = [{"move": "a9"}, {"seat": other}, {"position": "x"}, {"clocks": ()}]
    for event in (*(structs.replace(third, **change) for change in wrong), events[4], events[0]):
        with pytest.raises(EventError):
            log.apply(event)
        assert (log.state, len(log.plies), len(log.events)) == (state, 2, 3)
    log.apply(third)


def test_the_record_of_a_log_is_a_record_like_any_other() -> None:
    start = pv.game("othello-6").start()
    log = GameLog(start)
    played("othello-6", log)
    known = log.record
    assert known == Record(start, known.moves, known.players, notes=known.notes)
    assert list(known.states()) == list(replace(known).states())
    assert known.final is log.state, "nothing is played again"
    tagged = known.with_tags((("round", "3"),))
    assert tagged == replace(known, tags=(("round", "3"),))
    assert tagged.final is log.state
    copy = pickle.loads(pickle.dumps(known))
    assert copy == known and copy.final == known.final
    assert len(pickle.dumps(known)) == len(pickle.dumps(copy)), "the states do not travel"


def test_a_thin_log_keeps_few_states_of_a_large_board_and_finds_all() -> None:
    chart = f"3 5 2 1  30 30  {'0 ' * 434} 1 2 3 {'0 ' * 27} 2 3 1 {'0 ' * 433}"
    start = named_game("xt:large", chart).start()
    log, thin, coin = GameLog(start), GameLog(start, is_thin=True), random.Random(1)
    events: list[Event] = [log.begin(("a", "b", "c"), [Limit(bank=9.0)] * 3)]
    for number in range(90):
        if number == 40:
            events.append(log.judge(Verdict("illegal move", log.state.turn)))
        if number == 70:
            events.append(log.undo(log.state.turn, 35))    # also what was judged is taken back
            events.append(log.judge(Verdict("illegal move", log.state.turn)))
        events.append(log.play(coin.choice(log.state.moves), 0.25))
    for event in events:
        thin.apply(read_event(event.number, event.kind, event_data(compact(event))))
        assert thin.with_position(thin.events[-1]) == event
    assert (thin.state, thin.clocks, thin.disqualified) == (log.state, log.clocks, log.disqualified)
    assert [thin.plies[number] for number in range(len(log.plies))] == list(thin.plies) == list(log.plies)
    assert thin.record == log.record and thin.record.final is thin.state
    held = sum(getattr(event, "position", "") != "" for event in thin.events)
    assert held == 1 and thin.plies[-1].before is thin.copy().plies[-1].before
    assert thin.plies[0].before is start and thin.plies[1].before is not thin.plies[1].before
