"""What a player is: an object that chooses moves; and the players that are known by name."""

from __future__ import annotations

import functools
import inspect
import re
import typing
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, is_dataclass
from random import Random
from typing import Annotated, Any, ClassVar, Protocol, TypeVar, cast, overload

import msgspec
import numpy as np

from polyversi._core import Move
from polyversi.games.board import shorten
from polyversi.games.errors import PlayerError
from polyversi.games.game import Game
from polyversi.games.limit import NO_LIMIT, Limit
from polyversi.games.registry import Registry, check_name, nearest
from polyversi.games.state import State
from polyversi.players.options import (
    HARMLESS,
    OptionInfo,
    named_options,
    options_of,
    parameters_of,
    written_value,
)


def _hyphenated(name: str) -> str:
    """The name of a class as names are written on the command line.

    >>> _hyphenated("MyFirstXTPlayer"), _hyphenated("_T78")
    ('my-first-xt-player', 't78')
    """
    words = re.findall(r"[A-Z]+(?![a-z])[0-9]*|[A-Z]?[a-z0-9]+", name)
    return "-".join(words).lower() or "player"


class Chooser(Protocol):
    """What is asked of a player at least: any object with this method can play."""

    def choose(self, state: State, limit: Limit, /) -> Move | str:
        """The move to play, or its text; the state is not over."""


class Player(ABC):
    """Chooses moves. A player of one's own is a subclass with a method `choose`, and needs nothing else.

    It may have an `__init__` and a `name` of its own. Instances play in `pv.play` and in matches;
    `pv.register_player` gives the class a name by which it is known everywhere.

    >>> import polyversi as pv
    >>> class FirstMove(pv.Player):
    ...     def choose(self, state, limit=pv.NO_LIMIT):
    ...         return state.moves[0]
    >>> finished = pv.play("othello-4", [FirstMove(), "random:seed=1"])
    >>> finished.record.players
    ('first-move', 'random:seed=1')
    """

    name: str
    """What it is called; the name of its class in lower case, with hyphens, if it is given no other."""
    label: ClassVar[str]
    """What people read in place of its name: `Tight grip` for t77. Without one, its name in words."""
    sentence: ClassVar[str]
    """What it is like to play against, for people; without one, the first sentence of its docstring."""
    levels: ClassVar[Sequence[str]] = ()
    """What each value of its option `level` means, in a sentence each, the lowest first; empty without it."""
    strength: ClassVar[int] = 0
    """How well it plays, from 0 (at random) to about 100; lists have the strongest first."""
    offered: ClassVar[Mapping[str, object]] = {}
    """The options with which the page first offers it, where it is too strong for most people otherwise."""

    is_quick: ClassVar[bool] = False
    """Whether it looks no further than the next move, and so answers at once whatever its limit is."""

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        if "name" not in vars(cls):
            cls.name = _hyphenated(cls.__name__)

    @abstractmethod
    def choose(self, state: State, limit: Limit = NO_LIMIT) -> Move:
        """The move to play; the state is not over."""

    def prepare(self, game: Game) -> None:  # noqa: B027 most have nothing to do
        """Gets ready for a game before any clock runs."""

    def stop(self) -> None:  # noqa: B027 most are quick
        """Ends the search that another thread runs, and every later one until `resume`."""

    def resume(self) -> None:  # noqa: B027 most never stop
        """Lets it search again after a stop."""

    def forget(self) -> None:  # noqa: B027 most remember nothing
        """Lets go of what it keeps to think faster, such as a transposition table."""

    def unsuited(self, game: Game) -> str | None:  # noqa: ARG002
        """Why it cannot play a game, in a sentence, or None when it can."""
        return None

    def strength_in(self, game: Game) -> int:  # noqa: ARG002
        """How well it plays a game; `strength` says how well it plays for the most stones."""
        return self.strength

    def spec(self) -> str:
        """The player's name and the options that are not the defaults; once registered, `pv.player` reads it.

        The options are the parameters of `__init__` that it keeps as attributes of the same name.

        >>> import polyversi as pv
        >>> pv.player("random", seed=3).spec()
        'random:seed=3'
        """
        given = []
        for option in parameters_of(type(self)):
            value = getattr(self, option.name, option.default)
            if isinstance(value, int | float | str) and value != option.default:
                given.append(f"{option.name}={written_value(value)}")
        return f"{self.name}:{','.join(given)}" if given else self.name

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.spec()!r}>"


class _PlainPlayer(Player):
    """An object that is not a Player but can choose; whatever else it can do like a player, it does."""

    def __init__(self, chooser: Chooser) -> None:
        self._chooser = chooser
        self.name = getattr(chooser, "name", None) or _hyphenated(type(chooser).__name__)
        for method in ("prepare", "stop", "resume", "unsuited", "spec"):
            if callable(own := getattr(chooser, method, None)):
                setattr(self, method, own)

    def choose(self, state: State, limit: Limit = NO_LIMIT) -> Move:
        return cast("Move", self._chooser.choose(state, limit))    # the referee reads text too, and judges it


def as_player(given: Player | Chooser | str) -> Player:
    """The player that is meant: a specification, a player, or any object with a method `choose`.

    >>> as_player("random:seed=1").spec()
    'random:seed=1'
    >>> as_player(42)
    Traceback (most recent call last):
    polyversi.games.errors.PlayerError: 42 is not a player; a player is a name such as 'greedy', or an ...
    """
    if isinstance(given, str):
        return player(given)
    if isinstance(given, type):
        name = given.__name__
        raise PlayerError(f"{name} is a class, not a player; make a player of it first: {name}()")
    if not callable(getattr(given, "choose", None)):
        raise PlayerError(f"{shorten(repr(given))} is not a player; a player is a name such as 'greedy', or "
                          "an object with a method choose(state, limit)")
    _check_choose(type(given).__name__, given.choose)
    return given if isinstance(given, Player) else _PlainPlayer(given)


def _check_choose(name: str, choose: Callable[..., object]) -> None:
    """Says before a game what would otherwise be a crash in the middle of it."""
    try:
        inspect.signature(choose).bind(None, NO_LIMIT)
    except TypeError:
        raise PlayerError(f"{name}.choose cannot be called with a state and a limit; "
                          "write it as choose(self, state, limit)") from None
    except ValueError:    # a function without a signature, as some that are written in C
        pass


@dataclass
class SeededPlayer(Player):
    """A player that chooses among moves at random."""

    seed: Annotated[int | None, HARMLESS] = None
    """Makes its choices repeatable."""
    _random: Random = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self._random = Random(self.seed)


C = TypeVar("C", bound=type)


def _made_player(name: str, found: object) -> type[Player]:
    """The class as a player of that name.

    Without an `__init__` of its own it becomes a dataclass, with its annotated fields as options. Whatever a
    class that is not a Player lacks, it gets from Player.
    """
    if not isinstance(found, type) or not callable(getattr(found, "choose", None)):
        raise PlayerError(f"{shorten(repr(found))} cannot be the player '{name}': it must be a class with a "
                          "method choose(state, limit)")
    maker = next(ancestor for ancestor in found.__mro__ if "__init__" in vars(ancestor))
    made: type = dataclass(found) if maker is object or is_dataclass(maker) else found
    if not issubclass(made, Player):
        made = type(found.__name__, (found, Player), {
            "__doc__": found.__doc__, "__module__": found.__module__,
            "__reduce__": lambda self: (player, (self.spec(),)),    # its module has only the plain class
        })
    if needed := [option.name for option in parameters_of(made) if option.default is inspect.Parameter.empty]:
        raise PlayerError(f"the option '{needed[0]}' of the player '{name}' needs a default")
    player_class = cast("type[Player]", made)
    _check_choose(made.__name__, functools.partial(player_class.choose, None))  # type: ignore[arg-type]
    player_class.name = name
    player_class.label = vars(found).get("label") or name.replace("-", " ").capitalize()
    player_class.sentence = vars(found).get("sentence") or _first_sentence(found.__doc__ or "")
    return player_class


def _first_sentence(text: str) -> str:
    """The first sentence of a description.

    >>> _first_sentence("Plays on. And on.")
    'Plays on.'
    """
    words = " ".join(text.split("\n\n")[0].split())
    return words.partition(". ")[0].rstrip(".") + "." if words else ""


PLAYERS: Registry[type[Player]] = Registry(
    "polyversi.players", lambda name, found: [(name, _made_player(name, found))], {}
)
"""Every player by its name; those of other packages come from their entry points in `polyversi.players`."""


@overload
def register_player(name: str) -> Callable[[C], C]: ...
@overload
def register_player(name: str, cls: C) -> C: ...
@typing.dataclass_transform()
def register_player(name: str, cls: C | None = None) -> C | Callable[[C], C]:
    """Makes a class known as the player of a name, for as long as the program runs; also as a decorator.

    The class is a subclass of Player or any class with a method `choose`. Its options are the parameters of
    its `__init__`, or without one its annotated fields; its docstring says what it does.

    >>> import polyversi as pv
    >>> @pv.register_player("last")
    ... class Last(pv.Player):
    ...     "Plays one of the last legal moves."
    ...     back: int = 1
    ...     def choose(self, state, limit=pv.NO_LIMIT):
    ...         return state.moves[-min(self.back, len(state.moves))]
    >>> pv.player("last:back=2").choose(pv.game("othello").start())
    Move('f5')
    >>> del PLAYERS["last"]
    """
    check_name(name, PlayerError, "my-player")

    def enter(cls: C) -> C:
        there = PLAYERS.known.get(name)
        if there is not None and _is_ours(there) and not _is_ours(cls):
            raise PlayerError(f"'{name}' is a player of Polyversi; choose another name")
        PLAYERS[name] = made = _made_player(name, cls)
        return cast("C", made)

    return enter if cls is None else enter(cls)


def _is_ours(cls: type) -> bool:
    return cls.__module__.startswith("polyversi.")


def check_visitor_options(spec: str) -> None:
    """Raises a PlayerError when a specification sets an option that visitors of a server may not set.

    It only reads the text, since a player opens the files that its options name as soon as it is made.

    >>> check_visitor_options("polyversi:level=5,threads=64")
    Traceback (most recent call last):
    polyversi.games.errors.PlayerError: the option 'threads' of polyversi is for the command line only; ...
    """
    name, given = spec.strip().partition(":")[0].strip(), named_options(spec)
    for option in options_of(PLAYERS[name]) if name in PLAYERS else ():
        if option.name in given and not option.is_for_visitors:
            raise PlayerError(f"the option '{option.name}' of {name} is for the command line only; "
                              "leave it out")


def strongest_first(game: Game | None = None) -> list[str]:
    """The names of all players in the order of their strength; for a game, those that play it come first.

    >>> import polyversi as pv
    >>> strongest_first()[0], strongest_first(pv.game("hex:side=6,seats=3"))[0]
    ('polyversi', 't77')
    """
    if game is None:
        return sorted(PLAYERS, key=lambda name: -PLAYERS[name].strength)

    def place(name: str) -> tuple[bool, int]:
        found = player(name)
        return found.unsuited(game) is not None, -found.strength_in(game)

    return sorted(PLAYERS, key=place)


def player(spec: str, **options: object) -> Player:
    """The player of that name, with its options after a colon or as keywords; of both, a keyword counts.

    >>> import polyversi as pv
    >>> pv.player("random:seed=7") == pv.player("random", seed=7)
    True
    """
    name, _, rest = spec.strip().partition(":")
    cls = PLAYERS.get(name)
    if cls is None:
        raise PlayerError(f"there is no player '{shorten(name)}'; {nearest(name, strongest_first())}")
    known = {option.name: option for option in options_of(cls)}
    words = [word.partition("=") for word in rest.split(",")] if rest else []
    unknown = ["".join(word) for word in words if word[0] not in known or not word[1]]
    if unknown := [*unknown, *sorted(options.keys() - known.keys())]:
        takes = f"its options are {', '.join(map(str, known.values()))}" if known else "it has no options"
        raise PlayerError(f"'{shorten(unknown[0])}' is not an option of {name}; {takes}")
    given = {key: _checked(name, known[key], text, is_text=True) for key, _, text in words}
    given |= {key: _checked(name, known[key], value) for key, value in options.items()}
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
    raise PlayerError(f"{name} cannot take {option.name}={shown}; write {option}")
