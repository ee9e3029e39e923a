"""Learning: weights from nothing, by games of the engine against itself.

A generation plays games with the weights of the one before, the first one by a rule of thumb: some plies by
lot, then looking a few plies ahead, the last ones perfectly. Each plays twice as many as the one before and
looks a ply further. Each position in them is an example of what the game came to, and the weights are fitted
to the examples of the newest generations. The measure is the error on games of the newest generation that
were kept from the fitting, beside the error of the weights with which they were played; it says that the
values are nearer to the truth, not yet how many more games they win: that is for a match against the weights
before.
"""

from __future__ import annotations

import shutil
import zlib
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass
from datetime import date
from functools import partial
from io import BytesIO
from itertools import islice
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Annotated
from zipfile import BadZipFile

import msgspec
import numpy as np

from polyversi import _core
from polyversi.engines.making import KNOWN, EngineError, is_known
from polyversi.engines.openings import opened
from polyversi.engines.training.fitting import Errors, Examples, Fitting, joined
from polyversi.engines.training.probcut import measured
from polyversi.engines.training.proof import NODES, Trial
from polyversi.engines.weights import Header, Proof, Weights, load, phases_of, tables_of
from polyversi.games.errors import RecordError
from polyversi.games.files import write_whole

if TYPE_CHECKING:
    from polyversi.games.game import Game

BATCH = 50
"""Games with one seed, and from one start where that is drawn by lot."""
BATCHES_A_STEP = 20
"""After so many batches their examples are on the disk."""
LEAST_GAMES = 2 * BATCH
HELD_BACK = 20
"""One batch of so many is not learned from, but at least one."""
GENERATIONS_TOGETHER = 2
"""The newest ones, whose examples are learned from: older ones played worse."""
DEEPEST = 6
LATER = 0.85
"""How much what became of a position counts against what was seen when it was looked at. The rule of thumb of
the first generation sees nothing that could be learned from."""
LEAST_RANDOM = 4
"""Plies that are drawn by lot at the start of every game; the most are three eighths of the cells."""
MOST_EXACT = 12
"""Empty cells with which perfect play begins at the latest; on small boards with a quarter of the cells."""


@dataclass(frozen=True)
class Plan:
    """How weights are learned: the same plan gives the same weights, whatever the number of threads.

    >>> Plan(games=5000).command("othello-6")
    'polyversi train othello-6 --generations 4 --games 5000 --depth 4 --seed 0'
    """

    generations: int = 4
    games: int = 20_000
    """Of the last generation; each has twice as many as the one before."""
    depth: int = 4
    """Plies that the last generation looks ahead; each looks one further than the one before."""
    seed: int = 0

    def check(self) -> None:
        """Raises an EngineError for a plan that cannot be carried out."""
        if self.generations < 1 or self.games < LEAST_GAMES or not 1 <= self.depth <= DEEPEST:
            raise EngineError(
                f"weights are learned in one generation or more of at least {LEAST_GAMES} games, looking "
                f"1 to {DEEPEST} plies ahead"
            )

    def command(self, spec: str) -> str:
        """The command line that carries it out."""
        options = " ".join(f"--{name} {value}" for name, value in asdict(self).items())
        return f"polyversi train {spec} {options}"

    def games_of(self, number: int) -> int:
        """How many games a generation plays.

        >>> plan = Plan(generations=3, games=1000)
        >>> [plan.games_of(number) for number in (1, 2, 3)], [plan.depth_of(number) for number in (1, 2, 3)]
        ([250, 500, 1000], [2, 3, 4])
        """
        return max(LEAST_GAMES, self.games >> (self.generations - number))

    def depth_of(self, number: int) -> int:
        """How many plies a generation looks ahead."""
        return max(1, self.depth - (self.generations - number))

    def batches(self, number: int) -> list[int]:
        """How many games each batch of a generation has."""
        games = self.games_of(number)
        return [min(BATCH, games - first) for first in range(0, games, BATCH)]


@dataclass(frozen=True)
class Generation:
    """What came of a generation."""

    number: int
    positions: int
    """In its games."""
    errors: Errors
    """Of its weights on games that they were not learned from."""
    before: Errors
    """On the same games, of the weights that played them; in the first generation, of expecting draws."""


@dataclass(frozen=True)
class Progress:
    """How far a training is."""

    done: tuple[Generation, ...] = ()
    games: int = 0
    """Of the generation after those that are done."""
    positions: int = 0
    """In these games."""
    phases: int = 0
    """Whose weights are fitted."""
    pairs: tuple[float, ...] = ()
    """What the weights had of each pair of games against those before, from 0 to 1."""


Observer = Callable[[Progress], None]


def learn(
    game: Game, plan: Plan | None = None, observe: Observer | None = None, *, threads: int = 1,
    steps: Path | None = None, trial: Trial | None = None, executor: Executor | None = None,
) -> Weights:
    """Weights for a game, and all on the way to them is told.

    With `steps` everything that took long is kept in that folder, and what is in it already is not done
    again. With a `trial` they are played against others in the end. With an executor the games are played
    wherever that one plays them, as many batches at a time as there are threads.

    >>> import polyversi as pv
    >>> weights = learn(pv.game("othello-4"), Plan(generations=1, games=100))
    >>> weights.header.command
    'polyversi train othello-4 --generations 1 --games 100 --depth 4 --seed 0'
    """
    plan = plan or Plan()
    plan.check()
    check_learnable(game)
    if trial is not None:
        trial.check(game)
    training = _Training(game, plan, observe, threads, _Steps(steps, game, plan), executor)
    weights = training.run()
    return weights if trial is None else training.proved(weights, trial)


def learn_into(
    path: Path, game: Game, plan: Plan, observe: Observer | None = None, *, threads: int = 1,
    trial: Trial | None = None, executor: Executor | None = None,
) -> Weights:
    """Weights for a game in a file; what was done is kept in a folder beside it until they are there."""
    steps = steps_beside(path)
    if path.exists() and not steps.exists():
        raise RecordError(f"{path} is there already; take it away or choose another name")
    weights = learn(
        game, plan, observe, threads=threads, steps=steps, trial=trial, executor=executor)
    weights.save(path)
    shutil.rmtree(steps, ignore_errors=True)
    return weights


def steps_beside(path: Path) -> Path:
    """The folder in which a training that was broken off is kept."""
    return path.with_name(f"{path.name}.steps")


def check_learnable(game: Game) -> None:
    """Raises an EngineError for a game that the engine does not play."""
    if not is_known(game):
        raise EngineError(f"{game.spec} cannot be learned: the engine plays {KNOWN}")


class _Training:
    """One training: its generations in turn."""

    def __init__(
        self, game: Game, plan: Plan, observe: Observer | None, threads: int, steps: _Steps,
        executor: Executor | None,
    ) -> None:
        self._game, self._plan, self._threads, self._steps = game, plan, threads, steps
        self._executor = executor
        self._observer = observe
        self._fitting = Fitting(game)
        self._done: tuple[Generation, ...] = ()

    def run(self) -> Weights:
        weights: Weights | None = None
        newest: list[Examples] = []
        for number in range(1, self._plan.generations + 1):
            held = max(1, len(self._plan.batches(number)) // HELD_BACK)
            parts = self._played(number, weights)
            fresh, kept_back = joined(parts[:-held]), joined(parts[-held:])
            newest = [*newest, fresh][-GENERATIONS_TOGETHER:]
            before = weights
            weights = self._steps.weights(number) or self._learned(number, joined(newest), kept_back)
            positions = fresh.positions + kept_back.positions
            self._done += (self._generation(number, positions, kept_back, weights, before),)
            self._tell()
        assert weights is not None, "there is a generation"
        return weights

    def proved(self, weights: Weights, trial: Trial) -> Weights:
        """The weights with what came of a match against those before."""
        scores = self._steps.scores(trial)
        self._tell(pairs=tuple(scores))
        with closing(trial.scores(self._game, weights, len(scores), threads=self._threads)) as fresh:
            for score in fresh:
                scores.append(score)
                self._steps.keep_scores(trial, scores)
                self._tell(pairs=tuple(scores))
        often = Counter(round(4 * score) for score in scores)
        proof = Proof(trial.against, NODES, (often[0], often[1], often[2], often[3], often[4]))
        return Weights(msgspec.structs.replace(weights.header, proof=proof), weights.values)

    def _learned(self, number: int, examples: Examples, kept_back: Examples) -> Weights:
        """The weights of a generation, which are on the disk from now on."""
        plan = self._plan
        values = self._fitting.fit(
            examples, lambda phases: self._tell(plan.games_of(number), examples.positions, phases))
        errors = self._fitting.errors(kept_back, values)
        tables = tables_of(self._game.board)
        patterns = [(family.cells, len(family.patterns)) for family in tables.families]
        header = Header(
            self._game.spec, self._fitting.phases, patterns, tables.fingerprint,
            plan.command(self._game.spec), date.today().isoformat(), examples.positions,
            round(errors.overall, 3),
            [None if error is None else round(error, 3) for error in errors.by_phase], [],
        )
        weights = Weights(header, values)
        if number == plan.generations:
            doubt = measured(self._game, weights.evaluation(self._game), seed=plan.seed)
            weights = Weights(msgspec.structs.replace(header, doubt=doubt), values)
        self._steps.keep_weights(number, weights)
        return weights

    def _generation(
        self, number: int, positions: int, kept_back: Examples, weights: Weights, before: Weights | None
    ) -> Generation:
        """How good the weights of a generation are."""
        nothing = np.zeros_like(weights.values)
        errors = [self._fitting.errors(kept_back, values)
                  for values in (weights.values, nothing if before is None else before.values)]
        return Generation(number, positions, errors[0], errors[1])

    def _played(self, number: int, weights: Weights | None) -> list[Examples]:
        """The examples of each batch of a generation; those that were played earlier come from the disk."""
        played = self._steps.examples(number)
        self._tell_played(number, played)
        waiting = range(len(played), len(self._plan.batches(number)))
        with ExitStack() as stack:
            if self._executor is not None:
                play = partial(play_batches, self._game, self._plan, number, weights)
                fresh = _in_order(self._executor, play, waiting, 2 * self._threads)
            else:
                evaluation = weights.evaluation(self._game) if weights is not None else None
                pool = ThreadPoolExecutor(self._threads)
                stack.callback(pool.shutdown, cancel_futures=True)
                fresh = pool.map(partial(play_batch, self._game, self._plan, number, evaluation), waiting)
            while step := self._next_step(number, fresh, played):
                self._steps.keep_examples(number, len(played) - len(step), step)
        return played

    def _next_step(self, number: int, fresh: Iterator[Examples], played: list[Examples]) -> list[Examples]:
        """The batches of the next step, as they are played."""
        step = []
        for batch in islice(fresh, BATCHES_A_STEP):
            step.append(batch)
            played.append(batch)
            self._tell_played(number, played)
        return step

    def _tell_played(self, number: int, played: list[Examples]) -> None:
        games = min(BATCH * len(played), self._plan.games_of(number))
        self._tell(games, sum(batch.positions for batch in played))

    def _tell(
        self, games: int = 0, positions: int = 0, phases: int = 0, pairs: tuple[float, ...] = ()
    ) -> None:
        if self._observer is not None:
            self._observer(Progress(self._done, games, positions, phases, pairs))


def play_batch(
    game: Game, plan: Plan, number: int, evaluation: _core.LearnedEvaluation | None, batch: int
) -> Examples:
    """Plays a batch of a generation, which depends on nothing but its number."""
    lots = Random(f"{plan.seed} {number} {batch}")
    start, seed = game.start(lots.getrandbits(32)), lots.getrandbits(63)
    start = opened(start, lots)
    cells = game.board.size
    exact = min(MOST_EXACT, cells // 4)
    return Examples(*_core.self_play(
        start, evaluation, seed, plan.batches(number)[batch], LEAST_RANDOM, max(LEAST_RANDOM, 3 * cells // 8),
        plan.depth_of(number), exact, min(exact, cells // 8), 1.0 if evaluation is None else LATER,
    ))


def play_batches(
    game: Game, plan: Plan, number: int, weights: Weights | None, batches: Sequence[int]
) -> list[Examples]:
    """Plays several in another process: enough of them to be worth the way of the weights."""
    evaluation = weights.evaluation(game) if weights is not None else None
    return [play_batch(game, plan, number, evaluation, batch) for batch in batches]


def _in_order(
    executor: Executor, play: Callable[[Sequence[int]], list[Examples]], batches: Sequence[int], ahead: int
) -> Iterator[Examples]:
    """What becomes of batches, in their order; only so many tasks are given away at a time."""
    waiting: deque[Future[list[Examples]]] = deque()
    for first in range(0, len(batches), BATCHES_A_STEP):
        waiting.append(executor.submit(play, batches[first : first + BATCHES_A_STEP]))
        if len(waiting) >= ahead:
            yield from waiting.popleft().result()
    while waiting:
        yield from waiting.popleft().result()


class SetUp(msgspec.Struct, frozen=True, tag_field="polyversi", tag="training", forbid_unknown_fields=True):
    """What a training depends on."""

    spec: str
    generations: int
    games: int
    depth: int
    seed: int
    patterns: str


class Played(msgspec.Struct, frozen=True, tag_field="polyversi", tag="proof", forbid_unknown_fields=True):
    """The pairs of a match that were played so far."""

    against: str
    nodes: int
    seed: int
    scores: list[Annotated[float, msgspec.Meta(ge=0, le=1, multiple_of=0.25)]]


class _Steps:
    """A folder with what a training has done so far; or none, and nothing is kept."""

    def __init__(self, folder: Path | None, game: Game, plan: Plan) -> None:
        self._folder = folder
        self._game = game
        self._fingerprint = tables_of(game.board).fingerprint
        if folder is None:
            return
        set_up = SetUp(game.spec, plan.generations, plan.games, plan.depth, plan.seed, self._fingerprint)
        try:
            folder.mkdir(exist_ok=True)
            if any(not path.name.startswith(".") for path in folder.iterdir()):    # more than a cut write
                self._compare(set_up, (folder / "training.json").read_bytes())
            else:
                write_whole(folder / "training.json", msgspec.json.encode(set_up))
        except OSError as error:
            raise RecordError(f"{folder} cannot be used: {error.strerror or error}") from None

    def _compare(self, wanted: SetUp, data: bytes) -> None:
        try:
            found = msgspec.json.decode(data, type=SetUp)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise self._other(f"no training: {error}") from None
        for name, value in msgspec.structs.asdict(wanted).items():
            if getattr(found, name) != value:
                raise self._other(f"a training with {name} {getattr(found, name)}, not {value}")

    def examples(self, generation: int) -> list[Examples]:
        """The batches of a generation that are there, from the first one on."""
        found: list[Examples] = []
        while (path := self._examples_path(generation, len(found))) is not None and path.exists():
            found += self._read_examples(path)
        return found

    def keep_examples(self, generation: int, first: int, step: list[Examples]) -> None:
        """Writes some batches."""
        path = self._examples_path(generation, first)
        if path is not None:
            packed = BytesIO()
            sizes = np.array([batch.positions for batch in step])
            np.savez_compressed(packed, sizes=sizes, **joined(step)._asdict())
            _write(path, packed.getvalue())

    def weights(self, generation: int) -> Weights | None:
        """The weights of a generation, if they are there."""
        path = self._path(f"generation-{generation}.weights")
        if path is None or not path.exists():
            return None
        weights = load(path)
        if weights.header.spec != self._game.spec or weights.header.phases != phases_of(self._game.board):
            raise self._other(f"weights of another training in {path.name}")
        return weights

    def keep_weights(self, generation: int, weights: Weights) -> None:
        """Writes the weights of a generation."""
        path = self._path(f"generation-{generation}.weights")
        if path is not None:
            weights.save(path)

    def scores(self, trial: Trial) -> list[float]:
        """Of each pair of a match that was played already; none if that was another match."""
        path = self._path("proof.json")
        if path is None or not path.exists():
            return []
        try:
            found = msgspec.json.decode(path.read_bytes(), type=Played)
        except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise self._other(f"something else than a proof in {path.name}") from None
        is_this = (found.against, found.nodes, found.seed) == (trial.against, NODES, trial.seed)
        return found.scores[: trial.pairs] if is_this else []

    def keep_scores(self, trial: Trial, scores: list[float]) -> None:
        """Writes what was played of a match."""
        path = self._path("proof.json")
        if path is not None:
            _write(path, msgspec.json.encode(Played(trial.against, NODES, trial.seed, scores)))

    def _path(self, name: str) -> Path | None:
        return None if self._folder is None else self._folder / name

    def _examples_path(self, generation: int, first: int) -> Path | None:
        return self._path(f"generation-{generation}-from-batch-{first}.npz")

    def _read_examples(self, path: Path) -> list[Examples]:
        """The batches in a file."""
        try:
            with np.load(path, allow_pickle=False) as found:
                sizes, columns = found["sizes"], Examples(found["own"], found["other"], found["value"])
            ends = np.cumsum(sizes)
            if not 0 < len(sizes) <= BATCHES_A_STEP or {len(column) for column in columns} != {int(ends[-1])}:
                raise ValueError("columns of different lengths")
        except (OSError, EOFError, KeyError, ValueError, TypeError, BadZipFile, zlib.error):
            raise self._other(f"something else than examples in {path.name}") from None
        parts = (np.split(column, ends[:-1]) for column in columns)
        return [Examples(*batch) for batch in zip(*parts, strict=True)]

    def _other(self, what: str) -> RecordError:
        return RecordError(f"{self._folder} holds {what}; choose another file or take the folder away")


def _write(path: Path, data: bytes) -> None:
    try:
        write_whole(path, data)
    except OSError as error:
        raise RecordError(f"{path} cannot be written: {error.strerror or error}") from None
