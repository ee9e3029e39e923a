"""Schedules: which games of a contest are due, from a fixed list or from a tournament format."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from statistics import fmean

from polyversi.contest.fixtures import meeting_fixtures
from polyversi.contest.formats import Format, format_from
from polyversi.contest.model import Field, Fixture, Meeting, MeetingResult
from polyversi.contest.plan import Plan
from polyversi.storage.stored import PlayedGame


class Schedule:
    """A fixed list of games, for a match, a series or a round of a tuning.

    >>> from polyversi.contest.fixtures import match_fixtures
    >>> [fixture.id for fixture in Schedule(match_fixtures([[(0, 1)]], 3, "course")).due({"2"})]
    ['1', '3']
    """

    is_bracket: bool = False
    """Whether whoever loses is out."""
    scored_by: str = Format.scored_by
    """What people call the scores that rank; empty where there are none."""

    def __init__(self, fixtures: Sequence[Fixture] = ()) -> None:
        self.fixtures = fixtures
        self.left: dict[int, int] = {}
        """The first round without an entrant that failed too often."""
        self.version = 0
        """Changes whenever a played game changes which other games are due."""

    @cached_property
    def meetings(self) -> Sequence[Meeting]:
        """All meetings known so far, in the order in which they are played."""
        return list(dict.fromkeys(fixture.meeting for fixture in self.fixtures))

    def games(self, meeting: Meeting) -> list[Fixture]:
        """All games of a meeting."""
        return [fixture for fixture in self.fixtures if fixture.meeting == meeting]

    def ranking(self) -> list[int] | None:
        """The entrants, the best first; None if points decide."""
        return None

    def scores(self) -> list[float] | None:
        """By the index of an entrant what ranks it first of all; None where `ranking` has no scores."""
        return None

    def due(self, played: Collection[str]) -> list[Fixture]:
        """The games that can be played now, in order, without those of these ids."""
        return [fixture for fixture in self.fixtures if fixture.id not in played]

    def count(self, game: PlayedGame) -> None:
        """Takes a finished game into account."""


class FormatSchedule(Schedule):
    """The games of a tournament, whose format determines the meetings as results come in.

    >>> from polyversi.contest.plan import Plan, entrants_of
    >>> schedule = FormatSchedule(Plan("cup", entrants_of(["random", "greedy", "mobility"])))
    >>> [game.id for game in schedule.due(())]
    ['1.1/1', '1.1/2', '2.1/1', '2.1/2', '3.1/1', '3.1/2']
    """

    def __init__(self, plan: Plan, joined: Mapping[int, int] | None = None) -> None:
        super().__init__()
        self.plan = plan
        self.joined = dict(joined or {})
        """The first round of each entrant that joined later."""
        self.format = format_from(plan.format, plan.format_options)
        self.format.check(Field(len(plan.entrants), plan.seat_counts))
        self.is_bracket, self.scored_by = self.format.is_bracket, self.format.scored_by
        self._failures: Counter[int] = Counter()
        self._tallies: dict[str, _Tally] = {}
        self._begun: dict[str, tuple[int, ...]] = {}
        self._games: dict[Meeting, list[Fixture]] = {}

    @property
    def field(self) -> Field:
        """The tournament as its format sees it."""
        return Field(
            len(self.plan.entrants), self.plan.seat_counts, self.plan.seed, self._results(), self._begun,
            self.joined, self.left,
        )

    @cached_property
    def meetings(self) -> Sequence[Meeting]:
        return self.format.meetings(self.field)

    def games(self, meeting: Meeting) -> list[Fixture]:
        if meeting not in self._games:
            number = self.plan.games_of(len(meeting.entrants))
            self._games[meeting] = meeting_fixtures(meeting, self._seats, number, self.format.seats)
        return self._games[meeting]

    def ranking(self) -> list[int] | None:
        return self.format.ranking(self.field)

    def scores(self) -> list[float] | None:
        return self.format.scores(self.field)

    def due(self, played: Collection[str]) -> list[Fixture]:
        return [
            fixture
            for meeting in self.meetings
            if not self.left.keys() & set(meeting.entrants)
            for fixture in self.games(meeting)
            if fixture.id not in played
        ]

    def count(self, game: PlayedGame) -> None:
        if self.format.fills_seats and game.meeting not in self._begun:
            self._begun[game.meeting] = self._order(game)
        if self.left.keys() & set(game.seating):
            return    # it was in progress when an entrant was set aside
        seats = len(game.seating)
        tally = self._tallies.setdefault(game.meeting, _Tally(seats, self._games_with(seats)))
        sign = -1 if self.plan.games_played[game.variant].definition.goal == "fewest" else 1
        tally.missing -= 1
        last = self._rank_points[game.variant][-1]
        for entrant, points, stones in zip(game.seating, game.points, game.scores, strict=True):
            tally.points[entrant] += points - last
            tally.stones[entrant] += sign * stones
        is_changed = not tally.missing
        for failure in game.failures:
            entrant = game.seating[(failure.seat or 1) - 1]
            self._failures[entrant] += 1
            if self._failures[entrant] == self.plan.failures:
                self.left[entrant] = game.round + 1
                is_changed = True
        if is_changed:
            self.__dict__.pop("meetings", None)
            self.version += 1

    @cached_property
    def _seats(self) -> list[int]:
        """The number of seats of each variant."""
        return [game.seats for game in self.plan.games_played]

    @cached_property
    def _rank_points(self) -> list[tuple[float, ...]]:
        """The points of the ranks of each variant, if all are different."""
        return [game.definition.points(tuple(range(1, game.seats + 1))) for game in self.plan.games_played]

    def _games_with(self, seats: int) -> int:
        """The number of games of a meeting."""
        return self.plan.games_of(seats) * self._seats.count(seats)

    def _order(self, game: PlayedGame) -> tuple[int, ...]:
        """The entrants of a meeting in their order, from the seats in one of its games."""
        places = self.games(Meeting("", 1, tuple(range(len(game.seating)))))
        seating = places[int(game.id.rpartition("/")[2]) - 1].seating
        return tuple(game.seating[seating.index(place)] for place in range(len(seating)))

    def _results(self) -> dict[str, MeetingResult]:
        """The results of all finished meetings."""
        found = {}
        for meeting, tally in self._tallies.items():
            gone, points = self.left.keys() & tally.points.keys(), dict(tally.points)
            if tally.missing and not gone:
                continue
            if tally.missing:
                # Games that were not played are won by all who stayed longer.
                first = min(self.left[entrant] for entrant in gone)
                win = fmean(ranks[0] - ranks[-1] for ranks in self._rank_points if len(ranks) == tally.seats)
                for entrant in points:
                    points[entrant] += tally.missing * win if self.left.get(entrant) != first else 0
            found[meeting] = MeetingResult(points, tally.stones)
        return found


@dataclass
class _Tally:
    """The points and stones of a meeting so far."""

    seats: int
    missing: int
    """Games that have not been played yet."""
    points: defaultdict[int, float] = field(default_factory=lambda: defaultdict(float))
    stones: Counter[int] = field(default_factory=Counter)
    """More are better, also where the fewest stones win."""
