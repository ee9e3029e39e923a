"""What reports and pages say of a tournament besides its table: its settings, its rounds, its variants."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from polyversi.contest.model import Meeting
from polyversi.contest.plan import Plan
from polyversi.contest.standings import Row
from polyversi.contest.tournament import Tournament
from polyversi.drawing.words import counted
from polyversi.storage.stored import PlayedGame


def facts_of(tournament: Tournament) -> dict[str, str]:
    """The settings of the tournament, by name."""
    plan = tournament.plan
    options = ", ".join(f"{name} {value}" for name, value in sorted(plan.format_options.items()))
    return {
        "Variants": ", ".join(plan.variants),
        "Format": plan.format + (f" ({options})" if options else ""),
        "Games of a meeting": _games(plan),
        "Openings": str(plan.openings),
        "Limit": plan.limit_text,
        "Adjudicated at": counted(plan.adjudicate, "empty cell") if plan.adjudicate else "",
        "Seed": str(plan.seed),
        "Set aside after": counted(plan.failures, "failure") if plan.failures else "",
        "Bots": "run without a sandbox" if plan.trust else "",
        "Anchors": ", ".join(f"{name} {value:+g}" for name, value in plan.anchors.items()),
    }


def variants_of(tournament: Tournament, rows: Sequence[Row]) -> list[dict[str, Any]]:
    """For each variant its seats and games, the score of each entrant, and its own table, the best first."""
    standings, found = tournament.standings, []
    for number, game in enumerate(tournament.plan.games_played):
        scores = [(row.name, standings.on(row.entrant, number)) for row in rows]
        played = [(name, score) for name, score in scores if score.games]
        found.append({
            "spec": tournament.plan.variants[number], "seats": game.seats,
            "games": standings.games_on[number],
            "scores": [score for _, score in scores],
            "table": sorted(played, key=lambda one: (one[1].mean, one[1].stones), reverse=True),
        })
    return found


def _games(plan: Plan) -> str:
    """How many games a meeting has, by the number of seats if that matters."""
    numbers = {seats: plan.games_of(seats) for seats in plan.seat_counts}
    if len(set(numbers.values())) == 1:
        return f"{numbers.popitem()[1]} on each variant"
    return ", ".join(f"{games} on each variant with {seats} seats" for seats, games in numbers.items())


def rounds_of(tournament: Tournament) -> list[tuple[int, list[dict[str, Any]]]]:
    """Every meeting by its round."""
    games: defaultdict[str, list[PlayedGame]] = defaultdict(list)
    for game in tournament.played.values():
        games[game.meeting].append(game)
    last: dict[int, int] = {}
    for meeting in tournament.schedule.meetings if tournament.schedule.is_bracket else ():
        last.update(dict.fromkeys(meeting.entrants, meeting.round))
    if last and tournament.is_over and (ranking := tournament.schedule.ranking()):
        last[ranking[0]] += 1    # the winner goes on, too
    rounds: defaultdict[int, list[dict[str, Any]]] = defaultdict(list)
    for meeting in tournament.schedule.meetings:
        rounds[meeting.round].append(_meeting(tournament, meeting, games[meeting.id], last))
    return sorted(rounds.items())


def _meeting(
    tournament: Tournament, meeting: Meeting, played: Sequence[PlayedGame], last: Mapping[int, int]
) -> dict[str, Any]:
    """One meeting; the best have the most points, or in a knock-out went on: their last round is later."""
    entrants = list(dict.fromkeys(meeting.entrants))
    points: defaultdict[int, float] = defaultdict(float)
    for game in played:
        for entrant, brought in zip(game.seating, game.points, strict=True):
            points[entrant] += brought
    missing = len(tournament.schedule.games(meeting)) - len(played)
    best = {entrant for entrant in entrants if 0 < points[entrant] == max(points.values())}
    if last and not missing:
        best = {entrant for entrant in entrants if last[entrant] > meeting.round}
    return {
        "id": meeting.id,
        "entrants": entrants,
        "sides": [(tournament.plan.entrants[one].name, points[one], one in best) for one in entrants],
        "games": sorted((game.id for game in played), key=lambda id: (len(id), id)),
        "missing": missing,
    }
