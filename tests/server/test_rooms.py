"""Rooms and series at the moments that a server over a real line reaches only by chance."""

from __future__ import annotations

import asyncio
import gc
import threading
import time
import weakref
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

import polyversi as pv
from polyversi.gameplay import MoveEvent
from polyversi.gameplay.seat import LocalSeat, Request, Resign, Undo
from polyversi.gameplay.verdict import Verdict
from polyversi.players import NO_LIMIT
from polyversi.server import lobby as lobbies
from polyversi.server import series as series_module
from polyversi.server.bots import BotFolder
from polyversi.server.listing import Listing, Wanted
from polyversi.server.lobby import Lobby
from polyversi.server.messages import (
    Bye,
    Claim,
    ErrorMessage,
    MoveMessage,
    Next,
    Presence,
    Rematch,
    RequestMessage,
    Welcome,
)
from polyversi.server.new_game import NewGame, NewSeat, Prepared, prepare
from polyversi.server.players import QueuedSeat
from polyversi.server.policy import RoomPolicy
from polyversi.server.room import MAX_WINDOWS, Room
from polyversi.server.series import SeriesRegistry
from polyversi.server.series_messages import Control, NewSeries
from polyversi.server.turns import Attendance, Turns
from polyversi.storage.games import DamagedError, Store, StoredSeries, StoreError, Transaction
from polyversi.storage.stored import Phase
from tests.testing.clock import until
from tests.testing.lobby import opened, said, verdict_of, visit
from tests.testing.timeout import TIMEOUT


@pytest.fixture
def in_lobby(tmp_path: Path) -> Callable[[Callable[[Lobby], Awaitable[None]]], None]:
    """Runs something in a lobby over a store of its own."""
    def run(evening: Callable[[Lobby], Awaitable[None]]) -> None:
        async def whole() -> None:
            async with opened(tmp_path) as lobby:
                await evening(lobby)

        asyncio.run(whole())

    return run


class Clock:
    """What `time.perf_counter` says, with which the referee and the rooms measure thinking."""

    def __init__(self) -> None:
        self._real = time.perf_counter
        self._ahead = 0.0

    def __call__(self) -> float:
        return self._real() + self._ahead

    def advance(self, seconds: float) -> None:
        self._ahead += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """A clock that a test may put forward."""
    clock = Clock()
    monkeypatch.setattr(time, "perf_counter", clock)
    return clock


InLobby = Callable[[Callable[[Lobby], Awaitable[None]]], None]


def two_people(spec: str = "othello-4", limit: str = "none") -> Prepared:
    return prepare(NewGame([NewSeat("me"), NewSeat("friend")], spec, limit=limit), BotFolder(None))


def hold_the_store(lobby: Lobby) -> threading.Event:
    """Nothing is written any more until the event is set."""
    free = threading.Event()

    def wait(_: Transaction) -> None:
        free.wait(TIMEOUT)

    lobby.write_queue.submit(wait, lambda: None)
    return free


def test_nothing_is_known_of_a_move_before_it_is_stored(in_lobby: InLobby) -> None:
    async def evening(lobby: Lobby) -> None:
        prepared = two_people()
        room = await lobby.create(prepared, "")
        ann, _ = visit(room, prepared.token), visit(room, prepared.friends[2], "Bob")
        ask = await ann.hear(RequestMessage)
        free = hold_the_store(lobby)
        ann.say(MoveMessage(ask.number, ask.moves[0].text))
        await until(lambda: lobby.write_queue.waiting == 2)    # the move, and what holds it up
        assert room.summary().plies == 0
        assert room.state == room.start
        free.set()
        await until(lambda: room.summary().plies == 1)

    in_lobby(evening)


def test_no_clock_runs_while_a_question_cannot_be_told(in_lobby: InLobby, clock: Clock) -> None:
    async def evening(lobby: Lobby) -> None:
        prepared = two_people(limit="seconds=600")
        room = await lobby.create(prepared, "")
        ann, bob = visit(room, prepared.token), visit(room, prepared.friends[2], "Bob")
        ask = await ann.hear(RequestMessage)
        free = hold_the_store(lobby)
        ann.say(MoveMessage(ask.number, ask.moves[0].text))
        await until(lambda: lobby.write_queue.waiting == 2)    # the move, and what holds it up
        for _ in range(100):
            await asyncio.sleep(0)
        clock.advance(500)
        free.set()
        question = await bob.hear(RequestMessage)
        assert question.number == ask.number + 1
        assert 600 - TIMEOUT < question.seconds <= 600

    in_lobby(evening)


def test_a_game_that_ends_while_it_is_broken_off_ends_once(in_lobby: InLobby) -> None:
    async def evening(lobby: Lobby) -> None:
        prepared = two_people()
        room = await lobby.create(prepared, "")
        ann, _ = visit(room, prepared.token), visit(room, prepared.friends[2], "Bob")
        await ann.hear(RequestMessage)
        free = hold_the_store(lobby)
        ann.say(Resign())
        await until(lambda: room.has_ended)
        room.break_off("nobody came back to it")
        free.set()
        await until(lambda: room.id not in lobby.rooms)
        kinds = [event.kind for event in lobby.store.events(room.id)]
        assert kinds == ["start", "end"]
        assert verdict_of(room).kind == "resigned"

    in_lobby(evening)


def test_a_game_can_be_broken_off_before_it_has_begun(in_lobby: InLobby) -> None:
    async def evening(lobby: Lobby) -> None:
        prepared = prepare(NewGame([NewSeat("computer", "random")] * 2, "othello-4"), BotFolder(None))
        room = await lobby.create(prepared, "")
        room.break_off("it was stopped")
        await until(lambda: room.id not in lobby.rooms)
        assert verdict_of(room) == Verdict("aborted", None, "it was stopped")

    in_lobby(evening)


def test_a_game_without_end_is_broken_off(in_lobby: InLobby) -> None:
    async def evening(lobby: Lobby) -> None:
        lobby.policy = replace(lobby.policy, max_events=9)
        prepared = prepare(NewGame([NewSeat("me"), NewSeat("me")], "othello-4"), BotFolder(None))
        room = await lobby.create(prepared, "")
        ann = visit(room, prepared.token)
        while room.id in lobby.rooms:    # a move, which is taken back, and again
            ask = await ann.hear(object)
            if isinstance(ask, RequestMessage) and ask.moves:
                ann.say(Undo() if room.log.plies else MoveMessage(ask.number, ask.moves[0].text))
            await asyncio.sleep(0)
        assert [event.kind for event in lobby.store.events(room.id)] == [
            "start", *["move", "undo"] * 4, "move", "end"]
        assert verdict_of(room).detail == (
            "it has 9 events; longer games are not possible here")

    in_lobby(evening)


def test_whoever_asks_for_the_same_rematch_agrees(in_lobby: InLobby) -> None:
    async def evening(lobby: Lobby) -> None:
        prepared = two_people()
        room = await lobby.create(prepared, "")
        ann, bob = visit(room, prepared.token), visit(room, prepared.friends[2], "Bob")
        await ann.hear(RequestMessage)
        ann.say(Resign())
        await until(lambda: room.id not in lobby.rooms)
        ann.say(Rematch())
        bob.say(Rematch())
        assert (await ann.hear(Next)).game == (await bob.hear(Next)).game
        assert len(lobby.rooms) == 1

    in_lobby(evening)


def test_every_seat_that_is_left_can_be_claimed_in_turn(in_lobby: InLobby) -> None:
    async def evening(lobby: Lobby) -> None:
        lobby.policy = replace(lobby.policy, grace=0.0)
        seats = [NewSeat("me"), NewSeat("friend"), NewSeat("friend")]
        prepared = prepare(NewGame(seats, "xt:arena,players=3"), BotFolder(None))
        room = await lobby.create(prepared, "")
        ann = visit(room, prepared.token)
        others = [visit(room, prepared.friends[seat], f"guest {seat}") for seat in (2, 3)]
        await ann.hear(RequestMessage)
        for other in others:
            other.hang_up()
        for seat in (2, 3):
            while (await ann.hear(Presence)).claim != seat:
                pass
            ann.say(Claim())
            while seat not in room.state.out:
                await asyncio.sleep(0)
            visit(room, "").hang_up()    # somebody comes and goes, so that presence is told again

    in_lobby(evening)


def test_after_a_restart_absence_is_told_too(in_lobby: InLobby) -> None:
    async def evening(lobby: Lobby) -> None:
        lobby.policy = replace(lobby.policy, grace=1.0)
        prepared = two_people()
        stored = prepared.stored
        named = tuple(replace(seat, name=seat.name or "Bob") for seat in stored.seats)
        room = lobby.open(Room(replace(stored, seats=named), (), lobby))
        await lobby.store_game(room.stored)
        ann = visit(room, prepared.token)
        while (await ann.hear(Presence)).claim != 2:
            pass

    in_lobby(evening)


def test_an_interjection_costs_no_time_twice(in_lobby: InLobby, clock: Clock) -> None:
    async def evening(lobby: Lobby) -> None:
        seats = [NewSeat("me"), NewSeat("friend"), NewSeat("friend")]
        prepared = prepare(NewGame(seats, "xt:arena,players=3", limit="bank=600"), BotFolder(None))
        room = await lobby.create(prepared, "")
        ann = visit(room, prepared.token)
        bob, _ = (visit(room, prepared.friends[seat], f"guest {seat}") for seat in (2, 3))
        await ann.hear(RequestMessage)
        clock.advance(100)
        bob.say(Resign())
        ask = await ann.hear(RequestMessage)
        assert ask.limit.bank is not None and 500 - TIMEOUT < ask.limit.bank <= 500

    in_lobby(evening)


def test_a_corrupt_game_does_not_keep_the_others_from_going_on(tmp_path: Path) -> None:
    store = Store.open(str(tmp_path / "games.db"))
    good, bad = two_people().stored, two_people().stored
    with store.transaction() as tx:
        for stored in (bad, good):
            tx.add_game(stored)
        tx.append(bad.id, MoveEvent(0, 1, "a1", 0.0, (None, None), "…"))
    store.close()

    async def evening() -> None:
        async with opened(tmp_path) as lobby:
            assert list(lobby.rooms) == [good.id]

    asyncio.run(evening())
    assert said[0].startswith(f"the game {bad.id} cannot continue")


def test_a_damaged_game_is_left_out_of_the_list_and_said_once(tmp_path: Path) -> None:
    """Neither the list nor the start of the server fails for it."""
    store = Store.open(str(tmp_path / "games.db"))
    with store.transaction() as tx:
        for id in "abc":
            phase: Phase = "running" if id == "c" else "over"
            tx.add_game(replace(two_people().stored, id=id, phase=phase, ended=1.0))
    with store.writing() as connection:
        connection.exec_driver_sql("UPDATE games SET seats = '[' WHERE id IN ('b', 'c')")
    store.close()

    async def evening() -> None:
        async with opened(tmp_path) as lobby:
            for _ in range(2):
                games = await Listing(lobby, SeriesRegistry(lobby)).page(Wanted())
                assert [game.id for game in games.recent] == ["a"]
                assert games.damaged == 2
            assert [sentence.partition(" in ")[0] for sentence in said] == ["c", "b"]
            with pytest.raises(DamagedError):
                await lobby.find("b")

    asyncio.run(evening())


def test_what_cannot_be_stored_is_told_and_not_waited_for(in_lobby: InLobby) -> None:
    async def evening(lobby: Lobby) -> None:
        stored = two_people().stored
        await lobby.store_game(stored)
        with pytest.raises(StoreError):
            await lobby.store_game(replace(stored, created=0.0))
        with pytest.raises(ValueError):    # no number of JSON
            event = MoveEvent(0, 1, "f5", float("nan"), (None, None), "…")
            await lobby.store_game(two_people().stored, (event,))

    in_lobby(evening)


def test_a_rematch_is_counted_like_any_game(in_lobby: InLobby, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobbies, "MAX_ROOMS_PER_VISITOR", 2)

    async def evening(lobby: Lobby) -> None:
        against_random = NewGame([NewSeat("me"), NewSeat("computer", "random")], "othello-4")
        guests = []
        for _ in range(4):
            prepared = prepare(against_random, BotFolder(None))
            ann = visit(room := await lobby.create(prepared, "192.0.2.7"), prepared.token)
            await ann.hear(RequestMessage)
            ann.say(Resign())
            while room.id in lobby.rooms:
                await asyncio.sleep(0)
            guests.append(ann)
        free = hold_the_store(lobby)
        for ann in guests:    # none of them is stored before all have asked
            ann.say(Rematch())
        refused = [await ann.hear(ErrorMessage) for ann in guests[2:]]
        assert {one.sentence for one in refused} == {
            "2 games of the same visitor are running; finish or resign some of them first"}
        free.set()
        for ann in guests[:2]:
            await ann.hear(Next)
        assert len(lobby.rooms) == 2

    in_lobby(evening)


def test_spectators_leave_room_for_the_holders_of_seats(in_lobby: InLobby) -> None:
    async def evening(lobby: Lobby) -> None:
        lobby.policy = RoomPolicy(max_spectators=3)
        prepared = two_people()
        room = await lobby.create(prepared, "")
        for _ in range(3):
            await visit(room).hear(Welcome)
        refused = await visit(room).hear(ErrorMessage)
        assert refused.sentence == "this game has its maximum of 3 spectators"
        ann, bob = visit(room, prepared.token), visit(room, prepared.friends[2], "Bob")
        assert (await ann.hear(Welcome)).seats == [1]
        assert (await bob.hear(Welcome)).seats == [2]

    in_lobby(evening)


def test_a_seat_is_open_in_so_many_windows(in_lobby: InLobby) -> None:
    async def evening(lobby: Lobby) -> None:
        prepared = two_people()
        room = await lobby.create(prepared, "")
        windows = [visit(room, prepared.token) for _ in range(MAX_WINDOWS)]
        for window in windows:
            await window.hear(Welcome)
        await visit(room, prepared.token).hear(Welcome)
        assert "has taken this seat" in (await windows[0].hear(ErrorMessage)).sentence
        assert len(room.guests) == MAX_WINDOWS

    in_lobby(evening)


class Absorbed(pv.Player):
    """Thinks until it is free, whoever tells it to stop."""

    def __init__(self) -> None:
        self.free = threading.Event()

    def choose(self, state: pv.State, limit: pv.Limit = NO_LIMIT) -> pv.Move:
        self.free.wait(TIMEOUT)
        return state.moves[0]


def test_a_thought_that_was_broken_off_has_its_turn_until_it_ends() -> None:
    async def evening() -> None:
        take, player = partial(Turns(1).take, "Ann"), Absorbed()
        local = LocalSeat(player, "absorbed", in_thread=True)
        seat = QueuedSeat(local, take, said.append, Attendance(30.0))
        start = pv.game("othello-4").start()
        request = Request(start, 1, pv.Limit(seconds=60), start, ())
        await seat.prepare(request)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0):
                await seat.answer(request)
        await seat.close()
        waiting = asyncio.create_task(take(1.0))
        await asyncio.sleep(0)
        assert not waiting.done()
        player.free.set()
        async with asyncio.timeout(TIMEOUT):
            await waiting    # somebody else has a turn when it has thought to its end

    asyncio.run(evening())


def series_of(rounds: int = 3) -> NewSeries:
    return NewSeries("othello-4", ["random:seed=1", "random:seed=2"], 0.0, 0.0, rounds)


def test_a_series_stopped_between_two_rounds_plays_no_more(in_lobby: InLobby) -> None:
    async def evening(lobby: Lobby) -> None:
        registry = SeriesRegistry(lobby)
        series, token = await registry.create(series_of(), "")
        free = hold_the_store(lobby)
        series.control(Control(token, "start"))
        for _ in range(100):
            await asyncio.sleep(0)
        assert series.room is None    # the round waits for the store
        series.control(Control(token, "stop"))
        free.set()
        await until(lambda: [game.phase for game in lobby.store.games_of(series.id)] == ["over"])
        games = lobby.store.games_of(series.id)
        assert [game.summary.result and game.summary.result.verdict.kind for game in games] == ["aborted"]
        assert series.status().phase == "stopped"

    in_lobby(evening)


def test_a_series_that_cannot_go_on_stops(tmp_path: Path) -> None:
    (tmp_path / "bots").mkdir()
    bot = tmp_path / "bots" / "mine.py"
    bot.write_text("input()")

    async def evening() -> None:
        async with opened(tmp_path, BotFolder(bot.parent, trust=True)) as lobby:
            wanted = NewSeries("othello-4", ["bot:mine.py", "random"])
            series, token = await SeriesRegistry(lobby).create(wanted, "")
            bot.unlink()
            series.control(Control(token, "start"))
            await until(lambda: series.is_done)
            assert series.status().phase == "stopped"

    asyncio.run(evening())
    assert "stopped: PlayerError: bot:mine.py does not play othello-4" in said[0]


def test_series_that_are_done_are_forgotten_and_found_again(in_lobby: InLobby) -> None:
    async def evening(lobby: Lobby) -> None:
        registry = SeriesRegistry(lobby)
        series, token = await registry.create(series_of(2), "")
        series.control(Control(token, "start"))
        while not series.is_done:
            await asyncio.sleep(0)
        before, forgotten = series.status(), weakref.ref(series)
        del series    # nobody looks at it any more
        while forgotten():
            await lobby.write_queue.write(lambda _: None)    # the queue keeps what it wrote last
            gc.collect()
        found = await registry.find(before.id)
        assert found is not None and found.status() == before
        assert before.phase == "over" and len(before.games) == 2
        assert registry.listed() == []

    in_lobby(evening)


def test_a_round_whose_series_was_stopped_before_a_kill_is_broken_off(in_lobby: InLobby) -> None:
    async def evening(lobby: Lobby) -> None:
        wanted = {"wanted": {"spec": "othello-4", "players": ["random", "random"]}, "phase": "stopped",
                  "delay": 0.0, "next_delay": 0.0}
        series = StoredSeries("s", 1.0, wanted, "", is_open=False)
        await lobby.write_queue.write(lambda tx: tx.add_series(series))
        seats = [NewSeat("computer", "random")] * 2
        stored = prepare(NewGame(seats, "othello-4"), BotFolder(None)).stored
        await lobby.store_game(replace(stored, series="s", number=1))
        await SeriesRegistry(lobby).start()
        await until(lambda: not lobby.rooms)
        kept = lobby.store.game(stored.id)
        assert kept is not None and kept.summary.result is not None
        assert kept.summary.result.verdict.detail == "it was stopped"

    in_lobby(evening)


def test_good_bye_ends_the_connection(in_lobby: InLobby) -> None:
    async def evening(lobby: Lobby) -> None:
        prepared = two_people()
        room = await lobby.create(prepared, "")
        ann = visit(room, prepared.token)
        await ann.hear(Welcome)
        ann.say(Bye())
        assert ann.task is not None
        await ann.task
        assert not room.guests

    in_lobby(evening)


def test_a_series_that_nobody_looks_at_pauses(in_lobby: InLobby, monkeypatch: pytest.MonkeyPatch) -> None:
    async def evening(lobby: Lobby) -> None:
        registry = SeriesRegistry(lobby)
        wanted = NewSeries("othello-4", ["random", "greedy"], delay=60.0, rounds=10)
        series, token = await registry.create(wanted, "")
        with series.attended():
            series.control(Control(token, do="start"))
            monkeypatch.setattr(series_module, "IDLE_TIMEOUT", 0.0)
            with series.attended():    # one of two leaves
                pass
            await until(lambda: series.room is not None)
            assert series.phase == "running"
        await until(lambda: series.phase == "paused")
        await lobby.write_queue.drain()
        (stored,) = lobby.store.open_series()
        assert stored.settings["phase"] == "paused"

    in_lobby(evening)
