"""Options of players: what each takes, and whether visitors of a server may set it."""

from __future__ import annotations

import inspect
import types
import typing
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Literal

from polyversi.games.family import Number


@dataclass(frozen=True)
class Harmless:
    """Marks a number or a text that visitors of a server may set: it costs nothing but the time of a move.

    A flag or one of a few words or numbers (`Literal`) needs no mark, since the player lists all its values.
    """


@dataclass(frozen=True)
class NamesFile:
    """Marks an option whose value names a file: only who may read any file here may set it."""


@dataclass(frozen=True)
class Resource:
    """Marks an option that costs memory or processors, with what a player of visitors gets of it."""

    share: int


HARMLESS, NAMES_FILE = Harmless(), NamesFile()
Mark = Harmless | NamesFile | Resource

TYPES_IN_WORDS = {int: "whole number", float: "number", str: "text", bool: "yes|no"}


@dataclass(frozen=True)
class OptionInfo:
    """An option of a player: what it is called, what it takes, its default, and what it costs."""

    name: str
    type: Any
    default: Any
    bounds: Number | None = None
    """Those that the player declares: `Annotated[int, Number(1, 20)]`."""
    mark: Mark | None = None
    """What the player says of its cost: `Annotated[str, NAMES_FILE]`."""

    @property
    def choices(self) -> list[Any]:
        """The values or types it chooses from, if it does."""
        return [choice for choice in typing.get_args(self.type) if choice is not types.NoneType]

    @property
    def is_for_visitors(self) -> bool:
        """Whether visitors of a server may set it. A number or a text that is not marked may cost anything.

        >>> OptionInfo("fast", bool, False).is_for_visitors, OptionInfo("gigabytes", int, 1).is_for_visitors
        (True, False)
        """
        if self.mark is not None:
            return self.mark == HARMLESS
        return self.type is bool or typing.get_origin(self.type) is Literal

    @property
    def default_text(self) -> str:
        """The default as people write it; empty if nothing is chosen by default."""
        return "" if self.default is None else written_value(self.default)

    def __str__(self) -> str:
        takes = self.choices or [self.bounds or self.type]
        return f"{self.name}={'|'.join(TYPES_IN_WORDS.get(one, str(one)) for one in takes)}"


def written_value(value: object) -> str:
    """A value as people write it.

    >>> written_value(True), written_value(0.5)
    ('yes', '0.5')
    """
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)


@cache
def parameters_of(cls: type) -> tuple[inspect.Parameter, ...]:
    """What a player can be made with: the parameters of its `__init__`."""
    if cls.__init__ is object.__init__:  # type: ignore[misc]
        return ()
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    _, *parameters = inspect.signature(cls.__init__).parameters.values()  # type: ignore[misc]
    return tuple(parameter for parameter in parameters if parameter.kind in named)


@cache
def options_of(cls: type) -> tuple[OptionInfo, ...]:
    """The options of a player, in order.

    >>> from polyversi.players import PLAYERS
    >>> [str(option) for option in options_of(PLAYERS["random"])]
    ['seed=whole number']
    """
    notes = typing.get_type_hints(cls, include_extras=True)
    if any(option.name not in notes for option in parameters_of(cls)):    # an __init__ of its own
        notes |= typing.get_type_hints(cls.__init__, include_extras=True)  # type: ignore[misc]

    def info(option: inspect.Parameter) -> OptionInfo:
        note = notes.get(option.name, type(option.default))
        extras = typing.get_args(note) if typing.get_origin(note) is Annotated else (note,)
        bounds = next((extra for extra in extras if isinstance(extra, Number)), None)
        mark = next((extra for extra in extras if isinstance(extra, Mark)), None)
        return OptionInfo(option.name, extras[0], option.default, bounds, mark)

    return tuple(map(info, parameters_of(cls)))


def named_options(spec: str) -> set[str]:
    """The names of the options that a specification gives, whether or not there are such options.

    >>> sorted(named_options("matrix:gamma=0.5,depth=3")), named_options("t77")
    (['depth', 'gamma'], set())
    """
    rest = spec.partition(":")[2]
    return {word.partition("=")[0] for word in rest.split(",")} if rest else set()


def visitor_options(cls: type) -> list[OptionInfo]:
    """The options of a player that visitors may set.

    >>> from polyversi.players import PLAYERS
    >>> [option.name for option in visitor_options(PLAYERS["polyversi"])]
    ['level', 'seed', 'book']
    """
    return [option for option in options_of(cls) if option.is_for_visitors]


def visitor_shares(cls: type) -> dict[str, int]:
    """What a player of visitors gets of each resource that it takes.

    >>> from polyversi.players import PLAYERS
    >>> visitor_shares(PLAYERS["polyversi"])
    {'threads': 1, 'hash': 16}
    """
    return {option.name: option.mark.share for option in options_of(cls) if isinstance(option.mark, Resource)}
