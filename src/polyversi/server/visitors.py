"""What visitors make of our players: how one plays is theirs to choose, what it costs the server is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polyversi.games.errors import PlayerError
from polyversi.players import PLAYERS, named_options, options_of, player

if TYPE_CHECKING:
    from polyversi.players import OptionInfo, Player

CHOSEN = frozenset({"depth", "gamma", "level", "matrix", "method", "pruning", "seed"})
"""Options that visitors may give: within a move's time they cost nothing. All others, of players to come as
well, are for the command line, since they may cost memory or processors, or read files of this machine."""
MEANS = {"threads": 1, "hash": 16}
"""What players have here whatever they usually have, hash in megabytes: there may be thousands of them."""


def open_options(cls: type[Player]) -> list[OptionInfo]:
    """The options of a player that visitors may give.

    >>> [option.name for option in open_options(PLAYERS["polyversi"])]
    ['level', 'seed']
    """
    return [option for option in options_of(cls) if option.name in CHOSEN]


def check_open(spec: str) -> None:
    """Raises a PlayerError when a specification gives an option that is not for visitors.

    >>> check_open("polyversi:level=5,threads=64")
    Traceback (most recent call last):
    polyversi.games.errors.PlayerError: the option 'threads' of polyversi is for the command line only, ...
    """
    name, given = spec.partition(":")[0].strip(), named_options(spec)
    for option in options_of(PLAYERS[name]) if name in PLAYERS else []:
        if option.name in given - CHOSEN:
            raise PlayerError(
                f"the option '{option.name}' of {name} is for the command line only, since the server bears "
                "what it costs; choose the player without it"
            )


def modest_player(spec: str) -> Player:
    """The player of a specification, with the means that it has here.

    >>> modest_player("polyversi:level=5").spec(), modest_player("t77").spec()
    ('polyversi:level=5,hash=16', 't77')
    """
    check_open(spec)
    takes = {option.name for option in options_of(type(player(spec)))}
    return player(spec, **{name: value for name, value in MEANS.items() if name in takes})
