"""Matches: many games between the same players, each opening played with seats changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from polyversi.contest.contest import Contest, Watcher
from polyversi.contest.model import SeatOrder
from polyversi.contest.openings import Openings
from polyversi.contest.plan import (
    BOT_STALL_TIMEOUT,
    MATCH,
    Entrant,
    Plan,
    check_name,
    split_name,
    unique_name,
    with_maps,
)
from polyversi.contest.playing import check_for_processes, protection_of
from polyversi.contest.standings import Standings
from polyversi.contest.stores import match_store
from polyversi.contest.workers import Workers, local_workers
from polyversi.games.errors import PlayerError
from polyversi.games.game import Game
from polyversi.games.limit import as_limit
from polyversi.players import NO_LIMIT, Chooser, Limit, Player, as_player
from polyversi.records.maps import embedded_map, named_game
from polyversi.stats.sprt import Sprt


@dataclass(frozen=True)
class Match:
    """Games between players; the same seed gives the same games.

    A player is a specification, with a name in front if it is to have one (`Ann=t77`), or a Player or other
    object with a method `choose`. With one game at a time (`jobs=1`) such an object plays all its games
    itself; other processes play each game with a copy of it.

    >>> standings = Match(("random", "random:seed=1"), games=4, variant="othello-4").run()
    >>> [score.games for score in standings.scores], standings.games
    ([4, 4], 4)
    """

    players: Sequence[str | Player | Chooser]
    variant: str | Game | Sequence[str | Game] = "othello"
    """The variant or a game; with several, every round plays one after the other."""
    games: int = 10
    """Games of each meeting on each variant; with more players than seats, everybody plays everybody."""
    limit: Limit | str = NO_LIMIT
    seats: SeatOrder = "course"
    """Two players change seats after half of the games, after each, or never; more sit in every order."""
    openings: Openings | str | int = 0
    """Random plies before the players begin, or a text as in `Openings.parse`. The games of a pair, with
    seats changed, have the same opening."""
    seed: int = 0
    """Determines random set-ups and openings, and the seeds of players that take one."""
    against: Sequence[str | Player | Chooser] = ()
    """Opponents for the players: then each player meets each of these, and nobody else."""
    sprt: Sprt | None = None
    """A test that ends the match as soon as it is decided."""
    trust: bool = False
    """Whether bots run without a sandbox."""
    adjudicate: int = 0
    """Games end with the proved result of perfect play when at most so many cells are empty; 0 for never."""
    stall_timeout: float | None = BOT_STALL_TIMEOUT
    """Seconds after which a bot without a time limit loses if it does not answer; None for never."""

    @cached_property
    def plan(self) -> Plan:
        """The match as the plan of a contest."""
        variants = (self.variant,) if isinstance(self.variant, str | Game) else tuple(self.variant)
        names, maps = with_maps(variants)
        games = tuple(one if isinstance(one, Game) and not chart else named_game(name, chart)
                      for one, name, chart in zip(variants, names, maps, strict=True))
        openings = self.openings
        if not isinstance(openings, Openings):
            openings = Openings.parse(str(openings), games)
        plan = Plan(
            MATCH, self._entrants(), names, MATCH, games=self.games, openings=openings,
            limit=as_limit(self.limit), maps=maps, seed=self.seed, trust=self.trust, seats=self.seats,
            against=len(self.against), sprt=self.sprt, adjudicate=self.adjudicate,
            stall_timeout=self.stall_timeout,
        )
        plan.__dict__["games_played"] = games    # one that is not registered is not found by its name
        return plan

    def _entrants(self) -> tuple[Entrant, ...]:
        """The players under their names, or under their specifications; equal ones get a number."""
        found = [(*split_name(one), None) if isinstance(one, str) else (None, "", as_player(one))
                 for one in (*self.players, *self.against)]
        taken: set[str] = set()
        for name, _, _ in found:
            if name is not None:
                check_name(name, "a player")
                if name in taken:
                    raise PlayerError(f"two players are called {name}; give them different names")
                taken.add(name)
        entrants = []
        for name, spec, player in found:
            spec = player.spec() if player else spec
            name = unique_name(spec, taken) if name is None else name
            taken.add(name)
            entrants.append(Entrant(name, spec, player))
        return tuple(entrants)

    def contest(self, out: Path | str | None = None, workers: Workers | None = None) -> Contest:
        """The match as a contest; see `run`."""
        self.plan.check()
        if workers is not None and workers.jobs > 1:
            check_for_processes(self.plan)
        protection_of(self.plan)    # before there is a file of a match that cannot be played
        for game in self.plan.games_played if out is not None else ():
            embedded_map(game)    # an error for one that is not registered: its file could not be read again
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
        """Plays all games, `jobs` at a time, and returns the standings.

        With `out`, a .jsonl or .db file, each game is stored there when it ends, and games that are in it
        already are not played again. `workers` play the games somewhere else.

        A test ends the match as soon as it is decided. Games then count in the order of the schedule, so that
        the decision comes after the same game whatever `jobs` is.
        """
        return self.contest(out, workers or local_workers(jobs)).run(watcher)
