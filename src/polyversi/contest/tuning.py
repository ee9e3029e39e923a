"""Tuning: better weights for a player, found round by round in games against itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cached_property, partial
from hashlib import sha256
from itertools import chain
from pathlib import Path
from statistics import fmean
from typing import Any, cast

import msgspec

from polyversi.contest.contest import Contest, Watcher
from polyversi.contest.match import Match
from polyversi.contest.model import Fixture, Meeting
from polyversi.contest.openings import Openings
from polyversi.contest.workers import Workers, local_workers
from polyversi.games.errors import PlayerError, RecordError
from polyversi.games.files import StrPath
from polyversi.games.game import Game
from polyversi.games.seeds import derive_seed
from polyversi.players import NO_LIMIT, Limit, player
from polyversi.players.weights import Weight, read_weights, save_weights, weights_of, written_weights
from polyversi.protocols.spec import is_bot
from polyversi.stats.spsa import Round, Values, averaged, spsa
from polyversi.storage.line_file import LineFile
from polyversi.storage.stored import PlayedGame

TuningObserver = Callable[[Sequence[Round], int], None]
"""Is called after every game with the finished rounds and the number of finished games in the next one."""


class SetUp(msgspec.Struct, frozen=True, tag_field="polyversi", tag="tuning", forbid_unknown_fields=True):
    """The settings of a tuning: the first line of its file."""

    player: str
    variants: list[str]
    rounds: int
    games: int
    limit: str
    openings: int | str
    rate: float
    seed: int
    weights: dict[str, tuple[float, float, float, float]]
    """For each weight its first value, its bounds and its step."""


@dataclass(frozen=True)
class Tuning:
    """A tuning; with a limit of nodes or depth, the same seed gives the same weights.

    >>> tuning = Tuning("t77", ("hex:side=3",), rounds=2, games=2)
    >>> [round.number for round in tuning.run()]
    [1, 2]
    """

    player: str
    """Its specification; the tuning starts from its weights."""
    variants: tuple[str, ...]
    """The variants, played in turn."""
    rounds: int = 100
    games: int = 24
    """Games of a round: an even number, since each opening is played again with seats changed."""
    limit: Limit = NO_LIMIT
    openings: str | int = 4
    """Random plies before the players begin, or a text as in `Openings.parse`."""
    rate: float = 0.5
    """The learning rate: how many steps a round that one side wins moves the weights, late in the tuning."""
    seed: int = 0

    @cached_property
    def known(self) -> Mapping[str, Weight]:
        """The weights that are tuned."""
        return weights_of(type(self._chosen))

    @cached_property
    def start(self) -> dict[str, float]:
        """The first values of the weights."""
        known = self.known    # raises an error if the player has no weights
        return read_weights(self._chosen.weights, known)

    def with_weights(self, values: Values) -> str:
        """The specification of the player with these weights.

        >>> Tuning("t77", ("hex",)).with_weights({"corner": 9.5})
        't77:weights=corner=9.5'
        """
        return cast("str", replace(self._chosen, weights=written_weights(values)).spec())

    def check(self) -> None:
        """Raises a PlayerError if the tuning cannot be run."""
        if self.rounds < 1 or self.games < 2 or self.games % 2:
            raise PlayerError(
                "a tuning needs at least one round, and an even number of games in each: every opening is "
                "played twice, with seats changed"
            )
        if not 0 < self.rate <= 100:
            raise PlayerError(f"the rate cannot be {self.rate:g}; write a number above 0, such as 0.5")
        self._match(0, self.start, self.start).plan.check()

    def run(
        self, *, out: StrPath | None = None, jobs: int = 1, observer: TuningObserver | None = None
    ) -> list[Round]:
        """Plays all rounds, `jobs` games at a time.

        With `out` each finished round is appended to that file, and rounds that are in it already are not
        played again.
        """
        self.check()
        with ExitStack() as stack:
            file = stack.enter_context(TuningFile(Path(out), self)) if out is not None else None
            done = list(file.earlier) if file is not None else []
            workers = local_workers(min(jobs, self.games))
            if len(done) < self.rounds:
                workers = stack.enter_context(workers.opened())

            def tell(games: int) -> None:
                if observer is not None:
                    observer(done, games)

            tell(0)
            for fresh in spsa(
                self.known, self.start, partial(self._play, workers, tell), self.rounds, rate=self.rate,
                seed=self.seed, earlier=tuple(done),
            ):
                if file is not None:
                    file.append(msgspec.json.encode(fresh).decode())
                done.append(fresh)
                tell(0)
        return done

    def set_up(self) -> SetUp:
        """The settings that identify this tuning."""
        weights = {
            name: (self.start[name], weight.low, weight.high, weight.step)
            for name, weight in self.known.items()
        }
        return SetUp(
            self.player, list(self.variants), self.rounds, self.games, str(self.limit),
            _identified(self._openings), self.rate, self.seed, weights,
        )

    @cached_property
    def _chosen(self) -> Any:
        """The player, which is a dataclass with an option `weights`."""
        if is_bot(self.player):
            raise PlayerError(f"{self.player} is a bot; only the weights of built-in players can be tuned")
        return player(self.player)

    @cached_property
    def _openings(self) -> Openings:
        """The openings, read once for all rounds."""
        return Match((self.player, self.player), self.variants, openings=self.openings).plan.openings

    def _match(self, number: int, one: Values, other: Values) -> Match:
        """The match of a round; its fixtures are made here, since rounds cycle through the variants."""
        players = self.with_weights(one), self.with_weights(other)
        seed = derive_seed(self.seed, "round", number)
        return Match(players, self.variants, self.games, self.limit, openings=self._openings, seed=seed)

    def _play(
        self, workers: Workers, tell: Callable[[int], None], number: int, one: Values, other: Values
    ) -> float:
        """Plays a round and returns the score of the first side, from -1 to 1."""
        plan = self._match(number, one, other).plan
        variants, first = plan.games_played, (number - 1) * self.games // 2
        pairs = [tuple(_pair(variants, place, first + place)) for place in range(self.games // 2)]
        contest = Contest(plan, workers=workers, fixtures=[fixture for pair in pairs for fixture in pair])
        contest.run(_GameCounter(tell))
        shares = []
        for pair in pairs:
            lead = sum(_difference(game.seating, contest.played[game.id].points) for game in pair)
            best = sum(best_margin(variants[game.variant], game.seating) for game in pair)
            shares.append(max(-1.0, min(1.0, lead / best)))
        return fmean(shares)


class _GameCounter(Watcher):
    """Counts the games of a round for an observer."""

    def __init__(self, tell: Callable[[int], None]) -> None:
        self._tell = tell
        self._games = 0

    def over(self, games: Sequence[PlayedGame]) -> None:
        self._games += len(games)
        self._tell(self._games)


def _identified(openings: Openings) -> int | str:
    """Openings in the first line of a tuning's file, where a number stands for random plies."""
    if openings.kind == "file":
        positions = "\n".join(chain.from_iterable(openings.positions))
        return f"{openings}, sha256 {sha256(positions.encode()).hexdigest()[:16]}"
    return str(openings) if openings.kind == "balanced" else openings.plies


def _pair(variants: Sequence[Game], place: int, turn: int) -> Iterator[Fixture]:
    """Two games with the same opening: each side has every second seat, and then the other seats."""
    variant = turn % len(variants)
    for changed in (0, 1):
        seating = tuple((seat + changed) % 2 for seat in range(variants[variant].seats))
        yield Fixture(str(2 * place + changed + 1), Meeting("1.1", 1, (0, 1)), variant, place, seating)


def best_margin(game: Game, seating: tuple[int, ...]) -> float:
    """The lead in points of player 0 over player 1 when all its seats finish ahead of all others.

    >>> import polyversi as pv
    >>> best_margin(pv.game("xt:arena,players=3"), (0, 1, 0)), best_margin(pv.game("othello"), (0, 1))
    (31.0, 1.0)
    """
    points = game.definition.points(tuple(range(1, game.seats + 1)))
    return _difference(tuple(sorted(seating)), points)


def _difference(seating: tuple[int, ...], points: tuple[float, ...]) -> float:
    return sum(-part if who else part for who, part in zip(seating, points, strict=True))


class TuningFile(LineFile):
    """A file with the settings of a tuning and its rounds, from which an interrupted tuning continues.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "t77.jsonl"
    >>> done = Tuning("t77", ("hex:side=3",), rounds=1, games=2).run(out=path)
    >>> with TuningFile(path, Tuning("t77", ("hex:side=3",), rounds=1, games=2)) as file:
    ...     file.earlier == done
    True
    """

    def __init__(self, path: Path, tuning: Tuning) -> None:
        super().__init__(path)
        self.earlier: list[Round] = []
        """The rounds that were there already."""
        self._tuning = tuning

    def __enter__(self) -> TuningFile:
        super().__enter__()
        if not self.whole:
            self.append(msgspec.json.encode(self._tuning.set_up()).decode())
        return self

    def parse(self) -> None:
        lines = self.whole.splitlines()
        if not lines:
            return
        try:
            found = msgspec.json.decode(lines[0], type=SetUp)
            self.earlier = [msgspec.json.decode(line, type=Round) for line in lines[1:]]
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise RecordError(f"{self.path} does not hold a tuning: {error}; choose another file") from None
        for name, wanted in msgspec.structs.asdict(self._tuning.set_up()).items():
            if (there := getattr(found, name)) != wanted:
                what = "other weights" if name == "weights" else f"{name} {there}, not {wanted}"
                raise RecordError(f"{self.path} holds a tuning with {what}; choose another file")
        for number, done in enumerate(self.earlier, 1):
            if number > self._tuning.rounds or done.number != number or not self._fits(done):
                raise RecordError(f"{self.path}, line {number + 1} is not round {number} of this tuning; "
                                  "choose another file")

    def _fits(self, done: Round) -> bool:
        known = self._tuning.known
        return (
            done.weights.keys() == known.keys()
            and all(known[name].within(value) == value for name, value in done.weights.items())
            and -1 <= done.score <= 1
        )


def save_tuned(out: Path, rounds: Sequence[Round]) -> Path:
    """Writes the weights found so far beside the file of the tuning, and returns their path."""
    path = out.with_suffix(".weights.json")
    save_weights(path, averaged(rounds))
    return path
