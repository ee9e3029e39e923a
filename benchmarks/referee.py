"""What the referee costs per move, with players in its own process and with bots, and what pipes cost."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import polyversi as pv
from benchmarks.harness import Benchmark, Contender, Goal
from polyversi.gameplay import LocalSeat, Referee, Seat
from polyversi.gameplay.bots import Command
from polyversi.gameplay.bots.process import Child
from polyversi.players import Limit, Player
from polyversi.protocols.json_bot import JsonSeat

if TYPE_CHECKING:
    from polyversi.games.state import State

BOT = """
import json, sys
for line in sys.stdin:
    print(json.dumps({"move": json.loads(line)["moves"][0]}), flush=True)
"""
ECHO = """
import sys
for line in sys.stdin:
    print(line, end="", flush=True)
"""
LINES = 200
TIMED = Limit(seconds=60)


class FirstMove(Player):
    """Plays the first legal move, so that all time is the referee's."""

    name = "first"

    def choose(self, state: State, limit: Limit = TIMED) -> pv.Move:  # noqa: ARG002
        return state.moves[0]


class Kept(JsonSeat):
    """A bot whose process is reused for the next game, so that its start is not measured."""

    async def begin(self, start: State, seat: int) -> None:
        if self.child is None:
            await super().begin(start, seat)

    async def close(self) -> None:
        pass


def game(seats: list[Seat], limit: Limit) -> tuple[Callable[[], object], int]:
    """A function that plays a whole game of Othello, and the number of moves."""
    loop = asyncio.new_event_loop()

    def run() -> int:
        finished = loop.run_until_complete(Referee(pv.game("othello").start(), seats, limit).run())
        assert finished.verdict.kind in ("win", "draw"), finished.verdict
        return len(finished.record.moves)

    return run, run()


def local() -> list[Contender]:
    seats: list[Seat] = [LocalSeat(FirstMove(), "first"), LocalSeat(FirstMove(), "first")]
    timed, plain = game(seats, TIMED), game(seats, Limit())
    return [Contender("with a clock", *timed), Contender("without a clock", *plain)]


def pipes() -> list[Contender]:
    command = Command((sys.executable, "-c", BOT))
    bots: list[Seat] = [Kept(command, "bot"), Kept(command, "bot")]
    timed, plain = game(bots, TIMED), game([Kept(command, "bot"), Kept(command, "bot")], Limit())
    return [Contender("with a clock", *timed), Contender("without a clock", *plain)]


def echoes() -> list[Contender]:
    """A line to a process and back: through the pipes of bots, and through those of asyncio."""
    words = (sys.executable, "-c", ECHO)
    loop = asyncio.new_event_loop()
    child = Child(Command(words))

    async def start() -> asyncio.subprocess.Process:
        child.start()
        return await asyncio.create_subprocess_exec(
            *words, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE)

    process = loop.run_until_complete(start())
    assert process.stdin and process.stdout
    to, back = process.stdin, process.stdout

    async def through_ours() -> None:
        for _ in range(LINES):
            child.send(b"f5\n")
            await child.line()

    async def through_asyncio() -> None:
        for _ in range(LINES):
            to.write(b"f5\n")
            await back.readline()

    return [Contender("bots' processes", lambda: loop.run_until_complete(through_ours()), LINES),
            Contender("asyncio.subprocess", lambda: loop.run_until_complete(through_asyncio()), LINES)]


BENCHMARKS = (
    Benchmark("referee", "A move of Othello through the referee, players in its own process", "move", local,
              goals=(Goal(1e-3),), timed=True, clock=time.perf_counter),
    Benchmark("bots", "A move of Othello through the referee, bots in Python over pipes", "move", pipes,
              goals=(Goal(2e-3),), timed=True, clock=time.perf_counter),
    Benchmark("pipes", "A line to a Python process and back", "line", echoes,
              timed=True, clock=time.perf_counter),
)
