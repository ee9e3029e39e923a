"""Weights: the numbers in a player that a tuning may change, and how other ones are given to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import msgspec

from polyversi.games.board import shorten
from polyversi.games.errors import PlayerError
from polyversi.games.files import read_limited, write_whole
from polyversi.players.player import PLAYERS, Player

MAX_FILE = 100_000
"""Bytes of a file of weights; a larger one holds something else."""


@dataclass(frozen=True)
class Weight:
    """A number that a player goes by, and what a tuning may make of it.

    A player that can be tuned has a class attribute `WEIGHTS`, a mapping of names to these, and an option
    `weights: Annotated[str, NAMES_FILE] = ""`, of which `read_weights` makes numbers.
    """

    value: float
    """The default."""
    low: float
    high: float
    step: float
    """A change that one expects to show in the results: how far a tuning tries to either side."""

    def within(self, value: float) -> float:
        """The value, or the bound that it is beyond."""
        return min(max(value, self.low), self.high)


def weights_of(cls: type[Player]) -> Mapping[str, Weight]:
    """The weights of a player; a PlayerError when it has none."""
    weights = getattr(cls, "WEIGHTS", None)
    if weights is None:
        tunable = ", ".join(name for name, other in PLAYERS.items() if hasattr(other, "WEIGHTS"))
        raise PlayerError(f"{cls.name} has no weights to tune; these players have weights: {tunable}")
    return cast("Mapping[str, Weight]", weights)


def read_weights(text: str, known: Mapping[str, Weight]) -> dict[str, float]:
    """All weights by their name: those that the text gives, and for all others the defaults.

    The text is the name of a JSON file, or else `name=number/name=number/…`.

    >>> read_weights("corner=5", {"corner": Weight(9, 1, 20, 1), "edge": Weight(6, 1, 20, 1)})
    {'corner': 5.0, 'edge': 6.0}
    """
    given: dict[str, float] = {}
    if text:
        given = _written_out(text) if "=" in text else _in_file(Path(text))
    for name, value in given.items():
        if name not in known:
            raise PlayerError(f"there is no weight '{shorten(name)}'; there are {', '.join(known)}")
        weight = known[name]
        if not weight.low <= value <= weight.high:
            bounds = f"{weight.low:g} to {weight.high:g}"
            raise PlayerError(f"the weight '{name}' cannot be {value:g}; it is a number from {bounds}")
    return {name: float(given.get(name, weight.value)) for name, weight in known.items()}


def written_weights(values: Mapping[str, float]) -> str:
    """The weights as a player's option takes them, to the last digit.

    >>> written_weights({"corner": 9.0, "edge": 0.1})
    'corner=9.0/edge=0.1'
    """
    return "/".join(f"{name}={value!r}" for name, value in values.items())


def save_weights(path: Path, values: Mapping[str, float]) -> None:
    """Writes a JSON file that `read_weights` reads."""
    write_whole(path, msgspec.json.format(msgspec.json.encode(dict(values)), indent=2) + b"\n")


def _written_out(text: str) -> dict[str, float]:
    given: dict[str, float] = {}
    for part in text.split("/"):
        name, _, number = part.partition("=")
        if name in given:
            raise PlayerError(f"the weight '{shorten(name)}' is given twice")
        try:
            given[name] = float(number)
        except ValueError:
            right = "a file without = in its name, or name=number/name=number"
            raise PlayerError(f"'{shorten(part)}' is not a weight; write {right}") from None
    return given


def _in_file(path: Path) -> dict[str, float]:
    data = read_limited(path, MAX_FILE, "weights", PlayerError)
    try:
        return msgspec.json.decode(data, type=dict[str, float])
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise PlayerError(f"{path} is not a file of weights, {{\"name\": number, …}}: {error}") from None
