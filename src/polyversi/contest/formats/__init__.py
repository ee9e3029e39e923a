"""The formats of tournaments, and the one list of them: who meets whom, as pure functions of the results."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from difflib import get_close_matches

from polyversi.contest.formats.format import Format
from polyversi.contest.formats.gauntlet import Gauntlet
from polyversi.contest.formats.knock_out import KnockOut
from polyversi.contest.formats.ladder import Ladder
from polyversi.contest.formats.round_robin import RoundRobin
from polyversi.contest.formats.swiss import Swiss
from polyversi.contest.formats.ten_games import TenGames
from polyversi.games.board import shorten
from polyversi.games.errors import PlayerError

__all__ = ["FORMATS", "Format", "format_from"]

FORMATS: dict[str, type[Format]] = {
    cls.name: cls for cls in (RoundRobin, Gauntlet, Swiss, KnockOut, Ladder, TenGames)
}
"""Every format by its name."""


def format_from(name: str, options: Mapping[str, int]) -> Format:
    """The format of that name with its options.

    >>> format_from("swiss", {"rounds": 5})
    Swiss(rounds=5)
    >>> format_from("swis", {})
    Traceback (most recent call last):
    polyversi.games.errors.PlayerError: there is no format 'swis'; do you mean 'swiss'?
    """
    cls = FORMATS.get(name)
    if cls is None:
        raise PlayerError(f"there is no format '{shorten(name)}'; {_meant(name, FORMATS)}")
    known = [option.name for option in dataclasses.fields(cls)]
    for given in options:
        if given not in known:
            hint = _meant(given, known) if known else "it takes none"
            raise PlayerError(f"'{shorten(given)}' is no option of {name}; {hint}")
    return cls(**options)


def _meant(word: str, known: Iterable[str]) -> str:
    near = get_close_matches(word, known, n=1)
    return f"do you mean '{near[0]}'?" if near else f"there is {', '.join(known)}"
