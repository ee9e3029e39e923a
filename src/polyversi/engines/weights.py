"""Weights: what the evaluation of a game knows, and their files.

They are tables, which have the value of every pattern configuration in each phase of a game, or a `Network`.

A file has three parts:

1. the line `polyversi weights 2`;
2. a line of JSON, the `Header`: for which game, which phases, which patterns, and how they were trained;
3. compressed by zlib, as 16-bit little-endian integers in units of 1/32 stone: first the values phase by
   phase. A phase has the pattern classes in the order of `pattern_classes(board)`, each with its canonical
   configurations in order; all others have the value of their canonical one. From the third phase on the
   numbers are differences from the phase two before, which has the same parity. Then the tables of mobility:
   for each number of stones, from none to as many as cells, those of `COUNTS`, with `COUNT_LIMIT` numbers
   each.

Files of version 1 are still read. They have phases of equal length, no differences and no mobility.

Files of version 3 have a network: the header tells its width and its hidden units, and the numbers are
those of `Network` in the order of its fields, of 16 bits and of 32 (the biases). Its rows are those of the
canonical configurations of all classes.
"""

from __future__ import annotations

import hashlib
import zlib
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate
from pathlib import Path
from typing import Annotated

import msgspec
import numpy as np
from numpy.typing import NDArray

from polyversi import _core
from polyversi.engines.network import Network, from_bytes, size_in_bytes
from polyversi.engines.patterns import pattern_classes
from polyversi.games.board import Board
from polyversi.games.errors import PolyversiError, RecordError
from polyversi.games.files import StrPath, read_limited, remembering, write_whole
from polyversi.games.game import Game
from polyversi.games.variants import game as game_of

SHIPPED = Path(__file__).parent / "data"
"""The weights that come with the package."""
SUFFIX = ".weights"
MAGICS = {version: b"polyversi weights %d\n" % version for version in (1, 2, 3)}
"""The first line, by version."""
UNITS_PER_STONE = 32
STONES_PER_PHASE = 4
"""How many plies a phase spans: those of one parity in between belong to another phase."""
MAX_PHASES = 40
PROBCUT_COEFFICIENTS = len(_core.probcut_features(1, 2, 1))
"""The number of coefficients of the ProbCut model."""
OLD_PROBCUT_COEFFICIENTS = 6
COUNTS = ("moves", "moves of the other seat", "potential moves", "potential moves of the other seat")
"""What the tables of mobility are about."""
MOBILITY_WEIGHTS = len(COUNTS) * _core.COUNT_LIMIT
"""How many there are for one number of stones."""
MAX_HEADER_BYTES = 10_000
MAX_FILE_BYTES = 100_000_000
"""A larger file is not a file of weights."""


class Tables:
    """The patterns of a board and where their weights are found.

    >>> from polyversi.games.board import rectangle
    >>> tables = Tables(rectangle(4, 4))
    >>> tables.configurations, tables.weights_per_phase
    (86022, 43794)
    """

    def __init__(self, board: Board) -> None:
        self.classes = pattern_classes(board)
        self.patterns: list[tuple[list[int], int]] = []
        """Each pattern with the index of its first configuration, as the core takes them."""
        self.configurations = 0
        """The configurations of all classes together."""
        for group in self.classes:
            self.patterns += [(list(cells), self.configurations) for cells in group.patterns]
            self.configurations += group.configurations

    @cached_property
    def rank(self) -> NDArray[np.int32]:
        """For each configuration, the place of its canonical one among all canonical ones."""
        firsts = accumulate((group.configurations for group in self.classes), initial=0)
        canonical = np.concatenate(
            [first + group.canonical for first, group in zip(firsts, self.classes, strict=False)])
        ranks = np.cumsum(canonical == np.arange(self.configurations), dtype=np.int32) - 1
        return np.asarray(ranks[canonical], np.int32)

    @property
    def weights_per_phase(self) -> int:
        """How many configurations are canonical."""
        return int(self.rank.max()) + 1

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the patterns: with cells in another order the weights would be meaningless."""
        return hashlib.sha256(repr(self.patterns).encode()).hexdigest()[:16]


tables_of = lru_cache(maxsize=16)(Tables)
"""The tables of a board, made once."""


def phases_by_parity(board: Board) -> list[int]:
    """The phase of each number of stones: two numbers of the same parity share one.

    >>> from polyversi.games.board import rectangle
    >>> phases_by_parity(rectangle(3, 3))
    [0, 1, 0, 1, 2, 3, 2, 3, 4, 5]
    """
    return [2 * (stones // STONES_PER_PHASE) + stones % 2 for stones in range(board.size + 1)]


def equal_phases(board: Board, phases: int) -> list[int]:
    """The phase of each number of stones, in files of version 1.

    >>> from polyversi.games.board import rectangle
    >>> equal_phases(rectangle(3, 3), 2)
    [0, 0, 0, 0, 0, 1, 1, 1, 1, 1]
    """
    return [stones * phases // (board.size + 1) for stones in range(board.size + 1)]


class ValidationResult(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The result of a validation match against other weights.

    >>> result = ValidationResult("no weights", 10_000, (0, 0, 1, 2, 1))
    >>> result.games, result.scores
    (8, [0.5, 0.75, 0.75, 1.0])
    """

    against: str
    """The other weights, in words."""
    nodes: int
    """Nodes per move, for both sides."""
    pairs: tuple[int, int, int, int, int]
    """How many pairs of games, with the same opening and seats changed, gave these weights 0, ½, 1,
    1½ and 2 points."""

    @property
    def games(self) -> int:
        """How many games were played."""
        return 2 * sum(self.pairs)

    @property
    def scores(self) -> list[float]:
        """The score of each pair, from 0 to 1, ascending."""
        return [points / 4 for points, count in enumerate(self.pairs) for _ in range(count)]


class NetworkSize(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a header says about a network."""

    width: Annotated[int, msgspec.Meta(ge=16, le=64)]
    """How many numbers a row has."""
    hidden: Annotated[int, msgspec.Meta(ge=16, le=16)]
    """How many hidden units there are."""


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a file says about its weights; the keys `doubt` and `proof` are kept for older versions."""

    spec: str
    """The game they were trained for."""
    phases: Annotated[int, msgspec.Meta(ge=1, le=MAX_PHASES)]
    patterns: list[tuple[int, int]]
    """For each class: the number of cells of a pattern, and the number of patterns."""
    fingerprint: str
    """A hash of the patterns and the order of their cells."""
    command: str
    """The command that makes the same weights again."""
    date: str
    positions: int
    """The number of positions they were trained on."""
    error: float
    """Root mean square error in stones, on games that were held out from the training."""
    errors: list[float | None]
    """The same for each phase; None for a phase without positions."""
    probcut: list[float] = msgspec.field(name="doubt")
    """The coefficients of the ProbCut model; empty where that was not fitted."""
    validation: ValidationResult | None = msgspec.field(default=None, name="proof")
    """None without a validation match."""
    phase_of: list[Annotated[int, msgspec.Meta(ge=0, lt=MAX_PHASES)]] = []
    """The phase of each number of stones; empty for phases of equal length, as in files of version 1."""
    network: NetworkSize | msgspec.UnsetType = msgspec.UNSET
    """Not there for tables: earlier versions do not know this key."""

    @property
    def version(self) -> int:
        """The version of the file."""
        if self.network:
            return 3
        return 2 if self.phase_of else 1


@dataclass(frozen=True, eq=False)
class Weights(ABC):
    """The weights of one game: `TableWeights` or `NetworkWeights`.

    >>> import polyversi as pv
    >>> weights_for(pv.game("anti")).header.phases
    33
    """

    header: Header

    def fits(self, game: Game) -> bool:
        """Whether they are for this game: same board, same goal, same moves."""
        return is_alike(game_of(self.header.spec, files=False), game)

    def evaluation(self, game: Game) -> _core.PatternEvaluation:
        """The evaluation of a game by these weights."""
        if not self.fits(game):
            raise RecordError(f"weights of {self.header.spec} do not fit {game.spec}")
        return self._evaluation(game, tables_of(game.board))

    def save(self, path: StrPath) -> None:
        """Writes the file, atomically."""
        first, header = MAGICS[self.header.version], msgspec.json.encode(self.header)
        write_whole(Path(path), [first, header, b"\n", zlib.compress(self._numbers(), 9)])

    @abstractmethod
    def _evaluation(self, game: Game, tables: Tables) -> _core.PatternEvaluation:
        """The evaluation of a game that they fit."""

    @abstractmethod
    def _numbers(self) -> bytes:
        """Their numbers as a file has them."""


@dataclass(frozen=True, eq=False)
class TableWeights(Weights):
    """Weights that are added up: one for each pattern, and one for each count of mobility.

    >>> import polyversi as pv
    >>> weights_for(pv.game("hex")).values.shape
    (16, 115074)
    """

    values: NDArray[np.int16]
    """In units of 1/32 stone: a row for each phase with the canonical configurations of all classes."""
    mobility: NDArray[np.int16] | None = None
    """In the same units: a row for each number of stones with the tables of `COUNTS`; None in version 1."""

    def _evaluation(self, game: Game, tables: Tables) -> _core.PatternEvaluation:
        full = np.ascontiguousarray(self.values[:, tables.rank]).reshape(-1)
        mobility = None if self.mobility is None else np.ascontiguousarray(self.mobility).reshape(-1)
        phase_of = self.header.phase_of or equal_phases(game.board, self.header.phases)
        return _core.PatternEvaluation(
            game.start(), tables.patterns, phase_of, full, mobility, self.header.probcut)

    def _numbers(self) -> bytes:
        numbers = self.values.copy()
        if self.mobility is not None:
            numbers[2:] -= self.values[:-2]
        parts = [numbers, *([] if self.mobility is None else [self.mobility])]
        return b"".join(part.astype("<i2").tobytes() for part in parts)


@dataclass(frozen=True, eq=False)
class NetworkWeights(Weights):
    """Weights that are a network."""

    network: Network

    def _evaluation(self, game: Game, tables: Tables) -> _core.PatternEvaluation:
        network = self.network
        return _core.PatternEvaluation.of_network(
            game.start(), tables.patterns, self.header.phase_of, network.pattern_rows[tables.rank],
            network.mobility_rows, network.stones_rows, network.hidden_weights, network.output_weights,
            network.skip_weights, network.hidden_biases, network.output_biases, self.header.probcut)

    def _numbers(self) -> bytes:
        return self.network.to_bytes()


def is_alike(one: Game, other: Game) -> bool:
    """Whether two games differ in nothing but where the first stones lie.

    >>> import polyversi as pv
    >>> is_alike(pv.game("othello"), pv.game("othello:start=parallel"))
    True
    >>> is_alike(pv.game("othello"), pv.game("anti"))
    False
    """
    def rules(game: Game) -> tuple[object, ...]:
        board, its = game.board, game.definition
        return board.layout, board.coordinates, board.links, its.goal, its.seats, its.passing, its.placing

    return rules(one) == rules(other)


def load(path: StrPath) -> Weights:
    """Reads the weights in a file; a RecordError says why that is not possible."""
    path = Path(path)
    header, tables, packed = _read(path)
    return (_network if header.network else _tables)(path, header, tables, packed)


def _tables(path: Path, header: Header, tables: Tables, packed: bytes) -> TableWeights:
    patterns, rows = header.phases * tables.weights_per_phase, len(header.phase_of)
    count = patterns + rows * MOBILITY_WEIGHTS
    data = _unpacked(path, packed, 2 * count, f"{count:,} numbers")
    numbers = np.frombuffer(data, "<i2").astype(np.int16)
    values = numbers[:patterns].reshape(header.phases, -1)
    if not header.phase_of:
        return TableWeights(header, values)
    for phase in range(2, header.phases):
        values[phase] += values[phase - 2]
    return TableWeights(header, values, numbers[patterns:].reshape(rows, -1))


def _network(path: Path, header: Header, tables: Tables, packed: bytes) -> NetworkWeights:
    assert header.network
    sizes = (tables.weights_per_phase, len(header.phase_of) - 1, header.phases, header.network.width)
    size = size_in_bytes(*sizes)
    data = _unpacked(path, packed, size, f"{size:,} bytes of numbers")
    try:
        return NetworkWeights(header, from_bytes(data, *sizes))
    except RecordError as error:
        raise _no_weights(path, str(error)) from None


def _unpacked(path: Path, packed: bytes, size: int, what: str) -> bytes:
    """The numbers of a file, which must be so many bytes and no more."""
    unpacking = zlib.decompressobj()
    try:
        data = unpacking.decompress(packed, size + 1)
    except zlib.error as error:
        raise _no_weights(path, f"its numbers cannot be unpacked ({error})") from None
    if len(data) != size or not unpacking.eof or unpacking.unused_data:
        raise _no_weights(path, f"it should have {what} and nothing after them")
    return data


def evaluation_for(game: Game, folder: Path = SHIPPED) -> _core.PatternEvaluation | None:
    """The evaluation of a game by the weights of a folder that fit it, if any."""
    found = weights_for(game, folder)
    return None if found is None else found.evaluation(game)


def weights_for(game: Game, folder: Path = SHIPPED) -> Weights | None:
    """The weights of a folder that fit a game, if any."""
    fitting = (path for path, trained_for in _games_of(folder).items() if is_alike(trained_for, game))
    return next(map(cached, fitting), None)


@lru_cache(maxsize=8)
def _games_of(folder: Path) -> dict[Path, Game]:
    """The files of weights in a folder, each with the game it is for."""
    return {path: game_of(_read(path)[0].spec, files=False) for path in sorted(folder.glob(f"*{SUFFIX}"))}


cached = remembering(load)
"""The weights in a file, read again only when the file has changed."""


def _read(path: Path) -> tuple[Header, Tables, bytes]:
    """The header of a file, the tables that it is about, and the packed numbers."""
    data = read_limited(path, MAX_FILE_BYTES, "weights")
    version = next((version for version, magic in MAGICS.items() if data.startswith(magic)), None)
    if version is None:
        raise _no_weights(path, f"it does not begin with the line '{MAGICS[2].decode().strip()}'")
    line, _, packed = data[len(MAGICS[version]) :].partition(b"\n")
    try:
        header = msgspec.json.decode(line[:MAX_HEADER_BYTES], type=Header)
        game = game_of(header.spec, files=False)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, PolyversiError) as error:
        raise _no_weights(path, f"its second line cannot be read, {error}") from None
    if game.kernel == "graph":
        raise _no_weights(path, f"the engine does not play {game.spec}")
    if len(header.probcut) not in (0, OLD_PROBCUT_COEFFICIENTS, PROBCUT_COEFFICIENTS):
        raise _no_weights(
            path, f"its ProbCut model has {len(header.probcut)} numbers, not {PROBCUT_COEFFICIENTS}")
    tables = tables_of(game.board)
    if header.fingerprint != tables.fingerprint:
        raise RecordError(
            f"the weights in {path} are for older patterns of {game.spec}; train them again "
            f"with `{header.command}`"
        )
    if header.version != version or (header.version > 1 and (
            len(header.phase_of) != game.board.size + 1 or max(header.phase_of) != header.phases - 1)):
        raise _no_weights(path, "its phases do not fit its board and version")
    return header, tables, packed


def _no_weights(path: Path, why: str) -> RecordError:
    return RecordError(f"{path} is not a file of weights: {why}")
