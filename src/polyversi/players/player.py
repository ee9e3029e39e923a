"""What a player is: a small class that chooses moves, with its options as fields."""

from __future__ import annotations

import types
import typing
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast

from polyversi.games.board import shorten
from polyversi.games.errors import PlayerError
from polyversi.games.family import Number
from polyversi.games.limit import NO_LIMIT, Limit
from polyversi.games.registry import Registry

if TYPE_CHECKING:
    from polyversi._core import Move
    from polyversi.games.game import Game
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
    """How well it plays, from 0 (at random) to 100, roughly: lists have the strongest first."""
    offered: ClassVar[Mapping[str, object]] = {}
    """The options with which people are offered it as an opponent, where its full strength is no fun."""

    @abstractmethod
    def choose(self, state: State, limit: Limit = NO_LIMIT) -> Move:
        """The move to play; the state is not over."""

    def prepare(self, game: Game) -> None:  # noqa: B027 most have nothing to do
        """Gets ready for a game before any clock runs."""

    def stop(self) -> None:  # noqa: B027 most are quick
        """Nobody waits any more for the move that another thread lets it choose: it may answer at once.

        The same holds for what it is asked before it may go on, so that no stop comes too early.
        """

    def resume(self) -> None:  # noqa: B027 most never stop
        """Lets it think again after a stop."""

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

    def __str__(self) -> str:
        choices = typing.get_args(self.type)
        takes = "|".join(str(choice) for choice in choices if choice is not types.NoneType) if choices else ""
        takes = takes or str(self.bounds or "")
        return f"{self.name}={takes or self.type.__name__}".replace("<class '", "").replace("'>", "")


def options_of(cls: type[Player]) -> list[OptionInfo]:
    """The options of a player, in order.

    >>> import polyversi as pv
    >>> from polyversi.players import PLAYERS
    >>> [option.name for option in options_of(PLAYERS["random"])]
    ['seed']
    """
    hints, notes = typing.get_type_hints(cls), typing.get_type_hints(cls, include_extras=True)
    return [
        OptionInfo(
            field.name,
            hints[field.name],
            None if field.default is MISSING else field.default,
            next((note for note in typing.get_args(notes[field.name]) if isinstance(note, Number)), None),
        )
        for field in fields(cast("Any", cls))
        if field.init
    ]


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
    given: dict[str, object] = dict(options)
    for word in rest.split(",") if rest else []:
        key, equals, text = word.partition("=")
        if key not in known or not equals:
            raise PlayerError(f"'{shorten(word)}' is no option of {name}; it takes {_listed(known)}")
        given[key] = _value(name, known[key], text)
    if unknown := sorted(set(given) - set(known)):
        raise PlayerError(f"'{shorten(unknown[0])}' is no option of {name}; it takes {_listed(known)}")
    return cls(**given)


def _listed(known: Mapping[str, OptionInfo]) -> str:
    return ", ".join(map(str, known.values())) or "none"


def _value(name: str, option: OptionInfo, text: str) -> object:
    """The text as a value of the option's type."""
    choices = [choice for choice in typing.get_args(option.type) if choice is not types.NoneType]
    plain = [choice for choice in choices if isinstance(choice, type)] or ([] if choices else [option.type])
    for choice in choices:
        if not isinstance(choice, type) and str(choice) == text:
            return choice
    for kind in plain:
        if kind is bool and text in ("yes", "no", "true", "false"):
            return text in ("yes", "true")
        if kind in (int, float, str):
            try:
                return kind(text)
            except ValueError:
                continue
    raise PlayerError(f"{option.name}={shorten(text)} is not possible for {name}; it takes {option}")
