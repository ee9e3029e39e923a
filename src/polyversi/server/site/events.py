"""The events of a site over HTTP: everybody watches them, organisers set them up and run them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Annotated, Any

import msgspec
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from polyversi.contest.formats import FormatChoice, choices, summary
from polyversi.games.variants import title
from polyversi.server.catalogue import FIRST
from polyversi.server.contests import ContestPages, contest_game, encoded, playing
from polyversi.server.limits import visitor_of
from polyversi.server.lobby import Past
from polyversi.server.responses import HttpError, json_response, parse_body
from polyversi.server.site.site import Part, Site
from polyversi.site.event_outputs import written
from polyversi.site.event_plans import EventSettings, games_of, group_choice
from polyversi.site.events import BOT, EventEntrant, Events, NoEventError, SiteEvent
from polyversi.site.roles import Person, Role

NO_EVENT = "there is no such event"
NOT_RELEASED = "the results of this event have not been released yet"
NOT_STARTED = "this event has not started yet"


class Wanted(msgspec.Struct, frozen=True):
    """An event as an organiser wants it."""

    title: Annotated[str, msgspec.Meta(max_length=400)]
    settings: EventSettings
    is_released: bool = True


class Release(msgspec.Struct, frozen=True):
    """Whether everybody is to see results."""

    is_released: bool


class LadderChoice(msgspec.Struct, frozen=True):
    """A ladder whose bots may take part."""

    id: str
    title: str
    variant: str
    limit: str
    memory: int


class BotChoice(msgspec.Struct, frozen=True):
    """A bot that may take part."""

    id: str
    name: str
    owner: str
    ladder: str


class EventChoices(msgspec.Struct, frozen=True):
    """What the form of an event offers."""

    ladders: list[LadderChoice]
    bots: list[BotChoice]
    formats: list[FormatChoice]
    settings: EventSettings
    """Those of an event of which nothing was chosen yet."""


class EventsPart(Part):
    """Tournaments."""

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self._events = Events(site.file, site.store, site.contests)
        self._pages = ContestPages(site.contests)
        site.lobby.elsewhere.append(self._released)
        site.lobby.for_some.append(self._for_organisers)

    def routes(self) -> Sequence[BaseRoute]:
        """Where its handlers are found."""
        guard, path = self.site.guard, "/api/site/events"
        event = f"{path}/{{id}}"
        return [
            guard.open(path, self._list),
            guard.route(path, Role.ORGANISER, self._create, "POST"),
            guard.route("/api/site/event-choices", Role.ORGANISER, self._choices),
            guard.open(event, self._event),
            guard.route(event, Role.ORGANISER, self._change, "POST"),
            guard.open(f"{event}/part/{{part}}", self._part),
            guard.open(f"{event}/file/{{kind}}", self._file),
            guard.route(f"{event}/outputs", Role.MEMBER, self._outputs),
            guard.route(f"{event}/start", Role.ORGANISER, self._start, "POST"),
            guard.route(f"{event}/pause", Role.ORGANISER, self._pause, "POST"),
            guard.route(f"{event}/resume", Role.ORGANISER, self._resume, "POST"),
            guard.route(f"{event}/cancel", Role.ORGANISER, self._cancel, "POST"),
            guard.route(f"{event}/release", Role.ORGANISER, self._release, "POST"),
            guard.route(f"{event}/tokens", Role.ORGANISER, self._tokens, "POST"),
            guard.route(f"{event}/delete", Role.ORGANISER, self._delete, "POST"),
        ]

    def _released(self, id: str) -> Past | None:
        """A game of an event that is over, for whoever wants to see it again."""
        return self._past(id, lambda event: event.is_released)

    async def _for_organisers(self, id: str, asker: HTTPConnection) -> Past | None:
        """The same before the results are released."""
        if "." not in id or not _is_organiser(await self.site.guard.person(asker)):
            return None
        return await asyncio.to_thread(self._past, id, lambda _: True)

    def _past(self, id: str, may_see: Callable[[SiteEvent], bool]) -> Past | None:
        event_id, _, fixture = id.partition(".")
        if not fixture:
            return None
        try:
            event = self._events.find(event_id)
        except NoEventError:
            return None
        return contest_game(self.site.contests, event.contest, id, fixture) if may_see(event) else None

    async def start(self) -> None:
        """Hides the live games of events whose results are not released."""
        for event in await asyncio.to_thread(self._events.all):
            self._show_or_hide(event)

    async def close(self) -> None:
        """Ends what makes its files."""
        await self._pages.close()

    def _show_or_hide(self, event: SiteEvent) -> None:
        """Lets everybody see the games that are being played, or nobody."""
        if event.is_released:
            self.site.lobby.show(f"{event.id}.")
        else:
            self.site.lobby.hide(f"{event.id}.", NOT_RELEASED)

    # For everybody.

    async def _list(self, _: Request, person: Person | None) -> Response:
        def work() -> list[dict[str, Any]]:
            counts = self.site.contests.counts()
            entrants = self._events.numbers_of_entrants()
            return [{**_shown(event), "entrants": entrants.get(event.id, 0),
                     "played": counts.get(event.contest, 0)}
                    for event in self._events.all() if _may_know(event, person)]

        return json_response({"events": await asyncio.to_thread(work)})

    async def _event(self, request: Request, person: Person | None) -> Response:
        event = await self._found(request, person)
        entrants = await asyncio.to_thread(self._events.entrants, event)
        unchecked = await asyncio.to_thread(self._events.unchecked, event)
        answer = {**_shown(event), "may_see": _may_see(event, person), "unchecked": unchecked,
                  "entrants": await asyncio.to_thread(self._named, entrants, person),
                  "playing": playing(self.site.lobby, event.id) if event.is_released else []}
        if _is_organiser(person):
            answer |= {"settings": event.settings, "problem": event.problem, "groups": self._groups(event)}
        return json_response(answer)

    def _named(self, entrants: Sequence[EventEntrant], person: Person | None) -> list[dict[str, Any]]:
        """Who takes part; whose bots these are only people of the site see."""
        bots = {bot.id: bot for bot in self._events.bots.all()} if person else {}
        found = [bots.get(one.who.removeprefix(BOT).partition("/")[0]) for one in entrants]
        return [{"name": one.name, "who": one.who, "bot": bot.id if bot else "",
                 "owner": bot.owner_name if bot else ""} for one, bot in zip(entrants, found, strict=True)]

    def _groups(self, event: SiteEvent) -> list[dict[str, Any]]:
        """The groups that take part with clients of their own, and how many of these are connected."""
        connected = self.site.conductor.status.groups.get(event.id, {})
        names = [group_choice(name).name for name in event.settings.groups]
        counts = {name: connected.get(name, (0, 0)) for name in names}
        return [{"name": name, "waiting": waiting, "playing": playing}
                for name, (waiting, playing) in counts.items()]

    async def _part(self, request: Request, person: Person | None) -> Response:
        event = await self._visible(request, person)
        is_over = event.phase == "over"
        return encoded(await self._pages.part(event.contest, request.path_params["part"], is_over=is_over))

    async def _file(self, request: Request, person: Person | None) -> Response:
        event = await self._visible(request, person)
        return await self._pages.file(event.contest, request.path_params["kind"], visitor_of(request))

    async def _outputs(self, request: Request, person: Person) -> Response:
        """What one's own bots have written; organisers read that of all."""
        event = await self._visible(request, person)
        found = await asyncio.to_thread(written, self._events, event, lambda bot: bot.is_of(person))
        return json_response({"outputs": found})

    # For organisers.

    async def _choices(self, _: Request, __: Person) -> Response:
        """What the form offers besides the catalogue, and what it begins with."""
        def work() -> EventChoices:
            settings = self.site.file.settings
            return EventChoices(
                ladders=[LadderChoice(one.id, one.title, one.variant, one.limit, one.memory)
                         for one in settings.ladders],
                bots=[BotChoice(bot.id, bot.name, bot.owner_name, bot.ladder)
                      for bot in self._events.bots.all() if bot.active],
                formats=choices(),
                settings=EventSettings(variants=(FIRST,)),
            )

        return json_response(await asyncio.to_thread(work))

    async def _create(self, request: Request, organiser: Person) -> Response:
        wanted = await parse_body(request, Wanted)
        event = await asyncio.to_thread(
            self._events.create, organiser, wanted.title, wanted.settings, is_released=wanted.is_released)
        self._show_or_hide(event)
        return json_response(_shown(event), 201)

    async def _change(self, request: Request, organiser: Person) -> Response:
        wanted, event = await parse_body(request, Wanted), await self._found(request, organiser)
        changed = await asyncio.to_thread(
            self._events.change, organiser, event.id, wanted.title, wanted.settings,
            is_released=wanted.is_released)
        self._show_or_hide(changed)
        return json_response(_shown(changed))

    async def _start(self, request: Request, organiser: Person) -> Response:
        event = await self._found(request, organiser)
        return await self._moved(self._events.start, organiser, event)

    async def _pause(self, request: Request, organiser: Person) -> Response:
        event = await self._found(request, organiser)
        return await self._moved(self._events.pause, organiser, event)

    async def _resume(self, request: Request, organiser: Person) -> Response:
        event = await self._found(request, organiser)
        return await self._moved(self._events.resume, organiser, event)

    async def _cancel(self, request: Request, organiser: Person) -> Response:
        event = await self._found(request, organiser)
        return await self._moved(self._events.cancel, organiser, event)

    async def _moved(
        self, move: Callable[[Person, str], SiteEvent], organiser: Person, event: SiteEvent
    ) -> Response:
        """The event after a change that whoever plays it should know of."""
        moved = await asyncio.to_thread(move, organiser, event.id)
        self.site.conductor.nudge()
        return json_response(_shown(moved))

    async def _release(self, request: Request, organiser: Person) -> Response:
        wanted, event = await parse_body(request, Release), await self._found(request, organiser)
        changed = await asyncio.to_thread(self._events.release, organiser, event.id, wanted.is_released)
        self._show_or_hide(changed)
        return json_response(_shown(changed))

    async def _tokens(self, request: Request, organiser: Person) -> Response:
        """Tokens with which groups connect their clients; they are told only this once."""
        event = await self._found(request, organiser)
        tokens = await asyncio.to_thread(self._events.make_tokens, organiser, event.id)
        return json_response({
            "port": self.site.file.settings.xt_port,
            "tokens": [{"group": group, "token": token} for group, token in tokens.items()],
        })

    async def _delete(self, request: Request, organiser: Person) -> Response:
        event = await self._found(request, organiser)
        await asyncio.to_thread(self._events.delete, organiser, event.id)
        self._pages.forget(event.contest)
        return json_response({})

    async def _found(self, request: Request, person: Person | None) -> SiteEvent:
        """The event of an address, if whoever asks may know of it."""
        try:
            event = await asyncio.to_thread(self._events.find, request.path_params["id"])
        except NoEventError:
            raise HttpError(404, NO_EVENT) from None
        if not _may_know(event, person):
            raise HttpError(404, NO_EVENT)
        return event

    async def _visible(self, request: Request, person: Person | None) -> SiteEvent:
        """The event of an address, if whoever asks may see its results."""
        event = await self._found(request, person)
        if not _may_see(event, person):
            raise HttpError(403, NOT_RELEASED)
        if not event.contest:
            raise HttpError(409, NOT_STARTED)
        return event


def _is_organiser(person: Person | None) -> bool:
    return person is not None and person.role >= Role.ORGANISER


def _may_know(event: SiteEvent, person: Person | None) -> bool:
    """Whether somebody may know of an event: of a draft only organisers."""
    return event.phase != "draft" or _is_organiser(person)


def _may_see(event: SiteEvent, person: Person | None) -> bool:
    """Whether somebody may see results and games."""
    return event.is_released or _is_organiser(person)


def _shown(event: SiteEvent) -> dict[str, Any]:
    settings = event.settings
    names, _ = games_of(settings)
    return {
        "id": event.id, "title": event.title, "phase": event.phase, "created": event.created,
        "is_released": event.is_released, "has_started": bool(event.contest),
        **summary(settings.format), "variants": [title(name) for name in names], "limit": settings.limit,
        "ladder": settings.ladder, "deadline": settings.deadline,
    }
