"""Training: weights from nothing, by generations of self-play and regression.

A generation plays with the weights of the one before, the first one with the heuristic: some random plies,
then searches of a few plies, the endgame perfectly. Weights are fitted to what the positions of the newest
generations came to, and their error is measured on games that were held out.
"""

from __future__ import annotations

import shutil
import zlib
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass, replace
from datetime import date
from functools import partial
from io import BytesIO
from pathlib import Path
from random import Random
from shlex import quote
from tempfile import TemporaryDirectory
from typing import Annotated
from zipfile import BadZipFile

import msgspec
import numpy as np

from polyversi import _core
from polyversi.engines.network import HIDDEN, WIDTHS
from polyversi.engines.search import SUPPORTED, EngineError, is_supported, random_opening
from polyversi.engines.training.centring import centred
from polyversi.engines.training.network import NetworkRegression, check_torch
from polyversi.engines.training.probcut import fit_probcut
from polyversi.engines.training.regression import Errors, Examples, Regression, Values, concatenated
from polyversi.engines.training.validation import NODES, ValidationMatch
from polyversi.engines.weights import (
    Header,
    NetworkSize,
    NetworkWeights,
    TableWeights,
    ValidationResult,
    Weights,
    load,
    phases_by_parity,
    tables_of,
)
from polyversi.games.errors import RecordError
from polyversi.games.files import StrPath, write_whole
from polyversi.games.game import Game

BATCH = 50
"""Games that share a seed, and the start position where that is random."""
BATCHES_PER_CHECKPOINT = 20
"""How many batches are written together."""
MIN_GAMES = 2 * BATCH
HELD_OUT = 20
"""One batch in this many is held out, and at least one."""
GENERATIONS_FITTED = 2
"""How many of the newest generations are fitted: older ones played worse."""
GAMES_PER_CENTRING = 20
"""For this many games of a generation, one is played to centre its weights, up to `MAX_CENTRING_GAMES`."""
MAX_CENTRING_GAMES = 1_000
MAX_DEPTH = 6
TD_LAMBDA = 0.85
"""The lambda of TD(lambda); 1 in the first generation, as the heuristic has nothing to teach."""
MIN_RANDOM_PLIES = 4
"""Random plies at the start of every game, at least; at most five sixteenths of the cells."""
MAX_EXACT = 14
"""The number of empty cells at which perfect play begins; on small boards a quarter of the cells."""


@dataclass(frozen=True)
class TrainingOptions:
    """How weights are trained: the same options give the same weights, whatever the number of threads.

    >>> TrainingOptions(games=5000).command("othello-6")
    'polyversi train --variant othello-6 --generations 4 --games 5000 --depth 4 --seed 0'
    """

    generations: int = 4
    games: int = 20_000
    """Games of the last generation; each generation plays twice as many as the one before."""
    depth: int = 4
    """Search depth of the last generation; each generation searches a ply deeper than the one before."""
    seed: int = 0
    network: int | None = None
    """The width of the networks that are fitted; None for tables."""
    weights: str | None = None
    """The file of weights to begin with; None to begin with nothing but the rules."""

    def __post_init__(self) -> None:
        if self.network not in (None, *WIDTHS):
            widths = ", ".join(map(str, WIDTHS))
            raise EngineError(f"a network of width {self.network} is not possible; choose one of {widths}")
        if self.generations < 1 or self.games < MIN_GAMES or not 1 <= self.depth <= MAX_DEPTH:
            raise EngineError(
                f"training needs at least one generation and {MIN_GAMES} games, and a search depth of "
                f"1 to {MAX_DEPTH} plies"
            )

    def command(self, spec: str) -> str:
        """The command line with these options."""
        words = " ".join(f"--{name} {quote(str(value))}" for name, value in self.given.items())
        return f"polyversi train --variant {spec} {words}"

    @property
    def given(self) -> dict[str, int | str]:
        """The options by name, without those that are None."""
        return {name: value for name, value in asdict(self).items() if value is not None}

    def games_of(self, number: int) -> int:
        """How many games a generation plays."""
        return max(MIN_GAMES, self.games >> (self.generations - number))

    def depth_of(self, number: int) -> int:
        """The search depth of a generation."""
        return max(1, self.depth - (self.generations - number))

    def batches(self, number: int) -> list[int]:
        """How many games each batch of a generation has."""
        games = self.games_of(number)
        return [min(BATCH, games - first) for first in range(0, games, BATCH)]


@dataclass(frozen=True)
class Generation:
    """The result of a generation."""

    number: int
    positions: int
    """Positions in its games."""
    errors: Errors
    """Errors of its weights on the games that were held out."""
    previous: Errors
    """Errors of the weights that played these games; in the first generation, of expecting draws."""


@dataclass(frozen=True)
class Progress:
    """The progress of a training."""

    done: tuple[Generation, ...] = ()
    games: int = 0
    """Games of the current generation that were played."""
    positions: int = 0
    """Positions in these games."""
    phases: int = 0
    """Phases whose weights are fitted."""
    epochs: int = 0
    """Epochs of the fit of a network that are done."""
    pairs: tuple[float, ...] = ()
    """The score of each pair of the validation match, from 0 to 1."""


Observer = Callable[[Progress], None]


def train(
    game: Game, options: TrainingOptions | None = None, observe: Observer | None = None, *, threads: int = 1,
    checkpoints: StrPath | None = None, validation: ValidationMatch | None = None,
    executor: Executor | None = None,
) -> Weights:
    """Trains weights for a game; `observe` gets the progress.

    With a folder for checkpoints a training that was interrupted resumes there. With a `validation` match the
    result is part of the weights. An executor plays the games if one is given, as many batches at a time as
    there are threads.

    >>> import polyversi as pv
    >>> weights = train(pv.game("othello-4"), TrainingOptions(generations=1, games=100))
    >>> weights.header.command
    'polyversi train --variant othello-4 --generations 1 --games 100 --depth 4 --seed 0'
    """
    options = options or TrainingOptions()
    if not is_supported(game):
        raise EngineError(f"{game.spec} cannot be trained: the engine plays {SUPPORTED}")
    if options.network is not None:
        check_torch()
    if validation is not None and validation.baseline is not None:
        validation.baseline.evaluation(game)    # refuses those of another game before the training
    with TemporaryDirectory() as temporary:
        written = _Checkpoints(Path(checkpoints or temporary), game, options)
        training = _Training(game, options, observe, threads, written, executor)
        weights = training.run()
        return weights if validation is None else training.validated(weights, validation)


def train_to_file(
    path: StrPath, game: Game, options: TrainingOptions, observe: Observer | None = None, *, threads: int = 1,
    validation: ValidationMatch | None = None, executor: Executor | None = None,
) -> Weights:
    """Trains weights into a file, with checkpoints in a folder next to it until it is finished."""
    path = Path(path)
    checkpoints = checkpoint_folder(path)
    if path.exists() and not checkpoints.exists():
        raise RecordError(f"{path} exists already; remove it or choose another name")
    weights = train(
        game, options, observe, threads=threads, checkpoints=checkpoints, validation=validation,
        executor=executor)
    weights.save(path)
    shutil.rmtree(checkpoints, ignore_errors=True)
    return weights


def checkpoint_folder(path: Path) -> Path:
    """The folder of the checkpoints of an unfinished training."""
    return path.with_name(f"{path.name}.steps")


class _Training:
    """One training: its generations one after another."""

    def __init__(
        self, game: Game, options: TrainingOptions, observe: Observer | None, threads: int,
        checkpoints: _Checkpoints, executor: Executor | None,
    ) -> None:
        self._game, self._options, self._threads, self._checkpoints = game, options, threads, checkpoints
        self._start = _start_of(game, options)
        self._executor = executor
        self._observe = observe or (lambda _: None)
        self._regression = Regression(game, threads)
        self._done: tuple[Generation, ...] = ()

    def run(self) -> Weights:
        weights = self._start
        newest: list[Examples] = []
        for number in range(1, self._options.generations + 1):
            parts = self._played(number, weights)
            held_out_batches = max(1, len(parts) // HELD_OUT)
            fresh, held_out = concatenated(parts[:-held_out_batches]), concatenated(parts[-held_out_batches:])
            newest = [*newest, fresh][-GENERATIONS_FITTED:]
            previous = weights
            weights = (self._checkpoints.weights(number)
                       or self._fit(number, concatenated(newest), held_out, previous))
            errors = [self._errors(held_out, of) for of in (weights, previous)]
            self._done += (Generation(number, fresh.positions + held_out.positions, *errors),)
            self._observe(Progress(self._done))
        assert weights is not None, "there is a generation"
        return weights

    def validated(self, weights: Weights, validation: ValidationMatch) -> Weights:
        """The weights with the result of a validation match."""
        scores = self._checkpoints.scores(validation)
        self._observe(Progress(self._done, pairs=tuple(scores)))
        with closing(validation.scores(self._game, weights, len(scores), threads=self._threads)) as fresh:
            for score in fresh:
                scores.append(score)
                self._checkpoints.save_scores(validation, scores)
                self._observe(Progress(self._done, pairs=tuple(scores)))
        counts = Counter(round(4 * score) for score in scores)
        pairs = (counts[0], counts[1], counts[2], counts[3], counts[4])
        result = ValidationResult(validation.against, NODES, pairs)
        return replace(weights, header=msgspec.structs.replace(weights.header, validation=result))

    def _fit(
        self, number: int, examples: Examples, held_out: Examples, previous: Weights | None
    ) -> Weights:
        """Fits the weights of a generation and writes the checkpoint."""
        options = self._options
        fitted = (self._fit_tables(number, examples) if options.network is None
                  else self._fit_network(number, examples, options.network, previous))
        games = min(MAX_CENTRING_GAMES, options.games_of(number) // GAMES_PER_CENTRING)
        weights = centred(self._game, fitted, games=games, seed=options.seed)
        errors = self._errors(held_out, weights)
        by_phase = [error and round(error, 3) for error in errors.by_phase]
        header = msgspec.structs.replace(weights.header, error=round(errors.overall, 3), errors=by_phase)
        if number == options.generations:
            probcut = fit_probcut(self._game, weights.evaluation(self._game), seed=options.seed)
            header = msgspec.structs.replace(header, probcut=probcut)
        weights = replace(weights, header=header)
        weights.save(self._checkpoints.weights_path(number))
        return weights

    def _fit_tables(self, number: int, examples: Examples) -> Weights:
        games = self._options.games_of(number)
        values = self._regression.fit(
            examples, lambda phases: self._observe(Progress(self._done, games, examples.positions, phases)))
        return TableWeights(self._header(examples), *values)

    def _fit_network(self, number: int, examples: Examples, width: int, previous: Weights | None) -> Weights:
        """A network, fitted from the one before if there is one of this width."""
        games = self._options.games_of(number)
        start = previous.network if isinstance(previous, NetworkWeights) else None
        fitted = NetworkRegression(self._game, width, self._threads).fit(
            examples,
            lambda epochs: self._observe(Progress(self._done, games, examples.positions, epochs=epochs)),
            seed=self._options.seed, start=start if start is not None and start.width == width else None,
            checkpoint=self._checkpoints.network_path(number))
        size = NetworkSize(width, HIDDEN)
        return NetworkWeights(msgspec.structs.replace(self._header(examples), network=size), fitted)

    def _header(self, examples: Examples) -> Header:
        """The header of weights that are fitted to these examples, before their errors are known."""
        tables = tables_of(self._game.board)
        return Header(
            self._game.spec, self._regression.phases,
            [(group.cells, len(group.patterns)) for group in tables.classes], tables.fingerprint,
            self._options.command(self._game.spec), date.today().isoformat(), examples.positions, 0.0, [], [],
            phase_of=phases_by_parity(self._game.board),
        )

    def _errors(self, held_out: Examples, weights: Weights | None) -> Errors:
        """The errors of weights; without weights those of expecting draws."""
        if isinstance(weights, NetworkWeights):
            regression = NetworkRegression(self._game, weights.network.width, self._threads)
            return regression.errors(held_out, weights.network)
        return self._regression.errors(held_out, _values(weights) if weights else self._regression.zeros)

    def _played(self, number: int, weights: Weights | None) -> list[Examples]:
        """The examples of each batch of a generation, from checkpoints as far as there are any."""
        played = self._checkpoints.examples(number)
        self._observe_games(number, played)
        batches = len(self._options.batches(number))
        waiting = range(len(played), batches)
        with ExitStack() as stack:
            if self._executor is not None:
                play = partial(play_batches, self._game, self._options, number, weights)
                fresh = _in_order(self._executor, play, waiting, 2 * self._threads)
            else:
                evaluation = weights.evaluation(self._game) if weights is not None else None
                pool = ThreadPoolExecutor(self._threads)
                stack.callback(pool.shutdown, cancel_futures=True)
                fresh = pool.map(partial(play_batch, self._game, self._options, number, evaluation), waiting)
            for batch in fresh:
                played.append(batch)
                self._observe_games(number, played)
                if len(played) % BATCHES_PER_CHECKPOINT == 0 or len(played) == batches:
                    self._checkpoints.save_examples(number, played)
        return played

    def _observe_games(self, number: int, played: list[Examples]) -> None:
        games = min(BATCH * len(played), self._options.games_of(number))
        self._observe(Progress(self._done, games, sum(batch.positions for batch in played)))


def _start_of(game: Game, options: TrainingOptions) -> Weights | None:
    """The weights that a training begins with, if any."""
    if options.weights is None:
        return None
    weights = load(options.weights)
    weights.evaluation(game)    # refuses those of another game
    if weights.header.phase_of != phases_by_parity(game.board):
        raise EngineError(f"{options.weights} has weights of version 1; a training begins with newer ones")
    return weights


def _values(weights: Weights) -> Values:
    """The weights as the regression has them."""
    assert isinstance(weights, TableWeights) and weights.mobility is not None, "they were trained here"
    return Values(weights.values, weights.mobility)


def play_batch(
    game: Game, options: TrainingOptions, number: int, evaluation: _core.PatternEvaluation | None, batch: int
) -> Examples:
    """Plays a batch of a generation; the result depends on its number only."""
    random = Random(f"{options.seed} {number} {batch}")
    start, seed = game.start(random.getrandbits(32)), random.getrandbits(63)
    start = random_opening(start, random)
    cells = game.board.size
    exact = min(MAX_EXACT, cells // 4)
    return Examples(*_core.self_play(
        start, evaluation, seed, options.batches(number)[batch],
        min_random_plies=MIN_RANDOM_PLIES, max_random_plies=max(MIN_RANDOM_PLIES, 5 * cells // 16),
        depth=options.depth_of(number), solve_empties=exact,
        td_lambda=1.0 if evaluation is None else TD_LAMBDA,
    ))


def play_batches(
    game: Game, options: TrainingOptions, number: int, weights: Weights | None, batches: Sequence[int]
) -> list[Examples]:
    """Plays several batches in another process, so that the weights are not sent for each."""
    evaluation = weights.evaluation(game) if weights is not None else None
    return [play_batch(game, options, number, evaluation, batch) for batch in batches]


def _in_order(
    executor: Executor, play: Callable[[Sequence[int]], list[Examples]], batches: Sequence[int], ahead: int
) -> Iterator[Examples]:
    """The results of batches, in order, with a bounded number of tasks at a time."""
    waiting: deque[Future[list[Examples]]] = deque()
    for first in range(0, len(batches), BATCHES_PER_CHECKPOINT):
        waiting.append(executor.submit(play, batches[first : first + BATCHES_PER_CHECKPOINT]))
        if len(waiting) >= ahead:
            yield from waiting.popleft().result()
    while waiting:
        yield from waiting.popleft().result()


class PlayedPairs(
    msgspec.Struct, frozen=True, tag_field="polyversi", tag="proof", forbid_unknown_fields=True
):
    """The pairs of a validation match that were played so far, as a file has them."""

    against: str
    nodes: int
    seed: int
    scores: list[Annotated[float, msgspec.Meta(ge=0, le=1, multiple_of=0.25)]]


class _Checkpoints:
    """The checkpoints of a training in a folder; the names of files and of what they hold never change."""

    def __init__(self, folder: Path, game: Game, options: TrainingOptions) -> None:
        self._folder, self._game, self._options = folder, game, options
        fingerprint = tables_of(game.board).fingerprint
        wanted: dict[str, object] = {
            "polyversi": "training", "spec": game.spec, **options.given, "patterns": fingerprint}
        try:
            folder.mkdir(exist_ok=True)
            if any(not path.name.startswith(".") for path in folder.iterdir()):    # no unfinished write
                self._compare(wanted, (folder / "training.json").read_bytes())
            else:
                write_whole(folder / "training.json", msgspec.json.encode(wanted))
        except OSError as error:
            raise RecordError(f"{folder} cannot be used: {error.strerror or error}") from None

    def _compare(self, wanted: dict[str, object], data: bytes) -> None:
        try:
            found = msgspec.json.decode(data, type=dict[str, object])
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            found = {}
        if found.keys() != wanted.keys():
            raise self._mismatch("something other than a training")
        for name, value in wanted.items():
            if found[name] != value:
                raise self._mismatch(f"a training with {name} {found[name]}, not {value}")

    def examples(self, generation: int) -> list[Examples]:
        """The batches of a generation that were written."""
        found: list[Examples] = []
        while (path := self._examples_path(generation, len(found))).exists():
            found += self._read_examples(path)
        return found

    def save_examples(self, generation: int, played: list[Examples]) -> None:
        """Writes the newest batches."""
        first = (len(played) - 1) // BATCHES_PER_CHECKPOINT * BATCHES_PER_CHECKPOINT
        sizes, packed = np.array([batch.positions for batch in played[first:]]), BytesIO()
        np.savez_compressed(packed, sizes=sizes, **concatenated(played[first:])._asdict())
        write_whole(self._examples_path(generation, first), packed.getvalue())

    def weights_path(self, generation: int) -> Path:
        """The file of the weights of a generation."""
        return self._folder / f"generation-{generation}.weights"

    def network_path(self, generation: int) -> Path:
        """The file of a network that is being fitted."""
        return self._folder / f"generation-{generation}.network"

    def weights(self, generation: int) -> Weights | None:
        """The weights of a generation, if they were written."""
        path = self.weights_path(generation)
        if not path.exists():
            return None
        weights = load(path)
        phase_of = phases_by_parity(self._game.board)
        if (weights.header.spec != self._game.spec or weights.header.phase_of != phase_of
                or weights.header.network != self._network):
            raise self._mismatch(f"weights of another training in {path.name}")
        return weights

    @property
    def _network(self) -> NetworkSize | msgspec.UnsetType:
        """The network that is fitted, as a header has it."""
        width = self._options.network
        return msgspec.UNSET if width is None else NetworkSize(width, HIDDEN)

    def scores(self, validation: ValidationMatch) -> list[float]:
        """The scores of the pairs that were played; none if that was another match."""
        path = self._folder / "proof.json"
        if not path.exists():
            return []
        try:
            found = msgspec.json.decode(path.read_bytes(), type=PlayedPairs)
        except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise self._mismatch(f"something other than a validation match in {path.name}") from None
        is_this = (found.against, found.nodes, found.seed) == (validation.against, NODES, validation.seed)
        return found.scores[: validation.pairs] if is_this else []

    def save_scores(self, validation: ValidationMatch, scores: list[float]) -> None:
        """Writes the scores of a validation match."""
        played = PlayedPairs(validation.against, NODES, validation.seed, scores)
        write_whole(self._folder / "proof.json", msgspec.json.encode(played))

    def _examples_path(self, generation: int, first: int) -> Path:
        return self._folder / f"generation-{generation}-from-batch-{first}.npz"

    def _read_examples(self, path: Path) -> list[Examples]:
        """The batches in a file."""
        try:
            with np.load(path, allow_pickle=False) as found:
                sizes, columns = found["sizes"], Examples(found["own"], found["other"], found["value"])
            ends = np.cumsum(sizes)
            lengths = {len(column) for column in columns}
            if not 0 < len(sizes) <= BATCHES_PER_CHECKPOINT or lengths != {int(ends[-1])}:
                raise ValueError("columns of different lengths")
        except (OSError, EOFError, KeyError, ValueError, TypeError, BadZipFile, zlib.error):
            raise self._mismatch(f"something other than examples in {path.name}") from None
        parts = (np.split(column, ends[:-1]) for column in columns)
        return [Examples(*batch) for batch in zip(*parts, strict=True)]

    def _mismatch(self, what: str) -> RecordError:
        return RecordError(f"{self._folder} holds {what}; choose another file or remove the folder")
