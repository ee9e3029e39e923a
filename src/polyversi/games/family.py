"""Families: games of one kind, the options they take, and the variants that people know by name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from polyversi.games.board import shorten
from polyversi.games.definition import Definition
from polyversi.games.errors import VariantError

Value = int | str
Values = Mapping[str, Value]


@dataclass(frozen=True)
class Choice:
    """An option that takes one of a few words.

    >>> Choice(("most", "fewest"), "most").read("none")
    """

    choices: tuple[str, ...]
    default: str = ""
    """Empty where it depends on the other options."""
    label: str = ""
    """What a form calls it; its name when empty."""
    meaning: str = ""
    """What it changes, in a sentence."""
    words: tuple[str, ...] = ()
    """What a form says for each choice; the choices themselves when empty."""
    usual: str = ""
    """What a form says for a default that depends on the other options."""
    is_pictured: bool = False
    """Whether its choices are best told apart by pictures of their starts."""

    def read(self, text: str) -> Value | None:
        """The value, or None if the text is not one."""
        return text if text in self.choices else None

    def __str__(self) -> str:
        return "|".join(self.choices)


@dataclass(frozen=True)
class Number:
    """An option that takes a whole number within bounds.

    >>> Number(4, 26, default=8).read("10")
    10
    """

    low: int
    high: int
    default: int = 0
    """Below `low` where it depends on the other options."""
    label: str = ""
    meaning: str = ""

    def read(self, text: str) -> Value | None:
        """The value, or None if the text is not one."""
        if not re.fullmatch(r"[0-9]{1,18}", text, re.ASCII):
            return None
        return int(text) if self.low <= int(text) <= self.high else None

    def __str__(self) -> str:
        return f"{self.low}–{self.high}"


@dataclass(frozen=True)
class Text:
    """An option that takes any text of the given form.

    >>> Text("[a-z]+", "a word in lower case").read("word")
    'word'
    """

    pattern: str
    hint: str
    default: str = ""
    label: str = ""
    meaning: str = ""
    is_file: Callable[[str], bool] = lambda _: False
    """Whether a value is the path of a file, which strangers may not name."""

    def read(self, text: str) -> Value | None:
        """The value, or None if the text is not one."""
        return text if re.fullmatch(self.pattern, text, re.ASCII) else None

    def __str__(self) -> str:
        return self.hint


Option = Choice | Number | Text


@dataclass(frozen=True, eq=False)
class Family:
    """Games that share a kind of board and a set of options.

    >>> from polyversi.games.families import HEXAGON
    >>> HEXAGON.label, HEXAGON.options["side"].default
    ('On hexagons', 5)
    """

    name: str
    label: str
    """What lists of games call it."""
    options: Mapping[str, Option]
    define: Callable[[Values], Definition]
    """The definition of the game with these values, one for each option."""
    sentence: str = ""
    """What its games have in common, where that needs saying."""
    number: str = ""
    """The option that a number after a variant's name stands for, as in `othello-6`."""
    writes_number: bool = True
    """Whether specifications are written with that number."""
    first: str = ""
    """The option that stands first and without its name, as in `xt:starfish`."""
    seats: str = ""
    """The option that says how many seats there are."""
    normalize: Callable[[dict[str, Value]], None] = lambda _: None
    """Makes values that mean the same game the same."""
    rules: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Sentences that its definitions do not say, by the section of the rules, such as `setup`; another name
    makes a section of its own."""
    gallery: Callable[[], Sequence[Variant]] = tuple
    """What is offered in place of its registered variants, when these are too general to be played."""

    def read_options(self, name: str, words: Iterable[str], given: Iterable[str] = ()) -> dict[str, Value]:
        """The key=value words of a specification, each checked; `given` are options it may not repeat."""
        options = {key: option for key, option in self.options.items() if key not in (*given, self.first)}
        values: dict[str, Value] = {}
        for word in words:
            key, equals, text = word.partition("=")
            option = options.get(key)
            if option is None or not equals:
                takes = ", ".join(f"{known}={option}" for known, option in options.items())
                raise VariantError(f"'{shorten(word)}' is not an option of {name}; its options are {takes}")
            value = option.read(text)
            if value is None:
                raise VariantError(f"{name} cannot have {key}={shorten(text)}; write {key}={option}")
            if key in values:
                raise VariantError(f"{key} is given twice for {name}")
            values[key] = value
        return values


@dataclass(frozen=True, eq=False)
class Variant:
    """A game that people know by name: a family with some of its options set.

    >>> from polyversi.games.families import SQUARE
    >>> Variant("diamond", "Two holes in the middle rows.", SQUARE, {"holes": "a1+h8"}).label
    'Diamond'
    """

    name: str
    sentence: str
    family: Family
    preset: Values = field(default_factory=dict)
    label: str = ""
    """What people call it; its name with a capital when empty."""
    example: str = ""
    """A game of it, where its name alone does not name one."""
    options: Mapping[str, Option] = field(default_factory=dict)
    """The options that take something else here than in the rest of the family."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "label", self.label or self.name[:1].upper() + self.name[1:])
        object.__setattr__(self, "example", self.example or self.name)

    @property
    def written(self) -> str:
        """How a specification of it begins: `othello`, or `xt:MAP` where something must follow."""
        return f"{self.name}:{self.family.first.upper()}" if self.family.first else self.name

    @property
    def defaults(self) -> dict[str, Value]:
        """The value of each option that is not given."""
        options = {**self.family.options, **self.options}
        return {**{name: option.default for name, option in options.items()}, **self.preset}
