"""The processes of a server's bots: when they are started, how many there are, and when they end."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from polyversi.gameplay.events import MoveEvent
from polyversi.server import bots
from polyversi.server.bots import BotFolder
from polyversi.server.lobby import Lobby
from polyversi.server.messages import MoveMessage, RequestMessage
from polyversi.server.new_game import NewGame, NewSeat, Prepared, prepare
from tests.testing.clock import Clock, until, with_clock
from tests.testing.lobby import Wire, opened, visit
from tests.testing.processes import processes, wait_until_gone

BOT = """
import json, sys
for line in sys.stdin:
    print(json.dumps({"move": json.loads(line)["moves"][0]}), flush=True)
"""


def in_lobby(path: Path, evening: Callable[[Lobby, Clock], Awaitable[None]]) -> None:
    (path / "bots").mkdir()
    (path / "bots" / "first.py").write_text(BOT)

    async def whole(clock: Clock) -> None:
        async with opened(path, BotFolder(path / "bots", trust=True)) as lobby:
            await evening(lobby, clock)

    with_clock(whole)
    wait_until_gone(str(path / "bots"))


def against_the_bot(lobby: Lobby, *, first: bool) -> Prepared:
    seats = [NewSeat("me"), NewSeat("computer", "bot:first.py")]
    return prepare(NewGame(seats if first else seats[::-1], "othello-4"), lobby.bots)


async def play(ann: Wire, ask: RequestMessage) -> RequestMessage:
    """Ann plays, the bot answers, and she is asked again."""
    assert ask.moves
    ann.say(MoveMessage(ask.number, ask.moves[0].text))
    for _ in range(2):
        await ann.hear(MoveEvent)
    again = await ann.hear(RequestMessage)
    assert isinstance(again, RequestMessage)
    return again


def test_a_bot_is_started_when_it_is_asked_and_ends_when_nobody_attends(tmp_path: Path) -> None:
    folder = str(tmp_path / "bots")

    async def evening(lobby: Lobby, clock: Clock) -> None:
        prepared = against_the_bot(lobby, first=True)
        room = await lobby.create(prepared, "192.0.2.7")
        ann = visit(room, prepared.token)
        ask = await ann.hear(RequestMessage)
        assert processes(folder) == []
        await play(ann, ask)
        assert processes(folder)
        ann.hang_up()
        await until(lambda: not room.guests)
        clock.advance(room.policy.grace)
        await until(lambda: not processes(folder))
        ann = visit(room, prepared.token)
        await play(ann, await ann.hear(RequestMessage))

    in_lobby(tmp_path, evening)


def test_there_are_so_many_bots_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "MAX_BOTS", 2)
    folder, counts = str(tmp_path / "bots"), []

    async def evening(lobby: Lobby, clock: Clock) -> None:
        guests = []
        for _ in range(5):
            prepared = against_the_bot(lobby, first=False)
            ann = visit(await lobby.create(prepared, "192.0.2.7"), prepared.token)
            guests.append((ann, await ann.hear(RequestMessage)))
            counts.append(len(processes(folder)))
        for ann, ask in guests:    # those that were ended are started again
            await play(ann, ask)
            counts.append(len(processes(folder)))

    in_lobby(tmp_path, evening)
    assert counts[0] > 0
    assert counts[1:] == [2 * counts[0]] * 9


def test_all_bots_end_with_their_games(tmp_path: Path) -> None:
    async def evening(lobby: Lobby, clock: Clock) -> None:
        wanted = NewGame([NewSeat("computer", "bot:first.py")] * 2, "othello-4")
        room = await lobby.create(prepare(wanted, lobby.bots), "192.0.2.7")
        await until(lambda: room.id not in lobby.rooms)
        assert processes(str(tmp_path / "bots")) == []

    in_lobby(tmp_path, evening)
