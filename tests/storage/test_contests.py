"""The store of tournaments: its lock lost and left, read where it cannot be written, and what travels."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest

import polyversi as pv
from polyversi.contest.contest import Watcher
from polyversi.contest.export import export
from polyversi.contest.fixtures import meeting_fixtures
from polyversi.contest.model import Meeting
from polyversi.contest.openings import Openings
from polyversi.contest.plan import Entrant, Plan, entrants_of
from polyversi.contest.playing import play_game, start_of, task_of
from polyversi.contest.standings import table_of
from polyversi.contest.tournament import Tournament, tournament_in
from polyversi.contest.workers import local_workers
from polyversi.gameplay.verdict import Verdict
from polyversi.games.limit import NO_LIMIT
from polyversi.storage.contests import ContestStore
from polyversi.storage.errors import LockLostError, StoreError
from polyversi.storage.games import Store
from polyversi.storage.stored import PlayedGame
from tests.testing.files import ordinary_user
from tests.testing.postgres import Postgres
from tests.testing.terminal import polyversi
from tests.testing.timeout import TIMEOUT

PLAN = Plan(
    "cup", entrants_of(["random", "greedy", "mobility"]), ("othello-4",), games=4, limit=NO_LIMIT, seed=3
)

LOCK = f"cup.db.contest-{zlib.crc32(b'cup'):08x}.lock"
"""The lock of that tournament in a file."""


class Disturbs(Watcher):
    """Does something to the store once, when the first games are over."""

    def __init__(self, where: str) -> None:
        self.where = where
        self.kept = 0

    def over(self, games: Sequence[PlayedGame]) -> None:
        if not self.kept:
            self.disturb()
        self.kept += len(games)

    def disturb(self) -> None:
        """Ends all connections, as an administrator can; every lock is gone, and the server is there."""
        end = ("SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
               "WHERE pid != pg_backend_pid() AND datname = %s")
        with psycopg.connect(self.where, autocommit=True) as server:
            server.execute(end, (server.info.dbname,))


class Restarts(Disturbs):
    """Ends the server, and starts it again."""

    def __init__(self, where: str, server: Postgres) -> None:
        super().__init__(where)
        self.server = server

    def disturb(self) -> None:
        self.server.kill()
        self.server.start()


@pytest.mark.parametrize("is_restarted", [False, True])
def test_without_its_lock_nothing_is_written(postgres: Postgres, is_restarted: bool) -> None:
    where = postgres.database()
    store, other = ContestStore.open(where), ContestStore.open(where)
    cup = Tournament.create(store, PLAN)
    watcher = Restarts(where, postgres) if is_restarted else Disturbs(where)
    with pytest.raises(LockLostError, match=r".* was lost, and with it the lock .* resume`"):
        cup.run(watcher, local_workers(1))
    assert len(Tournament(other, "cup").played) == watcher.kept
    with store.reserved("cup"):    # who was ended holds nothing any more
        pass
    again = Tournament(other, "cup")
    again.run(workers=local_workers(1))
    assert again.is_over and len(again.played) == 12
    other.close()
    store.close()


def test_a_tournament_that_was_left_can_be_played_at_once(postgres: Postgres) -> None:
    where = postgres.database()
    store, other = ContestStore.open(where), ContestStore.open(where)
    for who in [store, other] * 20:
        with who.reserved("cup"):
            pass
    other.close()
    store.close()


def test_a_lost_lock_is_not_found_again_by_itself(postgres: Postgres) -> None:
    """SQLAlchemy makes a new connection for one that was lost, which would have no lock."""
    where = postgres.database()
    store = ContestStore.open(where)
    cup = Tournament.create(store, PLAN)
    game = play_game(task_of(cup.plan, cup.due()[0]))
    with store.reserved("cup"):
        Disturbs(where).disturb()
        for _ in range(3):
            with pytest.raises(LockLostError):
                cup.keep([game])
    assert not Tournament(store, "cup").played
    store.close()


@pytest.mark.slow
def test_resume_goes_on_after_the_server_was_gone(postgres: Postgres) -> None:
    where = postgres.database()
    store = ContestStore.open(where)
    Tournament.create(store, replace(PLAN, games=4000))
    program = [sys.executable, "-m", "polyversi.cli.main", "tournament", "resume", where, "--jobs", "1"]
    with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        while not store.played("cup"):
            assert process.poll() is None
        Disturbs(where).disturb()
        _, errors = process.communicate(timeout=TIMEOUT)
    assert process.returncode == 1 and "Traceback" not in errors
    assert "nothing has been written since; continue with `polyversi" in " ".join(errors.split())
    store.close()


def test_no_lock_is_left_behind(tmp_path: Path) -> None:
    path = tmp_path / "cup.db"
    store = ContestStore.open(str(path))
    Tournament.create(store, PLAN).run(workers=local_workers(1))
    store.close()
    assert [file.name for file in tmp_path.iterdir()] == ["cup.db"]
    lock = tmp_path / LOCK
    lock.touch()    # of one that was killed
    again = ContestStore.open(str(path))
    with again.reserved("cup"):
        assert lock.exists()
    assert not lock.exists()
    again.close()


def test_the_lock_of_another_program_is_left_alone(tmp_path: Path) -> None:
    """Somebody has removed ours, so that another program could begin: a third one must not."""
    store = ContestStore.open(str(tmp_path / "cup.db"))
    lock = tmp_path / LOCK
    with store.reserved("cup"):
        lock.unlink()
        lock.write_text("another's")
    assert lock.read_text() == "another's"
    store.close()


def test_a_server_and_several_tournaments_share_a_store(new_store: str) -> None:
    """Each has its own lock: only the same tournament cannot be played twice."""
    games, one, other = Store.open(new_store), ContestStore.open(new_store), ContestStore.open(new_store)
    cups = [Tournament.create(one, replace(PLAN, name=name)) for name in ("cup", "league")]
    with games.reserved(), one.reserved("cup"), one.reserved("league"):
        for cup in cups:
            cup.keep([play_game(task_of(cup.plan, cup.due()[0]))])
        with pytest.raises(StoreError, match=r"the tournament 'cup' in .* is being played by another"):
            Tournament(other, "cup").run()
        with other.reserved("final"):
            pass
    assert [len(Tournament(other, cup.name).played) for cup in cups] == [1, 1]
    for store in (games, one, other):
        store.close()


def test_a_store_may_be_called_anything(tmp_path: Path) -> None:
    path = played_in(tmp_path).rename(tmp_path / os.fsdecode(b"caf\xe9 50%?#.db"))
    store = ContestStore.open_read_only(str(path))
    assert len(tournament_in(store, None).played) == 12
    store.close()


RACE = """
import os, sys
from polyversi.storage.errors import StoreError
from polyversi.storage.contests import ContestStore
store, within, held = ContestStore.open(sys.argv[1]), sys.argv[2], 0
while held < 60:
    try:
        with store.reserved("cup"):
            os.close(os.open(within, os.O_CREAT | os.O_EXCL))
            os.unlink(within)
            held += 1
    except StoreError:
        pass
"""


def test_two_never_hold_the_lock_though_it_comes_and_goes(tmp_path: Path) -> None:
    program = [sys.executable, "-c", RACE, str(tmp_path / "cup.db"), str(tmp_path / "within")]
    racers = [subprocess.Popen(program, stderr=subprocess.PIPE, text=True) for _ in range(3)]
    assert [racer.communicate(timeout=TIMEOUT)[1] for racer in racers] == ["", "", ""]
    assert not (tmp_path / LOCK).exists()


def played_in(folder: Path) -> Path:
    """A store with a tournament that is over."""
    path = folder / "cup.db"
    store = ContestStore.open(str(path))
    cup = Tournament.create(store, PLAN)
    cup.run(workers=local_workers(1))
    table_of(cup)    # loads what reckons, which an ordinary user may not read where Python is root's
    store.close()
    return path


@pytest.mark.parametrize(("of_file", "of_folder"), [(0o444, 0o555), (0o444, 0o777), (0o644, 0o555)])
def test_what_may_not_be_written_can_be_looked_at(of_file: int, of_folder: int) -> None:
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as other:
        path = played_in(Path(folder))
        path.chmod(of_file)
        Path(folder).chmod(of_folder)
        Path(other).chmod(0o777)
        with ordinary_user():
            store = ContestStore.open_read_only(str(path))
            cup = tournament_in(store, None)
            assert cup.is_over and len(cup.played) == 12
            export(cup, Path(other, "cup.html"))
            with pytest.raises(StoreError):
                cup.keep([next(iter(cup.played.values()))])
            store.close()
        assert [file.name for file in Path(folder).iterdir()] == ["cup.db"]


def test_a_running_tournament_of_somebody_else_can_be_looked_at() -> None:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        store = ContestStore.open(str(Path(folder, "cup.db")))
        cup = Tournament.create(store, PLAN)
        with store.reserved("cup"), store.writing():    # in the middle of a write
            with ordinary_user():
                looking = ContestStore.open_read_only(str(Path(folder, "cup.db")))
                assert not tournament_in(looking, None).played
                looking.close()
            shown = polyversi("tournament", "show", str(Path(folder, "cup.db")))
            assert shown.stdout.splitlines()[-1] == "0 games played, 12 due now"
        cup.run(workers=local_workers(1))
        store.close()


def test_looking_makes_nothing(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="there is no store"):
        ContestStore.open_read_only(str(tmp_path / "cup.db"))
    (tmp_path / "cup.db").touch()
    with pytest.raises(StoreError, match=r"cup\.db is empty"):
        ContestStore.open_read_only(str(tmp_path / "cup.db"))
    (tmp_path / "cup.db").write_bytes(b"x" * 5000)
    with pytest.raises(StoreError, match="is not a database"):
        ContestStore.open_read_only(str(tmp_path / "cup.db"))
    assert [file.name for file in tmp_path.iterdir()] == ["cup.db"]


def test_a_postgresql_store_can_be_looked_at(postgres: Postgres) -> None:
    where = postgres.database()
    with pytest.raises(StoreError, match="is empty"):
        ContestStore.open_read_only(where)
    store = ContestStore.open(where)
    Tournament.create(store, PLAN)
    looking = ContestStore.open_read_only(where)
    assert tournament_in(looking, None).name == "cup"
    looking.close()
    store.close()


def test_only_the_opening_of_a_game_travels_with_it() -> None:
    game = pv.game("othello-6")
    drawn = Openings("random", 6)
    positions = tuple({drawn.start(game, 0, number, seed=1).text for number in range(300)})
    some = [replace(PLAN, variants=("othello-6",), maps=(), openings=Openings("file", positions=(part,)))
            for part in (positions[:1], positions)]
    games = meeting_fixtures(Meeting("1.1", 1, (0, 1)), [2], 400, "alternate")
    few, many = (max(len(pickle.dumps(task_of(plan, each))) for each in games) for plan in some)
    assert many - few < 100
    starts = {start_of(some[1], each).text for each in games[::2]}
    assert len(starts) == 200 and starts <= set(positions)


def test_nobody_is_added_to_meet_only_those_that_were_set_aside(tmp_path: Path) -> None:
    bot = tmp_path / "bad.py"
    bot.write_text("import sys\nsys.exit('my head hurts')\n")
    store = ContestStore.open(str(tmp_path / "cup.db"))
    entrants = (Entrant("bad", f"bot:{bot}"), *PLAN.entrants)
    plan = replace(PLAN, entrants=entrants, format="gauntlet", failures=1, trust=True)
    cup = Tournament.create(store, plan)
    cup.run(workers=local_workers(1))
    assert cup.left
    said = "late cannot join: it would only meet bad, and entrants that failed too often do not come back"
    with pytest.raises(pv.PolyversiError, match=said):
        cup.add(Entrant("late", "random"))
    assert len(Tournament(store, "cup").plan.entrants) == 4
    store.close()


def test_what_some_have_written_is_found_the_last_first(new_store: str) -> None:
    store = ContestStore.open(new_store)
    store.create("cup", {"entrants": []})
    seatings = [(0, 1), (1, 12), (12, 2), (2, 1), (3, 12)]
    texts = [("zero", "one"), ("", "twelve, \"said\" [it]"), ("", "two"), ("", ""), ("three", "")]
    store.keep("cup", [
        PlayedGame(str(number), "1.1", 1, 0, 0, seating, "", (33, 31), (1, 2), (1.0, 0.0), "over",
                   Verdict("win", 1), outputs=written, ended=float(number))
        for number, (seating, written) in enumerate(zip(seatings, texts, strict=True))])
    assert [game.id for game in store.written("cup", [12], 9)] == ["4", "2", "1"]
    assert [game.id for game in store.written("cup", [1], 9)] == ["1", "0"]
    assert [game.outputs for game in store.written("cup", [1, 12], 1)] == [("three", "")]
    store.forget_outputs(3.5)
    assert [game.outputs for game in store.played("cup")] == [()] * 4 + [("three", "")]
    assert store.written("cup", [], 9) == store.written("other", [1], 9) == []
    store.close()
