"""What a player is: a small class that chooses moves, with its options as fields."""

from __future__ import annotations

import types
import typing
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from functools import cache
from random import Random
from typing import Any, ClassVar, TypeVar, cast

import msgspec
import numpy as np

from polyversi._core import Move
from polyversi.games.board import shorten
from polyversi.games.errors import PlayerError
from polyversi.games.family import Number
from polyversi.games.game import Game
from polyversi.games.limit import NO_LIMIT, Limit
from polyversi.games.registry import Registry
from polyversi.games.state import State


class Player(ABC):
    """Chooses moves. A subclass is a dataclass: its fields are its options, its docstring says what it does.

    >>> import polyversi as pv
    >>> pv.player("random", seed=1).choose(pv.game("othello").start()).is_pass
    False
    """

    name: ClassVar[str]
    """What it is called on the command line."""
    strength: ClassVar[int] = 0
    """How well it plays, from 0 (at random) to about 100; lists have the strongest first."""
    offered: ClassVar[Mapping[str, object]] = {}
    """The options with which people are offered it as an opponent, where its full strength is no fun."""

    @abstractmethod
    def choose(self, state: State, limit: Limit = NO_LIMIT) -> Move:
        """The move to play; the state is not over."""

    def prepare(self, game: Game) -> None:  # noqa: B027 most have nothing to do
        """Gets ready for a game before any clock runs."""

    def stop(self) -> None:  # noqa: B027 most are quick
        """Ends the search that another thread runs, and every later one until `resume`."""

    def resume(self) -> None:  # noqa: B027 most never stop
        """Lets it search again after a stop."""

    def unsuited(self, game: Game) -> str | None:  # noqa: ARG002
        """Why it cannot play a game, in a sentence, or None when it can."""
        return None

    def spec(self) -> str:
        """The player with the options that are not the defaults, as `player` reads it.

        >>> import polyversi as pv
        >>> pv.player("random", seed=3).spec()
        'random:seed=3'
        """
        given = [
            f"{field.name}={_written(getattr(self, field.name))}"
            for field in fields(cast("Any", self))
            if field.init and getattr(self, field.name) != field.default
        ]
        return f"{self.name}:{','.join(given)}" if given else self.name


@dataclass
class SeededPlayer(Player):
    """A player that draws among moves."""

    seed: int | None = None
    """Makes its choices repeatable."""
    _random: Random = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self._random = Random(self.seed)


def _written(value: object) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)


C = TypeVar("C", bound=type)


def _made_player(name: str, found: object) -> type[Player]:
    """The class as a player of that name; whatever a plain class lacks it gets from Player."""
    if not isinstance(found, type) or not callable(getattr(found, "choose", None)):
        raise TypeError(f"a player is a class with a method choose(state, limit), and '{name}' is none")
    made: type = dataclass(found)
    if not issubclass(made, Player):
        made = dataclass(type(found.__name__, (found, Player), {
            "__doc__": found.__doc__, "__module__": found.__module__,
            "__reduce__": lambda self: (player, (self.spec(),)),    # its module has only the plain class
        }))
    made.name = name
    return made


PLAYERS: Registry[type[Player]] = Registry(
    "polyversi.players", lambda name, found: [(name, _made_player(name, found))], {}
)
"""Every player by its name; those of other packages come from their entry points in `polyversi.players`."""


@typing.dataclass_transform()
def register(name: str) -> Callable[[C], C]:
    """Makes a class a player of that name: a subclass of Player, or any class that can `choose`.

    >>> import polyversi as pv
    >>> @register("last")
    ... class Last:
    ...     "Plays the last legal move."
    ...     def choose(self, state, limit=NO_LIMIT):
    ...         return state.moves[-1]
    >>> pv.player("last").choose(pv.game("othello").start())
    Move('e6')
    >>> del PLAYERS["last"]
    """

    def enter(cls: C) -> C:
        PLAYERS[name] = made = _made_player(name, cls)
        return cast("C", made)

    return enter


@dataclass(frozen=True)
class OptionInfo:
    """An option of a player: what it is called, what it takes, and its default."""

    name: str
    type: Any
    default: Any
    bounds: Number | None = None
    """Those that the player declares: `Annotated[int, Number(1, 20)]`."""

    @property
    def choices(self) -> list[Any]:
        """The values or types it chooses from, if it does."""
        return [choice for choice in typing.get_args(self.type) if choice is not types.NoneType]

    def __str__(self) -> str:
        takes = self.choices or [self.bounds or self.type]
        return f"{self.name}={'|'.join(getattr(one, '__name__', str(one)) for one in takes)}"


@cache
def options_of(cls: type[Player]) -> tuple[OptionInfo, ...]:
    """The options of a player, in order.

    >>> [option.name for option in options_of(PLAYERS["random"])]
    ['seed']
    """
    hints, notes = typing.get_type_hints(cls), typing.get_type_hints(cls, include_extras=True)
    return tuple(
        OptionInfo(
            field.name,
            hints[field.name],
            None if field.default is MISSING else field.default,
            next((note for note in typing.get_args(notes[field.name]) if isinstance(note, Number)), None),
        )
        for field in fields(cast("Any", cls))
        if field.init
    )


def named_options(spec: str) -> set[str]:
    """The names of the options that a specification gives, whether or not there are such options.

    >>> sorted(named_options("matrix:gamma=0.5,depth=3")), named_options("t77")
    (['depth', 'gamma'], set())
    """
    rest = spec.partition(":")[2]
    return {word.partition("=")[0] for word in rest.split(",")} if rest else set()


def player(spec: str, **options: object) -> Player:
    """The player of that name, with its options after a colon or as keywords.

    >>> import polyversi as pv
    >>> pv.player("random:seed=7") == pv.player("random", seed=7)
    True
    """
    name, _, rest = spec.strip().partition(":")
    cls = PLAYERS.get(name)
    if cls is None:
        raise PlayerError(f"there is no player '{shorten(name)}'; there are {', '.join(PLAYERS)}")
    known = {option.name: option for option in options_of(cls)}
    words = [word.partition("=") for word in rest.split(",")] if rest else []
    unknown = ["".join(word) for word in words if word[0] not in known or not word[1]]
    if unknown := [*unknown, *sorted(options.keys() - known.keys())]:
        listed = ", ".join(map(str, known.values())) or "none"
        raise PlayerError(f"'{shorten(unknown[0])}' is no option of {name}; it takes {listed}")
    given = {key: _checked(name, known[key], value) for key, value in options.items()}
    given |= {key: _checked(name, known[key], text, is_text=True) for key, _, text in words}
    return cls(**given)


def _checked(name: str, option: OptionInfo, value: object, *, is_text: bool = False) -> object:
    """The value, or what a text stands for, if the option takes it."""
    if option.type is bool and is_text:
        value = {"yes": "true", "no": "false"}.get(str(value), value)
    elif isinstance(value, np.generic):
        value = value.item()    # NumPy has numbers of its own
    try:
        found: Any = msgspec.convert(value, option.type, strict=not is_text)
        if option.bounds is None or option.bounds.low <= found <= option.bounds.high:
            return found
    except msgspec.ValidationError:
        pass
    shown = shorten(str(value) if is_text else repr(value))
    raise PlayerError(f"{option.name}={shown} is not possible for {name}; it takes {option}")
