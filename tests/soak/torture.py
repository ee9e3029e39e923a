"""A tournament that is killed again and again ends like one that was never killed.

    python -m tests.soak.torture KILLS [postgresql]
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from polyversi.contest.openings import Openings
from polyversi.contest.plan import Plan, entrants_of
from polyversi.contest.playing import start_of
from polyversi.contest.tournament import Tournament
from polyversi.games.limit import NO_LIMIT
from polyversi.storage.contests import ContestStore
from tests.testing.postgres import Postgres

LONGEST = 60
"""Seconds after which a run has hung."""


def plan_of(name: str, games: int) -> Plan:
    """Four quick entrants, each against each."""
    entrants = entrants_of(["random", "greedy", "mobility", "random:seed=5"])
    return Plan(
        name, entrants, ("othello-6",), games=games, openings=Openings("random", 4), limit=NO_LIMIT, seed=11
    )


def command(store: str, name: str) -> list[str]:
    """The command that resumes the tournament."""
    program = [sys.executable, "-m", "polyversi.cli.main", "tournament", "resume"]
    return [*program, store, "--tournament", name, "--jobs", "2"]


def torture(where: str, kills: int, games: int, seed: int = 0, name: str = "torture") -> int:
    """Kills a tournament at random moments, lets it end, and checks it; counts the kills in time."""
    chance, in_time = random.Random(seed), 0
    store = ContestStore.open(where)
    Tournament.create(store, plan_of(name, games))
    for _ in range(kills):
        in_time += _killed(command(where, name), chance.uniform(0.2, 2.5))
        _check(store, name, is_whole=False)
    subprocess.run(command(where, name), check=True, capture_output=True)
    _check(store, name, is_whole=True)
    store.close()
    return in_time


def _killed(words: list[str], seconds: float) -> bool:
    """Runs a command and kills it after this many seconds; returns whether it was still running."""
    pipe = subprocess.PIPE
    with subprocess.Popen(words, start_new_session=True, stdout=pipe, stderr=subprocess.STDOUT) as process:
        try:
            output, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()    # its workers see to it that they do not outlive it
            process.communicate(timeout=LONGEST)
            return True
        assert process.returncode == 0, output.decode()
        return False


def _check(store: ContestStore, name: str, *, is_whole: bool) -> None:
    """Checks that every stored game is in the schedule, with its seats and opening; at the end, all are."""
    tournament = Tournament(store, name)
    schedule = tournament.schedule
    due = {game.id: game for meeting in schedule.meetings for game in schedule.games(meeting)}
    assert not is_whole or tournament.played.keys() == due.keys()
    for played in tournament.played.values():
        game, record = due[played.id], played.record
        assert record.start == start_of(tournament.plan, game)
        assert played.seating == game.seating
        assert record.players == tuple(tournament.plan.entrants[entrant].name for entrant in game.seating)


def main() -> None:
    """Tortures a tournament in a file, or with the word postgresql in a new PostgreSQL server."""
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        where = str(Path(folder) / "torture.db")
        if "postgresql" in sys.argv:
            server = Postgres()
            stack.callback(server.remove)
            where = server.database()
        in_time = torture(where, kills, games=5 * kills)
        print(f"{where}: killed {in_time} of {kills} times while playing; all games are there, none twice")


if __name__ == "__main__":
    main()
