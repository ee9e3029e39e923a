"""Seating: a player's specification becomes a seat at the board, whether it plays here or in a process."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from polyversi.gameplay.seat import LocalSeat, Seat
from polyversi.games.errors import PlayerError
from polyversi.players import options_of, player
from polyversi.protocols.spec import bot_from, is_bot

if TYPE_CHECKING:
    from collections.abc import Sequence

    from polyversi.gameplay.bots.sandbox import Sandbox
    from polyversi.games.game import Game


def seat_of(
    spec: str,
    *,
    name: str | None = None,
    seed: int | None = None,
    protection: Sandbox | None = None,
    suspends: bool = False,
    in_thread: bool = False,
) -> Seat:
    """The seat of a player; a seed is for those that take one, and goes together with one of their own.

    The protection is for bots, as is standing still while others think. In a thread of its own a player of
    ours does not hold up the event loop of whoever also talks to the network.

    >>> seat_of("random", seed=3).player.spec()
    'random:seed=3'
    >>> seat_of("random:seed=1", name="Ann").name
    'Ann'
    """
    if is_bot(spec):
        seat = bot_from(spec, protection, suspends=suspends)
        seat.name = name or seat.name
        return seat
    chosen = player(spec)
    takes_seed = any(option.name == "seed" for option in options_of(type(chosen)))
    if takes_seed and seed is not None:
        own = getattr(chosen, "seed", None)
        # A seed of one's own alone would make the same choices in every game of a match.
        chosen = replace(cast("Any", chosen), seed=seed if own is None else draw_seed(own, seed))
    return LocalSeat(chosen, name or spec, in_thread=in_thread)


def check_suited(specs: Sequence[str], game: Game) -> None:
    """Raises a PlayerError for a player or a bot that does not exist, and for one that does not play this.

    >>> import polyversi as pv
    >>> check_suited(["random", "random:seed=1"], pv.game("othello"))
    """
    for spec in specs:
        who = bot_from(spec) if is_bot(spec) else player(spec)
        if reason := who.unsuited(game):
            raise PlayerError(f"{spec} does not play {game.spec}: {reason}")


def unique_names(specs: Sequence[str]) -> tuple[str, ...]:
    """A name for each player, told apart where two are the same.

    >>> unique_names(["random", "t77", "random"])
    ('random', 't77', 'random#2')
    """
    names: list[str] = []
    for spec in specs:
        earlier = sum(name.partition("#")[0] == spec for name in names)
        names.append(f"{spec}#{earlier + 1}" if earlier else spec)
    return tuple(names)


def draw_seed(*parts: object) -> int:
    """A seed that depends on all of its parts and on nothing else.

    >>> draw_seed(1, "opening", 2) == draw_seed(1, "opening", 2) != draw_seed(1, "opening", 3)
    True
    """
    return random.Random("/".join(map(str, parts))).getrandbits(32)
