"""The explorer of the page: what was played in a position, here and in the games of databases."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from polyversi._core import Move
from polyversi.engines.book import Book, book_values
from polyversi.records.opening_names import opening_name
from polyversi.records.position_keys import equal_moves
from polyversi.server.limits import ConcurrencyLimit, RateLimit, visitor_of
from polyversi.server.new_game import Line, MapText, Short, chosen_game
from polyversi.server.responses import HttpError, json_response, limited, parse_body
from polyversi.storage.errors import StoreError
from polyversi.storage.explorer import Example, Explorer, Played, merged
from polyversi.storage.explorer_feed import Feed, beside
from polyversi.storage.games import Store

# isort: split
import msgspec

MAX_CONCURRENT = 2
"""Positions that are looked up for one visitor at the same time."""
EXAMPLES = 8
"""Games that are shown of a position."""


class Position(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A position that somebody looks at; of a game's start without one."""

    spec: Short = ""
    map: MapText = ""
    position: Line = ""


class OpeningExplorer:
    """Answers what is known of positions: by games of this store, and by databases of the operator."""

    def __init__(self, store: Store, say: Callable[[str], None], others: Sequence[Explorer] = (),
                 books: Sequence[Book] = ()) -> None:
        self._store = store
        self._books = books
        self._feed: Feed | None = None
        try:
            self._feed = Feed(store, Explorer.open(beside(store.where)), say)
        except StoreError as error:    # games can be played without it
            say(f"the explorer does not know the games of this store: {error}")
        own = [self._feed.explorer] if self._feed else []
        self._explorers = [*own, *others]
        self._limit = RateLimit(burst=120, per_second=10)
        self._concurrency = ConcurrencyLimit(MAX_CONCURRENT)

    def start(self) -> None:
        """Begins to count the games of the store that are over, and goes on as others end."""
        if self._feed is not None:
            self._feed.start()

    def close(self) -> None:
        """Ends the counting; takes as long as a few games take to count."""
        if self._feed is not None:
            self._feed.close()
            self._feed.explorer.close()

    def routes(self) -> list[Route]:
        """Where it is found."""
        return [Route("/api/explorer", limited(self.explore, self._limit), methods=["GET", "POST"])]

    async def explore(self, request: Request) -> Response:
        """The moves that were played in a position, how these games ended, and some of them."""
        if request.method == "POST":
            asked = await parse_body(request, Position)
        else:
            try:
                asked = msgspec.convert(dict(request.query_params), Position)
            except msgspec.ValidationError as error:
                raise HttpError(400, f"this is not a valid request: {error}") from None
        async with self._concurrency.of(visitor_of(request)):
            return json_response(await asyncio.to_thread(partial(self._told, asked)))

    def _told(self, asked: Position) -> dict[str, Any]:
        game = chosen_game(asked.spec, asked.map)
        state = game.position(asked.position) if asked.position else game.start()
        report = merged(state, (explorer.at(state, EXAMPLES) for explorer in self._explorers), EXAMPLES)
        here = self._store.existing({example.stored for example in report.examples} - {""})
        values = book_values(state, self._books)
        played = {move for one in report.moves for move in (one.move, *one.same)}
        unplayed = [Played(move, tuple(same), 0, 0, 0, 0, 0, 0.0) for move, *same in
                    equal_moves(state).values() if move in values and move not in played]
        return {
            "opening": opening_name(state),
            "games": report.games,
            "moves": [_move(one, values) for one in (*report.moves, *unplayed)],
            "examples": [_example(example, here) for example in report.examples],
        }


def _move(played: Played, values: Mapping[Move, int]) -> dict[str, Any]:
    return {
        "move": str(played.move), "same": [str(move) for move in played.same], "games": played.games,
        "wins": played.wins, "draws": played.draws, "losses": played.losses, "mean": played.mean,
        "book": values.get(played.move),
    }


def _example(example: Example, here: Collection[str]) -> dict[str, Any]:
    """A game as the page shows it; with its id only if it can be opened."""
    return {
        "players": list(example.players), "year": example.year, "scores": list(example.scores),
        "event": example.event, "move": str(example.move),
        "id": example.stored if example.stored in here else None,
    }
