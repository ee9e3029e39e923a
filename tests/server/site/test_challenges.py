"""Play between people on a real server: challenges, seats on any device, and results that count."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from polyversi.gameplay.events import EndEvent
from polyversi.gameplay.seat import Resign
from polyversi.games.variants import game as named
from polyversi.players import NO_LIMIT
from polyversi.server.limits import mark_of
from polyversi.server.lobby import MAX_ROOMS_PER_VISITOR
from polyversi.server.messages import (
    ErrorMessage,
    Next,
    Offer,
    Presence,
    Rematch,
    Reply,
    RequestMessage,
    Welcome,
)
from polyversi.server.new_game import marked, new_stored_game
from polyversi.server.site.access import COOKIE
from polyversi.server.site.lobby_list import MAX_WINDOWS
from polyversi.site.erasing import GONE, erase
from polyversi.site.people import People
from polyversi.site.ratings import ranking, recompute
from polyversi.site.roles import Role
from polyversi.site.store import SiteStore
from polyversi.storage.games import Store, StoredSeat, Transaction
from tests.testing import http
from tests.testing.marks import slow
from tests.testing.page_server import Visitor, first_answer
from tests.testing.site import Member, SiteServer
from tests.testing.timeout import TIMEOUT
from tests.testing.waiting import until

LIVELY = {"spec": "othello-4", "limit": "bank=300", "is_rated": False}
RATED = {"spec": "othello", "limit": "none"}


@pytest.fixture
def pair(site: SiteServer, request: pytest.FixtureRequest) -> tuple[Member, Member]:
    """Two members whom no other test knows."""
    name = request.node.name[:30]
    return site.join(f"{name} Ann"), site.join(f"{name} Bob")


def offer(member: Member, **wanted: Any) -> Any:
    """A challenge."""
    return member.post("/api/site/challenges", wanted)


def accept(member: Member, challenge: str) -> str:
    """The game that comes of it."""
    return str(member.post(f"/api/site/challenges/{challenge}/accept", {})["game"])


def sit(site: SiteServer, member: Member, game: str) -> Visitor:
    """A member at a seat, with nothing but the session."""
    token = member.get(f"/api/site/games/{game}/seat")["token"]
    return site.visit(game, token, name="another name")


def listed(member: Member, kind: str) -> list[str]:
    """The challenges of a kind that a member sees."""
    return [one["id"] for one in member.get("/api/site/lobby")[kind]]


def until_over(member: Member) -> None:
    """Asks until no game of a member goes on."""
    until(lambda: not member.get("/api/site/lobby")["games"])


def test_an_open_challenge_is_seen_by_others_and_becomes_a_game(
    site: SiteServer, pair: tuple[Member, Member]
) -> None:
    ann, bob = pair
    made = offer(ann, **LIVELY)
    assert listed(ann, "own") == [made["challenge"]] and not listed(bob, "own")
    seen, = (one for one in bob.get("/api/site/lobby")["open"] if one["id"] == made["challenge"])
    assert seen["name"] == ann.person.name and seen["limit"] == "bank=300" and seen["is_here"]
    game = accept(bob, made["challenge"])
    assert [one["id"] for one in ann.get("/api/site/lobby")["games"]] == [game]
    assert bob.ask("POST", f"/api/site/challenges/{made['challenge']}/accept", {}).status_code == 404
    info = site.get(f"/api/games/{game}")
    assert sorted(info["players"]) == sorted([ann.person.name, bob.person.name])
    assert info["phase"] == "waiting"    # it has a clock, which does not run before both are there
    with sit(site, ann, game) as one, sit(site, bob, game) as other:
        seats = [visitor.hear(Welcome).seats for visitor in (one, other)]
        assert sorted(seats) == [[1], [2]]
        first = (one, other)[seats.index([1])]
        assert first.hear(RequestMessage).moves
    assert site.get(f"/api/games/{game}")["players"] == info["players"]    # whatever names they say


def test_a_rated_game_counts_and_its_rematch_too(site: SiteServer, pair: tuple[Member, Member]) -> None:
    ann, bob = pair
    game = accept(bob, offer(ann, **RATED)["challenge"])
    with sit(site, ann, game) as one, sit(site, bob, game) as other:
        one.hear(Welcome)
        one.say(Resign())
        until_over(bob)
        one.say(Rematch())
        other.say(Reply(other.hear(Offer).number, True))
        following = one.hear(Next).game
    with sit(site, ann, following) as one, sit(site, bob, following) as other:
        seat, = one.hear(Welcome).seats
        if seat == 1:
            one.say(first_answer(one.hear(RequestMessage)))
        other.hear(RequestMessage)
        other.say(Resign())
        while getattr(one.hear(), "kind", "") != "end":
            continue
    changes = [[one["change"] for one in bob.get(f"/api/site/games/{id}/ratings")["seats"]]
               for id in (game, following)]
    assert sorted(changes[0]) == [pytest.approx(-162, abs=1), pytest.approx(162, abs=1)]
    assert sum(changes[1]) == pytest.approx(0, abs=5)
    people = {one["name"]: one for one in ann.get("/api/site/rankings/othello")["people"]}
    assert people[ann.person.name]["games"] == people[bob.person.name]["games"] == 2
    assert ann.get("/api/site/rankings")["variants"][0]["spec"] == "othello"
    with closing(SiteStore.open(site.store)) as store:
        assert recompute(store, "othello") == {one.player: one for one in ranking(store, "othello")}


def hear_end(visitor: Visitor) -> EndEvent:
    """How the game of a visitor ends."""
    while not isinstance(event := visitor.hear(), EndEvent):
        continue
    return event


@pytest.mark.slow
def test_whoever_is_kept_out_or_erased_loses_and_has_no_rematch(
        site: SiteServer, pair: tuple[Member, Member]) -> None:
    ann, bob = pair
    cid, dan = (site.join(f"{ann.person.name} {name}") for name in ("Cid", "Dan"))
    organiser = site.join(f"{ann.person.name} Olga", Role.ORGANISER)
    game = accept(bob, offer(ann, **RATED)["challenge"])
    other = accept(dan, offer(cid, **RATED)["challenge"])
    not_begun = accept(dan, offer(cid, **LIVELY)["challenge"])
    with sit(site, ann, game) as out, sit(site, bob, game) as stays, sit(site, dan, other) as left:
        for visitor in (out, stays, left):
            visitor.hear(Welcome)
        person = f"/api/site/organise/people/{ann.person.id}"
        organiser.post(person, {"is_disabled": True})
        with closing(SiteStore.open(site.store)) as store:
            erase(site.file, store, cid.person.id)    # at the terminal
        end = hear_end(stays)
        assert (end.verdict.kind, end.verdict.detail) == ("disconnect", "an organiser keeps this player out")
        assert hear_end(left).verdict.detail == "this player has left the site"
        until_over(bob)
        until_over(dan)
        out.say(Rematch())
        stays.say(Reply(stays.hear(Offer).number, True))
        assert "somebody who played is not at this site any more" in stays.hear(ErrorMessage).sentence
    assert site.get(f"/api/games/{other}")["phase"] == "over"
    assert site.get(f"/api/games/{not_begun}")["result"]["reason"] == "aborted"
    with closing(Store.open_read_only(site.store)) as games:
        for id in (other, not_begun):
            stored = games.game(id)
            assert stored is not None
            assert sorted(seat.name for seat in stored.seats) == sorted([GONE, dan.person.name])
            assert cid.person.name not in str(list(games.each_event(id)))


def test_a_rematch_has_the_names_of_now(site: SiteServer, pair: tuple[Member, Member]) -> None:
    ann, bob = pair
    game = accept(bob, offer(ann, **RATED)["challenge"])
    with sit(site, ann, game) as one, sit(site, bob, game) as other:
        one.hear(Welcome)
        with closing(SiteStore.open(site.store)) as store:
            People(store).rename(ann.person.id, "Ann Renamed")
        one.say(Resign())
        until_over(bob)
        one.say(Rematch())
        other.say(Reply(other.hear(Offer).number, True))
        following = one.hear(Next).game
    assert sorted(site.get(f"/api/games/{following}")["players"]) == sorted(["Ann Renamed", bob.person.name])


def test_nobody_wins_because_somebody_is_not_there_yet(
    site: SiteServer, pair: tuple[Member, Member]
) -> None:
    ann, bob = pair
    for wanted, grace in (LIVELY, 30.0), (RATED, 3 * 86_400.0):
        game = accept(bob, offer(ann, **wanted)["challenge"])
        with sit(site, bob, game) as there:
            assert there.hear(Welcome).grace == grace
            assert there.hear(Presence).claim == 0
        phase = site.get(f"/api/games/{game}")["phase"]
        assert phase == ("waiting" if wanted is LIVELY else "running")


def test_quick_pairing_finds_the_next_one(pair: tuple[Member, Member]) -> None:
    ann, bob = pair
    wanted = {"spec": "anti", "limit": "bank=600,increment=5", "is_quick": True}
    waiting = offer(ann, **wanted)
    assert waiting["game"] == ""
    assert offer(bob, **wanted | {"limit": "bank=60"})["game"] == ""
    paired = offer(bob, **wanted)
    assert paired["game"] and paired["challenge"] == waiting["challenge"]
    assert listed(ann, "own") == listed(bob, "own") == []


def test_a_direct_challenge_is_for_one_person(site: SiteServer, pair: tuple[Member, Member]) -> None:
    ann, bob = pair
    carla = site.join(f"{ann.person.name} Carla")
    made = offer(ann, **RATED, opponent=bob.person.name.upper())["challenge"]
    assert listed(bob, "incoming") == [made] and made not in listed(carla, "open")
    assert carla.ask("POST", f"/api/site/challenges/{made}/accept", {}).status_code == 404
    bob.post(f"/api/site/challenges/{made}/decline", {})
    seen, = ann.get("/api/site/lobby")["own"]
    assert seen["phase"] == "declined" and seen["opponent"] == bob.person.name
    ann.post(f"/api/site/challenges/{made}/withdraw", {})
    assert listed(ann, "own") == []


def refused(member: Member, **wanted: Any) -> str:
    """Why a challenge is not possible."""
    answer = member.ask("POST", "/api/site/challenges", wanted)
    assert answer.status_code in (400, 404), answer.text
    return str(answer.json()["problem"])


def test_bad_challenges_are_refused_with_a_sentence(pair: tuple[Member, Member]) -> None:
    ann, bob = pair
    for wanted, sentence in (
        ({"spec": "no such game"}, "no such game"),
        ({"spec": "othello", "limit": "nonsense"}, "limit"),
        ({"spec": "othello", "limit": "nodes=5"}, "for computers"),
        ({"spec": "othello", "limit": "bank=0.1"}, "at least 1 second"),
        ({"spec": "othello-12", "is_rated": True}, "not rated"),
        ({"spec": "rolit", "is_rated": False, "opponent": bob.person.name}, "is for 4"),
        ({"spec": "othello", "opponent": "Nobody <b>"}, "no member called"),
        ({"spec": "othello", "opponent": ann.person.name}, "themselves"),
        ({"spec": "othello", "colour": "black"}, "not a valid request"),
    ):
        assert sentence in refused(ann, **wanted), wanted


def test_only_members_play_and_only_on_their_own_seats(site: SiteServer, pair: tuple[Member, Member]) -> None:
    ann, bob = pair
    guest = site.join(f"{ann.person.name} Guest", Role.GUEST)
    made = offer(ann, **LIVELY)["challenge"]
    assert guest.ask("POST", "/api/site/challenges", LIVELY).status_code == 403
    assert guest.ask("POST", f"/api/site/challenges/{made}/accept", {}).status_code == 403
    assert made in listed(guest, "open")
    assert bob.ask("POST", f"/api/site/challenges/{made}/withdraw", {}).status_code == 404
    game = accept(bob, made)
    for path in (f"/api/site/games/{game}/seat", "/api/site/games/none/seat"):
        assert guest.get(path) == {"token": ""}
    assert ann.ask("POST", "/api/site/challenges", LIVELY, headers={}).status_code == 403    # by another page


def test_floods_of_challenges_end(pair: tuple[Member, Member]) -> None:
    ann, _ = pair
    refused = http.refusal(lambda: ann.ask("POST", "/api/site/challenges/none/accept", {}))
    assert refused.json()["problem"]


def listen(site: SiteServer, member: Member | None) -> ClientConnection:
    """A connection to the lobby, as a window of the page has one."""
    cookies = {"cookie": f"{COOKIE}={member.token}"} if member else {}
    return connect(f"ws://127.0.0.1:{site.port}/api/site/lobby/socket", additional_headers=cookies,
                   open_timeout=TIMEOUT, legacy=True)


def hear(socket: ClientConnection, incoming: list[str]) -> None:
    """Listens until these challenges to somebody are told, and no others."""
    while [one["id"] for one in json.loads(socket.recv(TIMEOUT))["incoming"]] != incoming:
        pass


def test_the_lobby_tells_at_once_what_concerns_one(site: SiteServer, pair: tuple[Member, Member]) -> None:
    ann, bob = pair
    with listen(site, bob) as socket:
        hear(socket, [])
        made = offer(ann, **RATED, opponent=bob.person.name)["challenge"]
        hear(socket, [made])
        ann.post(f"/api/site/challenges/{made}/withdraw", {})
        hear(socket, [])
        socket.send("nothing is expected")
        with pytest.raises(ConnectionClosed):
            hear(socket, ["never"])


def test_the_lobby_tells_strangers_and_crowds_nothing(site: SiteServer, pair: tuple[Member, Member]) -> None:
    with listen(site, None) as socket:
        assert json.loads(socket.recv(TIMEOUT)) == {"type": "error", "sentence": "sign in first"}
    with ExitStack() as windows:
        for _ in range(MAX_WINDOWS):
            hear(windows.enter_context(listen(site, pair[0])), [])
        with pytest.raises(InvalidStatus):
            listen(site, pair[0])
        hear(windows.enter_context(listen(site, pair[1])), [])


def test_everybody_plays_so_many_games_at_most_whoever_began(tmp_path: Path) -> None:
    with SiteServer(tmp_path) as site:
        ann, bob = site.join("Ann"), site.join("Bob")
        first, second = (offer(ann, **RATED | {"spec": spec})["challenge"] for spec in ("othello", "anti"))
        of_bob = offer(bob, **LIVELY)["challenge"]
        site.stop()
        with closing(Store.open(site.store)) as store, store.writing() as connection:
            transaction = Transaction(store, connection)
            start, people = named("othello-4").start(), [StoredSeat("human", name="x")] * 2
            for _ in range(MAX_ROOMS_PER_VISITOR - 1):
                stored = new_stored_game(start, people, [NO_LIMIT] * 2)
                transaction.add_game(marked(stored, mark_of(bob.person.player)))
            transaction.flush()
        site.start()
        ann.address = bob.address = site.address
        assert accept(bob, first)    # his fortieth, although Ann has asked for it
        for member, path, wanted in (
            (bob, f"/{second}/accept", {}), (ann, f"/{of_bob}/accept", {}), (bob, "", LIVELY),
        ):
            answer = member.ask("POST", f"/api/site/challenges{path}", wanted)
            assert answer.status_code == 429 and "games" in answer.json()["problem"], (path, answer.text)
        bob.post(f"/api/site/challenges/{of_bob}/withdraw", {})    # which takes no room


@pytest.mark.parametrize("new_store", ["sqlite", slow("postgresql")], indirect=True)
@pytest.mark.parametrize("kill", [pytest.param(True, id="killed"), slow(False, id="stopped")])
def test_nothing_is_lost_when_the_server_ends(new_store: str, tmp_path: Path, kill: bool) -> None:
    with SiteServer(tmp_path, store=new_store) as site:
        ann, bob = site.join("Ann"), site.join("Bob")
        waiting = offer(ann, spec="anti", opponent="Bob")["challenge"]
        game = accept(bob, offer(ann, **RATED)["challenge"])
        with sit(site, ann, game) as one:
            one.hear(Welcome)
            one.say(Resign())
            while getattr(one.hear(), "kind", "") != "end":    # on disk, perhaps not counted yet
                continue
        end: Callable[[], object] = site.kill if kill else site.stop
        end()
        site.start()
        for member in (ann, bob):
            member.address = site.address
        assert listed(bob, "incoming") == [waiting] and ann.get("/api/site/lobby")["games"] == []
        first, second = ann.get("/api/site/rankings/othello")["people"]
        assert [first["name"], second["name"]] == ["Bob", "Ann"] and first["games"] == 1
        again = accept(bob, waiting)
        site.kill()
        site.start()
        for member in (ann, bob):
            member.address = site.address
        with sit(site, ann, again) as one:
            assert one.hear(Welcome).seats in ([1], [2])
        with closing(SiteStore.open(site.store)) as store:
            assert recompute(store, "othello") == {one.player: one for one in ranking(store, "othello")}
