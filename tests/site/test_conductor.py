"""The conductor: whatever is killed, bots are checked, every game is played once, and ratings fit them."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sql
from distributed import Client, LocalCluster

from polyversi.contest.workers import Workers
from polyversi.server.xt.joining import Joined
from polyversi.site import conductor
from polyversi.site.conductor import Conductor, Status
from polyversi.site.event_plans import EventSettings, MapFile
from polyversi.site.events import Events
from polyversi.site.gate import Gate
from polyversi.site.ladder import pool_of
from polyversi.site.machine import Machine, Share, local_places
from polyversi.site.opened import open_site
from polyversi.site.ratings import ranking, recompute
from polyversi.site.roles import Person, Role
from polyversi.site.tables import LADDER_GAMES, MATCHES, VERSIONS
from polyversi.storage.errors import StoreError
from tests.testing.conducted import Conducted
from tests.testing.ladders import LAST_MOVE, Rungs
from tests.testing.processes import wait_until_gone
from tests.testing.sandbox import needs_sandbox
from tests.testing.uploads import COURSE_AGENT, SITE
from tests.testing.waiting import until

pytestmark = needs_sandbox
XT_CLIENT = (f"{sys.executable} -m polyversi.cli.main xt-client -s {{host}} -p {{port}} --player random "
             "--plain")
SMALL = "jobs = 1\n" + SITE + "games = 4\n"


def count(rungs: Rungs) -> int:
    """How many games have been stored."""
    return int(rungs.store.read(sql.select(sql.func.count().label("n")).select_from(LADDER_GAMES))[0]["n"])


def check_whole(rungs: Rungs) -> None:
    """Every match has its two games, none counts twice, and the ratings are those of the games."""
    matches = rungs.store.read(sql.select(MATCHES))
    games = rungs.store.read(sql.select(LADDER_GAMES))
    assert {match["phase"] for match in matches} == {"over"}
    assert sorted((game["match"], game["number"]) for game in games) == sorted(
        (match["id"], number) for match in matches for number in (1, 2))
    pool = pool_of("othello")
    kept = {one.player: one for one in ranking(rungs.store, pool)}
    assert recompute(rungs.store, pool) == kept
    assert sum(one.games for one in kept.values()) == 2 * len(games)


@pytest.mark.slow
@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_a_conductor_and_its_workers_may_be_killed(
    database: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    where = request.getfixturevalue("postgres").database() if database == "postgresql" else ""
    rungs = Rungs(tmp_path, where, SMALL)
    rungs.climb("Ann")
    rungs.climb("Bob", LAST_MOVE)
    conducted = Conducted(rungs.file.path)
    conducted.start()
    until(lambda: count(rungs) >= 1)
    conducted.kill()
    with conducted:
        until(conducted.workers)
        for pid in conducted.workers():
            with suppress(ProcessLookupError):    # it has ended by itself
                os.kill(pid, signal.SIGKILL)
        until(lambda: count(rungs) >= 4 and not rungs.ladders.waiting())
    check_whole(rungs)
    wait_until_gone(str(rungs.file.uploads))
    rungs.store.close()


@pytest.mark.slow
def test_what_is_handed_in_is_checked_and_plays(tmp_path: Path) -> None:
    rungs = Rungs(tmp_path, more=SMALL.replace("seconds=20", "seconds=5"))
    rungs.climb("Ann")
    bob = rungs.person("Bob")
    bot = rungs.bots.create(bob, "fresh", "othello")
    rungs.hand_in(bob, bot, COURSE_AGENT, "agent.py")
    with Conducted(rungs.file.path):
        until(lambda: count(rungs) >= 2)
    assert rungs.bots.version(bot.id, 1).phase == "passed"
    rungs.store.close()


@pytest.mark.slow
def test_between_the_steps_of_a_check_another_check_has_the_place(tmp_path: Path) -> None:
    """So one version more is checked than there are places; the others wait."""
    rungs = Rungs(tmp_path, more=SMALL)
    sleeper = "import time\ntime.sleep(3600)\n"
    for name in ("Ann", "Bob", "Cid"):
        person = rungs.person(name)
        rungs.hand_in(person, rungs.bots.create(person, f"{name}'s", "othello"), sleeper)

    def phases() -> list[str]:
        rows = rungs.store.read(sql.select(VERSIONS.c.phase).order_by(VERSIONS.c.created))
        return [row["phase"] for row in rows]

    with Conducted(rungs.file.path):
        until(lambda: phases() == ["checking", "checking", "waiting"])
    rungs.store.close()


def test_only_one_conducts_a_site(tmp_path: Path) -> None:
    rungs = Rungs(tmp_path)
    with (rungs.store.conducted(), open_site(rungs.file.path) as second,
          pytest.raises(StoreError, match="another conductor"), second.store.conducted()):
        pass
    rungs.store.close()


@pytest.mark.slow
def test_a_full_disk_pauses_everything_and_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rungs = Rungs(tmp_path, more=SMALL)
    rungs.climb("Ann")
    rungs.climb("Bob", LAST_MOVE)
    told: list[Status] = []
    monkeypatch.setattr(conductor, "MIN_FREE", 1 << 62)
    monkeypatch.setattr(conductor, "POLL_SECONDS", 0.02)

    def tell(status: Status) -> None:
        told.append(status)
        if "disk is full" in status.problem:
            monkeypatch.setattr(conductor, "MIN_FREE", 0)

    with open_site(rungs.file.path) as site, ThreadPoolExecutor() as threads:
        machine = Machine(local_places(1))
        work = Conductor(site, machine, tell=tell)
        running = threads.submit(work.run)
        try:
            until(lambda: count(rungs) >= 4 and not rungs.ladders.waiting())
        finally:
            work.stop()
        running.result()
        machine.close()
    assert "the disk is full" in told[0].problem
    assert told[-1].problem == ""
    check_whole(rungs)
    rungs.store.close()


def test_a_full_disk_stops_an_event_between_two_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rungs = Rungs(tmp_path, more=SMALL)
    monkeypatch.setattr(conductor, "POLL_SECONDS", 0.02)
    with open_site(rungs.file.path) as site, ThreadPoolExecutor() as threads:
        events = Events(site.file, site.store, site.contests)
        settings = EventSettings(variants=("othello-4",), players=("random", "greedy"), games=2000)
        organiser = rungs.person("Olga", Role.ORGANISER)
        event = events.start(organiser, events.create(organiser, "Cup", settings).id)

        def played() -> int:
            return site.contests.counts().get(event.contest, 0)

        told: list[Status] = []
        machine, other = Machine(local_places(1)), Machine(local_places(1))
        work = Conductor(site, machine, tell=told.append)
        running = threads.submit(work.run)
        try:
            until(lambda: played() > 0)
            monkeypatch.setattr(conductor, "MIN_FREE", 1 << 62)
            until(lambda: told[-1].problem and not told[-1].busy)
            until(lambda: not machine.busy)
            for _ in range(50):    # other work takes its time
                assert other.submit(Share("other"), lambda: os.getpid).result()
                assert not machine.busy
            before = played()
            assert before < 2000 and events.find(event.id).phase == "running"
            monkeypatch.setattr(conductor, "MIN_FREE", 0)
            until(lambda: played() > before)
        finally:
            work.stop()
        running.result()
        machine.close()
        other.close()
    rungs.store.close()


def test_where_workers_cannot_be_reached_is_for_organisers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rungs = Rungs(tmp_path, more=SMALL)
    rungs.climb("Ann")
    rungs.climb("Bob", LAST_MOVE)
    told: list[Status] = []
    said: list[str] = []
    monkeypatch.setattr(conductor, "POLL_SECONDS", 0.02)

    def refuse() -> Any:
        raise OSError("no route to tcp://10.0.0.7:8786")

    with open_site(rungs.file.path) as site, ThreadPoolExecutor() as threads:
        machine = Machine([Workers(1, refuse)])
        work = Conductor(site, machine, tell=told.append, say=said.append)
        running = threads.submit(work.run)
        until(lambda: said)
        work.stop()
        running.result()
        machine.close()
    assert told[-1].problem == "the workers cannot be reached just now"
    assert told[-1].detail == "no route to tcp://10.0.0.7:8786" and said == [
        "the workers cannot be reached just now: no route to tcp://10.0.0.7:8786"]
    rungs.store.close()


@pytest.mark.slow
def test_a_cluster_plays_the_games_of_a_ladder(tmp_path: Path) -> None:
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50) as cluster:
        more = f'cluster = "{cluster.scheduler_address}"\n{SMALL.replace("jobs = 1", "jobs = 2")}'
        rungs = Rungs(tmp_path, more=more)
        rungs.climb("Ann")
        rungs.climb("Bob", LAST_MOVE)
        with Conducted(rungs.file.path), Client(cluster.scheduler_address) as client:
            until(lambda: count(rungs) >= 1)
            os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)
            until(lambda: count(rungs) >= 4 and not rungs.ladders.waiting())
        check_whole(rungs)
        rungs.store.close()


@contextmanager
def unreachable() -> Iterator[Executor]:
    raise OSError("no machine of the cluster reaches the gate")
    yield


@pytest.mark.slow
def test_groups_play_on_the_machine_of_their_gate_where_a_cluster_plays_all_else(tmp_path: Path) -> None:
    path = tmp_path / "site.toml"
    path.write_text('cluster = "tcp://127.0.0.1:8786"\nxt_port = 7800\n')
    maps, groups = (MapFile("pair", "2 0 0 0  1 6  0 0 1 2 0 0"),), ("One", "Two")
    settings = EventSettings(maps=maps, groups=groups, limit="bank=20,increment=20")
    organiser = Person("o", "Olga", Role.ORGANISER)
    with open_site(path) as site, ThreadPoolExecutor() as threads:
        events, gate = Events(site.file, site.store, site.contests), Gate(site.store, "127.0.0.1", 0)
        event = events.create(organiser, "XT", settings)
        tokens = events.make_tokens(organiser, event.id)
        clients = [Joined("127.0.0.1", gate.port, token, XT_CLIENT, print) for token in tokens.values()]
        playing = [threads.submit(asyncio.run, client.play(2)) for client in clients]
        until(lambda: gate.connected() == {event.id: {"One": (1, 0), "Two": (1, 0)}})
        events.start(organiser, event.id)
        cluster, here = Machine([Workers(1, unreachable)]), Machine(local_places(1))
        work = Conductor(site, cluster, gate=gate, here=here)
        running = threads.submit(work.run)
        try:
            until(lambda: events.find(event.id).phase != "running")
        finally:
            work.stop()
            here.close()
            cluster.close()
        running.result()
        assert events.find(event.id).phase == "over"
        assert [game.offences for game in site.contests.played("XT")] == [(), ()]
        assert [one.result() for one in playing] == [None, None]
