"""Following a game by its events: every variant's games, and hosts that tell nonsense."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest

import polyversi as pv
from polyversi.gameplay import (
    EndEvent,
    Event,
    LocalSeat,
    Referee,
    Request,
    Seat,
    StartEvent,
    Undo,
    VerdictEvent,
)
from polyversi.server.client import Follower
from polyversi.server.messages import FROM_HOST, MessageError, decode, encode


class Wavering(LocalSeat):
    """Takes its first move back once."""

    has_wavered = False

    async def answer(self, request: Request) -> Any:
        if len(request.moves) == 2 and not self.has_wavered:
            self.has_wavered = True
            return Undo()
        return await super().answer(request)


class Hopeless(Seat):
    """Says what is no move."""

    name = "hopeless"

    async def answer(self, request: Request) -> str:
        return "nowhere"


@pytest.mark.parametrize("spec", ["othello-6", "hex", "hex:side=6,seats=3", "rolit", "xt:diamond", "anti-6"])
@pytest.mark.parametrize("first", ["undo", "illegal"])
def test_the_follower_knows_what_the_referee_knows(spec: str, first: str) -> None:
    game = pv.game(spec)
    follower = Follower(game)
    opening: Seat = Wavering(pv.player("random", seed=1)) if first == "undo" else Hopeless()
    others = [LocalSeat(pv.player("random", seed=seed)) for seed in range(2, game.seats + 1)]

    def take(event: Event) -> None:
        heard = decode(encode(event), FROM_HOST)
        assert heard == event and follower.take(event) and not follower.take(event)
        assert follower.state == referee.state

    referee = Referee(game.start(3), [opening, *others], pv.Limit(bank=60), [take])
    finished = asyncio.run(referee.run())
    assert follower.has_ended
    assert follower.log.record.moves == finished.record.moves


START = pv.game("othello-4").start()
BEGIN = {"game": "othello-4", "start": START.text, "players": ["A", "B"], "limits": ["none", "none"]}
MOVE = {"seat": 1, "move": "b1", "seconds": 1, "clocks": [None, None], "position": START.play("b1").text}
UNDO = {"seat": 1, "plies": 1, "clocks": [None, None], "position": START.text}
VERDICT = {"seat": 1, "verdict": "timeout", "detail": "", "position": START.text}
WIN = {"kind": "win", "seat": 1, "detail": ""}
END = {"reason": "x", "scores": [1, 1], "ranks": [1, 2], "points": [1, 0], "verdict": WIN}


def told(number: int, kind: str, data: dict[str, Any]) -> Event:
    """An event as a host tells it."""
    line = json.dumps({"type": "event", "number": number, "kind": kind, "data": data})
    event = decode(line, FROM_HOST)
    assert isinstance(event, Event)
    return event


@pytest.mark.parametrize(("kind", "data"), [
    ("start", BEGIN),
    ("move", {}),
    ("move", MOVE | {"move": 5}),
    ("move", MOVE | {"move": "zz"}),
    ("move", MOVE | {"seat": 3}),
    ("move", MOVE | {"seat": 2}),
    ("move", MOVE | {"seat": None}),
    ("move", MOVE | {"clocks": [1]}),
    ("move", MOVE | {"clocks": [1] * 9}),
    ("move", MOVE | {"clocks": [1, "x"]}),
    ("move", MOVE | {"clocks": [-1, None]}),
    ("move", MOVE | {"position": "nonsense"}),
    ("move", MOVE | {"position": START.text}),
    ("move", MOVE | {"move": "a1"}),
    ("move", MOVE | {"seconds": True}),
    ("move", MOVE | {"seconds": 1e13}),
    ("undo", UNDO),
    ("undo", UNDO | {"plies": 0}),
    ("undo", UNDO | {"plies": -1}),
    ("undo", UNDO | {"plies": "1"}),
    ("verdict", VERDICT | {"seat": 9}),
    ("verdict", VERDICT | {"verdict": "\x07"}),
    ("verdict", VERDICT | {"position": "\x07"}),
    ("end", END | {"scores": [1]}),
    ("end", END | {"verdict": 5}),
    ("end", END | {"verdict": {}}),
    ("end", END | {"points": [1, None]}),
], ids=repr)
def test_nonsense_is_refused(kind: str, data: dict[str, Any]) -> None:
    follower = Follower(pv.game("othello-4"))
    follower.take(told(0, "start", BEGIN))
    with pytest.raises(MessageError) as caught:
        follower.take(told(1, kind, data))
    assert str(caught.value).isprintable()
    assert (follower.state, follower.events) == (START, 1)


def test_an_event_too_many_or_too_early_is_refused() -> None:
    follower = Follower(pv.game("othello-4"))
    with pytest.raises(MessageError, match="event 0 is missing"):
        follower.take(told(0, "move", MOVE))
    follower.take(told(0, "start", BEGIN))
    with pytest.raises(MessageError, match="event 1 is missing"):
        follower.take(told(2, "move", MOVE))
    follower.take(told(1, "end", END))
    with pytest.raises(MessageError, match="after the end"):
        follower.take(told(2, "move", MOVE))


def test_xt_nonsense_is_refused() -> None:
    follower = Follower(pv.game("xt:diamond"))
    names = {"game": "xt:diamond", "players": list("ABCD"), "limits": ["none"] * 4}
    follower.take(told(0, "start", {"start": follower.state.text} | names))
    out = {"seat": 2, "verdict": "timeout", "detail": "", "position": follower.state.disqualify(2).text}
    assert follower.take(told(1, "verdict", out)) and follower.state.out == (2,)
    with pytest.raises(MessageError):
        follower.take(told(2, "verdict", out))


def test_names_and_reasons_cannot_play_tricks_on_the_terminal() -> None:
    start = told(0, "start", BEGIN | {"players": ["A\x1b", "B\u202e"]})
    assert isinstance(start, StartEvent) and start.players == ("A?", "B?")
    verdict = told(1, "verdict", VERDICT | {"detail": "\x1b]0;title\x07"})
    assert isinstance(verdict, VerdictEvent) and verdict.detail == "?]0;title?"
    end = told(1, "end", END | {"reason": "\x07", "verdict": WIN | {"detail": "\x1b[2J"}})
    assert isinstance(end, EndEvent) and (end.reason, end.verdict.detail) == ("?", "?[2J")


def test_the_session_in_the_documentation_can_be_followed() -> None:
    page = (Path(__file__).parents[2] / "docs" / "network.md").read_text()
    follower = Follower(pv.game("othello-4"))
    for line in re.findall(r"^← (\{.*\})$", page, re.MULTILINE):
        message = decode(line.encode(), FROM_HOST)
        if isinstance(message, Event):
            follower.take(message)
    assert follower.has_ended and follower.state.scores == (3, 3)
