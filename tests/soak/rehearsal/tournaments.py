"""The tournaments of a rehearsal: five formats, one after the other, made and started by the organiser."""

from __future__ import annotations

import asyncio
import time
from typing import Any

from tests.soak.day.world import Json
from tests.soak.rehearsal.course import LADDER, Course

LIMIT = "seconds=3,bank=90"
LOOK = 1.0
TOURNAMENTS: tuple[tuple[str, int, dict[str, Any]], ...] = (
    ("Round robin", 6, {"format": "round-robin", "variants": ["othello"], "openings": "random 4"}),
    ("Swiss", 0, {"format": "swiss", "options": {"rounds": 3}, "variants": ["othello-6"], "ladder": LADDER}),
    ("Knock-out", 16, {"format": "knock-out", "variants": ["othello"], "openings": "random 4"}),
    ("Gauntlet", 6, {"format": "gauntlet", "variants": ["othello-6"]}),
    ("Climb", 6, {"format": "ladder", "options": {"rounds": 3}, "variants": ["othello-6"],
                  "openings": "random 2"}),
)
"""Title, number of entrants (0: all on the ladder), and settings.

All begin otherwise than games of the ladder do, so that late bots fail in them.
"""


async def hold(course: Course, number: int, seconds: float) -> str:
    """Makes a tournament and starts it; its id, or nothing if it could not be."""
    title, entrants, settings = TOURNAMENTS[number % len(TOURNAMENTS)]
    chosen = {"bots": await _entrants(course, entrants)} if entrants else {}
    wanted = {"title": f"{title} {number + 1}", "settings": {"limit": LIMIT, **settings, **chosen}}
    made = await course.post(course.organiser, "/api/site/events", wanted)
    if made is None:
        return ""
    id = str(made["id"])
    course.events[id] = {}
    answer = await course.again(
        lambda: course.organiser.http.post(f"/api/site/events/{id}/start", json={}))
    event = await course.get(course.organiser, f"/api/site/events/{id}")
    if not event or not event["has_started"]:
        course.fault(f"'{title}' did not start: {answer.status_code} {answer.text[:200]}")
        return ""
    await _follow(course, id, time.monotonic() + seconds)
    return id


async def _entrants(course: Course, number: int) -> list[str]:
    """So many bots that play, a late one among them."""
    choices = await course.get(course.organiser, "/api/site/event-choices")
    able = [bot["id"] for bot in choices["bots"]] if choices else []
    late = {student.bot for student in course.students if student.handed and student.handed.expected.late}
    course.rng.shuffle(able)
    return [bot for bot in able if bot in late][:1] + [bot for bot in able if bot not in late][:number - 1]


async def _follow(course: Course, id: str, until: float) -> None:
    """Looks at a tournament until it is over; what it shows may only grow."""
    path, played = f"/api/site/events/{id}", 0
    event: Json = {}
    while time.monotonic() < until:
        event = await course.get(course.organiser, path) or event
        table = await course.get(course.organiser, f"{path}/part/table")
        if table:
            if table["played"] < played:
                course.fault(f"'{table['name']}' had {played} games and has {table['played']}")
            played, course.events[id] = table["played"], table
        if event.get("phase") == "over" and table and table["is_over"]:
            course.counts["tournaments"] += 1
            return
        if event.get("phase") not in ("running", "over"):
            course.fault(f"'{event.get('title')}' is {event.get('phase')}: {event.get('problem')}")
            return
        await asyncio.sleep(LOOK)
    course.fault(f"'{event.get('title')}' is not over in time: {played} games of "
                 f"{course.events[id].get('expected')}, {event.get('problem')}")
