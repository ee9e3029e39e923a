"""What the page asks the server over HTTP, one small handler each."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from contextlib import AsyncExitStack
from functools import partial
from typing import Any, ParamSpec, TypeVar

import msgspec
from msgspec import structs
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from polyversi.engines.hint import SECONDS as HINT_SECONDS
from polyversi.engines.hint import hint
from polyversi.engines.judge import can_judge
from polyversi.games.errors import MapError, PolyversiError
from polyversi.games.game import Game
from polyversi.games.state import State
from polyversi.server import catalogue, puzzles, samples
from polyversi.server.analysis.service import AnalysisService
from polyversi.server.catalogue_answers import Description
from polyversi.server.downloads import Renderer, kinds, record_of
from polyversi.server.limits import ConcurrencyLimit, RateLimit, address_of, is_local, visitor_of
from polyversi.server.listing import Listing, Wanted
from polyversi.server.lobby import Lobby
from polyversi.server.new_game import Line, MapText, NewGame, Short, chosen_game, prepare
from polyversi.server.paste import MAX_LOG, is_log, recognise, to_json
from polyversi.server.reach import UNKNOWN, Reach
from polyversi.server.responses import (
    MAX_BODY,
    HttpError,
    expect_large,
    json_response,
    limited,
    parse_body,
    read_body,
    unless_gone,
)
from polyversi.server.room import Room
from polyversi.server.rulebook import rulebook
from polyversi.server.series import SeriesRegistry
from polyversi.server.series_messages import NewSeries
from polyversi.server.summaries import GameSummary
from polyversi.storage.games import Store
from polyversi.storage.retention import next_to_go, prune, size_of, sizes

PLACE = re.compile(r"line (\d+), column (\d+)")
P = ParamSpec("P")
T = TypeVar("T")
MAX_CONCURRENT = 2
"""Things that take long and are done for one visitor at the same time."""
MAX_LEGAL = 400
"""Legal moves that a check lists."""


class Check(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A position or a map to be checked."""

    spec: Short = ""
    map: MapText = ""
    position: Line = ""


class Token(msgspec.Struct, frozen=True):
    """The token of somebody who asks for help."""

    token: Short


class GameInfo(GameSummary, frozen=True):
    """A game with the description of what is played."""

    limit: tuple[str, ...]
    """Of each seat."""
    next: str
    """The rematch or the next game of a row, once there is one."""
    description: Description


class Api:
    """The handlers, over one lobby; what takes long is counted against its visitor."""

    def __init__(self, lobby: Lobby, series: SeriesRegistry, renderer: Renderer,
                 reach: Reach = UNKNOWN, analysis: AnalysisService | None = None) -> None:
        self._lobby = lobby
        self._analysis = analysis
        self._reach = reach
        self._series = series
        self._listing = Listing(lobby, series)
        self._renderer = renderer
        self._small = partial(limited, limit=RateLimit(burst=120, per_second=10))
        self._large = partial(limited, limit=RateLimit(burst=30, per_second=0.5))
        self._concurrency = ConcurrencyLimit(MAX_CONCURRENT)
        self._logs = ConcurrencyLimit(MAX_CONCURRENT)
        self._once, self._has_families = ConcurrencyLimit(1), False

    def live_routes(self) -> list[Route]:
        """Where the handlers are found that whoever watches needs."""
        return [
            Route("/api/games", self._small(self.games), methods=["GET"]),
            Route("/api/games/{id}", self._small(self.game)),
            Route("/api/variants", self.variants),
            Route("/api/games/{id}/turned", self._small(self.turned)),
            Route("/api/games/{id}/rules", self._small(self.rules_of_game)),
            Route("/api/rules", self._small(self.rules)),
            Route("/games/{id}.{kind}", self._large(self.download)),
        ]

    def routes(self) -> list[Route]:
        """Where every handler is found."""
        return [
            *self.live_routes(),
            Route("/api/players", self._small(self.players), methods=["GET", "POST"]),
            Route("/api/picture.svg", self._small(self.picture)),
            Route("/api/sample", self._large(self.sample)),
            Route("/api/board", self._small(self.board)),
            Route("/api/check", self._small(self.check), methods=["POST"]),
            Route("/api/games", self._large(self.new_game), methods=["POST"]),
            Route("/api/games/{id}/hint", self._large(self.hint), methods=["POST"]),
            Route("/api/records", self._large(self.records), methods=["POST"]),
            Route("/api/reach", self._small(self.reach), methods=["GET"]),
            Route("/api/arena", self.series, methods=["GET"]),
            Route("/api/store", self._large(self.store), methods=["GET"]),
            Route("/api/arena", self._large(self.new_series), methods=["POST"]),
            *puzzles.routes(self._small, self._work),
        ]

    async def variants(self, _: Request) -> Response:
        """What can be played, by families, what the tiles of maps are called, and what players are called."""
        if not self._has_families:    # which takes so long, once, that every game would wait for it
            async with self._once.of("families"):
                await asyncio.to_thread(catalogue.families)
            self._has_families = True
        return json_response(catalogue.catalogue(self._lobby.bots))

    async def players(self, request: Request) -> Response:
        """Who plays a game."""
        asked = await parse_body(request, Check) if request.method == "POST" else None
        spec, chart = (asked.spec, asked.map) if asked else (request.query_params.get("spec", ""), "")
        bots = self._lobby.bots
        return json_response(
            await self._work(request, lambda: catalogue.players(chosen_game(spec, chart), bots)))

    async def picture(self, request: Request) -> Response:
        """The start of a game as a picture, or the middle of a sample game."""
        asked = request.query_params
        drawn = await self._work(request, samples.picture, asked.get("spec", ""),
                                 is_middle=asked.get("at") == "middle")
        return Response(drawn, headers={"cache-control": "max-age=600"}, media_type=kinds()["svg"].media_type)

    async def sample(self, request: Request) -> Response:
        """A game that is shown while nobody plays, move by move."""
        told = await self._work(request, samples.replay, request.query_params.get("spec", ""))
        return Response(told, headers={"cache-control": "max-age=600"}, media_type="application/json")

    async def board(self, request: Request) -> Response:
        """A game described, with the plan of its board, in other colours if some are named."""
        spec, colours = (request.query_params.get(name, "") for name in ("spec", "colours"))
        return json_response(
            await self._work(request, lambda: catalogue.description(chosen_game(spec), colours)))

    async def check(self, request: Request) -> Response:
        """Whether a position or a map is one, and what can be played in it."""
        return json_response(await self._work(request, _checked, await parse_body(request, Check)))

    async def games(self, request: Request) -> Response:
        """The games that go on and the last ones that are over, or those of them that are asked for."""
        return json_response(await self._listing.page(Wanted.read(request.query_params)))

    async def new_game(self, request: Request) -> Response:
        """Sets a game up."""
        new = await parse_body(request, NewGame)
        prepared = await self._work(request, prepare, new, self._lobby.bots)
        room = await self._lobby.create(prepared, visitor_of(request))
        links = {seat: f"/game/{room.id}#{token}" for seat, token in prepared.friends.items()}
        return json_response({"game": room.id, "token": prepared.token, "links": links}, 201)

    async def game(self, request: Request) -> Response:
        """A game in a few words, with the description of what is played."""
        room = await self._room(request)
        description = await self._work(request, catalogue.description, room.game, room.stored.colours)
        return json_response(GameInfo(
            **structs.asdict(room.summary()), limit=room.stored.limits, next=room.stored.following,
            description=description))

    async def rules(self, request: Request) -> Response:
        """The rules of a game that can be played, in words and examples."""
        spec = request.query_params.get("spec", "")
        return json_response(await self._work(request, lambda: rulebook(chosen_game(spec))))

    async def rules_of_game(self, request: Request) -> Response:
        """The rules of a game that is played, perhaps on a map of somebody's own."""
        room = await self._room(request)
        return json_response(await self._work(request, rulebook, room.game))

    async def turned(self, request: Request) -> Response:
        """The cells that a move would change besides its own."""
        room = await self._room(request)
        state = room.state
        if (ply := _number(request, "ply")) is not None and ply < len(room.log.plies):
            state = room.log.plies[ply].before
        move = state.as_move(request.query_params.get("move", ""))
        return json_response({"cells": list(state.turned(move))})

    async def hint(self, request: Request) -> Response:
        """A suggestion for whoever plays against computers only."""
        room = await self._room(request)
        state = room.state
        if room.stored.phase == "over" or state.is_over:
            raise HttpError(403, "the game is over")
        if state.turn not in room.holds((await parse_body(request, Token)).token):
            raise HttpError(403, "it is not your turn")
        if not room.may_help():
            raise HttpError(403, "there are no hints in a game between people")
        return json_response(await self._suggestion(request, room, state))

    async def _suggestion(self, request: Request, room: Room, state: State) -> dict[str, Any]:
        """A move with the values of all, from the engine workers, or a quick one where there are none."""
        analysis = self._analysis
        if analysis is None or not analysis.is_on or can_judge(state.game):
            found = await self._work(request, hint, state)
            move = found.move
            about: dict[str, Any] = {"value": found.value, "unit": found.unit, "exact": found.is_exact,
                                     "share": found.share, "moves": []}
        else:
            thought = analysis.hint(state, room.stored.map, visitor_of(request), HINT_SECONDS)
            known = (await unless_gone(request, thought)).known
            best = known.moves[0]
            move = state.as_move(best.move)
            about = {"value": best.value, "unit": known.unit, "exact": best.exact, "share": None,
                     "moves": known.moves}
        return {"move": str(move), "cell": -1 if move.is_pass else move.cell, **about}

    async def records(self, request: Request) -> Response:
        """Takes in the games of a file or a pasted text, to be looked at, or says what else it is.

        `?game=` or `?spec=` names what the visitor looks at, for texts that do not say what they belong to.
        The log of an XT server may be larger than anything else; then it waits for the visitor's turn.
        """
        async with AsyncExitStack() as turn:
            async def admit(begun: bytearray) -> int:
                if not is_log(begun):
                    return MAX_BODY
                await turn.enter_async_context(self._logs.of(visitor_of(request)))
                expect_large(request)
                return MAX_LOG

            data = await read_body(request, admit)
            pasted = await self._work(request, recognise, data, await self._current(request))
        for stored, events in pasted.games:
            await self._lobby.store_game(stored, events)
        return json_response(to_json(pasted), 201 if pasted.games else 200)

    async def reach(self, request: Request) -> Response:
        """Who can open the links of this server; its addresses are for whoever sits at this machine."""
        is_here = is_local(address_of(request))
        return json_response(await self._work(request, self._reach.to_json, is_here=is_here))

    async def series(self, _: Request) -> Response:
        """The series of the arena view that go on."""
        return json_response(self._series.listed())

    async def new_series(self, request: Request) -> Response:
        """Sets up a series for the arena view."""
        series, token = await self._series.create(await parse_body(request, NewSeries), visitor_of(request))
        return json_response({"arena": series.id, "token": token}, 201)

    async def store(self, request: Request) -> Response:
        """How much room the games take and which go next, for whoever sits at this machine."""
        if not is_local(address_of(request)):
            raise HttpError(403, "only the machine of the server can see this")
        return json_response(await self._work(request, _account, self._lobby.store))

    async def download(self, request: Request) -> Response:
        """A game to take away."""
        kind = request.path_params["kind"]
        chosen = kinds().get(kind)
        if chosen is None:
            raise HttpError(404, f"a game can be downloaded as {', '.join(kinds())}")
        room = await self._room(request)
        name = f"{room.id} after {len(room.lines)} events"
        record = await self._work(request, record_of, room.log.copy(), room.stored)
        work = self._renderer.render(name, record, kind, _number(request, "ply"), visitor_of(request))
        data = await unless_gone(request, work)
        headers = {"content-disposition": f'inline; filename="polyversi-{room.id}.{kind}"'}
        return Response(data, headers=headers, media_type=chosen.media_type)

    async def has_game(self, request: Request) -> bool:
        """Whether there is the game that the address of a page names."""
        return await self._lobby.has(request.path_params["id"], request)

    async def has_series(self, request: Request) -> bool:
        """Whether there is the series that the address of a page names."""
        return await self._series.has(request.path_params["id"])

    async def has_rules(self, request: Request) -> bool:
        """Whether there is the game whose rules the address of a page names."""
        try:
            await self._work(request, chosen_game, request.path_params["id"])
        except PolyversiError:
            return False
        return True

    async def _work(self, request: Request, work: Callable[P, T], *args: P.args, **more: P.kwargs) -> T:
        """Does what takes long in another thread, when it is the visitor's turn."""
        async with self._concurrency.of(visitor_of(request)):
            return await asyncio.to_thread(work, *args, **more)

    async def _current(self, request: Request) -> Game | None:
        """The game that a visitor looks at, if that is known."""
        query = request.query_params
        try:
            room = await self._lobby.find(query["game"], request) if query.get("game") else None
            return room.game if room else chosen_game(query["spec"]) if query.get("spec") else None
        except PolyversiError:
            return None

    async def _room(self, request: Request) -> Room:
        room = await self._lobby.find(request.path_params["id"], request)
        if room is None:
            raise HttpError(404, "there is no such game")
        return room


def _checked(check: Check) -> dict[str, Any]:
    """The answer to a check: the problem with its place, or what there is to play."""
    answer: dict[str, Any] = {"problem": None, "line": None, "column": None, "description": None,
                              "position": "", "moves": []}
    try:
        game = chosen_game(check.spec, check.map)
        answer["description"] = catalogue.description(game)
        state = game.position(check.position) if check.position else game.start()
    except PolyversiError as error:
        place = PLACE.search(str(error)) if isinstance(error, MapError) else None
        where = {"line": int(place[1]), "column": int(place[2])} if place else {}
        return answer | {"problem": str(error)} | where
    moves = [str(move) for move in state.moves]
    return answer | {"position": state.text, "moves": moves[:MAX_LEGAL], "is_over": state.is_over,
                     "count": len(moves)}


def _account(store: Store) -> dict[str, Any]:
    """What a store holds, what its retention removes with its next look, and what goes after that."""
    kept = store.retention
    return {
        "name": store.name,
        "kinds": [{"kind": kind, "games": games, "bytes": size}
                  for kind, (games, size) in sizes(store).items()],
        "in_use": size_of(store),
        "retention": kept,
        "due": prune(store, kept, is_dry=True) if kept else None,
        "next": next_to_go(store, kept) if kept else [],
    }


def _number(request: Request, name: str) -> int | None:
    text = request.query_params.get(name, "")
    return int(text) if re.fullmatch(r"[0-9]{1,6}", text, re.ASCII) else None
