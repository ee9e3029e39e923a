"""The lobby: every room there is, opened by visitors, resumed after a restart, closed when empty."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from starlette.requests import HTTPConnection

from polyversi.gameplay.events import Event
from polyversi.gameplay.seat import Seat
from polyversi.games.errors import PolyversiError
from polyversi.server.bots import BotFolder
from polyversi.server.limits import THIS_MACHINE, ConcurrencyLimit, TooManyError, mark_of
from polyversi.server.new_game import Prepared, marked, rematch_of
from polyversi.server.players import MAX_SECONDS, PlayerPool
from polyversi.server.policy import RoomPolicy
from polyversi.server.reporting import report
from polyversi.server.room import Room
from polyversi.storage.games import DamagedError, Store, StoredGame, StoreError, Transaction
from polyversi.storage.retention import prune
from polyversi.storage.write_queue import WriteQueue

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection

MAX_ROOMS = 5_000
"""Games that go on at the same time."""
MAX_ROOMS_PER_VISITOR = 40
"""Of these, set up by one visitor from elsewhere."""
ABANDONED_AFTER = 14 * 86_400.0
"""Seconds after which a game that nobody has come back to is broken off."""
SWEEP_INTERVAL = 3_600.0
"""Seconds between two looks for such games."""
POLL_INTERVAL = 0.05
"""Seconds between two looks whether everybody has gone."""


Past = tuple[StoredGame, Sequence[Event]]
"""A game that is over, with all its events."""
FindPast = Callable[[str], Past | None]
"""Finds a game that is over by its id, in any thread."""
FindPastFor = Callable[[str, HTTPConnection], Awaitable[Past | None]]
"""Finds a game that is over by its id for whoever asks, if they may see it."""


class Lobby:
    """All rooms of a server, over one store."""

    write_queue: WriteQueue
    """What writes to the store, from `start` to `close`."""

    def __init__(self, store: Store, bots: BotFolder, say: Callable[[str], None] = report, *,
                 only_shows: bool = False) -> None:
        self.store = store
        self.policy = RoomPolicy(move_timeout=MAX_SECONDS)
        self.only_shows = only_shows
        """Whether nothing is played here; what others left in the store is there to be looked at."""
        self.bots = bots
        self.connections: Counter[str] = Counter()
        """How many WebSockets each visitor has open."""
        self.rooms: dict[str, Room] = {}
        """The rooms of games that are not over."""
        self.unseen: dict[str, Room] = {}
        """Those of games that are run elsewhere and have been hidden since they began."""
        self.elsewhere: list[FindPast] = []
        """Where games are found that are over and not in the store, such as those of a contest."""
        self.for_some: list[FindPastFor] = []
        """Where games are found that are over and that only some may see."""
        self._past_for_some: WeakValueDictionary[str, Room] = WeakValueDictionary()
        self._past: WeakValueDictionary[str, Room] = WeakValueDictionary()
        """The rooms of games that are, as long as somebody is there."""
        self._hidden: set[str] = set()
        self._opening: Counter[str] = Counter()
        """Games that are about to be, by the mark of their visitors."""
        self.on_rematch: list[Callable[[Connection, StoredGame, StoredGame], StoredGame]] = []
        """What else is written with a rematch, for the game before and the one that follows.

        It returns this as it is to be stored, or raises a PolyversiError that says why there is none.
        """
        self.say = say
        self._players = PlayerPool(bots, say)
        self._finding = ConcurrencyLimit(1)
        self._damaged: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Resumes every game that was going on when the server ended."""
        self.write_queue = WriteQueue(self.store, self.say)
        for stored in await asyncio.to_thread(self.store.running):
            if stored.series or not self._runs(stored):
                continue    # its series resumes it, or another server
            if room := await self.resume(stored):
                room.attendance.end()
        self.report_damage()
        self.spawn(self._sweep())

    async def close(self) -> None:
        """Stops all games where they are; they go on when the server starts again."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.write_queue.close()

    async def dismiss_guests(self, reason: str, within: float) -> None:
        """Lets everybody go who has got everything, also who is just coming, within so many seconds."""
        with suppress(TimeoutError):
            async with asyncio.timeout(within):
                await self.write_queue.drain()
                while self.connections:
                    for room in [*self.rooms.values(), *self._past.values()]:
                        room.close(reason)
                    await asyncio.sleep(POLL_INTERVAL)

    def reserve(self, marks: Iterable[str]) -> Callable[[], None]:
        """Keeps room for a game of the visitors with these marks until what is returned is called.

        Raises a TooManyError when there is none.
        """
        if len(self.rooms) + self._opening.total() >= MAX_ROOMS:
            raise TooManyError("too many games are running; try again later")
        marks = set(marks)
        if (own := max(map(self._games_of, marks))) >= MAX_ROOMS_PER_VISITOR:
            raise TooManyError(
                f"{own} games of the same visitor are running; finish or resign some of them first")
        self._opening.update(marks)

        def release() -> None:
            self._opening -= Counter(marks)

        return release

    def has_room_for(self, mark: str) -> bool:
        """Whether the visitor with this mark may have another game; for any thread."""
        return self._games_of(mark) < MAX_ROOMS_PER_VISITOR

    def _games_of(self, mark: str) -> int:
        """The games of a visitor that go on or are about to; those of this machine are not counted."""
        if mark == THIS_MACHINE:
            return 0
        return sum(mark in room.visitors for room in list(self.rooms.values())) + self._opening[mark]

    async def create(self, prepared: Prepared, visitor: str) -> Room:
        """Stores a new game and opens its room."""
        mark = mark_of(visitor)
        release = self.reserve([mark])
        try:
            stored = marked(prepared.stored, mark)
            await self.store_game(stored)
            return self.open(Room(stored, (), self))
        finally:
            release()

    async def store_game(self, stored: StoredGame, events: tuple[Event, ...] = (), *,
                         is_patient: bool = False) -> None:
        """Waits until a new game is in the store, with the events it has already.

        If the store cannot be written, that is a NotStoredError at once unless `is_patient`.
        """
        def job(transaction: Transaction) -> None:
            transaction.add_game(stored)
            for event in events:
                transaction.append(stored.id, event)

        await (self.write_queue.write(job) if is_patient else self.write_queue.write_now(job))

    def restore(self, stored: StoredGame) -> Room:
        """The room of a stored game as its events left it; in any thread, since a long game takes a while."""
        try:
            return Room(stored, self.store.each_event(stored.id), self)
        except StoreError:
            raise
        except (PolyversiError, ValueError) as error:    # such as events that do not follow from each other
            raise DamagedError(f"the game {stored.id} in {self.store.name} is damaged: {error}") from error

    async def resume(self, stored: StoredGame) -> Room | None:
        """Opens the room of a game that was going on; None if it is damaged, which harms no other game."""
        try:
            return self.open(await asyncio.to_thread(self.restore, stored))
        except DamagedError as error:
            self.say(f"the game {stored.id} cannot continue: {error}")
            return None

    def open(self, room: Room) -> Room:
        """Opens a room and lets its game go on."""
        if room.stored.phase == "over" or not self._runs(room.stored):
            self.rooms.pop(room.id, None)
            self._past[room.id] = room
        else:
            self.rooms[room.id] = room
            if not room.stored.series:    # a series sees to its games itself
                room.attendance.end_soon()
            self.spawn(self._run(room))
        return room

    def _runs(self, stored: StoredGame) -> bool:
        """Whether a game goes on here, if only to be broken off since nobody is left to play it."""
        return stored.is_remote or not self.only_shows

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Has something run until the server ends."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _sweep(self) -> None:
        while True:
            await self._prune()
            await asyncio.sleep(SWEEP_INTERVAL)
            long_ago = time.monotonic() - ABANDONED_AFTER
            for room in list(self.rooms.values()):
                if not room.guests and room.visited < long_ago and not room.stored.series:
                    room.break_off("nobody came back to it")

    async def _prune(self) -> None:
        """Lets go of what need not be kept any longer; a store that cannot be written is left until later."""
        if self.store.retention is None or self.only_shows:
            return
        with suppress(StoreError):
            gone = await asyncio.to_thread(prune, self.store, self.store.retention)
            if gone.games:
                self.say(f"{gone.games:,} old games were removed from {self.store.name}")

    async def _run(self, room: Room) -> None:
        try:
            await room.run()
        except Exception as error:    # one room's trouble is its own
            self.say(f"the game {room.id} stopped: {type(error).__name__}: {error}")
        if self.rooms.get(room.id) is room:    # it may be hidden, or be played again
            self._past[room.id] = self.rooms.pop(room.id)
        room.on_end()

    async def find(self, name: str, asker: HTTPConnection | None = None) -> Room | None:
        """The room of a game, opened again to look at if the game is over.

        Whoever asks finds also games that not everybody may see.
        """
        async with self._finding.of(name):    # many may want the same at the same time
            if room := self.opened(name):
                return room
            stored = await asyncio.to_thread(self.store.game, name)
            if stored is not None:
                return self.open(await asyncio.to_thread(self.restore, stored))
            found = await asyncio.to_thread(self._find_elsewhere, name)
            if found is not None:
                return self.open(found)
            return await self._find_for(name, asker) if asker else None

    async def _find_for(self, name: str, asker: HTTPConnection) -> Room | None:
        """The room of a game that is over and that only some may see, for one of them."""
        for find in self.for_some:
            if (past := await find(name, asker)) is not None:
                room = self._past_for_some.get(name) or Room(*past, self)
                self._past_for_some[name] = room
                return room
        return None

    def opened(self, name: str) -> Room | None:
        """The room of a game that goes on or that somebody looks at."""
        return self.rooms.get(name) or self._past.get(name)

    def _find_elsewhere(self, name: str) -> Room | None:
        found = next(filter(None, (find(name) for find in self.elsewhere)), None)
        return None if found is None else Room(*found, self)

    async def has(self, name: str, asker: HTTPConnection | None = None) -> bool:
        """Whether there is a game of that id for whoever asks."""
        is_open = name in self.rooms or name in self._past
        return (is_open or await asyncio.to_thread(self.store.game, name) is not None
                or await asyncio.to_thread(self._find_elsewhere, name) is not None
                or (asker is not None and await self._find_for(name, asker) is not None))

    def hide(self, beginning: str, reason: str) -> None:
        """Shows no game whose id begins so, which is run elsewhere, until `show`; visitors are told why."""
        self._hidden.add(beginning)
        for rooms in (self.rooms, self._past):
            for id in [id for id in rooms if id.startswith(beginning)]:
                rooms.pop(id).close(reason)

    def show(self, beginning: str) -> None:
        """Shows games again that were hidden, also those that are being played."""
        self._hidden.discard(beginning)
        for id in [id for id in self.unseen if id.startswith(beginning)]:
            self.rooms[id] = self.unseen.pop(id)

    def add_shown(self, room: Room) -> None:
        """Opens the room of a game that is run elsewhere, to be seen as soon as it is not hidden."""
        is_hidden = any(map(room.id.startswith, self._hidden))
        (self.unseen if is_hidden else self.rooms)[room.id] = room

    def report_damage(self) -> None:
        """Tells the operator of games that were found damaged, of each once."""
        for game, why in list(self.store.damaged.items()):
            if game not in self._damaged:
                self.say(f"{game} in {self.store.name} is damaged and left out: {why}")
                self._damaged.add(game)

    # What rooms need of their lobby.

    def player(self, room: Room, number: int) -> Seat:
        """A seat for a player or a bot."""
        player = room.stored.seats[number - 1].player
        return self._players.seat(player, room.game, room.visitor, room.attendance)

    def rematch(self, room: Room) -> None:
        """Stores a rematch, opens its room and then has the old room tell of it; counted like any game."""
        release = self.reserve(room.visitors)
        stored = wanted = rematch_of(room.stored)

        def job(transaction: Transaction) -> None:
            nonlocal stored
            stored = wanted
            for write in self.on_rematch:
                stored = write(transaction.connection, room.stored, stored)
            transaction.add_game(stored)
            transaction.change_game(room.id, following=stored.id)

        def then() -> None:
            release()
            self.open(Room(stored, (), self))
            room.follow(stored.id)

        def failed(error: Exception) -> None:
            release()
            if isinstance(error, PolyversiError) and not isinstance(error, StoreError):
                room.refuse_rematch(str(error))
            else:
                self.say(f"the rematch of {room.id} could not be stored: {error}")

        self.write_queue.submit(job, then, failed)
