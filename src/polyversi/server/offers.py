"""Offers: what one person asks of the others in a game, until all have agreed or one has not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from polyversi.server.messages import Message, Offer, Settled

What = Literal["undo", "rematch"]


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

    def __init__(self, notify: Callable[[Message], None], agreed: Callable[[What, int], None]) -> None:
        self.open: Offer | None = None
        """The offer that waits for an answer."""
        self._notify = notify
        self._agreed = agreed
        self._made = 0
        self._waiting: set[str] = set()    # the people who have not answered it yet

    def make(self, what: What, seat: int, others: set[str]) -> None:
        """A seat asks for something; when there is nobody to ask, it is agreed."""
        if not others:
            self._agreed(what, seat)
        elif self.open is None or (self.open.what, self.open.seat) != (what, seat):
            self._settle(yes=False)
            self._made += 1
            self.open, self._waiting = Offer(self._made, what, seat), set(others)
            self._notify(self.open)

    def reply(self, number: int, person: str, *, yes: bool) -> None:
        """A person answers an offer; whoever is not asked, or answers an old one, changes nothing."""
        offer = self.open
        if offer is None or offer.number != number or person not in self._waiting:
            return
        self._waiting.discard(person)
        if not yes:
            self._settle(yes=False)
        elif not self._waiting:
            self._settle(yes=True)
            self._agreed(offer.what, offer.seat)

    def moved(self) -> None:
        """The game went on: whoever was asked for a move back has answered by that."""
        if self.open is not None and self.open.what == "undo":
            self._settle(yes=False)

    def _settle(self, *, yes: bool) -> None:
        if self.open is not None:
            number, self.open = self.open.number, None
            self._notify(Settled(number, yes))
