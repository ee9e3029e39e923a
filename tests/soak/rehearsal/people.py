"""What the people of a rehearsal do: hand in, look at checks, challenge on the ladder, play each other."""

from __future__ import annotations

import asyncio
import time

from polyversi.site.bots import FAILED, PASSED
from tests.soak.day.people import attend
from tests.soak.day.world import CUT_OFF, Json
from tests.soak.rehearsal.bots import Handed, refused
from tests.soak.rehearsal.course import LADDER, Course, Student

LOOK = 1.0
"""Seconds between two looks at what somebody waits for."""
PEOPLES_GAME = "othello"
BETWEEN = 5.0
"""Seconds between two challenges of a person, on average."""


async def hand_in(course: Course, student: Student, bot: Handed) -> None:
    """Makes a bot and hands its first version in."""
    student.handed = bot
    made = await course.post(student, "/api/site/bots", {"name": bot.name, "ladder": LADDER})
    if made is None:
        return
    student.bot = made["id"]
    path = f"/api/site/bots/{student.bot}/versions"
    answer = await course.again(
        lambda: student.http.post(path, params={"file": bot.file}, content=bot.data))
    if answer.status_code != 201:
        if bot.expected.is_ours:
            course.fault(f"{bot.name} was refused with {answer.status_code}: {answer.text[:200]}")
        course.counts["bots refused"] += 1
        student.bot = ""
        return
    course.counts["bots handed in"] += 1


async def hand_in_bombs(course: Course, student: Student) -> None:
    """Tries what nobody may hand in, as a new version of a bot of one's own."""
    wanted = {"name": f"bombs of {student.name}", "ladder": LADDER}
    made = await course.post(student, "/api/site/bots", wanted)
    if made is None:
        return
    path = f"/api/site/bots/{made['id']}/versions"
    for name, data in (await asyncio.to_thread(refused)).items():
        answer = await course.again(
            lambda name=name, data=data:  # type: ignore[misc]
            student.http.post(path, params={"file": name}, content=data))
        course.counts["bombs refused"] += answer.status_code == 400
        if answer.status_code != 400:
            course.fault(f"{name!r} was answered with {answer.status_code}: {answer.text[:200]}")


async def unchecked(course: Course) -> list[Student]:
    """Those whose bots are still to be checked, as each sees it."""
    async def phase(student: Student) -> str:
        found = await course.get(student, f"/api/site/bots/{student.bot}")
        return str(found["versions"][0]["phase"]) if found and found["versions"] else ""

    waiting = [student for student in course.students if student.bot]
    phases = await asyncio.gather(*map(phase, waiting))
    return [student for student, phase in zip(waiting, phases, strict=True)
            if phase not in (PASSED, FAILED)]


async def challenge(course: Course, student: Student) -> None:
    """Again and again somebody's bot challenges one that is above it."""
    while True:
        await asyncio.sleep(course.rng.expovariate(1 / BETWEEN) + LOOK)
        ladder = await course.get(student, f"/api/site/ladders/{LADDER}")
        ranking: list[Json] = ladder["ranking"] if ladder else []
        above = []
        for one in ranking:
            if one["bot"]["id"] == student.bot:
                break
            above.append(one["bot"]["id"])
        else:
            continue
        if above:
            await _challenge(course, student, course.rng.choice(above))


async def _challenge(course: Course, student: Student, other: str) -> None:
    await course.world.is_up.wait()
    try:
        answer = await student.http.post(
            "/api/site/matches", json={"challenger": student.bot, "challenged": other})
    except CUT_OFF:
        course.unanswered += 1
        return
    if answer.status_code == 201:
        match = answer.json()
        course.matches[match["id"]] = match
        course.counts["challenges"] += 1
    elif answer.status_code not in (400, 429):    # it waits already, or somebody has overtaken somebody
        course.fault(f"a challenge was answered with {answer.status_code}: {answer.text[:200]}")


async def play_each_other(course: Course, one: Student, other: Student) -> None:
    """Two people play rated games, each in a seat that they get by their sessions."""
    while True:
        wanted = {"spec": PEOPLES_GAME, "opponent": other.name}
        offered = await course.post(one, "/api/site/challenges", wanted)
        if offered is None:
            return
        accepted = await _accepted(course, other, offered)
        if not accepted:
            continue
        seats = [await course.get(person, f"/api/site/games/{accepted}/seat") for person in (one, other)]
        if None in seats:
            return
        address = course.world.address()
        async with asyncio.TaskGroup() as group:
            for place, seat in enumerate(seats):
                group.create_task(attend(course.world, address, accepted, seat["token"], keeps=not place))
        course.counts["rated games of people"] += 1


async def _accepted(course: Course, other: Student, offered: Json) -> str:
    """The game that comes of a challenge; empty if it is not there any more."""
    id = offered["challenge"]
    answer = await course.again(lambda: other.http.post(f"/api/site/challenges/{id}/accept", json={}))
    return str(answer.json().get("game", "")) if answer.status_code == 200 else ""


async def remember(course: Course) -> None:
    """Looks at the last games of the ladder all the time: what was shown once must stay as it was."""
    while True:
        ladder = await course.get(course.organiser, f"/api/site/ladders/{LADDER}")
        for game in ladder["games"] if ladder else ():
            _remember(course, game)
        await asyncio.sleep(LOOK)


def _remember(course: Course, game: Json) -> None:
    kept = {"result": game["result"], "bots": [(bot["id"], bot["version"]) for bot in game["bots"]]}
    if course.told.setdefault(game["id"], kept) != kept:
        course.fault(f"the game {game['id']} was {course.told[game['id']]} and is {kept}")


async def until_played(course: Course, seconds: float) -> None:
    """Waits until the challenges of people are played, as the queue says."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        ladder = await course.get(course.organiser, f"/api/site/ladders/{LADDER}")
        if ladder and all(match["is_automatic"] for match in ladder["queue"]):
            return
        await asyncio.sleep(LOOK)
    course.fault(f"challenges still wait after {seconds:.0f} s")
