"""Options that several commands have: seats, time limits, and the file that games are added to."""

from __future__ import annotations

import ipaddress
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, cast, get_args

from polyversi.contest.model import SeatOrder
from polyversi.games.board import shorten
from polyversi.games.errors import PlayerError, RecordError
from polyversi.players import Limit, player
from polyversi.storage.line_file import RecordFile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from polyversi.games.game import Game

HUMAN = "human"
OPPONENTS = ("polyversi:level=5", "t77", "random")
"""The default opponents: the first of these that plays the game."""


def default_opponent(game: Game) -> str:
    """The opponent of a person who has named none.

    >>> import polyversi as pv
    >>> default_opponent(pv.game("othello")), default_opponent(pv.game("torus"))
    ('polyversi:level=5', 't77')
    """
    return next(spec for spec in OPPONENTS if player(spec).unsuited(game) is None)


def seat_specs(game: Game, players: Sequence[str], seat: int | None) -> list[str]:
    """The player of each seat: `human` or a player's specification.

    As many players as seats take the seats in order. Otherwise the person has a seat, the first by default,
    and the players have the others, the last of them as often as needed.

    >>> import polyversi as pv
    >>> seat_specs(pv.game("othello"), ["random"], seat=2), seat_specs(pv.game("rolit"), ["random"], None)
    (['random', 'human'], ['human', 'random', 'random', 'random'])
    """
    if len(players) == game.seats and seat is None:
        return list(players)
    mine = 1 if seat is None else seat
    if mine > game.seats:
        raise PlayerError(f"{game.spec} has the seats 1 to {game.seats}, not {mine}")
    free = game.seats - (mine > 0)
    if len(players) > free:
        where = f", and you have seat {mine}" if mine else ""
        raise PlayerError(f"{game.spec} has {game.seats} seats{where}: too many players are named")
    others = [*players, *[players[-1] if players else default_opponent(game)] * (free - len(players))]
    if mine:
        others.insert(mine - 1, HUMAN)
    return others


def limits(texts: Sequence[str], seats: int) -> list[Limit]:
    """The limit of each seat: none, one for all, or one for each.

    >>> [str(limit) for limit in limits(["none", "seconds=5"], 2)]
    ['none', 'seconds=5']
    """
    if len(texts) not in (0, 1, seats):
        raise PlayerError(f"{len(texts)} limits for {seats} seats; give one for all, or one for each seat")
    read = [Limit.parse(text) for text in texts] or [Limit()]
    return read * seats if len(read) == 1 else read


def seat_order(text: str) -> SeatOrder:
    """When players change seats, from the option's text.

    >>> seat_order("alternate")
    'alternate'
    """
    if text not in get_args(SeatOrder):
        known = " or ".join(get_args(SeatOrder))
        raise PlayerError(f"seats do not change as '{shorten(text)}'; write {known}")
    return cast("SeatOrder", text)


def listening_at(address: str, port: int) -> tuple[str, bool | None]:
    """An address as people write it, and whether others can reach it; None where a name does not say so.

    >>> listening_at("::1", 7778), listening_at("0.0.0.0", 7778)
    (('[::1]:7778', False), ('port 7778 of every address of this machine', True))
    """
    shown = f"[{address}]:{port}" if ":" in address else f"{address}:{port}"
    try:
        given = ipaddress.ip_address(address)
    except ValueError:
        return shown, None
    where = f"port {port} of every address of this machine" if given.is_unspecified else shown
    return where, not given.is_loopback


def record_file(path: Path | None) -> RecordFile | nullcontext[None]:
    """The file of JSON Lines that games are added to as they end, or nothing where no path is given.

    >>> record_file(Path("game.ggf"))
    Traceback (most recent call last):
    polyversi.games.errors.RecordError: games are kept as JSON lines; name the file game.jsonl
    """
    if path is None:
        return nullcontext()
    if path.suffix.lower() != ".jsonl":
        raise RecordError(f"games are kept as JSON lines; name the file {path.with_suffix('.jsonl').name}")
    return RecordFile(path)
