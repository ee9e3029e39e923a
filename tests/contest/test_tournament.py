"""Tournaments: the same games whatever happens, each stored once, with those that fail set aside."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from polyversi import Move
from polyversi.contest.contest import Watcher
from polyversi.contest.model import Fixture, Meeting
from polyversi.contest.openings import Openings
from polyversi.contest.plan import Entrant, Plan, entrants_of
from polyversi.contest.playing import play_game, start_of, task_of
from polyversi.contest.standings import table_of
from polyversi.contest.tournament import Tournament, tournament_in
from polyversi.contest.workers import local_workers
from polyversi.gameplay.verdict import Verdict
from polyversi.games.errors import PlayerError, PolyversiError
from polyversi.games.limit import NO_LIMIT
from polyversi.storage.contests import ContestStore
from polyversi.storage.errors import StoreError
from polyversi.storage.stored import PlayedGame
from tests.soak.torture import torture

QUICK = Plan(
    "cup", entrants_of(["random", "greedy", "mobility"]), ("othello-4",), games=4,
    openings=Openings("random", 2), limit=NO_LIMIT, seed=3, trust=True,
)


def moves_of(tournament: Tournament) -> dict[str, tuple[Move, ...]]:
    """The moves of every game."""
    return {id: game.record.moves for id, game in tournament.played.items()}


def test_it_comes_out_the_same_however_it_is_run(new_store: str) -> None:
    store = ContestStore.open(new_store)
    for name, workers in (("one", local_workers(1)), ("two", local_workers(2))):
        Tournament.create(store, replace(QUICK, name=name)).run(workers=workers)
    one, two = Tournament(store, "one"), Tournament(store, "two")
    assert one.is_over and two.is_over
    assert moves_of(one) == moves_of(two) and len(moves_of(one)) == 12
    assert store.names() == ["two", "one"]
    store.close()


def test_pairs_begin_alike_and_change_seats(tmp_path: Path) -> None:
    store = ContestStore.open(str(tmp_path / "cup.db"))
    cup = Tournament.create(store, QUICK)
    cup.run(workers=local_workers(1))
    for meeting in cup.schedule.meetings:
        games = cup.schedule.games(meeting)
        starts = [start_of(cup.plan, game) for game in games]
        assert starts[::2] == starts[1::2] and len(set(starts)) == 2
        assert Counter(game.seating for game in games) == {meeting.entrants: 2, meeting.entrants[::-1]: 2}
        for game, start in zip(games, starts, strict=True):
            record = cup.played[game.id].record
            assert record.start == start
            assert record.players == tuple(cup.plan.entrants[entrant].name for entrant in game.seating)
    store.close()


@pytest.mark.parametrize("format", ["swiss", "knock-out", "ladder", "gauntlet", "ten-games"])
def test_every_format_comes_to_its_end(tmp_path: Path, format: str) -> None:
    store = ContestStore.open(str(tmp_path / "cup.db"))
    cup = Tournament.create(store, replace(QUICK, format=format, games=2))
    cup.run(workers=local_workers(1))
    assert cup.is_over and not cup.due() and Tournament(store, "cup").is_over
    rows = table_of(cup).rows
    assert sorted(row.entrant for row in rows) == [0, 1, 2]
    assert sum(row.score.games for row in rows) == 2 * len(cup.played)
    store.close()


def test_an_entrant_that_comes_later_plays_everybody(tmp_path: Path) -> None:
    store = ContestStore.open(str(tmp_path / "cup.db"))
    cup = Tournament.create(store, QUICK)
    cup.run(workers=local_workers(1))
    before = dict(cup.played)
    cup.add(Entrant("late", "random:seed=9"))
    assert not cup.is_over and len(cup.due()) == 12
    again = Tournament(store, "cup")
    again.run(workers=local_workers(1))
    assert again.is_over and again.played.items() >= before.items() and len(again.played) == 24
    with pytest.raises(PolyversiError, match="two entrants are called late"):
        again.add(Entrant("late", "random"))
    store.close()


FAILING = """
import json, sys
for line in sys.stdin:
    print("no idea", file=sys.stderr, flush=True)
    print("hm", flush=True)
"""


def test_a_bot_that_keeps_failing_is_set_aside(tmp_path: Path) -> None:
    bot = tmp_path / "failing.py"
    bot.write_text(FAILING)
    store = ContestStore.open(str(tmp_path / "cup.db"))
    entrants = entrants_of([f"bot:{bot}", "random", "greedy", "mobility"])
    cup = Tournament.create(store, replace(QUICK, entrants=entrants, failures=3))
    cup.run(workers=local_workers(1))
    assert cup.is_over
    played = Counter(entrant for game in cup.played.values() for entrant in game.seating)
    assert played[0] == 3 and sum(played.values()) == 2 * (12 + 3)
    rows = {row.name: row for row in table_of(cup).rows}
    assert rows["failing"].is_set_aside and rows["failing"].score.faults == {"illegal move": 3}
    assert table_of(cup).rows[-1].name == "failing"
    assert all(rows[name].score.games == 8 for name in ("random", "greedy", "mobility"))
    failed = next(game for game in cup.played.values() if game.failures)
    written = failed.outputs[failed.seating.index(0)]
    assert "hm" in written and "no idea" in written
    assert Tournament(store, "cup").left == cup.left
    store.close()


class Stops(Watcher):
    """Stops a contest when its first games are over."""

    def __init__(self, contest: Tournament) -> None:
        self.contest = contest

    def over(self, games: Sequence[PlayedGame]) -> None:
        self.contest.stop()
        self.contest.stop()


@pytest.mark.parametrize("jobs", [1, 2])
def test_one_that_was_stopped_goes_on_as_if_it_had_not_been(tmp_path: Path, jobs: int) -> None:
    store = ContestStore.open(str(tmp_path / "cup.db"))
    cup = Tournament.create(store, replace(QUICK, failures=1))    # no batches: one game at a time
    cup.run(Stops(cup), local_workers(jobs))
    assert 1 <= len(cup.played) < 12 and store.played("cup") == list(cup.played.values())
    cup.stop()
    stopped = len(cup.played)
    cup.run(workers=local_workers(jobs))
    assert len(cup.played) == stopped    # it was told before it began
    cup.run(workers=local_workers(jobs))
    whole = Tournament.create(store, replace(QUICK, name="whole"))
    whole.run(workers=local_workers(1))
    assert cup.is_over and moves_of(cup) == moves_of(whole)
    store.close()


def test_two_programs_do_not_play_the_same_tournament(new_store: str) -> None:
    store, other = ContestStore.open(new_store), ContestStore.open(new_store)
    cup = Tournament.create(store, QUICK)
    with store.reserved("cup"), pytest.raises(StoreError, match="is being played by another program"):
        Tournament(other, "cup").run(workers=local_workers(1))
    cup.run(workers=local_workers(1))
    assert cup.is_over
    with pytest.raises(StoreError, match=r"already has a tournament 'cup'"):
        Tournament.create(other, QUICK)
    with pytest.raises(StoreError, match=r"there is no tournament 'cap' in .*; its tournaments: 'cup'"):
        Tournament(other, "cap")
    other.close()
    store.close()


def test_the_only_tournament_needs_no_name(tmp_path: Path) -> None:
    store = ContestStore.open(str(tmp_path / "cup.db"))
    with pytest.raises(PlayerError, match="there is no tournament in"):
        tournament_in(store, None)
    Tournament.create(store, QUICK)
    assert tournament_in(store, None).name == "cup"
    Tournament.create(store, replace(QUICK, name="cap"))
    with pytest.raises(PlayerError, match="holds cap, cup; choose one with --tournament"):
        tournament_in(store, None)
    store.close()


def test_a_game_that_is_kept_twice_counts_once(new_store: str) -> None:
    store = ContestStore.open(new_store)
    cup = Tournament.create(store, QUICK)
    game = play_game(task_of(cup.plan, cup.due()[0]))
    cup.keep([game])
    cup.keep([replace(game, points=(9.0, 9.0))])
    assert [one.points for one in Tournament(store, "cup").played.values()] == [game.points]
    store.close()


class KillsAWorker(Watcher):
    """Kills a process of the pool when the first games are over, as the system does when memory runs out."""

    def __init__(self) -> None:
        self.killed: list[int] = []
        self.lost_games: list[str] = []

    def over(self, games: Sequence[PlayedGame]) -> None:
        if not self.killed:
            process = multiprocessing.active_children()[0]
            assert process.pid is not None
            self.killed.append(process.pid)
            os.kill(process.pid, signal.SIGKILL)

    def lost(self, games: Sequence[Fixture]) -> None:
        self.lost_games += [game.id for game in games]


def test_a_worker_that_dies_loses_only_its_running_games(tmp_path: Path) -> None:
    store = ContestStore.open(str(tmp_path / "cup.db"))
    cup, watcher = Tournament.create(store, replace(QUICK, games=40, variants=("othello-6",))), KillsAWorker()
    cup.run(watcher, local_workers(2))
    assert cup.is_over and len(cup.played) == 120 and watcher.killed
    assert all(game in cup.played for game in watcher.lost_games)
    store.close()


@pytest.mark.slow
def test_killed_again_and_again_it_comes_out_whole(new_store: str) -> None:
    assert torture(new_store, kills=4, games=60, seed=1) > 0


FULL = """
import sys
from polyversi.contest.workers import local_workers
from polyversi.storage.contests import ContestStore
from polyversi.contest.tournament import tournament_in
from polyversi.games.errors import PolyversiError
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
store = ContestStore.open(sys.argv[1])
cup = tournament_in(store, None)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
try:
    cup.run(workers=local_workers(1))
except PolyversiError as error:
    print(error)
"""


def test_a_full_disk_is_said_and_nothing_is_corrupted(tmp_path: Path) -> None:
    path = tmp_path / "cup.db"
    store = ContestStore.open(str(path))
    Tournament.create(store, replace(QUICK, games=40))
    store.close()
    program = [sys.executable, "-c", FULL, str(path), "120000"]
    said = subprocess.run(program, capture_output=True, text=True, check=True)
    assert f"the store {path} cannot be used: " in said.stdout and said.stderr == ""
    store = ContestStore.open(str(path))
    cup = tournament_in(store, None)
    assert 0 < len(cup.played) < 120
    cup.run(workers=local_workers(1))
    assert cup.is_over and len(cup.played) == 120
    store.close()


def test_nothing_is_left_running(tmp_path: Path) -> None:
    store = ContestStore.open(str(tmp_path / "cup.db"))
    Tournament.create(store, QUICK).run(workers=local_workers(2))
    assert multiprocessing.active_children() == [] and threading.active_count() < 10
    store.close()


def a_result(game: Fixture, points: tuple[float, float], ended: float, failed: int = 0) -> PlayedGame:
    """That the game ended so, with a failure of a seat or of none."""
    verdict = Verdict("crash", failed) if failed else Verdict("win", 1)
    ranks = (1, 2) if points[0] > points[1] else (2, 1)
    return PlayedGame(game.id, game.meeting.id, game.meeting.round, game.variant, game.opening, game.seating,
                      "", (8, 8), ranks, points, verdict.kind, verdict, ended=ended)


def test_who_was_beaten_stays_beaten_when_the_winner_is_set_aside_too(tmp_path: Path) -> None:
    store = ContestStore.open(str(tmp_path / "cup.db"))
    entrants = entrants_of(["random"] * 4)
    cup = Tournament.create(store, replace(QUICK, entrants=entrants, format="knock-out", failures=1))
    for game in cup.due():
        if game.meeting.id == "1.1":    # the first entrant wins two games, then it fails
            points, failed = ((1.0, 0.0), 0) if game.seating[0] == 0 else ((0.0, 1.0), 0)
            if game.id == "1.1/3":
                points, failed = ((0.0, 1.0), 1) if game.seating[0] == 0 else ((1.0, 0.0), 2)
            if game.id != "1.1/4":
                cup.keep([a_result(game, points, 1, failed)])
        else:
            cup.keep([a_result(game, (1.0, 0.0) if game.seating[0] == 1 else (0.0, 1.0), 1)])
    assert set(cup.left) == {0} and {game.seating for game in cup.due()} == {(1, 3), (3, 1)}
    first = cup.due()[0]
    cup.keep([a_result(first, (0.0, 1.0), 1, first.seating.index(3) + 1)])
    assert set(cup.left) == {0, 3} and cup.is_over
    assert [meeting.entrants for meeting in cup.schedule.meetings] == [(0, 3), (1, 2), (1, 3)]
    store.close()


def test_a_swiss_round_that_was_drawn_otherwise_is_played_to_its_end(tmp_path: Path) -> None:
    """Whatever pairing says now, the games that are stored are games of their meetings, in their seats."""
    store = ContestStore.open(str(tmp_path / "cup.db"))
    cup = Tournament.create(store, replace(QUICK, entrants=entrants_of(["random"] * 6), format="swiss"))
    other = Meeting("1.2", 1, (5, 0))
    second = cup.schedule.games(other)[1]
    assert second.seating == (0, 5)
    cup.keep([a_result(second, (1.0, 0.0), 1)])
    again = Tournament(store, "cup")
    assert other in again.schedule.meetings
    assert [game.id for game in again.due() if game.meeting == other] == ["1.2/1", "1.2/3", "1.2/4"]
    assert sorted(one for meeting in again.schedule.meetings for one in meeting.entrants) == list(range(6))
    again.run(workers=local_workers(1))
    assert again.is_over and len({frozenset(meeting.entrants) for meeting in again.schedule.meetings}) == 12
    store.close()


def test_games_are_counted_in_the_same_order_again_whatever_the_clocks_say(tmp_path: Path) -> None:
    store = ContestStore.open(str(tmp_path / "cup.db"))
    cup = Tournament.create(store, replace(QUICK, failures=1))
    one, other, third = cup.due()[:3]
    for game, ended in ((one, 20.0), (other, 10.0), (third, 15.0)):
        cup.keep([a_result(game, (0.0, 1.0), ended, failed=1)])
    assert list(Tournament(store, "cup").played.values()) == list(cup.played.values())
    assert Tournament(store, "cup").left == cup.left
    store.close()


def test_what_others_did_meanwhile_is_not_played_or_lost(new_store: str) -> None:
    store, other = ContestStore.open(new_store), ContestStore.open(new_store)
    cup, same = Tournament.create(store, QUICK), Tournament(other, "cup")
    cup.run(workers=local_workers(1))
    cup.add(Entrant("late", "random"))
    begun: list[str] = []

    class Notes(Watcher):
        def begun(self, games: Sequence[Fixture]) -> None:
            begun.extend(game.id for game in games)

    same.add(Entrant("later", "random"))
    assert [entrant.name for entrant in same.plan.entrants[3:]] == ["late", "later"]
    same.run(Notes(), local_workers(1))
    assert len(begun) == 28 and not set(begun) & cup.played.keys()
    other.close()
    store.close()


@pytest.mark.parametrize("format", ["swiss", "ladder"])
def test_nobody_is_added_to_play_nothing(tmp_path: Path, format: str) -> None:
    store = ContestStore.open(str(tmp_path / "cup.db"))
    plan = replace(QUICK, format=format, format_options={"rounds": 2}, games=2)
    cup = Tournament.create(store, plan)
    cup.run(workers=local_workers(1))
    with pytest.raises(PolyversiError, match="late cannot join: the last round of 'cup' has started"):
        cup.add(Entrant("late", "random"))
    assert len(Tournament(store, "cup").plan.entrants) == 3
    store.close()


@pytest.mark.parametrize("is_moved", [True, False])
def test_a_store_that_was_moved_or_deleted_is_not_written_on(tmp_path: Path, is_moved: bool) -> None:
    path = tmp_path / "cup.db"
    store = ContestStore.open(str(path))
    cup = Tournament.create(store, QUICK)
    if is_moved:
        path.rename(tmp_path / "other.db")
    else:
        path.unlink()
    with pytest.raises(StoreError, match="was moved or deleted"):
        cup.keep([a_result(cup.due()[0], (1.0, 0.0), 1)])
    assert not cup.played
    store.close()
