"""Offers: what one person asks of the others in a game, until all have agreed or one has not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from polyversi.server.messages import Message, Offer, Settled

What = Literal["undo", "rematch"]


@dataclass
class _Open:
    number: int
    what: What
    seat: int
    waiting: set[str]
    """The people who have not answered yet."""


class Offers:
    """The offers of a game, one open at a time.

    >>> offers = Offers(print, lambda what, seat: print(what, "for seat", seat))
    >>> offers.make("undo", 1, {"Bob"})
    Offer(number=1, what='undo', seat=1)
    >>> offers.reply(1, "Bob", yes=True)
    Settled(number=1, yes=True)
    undo for seat 1
    >>> offers.make("undo", 1, set())    # nobody to ask
    undo for seat 1
    """

    def __init__(self, tell: Callable[[Message], None], agreed: Callable[[What, int], None]) -> None:
        self._tell = tell
        self._agreed = agreed
        self._made = 0
        self._open: _Open | None = None

    @property
    def open(self) -> Offer | None:
        """The offer that waits for an answer."""
        return Offer(self._open.number, self._open.what, self._open.seat) if self._open else None

    def make(self, what: What, seat: int, others: set[str]) -> None:
        """A seat asks for something; when there is nobody to ask, it is agreed."""
        if not others:
            self._agreed(what, seat)
        elif self._open is None or (self._open.what, self._open.seat) != (what, seat):
            self._settle(yes=False)
            self._made += 1
            self._open = _Open(self._made, what, seat, set(others))
            self._tell(Offer(self._made, what, seat))

    def reply(self, number: int, person: str, *, yes: bool) -> None:
        """A person answers an offer; whoever is not asked, or answers an old one, changes nothing."""
        current = self._open
        if current is None or current.number != number or person not in current.waiting:
            return
        current.waiting.discard(person)
        if not yes:
            self._settle(yes=False)
        elif not current.waiting:
            self._settle(yes=True)
            self._agreed(current.what, current.seat)

    def moved(self) -> None:
        """The game went on: whoever was asked for a move back has answered by that."""
        if self._open is not None and self._open.what == "undo":
            self._settle(yes=False)

    def _settle(self, *, yes: bool) -> None:
        if self._open is not None:
            number, self._open = self._open.number, None
            self._tell(Settled(number, yes))
