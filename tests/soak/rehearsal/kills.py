"""Whoever ends processes of a rehearsal as a power cut would: the server, its conductor, a worker."""

from __future__ import annotations

import asyncio
import os
import random
import signal
from collections import defaultdict
from contextlib import suppress
from pathlib import Path
from typing import Literal

from tests.soak.attack.site import descendants
from tests.soak.rehearsal.course import Course

Target = Literal["server", "conductor", "worker"]
Part = Literal["checks", "ladder", "events"]
PARTS: tuple[Part, ...] = ("ladder", "events", "checks")
SETTLE = 2.0
"""Seconds between two kills: what was killed comes again meanwhile."""
WORDS = {"conductor": b"polyversi.site.conductor", "worker": b"multiprocessing.spawn"}
"""By what the command lines of processes are known."""


def plan(kills: int, coin: random.Random) -> dict[Part, list[Target]]:
    """Which processes are killed in which part of the rehearsal: workers twice as often as the server.

    >>> {part: sorted(targets) for part, targets in plan(1, random.Random(1)).items()}
    {'ladder': ['conductor', 'server', 'worker'], 'events': ['worker']}
    """
    found: defaultdict[Part, list[Target]] = defaultdict(list)
    numbers: tuple[tuple[Target, int], ...] = (
        ("server", kills), ("worker", 2 * kills), ("conductor", (kills + 1) // 2))
    for target, number in numbers:
        for place in range(number):
            found[PARTS[place % len(PARTS)]].append(target)
    for targets in found.values():
        coin.shuffle(targets)
    return dict(found)


async def kill(course: Course, target: Target) -> None:
    """Kills one of them; the server is started again, the others must come by themselves."""
    world, site = course.world, course.site
    if target == "server":
        world.is_up.clear()
        await asyncio.to_thread(site.kill)
        await asyncio.to_thread(site.start)
        world.is_up.set()
    else:
        while not (found := _children(site.pid, WORDS[target])):
            await asyncio.sleep(SETTLE / 10)
        with suppress(ProcessLookupError):
            os.kill(course.rng.choice(found), signal.SIGKILL)
    course.counts[f"kills of the {target}"] += 1
    await asyncio.sleep(SETTLE)


def _children(pid: int, word: bytes) -> list[int]:
    """The processes below another one that have a word in their command lines."""
    found = []
    for child in descendants(pid):
        with suppress(OSError):    # it has just ended
            if word in Path(f"/proc/{child}/cmdline").read_bytes():
                found.append(child)
    return found
