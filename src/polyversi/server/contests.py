"""Tournaments for pages: each is read on as it is played, and what many look at is made once for all."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from urllib.parse import quote

import msgspec
from starlette.responses import Response

from polyversi.contest.export import games_in, table_csv
from polyversi.contest.overview import PARTS
from polyversi.contest.report import report_of
from polyversi.contest.tournament import Tournament
from polyversi.gameplay.events import Event
from polyversi.games.errors import PolyversiError
from polyversi.records import offered_formats
from polyversi.server.downloads import past_game
from polyversi.server.limits import ConcurrencyLimit, RateLimit
from polyversi.server.lobby import Lobby
from polyversi.server.responses import HttpError
from polyversi.server.summaries import ListedGame
from polyversi.server.workshop import Workshop
from polyversi.storage.contests import ContestStore
from polyversi.storage.errors import DamagedError
from polyversi.storage.stored import StoredGame

INTERVAL = 1.0
"""Seconds in which a store is looked at again at the earliest."""
STALE = 5.0
"""Seconds after which nobody is shown what may have changed since."""
REFRESH_FACTOR = 10.0
"""A part that took a second to make is made again after so many of them at the earliest."""
REPORT_POLICY = "sandbox allow-scripts allow-downloads; frame-ancestors 'none'"
"""A report has a policy of its own that lets only its own script run; it can do nothing to this server."""
MAX_PLAYING = 60
"""Games that are shown at a time."""
MAX_FOLLOWED = 16
"""Tournaments that are kept in memory."""
MAX_FILES, MAX_FILE_BYTES = 16, 8_000_000
"""Files that are kept for the next one who wants them."""
FILE_SECONDS = 2.0
"""About what a large file takes."""


def files() -> dict[str, tuple[str, Callable[[Tournament], Iterator[str]]]]:
    """What a tournament can be downloaded as: the report, the table and the games.

    What bots wrote is for their authors alone.
    """
    return {
        "html": ("text/html", partial(report_of, has_outputs=False)), "csv": ("text/csv", table_csv),
        **{kind: (one.media_type, games_in(one)) for kind, one in offered_formats().items()},
    }


@dataclass
class _Made:
    """A part as it was made."""

    data: bytes
    version: int
    again: float
    """When it may be made again."""
    since: float
    """When it was looked at last whether it has changed."""
    is_final: bool
    """Whether everything had been played."""


class FollowedTournament:
    """A tournament that somebody else plays, in any thread; it is read on when somebody looks at it."""

    def __init__(self, store: ContestStore, name: str) -> None:
        self._tournament = Tournament(store, name)
        self._lock = threading.Lock()
        self._version = 0
        self._looked = time.monotonic()
        self._made: dict[str, _Made] = {}

    def part(self, name: str, *, is_over: bool = False) -> bytes:
        """A part as JSON, a moment old; one that takes long to make may be older, until it is over."""
        with self._lock:
            self._follow(is_forced=is_over)
            made, now = self._made.get(name), time.monotonic()
            if made is None or (made.version != self._version
                                and (now >= made.again or self._tournament.is_over)):
                data = msgspec.json.encode(PARTS[name](self._tournament))
                after = time.monotonic()
                again = after + REFRESH_FACTOR * (after - now)
                made = self._made[name] = _Made(data, self._version, again, after, self._tournament.is_over)
            made.since = time.monotonic()
            return made.data

    def made(self, name: str, *, is_over: bool = False) -> tuple[bytes, float] | None:
        """A part as it was made last, and for how many seconds nobody has looked whether it has changed.

        Of a tournament that is over only what was made since is good.
        """
        made = self._made.get(name)
        if made is None or (is_over and not made.is_final):
            return None
        return made.data, time.monotonic() - made.since

    @property
    def is_over(self) -> bool:
        """Whether everything has been played."""
        with self._lock:
            self._follow()
            return self._tournament.is_over

    def state(self) -> tuple[object, ...]:
        """What is another one whenever anything has changed."""
        with self._lock:
            self._follow()
            one = self._tournament
            return one.plan, len(one.played), one.last_end

    def _follow(self, *, is_forced: bool = False) -> None:
        if time.monotonic() < self._looked + INTERVAL and not is_forced:
            return
        if self._tournament.follow():
            self._version += 1
        self._looked = time.monotonic()


def encoded(data: bytes) -> Response:
    """A part as a response that no cache keeps."""
    return Response(data, headers={"cache-control": "no-store"}, media_type="application/json")


def playing(lobby: Lobby, event: str) -> list[ListedGame]:
    """The games of an event that are shown while they are played, for little boards."""
    rooms = [room for id, room in lobby.rooms.items() if id.startswith(f"{event}.")]
    rooms.sort(key=lambda room: room.stored.created)
    return [room.listed() for room in rooms[:MAX_PLAYING]]


def contest_game(
    store: ContestStore, contest: str, id: str, fixture: str
) -> tuple[StoredGame, Sequence[Event]] | None:
    """A game of a contest that is over, under its id on the page, where fixtures have no slash."""
    meeting, dash, number = fixture.rpartition("-")
    played = store.game(contest, f"{meeting}/{number}" if dash else fixture) if contest else None
    if played is None:
        return None
    try:
        return past_game(id, played)
    except (PolyversiError, ValueError) as error:
        raise DamagedError(f"the game {id} in {store.name} is damaged: {error}") from error


def make_file(where: str, contest: str, kind: str) -> bytes:
    """A file of a contest in that store, as it is now; in a worker process."""
    with closing(ContestStore.open_read_only(where)) as store:
        return "".join(files()[kind][1](Tournament(store, contest))).encode(errors="replace")


class ContestPages:
    """What pages get of the tournaments of a store.

    Files, which take seconds for large tournaments, are made by a worker process, once for all who want them.
    """

    def __init__(self, store: ContestStore) -> None:
        self.store = store
        self._followed: OrderedDict[str, FollowedTournament] = OrderedDict()
        self._making: dict[tuple[str, str], asyncio.Task[bytes]] = {}
        self._opening = ConcurrencyLimit(1)
        self._reading = ConcurrencyLimit(1)
        self._workshop = Workshop(1)
        self._making_files = ConcurrencyLimit(1)
        self._files: OrderedDict[tuple[str, str], tuple[tuple[object, ...], bytes]] = OrderedDict()
        self._rate = RateLimit(burst=20, per_second=0.5)

    async def close(self) -> None:
        """Ends its worker."""
        await asyncio.to_thread(self._workshop.close)

    def forget(self, contest: str) -> None:
        """Keeps nothing of a tournament that was removed; another one may get its name."""
        self._followed.pop(contest, None)
        for kind in files():
            self._files.pop((contest, kind), None)

    async def part(self, contest: str, name: str, *, is_over: bool = False) -> bytes:
        """A part of a tournament as JSON; the last state of it if it is known to be over."""
        if name not in PARTS:
            raise HttpError(404, f"a tournament has the parts {', '.join(PARTS)}")
        followed = await self._of(contest)
        made = followed.made(name, is_over=is_over)
        if made is None or made[1] > STALE:
            return await self._make(followed, contest, name, is_over)
        data, age = made
        if age > INTERVAL and (contest, name) not in self._making:    # in a crowd nobody waits for it
            task = asyncio.create_task(self._make(followed, contest, name, is_over))
            self._making[contest, name] = task
            task.add_done_callback(partial(self._made, contest, name))
        return data

    def _made(self, contest: str, name: str, task: asyncio.Task[bytes]) -> None:
        del self._making[contest, name]
        if not task.cancelled():
            task.exception()    # whoever looks next is told, if it is still so then

    async def _make(self, followed: FollowedTournament, contest: str, name: str, is_over: bool) -> bytes:
        """Makes a part in a thread, of which a tournament never takes more than one."""
        async with self._reading.of(contest):
            made = followed.made(name, is_over=is_over)
            if made is not None and made[1] < INTERVAL:    # somebody else has made it meanwhile
                return made[0]
            return await asyncio.to_thread(followed.part, name, is_over=is_over)

    async def is_over(self, contest: str) -> bool:
        """Whether everything of a tournament has been played."""
        followed = await self._of(contest)
        return await asyncio.to_thread(lambda: followed.is_over)

    async def file(self, contest: str, kind: str, visitor: str) -> Response:
        """The report, the table or the games as a file; whoever asks too often is refused."""
        known = files()
        if kind not in known:
            raise HttpError(404, f"a tournament can be downloaded as {', '.join(known)}")
        if not self._rate.take(visitor):
            raise HttpError(429, "too many files at once; wait a little")
        data = await self._file(contest, kind, visitor)
        shown = "inline" if kind == "html" else "attachment"
        headers = {"content-disposition": f"{shown}; filename*=UTF-8''{quote(contest, safe='')}.{kind}",
                   "cache-control": "no-store"}
        if kind == "html":
            headers["content-security-policy"] = REPORT_POLICY
        return Response(data, headers=headers, media_type=known[kind][0])

    async def _file(self, contest: str, kind: str, visitor: str) -> bytes:
        """The file as it is now, which may have been made before."""
        followed = await self._of(contest)
        async with self._making_files.of(f"{contest} {kind}"):
            state = await asyncio.to_thread(followed.state)
            made, data = self._files.get((contest, kind), (None, b""))
            if made != state:
                work = partial(make_file, self.store.where, contest, kind)
                data = await self._workshop.make(work, visitor, FILE_SECONDS)
                if len(data) <= MAX_FILE_BYTES:
                    self._files[contest, kind] = state, data
                while len(self._files) > MAX_FILES:
                    self._files.popitem(last=False)
            if (contest, kind) in self._files:
                self._files.move_to_end((contest, kind))
        return data

    async def _of(self, contest: str) -> FollowedTournament:
        async with self._opening.of(contest):
            found = self._followed.get(contest)
            if found is None:
                found = await asyncio.to_thread(FollowedTournament, self.store, contest)
                self._followed[contest] = found
        if contest in self._followed:
            self._followed.move_to_end(contest)
        while len(self._followed) > MAX_FOLLOWED:
            self._followed.popitem(last=False)
        return found
