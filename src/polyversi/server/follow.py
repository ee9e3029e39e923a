"""Following a game by what a host tells of it, which is checked before anybody relies on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from polyversi.gameplay.events import Event
from polyversi.gameplay.log import History
from polyversi.server.messages import MessageError, printable

if TYPE_CHECKING:
    from polyversi.games.game import Game
    from polyversi.games.state import State

T = TypeVar("T")

MOST_EARLY = 1_000
"""Events that are kept although some before them are missing; those beyond have to come again."""


class Follower:
    """A game at a host: its history so far, with every event checked and fit to be shown.

    >>> import polyversi as pv
    >>> follower = Follower(pv.game("othello-4"))
    >>> finished = pv.play(pv.game("othello-4").start(), [pv.player("random", seed=n) for n in (1, 2)],
    ...                    observers=[follower.take])
    >>> follower.state == finished.record.final, follower.has_ended
    (True, True)
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.history = History(game.start())
        self.events = 0
        """How many events it has."""
        self.has_ended = False
        self._early: dict[int, Event] = {}

    @property
    def has_gap(self) -> bool:
        """Whether events are here that cannot be taken because some before them are missing."""
        return bool(self._early)

    @property
    def state(self) -> State:
        """The state after the last event."""
        return self.history.state

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
            if len(self._early) < MOST_EARLY:
                self._early[event.number] = event
            return
        following: Event | None = event
        while following is not None:
            if checked := self.take(following):
                yield checked
            following = self._early.pop(self.events, None)

    def take(self, event: Event) -> Event | None:
        """Goes on with the next event and gives it back fit to be shown; None for one that it has already."""
        if event.number < self.events:
            return None
        if event.number > self.events:
            raise MessageError(f"event {self.events} is missing: event {event.number} came instead")
        try:
            checked = Event(event.number, event.kind, self._checked(event.kind, event.data))
            if event.kind == "start":
                self.history = History(self.game.position(checked.data["start"]))
            self.history(checked)
        except (KeyError, TypeError, ValueError) as error:
            raise MessageError(f"event {event.number} is no proper '{event.kind}': {error}") from None
        if checked.data.get("position", self.state.text) != self.state.text:
            raise MessageError(f"event {event.number} does not lead to the position that it names")
        self.has_ended = event.kind == "end"
        self.events += 1
        return checked

    def _checked(self, kind: str, data: dict[str, Any]) -> dict[str, Any]:
        """The data of an event, all of it there and nothing in it but what belongs there."""
        if kind == "start":
            names, limits = self._listed(data, "players", _text), self._listed(data, "limits", _text)
            return {"game": self.game.spec, "start": _text(data["start"]), "players": names, "limits": limits}
        if kind == "move":
            return {"seat": self._seat(data["seat"]), "move": _text(data["move"]),
                    "seconds": _number(data["seconds"]), "clocks": self._listed(data, "clocks", _clock),
                    "position": _text(data["position"])}
        if kind == "undo":
            plies = _whole(data["plies"])
            if not 1 <= plies <= len(self.history.plies):
                raise ValueError(f"{plies} plies cannot be taken back")
            return {"seat": self._seat(data["seat"]), "plies": plies,
                    "clocks": self._listed(data, "clocks", _clock), "position": _text(data["position"])}
        if kind == "verdict":
            return {"verdict": _text(data["verdict"]), "seat": self._seat(data["seat"]),
                    "detail": _text(data["detail"]), "position": _text(data["position"])}
        verdict = dict(data["verdict"])
        return {
            "reason": _text(data["reason"]),
            "scores": self._listed(data, "scores", _whole),
            "ranks": self._listed(data, "ranks", _whole),
            "points": self._listed(data, "points", _number),
            "verdict": {"kind": _text(verdict["kind"]), "detail": _text(verdict["detail"]),
                        "seat": None if verdict["seat"] is None else self._seat(verdict["seat"])},
        }

    def _seat(self, value: object) -> int:
        if not 1 <= (seat := _whole(value)) <= self.game.seats:
            raise ValueError(f"there is no seat {seat}")
        return seat

    def _listed(self, data: dict[str, Any], name: str, read: Callable[[object], T]) -> list[T]:
        """A list with something for each seat."""
        values = data[name]
        if not isinstance(values, list) or len(values) != self.game.seats:
            raise TypeError(f"\"{name}\" is a list with something for each seat")
        return [read(value) for value in values]


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("a text is missing")
    return printable(value)


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) < 1e12:
        raise TypeError("a number is missing")
    return value


def _clock(value: object) -> float | None:
    return None if value is None else _number(value)


def _whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 10**6:
        raise TypeError("a whole number is missing")
    return value
