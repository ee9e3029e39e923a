"""What a role may do succeeds, on things that are there; what is one's own is nobody else's to change."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sql

from polyversi.site.ladder import LadderMatch
from polyversi.site.roles import Role
from polyversi.site.tables import BOTS, VERSIONS
from tests.testing.ladders import LAST_MOVE, Rungs
from tests.testing.marks import slow, slow_but
from tests.testing.sandbox import needs_sandbox
from tests.testing.site import Member, SiteServer
from tests.testing.uploads import FIRST_MOVE
from tests.testing.waiting import until

pytestmark = needs_sandbox
DOCUMENT = Path(__file__).parents[3] / "docs" / "site.md"
ROW = re.compile(r"^\| `([A-Z]+) (/api/\S+)` \| (\w+) \| \S.* \|$", re.MULTILINE)
SITE = """
jobs = 1
[[ladders]]
id = "small"
variant = "othello-4"
games = 0
"""
PASSWORD = "correct horse"
QUICK = {"variants": ["othello-4"], "players": ["random", "greedy"], "limit": "depth=1"}
LONG = {**QUICK, "variants": ["othello"], "games": 1000}


@dataclass
class Asked:
    """A request that succeeds, and who makes it."""

    who: Member
    path: str
    data: Any = None
    content: bytes | None = None
    others: tuple[Member, ...] = ()
    """Of the same role, who are refused."""

    def status(self, method: str, who: Member | None = None) -> int:
        """What whoever it is for is answered, or somebody else."""
        more: dict[str, Any] = {} if self.content is None else {"content": self.content}
        return (who or self.who).ask(method, self.path, self.data, **more).status_code


class World(SiteServer):
    """A site on which there is something of everything."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, SITE)
        self.rungs = Rungs(folder, more=SITE)
        self._numbers = itertools.count(1)
        sources = {"Ann": FIRST_MOVE, "Bob": LAST_MOVE}
        people = [self.rungs.climb(name, source) for name, source in sources.items()]
        self.owners = {person.id: person for person, _ in people}
        high, low = (one.bot for one in self.rungs.ladders.ranking("small"))
        match = self.rungs.ladders.challenge(self.owners[low.owner], low.id, high.id)
        self.rungs.play(match)
        self.bots = [bot for _, bot in people]
        self.at_the_end = ExitStack()
        """What ends with a test."""
        self.game = f"{match.id}.1"

    def new_name(self) -> str:
        """A name that nobody has."""
        return f"Name {next(self._numbers)}"

    def fresh(self, role: Role = Role.MEMBER) -> Member:
        """Somebody new."""
        return self.join(f"Person {next(self._numbers)}", role)

    def bot(self, phase: str = "passed") -> tuple[Member, str]:
        """A bot with a version, of somebody new."""
        member = self.fresh()
        bot = self.rungs.bots.create(member.person, f"Bot {next(self._numbers)}", "small")
        self.rungs.renew(member.person, bot, FIRST_MOVE)
        with self.rungs.store.writing() as connection:
            connection.execute(sql.update(VERSIONS).where(VERSIONS.c.bot == bot.id).values(phase=phase))
            connection.execute(sql.update(BOTS).where(BOTS.c.id == bot.id).values(active=0))
        return member, bot.id

    def of_bot(self, rest: str, data: Any = None, content: bytes | None = None,
               phase: str = "passed") -> Asked:
        """Something that the owner of a bot does; another member may not."""
        member, bot = self.bot(phase)
        return Asked(member, f"/api/site/bots/{bot}{rest}", data, content, (self.fresh(),))

    def event(self, *moves: str, **settings: Any) -> str:
        """An event after these moves."""
        organiser = self.fresh(Role.ORGANISER)
        id = organiser.post("/api/site/events", {"title": "Cup", "settings": settings or QUICK})["id"]
        for move in moves:
            organiser.post(f"/api/site/events/{id}/{move}", {})
        if moves == ("start",) and not settings:
            until(lambda: organiser.get(f"/api/site/events/{id}")["phase"] == "over")
        return str(id)

    def of_event(self, rest: str, *moves: str, data: Any = None, role: Role = Role.ORGANISER,
                 settings: Any = None) -> Asked:
        """Something with an event after these moves."""
        return Asked(self.fresh(role), f"/api/site/events/{self.event(*moves, **settings or {})}{rest}", data)

    def challenge(self, direct: bool) -> tuple[Member, Member, str]:
        """Who has challenged somebody, whom, and the challenge."""
        one, other = self.fresh(), self.fresh()
        wanted = {"spec": "othello", "opponent": other.person.name if direct else ""}
        return one, other, str(one.post("/api/site/challenges", wanted)["challenge"])

    def of_challenge(self, what: str) -> Asked:
        """Something that one of both does with a challenge; somebody else may not."""
        one, other, id = self.challenge(direct=True)
        who = one if what == "withdraw" else other
        return Asked(who, f"/api/site/challenges/{id}/{what}", {}, others=(self.fresh(),))

    def played(self) -> tuple[Member, str]:
        """Somebody in a game of people."""
        one, other, id = self.challenge(direct=True)
        return one, str(other.post(f"/api/site/challenges/{id}/accept", {})["game"])

    def match(self) -> tuple[Member, LadderMatch]:
        """A challenge on the ladder that waits as long as the test, and whose it is."""
        until(lambda: not self.rungs.ladders.waiting())
        self.at_the_end.enter_context(self.held())
        high, low = (one.bot for one in self.rungs.ladders.ranking("small") if one.bot.owner in self.owners)
        owner = self.owners[low.owner]
        return self.session_of(owner), self.rungs.ladders.challenge(owner, low.id, high.id)

    def of_match(self) -> Asked:
        """Taking back a challenge on the ladder, before it begins; somebody else may not."""
        owner, match = self.match()
        return Asked(owner, f"/api/site/matches/{match.id}/cancel", {}, others=(self.fresh(),))

    def new_match(self) -> Asked:
        """A challenge with a bot of one's own; nobody challenges with those of others."""
        owner, match = self.match()
        self.rungs.ladders.cancel(owner.person, match.id)
        pair = {"challenger": match.challenger.id, "challenged": match.challenged.id}
        return Asked(owner, "/api/site/matches", pair, others=(self.fresh(),))

    def with_password(self) -> Member:
        """Somebody who can sign in by name."""
        member = self.fresh(Role.GUEST)
        member.post("/api/site/me/password", {"new": PASSWORD})
        return member

    def link(self) -> str:
        """A link for somebody new."""
        added = self.fresh(Role.ORGANISER).post(
            "/api/site/organise/people", {"list": f"Person {next(self._numbers)}"})
        return str(added["people"][0]["token"])

    def of_person(self, rest: str, data: Any) -> Asked:
        """What an organiser does about somebody."""
        member = self.fresh()
        return Asked(self.fresh(Role.ORGANISER), f"/api/site/organise/people/{member.person.id}{rest}", data)


def look(path: str, role: Role = Role.GUEST) -> Callable[[World], Asked]:
    """Looking at what is always there."""
    return lambda world: Asked(world.fresh(role), path)


CASES: dict[str, Callable[[World], Asked]] = {
    "GET /api/site/me": look("/api/site/me"),
    "POST /api/site/sign-in": lambda world: Asked(world.fresh(), "/api/site/sign-in", {
        "name": world.with_password().person.name, "password": PASSWORD}),
    "POST /api/site/sign-out": lambda world: Asked(world.fresh(), "/api/site/sign-out", {}),
    "POST /api/site/link": lambda world: Asked(world.fresh(), "/api/site/link", {"token": world.link()}),
    "POST /api/site/link/use": lambda world: Asked(
        world.fresh(), "/api/site/link/use", {"token": world.link()}),
    "POST /api/site/me/password": lambda world: Asked(
        world.with_password(), "/api/site/me/password", {"new": "another horse", "old": PASSWORD}),
    "POST /api/site/me/sign-out-elsewhere": lambda world: Asked(
        world.fresh(Role.GUEST), "/api/site/me/sign-out-elsewhere", {}),
    "GET /api/site/people": look("/api/site/people", Role.MEMBER),
    "GET /api/site/people/{name}": look("/api/site/people/Ann"),
    "GET /api/site/people/{name}/games": look("/api/site/people/Ann/games"),
    "GET /api/site/organise/people": look("/api/site/organise/people", Role.ORGANISER),
    "POST /api/site/organise/people": lambda world: Asked(
        world.fresh(Role.ORGANISER), "/api/site/organise/people", {"list": "Newcomer"}),
    "POST /api/site/organise/people/{id}": lambda world: world.of_person(
        "", {"name": "Nina", "role": "guest"}),
    "POST /api/site/organise/people/{id}/link": lambda world: world.of_person("/link", {}),
    "POST /api/site/organise/people/{id}/delete": lambda world: world.of_person("/delete", {}),
    "GET /api/site/organise/audit": look("/api/site/organise/audit", Role.ORGANISER),
    "GET /api/site/organise/storage": look("/api/site/organise/storage", Role.ORGANISER),
    "GET /api/site/bots": look("/api/site/bots"),
    "POST /api/site/bots": lambda world: Asked(
        world.fresh(), "/api/site/bots", {"name": "Mine", "ladder": "small"}),
    "GET /api/site/bots/{id}": lambda world: Asked(
        world.fresh(Role.GUEST), f"/api/site/bots/{world.bots[0].id}"),
    "DELETE /api/site/bots/{id}": lambda world: world.of_bot(""),
    "POST /api/site/bots/{id}/name": lambda world: world.of_bot(
        "/name", {"name": world.new_name()}),
    "POST /api/site/bots/{id}/play": lambda world: world.of_bot("/play", {"version": 1}),
    "POST /api/site/bots/{id}/versions": lambda world: world.of_bot(
        "/versions?file=main.py", content=FIRST_MOVE.encode()),
    "GET /api/site/bots/{id}/versions/{number}": lambda world: world.of_bot("/versions/1"),
    "DELETE /api/site/bots/{id}/versions/{number}": lambda world: world.of_bot("/versions/1"),
    "POST /api/site/bots/{id}/versions/{number}/withdraw": lambda world: world.of_bot(
        "/versions/1/withdraw", {}),
    "POST /api/site/bots/{id}/versions/{number}/check": lambda world: world.of_bot(
        "/versions/1/check", {}, phase="failed"),
    "GET /api/site/bots/{id}/versions/{number}/source": lambda world: world.of_bot("/versions/1/source"),
    "GET /api/site/events": look("/api/site/events"),
    "POST /api/site/events": lambda world: Asked(
        world.fresh(Role.ORGANISER), "/api/site/events", {"title": "Cup", "settings": QUICK}),
    "GET /api/site/event-choices": look("/api/site/event-choices", Role.ORGANISER),
    "GET /api/site/events/{id}": lambda world: world.of_event("", "start", role=Role.GUEST),
    "POST /api/site/events/{id}": lambda world: world.of_event("", data={"title": "Bowl", "settings": QUICK}),
    "GET /api/site/events/{id}/part/{part}": lambda world: world.of_event(
        "/part/table", "start", role=Role.GUEST),
    "GET /api/site/events/{id}/file/{kind}": lambda world: world.of_event(
        "/file/csv", "start", role=Role.GUEST),
    "GET /api/site/events/{id}/outputs": lambda world: world.of_event(
        "/outputs", "start", role=Role.MEMBER),
    "POST /api/site/events/{id}/start": lambda world: world.of_event("/start", data={}),
    "POST /api/site/events/{id}/pause": lambda world: world.of_event(
        "/pause", "start", data={}, settings=LONG),
    "POST /api/site/events/{id}/resume": lambda world: world.of_event(
        "/resume", "start", "pause", data={}, settings=LONG),
    "POST /api/site/events/{id}/cancel": lambda world: world.of_event(
        "/cancel", "start", "pause", data={}, settings=LONG),
    "POST /api/site/events/{id}/release": lambda world: world.of_event(
        "/release", data={"is_released": False}),
    "POST /api/site/events/{id}/tokens": lambda world: world.of_event("/tokens", data={}),
    "POST /api/site/events/{id}/delete": lambda world: world.of_event("/delete", data={}),
    "GET /api/site/lobby": look("/api/site/lobby"),
    "POST /api/site/challenges": lambda world: Asked(
        world.fresh(), "/api/site/challenges", {"spec": "othello", "is_rated": False}),
    "POST /api/site/challenges/{id}/accept": lambda world: world.of_challenge("accept"),
    "POST /api/site/challenges/{id}/decline": lambda world: world.of_challenge("decline"),
    "POST /api/site/challenges/{id}/withdraw": lambda world: world.of_challenge("withdraw"),
    "GET /api/site/games/{id}/seat": lambda world: Asked(
        (found := world.played())[0], f"/api/site/games/{found[1]}/seat"),
    "GET /api/site/games/{id}/ratings": lambda world: Asked(
        world.fresh(Role.GUEST), f"/api/site/games/{world.played()[1]}/ratings"),
    "GET /api/site/rankings": look("/api/site/rankings"),
    "GET /api/site/rankings/{spec}": look("/api/site/rankings/othello"),
    "GET /api/site/ladders": look("/api/site/ladders"),
    "GET /api/site/ladders/{id}": look("/api/site/ladders/small"),
    "GET /api/site/ladders/{id}/games": look("/api/site/ladders/small/games"),
    "GET /api/site/ladders/{id}/table.csv": look("/api/site/ladders/small/table.csv", Role.ORGANISER),
    "GET /api/site/ladders/{id}/challenges": look("/api/site/ladders/small/challenges", Role.MEMBER),
    "GET /api/site/ladder-games/{id}": lambda world: Asked(
        world.fresh(Role.GUEST), f"/api/site/ladder-games/{world.game}"),
    "POST /api/site/matches": lambda world: world.new_match(),
    "POST /api/site/matches/{id}/cancel": lambda world: world.of_match(),
}
"""For each route a request that succeeds."""


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with World(tmp_path_factory.mktemp("world")) as served:
        yield served
        served.rungs.store.close()


@pytest.fixture
def world(everything: World) -> Iterator[World]:
    with everything.at_the_end:
        yield everything


def test_there_is_a_case_for_every_route() -> None:
    routes = {f"{method} {path}" for method, path, _ in ROW.findall(DOCUMENT.read_text())}
    assert {route for route in routes if not route.startswith("WEBSOCKET")} == CASES.keys()


@pytest.mark.parametrize("route", slow_but(CASES, *(
    "POST /api/site/me/password", "POST /api/site/organise/people/{id}", "POST /api/site/bots/{id}/versions",
    "DELETE /api/site/bots/{id}", "POST /api/site/events/{id}/start", "POST /api/site/challenges/{id}/accept",
    "POST /api/site/matches")))
def test_what_a_role_may_do_succeeds_and_others_change_nothing_of_it(world: World, route: str) -> None:
    method = route.partition(" ")[0]
    asked = CASES[route](world)
    for other in asked.others:    # first, while it could be done
        assert asked.status(method, other) in (400, 404), "what is somebody's own"
    assert asked.status(method) in (200, 201)


@pytest.mark.parametrize("route", [
    slow("GET /api/site/bots/{id}/versions/{number}"), "GET /api/site/bots/{id}/versions/{number}/source",
    slow("POST /api/site/bots/{id}/name"), slow("POST /api/site/bots/{id}/versions/{number}/withdraw"),
    slow("DELETE /api/site/bots/{id}/versions/{number}"), slow("DELETE /api/site/bots/{id}"),
    "POST /api/site/matches/{id}/cancel",
])
def test_organisers_do_it_for_others(world: World, route: str) -> None:
    method = route.partition(" ")[0]
    assert CASES[route](world).status(method, world.fresh(Role.ORGANISER)) == 200


def test_nobody_hands_in_for_others(world: World) -> None:
    asked = CASES["POST /api/site/bots/{id}/versions"](world)
    assert asked.status("POST", world.fresh(Role.ORGANISER)) == 403


def test_whoever_has_no_seat_gets_no_token(world: World) -> None:
    player, game = world.played()
    assert player.get(f"/api/site/games/{game}/seat")["token"]
    for other in (world.fresh(), world.fresh(Role.ORGANISER)):
        assert other.get(f"/api/site/games/{game}/seat")["token"] == ""
