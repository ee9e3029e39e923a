"""Limits count for people who are signed in, and for addresses otherwise."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest
from starlette.types import Message, Receive, Scope, Send
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from polyversi.server.limits import MAX_OF_PERSON, PERSON
from polyversi.server.messages import Hello, encode
from polyversi.server.site import visitors
from polyversi.server.site.access import COOKIE
from polyversi.server.site.visitors import KnownPeople
from polyversi.site.people import Newcomer, People
from polyversi.site.roles import Role
from polyversi.site.sessions import Sessions
from polyversi.site.settings import SiteSettings
from polyversi.site.store import SiteStore
from tests.testing import http
from tests.testing.site import Member, SiteServer
from tests.testing.timeout import TIMEOUT

SCHOOL = {"x-forwarded-for": "192.0.2.7"}
ELSEWHERE = {"x-forwarded-for": "192.0.2.8"}
BURST = 30
"""Large requests that a visitor may send at once."""


MANY = 20 * BURST
"""Requests of which one is refused, though half a request a second is granted again meanwhile."""


def large(site: SiteServer, member: Member | None, headers: dict[str, str]) -> int:
    """How many large requests are granted; what they ask for is for the server's own machine."""
    with http.client(cookies=member.cookies if member else {}, headers=headers) as client:
        return http.granted(lambda _: client.get(f"{site.address}/api/store"), 403, MANY)


def test_a_person_who_asks_too_much_keeps_out_nobody_else_at_the_address(site: SiteServer) -> None:
    ann, bob = site.join("Ann"), site.join("Bob")
    assert BURST <= large(site, ann, SCHOOL) < MANY
    assert large(site, ann, ELSEWHERE) < BURST, "it is the same person at any address"
    assert BURST <= large(site, bob, SCHOOL) < MANY
    assert BURST <= large(site, None, SCHOOL) < MANY, "who has not signed in has the address's share"
    ann.post("/api/site/sign-out", {})


def test_a_forged_session_counts_for_the_address(site: SiteServer) -> None:
    with http.client(headers={"x-forwarded-for": "192.0.2.9"}) as client:
        found = http.granted(lambda number: client.get(
            f"{site.address}/api/store", headers={"cookie": f"{COOKIE}={number}"}), 403, MANY)
    assert BURST <= found < MANY


def test_being_signed_in_shows_nothing_that_is_for_the_servers_machine(site: SiteServer) -> None:
    member = site.join("Cleo", Role.ORGANISER)
    assert member.ask("GET", "/api/store").status_code == 200
    assert member.ask("GET", "/api/store", headers=SCHOOL).status_code == 403


@pytest.mark.slow
def test_a_whole_class_comes_in_from_one_address(site: SiteServer) -> None:
    organiser = site.join("Olga", Role.ORGANISER)
    names = "\n".join(f"Student {number}" for number in range(2 * BURST))
    added = organiser.post("/api/site/organise/people", {"list": names})["people"]

    async def come(token: str) -> list[int]:
        async with http.async_client(base_url=site.address, headers=SCHOOL) as client:
            looked = await client.post("/api/site/link", json={"token": token})
            used = await client.post("/api/site/link/use", json={"token": token})
            return [looked.status_code, used.status_code]

    async def lesson() -> list[list[int]]:
        return await asyncio.gather(*(come(one["token"]) for one in added))

    assert asyncio.run(lesson()) == [[200, 200]] * len(added)


def test_who_fails_too_often_waits_at_that_address_alone(site: SiteServer) -> None:
    with http.client(base_url=site.address, headers={"x-forwarded-for": "192.0.2.10"}) as client:
        found = http.granted(
            lambda _: client.post("/api/site/link/use", json={"token": "guess"}), 400, MANY)
    assert BURST <= found < MANY
    other = http.post(f"{site.address}/api/site/link/use", json={"token": "guess"}, headers=ELSEWHERE)
    assert other.status_code == 400


@pytest.mark.slow
def test_guesses_from_elsewhere_keep_nobody_out(site: SiteServer) -> None:
    organiser = site.join("Otto", Role.ORGANISER)
    added, = organiser.post("/api/site/organise/people", {"list": "Fay"})["people"]
    right = {"name": "Fay", "password": "a long enough password"}
    used = {"token": added["token"], "password": right["password"]}
    assert http.post(f"{site.address}/api/site/link/use", json=used).status_code == 200
    there = {"x-forwarded-for": "192.0.2.11"}
    with http.client(base_url=site.address, headers=there) as client:
        http.granted(lambda number: client.post(
            "/api/site/sign-in", json={**right, "password": f"guess {number}"}), 400, MANY)
        assert client.post("/api/site/sign-in", json=right).status_code == 429
    answer = http.post(f"{site.address}/api/site/sign-in", json=right, headers=ELSEWHERE)
    assert answer.status_code == 200


def test_a_person_has_so_many_websockets(site: SiteServer) -> None:
    member = site.join("Dan")
    game = site.new_game("othello-4", "me", "random")["game"]

    session = f"{COOKIE}={member.token}"
    with ExitStack() as stack:
        def watch(**cookie: str) -> None:
            socket = stack.enter_context(connect(
                f"ws://127.0.0.1:{site.port}/api/games/{game}/socket", open_timeout=TIMEOUT,
                additional_headers={**SCHOOL, **cookie}))
            socket.send(encode(Hello("Dan", seat=0, game=1)).decode())

        for _ in range(MAX_OF_PERSON):
            watch(cookie=session)
        with pytest.raises(InvalidStatus):
            watch(cookie=session)
        watch()


def test_whose_a_session_is_is_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    noted: list[Any] = []

    async def inner(scope: Scope, receive: Receive, send: Send) -> None:
        noted.append(scope.get(PERSON))

    async def nothing(message: Message | None = None) -> Any:
        raise AssertionError(message)

    with closing(SiteStore.open(str(tmp_path / "site.db"))) as store:
        person, = People(store).add([Newcomer("Ann", Role.MEMBER)])
        sessions = Sessions(store, SiteSettings(name="Club"))
        token = sessions.start(person.id)
        app = KnownPeople(inner, sessions)

        def ask(token: str) -> None:
            headers = [(b"cookie", f"{COOKIE}={token}".encode())]
            asyncio.run(app({"type": "http", "headers": headers}, nothing, nothing))

        ask(token)
        sessions.end(token)
        ask(token)
        monkeypatch.setattr(visitors, "REMEMBERED", 0.0)
        ask("unknown")
        ask(sessions.start(person.id))
        assert noted == [person.player, person.player, None, person.player]
        monkeypatch.setattr(visitors, "MAX_REMEMBERED", 1)    # what was remembered gives way to what is new
        ask("another")
        ask(token)
    assert noted[4:] == [None, None]
