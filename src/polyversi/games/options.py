"""Options of variants: how `name:key=value,…` is read and checked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from polyversi.games.board import shorten
from polyversi.games.errors import VariantError

Value = int | str
Values = Mapping[str, Value]

MAX_SPEC = 4096
"""Longest specification that is read; paths of XT maps fit within it."""


@dataclass(frozen=True)
class Choice:
    """An option that takes one of a few words."""

    words: tuple[str, ...]

    def read(self, text: str) -> Value | None:
        """The value, or None if the text is not one."""
        return text if text in self.words else None

    def __str__(self) -> str:
        return "|".join(self.words)


@dataclass(frozen=True)
class Number:
    """An option that takes a whole number within bounds."""

    low: int
    high: int

    def read(self, text: str) -> Value | None:
        """The value, or None if the text is not one."""
        if not re.fullmatch(r"[0-9]{1,18}", text, re.ASCII):
            return None
        return int(text) if self.low <= int(text) <= self.high else None

    def __str__(self) -> str:
        return f"{self.low}–{self.high}"


@dataclass(frozen=True)
class Text:
    """An option that takes any word of the given form."""

    form: str
    what: str

    def read(self, text: str) -> Value | None:
        """The value, or None if the text is not one."""
        return text if re.fullmatch(self.form, text, re.ASCII) else None

    def __str__(self) -> str:
        return self.what


Option = Choice | Number | Text


def read_options(name: str, words: list[str], options: Mapping[str, Option]) -> dict[str, Value]:
    """The key=value words of a specification, each checked against its option."""
    values: dict[str, Value] = {}
    for word in words:
        key, equals, text = word.partition("=")
        option = options.get(key)
        if option is None or not equals:
            takes = ", ".join(f"{known}={option}" for known, option in options.items())
            raise VariantError(f"'{shorten(word)}' is no option of {name}; it takes {takes}")
        value = option.read(text)
        if value is None:
            raise VariantError(f"{key}={shorten(text)} is not possible for {name}; {key} takes {option}")
        if key in values:
            raise VariantError(f"{key} is given twice for {name}")
        values[key] = value
    return values
