"""The answers of the catalogue as they travel: families, variants, options, players and games described."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from polyversi.games.definition import BadMove, Passing, Phase, Scoring

Plan = Annotated[dict[str, Any], Meta(extra={"page": 'import("../board/config.js").Plan'})]
"""The layout of a board, as `board_layout` makes it and the page's board module takes it."""


OptionKind = Literal["number", "choice", "flag", "text"]


class OfferedOption(Struct, frozen=True):
    """An option of a variant or a player, for a form; what else there is depends on its kind."""

    name: str
    label: str
    kind: OptionKind
    default: str | float | bool | None
    meaning: str | UnsetType = UNSET
    low: float | UnsetType = UNSET
    high: float | UnsetType = UNSET
    choices: tuple[str, ...] | UnsetType = UNSET
    words: tuple[str, ...] | UnsetType = UNSET
    """What the form says for each choice."""
    usual: str | UnsetType = UNSET
    """What the form says for a default that depends on the other options."""
    is_pictured: bool | UnsetType = UNSET
    hint: str | UnsetType = UNSET


class OfferedVariant(Struct, frozen=True):
    """A variant with its options."""

    name: str
    label: str
    sentence: str
    goal: str
    """What is played for, in a sentence."""
    fewest_wins: bool
    seats: int
    on_map: bool
    for_two: dict[str, str] | None
    """The options that make it a game of two seats; None where it cannot be one."""
    seat_choices: dict[str, dict[str, str]]
    """The numbers of seats that it can have, each with the options that make it so."""
    spec: str
    options: list[OfferedOption]


class OfferedFamily(Struct, frozen=True):
    """A family with its variants."""

    name: str
    label: str
    sentence: str
    number: str
    """The option that a number after the name of a variant stands for."""
    variants: list[OfferedVariant]


class Featured(Struct, frozen=True):
    """A variant of the front page, with what it stands for."""

    name: str
    label: str


class Tile(Struct, frozen=True):
    """A tile other than a stone, with the key that chooses it in an editor."""

    tile: int
    name: str
    key: str


class MapTile(Tile, frozen=True):
    """A tile with its character in the files of XT maps."""

    symbol: str


class PlayerLabel(Struct, frozen=True):
    """What people read in place of the name of a player, and its level where none is given."""

    name: str
    label: str
    level: int | None


class ArenaDefaults(Struct, frozen=True):
    """What the arena offers first."""

    variant: str
    players: tuple[str, str]


class OpenableTexts(Struct, frozen=True):
    """What people may open: the endings of files, and what texts are called that they may paste."""

    suffixes: list[str]
    pasted: list[str]


class Catalogue(Struct, frozen=True):
    """What there is to choose from on every view."""

    families: list[OfferedFamily]
    featured: list[Featured]
    tiles: list[MapTile]
    players: list[PlayerLabel]
    quiet_options: tuple[str, ...]
    arena: ArenaDefaults
    variant: str
    """What is offered where nobody has chosen a variant."""
    limits: tuple[str, ...]
    """The time limits that are offered."""
    clock: str
    """The one of them that people are offered first against each other."""
    texts: OpenableTexts


class PlayerInfo(Struct, frozen=True):
    """A player or a bot that may be chosen for a game."""

    name: str
    label: str
    sentence: str
    levels: list[str]
    options: list[OfferedOption]
    offered: dict[str, str]
    """The options with which it is offered."""
    unsuited: str | None
    """Why it does not play this game, if it does not."""


class FileKind(Struct, frozen=True):
    """What a game or games can be had as."""

    kind: str
    label: str
    record: str
    """What its format of records is called; empty for others."""


class Description(Struct, frozen=True):
    """A game: its rules in a few words, its notation, and the plan of its board."""

    spec: str
    title: str
    sentence: str
    seats: int
    goal: str
    fewest_wins: bool
    passing: Passing
    phases: tuple[Phase, ...]
    has_stocks: bool
    scoring: Scoring
    drawn: bool
    """Whether lots decide about cells of the start."""
    bad_move: BadMove
    radius: int
    overrides: int
    bombs: int
    tiles: list[Tile]
    symbols: dict[str, int]
    seat_symbols: list[str]
    start: str
    map: str
    files: list[FileKind]
    plan: Plan
