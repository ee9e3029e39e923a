"""Following a game by what a host tells of it, in whatever order that comes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from polyversi.gameplay.events import Event, StartEvent
from polyversi.gameplay.log import GameLog
from polyversi.games.errors import PolyversiError
from polyversi.server.messages import MessageError, printable

if TYPE_CHECKING:
    from polyversi.games.game import Game
    from polyversi.games.state import State

MAX_EARLY = 1_000
"""Events that are kept although some before them are missing; those beyond have to come again."""


class Follower:
    """A game at a host: its log so far.

    >>> import polyversi as pv
    >>> follower = Follower(pv.game("othello-4"))
    >>> finished = pv.play(pv.game("othello-4").start(), [pv.player("random", seed=n) for n in (1, 2)],
    ...                    observers=[follower.take])
    >>> follower.state == finished.record.final, follower.has_ended
    (True, True)
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.log = GameLog(game.start())
        self._early: dict[int, Event] = {}

    @property
    def events(self) -> int:
        """How many events it has."""
        return len(self.log.events)

    @property
    def has_ended(self) -> bool:
        """Whether the game is over."""
        return self.log.end is not None

    @property
    def has_gap(self) -> bool:
        """Whether events are here that cannot be taken because some before them are missing."""
        return bool(self._early)

    @property
    def state(self) -> State:
        """The state after the last event."""
        return self.log.state

    def catch(self, event: Event) -> Iterator[Event]:
        """Takes events as they come, in any order and some of them twice; those that are taken now, in order.

        >>> import polyversi as pv
        >>> follower, game = Follower(pv.game("othello-4")), pv.game("othello-4")
        >>> seen = []
        >>> _ = pv.play(game.start(), [pv.player("random", seed=n) for n in (1, 2)], observers=[seen.append])
        >>> list(follower.catch(seen[1])), follower.has_gap
        ([], True)
        >>> [event.kind for event in follower.catch(seen[0])], list(follower.catch(seen[1]))
        (['start', 'move'], [])
        """
        if event.number > self.events:
            if len(self._early) < MAX_EARLY:
                self._early[event.number] = event
            return
        following: Event | None = event
        while following is not None:
            if self.take(following):
                yield following
            following = self._early.pop(self.events, None)

    def take(self, event: Event) -> bool:
        """Goes on with the next event; False for one that it has already."""
        if event.number < self.events:
            return False
        try:
            if isinstance(event, StartEvent) and not self.events:
                self.log = GameLog(self.game.position(event.start))
            self.log.apply(event)
        except PolyversiError as error:
            raise MessageError(printable(str(error))) from None
        return True
