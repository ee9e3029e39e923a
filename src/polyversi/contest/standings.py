"""Standings: the scores of a contest, and the table of a tournament with ratings."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from statistics import fmean, stdev
from typing import TYPE_CHECKING

from polyversi.games.result import Result, shared_point
from polyversi.stats.elo import Elo, measure
from polyversi.stats.ratings import Rating, bradley_terry, sample_of

if TYPE_CHECKING:
    from polyversi.contest.plan import BrokenBot
    from polyversi.contest.tournament import Tournament
    from polyversi.records.record import Record
    from polyversi.storage.stored import PlayedGame


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
    return Result(outcome.reason, outcome.scores or record.final.scores, outcome.ranks, points)


@dataclass
class Score:
    """The score of one player."""

    games: int = 0
    wins: int = 0
    draws: int = 0
    points: float = 0.0
    """The sum over all games and all seats that it had in them."""
    stones: int = 0
    """The sum over all games."""
    per_seat: float = 0.0
    """The sum over all games of the points of one of its seats, on average."""
    resigned: int = 0
    """Games that it resigned."""
    faults: Counter[str] = field(default_factory=Counter)
    """Its failures by kind."""

    @property
    def losses(self) -> int:
        """Games that others won."""
        return self.games - self.wins - self.draws

    @property
    def mean(self) -> float:
        """Points per game and seat, so that those with one seat and those with several compare.

        >>> Score(games=2, points=60.0, per_seat=20.0).mean
        10.0
        """
        return self.per_seat / max(1, self.games)

    def credit(self, game: PlayedGame, entrant: int) -> None:
        """Adds a game of an entrant, with all its seats."""
        held = {seat for seat, who in enumerate(game.seating) if who == entrant}
        first = {seat for seat, rank in enumerate(game.ranks) if rank == 1}
        self.games += 1
        self.wins += bool(first) and first <= held    # in Reversi XT everybody can be lost at once
        self.draws += bool(first & held) and not first <= held
        points = [game.points[seat] for seat in held]
        self.points += sum(points)
        self.per_seat += fmean(points)
        self.stones += sum(game.scores[seat] for seat in held)
        self.resigned += game.verdict.kind == "resigned" and (game.verdict.seat or 1) - 1 in held
        self.faults.update(failure.kind for failure in game.failures if (failure.seat or 1) - 1 in held)

    @property
    def troubles(self) -> str:
        """The failures in words.

        >>> Score(faults=Counter({"timeout": 2, "crash": 1})).troubles
        '1 crash, 2 timeout'
        """
        return ", ".join(f"{count} {what}" for what, count in sorted(self.faults.items()))


@dataclass(frozen=True)
class Mean:
    """The mean points per game and seat, with its standard error.

    >>> str(Mean(14.25, 0.8)), str(Mean(25.0, None))
    ('14.25 ± 0.80', '25.00')
    """

    value: float
    error: float | None
    """None with a single sample."""

    def __str__(self) -> str:
        return f"{self.value:.2f}" + (f" ± {self.error:.2f}" if self.error is not None else "")


class Standings:
    """The scores of all entrants, of each against each, and of each on every variant.

    >>> from polyversi.contest.match import Match
    >>> standings = Match(("random", "greedy"), variant="othello-4", games=4).run()
    >>> [(score.wins, score.stones) for score in standings.scores], standings.leader
    ([(3, 41), (1, 21)], 0)
    """

    def __init__(self, names: Sequence[str], variants: Sequence[str] = ()) -> None:
        self.names = tuple(names)
        self.variants = tuple(variants)
        """The variants of the contest."""
        self.scores = [Score() for _ in names]
        self.games = 0
        self.is_by_rank = False
        """Whether ranks count and not only wins: in Reversi XT, and with more than two seats."""
        self.each: defaultdict[tuple[int, int], Score] = defaultdict(Score)
        """By the indices of two entrants: the score of the first against the second."""
        self.each_on: defaultdict[tuple[int, int], Score] = defaultdict(Score)
        """By the indices of an entrant and a variant: its score there."""
        self.games_on: Counter[int] = Counter()
        """By the index of a variant: its games."""
        self._shares: list[defaultdict[object, list[float]]] = [defaultdict(list) for _ in names]
        self._points: list[defaultdict[object, list[float]]] = [defaultdict(list) for _ in names]

    @property
    def leader(self) -> int | None:
        """The index of the player with the most points per game, or None after a tie."""
        first, second = self.ranking()[:2]
        return first if self.scores[first].mean > self.scores[second].mean else None

    def ranking(self) -> list[int]:
        """The players by their points per game, the best first.

        >>> Standings(["Ann", "Bob"]).ranking()
        [0, 1]
        """
        return sorted(range(len(self.scores)), key=lambda player: self.scores[player].mean, reverse=True)

    def add(self, game: PlayedGame, aside: Collection[int] = ()) -> None:
        """Adds a finished game; games with an entrant that was set `aside` do not count for the others."""
        players = sorted(set(game.seating))
        for player, other in permutations(players, 2):
            self.each[player, other].credit(game, player)
        gone = [player for player in players if player in aside]
        for player in gone or players:
            self.scores[player].credit(game, player)
        if gone:
            return
        self.games += 1
        self.games_on[game.variant] += 1
        shares, begun = shared_point(game.ranks), (game.variant, game.meeting, game.opening)
        self.is_by_rank |= len(game.seating) > 2 or game.points != shares
        for player in players:
            held = [seat for seat, who in enumerate(game.seating) if who == player]
            self.each_on[player, game.variant].credit(game, player)
            self._points[player][begun].append(fmean(game.points[seat] for seat in held))
            if len(players) == 2 and 2 * len(held) == len(game.seating):
                self._shares[player][begun].append(sum(shares[seat] for seat in held))

    def against(self, player: int, other: int) -> Score:
        """The score of a player against another."""
        return self.each.get((player, other), Score())

    def on(self, player: int, variant: int) -> Score:
        """The score of a player on one of the variants."""
        return self.each_on.get((player, variant), Score())

    def points_a_game(self, player: int) -> Mean | None:
        """The mean of a player's points per game and seat, or None before its first game.

        Games with the same opening and seats changed are one sample, because they share their luck.
        """
        openings = [fmean(alike) for alike in self._points[player].values()]
        if not openings:
            return None
        error = stdev(openings) / math.sqrt(len(openings)) if len(openings) > 1 else None
        return Mean(self.scores[player].mean, error)

    def elo(self, player: int) -> Elo | None:
        """How much stronger a player is than its opponents, with an interval.

        None before the first game, and in games of more than two players, where the expected score is not ½.
        """
        openings = list(self._shares[player].values())
        if not openings:
            return None
        games = [share for alike in openings for share in alike]
        # Without any other result, every game is a sample, not only every pair.
        return measure(games if len(set(games)) == 1 else [fmean(alike) for alike in openings])


def different_games(games: Collection[PlayedGame]) -> int:
    """How many of the games differ in their seats, their opening or their moves."""
    return len({(game.variant, game.seating, game.record.start.text, game.record.moves) for game in games})


class Pairs:
    """How often the first of two players scored 0, ½, 1, 1½ and 2 in two games with the same opening.

    >>> from polyversi.contest.match import Match
    >>> match = Match(("random", "random"), variant="othello-4", games=5, seats="alternate")
    >>> contest, pairs = match.contest(), Pairs()
    >>> _ = contest.run()
    >>> for game in contest.played.values():
    ...     pairs.add(game)    # the fifth game has no other yet
    >>> sum(pairs.counts)
    2
    """

    def __init__(self) -> None:
        self.counts = [0] * 5
        self._halves: dict[tuple[int, int], float] = {}

    def add(self, game: PlayedGame) -> None:
        """Adds a finished game; a pair counts when both its games are there."""
        begun = game.variant, game.opening
        score = shared_point(game.ranks)[game.seating.index(0)]
        if begun in self._halves:
            self.counts[round(2 * (self._halves.pop(begun) + score))] += 1
        else:
            self._halves[begun] = score


@dataclass
class Row:
    """A row of a tournament's table."""

    entrant: int
    name: str
    score: Score = field(default_factory=Score)
    rating: Rating | None = None
    ranked_by: float | None = None
    """What ranks it before anything else, if that is a number."""
    is_set_aside: bool = False
    """Whether it failed too often; its games do not count for the others."""


@dataclass
class Table:
    """The table of a tournament, and the scores of each against each."""

    rows: list[Row]
    against: Mapping[tuple[int, int], Score]
    """By the indices of two entrants: the score of the first against the second."""
    broken: tuple[BrokenBot, ...] = ()
    """Entrants that are set aside from the start."""
    scored_by: str = ""
    """What people call the number that ranks the rows; empty where their points tell the same."""

    def ranked_by(self, row: Row) -> str:
        """The number that ranks a row, as people read it."""
        numbers = [other.ranked_by for other in self.rows if other.ranked_by is not None]
        decimals = 0 if all(number.is_integer() for number in numbers) else 2
        return "" if row.ranked_by is None else f"{row.ranked_by:.{decimals}f}"


def table_of(tournament: Tournament, *, is_rated: bool = True) -> Table:
    """The table after all games played so far; ratings take a moment.

    It is in the order of the format, or by points per game; entrants that were set aside come last. Whoever
    shows it also shows what ranks the rows, if that has a name in it.
    """
    plan, left, standings = tournament.plan, tournament.left, tournament.standings
    counted = [game for game in tournament.played.values() if not left.keys() & set(game.seating)]
    ratings = ratings_of(tournament, counted) if is_rated else [None] * len(plan.entrants)
    schedule = tournament.schedule
    ranking, ranked_by = schedule.ranking(), schedule.scores()
    if ranking is None:
        ranked_by = [score.mean for score in standings.scores]
    rows = [
        Row(number, entrant.name, standings.scores[number], ratings[number],
            None if ranked_by is None else float(ranked_by[number]), number in left)
        for number, entrant in enumerate(plan.entrants)
    ]
    if ranking is None:
        rows.sort(key=lambda row: (row.score.mean, row.score.stones), reverse=True)
    else:
        rows = [rows[entrant] for entrant in ranking]
    rows.sort(key=lambda row: row.is_set_aside)
    is_plain = ranked_by is None or _are_points_enough([row for row in rows if not row.is_set_aside])
    return Table(rows, standings.each, plan.broken, "" if is_plain else schedule.scored_by)


def _are_points_enough(rows: Sequence[Row]) -> bool:
    """Whether the points of all rows are the same multiple of what has ranked them."""
    scores = [row.ranked_by or 0.0 for row in rows]
    most = max(range(len(rows)), key=lambda place: abs(scores[place]), default=0)
    if not any(scores):
        return not any(row.score.points for row in rows)
    factor = rows[most].score.points / scores[most]
    return factor > 0 and all(math.isclose(row.score.points, factor * score, rel_tol=1e-9, abs_tol=1e-9)
                              for row, score in zip(rows, scores, strict=True))


def ratings_of(
    tournament: Tournament, games: Iterable[PlayedGame], *, has_bounds: bool = True
) -> list[Rating | None]:
    """The ratings of the entrants; games with the same opening are one sample."""
    plan, entrants = tournament.plan, len(tournament.plan.entrants)
    alike: defaultdict[tuple[str, int, int], list[PlayedGame]] = defaultdict(list)
    for game in games:
        alike[game.meeting, game.variant, game.opening].append(game)
    samples = [sample_of((game.seating, game.ranks) for game in together) for together in alike.values()]
    numbers = {entrant.name: number for number, entrant in enumerate(plan.entrants)}
    anchors = {numbers[name]: value for name, value in plan.anchors.items() if name in numbers}
    return bradley_terry(samples, entrants, anchors, plan.seed, has_bounds=has_bounds)
