"""Schedules: which games of a contest are due, from a fixed list or from a tournament format."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from polyversi.contest.fixtures import meeting_fixtures
from polyversi.contest.formats import format_from
from polyversi.contest.model import Field, Fixture, Meeting, MeetingResult
from polyversi.contest.plan import Plan
from polyversi.storage.stored import PlayedGame


class Schedule:
    """A fixed list of games, for a match, a series or a round of a tuning.

    >>> from polyversi.contest.fixtures import match_fixtures
    >>> [fixture.id for fixture in Schedule(match_fixtures([[(0, 1)]], 3, "course")).due({"2"})]
    ['1', '3']
    """

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
        self.format.check(Field(len(plan.entrants), plan.games_played[0].seats))
        self._failures: Counter[int] = Counter()
        self._tallies: dict[str, _Tally] = {}
        self._begun: dict[str, tuple[int, ...]] = {}
        self._games: dict[Meeting, list[Fixture]] = {}

    @property
    def field(self) -> Field:
        """The tournament as its format sees it."""
        return Field(
            len(self.plan.entrants), self.plan.games_played[0].seats, self.plan.seed, self._results(),
            self._begun, self.joined, self.left,
        )

    @cached_property
    def meetings(self) -> Sequence[Meeting]:
        return self.format.meetings(self.field)

    def games(self, meeting: Meeting) -> list[Fixture]:
        if meeting not in self._games:
            variants, number = len(self.plan.variants), self.plan.games_a_meeting
            self._games[meeting] = meeting_fixtures(meeting, variants, number, self.format.seats)
        return self._games[meeting]

    def ranking(self) -> list[int] | None:
        return self.format.ranking(self.field)

    def due(self, played: Collection[str]) -> list[Fixture]:
        return [
            fixture
            for meeting in self.meetings
            if not self.left.keys() & set(meeting.entrants)
            for fixture in self.games(meeting)
            if fixture.id not in played
        ]

    def count(self, game: PlayedGame) -> None:
        if self.format.is_for_pairs and game.meeting not in self._begun:
            is_first = self._seatings[int(game.id.rpartition("/")[2]) - 1] == (0, 1)
            self._begun[game.meeting] = game.seating if is_first else game.seating[::-1]
        if self.left.keys() & set(game.seating):
            return    # it was in progress when an entrant was set aside
        tally = self._tallies.setdefault(game.meeting, _Tally())
        sign = -1 if self.plan.games_played[game.variant].definition.goal == "fewest" else 1
        tally.games += 1
        for entrant, points, stones in zip(game.seating, game.points, game.scores, strict=True):
            tally.points[entrant] += points
            tally.stones[entrant] += sign * stones
        is_changed = tally.games == self._games_of_meeting
        for failure in game.failures:
            entrant = game.seating[(failure.seat or 1) - 1]
            self._failures[entrant] += 1
            if self._failures[entrant] == self.plan.failures:
                self.left[entrant] = game.round + 1
                is_changed = True
        if is_changed:
            self.__dict__.pop("meetings", None)
            self.version += 1

    @property
    def _games_of_meeting(self) -> int:
        return self.plan.games_a_meeting * len(self.plan.variants)

    @cached_property
    def _seatings(self) -> list[tuple[int, ...]]:
        """The seating of each game of a meeting of two."""
        return [fixture.seating for fixture in self.games(Meeting("", 1, (0, 1)))]

    def _results(self) -> dict[str, MeetingResult]:
        """The results of all finished meetings."""
        found = {}
        for meeting, tally in self._tallies.items():
            gone, points = self.left.keys() & tally.points.keys(), dict(tally.points)
            missing = self._games_of_meeting - tally.games
            if missing and not gone:
                continue
            if missing and len(tally.points) == 2:
                # Games that were not played are won by the one who stayed longer.
                first = min(self.left[entrant] for entrant in gone)
                for entrant in points:
                    points[entrant] += missing if self.left.get(entrant) != first else 0
            found[meeting] = MeetingResult(points, tally.stones)
        return found


@dataclass
class _Tally:
    """The points and stones of a meeting so far."""

    games: int = 0
    points: defaultdict[int, float] = field(default_factory=lambda: defaultdict(float))
    stones: Counter[int] = field(default_factory=Counter)
    """More are better, also where the fewest stones win."""
