"""Play between people over HTTP: the lobby with its challenges, and seats in the games that come of them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection, Coroutine, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from typing import Any

import msgspec
from sqlalchemy.engine import Connection
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, WebSocketRoute

from polyversi.games.limit import Limit
from polyversi.games.variants import VARIANTS, game
from polyversi.server.limits import PERSON_MARK, RateLimit, TooManyError, mark_of
from polyversi.server.lobby import MAX_ROOMS_PER_VISITOR
from polyversi.server.new_game import Name, Short, chosen_game, new_stored_game, start_of
from polyversi.server.responses import HttpError, json_response, parse_body
from polyversi.server.site.lobby_list import LobbyList
from polyversi.server.site.lobby_socket import LobbySocket
from polyversi.server.site.site import Part, Site
from polyversi.server.tokens import hash_token
from polyversi.site.challenges import Challenge, Challenges, NotOpenError, Wanted
from polyversi.site.erasing import GONE, erase_names
from polyversi.site.person_games import follow, lost_seats, settle
from polyversi.site.profiles import ratings_at
from polyversi.site.ratings import game_of
from polyversi.site.roles import Person, Role
from polyversi.site.seat_tokens import SeatTokens
from polyversi.site.settings import SiteError
from polyversi.storage.errors import StoreError
from polyversi.storage.stored import StoredGame, StoredSeat, Summary

SWEEP_INTERVAL = 10.0
"""Seconds between two looks for what has waited for too long."""
QUICK_GRACE = 90.0
"""Seconds that somebody who waits for a quick pairing may not look at the lobby; hidden pages look seldom."""
START_GRACE = 600.0
"""Seconds in which everybody must have come to a game with a clock."""
DAYS_GRACE = 3 * 86_400.0
"""Seconds that somebody may be away from a game without a clock before the others may claim it."""
LEAST_SECONDS = 1.0
"""Of a clock; nobody could play with less."""
KEPT_OUT = "an organiser keeps this player out"
LEFT = "this player has left the site"
TOO_OFTEN = "too many challenges at once; wait a little"


class NewChallenge(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody wants to play; `opponent` is a name, or empty for anybody."""

    spec: Short
    limit: Short = "none"
    is_rated: bool = True
    opponent: Name = ""
    is_quick: bool = False


class ChallengesPart(Part):
    """The lobby, challenges and the games of people."""

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self._tokens = SeatTokens.open(site.store)
        self._challenges = Challenges(site.store, site.lobby.store, self._make_game)
        self._list = LobbyList(site.store, self._challenges)
        self._one_by_one = asyncio.Lock()
        self._often = RateLimit(burst=30, per_second=0.5)
        self._tasks: set[asyncio.Task[None]] = set()
        self._erased: set[str] = set()    # players of games that go on without them

    def routes(self) -> Sequence[BaseRoute]:
        """Where its handlers are found."""
        guard, challenge = self.site.guard, "/api/site/challenges/{id}"
        return [
            guard.route("/api/site/lobby", Role.GUEST, self._lobby),
            WebSocketRoute("/api/site/lobby/socket", LobbySocket(guard, self._list).serve),
            guard.route("/api/site/challenges", Role.MEMBER, self._offer, "POST"),
            guard.route(f"{challenge}/accept", Role.MEMBER, self._accept, "POST"),
            guard.route(f"{challenge}/decline", Role.MEMBER, self._decline, "POST"),
            guard.route(f"{challenge}/withdraw", Role.MEMBER, self._withdraw, "POST"),
            guard.route("/api/site/games/{id}/seat", Role.GUEST, self._seat),
            guard.route("/api/site/games/{id}/ratings", Role.GUEST, self._ratings),
        ]

    async def start(self) -> None:
        """Counts what ended while nobody looked, and hears of what ends from now on."""
        loop = asyncio.get_running_loop()

        def over(games: Collection[str]) -> None:
            with suppress(RuntimeError):    # the loop was closed; they count when the server starts again
                loop.call_soon_threadsafe(lambda: self._go(self._settle(set(games))))

        self.site.lobby.store.on_over.append(over)
        self.site.lobby.on_rematch.append(_rematch)
        await self._settle(None)
        self._go(self._sweep())

    async def close(self) -> None:
        """Ends what runs by itself; games that end now count when the server starts again."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # The handlers.

    async def _lobby(self, _: Request, person: Person) -> Response:
        self._list.saw(person)
        return json_response(self._list.of(person))

    async def _offer(self, request: Request, person: Person) -> Response:
        wanted = await self._wanted(await parse_body(request, NewChallenge))
        self._list.saw(person)
        self.site.lobby.reserve([mark_of(person.player)])()
        return await self._change(person, lambda: self._challenges.offer(person.id, wanted, time.time()))

    async def _accept(self, request: Request, person: Person) -> Response:
        id = request.path_params["id"]
        self.site.lobby.reserve([mark_of(person.player)])()
        return await self._change(person, lambda: self._challenges.accept(id, person.id, time.time()))

    async def _decline(self, request: Request, person: Person) -> Response:
        id = request.path_params["id"]
        return await self._change(person, lambda: self._challenges.decline(id, person.id))

    async def _withdraw(self, request: Request, person: Person) -> Response:
        id = request.path_params["id"]
        return await self._change(person, lambda: self._challenges.withdraw(id, person.id))

    async def _seat(self, request: Request, person: Person) -> Response:
        """The token of somebody's own seat, on whatever device; nothing for whoever watches."""
        found = await asyncio.to_thread(game_of, self.site.store, request.path_params["id"])
        has_seat = found is not None and person.player in found.players
        return json_response({"token": self._tokens.of(found.first, person.id) if found and has_seat else ""})

    async def _ratings(self, request: Request, _: Person) -> Response:
        """How strong those are who play a rated game of people, and what it did to them once it is over."""
        id = request.path_params["id"]
        found = await asyncio.to_thread(game_of, self.site.store, id)
        room = self.site.lobby.rooms.get(id)
        if found and found.ended is None and (room is None or room.has_ended):    # just now
            await self._settle({id})
        return json_response({"seats": await asyncio.to_thread(ratings_at, self.site.store, id)})

    async def _change(self, person: Person, change: Callable[[], Challenge | None]) -> Response:
        """Changes something about challenges, and opens the game that may come of it."""
        if not self._often.take(f"person {person.id}"):
            raise HttpError(429, TOO_OFTEN)
        async with self._one_by_one:
            try:
                changed = await asyncio.to_thread(change)
            except NotOpenError as error:
                raise HttpError(404, str(error)) from None
            if changed and changed.game:
                await self.site.lobby.find(changed.game)    # which begins it, and has it counted
            await self._list.refresh()
        return json_response({"challenge": changed and changed.id, "game": changed.game if changed else ""})

    async def _wanted(self, new: NewChallenge) -> Wanted:
        chosen, limit = chosen_game(new.spec), Limit.parse(new.limit)
        if limit.depth is not None or limit.nodes is not None:
            raise SiteError("a game of people has a clock or none; depth and nodes are for computers")
        if limit.allowance is not None and limit.allowance < LEAST_SECONDS:
            raise SiteError(f"a clock needs at least {LEAST_SECONDS:g} second")
        if new.is_rated and chosen.spec not in _rated_specs():
            raise SiteError(f"{chosen.spec} is not rated, since only variants without options are")
        opponent = ""
        if new.opponent:
            found = await asyncio.to_thread(self.site.people.by_name, new.opponent)
            if found is None or found.is_disabled or found.role < Role.MEMBER:
                raise HttpError(404, f"there is no member called '{new.opponent}'")
            if chosen.seats != 2:
                raise SiteError(f"{chosen.spec} is for {chosen.seats}; challenge somebody to a game for two")
            opponent = found.id
        is_quick = new.is_quick and not opponent
        return Wanted(chosen.spec, str(limit), chosen.seats, new.is_rated, opponent, is_quick)

    def _make_game(self, challenge: Challenge, people: Sequence[str]) -> StoredGame:
        """The game of a challenge; one with a clock begins when everybody is there, others may take days."""
        wanted, names = challenge.wanted, self.site.people.names(people)
        if len(names) < len(people):
            raise NotOpenError("somebody who wanted to play this has left the site")
        marks = {id: mark_of(f"{PERSON_MARK}{id}") for id in people}
        if busy := [names[id] for id in people if not self.site.lobby.has_room_for(marks[id])]:
            raise TooManyError(f"{busy[0]} plays {MAX_ROOMS_PER_VISITOR} games, as many as one person may; "
                               "some of them have to end first")
        limit = Limit.parse(wanted.limit)
        start = start_of(chosen_game(wanted.spec))
        stored = new_stored_game(start, [StoredSeat("human", name=names[id]) for id in people],
                                 [limit] * len(people))
        seats = tuple(replace(seat, token=hash_token(self._tokens.of(stored.id, id)), visitor=marks[id])
                      for seat, id in zip(stored.seats, people, strict=True))
        stored = replace(stored, seats=seats)
        if not limit.is_timed:
            return replace(stored, summary=Summary(grace=DAYS_GRACE))
        return replace(stored, phase="waiting", summary=Summary(begins_together=True))

    # What runs by itself.

    def _go(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _settle(self, games: set[str] | None) -> None:
        """Counts games that are over, those or all; what cannot be written now is tried by the next sweep."""
        going_on = {id for id, room in self.site.lobby.rooms.items() if not room.has_ended}
        with suppress(StoreError):
            await asyncio.to_thread(settle, self.site.store, self.site.lobby.store, games, going_on)
            await self._list.refresh()

    async def _sweep(self) -> None:
        while True:
            with suppress(StoreError):
                await asyncio.to_thread(self._challenges.expire, time.time(), self._list.gone(QUICK_GRACE))
            late = time.time() - START_GRACE
            for room in list(self.site.lobby.rooms.values()):
                if room.stored.begins_together and room.stored.created < late:
                    room.break_off("not everybody came")
            await self._end_for_the_lost()
            await self._settle(None)
            await asyncio.sleep(SWEEP_INTERVAL)


    async def _end_for_the_lost(self) -> None:
        """Has those lose their games who were kept out or erased, whoever has done that.

        Rooms know their names from before. What they wrote since the store forgot a name is erased once more.
        """
        with suppress(StoreError):
            lost = await asyncio.to_thread(lost_seats, self.site.store)
            here = [(seat, room) for seat in lost if (room := self.site.lobby.rooms.get(seat.game))]
            for seat, room in here:
                if seat.was_erased:
                    room.rename(seat.number, GONE)
                room.lose(seat.number, LEFT if seat.was_erased else KEPT_OUT)
            erased = {seat.player for seat, _ in here if seat.was_erased}
            if new := erased - self._erased:
                await self.site.lobby.write_queue.drain()
                await asyncio.to_thread(self._erase_names, new)
            self._erased = erased

    def _erase_names(self, players: set[str]) -> None:
        for player in sorted(players):
            with self.site.store.writing() as connection:
                erase_names(connection, player)


def _rematch(connection: Connection, before: StoredGame, rematch: StoredGame) -> StoredGame:
    return follow(connection, before.id, rematch)


@cache
def _rated_specs() -> frozenset[str]:
    """The variants as they are without any options."""
    return frozenset(game(variant.example).spec for variant in VARIANTS.values())
