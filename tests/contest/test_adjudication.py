"""Adjudication: games end with the proved result of perfect play, and stores treat them like any others."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import polyversi as pv
from polyversi.contest.export import export
from polyversi.contest.match import Match
from polyversi.contest.plan import Plan, PlanError, entrants_of
from polyversi.contest.tournament import Tournament
from polyversi.contest.workers import local_workers
from polyversi.engines.solver import Solver
from polyversi.games.errors import RecordError
from polyversi.games.tiles import EMPTY
from polyversi.players import NO_LIMIT
from polyversi.records import Record, read
from polyversi.storage.contests import ContestStore
from tests.testing.marks import slow

MATCH = Match(("random", "greedy"), ("othello-6", "anti-6"), games=4, openings=4, seed=5, adjudicate=10)


def test_the_result_is_that_of_perfect_play() -> None:
    contest = MATCH.contest()
    contest.run()
    for game in contest.played.values():
        final = game.record.final
        assert not final.is_over and 0 < final.tiles.count(EMPTY) <= 10
        assert next(state for state in game.record.states() if state.tiles.count(EMPTY) <= 10) == final
        lead = game.scores[final.turn - 1] - game.scores[2 - final.turn]
        sign = 1 if final.game.definition.goal == "most" else -1
        assert sign * lead == Solver(final.game).solve(final).value
        assert game.ranks[final.turn - 1] == (1 if sign * lead >= 0 else 2)
        assert sum(game.points) == 1 and game.reason == "adjudicated" and not game.failures
        score = "–".join(map(str, game.scores))
        cells = final.tiles.count(EMPTY)
        assert game.ending == f"adjudicated (perfect play ends {score}; {cells} cells were empty)"
    assert sum(score.points for score in contest.standings.scores) == 8


@pytest.mark.parametrize("name", ["games.jsonl", slow("games.db")])
def test_a_stored_match_goes_on_with_the_same_results(tmp_path: Path, name: str) -> None:
    out, alternate = tmp_path / name, replace(MATCH, seats="alternate")
    replace(alternate, games=2).run(out=out)
    resumed = alternate.contest(out, local_workers(2))
    resumed.run()
    fresh = alternate.contest()
    fresh.run()
    for contest in (resumed, alternate.contest(out)):
        found = [(game.id, game.scores, game.ranks, game.points, game.verdict)
                 for game in sorted(contest.played.values(), key=lambda game: int(game.id))]
        assert found == [(game.id, game.scores, game.ranks, game.points, game.verdict)
                         for game in fresh.played.values()]
    for other in (0, 9):
        with pytest.raises(RecordError, match="choose another file"):
            replace(alternate, adjudicate=other).run(out=out)


def test_a_tournament_tells_of_it_everywhere(tmp_path: Path) -> None:
    entrants = entrants_of(["random", "greedy", "mobility"])
    plan = Plan("cup", entrants, ("othello-6",), limit=NO_LIMIT, adjudicate=8)
    store = ContestStore.open(str(tmp_path / "cup.db"))
    cup = Tournament.create(store, plan)
    cup.run(workers=local_workers(1))
    files = [tmp_path / name for name in ("cup.html", "games.jsonl", "games.ggf")]
    for file in files:
        export(cup, file)
    report = files[0].read_text()
    assert "adjudicated (perfect play ends" in report and "<dd>8 empty cells</dd>" in report
    lines, ggf = ([item for item in read(file) if isinstance(item, Record)] for file in files[1:])
    for game, line, other in zip(cup.played.values(), lines, ggf, strict=True):
        assert line.outcome is not None and line.outcome.scores == game.scores
        assert other.outcome is not None and other.outcome.margin == game.scores[0] - game.scores[1]
    again = Tournament(store, "cup")
    assert again.is_over and [score.points for score in again.standings.scores] == [
        score.points for score in cup.standings.scores]
    store.close()


@pytest.mark.parametrize(("variant", "cells", "words"), [
    ("othello", 21, "adjudicate must be a number of empty cells from 0 to 20"),
    ("rolit", 14, "rolit cannot be adjudicated: the solver supports games of two seats"),
    ("torus", 14, "torus cannot be adjudicated"),
    ("othello-4", 12, "othello-4 starts with 12 empty cells"),
])
def test_what_cannot_be_adjudicated(variant: str, cells: int, words: str) -> None:
    with pytest.raises(PlanError, match=words):
        Match(("random",) * pv.game(variant).seats, variant, games=1, adjudicate=cells).run()


def test_plans_of_older_stores_are_read() -> None:
    plan = Plan("cup", entrants_of(["random", "greedy"]))
    data = plan.to_json()
    for key in ("adjudicate", "stall_timeout"):
        del data[key]
    del data["openings"]["in_order"]
    assert Plan.from_json(data) == plan
