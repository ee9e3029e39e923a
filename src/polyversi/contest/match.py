"""Matches: many games between the same players, with changed seats and equal openings."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import ExitStack, suppress
from dataclasses import dataclass, fields, replace
from functools import cached_property, lru_cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from polyversi.contest.match_file import MatchFile
from polyversi.contest.pool import process_pool
from polyversi.contest.random_openings import balanced_opening, opening
from polyversi.contest.schedule import Fixture, SeatOrder, meetings, schedule_in_turn
from polyversi.contest.standings import Pairs, Standings
from polyversi.gameplay.interrupt import run_interruptibly
from polyversi.gameplay.referee import Referee
from polyversi.gameplay.verdict import failures_among
from polyversi.games.errors import PlayerError, RecordError
from polyversi.games.variants import game as named
from polyversi.players import NO_LIMIT, Limit
from polyversi.protocols.seating import check_suited, draw_seed, seat_of, unique_names
from polyversi.records import Record, jsonl
from polyversi.stats.sprt import Sprt

if TYPE_CHECKING:
    from polyversi.gameplay.events import Observer
    from polyversi.games.game import Game
    from polyversi.games.state import State

MatchObserver = Callable[[Fixture, Record, Standings], None]
"""Hears of every game that is over, and of those that an earlier run has played."""

_named = lru_cache(maxsize=64)(named)


class _Enough(Exception):  # noqa: N818
    """A test has its verdict; whatever is still being played is broken off, as it is after Ctrl-C."""


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
    """Two players change seats after half of the games, or after each; many sit in every order in turn."""
    openings: int = 0
    """Random plies before the players begin: the same ones for both seats of a pair."""
    seed: int = 0
    """Draws the set-ups and openings, and the lots of players that draw some."""
    against: tuple[str, ...] = ()
    """Players that the others are measured against: they do not meet among themselves."""
    balanced: bool = False
    """Whether the random plies lead to positions that the engine holds to be about even."""

    @cached_property
    def variants(self) -> tuple[Game, ...]:
        """What is played."""
        named = (self.variant,) if isinstance(self.variant, str) else self.variant
        if not named:
            raise PlayerError("a match needs a variant or more")
        return tuple(map(_named, named))

    @cached_property
    def specs(self) -> tuple[str, ...]:
        """The specifications of all players, those they are measured against at the end."""
        return (*self.players, *self.against)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What the players are called in records and standings."""
        return unique_names(self.specs)

    @cached_property
    def fixtures(self) -> list[Fixture]:
        """All games of the match."""
        if self.games < 1:
            raise PlayerError("a match has one game or more")
        found = [meetings(len(self.players), game.seats, len(self.against)) for game in self.variants]
        return schedule_in_turn(found, self.games, self.seats)

    def check(self) -> None:
        """Raises an error for a player that does not play what is played, or openings nobody can judge."""
        for game in self.variants:
            check_suited(self.specs, game)
            if self.balanced:
                balanced_opening(game, self.openings, self.seed)

    def start(self, fixture: Fixture) -> State:
        """Where a game of the match begins."""
        seed = draw_seed(self.seed, fixture.meeting, fixture.opening)
        find = balanced_opening if self.balanced else opening
        return find(self.variants[fixture.variant], self.openings, seed)

    def referee(self, fixture: Fixture, observers: Sequence[Observer] = ()) -> Referee:
        """The referee of one game of the match."""
        seed = self._seed_of(fixture)
        seats = [
            seat_of(self.specs[player], name=self.names[player], seed=draw_seed(seed, place))
            for place, player in enumerate(fixture.seating)
        ]
        return Referee(self.start(fixture), seats, self.limit, observers)

    def play(self, fixture: Fixture) -> Record:
        """Plays one game of the match."""
        finished = run_interruptibly(self.referee(fixture).run())
        failures = "; ".join(map(str, failures_among(*finished.offences, finished.verdict)))
        tags = *self._tags(fixture), *([("failures", failures)] if failures else [])
        return replace(finished.record, tags=(*finished.record.tags, *tags))

    def run(
        self,
        *,
        out: Path | None = None,
        jobs: int = 1,
        executor: Executor | None = None,
        observer: MatchObserver | None = None,
        sprt: Sprt | None = None,
    ) -> Standings:
        """Plays all games, `jobs` at a time, and gives the standings.

        With `out` each game is appended to that file when it is over, and those that are in it already are
        not played again. With an executor the games are played wherever that one plays them.

        A test ends the match once it has its verdict. Then games are counted in their order, each after
        those before it: whatever `jobs` is, the verdict comes after the same game, and that is the last one.
        """
        self.check()
        if sprt is not None:
            self._check_pairs()
        standings, pairs = Standings(self.names), Pairs()
        with suppress(_Enough), ExitStack() as stack:
            file = stack.enter_context(MatchFile(out)) if out is not None else None
            played = self._match_up(file.earlier) if file else {}
            left = [fixture for fixture in self.fixtures if fixture.number not in played]
            if jobs > 1 and executor is None and len(left) > 1:
                executor = stack.enter_context(process_pool(min(jobs, len(left))))
            lines = self._lines(left, jobs, executor)
            for fixture, game in self._in_order(played, lines) if sprt else self._as_they_end(played, lines):
                if isinstance(game, str) and file is not None:
                    file.append(game)
                record = jsonl.parse(game) if isinstance(game, str) else game
                assert isinstance(record, Record)
                standings.add(fixture, record)
                if observer is not None:
                    observer(fixture, record, standings)
                if sprt is not None:
                    pairs.add(fixture, record)
                    if sprt.verdict(pairs.counts) is not None:
                        raise _Enough
        return standings

    def _as_they_end(
        self, played: Mapping[int, Record], lines: Iterable[tuple[Fixture, str]]
    ) -> Iterator[tuple[Fixture, Record | str]]:
        """The games of an earlier run, and then the others, as lines."""
        for fixture in self.fixtures:
            if fixture.number in played:
                yield fixture, played[fixture.number]
        yield from lines

    def _in_order(
        self, played: Mapping[int, Record], lines: Iterator[tuple[Fixture, str]]
    ) -> Iterator[tuple[Fixture, Record | str]]:
        """All games in their order: one that is over before others that began earlier is kept back."""
        kept: dict[int, Record | str] = dict(played)
        for fixture in self.fixtures:
            while fixture.number not in kept:
                done, line = next(lines)
                kept[done.number] = line
            yield fixture, kept.pop(fixture.number)

    def _lines(
        self, left: Iterable[Fixture], jobs: int, executor: Executor | None
    ) -> Iterator[tuple[Fixture, str]]:
        """The games as they finish. Only as many as can be played are given away, so that one can stop."""
        if executor is None:
            for fixture in left:
                yield fixture, play_line(self, fixture)
            return
        waiting: dict[Future[str], Fixture] = {}
        remaining = iter(left)
        while True:
            for fixture in islice(remaining, jobs - len(waiting)):
                waiting[executor.submit(play_line, self, fixture)] = fixture
            if not waiting:
                return
            for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                yield waiting.pop(future), future.result()

    def _check_pairs(self) -> None:
        """Raises an error for a match whose games are no pairs of two players that a test could count."""
        if len(self.specs) != 2 or any(game.seats != 2 for game in self.variants):
            raise PlayerError("an SPRT compares two players, in games of two seats")
        if self.seats != "alternate":
            raise PlayerError("an SPRT counts pairs of games: let seats change after each (alternate)")

    def __getstate__(self) -> dict[str, Any]:
        """What goes to another process with each game: how the match is set up, not what follows from it."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def _seed_of(self, fixture: Fixture) -> int:
        return draw_seed(self.seed, "game", fixture.number)

    def _tags(self, fixture: Fixture) -> tuple[tuple[str, str], ...]:
        """What identifies a game within its match."""
        return (
            ("limit", str(self.limit)),
            ("round", str(fixture.number)),
            ("seating", "/".join(str(player + 1) for player in fixture.seating)),
            ("seed", str(self._seed_of(fixture))),
        )

    def _match_up(self, earlier: list[Record]) -> dict[int, Record]:
        """The games of an earlier run by their number; a RecordError if they belong to another match."""
        fixtures = {str(fixture.number): fixture for fixture in self.fixtures}
        played: dict[int, Record] = {}
        for record in earlier:
            number = record.tag("round")
            fixture = fixtures.get(number)
            if fixture is None or any(record.tag(name) != text for name, text in self._tags(fixture)):
                raise RecordError(f"the file holds game '{number}' of another match; choose another file")
            named = tuple(self.names[player] for player in fixture.seating)
            if record.players != named or record.start != self.start(fixture):
                raise RecordError(
                    f"the file holds another game {number}, of {' and '.join(record.players) or 'nobody'}; "
                    "choose another file"
                )
            played[fixture.number] = record
        return played


def play_line(match: Match, fixture: Fixture) -> str:
    """Plays one game of a match and gives its record as a line of JSON, for processes to hand on.

    >>> match = Match(("random", "random"), variant="othello-4")
    >>> play_line(match, match.fixtures[0])[:34]
    '{"polyversi":1,"game":"othello-4",'
    """
    return jsonl.write(match.play(fixture))


def usual_jobs() -> int:
    """How many games at a time this machine is good for.

    >>> usual_jobs() >= 1
    True
    """
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
