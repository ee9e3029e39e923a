"""The course of a rehearsal: its site, its people, and what everybody of it has been told."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import httpx

from tests.soak.day.world import AGAIN, CUT_OFF, Json, World
from tests.soak.rehearsal.bots import Handed
from tests.testing.command import polyversi
from tests.testing.site import SiteServer

LADDER = "othello"
HEADERS = {"x-polyversi": "1"}
PATIENCE = 600.0
"""Seconds that somebody waits for an answer: of those who hand in at once the last waits for all others."""


@dataclass(eq=False)
class Student:
    """A person of the course at a computer of its own, with a session and a bot."""

    name: str
    http: httpx.AsyncClient
    id: str = ""
    bot: str = ""
    """The id of the bot."""
    handed: Handed | None = None


@dataclass
class Course:
    """Everything that is known of the site from outside."""

    world: World
    site: SiteServer
    organiser: Student
    students: list[Student] = field(default_factory=list)
    matches: dict[str, Json] = field(default_factory=dict)
    """The challenges that the site has accepted, by id."""
    unanswered: int = 0
    """Challenges that may have been accepted: the server was killed before it said so."""
    told: dict[str, Json] = field(default_factory=dict)
    """The games of the ladder that the page has shown as over, by id, with their results."""
    events: dict[str, Json] = field(default_factory=dict)
    """By its id, the last table of each tournament that the page has shown."""

    @property
    def counts(self) -> Counter[str]:
        """How often what was done."""
        return self.world.counts

    @property
    def rng(self) -> random.Random:
        """The dice."""
        return self.world.rng

    def fault(self, sentence: str) -> None:
        """Something that must not be."""
        self.world.fault(sentence)

    async def get(self, student: Student, path: str) -> Any:
        """What is there, as data; asked again when the server is killed, None if it is refused."""
        answer = await self.again(lambda: student.http.get(path))
        if answer.status_code != 200:
            self.fault(f"{path} was answered with {answer.status_code}: {answer.text[:200]}")
            return None
        return answer.json()

    async def post(self, student: Student, path: str, data: Any) -> Any:
        """The answer to what may be sent twice; a fault and None if it is refused."""
        answer = await self.again(lambda: student.http.post(path, json=data))
        if answer.status_code not in (200, 201):
            self.fault(f"{path} was answered with {answer.status_code}: {answer.text[:200]}")
            return None
        return answer.json()

    async def again(self, ask: Callable[[], Awaitable[httpx.Response]]) -> httpx.Response:
        """Asks until there is an answer."""
        while True:
            await self.world.is_up.wait()
            try:
                return await ask()
            except CUT_OFF:
                self.counts["cut off"] += 1
                await asyncio.sleep(AGAIN)

    async def close(self) -> None:
        """Everybody goes home."""
        await asyncio.gather(*(student.http.aclose() for student in (self.organiser, *self.students)))


def new_course(site: SiteServer, seed: int) -> Course:
    """A course with nobody in it but its organiser, who has a link."""
    world = World(site, random.Random(seed))
    organiser = Student("Olga", _client(world))
    return Course(world, site, organiser)


def _client(world: World) -> httpx.AsyncClient:
    client = world.http(world.address())
    client.headers.update(HEADERS)
    client.timeout = httpx.Timeout(PATIENCE)
    return client


async def gather_people(course: Course, number: int) -> None:
    """The organiser imports a list; everybody comes in by a link, and every other one with a password."""
    made = await asyncio.to_thread(
        polyversi, "site", "invite", course.organiser.name, "--role", "organiser", "--site",
        str(course.site.path))
    link = made.stdout.strip().rpartition("#")[2]
    await _come_in(course, course.organiser, link, "a quiet evening in spring")
    names = [f"Student {place:02}" for place in range(1, number + 1)]
    rows = "\n".join(["name,role", *(f"{name},member" for name in names)])
    added = await course.post(course.organiser, "/api/site/organise/people", {"list": rows})
    for one in (added or {"people": []})["people"]:
        course.students.append(Student(one["name"], _client(course.world), one["id"]))
    links = [one["token"] for one in (added or {"people": []})["people"]]
    await asyncio.gather(*(
        _come_in(course, student, link, "correct horse battery" if place % 2 else "")
        for place, (student, link) in enumerate(zip(course.students, links, strict=True))))
    course.counts["people"] = len(course.students)


async def _come_in(course: Course, student: Student, link: str, password: str) -> None:
    """Uses a link, which works once; with a password, goes and comes again."""
    used = {"token": link, "password": password}
    await course.post(student, "/api/site/link/use", used)
    refused = await course.again(lambda: student.http.post("/api/site/link", json={"token": link}))
    if refused.status_code != 400:
        course.fault(f"a link that was used is answered with {refused.status_code}")
    if password:
        await course.post(student, "/api/site/sign-out", {})
        await course.post(student, "/api/site/sign-in", {"name": student.name, "password": password})
    me = await course.get(student, "/api/site/me")
    if not me or not me["account"] or me["account"]["name"] != student.name:
        course.fault(f"{student.name} has come in, and the site knows {me}")
