"""Matches: many games between the same players, with changed seats and equal openings."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from polyversi.contest.contest import Contest, Watcher
from polyversi.contest.model import SeatOrder
from polyversi.contest.openings import Openings
from polyversi.contest.plan import MATCH, Entrant, Plan, unique_name
from polyversi.contest.playing import protection_of
from polyversi.contest.standings import Standings
from polyversi.contest.stores import match_store
from polyversi.contest.workers import Workers, local_workers
from polyversi.players import NO_LIMIT, Limit
from polyversi.stats.sprt import Sprt


@dataclass(frozen=True)
class Match:
    """Games between players, given by their specifications, that come out the same each time they are run.

    >>> standings = Match(("random", "random:seed=1"), games=4, variant="othello-4").run()
    >>> [score.games for score in standings.scores], standings.games
    ([4, 4], 4)
    """

    players: tuple[str, ...]
    variant: str | tuple[str, ...] = "othello"
    """What is played; of several variants one after the other in every round."""
    games: int = 10
    """Games of every meeting on every variant; of more players than there are seats all groups meet."""
    limit: Limit = NO_LIMIT
    seats: SeatOrder = "course"
    """Two players change seats after half of the games, after each, or never; more sit in every order."""
    openings: int = 0
    """Random plies before the players begin: the same ones for both seats of a pair."""
    seed: int = 0
    """Draws the set-ups and openings, and the seeds of players that take one."""
    against: tuple[str, ...] = ()
    """Players that the others are measured against: they do not meet among themselves."""
    balanced: bool = False
    """Whether the random plies lead to positions that the engine holds to be about even."""
    sprt: Sprt | None = None
    """A test that ends the match once it has its verdict."""
    trust: bool = False
    """Whether bots run without a sandbox."""

    @cached_property
    def plan(self) -> Plan:
        """The match as the plan of a contest."""
        variants = (self.variant,) if isinstance(self.variant, str) else self.variant
        specs = (*self.players, *self.against)
        names: list[str] = []
        for spec in specs:
            names.append(unique_name(spec, set(names)))
        openings = Openings("random", self.openings) if self.openings else Openings()
        if self.balanced:
            openings = Openings("balanced", self.openings)
        return Plan(
            MATCH, tuple(map(Entrant, names, specs)), variants, MATCH, games=self.games,
            openings=openings, limit=self.limit, seed=self.seed, trust=self.trust,
            seats=self.seats, against=len(self.against), sprt=self.sprt,
        )

    def contest(self, out: Path | str | None = None, workers: Workers | None = None) -> Contest:
        """The match as a contest; see `run`."""
        self.plan.check()
        protection_of(self.plan)    # before there is a file of a match that cannot be played
        store = match_store(out, self.plan) if out is not None else None
        return Contest(self.plan, store, workers)

    def run(
        self,
        *,
        out: Path | str | None = None,
        jobs: int = 1,
        workers: Workers | None = None,
        watcher: Watcher | None = None,
    ) -> Standings:
        """Plays all games, `jobs` at a time, and gives the standings.

        With `out`, a .jsonl file or a .db one, each game is kept there when it is over, and those that are
        in it already are not played again. With workers the games are played wherever these play them.

        A test ends the match once it has its verdict. Then games are counted in their order, each after
        those before it: whatever `jobs` is, the verdict comes after the same game, and that is the last one.
        """
        return self.contest(out, workers or local_workers(jobs)).run(watcher)
