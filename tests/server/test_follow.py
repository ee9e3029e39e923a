"""Following a game by its events: every variant's games, and hosts that tell nonsense."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest

import polyversi as pv
from polyversi.gameplay import Event, LocalSeat, Referee, Request, Seat, Undo
from polyversi.server.follow import Follower
from polyversi.server.messages import FROM_HOST, MessageError, decode


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
        checked = follower.take(Event(**json.loads(json.dumps(event.to_json()))))
        assert checked == event and follower.take(event) is None
        assert event.kind == "verdict" or follower.state == referee.state

    referee = Referee(game.start(3), [opening, *others], pv.Limit(bank=60), [take])
    finished = asyncio.run(referee.run())
    assert follower.has_ended
    assert follower.history.record.moves == finished.record.moves


START = pv.game("othello-4").start()
BEGIN = Event(0, "start", {"start": START.text, "players": ["A", "B"], "limits": ["none", "none"]})
MOVE = {"seat": 1, "move": "b1", "seconds": 1, "clocks": [None, None], "position": START.play("b1").text}


@pytest.mark.parametrize("event", [
    Event(2, "move", MOVE),
    Event(1, "move", {}),
    Event(1, "move", MOVE | {"move": 5}),
    Event(1, "move", MOVE | {"move": "zz"}),
    Event(1, "move", MOVE | {"seat": 3}),
    Event(1, "move", MOVE | {"seat": None}),
    Event(1, "move", MOVE | {"clocks": [1]}),
    Event(1, "move", MOVE | {"clocks": [float("inf"), "x"]}),
    Event(1, "move", MOVE | {"position": "nonsense"}),
    Event(1, "move", MOVE | {"position": START.text}),
    Event(1, "move", MOVE | {"move": "a1"}),
    Event(1, "move", MOVE | {"seconds": True}),
    Event(1, "undo", {"seat": 1, "plies": -1, "position": START.text}),
    Event(1, "undo", {"seat": 1, "plies": "1", "position": START.text}),
    Event(1, "verdict", {"seat": 9, "verdict": "timeout", "detail": "", "position": START.text}),
    Event(1, "end", {"reason": "x", "scores": [1], "ranks": [1, 2], "points": [1, 0], "verdict": {}}),
    Event(1, "end", {"reason": "x", "scores": [1, 1], "ranks": [1, 2], "points": [1, 0], "verdict": 5}),
    Event(1, "end", {"reason": "x", "scores": [1, 1], "ranks": [1, 2], "points": [1, None],
                     "verdict": {"kind": "win", "seat": 1, "detail": ""}}),
], ids=repr)
def test_nonsense_is_refused(event: Event) -> None:
    follower = Follower(pv.game("othello-4"))
    follower.take(BEGIN)
    with pytest.raises(MessageError):
        follower.take(event)


def test_xt_nonsense_is_refused() -> None:
    follower = Follower(pv.game("xt:diamond"))
    names = {"players": list("ABCD"), "limits": ["none"] * 4}
    follower.take(Event(0, "start", {"start": follower.state.text} | names))
    out = {"seat": 2, "verdict": "timeout", "detail": "", "position": follower.state.disqualify(2).text}
    assert follower.take(Event(1, "verdict", out)) is not None and follower.state.out == (2,)
    with pytest.raises(MessageError):
        follower.take(Event(2, "verdict", out))


def test_names_and_reasons_cannot_play_tricks_on_the_terminal() -> None:
    follower = Follower(pv.game("othello-4"))
    follower.take(BEGIN)
    offence = Event(1, "verdict", {"seat": 1, "verdict": "\x07", "detail": "\x1b]0;title\x07",
                                   "position": START.text})
    checked = follower.take(offence)
    assert checked is not None and all(str(value).isprintable() for value in checked.data.values())
    begin = Event(0, "start", BEGIN.data | {"players": ["A\x1b", "B\u202e"]})
    named = Follower(pv.game("othello-4")).take(begin)
    assert named is not None and named.data["players"] == ["A?", "B?"]


def test_the_session_in_the_documentation_can_be_followed() -> None:
    page = (Path(__file__).parents[2] / "docs" / "network.md").read_text()
    follower = Follower(pv.game("othello-4"))
    for line in re.findall(r"^← (\{.*\})$", page, re.MULTILINE):
        message = decode(line.encode(), FROM_HOST)
        if isinstance(message, Event):
            follower.take(message)
    assert follower.has_ended and follower.state.scores == (3, 3)
