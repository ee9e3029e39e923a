"""A tournament as pages show it: parts of plain data for JSON, each as small as it can be."""

from __future__ import annotations

from collections.abc import Callable
from statistics import fmean
from typing import Any

from polyversi.contest.contents import facts_of, rounds_of, variants_of
from polyversi.contest.export import files_of
from polyversi.contest.redaction import folders_left_out, shown_spec
from polyversi.contest.report.graph import rating_lines
from polyversi.contest.standings import Row, Score, table_of
from polyversi.contest.tournament import Tournament

MAX_CROSSED = 150
"""The most entrants for a cross table; a larger one would be unreadable."""
RECENT = 50
"""The last games by which the time that is left is estimated."""
SAMPLE = 10
"""The last games whose own time is looked at."""

Json = dict[str, Any]


def table_part(tournament: Tournament) -> Json:
    """The table, what is played, and how far it has come.

    >>> import tempfile
    >>> from polyversi.contest.plan import Plan, entrants_of
    >>> from polyversi.storage.contests import ContestStore
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     store = ContestStore.open(f"{folder}/cup.db")
    ...     cup = Tournament.create(store, Plan("cup", entrants_of(["random", "greedy"])))
    ...     part = table_part(cup)
    ...     store.close()
    >>> part["played"], part["expected"], [row["name"] for row in part["rows"]]
    (0, 2, ['random', 'greedy'])
    """
    plan, table = tournament.plan, table_of(tournament)
    return {
        "name": tournament.name, "format": plan.format, "variants": plan.variants,
        "facts": facts_of(tournament), "is_over": tournament.is_over,
        "played": len(tournament.played), "expected": tournament.expected,
        "seconds_left": _seconds_left(tournament), "last_end": tournament.last_end,
        "usual_seconds": _usual_seconds(tournament), "files": files_of(plan.games_played),
        "scored_by": table.scored_by, "rows": [_row(tournament, row) for row in table.rows],
        "broken": [{"name": bot.name, "reason": folders_left_out(plan)(bot.reason)} for bot in table.broken],
    }


def _row(tournament: Tournament, row: Row) -> Json:
    rating = row.rating
    return {
        "entrant": row.entrant, "name": row.name, "is_set_aside": row.is_set_aside,
        "spec": shown_spec(tournament.plan.entrants[row.entrant].spec),
        "rating": rating and [round(value, 1) for value in (rating.value, rating.low, rating.high)],
        "ranked_by": None if row.ranked_by is None else round(row.ranked_by, 3),
        "faults": dict(row.score.faults), **_score(row.score),
    }


def _score(score: Score) -> Json:
    return {"games": score.games, "won": score.wins, "drawn": score.draws, "lost": score.losses,
            "points": round(score.points, 3), "mean": round(score.mean, 3), "stones": score.stones}


def _seconds_left(tournament: Tournament) -> float | None:
    """About how long the games that are known will take, from the pace of the last ones."""
    ends = [game.ended for game in list(tournament.played.values())[-RECENT:]]
    due = len(tournament.due())
    if len(ends) < 2 or not due:
        return None
    return due * (ends[-1] - ends[0]) / (len(ends) - 1)


def _usual_seconds(tournament: Tournament) -> float | None:
    """How long the last games took their players, on average."""
    last = list(tournament.played.values())[-SAMPLE:]
    times = [sum(note.seconds or 0.0 for note in game.record.notes) for game in last]
    return fmean(times) if times else None


def cross_part(tournament: Tournament) -> Json:
    """The score of each against each, in the order of the table: entrant, opponent, points and games."""
    rows = table_of(tournament, is_rated=False).rows
    each = tournament.standings.each if len(rows) <= MAX_CROSSED else {}
    return {
        "rows": [{"entrant": row.entrant, "name": row.name} for row in rows],
        "each": [[one, other, round(score.points, 3), score.games, score.wins, score.draws]
                 for (one, other), score in each.items()],
        "is_too_large": len(rows) > MAX_CROSSED,
    }


def rounds_part(tournament: Tournament) -> Json:
    """All meetings by their rounds; in a knock-out they are a bracket."""
    return {
        "is_bracket": tournament.schedule.is_bracket,
        "names": [entrant.name for entrant in tournament.plan.entrants],
        "rounds": [{"round": round, "meetings": [{
            "id": meeting["id"], "entrants": meeting["entrants"],
            "points": [round_points(points) for _, points, _ in meeting["sides"]],
            "best": [is_best for _, _, is_best in meeting["sides"]],
            "games": meeting["games"], "missing": meeting["missing"],
        } for meeting in meetings]} for round, meetings in rounds_of(tournament)],
    }


def round_points(points: float) -> float:
    """Points without the noise of their sums.

    >>> round_points(0.1 + 0.2)
    0.3
    """
    return round(points, 3)


def variants_part(tournament: Tournament) -> Json:
    """The table of each variant or map, if there are several; the best first."""
    rows = table_of(tournament, is_rated=False).rows
    return {"variants": [
        {"spec": one["spec"], "seats": one["seats"], "games": one["games"],
         "rows": [{"name": name, **_score(score)} for name, score in one["table"]]}
        for one in variants_of(tournament, rows)
    ]}


def graph_part(tournament: Tournament) -> Json:
    """The ratings over the games, the best line first: after how many games, and how much."""
    left = tournament.left.keys()
    games = [game for game in tournament.played.values() if not left & set(game.seating)]
    lines = rating_lines(tournament, games)
    best = sorted(lines, key=lambda entrant: -lines[entrant][-1][1])
    return {"games": len(games), "lines": [
        {"entrant": entrant, "name": tournament.plan.entrants[entrant].name,
         "points": [[end, round(value, 1)] for end, value in lines[entrant]]}
        for entrant in best
    ]}


PARTS: dict[str, Callable[[Tournament], Json]] = {
    "table": table_part, "cross": cross_part, "rounds": rounds_part, "variants": variants_part,
    "graph": graph_part,
}
"""The parts by their names in addresses."""
