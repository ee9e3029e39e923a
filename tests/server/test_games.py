"""Games of the page over HTTP and WebSockets, with a real server."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest

import polyversi as pv
from polyversi.gameplay import EndEvent, MoveEvent, StartEvent, Undo, UndoEvent
from polyversi.gameplay.events import Event
from polyversi.gameplay.seat import Resign
from polyversi.server.messages import (
    ErrorMessage,
    Have,
    Next,
    Offer,
    Presence,
    Rematch,
    Reply,
    RequestMessage,
    Settled,
    Welcome,
)
from tests.testing import http
from tests.testing.page_server import Served, Visitor, first_answer


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("served")) as served:
        yield served


def play_out(visitor: Visitor) -> list[Event]:
    """Answers every question with the first legal move; the events up to the end."""
    events = []
    while True:
        message = visitor.hear(Event, RequestMessage)
        if isinstance(message, RequestMessage):
            visitor.say(first_answer(message))
            continue
        events.append(message)
        if isinstance(message, EndEvent):
            return events


def begin_and_end(events: list[Event]) -> tuple[StartEvent, EndEvent]:
    first, last = events[0], events[-1]
    assert isinstance(first, StartEvent) and isinstance(last, EndEvent)
    return first, last


@pytest.mark.parametrize("spec", ["othello-6", "anti-4", "hex:side=3,start=ring", "torus-4", "reversi-4"])
def test_a_whole_game_against_a_computer(server: Served, spec: str) -> None:
    new = server.new_game(spec, "me", "random:seed=1")
    with server.visit(new["game"], new["token"]) as ann:
        assert ann.hear(Welcome).seats == [1]
        events = play_out(ann)
    assert [event.number for event in events] == list(range(len(events)))
    start, end = begin_and_end(events)
    state = pv.game(spec).position(start.start)
    for event in events:
        if isinstance(event, MoveEvent):
            state = state.play(event.move)
            assert event.position == state.text
    assert state.result is not None
    assert end.scores == state.result.scores
    told = server.get(f"/api/games/{new['game']}")
    assert (told["phase"], told["position"]) == ("over", state.text)
    assert any(game["id"] == new["game"] for game in server.get("/api/games")["recent"])


def test_the_moves_of_a_request_say_what_they_turn(server: Served) -> None:
    new = server.new_game("othello", "me", "random")
    with server.visit(new["game"], new["token"]) as ann:
        ask = ann.hear(RequestMessage)
    start = pv.game("othello").start()
    assert [(move.text, move.turned) for move in ask.moves] == [
        (str(move), list(start.turned(move))) for move in start.moves]


def test_many_seats_of_an_xt_map(server: Served) -> None:
    new = server.new_game("xt:arena,players=4", "me", "random:seed=1", "random:seed=2", "random:seed=3")
    with server.visit(new["game"], new["token"]) as ann:
        events = play_out(ann)
    start, end = begin_and_end(events)
    assert sorted(end.ranks)[0] == 1
    described = server.get(f"/api/games/{new['game']}")["description"]
    assert described["has_stocks"] and described["phases"] == ["build", "bomb"]
    assert len(described["plan"]["names"]) == len(start.start.split()[0])


def test_two_people_two_windows_and_a_spectator(server: Served) -> None:
    new = server.new_game("othello-6", "me", "friend", limit="bank=300")
    assert server.get(f"/api/games/{new['game']}")["phase"] == "waiting"
    bobs = new["links"]["2"].partition("#")[2]
    tokens = [new["token"], bobs, new["token"], ""]
    with ExitStack() as stack, ThreadPoolExecutor() as pool:
        visitors = [stack.enter_context(server.visit(new["game"], token, "Bob")) for token in tokens]
        assert [visitor.hear(Welcome).seat for visitor in visitors] == [1, 2, 1, 0]
        heard = list(pool.map(play_out, visitors))    # both windows of the first answer: one of them counts
    assert begin_and_end(heard[0])[0].players == ("Guest", "Bob")
    assert all(events == heard[0] for events in heard)


def test_only_the_token_gives_a_seat(server: Served) -> None:
    new = server.new_game("othello-4", "me", "friend")
    with server.visit(new["game"], "A" * 22, "Mallory") as mallory:
        assert "does not belong to a seat" in mallory.hear(ErrorMessage).sentence
    with server.visit(new["game"]) as eve:
        assert eve.hear(Welcome).seat == 0
        eve.say(Resign())
        assert "spectators cannot move" in eve.hear(ErrorMessage).sentence
    assert server.get(f"/api/games/{new['game']}")["phase"] == "waiting"


def test_undo_against_a_computer_and_a_hint(server: Served) -> None:
    new = server.new_game("othello-6", "me", "random:seed=1")
    with server.visit(new["game"], new["token"]) as ann:
        first = ann.hear(RequestMessage)
        help_ = server.post(f"/api/games/{new['game']}/hint", {"token": new["token"]})
        assert help_["move"] in [move.text for move in first.moves]
        ann.say(first_answer(first))
        second = ann.hear(RequestMessage)
        assert second.number == first.number + 2
        ann.say(Undo())
        undone = ann.hear(Event)
        assert isinstance(undone, UndoEvent) and undone.plies == 2
        third = ann.hear(RequestMessage)
        assert third.moves == first.moves
        ann.say(first_answer(second))    # the answer to a question that is gone
        ann.say(Resign())
        assert ann.hear(Event).verdict.kind == "resigned"


def two_people(server: Served) -> tuple[str, Visitor, Visitor]:
    new = server.new_game("othello-4", "me", "friend")
    ann = server.visit(new["game"], new["token"], "Ann")
    bob = server.visit(new["game"], new["links"]["2"].partition("#")[2], "Bob")
    return new["game"], ann, bob


def test_takeback_needs_consent(server: Served) -> None:
    game, ann, bob = two_people(server)
    with ann, bob:
        ask = ann.hear(RequestMessage)
        ann.say(first_answer(ask))
        bob.hear(RequestMessage)
        ann.say(Undo())
        offer = bob.hear(Offer)
        assert (offer.what, offer.seat) == ("undo", 1)
        ann.say(Reply(offer.number, True))    # not hers to answer
        bob.say(Reply(offer.number, False))
        assert not bob.hear(Settled).yes
        ann.say(Undo())
        bob.say(Reply(bob.hear(Offer).number, True))
        assert bob.hear(Settled).yes
        assert bob.hear(Event).kind == "undo"
        assert ann.hear(Event, RequestMessage).kind in ("start", "move", "undo")
    answer = http.post(f"{server.address}/api/games/{game}/hint", json={"token": "x"})
    assert answer.status_code == 403


def test_resigning_out_of_turn_and_a_rematch(server: Served) -> None:
    _, ann, bob = two_people(server)
    with ann, bob:
        ann.hear(RequestMessage)
        bob.say(Resign())
        end = ann.hear(Event)
        assert isinstance(end, EndEvent) and end.verdict.seat == 2
        ann.say(Rematch())
        bob.say(Reply(bob.hear(Offer).number, True))
        following = ann.hear(Next).game
        assert bob.hear(Next).game == following
    told = server.get(f"/api/games/{following}")
    assert told["players"][0] == "Bob"


def test_what_is_missing_is_sent_again(server: Served) -> None:
    new = server.new_game("othello-4", "me", "random:seed=1")
    with server.visit(new["game"], new["token"]) as ann:
        ask = ann.hear(RequestMessage)
        ann.say(first_answer(ask))
        ask = ann.hear(RequestMessage)
        ann.say(Have(1, 0))
        again = [ann.hear(Event) for _ in range(ask.number - 1)]
        assert [event.number for event in again] == list(range(1, ask.number))
        assert ann.hear(RequestMessage).number == ask.number
    with server.visit(new["game"], new["token"], events=2) as ann:
        assert ann.hear(Event).number == 2


def test_presence_counts_windows_and_spectators(server: Served) -> None:
    game, ann, bob = two_people(server)
    with ann, bob, server.visit(game):
        presence = ann.hear(Presence)
        while presence.watching != 1:
            presence = ann.hear(Presence)
        assert presence.seats == [True, True]


def test_playing_from_a_position_and_on_a_map_of_ones_own(server: Served) -> None:
    new = server.new_game("othello-4", "me", "random", position="XO-------------- X")
    with server.visit(new["game"], new["token"]) as ann:
        assert [move.text for move in ann.hear(RequestMessage).moves] == ["c1"]
    chart = "2 0 0 0  1 4  0 1 2 0"
    seats = [{"kind": "me"}, {"kind": "computer", "player": "random"}]
    new = server.post("/api/games", {"map": chart, "seats": seats})
    with server.visit(new["game"], new["token"]) as ann:
        assert ann.hear(Welcome).map.split()[:1] == ["2"]
        assert play_out(ann)[-1].kind == "end"


@pytest.mark.parametrize(("data", "sentence"), [
    ({"spec": "chess", "seats": [{"kind": "me"}]}, "there is no variant 'chess'"),
    ({"spec": "othello", "seats": [{"kind": "me"}]}, "othello has 2 seats, not 1"),
    ({"spec": "xt:/etc/passwd", "seats": [{"kind": "me"}] * 2}, "there is no XT map"),
    ({"spec": "othello", "seats": [{"kind": "me"}, {"kind": "computer", "player": "bot:/bin/cat"}]},
     "this server has no bot"),
    ({"spec": "othello", "seats": [{"kind": "me"}, {"kind": "computer", "player": "gtp:sh -c true"}]},
     "this server has no bot"),
    ({"spec": "othello", "seats": [{"kind": "me"}, {"kind": "computer", "player": "t77:weights=/etc/x"}]},
     "the option 'weights' of t77 is for the command line only"),
    ({"spec": "othello", "seats": [{"kind": "me"}, {"kind": "friend"}], "limit": "hours=3"}, "not a limit"),
    ({"spec": "othello-4", "seats": [{"kind": "me"}] * 2, "position": "XX"}, "a position"),
    ({"spec": "othello", "seats": "me"}, "is not a valid request"),
    ([], "is not a valid request"),
])
def test_bad_setups_are_told_in_a_sentence(server: Served, data: object, sentence: str) -> None:
    answer = http.post(f"{server.address}/api/games", json=data)
    assert answer.status_code == 400
    assert sentence in answer.json()["problem"]


def test_a_page_is_found_only_if_what_it_shows_is(server: Served) -> None:
    game = server.new_game("othello-4", "me", "friend")["game"]
    series = server.post("/api/arena", {"spec": "othello-4", "players": ["random", "random"]})["arena"]
    for view, there in (("game", game), ("arena", series), ("rules", "xt:arena%2Cplayers=2")):
        for name, status in ((there, 200), ("nothing", 404), ("%ff", 404), ("x" * 2000, 404)):
            headers = {"accept": "text/html"}
            answer = http.get(f"{server.address}/{view}/{name}", headers=headers)
            assert (answer.status_code, "<!doctype html>" in answer.text.lower()) == (status, True)
