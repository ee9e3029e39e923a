"""Standings: what the games of a match have brought each player, whatever seat it had."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean, stdev
from typing import TYPE_CHECKING

from polyversi.games.result import Result, shared_point
from polyversi.stats.elo import Elo, measure

if TYPE_CHECKING:
    from polyversi.contest.schedule import Fixture
    from polyversi.records.record import Record


def result_of(record: Record) -> Result:
    """How a recorded game ended: on the board, or as its outcome says.

    >>> import polyversi as pv
    >>> from polyversi.records import Outcome, Record
    >>> result_of(Record(pv.game("othello").start(), outcome=Outcome("resigned", ranks=(2, 1)))).winner
    2
    """
    outcome = record.outcome
    if outcome is None or not outcome.ranks:
        result = record.result
        assert result is not None, "a finished game has a result"
        return result
    points = record.game.definition.points(outcome.ranks, record.final.out)
    return Result(outcome.reason, record.final.scores, outcome.ranks, points)


@dataclass
class Score:
    """What one player has so far."""

    games: int = 0
    wins: int = 0
    draws: int = 0
    points: float = 0.0
    stones: int = 0
    """Gathered over all games."""
    faults: Counter[str] = field(default_factory=Counter)
    """Why it lost games, or was taken out of them, without being beaten on the board."""

    @property
    def losses(self) -> int:
        """Games that others won."""
        return self.games - self.wins - self.draws

    @property
    def mean(self) -> float:
        """Points a game."""
        return self.points / max(1, self.games)

    def credit(self, held: Sequence[int], result: Result, faults: Mapping[int, str]) -> None:
        """Counts a game in which it held these seats, from 0; faults by the seats too.

        >>> score = Score()
        >>> score.credit([0], Result("board full", (40, 24), (1, 2), (1.0, 0.0)), {})
        >>> score.wins, score.stones
        (1, 40)
        """
        first = [seat - 1 for seat in result.winners]
        self.games += 1
        self.wins += all(seat in held for seat in first)
        self.draws += any(seat in held for seat in first) and not all(seat in held for seat in first)
        self.points += sum(result.points[seat] for seat in held)
        self.stones += sum(result.scores[seat] for seat in held)
        self.faults.update(faults[seat] for seat in held if seat in faults)


@dataclass(frozen=True)
class Mean:
    """What a player has a game, with the standard error of that: two times out of three it is off by less.

    >>> str(Mean(14.25, 0.8)), str(Mean(25.0, None))
    ('14.25 ± 0.80', '25.00')
    """

    value: float
    error: float | None
    """None while there is nothing to tell it from."""

    def __str__(self) -> str:
        return f"{self.value:.2f}" + (f" ± {self.error:.2f}" if self.error is not None else "")


class Standings:
    """The scores of all players, of each against each, and of each on every variant.

    >>> import polyversi as pv
    >>> from polyversi.contest.schedule import schedule
    >>> from polyversi.records import Record
    >>> standings = Standings(["Ann", "Bob"])
    >>> full = pv.game("othello-4").position("X" * 10 + "O" * 6 + " X")
    >>> for fixture in schedule([(0, 1)], games=2):
    ...     standings.add(fixture, Record(full))
    >>> [(score.wins, score.stones) for score in standings.scores], standings.leader
    ([(1, 16), (1, 16)], None)
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(names)
        self.scores = [Score() for _ in names]
        self.games = 0
        self.is_by_rank = False
        """Whether there were games in which more counts than winning: Reversi XT, or more than two seats."""
        self.variants: dict[int, str] = {}
        """What was played, by its index in the match."""
        self._each: dict[tuple[int, int], Score] = {}
        self._on: dict[tuple[int, int], Score] = {}
        self._shares: dict[int, dict[tuple[object, ...], list[float]]] = {}
        self._points: dict[int, dict[tuple[object, ...], list[float]]] = {}
        self._different: set[tuple[object, ...]] = set()

    @property
    def different(self) -> int:
        """How many of the games differ in their seats, their opening or their moves."""
        return len(self._different)

    @property
    def leader(self) -> int | None:
        """The index of the player with the most points a game, or None when several have as many."""
        first, second = self.ranking()[:2]
        return first if self.scores[first].mean > self.scores[second].mean else None

    def ranking(self) -> list[int]:
        """The players by their points a game, the best first.

        >>> Standings(["Ann", "Bob"]).ranking()
        [0, 1]
        """
        return sorted(range(len(self.scores)), key=lambda player: self.scores[player].mean, reverse=True)

    def add(self, fixture: Fixture, record: Record) -> None:
        """Counts a finished game."""
        result = result_of(record)
        faults = _faults(record, result)
        self.games += 1
        self.is_by_rank |= record.game.definition.scoring == "ranks" or len(fixture.seating) > 2
        self.variants.setdefault(fixture.variant, record.game.spec)
        self._different.add((fixture.variant, fixture.seating, record.start.text, record.moves))
        begun = (fixture.variant, fixture.meeting, fixture.opening)
        players = sorted(set(fixture.seating))
        for player in players:
            held = [seat for seat, who in enumerate(fixture.seating) if who == player]
            self.scores[player].credit(held, result, faults)
            self._on.setdefault((player, fixture.variant), Score()).credit(held, result, {})
            points = sum(result.points[seat] for seat in held)
            self._points.setdefault(player, {}).setdefault(begun, []).append(points)
            for other in players:
                if other != player:
                    self._each.setdefault((player, other), Score()).credit(held, result, {})
            if len(players) == 2 and 2 * len(held) == len(fixture.seating):
                share = sum(shared_point(result.ranks)[seat] for seat in held)
                self._shares.setdefault(player, {}).setdefault(begun, []).append(share)

    def against(self, player: int, other: int) -> Score:
        """What a player has from its games with another."""
        return self._each.get((player, other), Score())

    def on(self, player: int, variant: int) -> Score:
        """What a player has from its games of one of the variants."""
        return self._on.get((player, variant), Score())

    def points_a_game(self, player: int) -> Mean | None:
        """The mean of a player's points, or None before its first game.

        Games with the same opening and changed seats are one witness: what luck they share shows in all.
        """
        openings = [fmean(alike) for alike in self._points.get(player, {}).values()]
        if not openings:
            return None
        error = stdev(openings) / math.sqrt(len(openings)) if len(openings) > 1 else None
        return Mean(self.scores[player].mean, error)

    def elo(self, player: int) -> Elo | None:
        """How much stronger a player is than those it met, with its error.

        None before any game, and where more than two players meet: then a half is not what one expects.
        """
        openings = list(self._shares.get(player, {}).values())
        if not openings:
            return None
        games = [share for alike in openings for share in alike]
        # Games that all went the same way are so many witnesses, not only half as many pairs.
        return measure(games if len(set(games)) == 1 else [fmean(alike) for alike in openings])


def _faults(record: Record, result: Result) -> dict[int, str]:
    """What a seat lost by, other than on the board; seats from 0."""
    faults = {seat - 1: "disqualified" for _, seat in record.disqualified}
    if record.outcome is not None and record.outcome.reason:
        faults[result.ranks.index(max(result.ranks))] = record.outcome.reason
    return faults


class Pairs:
    """How often the first of two players had 0, ½, 1, 1½ and 2 points of two games with the same opening.

    >>> import polyversi as pv
    >>> from polyversi.contest.schedule import schedule
    >>> from polyversi.records import Record
    >>> pairs, won = Pairs(), Record(pv.game("othello-4").position("X" * 10 + "O" * 6 + " X"))
    >>> for fixture in schedule([(0, 1)], 5, "alternate"):
    ...     pairs.add(fixture, won)    # by whoever begins; the fifth game has no other yet
    >>> pairs.counts
    [0, 0, 2, 0, 0]
    """

    def __init__(self) -> None:
        self.counts = [0] * 5
        self._halves: dict[tuple[int, int], float] = {}

    def add(self, fixture: Fixture, record: Record) -> None:
        """Counts a finished game, once the other one of its pair is there too."""
        begun = fixture.variant, fixture.opening
        score = shared_point(result_of(record).ranks)[fixture.seating.index(0)]
        if begun in self._halves:
            self.counts[round(2 * (self._halves.pop(begun) + score))] += 1
        else:
            self._halves[begun] = score
