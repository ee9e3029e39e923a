"""Where things stand in a TOML file: the line of every key and of every element of an array."""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from collections.abc import Mapping

Place = tuple[str | int, ...]
"""The way to a value: keys of tables and indices of arrays."""

BLANK = re.compile(r"[ \t]*")
BETWEEN = re.compile(r"(?:[ \t\n,]|#[^\n]*)*")
"""What may stand between statements, and between the elements of an array."""
STRING = re.compile(
    r'"""(?:\\.|[^\\])*?""""{0,2}' r"|'''.*?''''{0,2}" r'|"(?:\\.|[^"\\\n])*"' r"|'[^'\n]*'", re.DOTALL
)
BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
PLAIN = re.compile(r"[^,\]}\n#]*")
"""A number, a date or a truth value."""


def lines_of(text: str) -> Mapping[Place, int]:
    r"""The line, from 1, on which each key and each element of an array of a TOML text begins.

    The text must be one that `tomllib` reads; of a table it is the line that names it first.

    >>> lines = lines_of('games = 4\nentrants = [\n  "random",\n  {name = "Ann", spec = "t77"},\n]\n')
    >>> lines["entrants",], lines["entrants", 0], lines["entrants", 1, "spec"]
    (2, 3, 4)
    """
    return _Scanner(text.replace("\r\n", "\n")).lines


def line_at(lines: Mapping[Place, int], place: Place) -> int | None:
    """The line of a place, or of what it stands in; None if the file says nothing of it.

    >>> line_at({("format",): 3}, ("format", "rounds"))
    3
    """
    while place:
        if place in lines:
            return lines[place]
        place = place[:-1]
    return None


class _Scanner:
    """Goes through a text once; what it may find where is known, since the text is sound."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.lines: dict[Place, int] = {}
        self._breaks = [found.start() for found in re.finditer("\n", text)]
        self._lengths: dict[Place, int] = {}
        """How many tables each array of tables has so far."""
        table: Place = ()
        self._skip(BETWEEN)
        while self.at < len(text):
            table = self._statement(table)
            self._skip(BETWEEN)

    def _statement(self, table: Place) -> Place:
        """A line of a table, or the head of the next; the table that now goes on."""
        line = self._line()
        is_many = self.text.startswith("[[", self.at)
        if not self.text.startswith("[", self.at):
            self._pair(table)
            return table
        self.at += 1 + is_many
        keys = self._key()
        self.at += 1 + is_many
        table = ()
        for number, key in enumerate(keys, 1):
            table = (*table, key)
            self._note(table, line)
            if is_many and number == len(keys):
                self._lengths[table] = self._lengths.get(table, 0) + 1
            if table in self._lengths:    # what is below an array of tables belongs to its last one
                table = (*table, self._lengths[table] - 1)
                self._note(table, line)
        return table

    def _pair(self, table: Place) -> None:
        line = self._line()
        for key in self._key():
            table = (*table, key)
            self._note(table, line)
        self.at += 1    # the equals sign
        self._skip(BLANK)
        self._value(table)

    def _value(self, place: Place) -> None:
        start = self.text[self.at]
        if start == "[":
            self._array(place)
        elif start == "{":
            self._inline_table(place)
        else:
            self._skip(STRING if start in "\"'" else PLAIN)

    def _array(self, place: Place) -> None:
        self.at += 1
        index = 0
        self._skip(BETWEEN)
        while self.text[self.at] != "]":
            self._note((*place, index), self._line())
            self._value((*place, index))
            self._skip(BETWEEN)
            index += 1
        self.at += 1

    def _inline_table(self, place: Place) -> None:
        self.at += 1
        self._skip(BETWEEN)
        while self.text[self.at] != "}":
            self._pair(place)
            self._skip(BETWEEN)
        self.at += 1

    def _key(self) -> list[str]:
        """The parts of a key, with the blanks around them."""
        parts: list[str] = []
        while True:
            self._skip(BLANK)
            quoted = self.text[self.at] in "\"'"
            word = self._skip(STRING if quoted else BARE_KEY)
            parts.append(tomllib.loads(f"key = {word}")["key"] if quoted else word)
            self._skip(BLANK)
            if not self.text.startswith(".", self.at):
                return parts
            self.at += 1

    def _skip(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self.text, self.at)
        assert found is not None, "only a text that tomllib reads is scanned"
        self.at = found.end()
        return found[0]

    def _line(self) -> int:
        return bisect_right(self._breaks, self.at) + 1

    def _note(self, place: Place, line: int) -> None:
        self.lines.setdefault(place, line)
