"""Weights: the numbers in a player that a tuning may change, and how other ones are given to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast

import msgspec

from polyversi.games.board import shorten
from polyversi.games.errors import PlayerError
from polyversi.games.files import write_whole
from polyversi.players.player import PLAYERS

if TYPE_CHECKING:
    from polyversi.players.player import Player

MAX_FILE = 100_000
"""Bytes of a file of weights; a larger one holds something else."""


@dataclass(frozen=True)
class Weight:
    """A number that a player goes by, and what a tuning may make of it.

    A player that can be tuned has a class attribute `WEIGHTS`, a mapping of names to these, and an option
    `weights: str = ""` of which `read_weights(self.weights, self.WEIGHTS)` makes numbers.
    """

    value: float
    """The default."""
    low: float
    high: float
    step: float
    """A change that one expects to show in the results: how far a tuning tries to either side."""

    def within(self, value: float) -> float:
        """The value, or the bound that it is beyond.

        >>> Weight(1.0, low=0.0, high=2.0, step=0.1).within(2.5)
        2.0
        """
        return min(max(value, self.low), self.high)


def weights_of(cls: type[Player]) -> Mapping[str, Weight]:
    """The weights of a player; a PlayerError when it has none.

    >>> weights_of(PLAYERS["t77"])["corner"].value
    9.0
    """
    weights = getattr(cls, "WEIGHTS", None)
    if weights is None:
        tunable = ", ".join(name for name, other in PLAYERS.items() if hasattr(other, "WEIGHTS"))
        raise PlayerError(f"{cls.name} has no weights to tune; there are players that have some: {tunable}")
    return cast("Mapping[str, Weight]", weights)


def read_weights(text: str, known: Mapping[str, Weight]) -> dict[str, float]:
    """All weights by their name: those that the text gives, and for all others the defaults.

    The text is the name of a JSON file, or else `name=number/name=number/…`.

    >>> read_weights("corner=5", {"corner": Weight(9, 1, 20, 1), "edge": Weight(6, 1, 20, 1)})
    {'corner': 5.0, 'edge': 6.0}
    """
    if not text:
        given: dict[str, float] = {}
    else:
        given = _written_out(text) if "=" in text else _in_file(Path(text))
    for name, value in given.items():
        if name not in known:
            raise PlayerError(f"there is no weight '{shorten(name)}'; there are {', '.join(known)}")
        weight = known[name]
        if not weight.low <= value <= weight.high:
            raise PlayerError(
                f"the weight '{name}' cannot be {value:g}; it is a number from {weight.low:g} to "
                f"{weight.high:g}"
            )
    return {name: float(given.get(name, weight.value)) for name, weight in known.items()}


def written_weights(values: Mapping[str, float]) -> str:
    """The weights as a player's option takes them, to the last digit.

    >>> written_weights({"corner": 9.0, "edge": 0.1})
    'corner=9.0/edge=0.1'
    """
    return "/".join(f"{name}={value!r}" for name, value in values.items())


def save_weights(path: Path, values: Mapping[str, float]) -> None:
    """Writes a JSON file that `read_weights` reads; whoever reads it meanwhile has the old one or the new."""
    try:
        write_whole(path, msgspec.json.format(msgspec.json.encode(dict(values)), indent=2) + b"\n")
    except OSError as error:
        raise PlayerError(f"the weights cannot be written to {path}: {error.strerror or error}") from None


def _written_out(text: str) -> dict[str, float]:
    given: dict[str, float] = {}
    for part in text.split("/"):
        name, _, number = part.partition("=")
        if name in given:
            raise PlayerError(f"the weight '{shorten(name)}' is given twice")
        try:
            given[name] = float(number)
        except ValueError:
            raise PlayerError(
                f"'{shorten(part)}' is no weight; weights are a file without = in its name, or "
                "name=number/name=number"
            ) from None
    return given


def _in_file(path: Path) -> dict[str, float]:
    try:
        if path.exists() and not path.is_file():
            raise OSError("it is no ordinary file")
        with path.open("rb") as stream:
            data = stream.read(MAX_FILE + 1)
    except (OSError, ValueError) as error:    # a ValueError for a name with a zero byte
        reason = getattr(error, "strerror", None) or error
        raise PlayerError(f"the weights in {path} cannot be read: {reason}") from None
    if len(data) > MAX_FILE:
        raise PlayerError(f"{path} is too large for a file of weights")
    try:
        return msgspec.json.decode(data, type=dict[str, float])
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise PlayerError(f"{path} holds no weights, {{\"name\": number, …}}: {error}") from None
