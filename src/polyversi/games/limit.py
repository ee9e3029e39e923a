"""Limits: what a player may spend on a move."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, replace
from numbers import Integral, Real

from polyversi.games.board import shorten
from polyversi.games.errors import LimitError

NUMBER = re.compile(r"[0-9]{1,10}(\.[0-9]{1,6})?", re.ASCII)
WHOLE = ("depth", "nodes")
"""What can only be limited by a whole number."""


@dataclass(frozen=True)
class Limit:
    """Seconds a move, a bank of seconds for the whole game, a depth, a number of nodes, or none of these.

    Whoever has both seconds and a bank may spend the smaller of the two. The increment is added to the bank
    after each move; Reversi XT's growing bank is `Limit(bank=2, increment=2)`.

    >>> Limit.parse("seconds=0.5"), str(Limit(bank=60, increment=1))
    (Limit(seconds=0.5, bank=None, increment=0.0, depth=None, nodes=None), 'bank=60,increment=1')
    >>> Limit().is_timed
    False
    """

    seconds: float | None = None
    """Seconds for each move."""
    bank: float | None = None
    """Seconds for the whole game."""
    increment: float = 0.0
    """Seconds added to the bank after each move."""
    depth: int | None = None
    """Plies to look ahead, for players that search."""
    nodes: int | None = None
    """Positions to look at, for players that search."""

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if value is None and name != "increment":
                continue
            is_number = isinstance(value, Integral if name in WHOLE else Real)
            if not is_number or not 0 <= value <= 1e9:
                number = "whole number" if name in WHOLE else "number"
                raise LimitError(f"{name}={value!r} is not a limit; write a {number} from 0 to 1000000000")
        if self.increment and self.bank is None:
            raise LimitError("an increment needs a bank to be added to, such as bank=60,increment=1")

    @property
    def is_timed(self) -> bool:
        """Whether it limits time at all."""
        return self.seconds is not None or self.bank is not None

    @property
    def allowance(self) -> float | None:
        """The seconds the next move may take, or None for as long as it likes."""
        allowed = [time for time in (self.seconds, self.bank) if time is not None]
        return min(allowed) if allowed else None

    def with_bank(self, bank: float | None) -> Limit:
        """The same limit with another bank; every move makes one, so `dataclasses.replace` would be slow."""
        return Limit(self.seconds, bank, self.increment, self.depth, self.nodes)

    def bank_after(self, spent: float) -> float | None:
        """The bank that is left after a move that took so many seconds, or None without a bank.

        >>> Limit(bank=10, increment=1).bank_after(4)
        7
        """
        return None if self.bank is None else max(0, self.bank - spent) + self.increment

    def ticked(self, seconds: float) -> Limit:
        """What is left while a move is being thought about, so many seconds after it was asked for.

        >>> Limit(seconds=5, bank=60).ticked(2)
        Limit(seconds=3, bank=58, increment=0.0, depth=None, nodes=None)
        """
        left = [None if time is None else max(0, time - seconds) for time in (self.seconds, self.bank)]
        return replace(self, seconds=left[0], bank=left[1])

    @classmethod
    def parse(cls, text: str) -> Limit:
        """Reads `seconds=1`, `bank=60,increment=1`, `depth=4`, `nodes=1000` or `none`."""
        known = {field.name for field in fields(cls)}
        values: dict[str, float] = {}
        for word in text.split(",") if text not in ("", "none") else []:
            key, _, number = word.strip().partition("=")
            if key not in known or not NUMBER.fullmatch(number) or key in values:
                examples = "seconds=1, bank=60,increment=1, depth=4 or nodes=1000"
                raise LimitError(f"'{shorten(word)}' is not a limit; write {examples}")
            values[key] = int(number) if key in WHOLE and "." not in number else float(number)
        return cls(**values)  # type: ignore[arg-type]

    def __str__(self) -> str:
        given = [f"{name}={value:.6f}".rstrip("0").rstrip(".") for name, value in vars(self).items()
                 if value is not None and (value or name != "increment")]
        return ",".join(given) or "none"


def as_limit(given: Limit | str) -> Limit:
    """The limit that is meant: a Limit, or its text.

    >>> as_limit("seconds=1") == as_limit(Limit(seconds=1))
    True
    """
    if not isinstance(given, Limit | str):
        raise LimitError(f"{shorten(repr(given))} is not a limit; write a Limit, or a text such as "
                         "'seconds=1'")
    return Limit.parse(given) if isinstance(given, str) else given


NO_LIMIT = Limit()
