"""Sentences of the rules: English texts with placeholders, so that a page can translate them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Sentence:
    """A text and the values of its placeholders.

    >>> str(Sentence("The board has {cells} cells.", {"cells": 64}))
    'The board has 64 cells.'
    """

    text: str
    values: Mapping[str, int | str] = field(default_factory=dict)
    """Numbers, names of cells, and words that a page translates by themselves."""

    def __str__(self) -> str:
        return self.text.format_map(self.values)


@dataclass(frozen=True)
class Entry:
    """Something that needs a name in a legend: a special tile, a stock, a phase, an option."""

    term: str
    sentences: tuple[Sentence, ...]
    tile: int | None = None
    """What it looks like on the board, if it lies there."""
    example: str = ""
    """The name of the example that shows it."""


@dataclass(frozen=True)
class Section:
    """One subject of the rules: its sentences, and what it has to name one by one."""

    name: str
    title: str
    sentences: tuple[Sentence, ...] = ()
    entries: tuple[Entry, ...] = ()
    is_legend: bool = False
    """Whether its entries belong into the legend that is opened from a board."""
