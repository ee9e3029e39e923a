"""`python -m tests.soak.load.xt`: games at Reversi XT servers among hostile clients, and a million frames."""

from __future__ import annotations

import argparse
import asyncio
import gc
import sys
import time
from collections import Counter, deque
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from rich.console import Console

from polyversi.protocols.xt.frames import Answer, encode
from polyversi.protocols.xt.seat import Bounds
from polyversi.records import Record, jsonl
from polyversi.records.maps import map_of
from polyversi.server.xt.clients import ClientLimits
from polyversi.server.xt.results import XtGameResult
from polyversi.server.xt.server import ServerMap, ServerObserver, XtPlan, XtServer, limit_of
from tests import reference as ref
from tests.soak.fuzz.mutation import mutated
from tests.soak.fuzz.parsers import PARSERS
from tests.soak.load.checks import report
from tests.soak.load.measuring import MIB
from tests.soak.load.mischief import DEEDS, NUISANCES, Hostile, small_chart
from tests.testing.xt_clients import Client, Line

QUICK = ClientLimits(group_timeout=0.5, bounds=Bounds(message_timeout=0.2, linger=0.5, ignored=1 << 16))
WITHIN = 120.0
"""Seconds after which a game has hung."""
THROWERS = 60
FOR_A_SEAT = 0.5
"""Seconds that a client that sends fuzzed frames waits for a seat, which may never come."""
MOST_GROWTH = 16 * MIB
"""Growth of memory in the second half of the games that is allowed, for the stored records and noise."""
STATUS = Path("/proc/self/status")


@dataclass(frozen=True)
class Trouble:
    """The size of the run."""

    games: int = 1000
    row: int = 25
    """Games that one server plays one after the other."""
    at_once: int = 8
    """Servers at a time."""
    honesty: float = 0.6
    """The share of honest clients."""
    frames: int = 1_000_000
    """Fuzzed frames over real connections."""
    seconds: float = 0.75
    """Seconds per move; enough for a client of the same process unless the machine is busy."""
    seed: int = 1


@dataclass
class Outcome:
    """The counts, and what went wrong; nothing should go wrong."""

    counts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


class Board(ServerObserver):
    """Keeps the games of an evening and the last sentences of the server."""

    def __init__(self) -> None:
        self.played: list[XtGameResult] = []
        self.said: deque[str] = deque(maxlen=12)
        self._news = asyncio.Event()

    def say(self, sentence: str) -> None:
        self.said.append(sentence)

    def finish(self, game: XtGameResult) -> None:
        self.played.append(game)
        self._news.set()

    async def until(self, games: int) -> None:
        """Waits until this many games are over."""
        while len(self.played) < games:
            self._news.clear()
            await self._news.wait()


class Tally(ServerObserver):
    """Counts games and keeps nothing."""

    def __init__(self) -> None:
        self.games = 0

    def finish(self, game: XtGameResult) -> None:
        self.games += 1


class Evening:
    """Games in a row at one server, with honest clients, hostile ones, and some that never get a seat."""

    def __init__(self, trouble: Trouble, number: int, outcome: Outcome) -> None:
        self._trouble = trouble
        self._chance = Random(f"{trouble.seed}/{number}")
        self._outcome = outcome
        self._board = Board()
        self._clients: list[Client] = []
        self._playing: dict[Client, asyncio.Task[Client]] = {}
        self._nuisances: list[Line] = []

    async def run(self, games: int) -> list[XtGameResult]:
        """Plays them all."""
        charts = [small_chart(self._chance.randint(2, 8), self._chance) for _ in range(games)]
        plan = XtPlan(charts, limit_of(self._trouble.seconds, 0), games=games, pause=0.0, client_limits=QUICK)
        self._server = XtServer(plan, observer=self._board)
        await self._server.open(port=0)
        evening = asyncio.create_task(self._server.run())
        try:
            for number, chart in enumerate(charts):
                try:
                    async with asyncio.timeout(WITHIN):
                        await self._game(number, chart)
                except TimeoutError:
                    raise RuntimeError(f"game {number + 1} hangs: {list(self._board.said)}") from None
            await evening
        finally:
            evening.cancel()
            await asyncio.wait([evening])
            await self._go_home()
        return self._board.played

    async def _game(self, number: int, chart: ServerMap) -> None:
        """Brings as many clients as there are seats, lets them play, and looks at what came of it."""
        over = asyncio.create_task(self._board.until(number + 1))
        try:
            await self._fill(chart.game.seats)
            while not over.done():
                waiting = [self._playing[client] for client in self._clients if not client.heard]
                await asyncio.wait([over, *waiting], return_when=asyncio.FIRST_COMPLETED)
                if any(self._playing[client].done() for client in self._clients if not client.heard):
                    await self._fill(chart.game.seats)
        finally:
            over.cancel()
        game, seated = self._board.played[number], [client for client in self._clients if client.heard]
        self._clients = [client for client in self._clients if not client.heard]
        for client in seated:
            if not isinstance(client, Hostile):
                await self._playing[client]
        self._outcome.faults += [f"{chart.text!r}: {fault}" for fault in game_faults(game, seated)]
        self._count(game, seated)

    async def _fill(self, seats: int) -> None:
        """Brings clients until so many wait; on a busy machine some are too slow to say their group."""
        self._clients = [client for client in self._clients
                         if client.heard or not self._playing[client].done()]
        for _ in range(seats - sum(not client.heard for client in self._clients)):
            if self._chance.random() < 0.2:
                await self._bother()
            await self._bring()

    async def _bring(self) -> None:
        kind = Client if self._chance.random() < self._trouble.honesty else Hostile
        client = await kind.to(self._server, self._chance.randint(0, 99))
        if isinstance(client, Hostile):
            client.deed, client.honest_moves = self._chance.choice(list(DEEDS)), self._chance.randint(0, 40)
        self._clients.append(client)
        self._playing[client] = asyncio.create_task(client.play(Random(self._chance.random())))

    async def _bother(self) -> None:
        what = self._chance.choice(list(NUISANCES))
        line = await Line.to(self._server)
        NUISANCES[what](line, self._chance)
        self._nuisances.append(line)
        self._outcome.counts[f"without a seat: {what}"] += 1

    async def _go_home(self) -> None:
        for task in self._playing.values():
            task.cancel()
        if self._playing:
            await asyncio.wait(self._playing.values())
        for line in [*self._playing, *self._nuisances]:
            line.close()

    def _count(self, game: XtGameResult, seated: Sequence[Client]) -> None:
        counts = self._outcome.counts
        counts["games"] += 1
        counts["moves"] += len(game.finished.record.moves)
        counts["honest clients"] += sum(not isinstance(client, Hostile) for client in seated)
        counts.update(f"hostile: {client.deed}" for client in seated
                      if isinstance(client, Hostile) and client.is_done)
        counts.update(f"verdict: {offence.kind}" for offence in game.finished.offences)


def game_faults(game: XtGameResult, seated: Sequence[Client]) -> list[str]:
    """Faults: honest clients that were harmed, or that received anything but what happened."""
    faults = []
    offences = {offence.seat: offence for offence in game.finished.offences}
    for client in seated:
        if isinstance(client, Hostile):
            continue
        if client.seat in offences:
            faults.append(f"an honest client was disqualified: {offences[client.seat]}")
        elif client.state != game.finished.record.final:
            faults.append(f"seat {client.seat} saw {client.state.text} at the end")
    return faults


def replayed(line: str) -> str:
    """Replays a stored game with the plain reference rules; returns what differs, if anything."""
    record = jsonl.parse(line)
    assert isinstance(record, Record)
    state = ref.RefState.start(ref.from_xt_map(map_of(record.game).text))
    expelled = list(record.disqualified)
    for ply in range(len(record.moves) + 1):
        while expelled and expelled[0][0] == ply:
            state = state.disqualify(expelled.pop(0)[1])
        if ply < len(record.moves):
            state = state.play(record.moves[ply].cell, record.moves[ply].special)
    theirs, ours = state.result(), record.result
    if theirs is None or ours is None:
        return f"not over: {line}"
    same = (theirs.reason, state.scores(), theirs.ranks, theirs.points) == (
        ours.reason, ours.scores, ours.ranks, ours.points)
    return "" if same else f"{theirs} is not {ours}: {line}"


async def shower(trouble: Trouble, outcome: Outcome) -> None:
    """Sends fuzzed frames to one server from many connections while it continues its games."""
    chance = Random(trouble.seed)
    tally = Tally()
    charts = [small_chart(seats, chance) for seats in (2, 3)]
    plan = XtPlan(charts, limit_of(trouble.seconds, 0), games=1 << 30, pause=0.0, client_limits=QUICK)
    server = XtServer(plan, observer=tally)
    await server.open(port=0)
    evening = asyncio.create_task(server.run())
    left = trouble.frames

    async def throw() -> None:
        nonlocal left
        while left > 0 and not evening.done():
            count = min(chance.randint(1, 19), left)
            left -= count
            await _throw(server, count, chance, outcome)

    try:
        await asyncio.gather(*(throw() for _ in range(THROWERS)))
        if evening.done():
            outcome.faults.append(f"the server crashed: {evening.exception()!r}")
    finally:
        evening.cancel()
        await asyncio.wait([evening])
    outcome.counts["games among fuzzed frames"] += tally.games


async def _throw(server: XtServer, count: int, chance: Random, outcome: Outcome) -> None:
    """One connection with so many frames; most of them say a group first, and many wait for their seat."""
    parser = PARSERS["frames"]
    good = (encode(Answer(1, 1, 0)), *parser.samples[:1])
    data = b"".join(mutated(chance, good, parser.tokens) for _ in range(count))
    with suppress(OSError):    # the server may be faster and hang up
        says_group = chance.random() < 0.9
        line = await Line.to(server, chance.randint(0, 99) if says_group else None)
        try:
            if says_group and chance.random() < 0.5:
                with suppress(TimeoutError):
                    await asyncio.wait_for(line.reader.read(1 << 16), FOR_A_SEAT)
            line.writer.write(data)
            line.writer.write_eof()
            while await line.reader.read(1 << 16):
                pass
        finally:
            line.close()
    outcome.counts["fuzzed frames sent"] += count
    outcome.counts["connections for them"] += 1


def resident() -> int:
    """Bytes of memory that this process has."""
    (line,) = [line for line in STATUS.read_text().splitlines() if line.startswith("VmRSS")]
    return int(line.split()[1]) * 1024


def open_files() -> int:
    """Files and sockets that this process has open."""
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


async def endure(trouble: Trouble) -> Outcome:
    """Runs everything and checks that nothing is left open."""
    outcome = Outcome()
    files, tasks = open_files(), len(asyncio.all_tasks())
    records: list[str] = []
    memory = [resident()]
    space = asyncio.Semaphore(trouble.at_once)

    async def evening(number: int) -> None:
        async with space:
            games = min(trouble.row, trouble.games - number * trouble.row)
            try:
                played = await Evening(trouble, number, outcome).run(games)
            except Exception as error:
                outcome.faults.append(f"evening {number}: {type(error).__name__}: {error}")
                return
            records.extend(jsonl.write(game.record) for game in played)
            memory.append(resident())

    await asyncio.gather(*(evening(number) for number in range(-(-trouble.games // trouble.row))))
    await shower(trouble, outcome)
    for _ in range(10):
        await asyncio.sleep(0.1)    # a client's end of a connection closes after the server's
        if open_files() <= files:
            break
    outcome.counts["sockets left over"] = max(0, open_files() - files)
    outcome.counts["tasks left over"] = len(asyncio.all_tasks()) - tasks
    for name in ("sockets left over", "tasks left over"):
        if outcome.counts[name]:
            outcome.faults.append(f"{outcome.counts[name]} {name}")
    gc.collect()
    growth = resident() - memory[len(memory) // 2]
    outcome.counts["KiB of growth after the first half"] = max(0, growth) // 1024
    if growth > MOST_GROWTH:
        outcome.faults.append(f"{growth / MIB:.0f} MiB of growth after the first half of the games")
    with ProcessPoolExecutor(2) as pool:
        outcome.faults += filter(None, pool.map(replayed, records, chunksize=10))
    outcome.counts["records replayed by the reference"] = len(records)
    return outcome


def main() -> int:
    """Runs everything and prints the counts; returns 1 if there was any fault."""
    parser = argparse.ArgumentParser("tests.soak.load.xt", description="Reversi XT among the hostile.")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--at-once", type=int, default=8, help="servers at the same time")
    parser.add_argument("--frames", type=int, default=1_000_000, help="fuzzed frames over connections")
    parser.add_argument("--honesty", type=float, default=0.6, help="share of honest clients")
    parser.add_argument("--seconds", type=float, default=0.75, help="per move; more on a busy machine")
    parser.add_argument("--seed", type=int, default=1)
    trouble = Trouble(**vars(parser.parse_args()))
    console, began, memory = Console(), time.monotonic(), resident()
    with console.status("playing"):
        outcome = asyncio.run(endure(trouble))
    counts = [*sorted(outcome.counts.items()), ("MiB of memory at the start", round(memory / MIB)),
              ("MiB of memory at the end", round(resident() / MIB))]
    return report(console, counts, time.monotonic() - began, outcome.faults, trouble.seed)


if __name__ == "__main__":
    sys.exit(main())
