"""The bots of a site over HTTP: handing in versions, watching their checks, choosing which one plays."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import IO, Annotated, Any, TypeVar
from urllib.parse import quote

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute

from polyversi.games.variants import game
from polyversi.records.maps import is_told_by_map
from polyversi.server.limits import ConcurrencyLimit, RateLimit
from polyversi.server.reporting import report
from polyversi.server.responses import LEFT, HttpError, expect_large, json_response, parse_body
from polyversi.server.site.site import Part, Site
from polyversi.site.archives import NoRoomError
from polyversi.site.bots import PASSED, WAITING, Arrival, Bot, Bots, UnknownBotError, Version
from polyversi.site.checking import versions_before
from polyversi.site.events import Events
from polyversi.site.languages import CLIENT, LANGUAGES, checked_arguments, label_of, pasted_files
from polyversi.site.profiles import ratings_now
from polyversi.site.quotas import MB
from polyversi.site.roles import Person, Role
from polyversi.storage.errors import StoreError

AT_ONCE = 2
"""What is unpacked at the same time."""
CHUNK = 1 << 20
MAX_NUMBER = 1_000_000
"""Of a version."""
NO_ROOM = "the site cannot keep anything new just now; try again later"
TOO_OFTEN = "you hand things in too fast; wait a minute"
TOO_MANY_SOURCES = "you download sources too fast; wait a minute"

Text = Annotated[str, msgspec.Meta(max_length=400)]
T = TypeVar("T")


class NewBot(msgspec.Struct):
    """What somebody wants to call a bot, and where it is to play."""

    name: Text
    ladder: Text


class NewName(msgspec.Struct):
    """What a bot is to be called."""

    name: Text


class ActiveVersion(msgspec.Struct):
    """The version that is to play; 0 for none."""

    version: Annotated[int, msgspec.Meta(ge=0, le=MAX_NUMBER)]


class BotsPart(Part):
    """Bots and their versions."""

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self._bots = Bots(site.file, site.store)
        self._events = Events(site.file, site.store, site.contests)
        self._rate = RateLimit(burst=20, per_second=0.2)
        self._unpacking = ConcurrencyLimit(AT_ONCE)
        self._handing_in = ConcurrencyLimit(1)
        self._writing = ConcurrencyLimit(1)
        self._downloads = RateLimit(burst=20, per_second=0.2)

    def routes(self) -> Sequence[BaseRoute]:
        """Where its handlers are found."""
        guard, member = self.site.guard, Role.MEMBER
        bots, bot = "/api/site/bots", "/api/site/bots/{id}"
        version = f"{bot}/versions/{{number}}"
        return [
            guard.open(bots, self._list),
            guard.route(bots, member, self._create, "POST"),
            guard.open(bot, self._show),
            guard.route(bot, member, self._delete, "DELETE"),
            guard.route(f"{bot}/name", member, self._rename, "POST"),
            guard.route(f"{bot}/play", member, self._play, "POST"),
            guard.route(f"{bot}/versions", member, self._hand_in, "POST"),
            guard.route(version, member, self._version),
            guard.route(version, member, self._delete_version, "DELETE"),
            guard.route(f"{version}/withdraw", member, self._withdraw, "POST"),
            guard.route(f"{version}/check", member, self._check_again, "POST"),
            guard.route(f"{version}/source", member, self._source),
        ]

    async def start(self) -> None:
        """Removes what an earlier server has left."""
        await asyncio.to_thread(self._bots.tidy)

    async def _list(self, _: Request, person: Person | None) -> Response:
        """All bots, and what whoever asks may still hand in."""
        def look() -> dict[str, Any]:
            newest = self._bots.newest()
            listed = [{**shown(bot, person), **_state(newest.get(bot.id), bot, person)}
                      for bot in self._bots.all()]
            return {"bots": listed, **self._offer(person)}

        return json_response(await asyncio.to_thread(look))

    async def _show(self, request: Request, person: Person | None) -> Response:
        def look() -> dict[str, Any]:
            bot = self._bots.find(request.path_params["id"])
            versions = self._bots.versions(bot.id)
            if bot.is_of(person):
                listed = [_own(version) for version in versions]
                for newest in versions[:1]:
                    listed[0] = _whole(self._bots.version(bot.id, newest.number)) | self._queued(newest)
            else:
                listed = [_outside(version) for version in versions
                          if version.phase == PASSED or version.number == bot.active]
            coming = self._events.coming(bot) if bot.is_of(person) else []
            return {**shown(bot, person), "versions": listed, "standing": self._standing(bot),
                    "coming": [{"id": event.id, "title": event.title, "deadline": event.settings.deadline,
                                "version": version} for event, version in coming],
                    **self._paused(person), **self._offer(person)}

        return json_response(await self._found(look))

    def _paused(self, person: Person | None) -> dict[str, Any]:
        """Why nothing is checked at present; organisers are told in detail."""
        status = self.site.conductor.status
        is_organiser = person is not None and person.role >= Role.ORGANISER
        return {"paused": status.problem, "paused_detail": status.detail if is_organiser else ""}

    def _queued(self, version: Version) -> dict[str, Any]:
        """How many others are checked before a version that waits."""
        if version.phase != WAITING:
            return {}
        return {"before": versions_before(self.site.store, version.bot, version.number)}

    async def _version(self, request: Request, person: Person) -> Response:
        """One version with what its check has found."""
        number = _number(request)
        bot = await self._own(request, person)
        return json_response(_whole(await self._found(lambda: self._bots.version(bot.id, number))))

    async def _create(self, request: Request, person: Person) -> Response:
        wanted = await parse_body(request, NewBot)
        self._count(person)
        bot = await asyncio.to_thread(self._bots.create, person, wanted.name, wanted.ladder)
        return json_response(shown(bot, person), 201)

    async def _rename(self, request: Request, person: Person) -> Response:
        wanted = await parse_body(request, NewName)
        return await self._changed(request, person, lambda bot: self._bots.rename(person, bot, wanted.name))

    async def _delete(self, request: Request, person: Person) -> Response:
        return await self._changed(request, person, lambda bot: self._bots.delete(person, bot))

    async def _play(self, request: Request, person: Person) -> Response:
        wanted = await parse_body(request, ActiveVersion)
        return await self._changed(request, person, lambda bot: self._bots.play(person, bot, wanted.version))

    async def _withdraw(self, request: Request, person: Person) -> Response:
        number = _number(request)
        return await self._changed(request, person, lambda bot: self._bots.withdraw(person, bot, number))

    async def _delete_version(self, request: Request, person: Person) -> Response:
        number = _number(request)
        return await self._changed(
            request, person, lambda bot: self._bots.delete_version(person, bot, number))

    async def _check_again(self, request: Request, person: Person) -> Response:
        number = _number(request)
        self._count(person)
        return await self._changed(request, person, lambda bot: self._bots.check_again(person, bot, number))

    async def _hand_in(self, request: Request, person: Person) -> Response:
        """A file as it is, with its name in the query; nobody hands in for somebody else."""
        bot = await self._own(request, person)
        if bot.owner != person.id:
            raise HttpError(403, "only the owner of a bot hands in versions of it")
        name, arguments = (request.query_params.get(key, "")[:1000] for key in ("file", "arguments"))
        if arguments:
            checked_arguments(arguments)
        self._count(person)
        async with (self._handing_in.of(person.id), self._received(request) as source,
                    self._arrived(bot) as arrival, self._unpacking.of("all")):
            version = await asyncio.to_thread(
                self._bots.hand_in, person, bot, source, name, arguments, arrival.time)
        self.site.conductor.nudge()
        return json_response(_whole(version), 201)

    async def _source(self, request: Request, person: Person) -> Response:
        """The files of a version as a zip archive, for its owner and for organisers."""
        number = _number(request)
        bot = await self._own(request, person)

        def write() -> IO[bytes]:
            file = tempfile.TemporaryFile()  # noqa: SIM115 the response closes it
            self._bots.write_source(bot, number, file)
            return file

        if not self._downloads.take(person.id):
            raise HttpError(429, TOO_MANY_SOURCES)
        async with self._writing.of(person.id), self._writing.of("all"):
            file = await self._found(write)
        name = quote(f"{bot.name} {number}.zip")
        headers = {"content-disposition": f"attachment; filename*=UTF-8''{name}", "cache-control": "no-store"}
        return StreamingResponse(_contents(file), headers=headers, media_type="application/zip")

    @asynccontextmanager
    async def _received(self, request: Request) -> AsyncIterator[Path]:
        """What is sent, in a file that is gone afterwards."""
        limit = self.site.file.settings.quotas.megabytes
        try:
            path = await asyncio.to_thread(self._bots.incoming_file)
            try:
                with path.open("wb") as file:
                    size = 0
                    expect_large(request)
                    async for chunk in _chunks(request):
                        size += len(chunk)
                        if size > limit * MB:
                            raise HttpError(413, f"this is larger than {limit:,} MB, which is all that "
                                                 "somebody's bots may have")
                        await asyncio.to_thread(file.write, chunk)
                yield path
            finally:
                path.unlink(missing_ok=True)
        except ClientDisconnect:
            raise HttpError(499, LEFT) from None
        except (NoRoomError, OSError) as error:
            report(f"nothing can be handed in: {error}")
            raise HttpError(507, NO_ROOM) from None

    @asynccontextmanager
    async def _arrived(self, bot: Bot) -> AsyncIterator[Arrival]:
        """Has events wait for what was received in time, however long others are being unpacked before."""
        arrival = await asyncio.to_thread(self._bots.arrive, bot)
        try:
            yield arrival
        finally:
            with suppress(StoreError):    # then events wait as long as for a check
                await asyncio.to_thread(self._bots.settle, arrival)

    async def _changed(self, request: Request, person: Person, change: Callable[[Bot], None]) -> Response:
        """Changes a bot of one's own, or of anybody for organisers."""
        bot = await self._own(request, person)
        await self._found(lambda: change(bot))
        self.site.conductor.nudge()
        return json_response({})

    async def _own(self, request: Request, person: Person) -> Bot:
        """The bot that is asked for, if it is one's own; to others it does not exist."""
        bot = await self._found(lambda: self._bots.find(request.path_params["id"]))
        if not bot.is_of(person):
            raise HttpError(404, "you have no such bot")
        return bot

    async def _found(self, work: Callable[[], T]) -> T:
        try:
            return await asyncio.to_thread(work)
        except UnknownBotError as error:
            raise HttpError(404, str(error)) from None

    def _count(self, person: Person) -> None:
        if not self._rate.take(person.id):
            raise HttpError(429, TOO_OFTEN)

    def _standing(self, bot: Bot) -> dict[str, Any] | None:
        """How strong it is on its ladder; None before its first game."""
        for one in ratings_now(self.site.store, bot.player):
            if one.rating.pool == f"ladder:{bot.ladder}":
                return {"rating": one.now.rating, "error": one.now.error, "games": one.rating.games,
                        "steps": one.steps}
        return None

    def _offer(self, person: Person | None) -> dict[str, Any]:
        """What can be handed in here, and how much of it is left for whoever asks."""
        settings = self.site.file.settings
        ladders = [{"id": ladder.id, "title": ladder.title, "variant": ladder.variant, "limit": ladder.limit,
                    "memory": ladder.memory,
                    "takes_clients": CLIENT in settings.languages and is_told_by_map(game(ladder.variant))}
                   for ladder in settings.ladders]
        usage = self._bots.usage(person.id) if person and person.role >= Role.MEMBER else None
        return {"ladders": ladders, "languages": [label_of(name) for name in settings.languages],
                "pasted": pasted_files(), "arguments": LANGUAGES[CLIENT].arguments,
                "quotas": settings.quotas, "usage": usage}


def shown(bot: Bot, person: Person | None) -> dict[str, Any]:
    """What somebody may know of a bot; whose it is is for people who have signed in."""
    return {"id": bot.id, "name": bot.name, "ladder": bot.ladder, "created": bot.created,
            "active": bot.active, "owner": bot.owner_name if person else "",
            "is_own": person is not None and person.id == bot.owner, "may_change": bot.is_of(person)}


def _state(newest: Version | None, bot: Bot, person: Person | None) -> dict[str, Any]:
    """How it stands with the last version, for those whom it concerns."""
    if not bot.is_of(person) or newest is None:
        return {"newest": None}
    return {"newest": {"number": newest.number, "phase": newest.phase}}


def _whole(version: Version) -> dict[str, Any]:
    """A version as its owner sees it, with what its check has found."""
    return {**_own(version), "report": version.report}


def _own(version: Version) -> dict[str, Any]:
    """A version as its owner sees it in a list."""
    return {**_outside(version), "language": label_of(version.language), "size": version.size,
            "digest": version.digest[:12], "file": version.file_name, "has_passed": version.has_passed}


def _outside(version: Version) -> dict[str, Any]:
    """A version as everybody sees it."""
    return {"number": version.number, "phase": version.phase, "created": version.created}


def _number(request: Request) -> int:
    text = request.path_params["number"]
    if not (text.isascii() and text.isdigit() and 0 < int(text[:8]) <= MAX_NUMBER and len(text) < 8):
        raise HttpError(404, "there is no such version")
    return int(text)


async def _chunks(request: Request) -> AsyncIterator[bytes]:
    """The body in pieces that are worth a thread's time."""
    data = bytearray()
    async for chunk in request.stream():
        data += chunk
        if len(data) >= CHUNK:
            yield bytes(data)
            data.clear()
    yield bytes(data)


def _contents(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        file.seek(0)
        while chunk := file.read(CHUNK):
            yield chunk
