"""The formats of tournaments, and the one list of them: who meets whom, as pure functions of the results."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, cast

from msgspec import Struct

from polyversi.contest.formats.format import MAX_OPTION, Format
from polyversi.contest.formats.gauntlet import Gauntlet
from polyversi.contest.formats.knock_out import KnockOut
from polyversi.contest.formats.ladder import Ladder
from polyversi.contest.formats.round_robin import RoundRobin, TenGames
from polyversi.contest.formats.swiss import Swiss
from polyversi.games.board import shorten
from polyversi.games.errors import PlayerError
from polyversi.games.registry import nearest

__all__ = ["FORMATS", "Format", "FormatChoice", "choices", "format_from", "summary"]

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
    polyversi.games.errors.PlayerError: there is no format 'swis'; did you mean 'swiss'?
    """
    cls = FORMATS.get(name)
    if cls is None:
        raise PlayerError(f"there is no format '{shorten(name)}'; {nearest(name, FORMATS)}")
    known = [option.name for option in dataclasses.fields(cls)]
    for given in options:
        if given not in known:
            hint = nearest(given, known) if known else "it has no options"
            raise PlayerError(f"'{shorten(given)}' is not an option of {name}; {hint}")
    return cls(**options)


class FormatOption(Struct, frozen=True):
    """An option of a format, for a form."""

    name: str
    label: str
    default: int
    low: int
    high: int


class FormatChoice(Struct, frozen=True):
    """A format with its options, for a form."""

    name: str
    label: str
    options: list[FormatOption]


def choices() -> list[FormatChoice]:
    """Every format with its options, for a form.

    >>> [one.label for one in choices()][:2], choices()[1].options[0].label
    (['Round robin', 'Gauntlet'], 'Challengers')
    """
    return [
        FormatChoice(name, cls.label, [
            FormatOption(field.name, field.metadata["label"], cast("int", field.default),
                         field.metadata["minimum"], MAX_OPTION)
            for field in dataclasses.fields(cls)])
        for name, cls in FORMATS.items()
    ]


def summary(name: str) -> dict[str, Any]:
    """What pages are told of the format of a tournament; one that is not known any more has only its name.

    >>> summary("knock-out")
    {'format': 'knock-out', 'format_label': 'Knock-out', 'is_bracket': True}
    """
    cls = FORMATS.get(name)
    return {"format": name, "format_label": cls.label if cls else name,
            "is_bracket": cls is not None and cls.is_bracket}
