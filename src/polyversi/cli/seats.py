"""Seats from the words of a command line: people, players of ours and bots."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast, get_args

from polyversi.contest.schedule import SeatOrder
from polyversi.games.board import shorten
from polyversi.games.errors import PlayerError
from polyversi.players import Limit, player

if TYPE_CHECKING:
    from collections.abc import Sequence

    from polyversi.games.game import Game

HUMAN = "human"
OPPONENTS = ("polyversi:level=5", "t77", "random")
"""Who plays against a person that has named nobody: the first of these that plays the game."""


def usual_opponent(game: Game) -> str:
    """A player that is worth playing against.

    >>> import polyversi as pv
    >>> usual_opponent(pv.game("othello")), usual_opponent(pv.game("torus"))
    ('polyversi:level=5', 't77')
    """
    return next(spec for spec in OPPONENTS if player(spec).unsuited(game) is None)


def seat_words(game: Game, players: Sequence[str], seat: int | None) -> list[str]:
    """Who sits where: one word for each seat, `human` or a player's specification.

    As many players as seats sit in their order. Otherwise the person takes a seat, the first unless another
    is given, and the players the other ones, the last of them as often as there are seats left.

    >>> import polyversi as pv
    >>> seat_words(pv.game("othello"), ["random"], seat=2), seat_words(pv.game("rolit"), ["random"], None)
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
    others = [*players, *[players[-1] if players else usual_opponent(game)] * (free - len(players))]
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
    """When players change seats, from the word for it.

    >>> seat_order("alternate")
    'alternate'
    """
    if text not in get_args(SeatOrder):
        known = " or ".join(get_args(SeatOrder))
        raise PlayerError(f"seats do not change as '{shorten(text)}'; write {known}")
    return cast("SeatOrder", text)
