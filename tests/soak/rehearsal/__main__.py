"""`python -m tests.soak.rehearsal`: a course from the first sign-in to the last tournament; 1 if it fails."""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Coroutine, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from polyversi.site.opened import open_site
from tests.soak.day.__main__ import lost
from tests.soak.day.watching import growth, quarters
from tests.soak.load.measuring import Times
from tests.soak.rehearsal import people, tournaments, watching
from tests.soak.rehearsal.bots import VARIANT, handed_in
from tests.soak.rehearsal.course import LADDER, Course, gather_people, new_course
from tests.soak.rehearsal.kills import Part, kill, plan
from tests.soak.rehearsal.verification import Verification
from tests.testing.postgres import Postgres
from tests.testing.processes import processes
from tests.testing.site import SiteServer

GOAL = 100.0
"""Milliseconds in which 99 of 100 pages are to be answered."""
CHECK_SECONDS, AGENT_SECONDS = 60.0, 900.0
"""Seconds that the check of one bot may take with all that is done besides; agents use all their time."""
EVENT_SECONDS = 1800.0
DRAIN_SECONDS = 900.0
GONE_SECONDS = 30.0
CTRL_C = 130
"""The status of a program that was ended by it."""
LEAST_LOOKS = 40
"""Looks at the server since its last start without which nothing can be said of its growth."""
SITE = f"""
[[ladders]]
id = "{LADDER}"
variant = "{VARIANT}"
games = 1000
"""


class Rehearsal:
    """One rehearsal, from the first sign-in to the last game."""

    def __init__(self, course: Course, asked: argparse.Namespace, console: Console) -> None:
        self.course, self._asked, self._console = course, asked, console
        self.meter = watching.Meter(course, max(1.0, asked.minutes / 4))
        self.clock = watching.Clock(course.site.port, course.site.path.with_name("diary"))
        self._kills = plan(asked.kills, course.rng)
        self._tasks: list[asyncio.Task[None]] = []
        self._began, self._said = time.monotonic(), 0

    def say(self, sentence: str) -> None:
        """Tells how far it is, and what has gone wrong meanwhile."""
        faults, minutes = self.course.world.faults, (time.monotonic() - self._began) / 60
        for line in (*faults[self._said:], f"{sentence}; {len(faults)} faults"):
            self._console.print(f"{minutes:5.1f} min: {line}", highlight=False, markup=False)
        self._said = len(faults)

    async def run(self) -> None:
        """Everything until the server can be ended."""
        course = self.course
        course.world.is_up.set()
        await gather_people(course, self._asked.people)
        self.say(f"{len(course.students)} people have come in")
        self.clock.start(course.students[0])
        self._go(self.meter.run(), people.remember(course))
        self._go(watching.watch_all(course, self._asked.watchers))
        try:
            await self._hand_in()
            await self._climb()
            await self._compete()
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            await course.close()

    async def _hand_in(self) -> None:
        course = self.course
        bots = handed_in(len(course.students), self._asked.seed, self._asked.agents)
        uploads = [people.hand_in(course, student, bot)
                   for student, bot in zip(course.students, bots, strict=True)]
        await asyncio.gather(*uploads, *(people.hand_in_bombs(course, one) for one in course.students[:2]))
        self.say(f"{course.counts['bots handed in']} bots have been handed in at once")
        killing = self._kill("checks", 0.0)
        until = time.monotonic() + sum(
            CHECK_SECONDS if bot.expected.is_ours else AGENT_SECONDS for bot in bots)
        while (left := await people.unchecked(course)) and time.monotonic() < until:
            await asyncio.sleep(people.LOOK)
        await killing
        if left:
            course.fault(f"{len(left)} bots are still to be checked")
        self.say("all bots have been checked")

    async def _climb(self) -> None:
        """The ladder: automatic games, challenges, and people who play each other besides."""
        course, seconds = self.course, 60 * self._asked.minutes
        challenging = self._go(*(people.challenge(course, one) for one in course.students if one.bot))
        pairs = list(zip(course.students[::2], course.students[1::2], strict=False))
        playing = self._go(*(people.play_each_other(course, *pair) for pair in pairs[:1 + len(pairs) // 4]))
        killing = self._kill("ladder", seconds)
        await asyncio.sleep(seconds)
        await killing
        for task in (*challenging, *playing):
            task.cancel()
        self.say(f"the ladder has shown {len(course.told)} games, {course.counts['challenges']} challenges")

    async def _compete(self) -> None:
        course = self.course
        killing = self._kill("events", 30.0 * self._asked.tournaments)
        for number in range(self._asked.tournaments):
            await tournaments.hold(course, number, EVENT_SECONDS)
            self.say(f"{course.counts['tournaments']} tournaments are over")
        await killing
        await people.until_played(course, DRAIN_SECONDS)
        self.say("all challenges have been played")

    def _kill(self, part: Part, seconds: float) -> asyncio.Task[None]:
        """Kills what is to be killed in a part of the rehearsal, spread over so many seconds."""
        targets = self._kills.get(part, [])

        async def work() -> None:
            for target in targets:
                await asyncio.sleep(seconds / (len(targets) + 1))
                await kill(self.course, target)

        return self._go(work())[0]

    def _go(self, *works: Coroutine[Any, Any, None]) -> list[asyncio.Task[None]]:
        def over(task: asyncio.Task[None]) -> None:
            if not task.cancelled() and (error := task.exception()):
                self.course.fault(f"the program itself failed: {type(error).__name__}: {error}")

        tasks = [asyncio.create_task(work) for work in works]
        for task in tasks:
            task.add_done_callback(over)
        self._tasks += tasks
        return tasks


def report(console: Console, course: Course, times: Sequence[tuple[str, Times]], verification: Verification,
           compared: int) -> None:
    """Everything that was counted and measured."""
    table = Table(box=box.SIMPLE, title="Answers of pages, in milliseconds")
    for column in ("page", "answers", "p50", "p99", "longest"):
        table.add_column(column, justify="left" if column == "page" else "right")
    for page, own in times:
        table.add_row(page, f"{own.count:,}", *(f"{own.share(part):.0f}" for part in (0.5, 0.99, 1)))
    console.print(table)
    for name, count in sorted((course.counts + verification.counts).items()):
        console.print(f"{count:9,} {name}", highlight=False)
    console.print(f"{compared:9,} events of people's games compared with the store", highlight=False)


def too_slow(console: Console, times: Sequence[tuple[str, Times]], goal: float) -> list[str]:
    """Says how long pages took, all together and the worst, and whether that was too long."""
    (_, every), *each = times
    if not each:
        return ["no page was ever answered"]
    worst, own = each[0]
    found = (f"99 of 100 pages were answered within {every.share(0.99):.0f} ms; "
             f"the slowest is {worst} with {own.share(0.99):.0f} ms")
    console.print(found, highlight=False, markup=False)
    return [f"{found}; the goal is {goal:.0f} ms"] if goal and every.share(0.99) > goal else []


def told_growth(console: Console, meter: watching.Meter) -> list[str]:
    """Says what the server's memory was since its last start, and whether it grew."""
    looks, seconds = meter.as_of_start()
    if len(looks) < LEAST_LOOKS:
        console.print(f"the server ran only {seconds:.0f} s since its last kill: nothing is known of growth")
        return []
    means = ", ".join(f"{mean:.0f}" for mean in quarters(looks, "memory", seconds))
    console.print(f"memory of the server since its last kill, mean of each quarter: {means} MiB",
                  highlight=False)
    return growth(looks, seconds)


def ended(site: SiteServer, folder: Path) -> list[str]:
    """Ends the server; what it leaves behind, in sentences."""
    faults = []
    status = site.stop()
    if status != CTRL_C:
        faults.append(f"the server ended with status {status}")
    until = time.monotonic() + GONE_SECONDS
    while (left := processes(str(folder))) and time.monotonic() < until:
        time.sleep(0.2)
    if left:
        faults.append(f"{len(left)} processes of the site are left")
    _, trace, after = site.log.partition("Traceback")
    if trace:
        faults.append(f"the server wrote {trace}{after[:2000]}")
    return faults


def options(words: Sequence[str]) -> argparse.Namespace:
    """What the words of a command line say."""
    parser = argparse.ArgumentParser("tests.soak.rehearsal", description="The rehearsal of a course.")
    parser.add_argument("--minutes", type=float, default=20.0, help="of the ladder")
    parser.add_argument("--people", type=int, default=60, help="each with a bot")
    parser.add_argument("--watchers", type=int, default=200)
    parser.add_argument("--tournaments", type=int, default=5)
    parser.add_argument("--kills", type=int, default=5, help="of the server; of workers twice as many")
    parser.add_argument("--agents", type=Path, help="a folder of course agents that take part, too")
    parser.add_argument("--postgresql", action="store_true", help="keep everything in a PostgreSQL server")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--goal", type=float, default=GOAL,
                        help="milliseconds in which 99 of 100 pages are to be answered; 0 for any time")
    return parser.parse_args(words)


def main(words: Sequence[str]) -> int:
    """Rehearses and reports; returns 1 if anything was lost, doubled or judged wrongly."""
    asked, console = options(words), Console()
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder, store = Path(name), ""
        if asked.postgresql:
            server = Postgres()
            stack.callback(server.remove)
            store = server.database()
        site = SiteServer(folder, SITE, store=store)
        site.start()
        course = new_course(site, asked.seed)
        rehearsal = Rehearsal(course, asked, console)
        try:
            asyncio.run(rehearsal.run())
        finally:
            times, refused = rehearsal.clock.stop()
            left = ended(site, folder)
        compared = lost(course.world)
        with open_site(site.path) as opened:
            verification = Verification(opened, course)
            faults = [*course.world.faults, *refused, *left, *verification.faults()]
        report(console, course, times, verification, compared)
        faults += told_growth(console, rehearsal.meter)
        faults += too_slow(console, times, asked.goal)
    for fault in faults[:40]:
        console.print(f"fault: {fault}", highlight=False, markup=False)
    console.print(f"{len(faults)} faults; " + ("failed" if faults else "nothing lost, nothing doubled"),
                  highlight=False)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
