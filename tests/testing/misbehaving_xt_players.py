"""The program of a thinking player, with players that misbehave each in its own way."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING, Any

from polyversi.players import NO_LIMIT, Limit, Player, register_player
from polyversi.server.xt.player_process import main

if TYPE_CHECKING:
    from polyversi._core import Move
    from polyversi.games.state import State


@register_player("first")
class First(Player):
    """Plays the first legal move, and is the base of the others."""

    def choose(self, state: State, limit: Limit = NO_LIMIT) -> Move:
        self.misbehave(limit)
        return state.moves[0]

    def misbehave(self, limit: Limit) -> Any:
        """Whatever it does instead of thinking."""


@register_player("sleeps")
class Sleeps(First):
    def misbehave(self, limit: Limit) -> Any:
        time.sleep(3600)


@register_player("spins")
class Spins(First):
    def misbehave(self, limit: Limit) -> Any:
        while True:
            pass


@register_player("holds")
class Holds(First):
    """Holds the interpreter's lock for much longer than any test takes: no other thread of it would run."""

    def misbehave(self, limit: Limit) -> Any:
        return pow(7, 7**11)


@register_player("raises")
class Raises(First):
    def misbehave(self, limit: Limit) -> Any:
        raise KeyError("nothing here")


@register_player("dies")
class Dies(First):
    def misbehave(self, limit: Limit) -> Any:
        os._exit(3)


@register_player("prints")
class Prints(First):
    def misbehave(self, limit: Limit) -> Any:
        print("thinking …", flush=True)


@register_player("late")
class Late(First):
    """Takes longer than it has, but not for ever."""

    def misbehave(self, limit: Limit) -> Any:
        assert limit.allowance is not None
        time.sleep(limit.allowance + 0.3)


@register_player("late-if-short")
class LateIfShort(First):
    """Takes longer than it has where that is little."""

    def misbehave(self, limit: Limit) -> Any:
        assert limit.allowance is not None
        if limit.allowance < 1:
            time.sleep(limit.allowance + 0.3)


@register_player("nonsense")
class Nonsense(First):
    def choose(self, state: State, limit: Limit = NO_LIMIT) -> Any:
        return "the best one"


@register_player("loses")
class Loses(First):
    """Its own process cannot even begin."""

    def __post_init__(self) -> None:
        sys.exit("no such luck")


if __name__ == "__main__":
    main()
