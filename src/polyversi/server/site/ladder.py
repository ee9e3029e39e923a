"""The ladders of a site over HTTP: ranking, queue and games for everybody, challenges for members."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import Annotated, Any
from urllib.parse import quote

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from polyversi.gameplay.events import Event
from polyversi.games.errors import PolyversiError
from polyversi.games.variants import title
from polyversi.server.downloads import past_game
from polyversi.server.limits import RateLimit
from polyversi.server.responses import HttpError, json_response, parse_body
from polyversi.server.site.site import Part, Site
from polyversi.server.summaries import ListedGame
from polyversi.site.bots import Bot
from polyversi.site.ladder import PAGE, LadderGame, LadderMatch, Ladders, Ranked
from polyversi.site.ladder_games import GAMES, game_id
from polyversi.site.ladder_table import ranking_csv
from polyversi.site.roles import Person, Role
from polyversi.site.settings import LadderSettings, SiteError
from polyversi.storage.errors import DamagedError
from polyversi.storage.stored import StoredGame

FRESH_SECONDS = 1.0
"""Seconds for which all who look at a ladder get the same answer."""
MAX_PLAYING = 8
"""Games that have a little board."""
TOO_MANY = "you challenge too often; wait a little"
NO_GAME = "there is no such game"
NO_OUTPUTS = ("",) * 8
"""What is left of the outputs of a game that was thinned."""
Id = Annotated[str, msgspec.Meta(max_length=40)]


class Challenge(msgspec.Struct, frozen=True):
    """Which bot challenges which."""

    challenger: Id
    challenged: Id


class LadderPart(Part):
    """Ranking boards, and what is played on them."""

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self._ladders = Ladders(site.file, site.store)
        self._limit = RateLimit(burst=20, per_second=0.5)
        self._shown: dict[tuple[str, Role], tuple[float, asyncio.Task[bytes]]] = {}
        site.lobby.elsewhere.append(self._past)

    def routes(self) -> Sequence[BaseRoute]:
        """Where its handlers are found."""
        guard, ladder = self.site.guard, "/api/site/ladders/{id}"
        return [
            guard.open("/api/site/ladders", self._list),
            guard.open(ladder, self._ladder),
            guard.open(f"{ladder}/games", self._games),
            guard.route(f"{ladder}/table.csv", Role.ORGANISER, self._table),
            guard.route(f"{ladder}/challenges", Role.MEMBER, self._challenges),
            guard.open("/api/site/ladder-games/{id}", self._game),
            guard.route("/api/site/matches", Role.MEMBER, self._challenge, "POST"),
            guard.route("/api/site/matches/{id}/cancel", Role.MEMBER, self._cancel, "POST"),
        ]

    def _past(self, id: str) -> tuple[StoredGame, Sequence[Event]] | None:
        """A game of a ladder that is over, for whoever wants to see it again."""
        found = self._ladders.game(id)
        if found is None or not found.has_record:
            return None
        try:
            return past_game(id, found.named)
        except (PolyversiError, ValueError) as error:
            raise DamagedError(f"the game {id} in {self.site.store.name} is damaged: {error}") from error

    async def _list(self, _: Request, __: Person | None) -> Response:
        """All ladders there are."""
        return json_response({"ladders": [_settings(one) for one in self.site.file.settings.ladders]})

    async def _ladder(self, request: Request, person: Person | None) -> Response:
        """A ladder: ranking, queue and the last games; whose bots these are only people of the site see."""
        ladder, role = self._found(request), person.role if person else Role.ANYBODY
        now = time.monotonic()
        since, shown = self._shown.get((ladder.id, role), (0.0, None))
        if shown is None or now - since > FRESH_SECONDS:
            shown = asyncio.create_task(self._show(ladder, role))
            self._shown[ladder.id, role] = now, shown
        data = await asyncio.shield(shown)
        return Response(data, headers={"cache-control": "no-store"}, media_type="application/json")

    async def _show(self, ladder: LadderSettings, role: Role) -> bytes:
        is_named = role > Role.ANYBODY

        def read() -> tuple[list[Ranked], list[LadderMatch], int, list[LadderGame]]:
            return (self._ladders.ranking(ladder.id), self._ladders.queue(ladder.id),
                    self._ladders.open_matches(ladder.id), self._ladders.games(ladder.id))

        ranking, queue, waiting, games = await asyncio.to_thread(read)
        status = self.site.conductor.status    # of which the groups of events are for organisers
        return msgspec.json.encode({
            **_settings(ladder),
            "ranking": [_ranked(one, is_named) for one in ranking],
            "queue": [self._queued(match, is_named) for match in queue],
            "waiting": waiting,
            "playing": self._playing(queue),
            "games": [_game(game, is_named) for game in games],
            "is_last": len(games) < PAGE,
            "status": {"problem": status.problem, "jobs": status.jobs, "busy": status.busy,
                       "detail": status.detail if role >= Role.ORGANISER else ""},
        })

    def _playing(self, queue: Sequence[LadderMatch]) -> list[ListedGame]:
        """The games that are shown while they are played, for little boards."""
        ids = [game_id(match.id, number) for match in queue for number in range(1, GAMES + 1)]
        rooms = [self.site.lobby.rooms[id] for id in ids if id in self.site.lobby.rooms]
        return [room.listed() for room in rooms[:MAX_PLAYING]]

    def _queued(self, match: LadderMatch, is_named: bool = True) -> dict[str, Any]:
        ids = [game_id(match.id, number) for number in range(1, GAMES + 1)]
        return {
            "id": match.id,
            "challenger": _bot(match.challenger, is_named),
            "challenged": _bot(match.challenged, is_named),
            "is_automatic": not match.asked_by,
            "asked_by": match.asked_by if is_named else "",
            "phase": match.phase,
            "created": match.created,
            "live": [id for id in ids if id in self.site.lobby.rooms],
        }

    async def _games(self, request: Request, person: Person | None) -> Response:
        """Older games, or those of one bot."""
        ladder, query = self._found(request), request.query_params
        try:
            before = float(query["before"]) if query.get("before") else None
        except ValueError:
            raise HttpError(400, "the place where the list goes on is not one; begin without it") from None
        games = await asyncio.to_thread(self._ladders.games, ladder.id, query.get("bot", "")[:40], before)
        shown = [_game(game, person is not None) for game in games]
        return json_response({"games": shown, "is_last": len(games) < PAGE})

    async def _table(self, request: Request, _: Person) -> Response:
        """The ranking with the owners of bots as a table to take away."""
        ladder = self._found(request)
        table = ranking_csv(await asyncio.to_thread(self._ladders.ranking, ladder.id))
        headers = {"content-disposition": f"attachment; filename*=UTF-8''{quote(ladder.id, safe='')}.csv",
                   "cache-control": "no-store"}
        return Response(table, headers=headers, media_type="text/csv")

    async def _challenges(self, request: Request, person: Person) -> Response:
        """What has become of one's last challenges."""
        ladder = self._found(request)
        ended = await asyncio.to_thread(self._ladders.ended, person, ladder.id)
        return json_response({"challenges": [_ended(match, games) for match, games in ended]})

    async def _game(self, request: Request, person: Person | None) -> Response:
        """One game, with what a bot has written to its standard error for those whose bot it is."""
        game = await asyncio.to_thread(self._ladders.game, request.path_params["id"])
        if game is None:
            raise HttpError(404, NO_GAME)
        outputs = [output if bot.is_of(person) else None
                   for bot, output in zip(game.bots, game.played.outputs or NO_OUTPUTS, strict=False)]
        return json_response({**_game(game, person is not None), "outputs": outputs})

    async def _challenge(self, request: Request, person: Person) -> Response:
        """A member's bot challenges one above it."""
        wanted = await parse_body(request, Challenge)
        if not self._limit.take(person.id):
            raise HttpError(429, TOO_MANY)
        match = await asyncio.to_thread(self._ladders.challenge, person, wanted.challenger, wanted.challenged)
        self._changed(match.ladder)
        return json_response(self._queued(match), 201)

    async def _cancel(self, request: Request, person: Person) -> Response:
        """Takes a challenge back that has not begun."""
        match = await asyncio.to_thread(self._ladders.cancel, person, request.path_params["id"])
        self._changed(match.ladder)
        return json_response({})

    def _changed(self, ladder: str) -> None:
        """Whoever looks next sees it, and the conductor looks at once."""
        for role in Role:
            self._shown.pop((ladder, role), None)
        self.site.conductor.nudge()

    def _found(self, request: Request) -> LadderSettings:
        try:
            return self.site.file.ladder(request.path_params["id"])
        except SiteError as error:
            raise HttpError(404, str(error)) from None


def _settings(ladder: LadderSettings) -> dict[str, Any]:
    return {"id": ladder.id, "title": ladder.title, "spec": ladder.variant, "variant": title(ladder.variant),
            "limit": ladder.limit, "memory": ladder.memory, "least": ladder.games}


def _bot(bot: Bot, is_named: bool) -> dict[str, Any]:
    owner, name = (bot.owner, bot.owner_name) if is_named else ("", "")
    return {"id": bot.id, "name": bot.name, "owner": owner, "owner_name": name}


def _ranked(one: Ranked, is_named: bool) -> dict[str, Any]:
    return {"rank": one.rank, "bot": _bot(one.bot, is_named), "version": one.bot.active,
            "rating": one.strength.rating, "error": one.strength.error, "games": one.games,
            "trend": one.trend, "steps": [round(step) for step in one.steps]}


def _ended(match: LadderMatch, games: Sequence[LadderGame]) -> dict[str, Any]:
    """A challenge that is over or cancelled, with the points of both bots in the games that were played."""
    pair = match.challenger, match.challenged
    points = [sum(own for game in games for bot, own in zip(game.bots, game.played.points, strict=True)
                  if bot.id == one.id) for one in pair]
    challenger, challenged = (_bot(one, is_named=True) for one in pair)
    return {"id": match.id, "challenger": challenger, "challenged": challenged, "phase": match.phase,
            "reason": match.reason, "created": match.created, "points": points,
            "games": [game.id for game in games if game.has_record]}


def _game(game: LadderGame, is_named: bool) -> dict[str, Any]:
    """A game as everybody may know it."""
    played = game.played
    return {
        "id": game.id, "match": game.match, "ended": played.ended, "is_automatic": game.is_automatic,
        "bots": [{**_bot(bot, is_named), "version": version}
                 for bot, version in zip(game.bots, game.versions, strict=True)],
        "result": {"scores": played.scores, "ranks": played.ranks, "points": played.points,
                   "reason": played.reason, "verdict": played.verdict},
        "has_record": game.has_record,
    }
