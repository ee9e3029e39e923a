"""New games: what a visitor wants to play, checked, and made into a game to be stored."""

from __future__ import annotations

import random
import secrets
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import msgspec

from polyversi.games.errors import PlayerError, PolyversiError, VariantError
from polyversi.games.game import Game
from polyversi.games.state import State
from polyversi.games.xtmap import check_playable
from polyversi.players import Limit, check_visitor_options, player
from polyversi.protocols.spec import is_bot
from polyversi.records.maps import embedded_map, name_without_path, named_game
from polyversi.server.bots import BotFolder
from polyversi.server.players import MAX_SECONDS
from polyversi.server.tokens import hash_token, new_token
from polyversi.storage.stored import Phase, StoredGame, StoredSeat, Summary

Short = Annotated[str, msgspec.Meta(max_length=200)]
Name = Annotated[str, msgspec.Meta(max_length=40)]
Line = Annotated[str, msgspec.Meta(max_length=1 << 14)]
MapText = Annotated[str, msgspec.Meta(max_length=1_000_000)]
MAX_TILES = 10_000
"""Tiles of a visitor's map; the events of a game hold as many characters as the square of that."""
GUEST = "Guest"
"""What somebody is called who has not said a name."""
Seed = Annotated[int, msgspec.Meta(ge=0, le=2**53)]


class NewSeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who is to sit on a seat: whoever sets the game up, a friend with a link, or a player of this server."""

    kind: Literal["me", "friend", "computer"]
    player: Short = ""
    name: Name = ""


class NewGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a visitor wants to play."""

    seats: Annotated[list[NewSeat], msgspec.Meta(min_length=1, max_length=8)]
    spec: Short = ""
    map: MapText = ""
    position: Line = ""
    limit: Short = "none"
    seed: Seed | None = None


@dataclass(frozen=True)
class Prepared:
    """A game that can begin: what is stored of it, and the tokens that are not."""

    stored: StoredGame
    token: str
    """Of all seats of whoever set the game up; empty when that one only watches."""
    friends: dict[int, str]
    """The token of each seat that is given away."""


def chosen_game(spec: str, map_text: str = "") -> Game:
    """The game that a visitor names, on a map of the visitor's own if there is one; never reads a file.

    A map must not be too large, and somebody must be able to play on it.

    >>> chosen_game("othello-6").board.size
    36
    """
    if not spec and not map_text:
        raise VariantError("name a variant, such as 'othello', or send a map")
    game = named_game(spec, map_text, max_tiles=MAX_TILES)
    if map_text:
        check_playable(game)
    return game


def prepare(wanted: NewGame, bots: BotFolder) -> Prepared:
    """Checks what a visitor wants and makes it ready to be stored.

    >>> wanted = NewGame([NewSeat("me"), NewSeat("computer", "random")], "othello-6", limit="bank=60")
    >>> ready = prepare(wanted, BotFolder(None))
    >>> ready.stored.spec, ready.stored.limits, ready.stored.phase, len(ready.token)
    ('othello-6', ('bank=60', 'seconds=20,bank=60'), 'running', 22)
    """
    game = chosen_game(wanted.spec, wanted.map)
    if len(wanted.seats) != game.seats:
        raise PlayerError(f"{game.spec} has {game.seats} seats, not {len(wanted.seats)}")
    limit = Limit.parse(wanted.limit)
    start = game.position(wanted.position) if wanted.position else start_of(game, wanted.seed)
    if start.is_over:
        raise PlayerError("the game is over in this position; there is nothing left to play")
    mine = new_token() if any(seat.kind == "me" for seat in wanted.seats) else ""
    friends = {number: new_token() for number, seat in enumerate(wanted.seats, 1) if seat.kind == "friend"}
    seats = tuple(
        _computer(seat, game, bots) if seat.kind == "computer"
        else StoredSeat("human", "", _printable(seat.name) or GUEST if seat.kind == "me" else "",
                        hash_token(friends.get(number, mine)))
        for number, seat in enumerate(wanted.seats, 1)
    )
    stored = new_stored_game(start, seats, [_limit_of(seat, limit) for seat in seats])
    phase: Phase = "waiting" if friends else "running"
    return Prepared(replace(stored, spec=game.spec, phase=phase), mine, friends)


def new_stored_game(start: State, seats: Iterable[StoredSeat], limits: Iterable[Limit]) -> StoredGame:
    """A game as it is stored before it begins, under a new id; a map's name is told without its folders."""
    game, chart = start.game, embedded_map(start.game)
    return StoredGame(
        id=secrets.token_urlsafe(9),
        spec=name_without_path(game) if chart else game.spec,
        map=chart,
        start=start.text,
        seats=tuple(seats),
        limits=tuple(map(str, limits)),
        created=time.time(),
        phase="running",
    )


def marked(stored: StoredGame, mark: str) -> StoredGame:
    """The game with the mark of the visitor who has set it up."""
    return replace(stored, seats=tuple(replace(seat, visitor=mark) for seat in stored.seats))


def start_of(game: Game, seed: int | None = None) -> State:
    """The start of a game, drawn anew where it is drawn and neither seed nor game say from what.

    >>> start_of(chosen_game("hex:seed=5")) == chosen_game("hex:seed=5").start()
    True
    """
    if seed is None and "seed=" not in game.spec:
        seed = random.getrandbits(32)
    return game.start(seed)


def rematch_of(stored: StoredGame) -> StoredGame:
    """The same game once more with everybody moved on by a seat, people with their tokens."""
    seats = stored.seats[1:] + stored.seats[:1]
    game = named_game(stored.spec, stored.map)
    start = start_of(game).text if game.definition.random_cells else stored.start
    return replace(
        stored, id=secrets.token_urlsafe(9), seats=seats, limits=stored.limits[1:] + stored.limits[:1],
        start=start, created=time.time(), phase="running", ended=None,
        summary=Summary(grace=stored.summary.grace), following="",
    )


def _computer(seat: NewSeat, game: Game, bots: BotFolder) -> StoredSeat:
    if is_bot(seat.player):
        name, reason = seat.player, bots.unsuited(seat.player, game)
    else:
        check_visitor_options(seat.player)    # first: a player reads its weights as soon as it is made
        chosen = player(seat.player)
        reason, name = chosen.unsuited(game), chosen.spec()
    if reason:
        raise PlayerError(f"{name} does not play {game.spec}: {reason}")
    return StoredSeat("computer", name, name, "")


def _limit_of(seat: StoredSeat, limit: Limit) -> Limit:
    """The limit of the game, and on a clock a bound on what a computer may cost the server.

    Without a clock the referee's timeout is that bound.
    """
    if seat.kind == "human" or not limit.is_timed:
        return limit
    return replace(limit, seconds=min(MAX_SECONDS, limit.seconds or MAX_SECONDS))


def _printable(name: str) -> str:
    if not name.isprintable():
        raise PolyversiError("a name can only have printable characters")
    return name.strip()
