"""How visitors share the processors: nobody waits for all that somebody else has started."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pytest

import polyversi as pv
from polyversi.gameplay.events import EndEvent, MoveEvent
from polyversi.games.limit import NO_LIMIT
from polyversi.players import PLAYERS, Limit, Player
from polyversi.server import lobby as lobbies
from polyversi.server import players
from polyversi.server.bots import BotFolder
from polyversi.server.limits import TooManyError
from polyversi.server.lobby import Lobby
from polyversi.server.messages import MoveMessage, RequestMessage
from polyversi.server.new_game import NewGame, NewSeat, prepare
from polyversi.server.policy import RoomPolicy
from polyversi.server.room import Room
from polyversi.server.series import SeriesRegistry
from polyversi.server.series_messages import NewSeries
from polyversi.server.turns import Release, Turns
from tests.testing.clock import Clock, until, with_clock
from tests.testing.lobby import opened, visit
from tests.testing.timeout import TIMEOUT

ANN, BOB = "192.0.2.7", "192.0.2.8"


class Queue:
    """What waits for a turn, by name, and what has one."""

    def __init__(self, turns: Turns) -> None:
        self._turns = turns
        self._asked: dict[str, asyncio.Task[Release]] = {}

    async def ask(self, visitor: str, seconds: float, times: int = 1) -> None:
        for number in range(times):
            name = f"{visitor} {seconds:g} {number}"
            self._asked[name] = asyncio.create_task(self._turns.take(visitor, seconds))
        await asyncio.sleep(0)

    def thinking(self) -> list[str]:
        return [name for name, task in self._asked.items() if task.done()]

    async def end(self, name: str) -> None:
        self._asked.pop(name).result()()
        await asyncio.sleep(0)

    async def call_off(self, name: str) -> None:
        self._asked.pop(name).cancel()
        await asyncio.sleep(0)

    def call_off_soon(self, name: str) -> None:
        """When what is to happen already has happened."""
        asyncio.get_running_loop().call_soon(self._asked[name].cancel)


def in_queue(limit: int, evening: Callable[[Queue, Clock], Awaitable[None]]) -> None:
    async def whole(clock: Clock) -> None:
        await evening(Queue(Turns(limit)), clock)

    with_clock(whole)


def test_long_thoughts_leave_a_place_to_short_ones() -> None:
    async def evening(queue: Queue, clock: Clock) -> None:
        await queue.ask("Ann", 20, 31)
        await queue.ask("Eve", 20, 31)
        assert queue.thinking() == ["Ann 20 0"]
        await queue.ask("Bob", 1)
        assert queue.thinking() == ["Ann 20 0", "Bob 1 0"]

    in_queue(2, evening)


def test_whoever_has_used_less_comes_next_however_many_wait() -> None:
    async def evening(queue: Queue, clock: Clock) -> None:
        await queue.ask("Ann", 1, 31)
        assert queue.thinking() == ["Ann 1 0", "Ann 1 1"]
        await queue.ask("Bob", 1, 2)
        clock.advance(1)
        await queue.end("Ann 1 0")
        assert queue.thinking() == ["Ann 1 1", "Bob 1 0"]
        clock.advance(1)
        await queue.end("Bob 1 0")
        assert queue.thinking() == ["Ann 1 1", "Bob 1 1"]
        await queue.end("Bob 1 1")    # which took no time: Bob could come again before Ann
        await queue.ask("Cid", 1)
        assert queue.thinking() == ["Ann 1 1", "Ann 1 2"]
        await queue.end("Ann 1 1")
        assert queue.thinking() == ["Ann 1 2", "Cid 1 0"]

    in_queue(2, evening)


def test_a_visitor_who_thinks_for_long_uses_more() -> None:
    async def evening(queue: Queue, clock: Clock) -> None:
        await queue.ask("Ann", 2, 3)
        await queue.ask("Bob", 1, 9)
        order = []
        while names := queue.thinking():
            order.append(names[0][0])
            clock.advance(float(names[0].split()[1]))
            await queue.end(names[0])
        assert "".join(order).startswith("ABB") and "".join(order[:9]).count("A") == 3

    in_queue(1, evening)


def test_short_thoughts_of_one_visitor_come_before_its_long_ones() -> None:
    async def evening(queue: Queue, clock: Clock) -> None:
        await queue.ask("Ann", 20, 31)
        await queue.ask("Ann", 1, 2)
        assert queue.thinking() == ["Ann 20 0", "Ann 1 0"]
        await queue.end("Ann 20 0")
        assert queue.thinking() == ["Ann 1 0", "Ann 1 1"]

    in_queue(2, evening)


def test_nothing_is_lost_of_turns_that_are_called_off() -> None:
    async def evening(queue: Queue, clock: Clock) -> None:
        await queue.ask("Ann", 1, 3)
        await queue.call_off("Ann 1 1")
        queue.call_off_soon("Ann 1 2")    # just when it is let in
        await queue.end("Ann 1 0")
        await queue.ask("Bob", 1)
        await until(lambda: "Bob 1 0" in queue.thinking())

    in_queue(1, evening)


@dataclass
class Slow(Player):
    """Thinks until it may answer; keeps count of how many do."""

    name = "slow"
    may_answer: ClassVar[threading.Event]
    thinking: ClassVar[list[str]]

    def choose(self, state: pv.State, limit: Limit = NO_LIMIT) -> pv.Move:
        self.thinking.append("slow")
        self.may_answer.wait(TIMEOUT)
        return state.moves[0]


@dataclass
class Mindful(Player):
    """Remembers something as soon as it is prepared, and again with every move."""

    name = "mindful"
    remembering: ClassVar[set[int]]

    def prepare(self, game: pv.Game) -> None:
        self.remembering.add(id(self))

    def choose(self, state: pv.State, limit: Limit = NO_LIMIT) -> pv.Move:
        self.remembering.add(id(self))
        return state.moves[0]

    def forget(self) -> None:
        self.remembering.discard(id(self))


@pytest.fixture(autouse=True)
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    Slow.may_answer, Slow.thinking = threading.Event(), []
    Mindful.remembering = set()
    monkeypatch.setitem(PLAYERS, "slow", Slow)
    monkeypatch.setitem(PLAYERS, "mindful", Mindful)
    yield
    Slow.may_answer.set()


async def new_game(lobby: Lobby, visitor: str, *players: str, limit: str = "seconds=20") -> Room:
    wanted = NewGame([NewSeat("computer", player) for player in players], "othello-4", limit=limit)
    return await lobby.create(prepare(wanted, BotFolder(None)), visitor)


def in_lobby(path: Path, evening: Callable[[Lobby, Clock], Awaitable[None]]) -> None:
    async def whole(clock: Clock) -> None:
        async with opened(path) as lobby:
            await evening(lobby, clock)
            Slow.may_answer.set()

    with_clock(whole)


def test_a_quick_player_never_waits_for_slow_ones(tmp_path: Path) -> None:
    async def evening(lobby: Lobby, clock: Clock) -> None:
        for number in range(31):
            visit(await new_game(lobby, f"192.0.2.{number}", "slow", "slow"))
        await until(lambda: Slow.thinking)
        eve = visit(await new_game(lobby, ANN, "random", "t77"))
        assert (await eve.hear(EndEvent)).verdict.kind in ("win", "draw")

    in_lobby(tmp_path, evening)


def test_games_that_go_on_after_a_restart_are_still_their_visitors(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobbies, "MAX_ROOMS_PER_VISITOR", 5)

    async def before(lobby: Lobby, clock: Clock) -> None:
        clock.stop_time()
        for _ in range(5):
            await new_game(lobby, ANN, "slow", "slow", limit="seconds=1")
        await SeriesRegistry(lobby).create(NewSeries("othello-4", ["slow", "slow"]), ANN)

    async def after(lobby: Lobby, clock: Clock) -> None:
        clock.stop_time()
        Slow.may_answer.clear()
        Slow.thinking.clear()
        with pytest.raises(TooManyError, match="5 games of the same visitor are running"):
            await new_game(lobby, ANN, "random", "random")
        rooms = list(lobby.rooms.values())
        wires = [visit(room) for room in rooms]
        await until(lambda: len(Slow.thinking) == 2)
        eve = visit(await new_game(lobby, BOB, "random", "slow", limit="seconds=1"))
        for _ in range(100):
            await asyncio.sleep(0)
        assert len(Slow.thinking) == 2    # not one for each of the games
        Slow.may_answer.set()
        await eve.hear(EndEvent)
        assert len({room.visitor for room in rooms}) == 1 and len(wires) == 5
        registry = SeriesRegistry(lobby)
        await registry.start()
        assert [series.visitor for series in registry.open()] == [rooms[0].visitor]

    in_lobby(tmp_path, before)
    in_lobby(tmp_path, after)


def test_a_game_that_nobody_attends_stands_still(tmp_path: Path) -> None:
    async def evening(lobby: Lobby, clock: Clock) -> None:
        lobby.policy = RoomPolicy(move_timeout=TIMEOUT)
        room = await new_game(lobby, ANN, "slow", "slow", limit="none")
        await until(lambda: len(Slow.thinking) == 1)    # at first somebody is expected
        clock.advance(room.policy.grace)
        await until(lambda: not room.attendance.is_on.is_set())
        Slow.may_answer.set()
        await until(lambda: room.summary().plies == 1)
        for _ in range(1000):
            await asyncio.sleep(0)
        assert (room.summary().plies, len(Slow.thinking)) == (1, 1)
        eve = visit(room)
        await eve.hear(MoveEvent)
        eve.hang_up()
        eve = visit(room)    # a page that is loaded again
        assert (await eve.hear(EndEvent)).verdict.kind in ("win", "draw")

    in_lobby(tmp_path, evening)


def test_a_game_that_nobody_has_come_back_to_does_not_go_on_after_a_restart(tmp_path: Path) -> None:
    names: list[str] = []

    async def before(lobby: Lobby, clock: Clock) -> None:
        names.append((await new_game(lobby, ANN, "slow", "slow")).id)
        await until(lambda: Slow.thinking)

    async def after(lobby: Lobby, clock: Clock) -> None:
        Slow.thinking.clear()
        room = lobby.rooms[names[0]]
        for _ in range(1000):
            await asyncio.sleep(0)
        assert not Slow.thinking
        await visit(room).hear(EndEvent)

    in_lobby(tmp_path, before)
    in_lobby(tmp_path, after)


def test_so_many_players_keep_what_they_remember(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(players, "MAX_TABLES", 3)

    async def evening(lobby: Lobby, clock: Clock) -> None:
        for number in range(1, 7):
            wanted = NewGame([NewSeat("computer", "mindful"), NewSeat("me")], "othello-4")
            room = await lobby.create(prepare(wanted, BotFolder(None)), f"192.0.2.{number}")
            await visit(room).hear(MoveEvent)
            await until(lambda: len(Mindful.remembering) <= 3)
            assert len(Mindful.remembering) == min(number, 3)
        assert len(lobby.rooms) == 6    # and all of them go on

    in_lobby(tmp_path, evening)


def test_players_remember_nothing_of_games_that_are_left_or_over(tmp_path: Path) -> None:
    async def evening(lobby: Lobby, clock: Clock) -> None:
        seats = [NewSeat("me"), NewSeat("computer", "mindful")]
        prepared = prepare(NewGame(seats, "othello-4"), BotFolder(None))
        room = await lobby.create(prepared, ANN)
        ann = visit(room, prepared.token)
        ask = await ann.hear(RequestMessage)
        assert not Mindful.remembering    # before its first turn
        ann.say(MoveMessage(ask.number, ask.moves[0].text))
        await ann.hear(RequestMessage)
        assert len(Mindful.remembering) == 1
        ann.hang_up()
        await until(lambda: not room.guests)
        clock.advance(room.policy.grace)
        await until(lambda: not Mindful.remembering)

        eve = visit(await new_game(lobby, ANN, "mindful", "slow"))
        await until(lambda: Slow.thinking)
        assert len(Mindful.remembering) == 1
        Slow.may_answer.set()
        await eve.hear(EndEvent)
        await until(lambda: not Mindful.remembering)

    in_lobby(tmp_path, evening)


@pytest.mark.parametrize(("name", "spec"), [("polyversi:level=3", "othello-4"), ("xt", "xt:arena,players=2")])
def test_a_player_that_has_forgotten_plays_on(name: str, spec: str) -> None:
    player, state = pv.player(name), pv.game(spec).start()
    state = state.play(player.choose(state, Limit(depth=2)))
    player.forget()
    assert player.choose(state, Limit(depth=2)) in state.moves
