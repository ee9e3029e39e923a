"""What a site tells somebody who asks for all about them, and what it forgets of whoever is erased."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sql

from polyversi.contest.playing import play_game
from polyversi.contest.workers import local_workers
from polyversi.gameplay.events import StartEvent
from polyversi.server.bots import BotFolder
from polyversi.server.limits import mark_of
from polyversi.server.new_game import NewGame, NewSeat, marked, prepare
from polyversi.site.bots import Bot
from polyversi.site.challenges import Challenge, Challenges, Wanted
from polyversi.site.erasing import erase
from polyversi.site.event_outputs import written
from polyversi.site.event_plans import EventSettings
from polyversi.site.event_runner import EventRunner
from polyversi.site.events import Events
from polyversi.site.exporting import export, export_person
from polyversi.site.opened import make_tables
from polyversi.site.roles import Person, Role
from polyversi.site.sessions import Sessions
from polyversi.site.tables import MATCHES
from polyversi.storage.contests import ContestStore
from polyversi.storage.games import Store
from polyversi.storage.stored import StoredGame, StoredSeries, StoredStudy
from tests.testing.ladders import Rungs
from tests.testing.sandbox import needs_sandbox
from tests.testing.uploads import FIRST_MOVE
from tests.testing.waiting import until

pytestmark = needs_sandbox
ORGANISER = Person("o", "Olga", Role.ORGANISER)


@pytest.fixture
def rungs(tmp_path: Path, site_store: str) -> Iterator[Rungs]:
    rungs = Rungs(tmp_path, site_store)
    make_tables(rungs.file)
    yield rungs
    rungs.store.close()


def says(name: str) -> str:
    """The source of a bot that writes whose it is."""
    return f"import sys\nprint('thought of {name}', file=sys.stderr, flush=True)\n{FIRST_MOVE}"


def lines(folder: Path, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / f"{name}.jsonl").read_text().splitlines()]


def play_event(rungs: Rungs, bots: list[Bot], organiser: Person = ORGANISER) -> str:
    """Plays an event of these bots; its id."""
    settings = EventSettings(variants=("othello-4",), bots=tuple(bot.id for bot in bots), limit="seconds=20")
    with closing(ContestStore.open(rungs.file.store)) as contests:
        events = Events(rungs.file, rungs.store, contests)
        event = events.start(organiser, events.create(organiser, "Cup", settings).id)
        runner = EventRunner(events, lambda _: local_workers(1), print)
        runner.poll()
        until(lambda: events.find(event.id).phase == "over")
        runner.close()
    return event.id


def all_told(rungs: Rungs, tmp_path: Path, but: tuple[str, ...] = ()) -> str:
    """Everything that the store has, but some tables."""
    folder = tmp_path / "all"
    export(rungs.file, rungs.store, folder)
    return "".join(path.read_text() for path in folder.glob("*.jsonl") if path.stem not in but)


def set_up(rungs: Rungs, person: Person) -> None:
    """A series, a study and a game against a computer of somebody."""
    mark = mark_of(person.player)
    with closing(Store.open(rungs.file.store)) as games, games.transaction() as write:
        write.add_series(StoredSeries(f"series of {person.name}", 1.0, {"visitor": mark}, "token"))
        wanted = NewGame([NewSeat("me", name=person.name), NewSeat("computer", "random")], "othello-4")
        stored = replace(marked(prepare(wanted, BotFolder(None)).stored, mark), id=f"game of {person.name}")
        write.add_game(stored)
        players = person.name, "random"
        write.append(stored.id, StartEvent(0, stored.spec, stored.start, players, stored.limits))
        write.keep_study(StoredStudy(f"study of {person.name}", "{}", "token", mark, 1.0, 1.0))


def test_an_export_has_all_of_a_person_and_nothing_of_others(rungs: Rungs, tmp_path: Path) -> None:
    people = dict(rungs.climb(name, says(name)) for name in ("Ann", "Bob", "Cid"))
    ann, bob, cid = people
    low, high = sorted((ann, bob), key=lambda one: rungs.names.index(people[one].name), reverse=True)
    match = rungs.ladders.challenge(low, people[low].id, people[high].id)
    rungs.play(match)
    olga = rungs.person("Olga", Role.ORGANISER)
    event = play_event(rungs, list(people.values()), olga)
    for person in (ann, bob):
        set_up(rungs, person)
    rungs.bots.rename(olga, people[ann], "Ann's best")
    Sessions(rungs.store, rungs.file.settings).make_link(ann.id)
    joined = challenge_with(rungs, bob, ann)
    challenge_with(rungs, bob, cid)
    folder = tmp_path / "ann"
    export_person(rungs.file, rungs.store, ann, folder)
    mine = people[ann].id

    told, = lines(folder, "matches")
    assert told["id"] == match.id and bool(told["is_asked_by_them"]) == (low is ann)
    assert not {"asked_by", "reason"} & set(told)
    entrant, = lines(folder, "entrants")
    assert (entrant["event"], entrant["who"]) == (event, f"bot:{mine}/1")
    assert not {"token", "spec"} & set(entrant)
    games = lines(folder, "event-games")
    assert len(games) == 4 and {game["tournament"] for game in games} == {"Cup"}, "two against each other"
    assert all("outputs" not in game for game in games) and all(game["record"] for game in games)
    outputs = lines(folder, "outputs")
    assert len(outputs) == 2 + 4 and all("thought of Ann" in one["output"] for one in outputs)
    assert {one["id"] for one in lines(folder, "games")} == {"game of Ann"}
    assert [one["game"] for one in lines(folder, "events")] == ["game of Ann"]
    link, = lines(folder, "links")
    assert link["kind"] == "invitation" and link["used"] is None
    assert [one["id"] for one in lines(folder, "challenges")] == [joined]
    assert [("bot.rename", mine, olga.id)] == [
        (one["action"], one["subject"], one["person"]) for one in lines(folder, "changes")
        if one["action"].startswith("bot")]
    export_person(rungs.file, rungs.store, olga, tmp_path / "olga")
    assert lines(folder, "events-made") == []
    assert [one["id"] for one in lines(tmp_path / "olga", "events-made")] == [event]
    assert [one["id"] for one in lines(folder, "series")] == ["series of Ann"]
    assert [one["id"] for one in lines(folder, "studies")] == ["study of Ann"]
    text = "".join(path.read_text() for path in folder.glob("*.jsonl"))
    assert "thought of Bob" not in text and "token" not in text and cid.id not in text


@pytest.mark.slow
def test_whoever_is_erased_is_named_nowhere(rungs: Rungs, tmp_path: Path) -> None:
    people = dict(rungs.climb(name, says(name)) for name in ("Ann", "Bob"))
    low, high = sorted(people, key=lambda one: rungs.names.index(people[one].name), reverse=True)
    rungs.play(rungs.ladders.challenge(low, people[low].id, people[high].id))
    organiser = rungs.person("Olga", Role.ORGANISER)
    reasons = {}
    for who in (low, organiser):
        match = rungs.ladders.challenge(*challenge_of(rungs, people))
        asked = next(person for person in people if person.id == match.asked_by)
        rungs.ladders.cancel(asked if who is low else organiser, match.id)
        found = rungs.ladders.match(match.id)
        assert found is not None
        reasons[who.name] = found.reason
    assert list(reasons.values()) == ["whoever challenged has cancelled it", "an organiser has cancelled it"]
    with rungs.store.writing() as connection:    # as earlier versions have written it
        own = MATCHES.c.reason == "whoever challenged has cancelled it"
        connection.execute(sql.update(MATCHES).where(own).values(reason=f"{low.name} has cancelled it"))
    set_up(rungs, low)
    erase(rungs.file, rungs.store, low.id)
    export(rungs.file, rungs.store, tmp_path / "all")
    told = lines(tmp_path / "all", "site_matches")
    assert {one["reason"] for one in told if one["phase"] == "cancelled"} == {
        "somebody has cancelled it", "an organiser has cancelled it"}
    text = "".join((tmp_path / "all" / f"site_{name}.jsonl").read_text()
                   for name in ("matches", "people", "bots", "versions", "audit", "ladder_games"))
    text += "".join((tmp_path / "all" / f"{name}.jsonl").read_text() for name in ("games", "events"))
    assert f"thought of {low.name}" not in text and f'"{low.name}"' not in text
    assert f"thought of {high.name}" in text


@pytest.mark.slow
def test_of_a_deleted_bot_nothing_stays_but_its_games(rungs: Rungs, tmp_path: Path) -> None:
    people = dict(rungs.climb(name, says(name)) for name in ("Ann", "Bob"))
    ann, _ = people
    organiser = rungs.person("Olga", Role.ORGANISER)
    rungs.bots.rename(organiser, people[ann], "Ann Lee's")
    rungs.play(rungs.automatic())
    with rungs.store.writing() as connection:    # as earlier versions have written it
        connection.execute(sql.update(MATCHES).values(reason="Ann Lee's is not on the ladder any more"))
    play_event(rungs, list(people.values()))
    game = rungs.ladders.games("othello")[0]
    assert sorted(game.named.record.players) == ["Ann Lee's v1", "Bob's v1"], "as they are called now"
    rungs.bots.delete(organiser, rungs.bots.find(people[ann].id))
    game = rungs.ladders.games("othello")[0]
    assert sorted(game.named.record.players) == ["Bob's v1", "deleted bot v1"]
    text = all_told(rungs, tmp_path, but=("site_people", "site_entrants", "tournaments", "tournament_games"))
    assert "Ann Lee" not in text and "Ann's" not in text and "thought of Ann" not in text
    assert text.count("thought of Bob") == 2
    games = lines(tmp_path / "all", "tournament_games")
    said = ["".join(one["outputs"]) for one in games]
    assert not any("thought of Ann" in one for one in said), "results of events keep only names of bots"
    assert all("thought of Bob" in one for one in said) and len(said) == 2


@pytest.mark.slow
def test_of_a_deleted_version_what_it_wrote_goes(rungs: Rungs, tmp_path: Path) -> None:
    ann, bot = rungs.climb("Ann", says("the first"))
    other = rungs.climb("Bob", says("Bob"))[1]
    rungs.play(rungs.automatic())
    play_event(rungs, [bot, other])
    rungs.renew(ann, bot, says("the second"))
    rungs.play(rungs.automatic())
    rungs.bots.delete_version(ann, bot, 1)
    text = all_told(rungs, tmp_path)
    counts = [text.count(f"thought of {what}") for what in ("the first", "the second", "Bob")]
    assert counts == [0, 2, 2 + 2 + 2]


@pytest.mark.slow
def test_what_is_deleted_while_a_game_is_played_is_not_kept_with_it(rungs: Rungs, tmp_path: Path) -> None:
    ann, bot = rungs.climb("Ann", says("Ann"))
    rungs.climb("Bob", says("Bob"))
    match = rungs.automatic()
    ready = rungs.games.make_ready(match.id, 1)
    assert ready is not None
    played = play_game(ready.task, ready.protection)
    rungs.bots.delete(ann, bot)
    rungs.games.keep(match, 1, ready, played)
    text = all_told(rungs, tmp_path)
    assert "thought of Bob" in text and "thought of Ann" not in text and "Ann's" not in text


@pytest.mark.slow
def test_outputs_of_events_do_not_say_where_things_are(rungs: Rungs, tmp_path: Path) -> None:
    source = f"import sys\nprint('I am', __file__, file=sys.stderr, flush=True)\n{FIRST_MOVE}"
    bots = [rungs.climb(name, source)[1] for name in ("Ann", "Bob")]
    event = play_event(rungs, bots)
    with closing(ContestStore.open(rungs.file.store)) as contests:
        events = Events(rungs.file, rungs.store, contests)
        found = written(events, events.find(event), lambda _: True)
    said = [one.output.splitlines() for one in found]
    assert len(said) == 4 and all(lines[-1] == "I am main.py" for lines in said)


def challenge_with(rungs: Rungs, person: Person, other: Person) -> str:
    """Somebody wants to play with four, and another one joins; the challenge's id."""
    with closing(Store.open(rungs.file.store)) as games:
        challenges = Challenges(rungs.store, games, make_game)
        made = challenges.offer(person.id, Wanted("rolit", "none", 4, is_rated=False), time.time())
        challenges.accept(made.id, other.id, time.time())
        challenges.withdraw(made.id, person.id)
    return made.id


def make_game(_: Challenge, __: Sequence[str]) -> StoredGame:
    raise AssertionError("nobody has joined who would be the last")


def challenge_of(rungs: Rungs, people: dict[Person, Bot]) -> tuple[Person, str, str]:
    """Whoever is below now, and both bots."""
    low, high = sorted(people, key=lambda one: rungs.names.index(people[one].name), reverse=True)
    return low, people[low].id, people[high].id
