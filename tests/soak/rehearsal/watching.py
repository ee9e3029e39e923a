"""Those who look at a rehearsal: watchers of live games, and a client that measures how fast pages answer."""

from __future__ import annotations

import asyncio
import itertools
import json
import time
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from multiprocessing.process import BaseProcess
from pathlib import Path

import httpx

from tests.soak.day.watching import Look
from tests.soak.day.world import CUT_OFF, Json
from tests.soak.load.measuring import MIB, Times, memory_of
from tests.soak.rehearsal.course import LADDER, Course
from tests.testing.command import FORKING

LOOK = 3.0
"""Seconds between two looks of a watcher for a game, as the page does."""
POLL = 0.05
"""Seconds between an answer and the next question of the client that measures."""
SLOW = 30.0
"""Seconds after which an answer is none."""
PAGES = ("/", "/ladder/othello", f"/api/site/ladders/{LADDER}", "/api/site/me", "/events", "/api/site/events",
         "/bots", "/api/site/bots", f"/api/site/ladders/{LADDER}/games", "/api/games?state=running")
"""What the client asks for, one after the other; besides that the last game and the last event."""


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
    """A client in a process of its own that asks for pages and notes how long each answer took."""

    def __init__(self, port: int, diary: Path) -> None:
        self._diary = diary
        self._process: BaseProcess = FORKING.Process(target=_poll, args=(port, diary), daemon=True)

    def start(self) -> None:
        """Begins to ask."""
        self._process.start()

    def stop(self) -> tuple[list[tuple[str, Times]], list[str]]:
        """Ends it; the times of all answers and of each page, and which pages were refused."""
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


def _poll(port: int, diary: Path) -> None:
    """Asks for one page after the other; those that a killed server does not answer do not count."""
    with (httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=SLOW) as http,
          diary.open("a", buffering=1) as notes):
        last: dict[str, str] = {}
        for page in itertools.cycle((*PAGES, "game", "event")):
            path = last.get(page, "") if page in ("game", "event") else page
            if not path:
                continue
            since = time.perf_counter()
            try:
                answer = http.get(path)
            except httpx.TransportError:
                time.sleep(0.2)
                continue
            notes.write(f"{answer.status_code} {time.perf_counter() - since:.6f} {page}\n")
            if answer.status_code == 200:
                _note_last(page, answer, last)
            time.sleep(POLL)


def _note_last(page: str, answer: httpx.Response, last: dict[str, str]) -> None:
    if page.endswith("/games") and (games := answer.json()["games"]):
        last["game"] = f"/api/games/{games[0]['id']}"
    if page == "/api/site/events":
        begun = [event["id"] for event in answer.json()["events"] if event["has_started"]]
        if begun:
            last["event"] = f"/api/site/events/{begun[0]}/part/table"


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
