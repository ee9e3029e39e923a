"""Those who look at a rehearsal: watchers of live games, and a client that measures how fast pages answer."""

from __future__ import annotations

import asyncio
import itertools
import json
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing.process import BaseProcess
from pathlib import Path
from urllib.parse import quote

import httpx

from tests.soak.day.watching import Look
from tests.soak.day.world import CUT_OFF, Json
from tests.soak.load.measuring import MIB, Times, memory_of
from tests.soak.rehearsal.course import LADDER, Course, Student
from tests.testing.command import FORKING

LOOK = 3.0
"""Seconds between two looks of a watcher for a game, as the page does."""
POLL = 0.05
"""Seconds between an answer and the next question of the client that measures."""
SLOW = 30.0
"""Seconds after which an answer is none."""
PAGES = ("/", "/ladder/othello", f"/api/site/ladders/{LADDER}", "/api/site/me", "/events", "/api/site/events",
         "/bots", "/api/site/bots", f"/api/site/ladders/{LADDER}/games", "/api/games?state=running")
"""What a stranger asks for, one after the other; besides that the last game and the last event."""
MEMBERS = ("/api/site/me", "/api/site/lobby", f"/api/site/ladders/{LADDER}",
           f"/api/site/ladders/{LADDER}/challenges", "/api/site/bots", "/api/site/people", "/api/site/events")
"""What a member asks for; besides that the own profile and games, the own bot with its versions and checks,
and the last event with its standings and what the own bot wrote in it."""


async def watch_all(course: Course, number: int) -> None:
    """So many people who look for games that are played and watch them to their ends, again and again."""
    many = httpx.Limits(max_connections=None)
    async with (httpx.AsyncClient(base_url=course.site.address, timeout=SLOW, limits=many) as http,
                asyncio.TaskGroup() as group):
        for _ in range(number):
            group.create_task(_watch_on(course, http))


async def _watch_on(course: Course, http: httpx.AsyncClient) -> None:
    world, address = course.world, course.world.address()
    while True:
        await world.is_up.wait()
        try:
            if game := await _live_game(course, http, {"x-forwarded-for": address}):
                await _watch(course, address, game)
        except CUT_OFF:
            course.counts["cut off"] += 1
        await asyncio.sleep(LOOK * (0.5 + course.rng.random()))


async def _live_game(course: Course, http: httpx.AsyncClient, headers: dict[str, str]) -> str:
    """A game of the ladder or of the tournament that is on."""
    running = [id for id, table in course.events.items() if not table.get("is_over")]
    if running and course.rng.random() < 0.7:
        event = (await http.get(f"/api/site/events/{running[-1]}", headers=headers)).json()
        await http.get(f"/api/site/events/{running[-1]}/part/table", headers=headers)
        games = [game["id"] for game in event.get("playing", ())]
    else:
        ladder = (await http.get(f"/api/site/ladders/{LADDER}", headers=headers)).json()
        games = [id for match in ladder.get("queue", ()) for id in match["live"]]
    return str(course.rng.choice(games)) if games else ""


async def _watch(course: Course, address: str, game: str) -> None:
    async with course.world.socket(f"/api/games/{game}/socket", address) as socket:
        await socket.send(json.dumps({"type": "hello", "version": 1, "name": "Eve", "seat": 0}))
        course.counts["games watched"] += 1
        due = 0
        while True:
            message: Json = json.loads(await socket.recv())
            if message["type"] == "error":
                course.counts["watchers sent away"] += 1
                return
            if message["type"] != "event":
                continue
            if message["number"] != due:
                course.fault(f"event {message['number']} of {game} came to a watcher in place of {due}")
                return
            due += 1
            course.counts["events watched"] += 1
            if message["kind"] == "end":
                course.counts["games watched to their ends"] += 1
                return


class Clock:
    """A client in a process of its own that asks for pages and notes how long each answer took.

    It asks as a stranger and as a member, turn by turn.
    """

    def __init__(self, port: int, diary: Path) -> None:
        self._port, self._diary = port, diary
        self._process: BaseProcess | None = None

    def start(self, member: Student) -> None:
        """Begins to ask, also as this member."""
        member_of = member.name, dict(member.http.cookies)
        self._process = FORKING.Process(target=_poll, args=(self._port, self._diary, *member_of), daemon=True)
        self._process.start()

    def stop(self) -> tuple[list[tuple[str, Times]], list[str]]:
        """Ends it; the times of all answers and of each page, and which pages were refused."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
        every, each, refused = Times(), dict[str, Times](), Counter[str]()
        for line in self._diary.read_text().splitlines() if self._diary.exists() else ():
            status, took, page = line.split(" ")
            if status != "200":
                refused[f"{page} was answered with {status}"] += 1
            every.add(float(took))
            each.setdefault(page, Times()).add(float(took))
        faults = [f"{sentence}, {count} times" for sentence, count in refused.items()]
        return [("all", every), *sorted(each.items(), key=lambda item: -item[1].share(0.99))], faults


@dataclass
class _Asker:
    """Somebody who asks for one page after the other."""

    http: httpx.Client
    who: str
    """How the pages of this one begin in the diary."""
    pages: dict[str, str]
    """What they ask for, by what it is called; nothing for what is not there yet."""

    def __post_init__(self) -> None:
        self.turns = itertools.cycle([*self.pages])

    def ask(self, page: str) -> str:
        """Asks for a page; a line for the diary, or nothing if there was no answer."""
        since = time.perf_counter()
        try:
            answer = self.http.get(self.pages[page])
        except httpx.TransportError:    # of a killed server
            time.sleep(0.2)
            return ""
        took = time.perf_counter() - since
        if answer.status_code == 200:
            self._note(page, answer)
        return f"{answer.status_code} {took:.6f} {self.who}{page}\n"

    def _note(self, page: str, answer: httpx.Response) -> None:
        """Where the pages are that an answer leads to."""
        if page.endswith("/games") and "game" in self.pages and (games := answer.json()["games"]):
            self.pages["game"] = f"/api/games/{games[0]['id']}"
        if page == "/api/site/bots" and "bot" in self.pages:
            own = [bot["id"] for bot in answer.json()["bots"] if bot["is_own"]]
            self.pages["bot"] = f"/api/site/bots/{own[0]}" if own else ""
        if page == "/api/site/events":
            begun = [event["id"] for event in answer.json()["events"] if event["has_started"]]
            for name in ("", "/part/table", "/outputs"):
                if begun and f"event{name}" in self.pages:
                    self.pages[f"event{name}"] = f"/api/site/events/{begun[0]}{name}"


def _poll(port: int, diary: Path, name: str, cookies: dict[str, str]) -> None:
    """Asks for one page after the other; those that a killed server does not answer do not count."""
    place, profile = f"http://127.0.0.1:{port}", f"/api/site/people/{quote(name)}"
    with (httpx.Client(base_url=place, timeout=SLOW) as stranger,
          httpx.Client(base_url=place, timeout=SLOW, cookies=cookies) as member,
          diary.open("a", buffering=1) as notes):
        unknown = dict.fromkeys(("game", "event/part/table"), "")
        own = dict.fromkeys(("bot", "event", "event/part/table", "event/outputs"), "")
        askers = (
            _Asker(stranger, "", {**{page: page for page in PAGES}, **unknown}),
            _Asker(member, "member:", {**{page: page for page in MEMBERS}, **own,
                                       "profile": profile, "profile/games": f"{profile}/games"}),
        )
        for asker in itertools.cycle(askers):
            page = next(asker.turns)
            if asker.pages[page] and (line := asker.ask(page)):
                notes.write(line)
                time.sleep(POLL)


class Meter:
    """Looks at what the server's process costs, from its last start on."""

    def __init__(self, course: Course, every: float) -> None:
        self._course, self._every = course, every
        self.looks: list[Look] = []

    async def run(self) -> None:
        """Looks until it is cancelled."""
        pid = 0
        while True:
            await self._course.world.is_up.wait()
            if self._course.site.pid != pid:
                pid, self.looks = self._course.site.pid, []
            with suppress(OSError):    # it was killed just now
                handles = len(list(Path(f"/proc/{pid}/fd").iterdir()))
                self.looks.append(Look(time.monotonic(), memory_of(pid) / MIB, handles, 0, 0, 0))
            await asyncio.sleep(self._every)

    def as_of_start(self) -> tuple[list[Look], float]:
        """The looks with seconds since the last start, and how many seconds these are."""
        if not self.looks:
            return [], 0.0
        began = self.looks[0].second
        looks = [replace(look, second=look.second - began) for look in self.looks]
        return looks, looks[-1].second
