"""Registries: things by name, those of this package and those that other installed packages offer."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, MutableMapping
from typing import Generic, TypeVar

from polyversi.games.board import shorten
from polyversi.games.errors import PolyversiError

T = TypeVar("T")


class Registry(MutableMapping[str, T], Generic[T]):
    """Things by name; the entry points of other packages are loaded when a name is missing or all are listed.

    A broken entry point is reported in a sentence through `logging`, and left out.

    >>> numbers = Registry("polyversi.doctest", lambda name, found: [(name, found)], {"one": 1})
    >>> numbers["two"] = 2
    >>> list(numbers), numbers["one"], "three" in numbers
    (['one', 'two'], 1, False)
    """

    def __init__(self, group: str, read: Callable[[str, object], Iterable[tuple[str, T]]],
                 known: dict[str, T]) -> None:
        """`read` makes things of what the entry point of a name in the group refers to."""
        self.group = group
        self.known = known
        """What is registered so far; asking here loads nothing."""
        self._read = read
        self._is_loaded = False

    def load(self) -> None:
        """Loads what other packages offer, once."""
        if self._is_loaded:
            return
        self._is_loaded = True
        from importlib.metadata import entry_points

        for entry in entry_points(group=self.group):
            try:
                found = dict(self._read(entry.name, entry.load()))
                if taken := sorted(self.known.keys() & found.keys()):
                    raise ValueError(f"the name '{taken[0]}' is taken")
            except Exception as error:
                import logging

                logging.getLogger("polyversi").warning(
                    "the entry point '%s = %s' in %s is left out: %s: %s",
                    entry.name, entry.value, self.group, type(error).__name__, error)
            else:
                self.known.update(found)

    def __getitem__(self, name: str) -> T:
        if name not in self.known:
            self.load()
        return self.known[name]

    def __setitem__(self, name: str, thing: T) -> None:
        self.known[name] = thing

    def __delitem__(self, name: str) -> None:
        del self.known[name]

    def __iter__(self) -> Iterator[str]:
        self.load()
        return iter(self.known)

    def __len__(self) -> int:
        self.load()
        return len(self.known)


def check_name(name: str, error: type[PolyversiError], example: str = "my-game") -> None:
    """Raises the error for a name that no specification could begin with.

    >>> check_name("my-game", PolyversiError)
    >>> check_name("My game", PolyversiError)
    Traceback (most recent call last):
    polyversi.games.errors.PolyversiError: 'My game' cannot be a name; write lower-case letters, digits ...
    """
    if not re.fullmatch(r"[a-z][a-z0-9]*([-_][a-z0-9]+)*", name, re.ASCII):
        raise error(f"'{shorten(name)}' cannot be a name; write lower-case letters, digits and hyphens, "
                    f"such as '{example}'")


def nearest(word: str, known: Collection[str]) -> str:
    """A hint at what an unknown word may mean.

    >>> nearest("swis", ["swiss", "ladder"]), nearest("x", ["games", "rounds"])
    ("did you mean 'swiss'?", 'there are games, rounds')
    """
    from difflib import get_close_matches

    if near := get_close_matches(shorten(word), known, n=1):
        return f"did you mean '{near[0]}'?"
    return f"there {'is' if len(known) == 1 else 'are'} {', '.join(known)}"
