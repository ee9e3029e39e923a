"""The seat of a person, wherever that person is: at this terminal, on a page or elsewhere on the network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from polyversi.gameplay.seat import Seat

if TYPE_CHECKING:
    from polyversi.gameplay.seat import Request


class Channel(Protocol):
    """How a person is asked: a dialogue in a terminal, or messages to the guests of a room."""

    async def ready(self) -> None:
        """Waits until the person can be asked; no clock runs before."""

    async def ask(self, request: Request) -> Any:
        """A move, its text, Resign or Undo; cancelled when the time is up."""


class PersonSeat(Seat):
    """A person, whose answers come from a channel.

    >>> import asyncio
    >>> import polyversi as pv
    >>> from polyversi.gameplay.seat import LocalSeat
    >>> class FirstMove:
    ...     async def ready(self):
    ...         pass
    ...     async def ask(self, request):
    ...         return request.state.moves[0]
    >>> seats = [PersonSeat("Ann", FirstMove()), LocalSeat(pv.player("random", seed=1))]
    >>> pv.play(pv.game("othello-4").start(), seats).record.players
    ('Ann', 'random:seed=1')
    """

    def __init__(self, name: str, channel: Channel, *, is_person: bool = True) -> None:
        self.name = name
        self.is_person = is_person
        self._channel = channel

    async def prepare(self, request: Request) -> None:  # noqa: ARG002
        await self._channel.ready()

    async def answer(self, request: Request) -> Any:
        return await self._channel.ask(request)
