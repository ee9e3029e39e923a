"""Series: the contests of the arena view, a room for every game, and the registry of all of them."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal
from weakref import WeakSet, WeakValueDictionary

import msgspec
from msgspec import structs

from polyversi.contest.contest import Contest
from polyversi.contest.match import Match
from polyversi.contest.model import Fixture, SeatOrder
from polyversi.contest.pace import Pace, PacedSeat
from polyversi.games.errors import PlayerError
from polyversi.games.variants import title
from polyversi.server.bots import BotFolder
from polyversi.server.limits import THIS_MACHINE, ConcurrencyLimit, TooManyError, mark_of
from polyversi.server.new_game import NewGame, NewSeat, chosen_game, marked, prepare
from polyversi.server.room import Room
from polyversi.server.series_messages import Control, NewSeries, Phase, Rounds, SeriesStanding, Winner
from polyversi.server.tokens import hash_token, new_token
from polyversi.storage.games import StoredGame, StoredSeries
from polyversi.storage.stored import PlayedGame

if TYPE_CHECKING:
    from polyversi.server.lobby import Lobby

MAX_SERIES = 200
MAX_SERIES_PER_VISITOR = 4
IDLE_TIMEOUT = 60.0
"""Seconds after which a series that nobody looks at pauses."""
STOPPED = "it was stopped"
TEN_GAMES = 10
"""Rounds of a series in which the players change seats after half of them."""


class Series:
    """A contest between two players whose games are rooms, played one after the other."""

    def __init__(self, stored: StoredSeries, earlier: Sequence[StoredGame], lobby: Lobby) -> None:
        self.stored = stored
        self.settings = msgspec.convert(stored.settings["wanted"], NewSeries)
        self.phase: Phase = stored.settings["phase"]
        self.round: int = 0
        self.room: Room | None = None
        """The room of the round, until that of the next one opens."""
        self.games: list[str] = []
        """The games of the rounds so far."""
        self.visitor: str = stored.settings.get("visitor", "")
        """A mark of whoever set it up."""
        self.rounds = TEN_GAMES if self.settings.tournament else self.settings.rounds
        # Who sits where is the contest's to say; who may play what was checked when the series was set up.
        order: SeatOrder = "course" if self.settings.tournament else "fixed"
        match = Match(tuple(self.settings.players), self.settings.spec, self.rounds, seats=order)
        self.contest = Contest(match.plan)
        self.pace = Pace(stored.settings["delay"])
        self.next_delay: float | None = stored.settings["next_delay"]
        """The delay that the next round brings, if it brings another."""
        self._lobby = lobby
        self._begun = asyncio.Event()
        self._watchers: WeakSet[asyncio.Event] = WeakSet()
        self._present = 0
        self._leaving: asyncio.TimerHandle | None = None
        if self.phase != "running":
            self.pace.pause()
        if self.phase in ("running", "paused"):
            self._begun.set()
        self._unfinished: StoredGame | None = None
        for game in earlier:
            self.round = game.number
            self.games.append(game.id)
            if game.phase == "over":
                self._credit(game)
            else:
                self._unfinished = game

    @property
    def id(self) -> str:
        """What the series is called in links."""
        return self.stored.id

    @property
    def is_done(self) -> bool:
        """Whether there is nothing left to play."""
        return self.phase in ("stopped", "over")

    @property
    def winner(self) -> Winner:
        """The player who won more rounds, or `draw`; None until all are played."""
        if not self.contest.is_over:
            return None
        first, second = (score.wins for score in self.contest.standings.scores)
        return "draw" if first == second else 1 if second > first else 0

    def standing(self) -> SeriesStanding:
        """How the series stands, for lists."""
        players, scores = self.settings.players, self.contest.standings.scores
        return SeriesStanding(
            id=self.id,
            players=(players[0], players[1]),
            phase=self.phase,
            round=self.round,
            rounds=self.rounds,
            wins=(scores[0].wins, scores[1].wins),
            stones=(scores[0].stones, scores[1].stones),
            draws=scores[0].draws,
            winner=self.winner,
        )

    def status(self) -> Rounds:
        """Everything that the arena view shows."""
        first, second = self._fixture(max(1, self.round)).seating
        return Rounds(
            **structs.asdict(self.standing()),
            spec=self.settings.spec,
            title=title(self.settings.spec),
            tournament=self.settings.tournament,
            delay=self.pace.delay,
            next_delay=self.next_delay,
            seats=(first, second),
            game=self.games[-1] if self.games else None,
            games=list(self.games),
        )

    def watch(self) -> asyncio.Event:
        """An event that is set whenever the status has changed, as long as somebody keeps it."""
        changed = asyncio.Event()
        changed.set()
        self._watchers.add(changed)
        return changed

    @contextmanager
    def attended(self) -> Iterator[None]:
        """Within this somebody looks at the series; when nobody has for a while, it pauses."""
        self._present += 1
        try:
            yield
        finally:
            self._present -= 1
            self.pause_when_left()

    def pause_when_left(self) -> None:
        """Has the series pause unless somebody comes soon."""
        if self._leaving is not None:
            self._leaving.cancel()
        later = asyncio.get_running_loop().call_later
        self._leaving = None if self.is_done else later(IDLE_TIMEOUT, self._pause_if_left)

    def _pause_if_left(self) -> None:
        if self._present == 0 and self.phase == "running":
            if self.room is not None and self.room.guests:
                self.pause_when_left()    # somebody watches the round
            else:
                self._do("pause")
                self._changed()

    def control(self, wanted: Control) -> None:
        """Does what whoever set the series up wants; a PlayerError for anybody else."""
        if not secrets.compare_digest(hash_token(wanted.token), self.stored.token):
            raise PlayerError("only the person who created this series can control it")
        if wanted.delay is not None:
            self.pace.delay = wanted.delay
        if wanted.next_delay is not msgspec.UNSET:
            self.next_delay = wanted.next_delay
        if wanted.do is not None and not self.is_done:
            self._do(wanted.do)
        self._changed()

    def _do(self, what: Literal["start", "pause", "step", "stop"]) -> None:
        match what:
            case "start":
                self.phase = "running"
                self.pace.resume()
            case "stop":
                self.phase = "stopped"
                if self.room is not None:
                    self.room.break_off(STOPPED)
            case "pause" | "step":
                self.phase = "paused"
                self.pace.pause()
                if what == "step":
                    self.pace.step()
        if what != "pause":
            self._begun.set()

    async def run(self) -> None:
        """Plays the rounds that are left."""
        try:
            await self._run()
        except Exception as error:    # such as a bot that is there no longer
            self._lobby.say(f"the series {self.id} stopped: {type(error).__name__}: {error}")
            self.phase = "stopped"
        self.room = None
        self.pause_when_left()    # which is never now, and nothing keeps the series
        self._changed()
        await self._lobby.write_queue.drain()

    async def _run(self) -> None:
        if self._unfinished is not None:
            await self._play(await asyncio.to_thread(self._lobby.restore, self._unfinished))
        await self._begun.wait()
        while not self.is_done and self.round < self.rounds:
            stored = await self._new_round()
            if self.round > 0 and self.next_delay is not None:
                self.pace.delay, self.next_delay = self.next_delay, None
            self.round = stored.number
            self.games.append(stored.id)
            await self._play(Room(stored, (), self._lobby))
        if not self.is_done:
            self.phase = "over"

    async def _new_round(self) -> StoredGame:
        players = [self.settings.players[index] for index in self._fixture(self.round + 1).seating]
        wanted = NewGame([NewSeat("computer", spec) for spec in players], self.settings.spec)
        prepared = await asyncio.to_thread(prepare, wanted, self._lobby.bots)
        stored = replace(marked(prepared.stored, self.visitor), series=self.id, number=self.round + 1)
        await self._lobby.store_game(stored, is_patient=True)
        return stored

    async def _play(self, room: Room) -> None:
        """Plays a round, or what is left of it, and credits it."""
        over = asyncio.Event()
        room.wraps, room.on_end = lambda seat: PacedSeat(seat, self.pace), over.set
        self.room = self._lobby.open(room)
        if self.is_done:    # it was stopped meanwhile
            room.break_off(STOPPED)
        self._changed()
        await over.wait()
        if room.stored.phase != "over":
            raise PlayerError(f"the game {room.id} cannot continue")
        self._credit(room.stored)
        self._changed()

    def _fixture(self, number: int) -> Fixture:
        return self.contest.plan.fixtures[number - 1]

    def _credit(self, stored: StoredGame) -> None:
        result = stored.summary.result
        if result is None or result.is_aborted:
            return
        fixture = self._fixture(stored.number)
        self.contest.keep([PlayedGame(
            fixture.id, fixture.meeting.id, 1, 0, fixture.opening, fixture.seating, "", result.scores,
            result.ranks, result.points, result.reason, result.verdict,
        )])

    def _changed(self) -> None:
        settings = _stored_settings(self.settings, self.visitor, self.phase, self.pace.delay,
                                    self.next_delay) | {"standing": msgspec.to_builtins(self.standing())}
        is_open = not self.is_done
        self._lobby.write_queue.submit(
            lambda tx: tx.change_series(self.id, settings=settings, is_open=is_open), lambda: None)
        for changed in self._watchers:
            changed.set()


def _stored_settings(
    wanted: NewSeries, visitor: str, phase: Phase, delay: float, next_delay: float | None,
) -> dict[str, Any]:
    return {"wanted": msgspec.to_builtins(wanted), "visitor": visitor, "phase": phase,
            "delay": delay, "next_delay": next_delay}


def new_series(wanted: NewSeries, bots: BotFolder, visitor: str = "") -> tuple[StoredSeries, str]:
    """A series to be stored, and the token that controls it."""
    game = chosen_game(wanted.spec)
    if game.seats != 2:
        raise PlayerError(f"the arena is for games of two seats; {game.spec} has {game.seats}")
    prepare(NewGame([NewSeat("computer", spec) for spec in wanted.players], wanted.spec), bots)
    token = new_token()
    settings = _stored_settings(wanted, visitor, "ready", wanted.delay, wanted.next_delay)
    return StoredSeries(secrets.token_urlsafe(9), time.time(), settings, hash_token(token)), token


class SeriesRegistry:
    """All series of a server that are not done, and those that are as long as somebody looks at them."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._series: dict[str, Series] = {}
        self._finding = ConcurrencyLimit(1)
        self._past: WeakValueDictionary[str, Series] = WeakValueDictionary()

    async def start(self) -> None:
        """Resumes every series that was going on when the server ended."""
        lobby = self._lobby
        for stored in await asyncio.to_thread(lobby.store.open_series):
            await self._open(stored)
        for game in await asyncio.to_thread(lobby.store.running):
            was_stopped = game.series and game.series not in self._series    # just before the server ended
            if was_stopped and (room := await lobby.resume(game)):
                room.break_off(STOPPED)

    async def create(self, wanted: NewSeries, visitor: str) -> tuple[Series, str]:
        """Sets a series up; its token controls it."""
        mark = mark_of(visitor)
        own = sum(series.visitor == mark for series in self._series.values())
        if len(self._series) >= MAX_SERIES or (own >= MAX_SERIES_PER_VISITOR and mark != THIS_MACHINE):
            raise TooManyError("too many series are running; stop one of yours, or try again later")
        stored, token = await asyncio.to_thread(new_series, wanted, self._lobby.bots, mark)
        await self._lobby.write_queue.write_now(lambda tx: tx.add_series(stored))
        return await self._open(stored), token

    async def find(self, name: str) -> Series | None:
        """The series of that id, opened again if it is done."""
        async with self._finding.of(name):
            if series := self._series.get(name) or self._past.get(name):
                return series
            stored = await asyncio.to_thread(self._lobby.store.series, name)
            return None if stored is None else await self._open(stored)

    async def has(self, name: str) -> bool:
        """Whether there is a series of that id."""
        is_open = name in self._series or name in self._past
        return is_open or await asyncio.to_thread(self._lobby.store.series, name) is not None

    def open(self) -> list[Series]:
        """The series that are not done, newest first."""
        newest = sorted(self._series.values(), key=lambda series: -series.stored.created)
        return [series for series in newest if not series.is_done]

    def known(self, name: str) -> Series | None:
        """The series of that id, if it is not done."""
        return self._series.get(name)

    def listed(self) -> list[Rounds]:
        """What the arena view shows of the series that are not done, newest first."""
        return [series.status() for series in self.open()]

    async def _open(self, stored: StoredSeries) -> Series:
        games = await asyncio.to_thread(self._lobby.store.games_of, stored.id)
        series = Series(stored, games, self._lobby)
        if series.is_done:
            self._past[series.id] = series
        else:
            self._series[series.id] = series
            series.pause_when_left()
            self._lobby.spawn(self._run(series))
        return series

    async def _run(self, series: Series) -> None:
        await series.run()
        self._past[series.id] = self._series.pop(series.id)
