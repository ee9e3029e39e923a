"""Weights: what the contents of patterns are worth in each phase of a game, and the files they are kept in.

A file has three parts, one after the other:

1. the line `polyversi weights 1`;
2. a line of JSON, the `Header`: for which game, how many phases, which patterns, and how they were learned;
3. compressed by zlib: the values of the first phase, then those of the second, and so on, each in two bytes,
   the lower one first, in parts of a stone. A phase has its families in the order of `families(board)`, each
   with its canonical contents in their order; all others are worth what their canonical one is.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import msgspec
import numpy as np
from numpy.typing import NDArray

from polyversi import _core
from polyversi.engines.patterns import Family, families
from polyversi.games.errors import PolyversiError, RecordError
from polyversi.games.files import write_whole
from polyversi.games.variants import game as game_of

if TYPE_CHECKING:
    from polyversi.games.board import Board
    from polyversi.games.game import Game

SHIPPED = Path(__file__).parent / "data"
"""The weights that come with the package."""
SUFFIX = ".weights"
MAGIC = b"polyversi weights 1\n"
PARTS_OF_A_STONE = 32
STONES_A_PHASE = 4
MOST_PHASES = 20
MOST_CELLS = 64
DOUBTS = len(_core.doubt_features(1, 2, 1))
"""Numbers that say how far shallow searches differ from deep ones."""
LONGEST_HEADER = 10_000
LARGEST_FILE = 100_000_000
"""Bytes of a file of weights; a larger one holds something else."""


class Tables:
    """The patterns of a board and where the weights of what lies in them are found.

    >>> from polyversi.games.board import rectangle
    >>> tables = Tables(families(rectangle(4, 4)))
    >>> tables.contents, tables.kept
    (86022, 43794)
    """

    def __init__(self, found: Sequence[Family]) -> None:
        self.families = tuple(found)
        self.patterns: list[tuple[list[int], int]] = []
        """Each pattern with the number of its first content, as the core takes them."""
        self.contents = 0
        """Of all families."""
        for family in self.families:
            self.patterns += [(list(cells), self.contents) for cells in family.patterns]
            self.contents += family.contents

    @cached_property
    def rank(self) -> NDArray[np.int32]:
        """For each content the place of its canonical one among the canonical ones."""
        ranks, kept = [], 0
        for family in self.families:
            is_kept = family.canonical == np.arange(family.contents)
            ranks.append((np.cumsum(is_kept) - 1 + kept)[family.canonical])
            kept += int(is_kept.sum())
        return np.concatenate(ranks).astype(np.int32)

    @property
    def kept(self) -> int:
        """How many contents are canonical: so many weights has a phase."""
        return int(self.rank.max()) + 1

    @cached_property
    def fingerprint(self) -> str:
        """Tells these patterns from others: weights mean nothing with cells in another order."""
        return hashlib.sha256(repr(self.patterns).encode()).hexdigest()[:16]


@lru_cache(maxsize=16)
def tables_of(board: Board) -> Tables:
    """The tables of a board."""
    return Tables(families(board))


def phases_of(board: Board) -> int:
    """How many phases a game is divided into, by the stones that lie on the board.

    >>> from polyversi.games.board import rectangle
    >>> phases_of(rectangle(8, 8)), phases_of(rectangle(4, 4))
    (16, 4)
    """
    return max(1, round((board.size + 1) / STONES_A_PHASE))


class Proof(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What came of a match against the weights before.

    >>> proof = Proof("no weights", 10_000, (0, 0, 1, 2, 1))
    >>> proof.games, proof.scores
    (8, [0.5, 0.75, 0.75, 1.0])
    """

    against: str
    """What the other side went by."""
    nodes: int
    """Positions that either side looked at before each move."""
    pairs: tuple[int, int, int, int, int]
    """Of how many pairs of games, with one opening and changed seats, these weights had 0, ½, 1, 1½ and 2
    points."""

    @property
    def games(self) -> int:
        """How many were played."""
        return 2 * sum(self.pairs)

    @property
    def scores(self) -> list[float]:
        """What these weights had of each pair, from 0 to 1, in order of size."""
        return [points / 4 for points, count in enumerate(self.pairs) for _ in range(count)]


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a file says of its weights."""

    spec: str
    """The game they were learned in."""
    phases: int
    patterns: list[tuple[int, int]]
    """Of each family the cells of a pattern, and how many patterns there are."""
    fingerprint: str
    """Of the patterns and the order of their cells."""
    command: str
    """What makes the same weights again."""
    date: str
    positions: int
    """From how many they were learned."""
    error: float
    """Stones, root mean square, by which they miss the ends of games that they were not learned from."""
    errors: list[float | None]
    """The same for each phase; None where no such position was."""
    doubt: list[float]
    """By how much shallow searches with these weights differ from deep ones, as the core takes it; none where
    that was not measured."""
    proof: Proof | None = None
    """That they win more games than others, or do not; None where it was not played out."""


@dataclass(frozen=True, eq=False)
class Weights:
    """The weights of one game."""

    header: Header
    values: NDArray[np.int16]
    """In parts of a stone: a row for each phase with the canonical contents of all families."""

    def fits(self, game: Game) -> bool:
        """Whether they tell something about another game: same board, same goal, same moves."""
        return is_alike(game_of(self.header.spec, files=False), game)

    def evaluation(self, game: Game) -> _core.LearnedEvaluation:
        """What positions of a game are worth by these weights."""
        if not self.fits(game):
            raise RecordError(f"weights of {self.header.spec} say nothing about {game.spec}")
        tables = tables_of(game.board)
        full = np.ascontiguousarray(self.values[:, tables.rank]).reshape(-1)
        return _core.LearnedEvaluation(
            game.start(), tables.patterns, self.header.phases, full, self.header.doubt)

    def save(self, path: Path) -> None:
        """Writes the file; it is there whole or not at all."""
        packed = zlib.compress(self.values.astype("<i2").tobytes(), 9)
        try:
            write_whole(path, [MAGIC, msgspec.json.encode(self.header), b"\n", packed])
        except OSError as error:
            raise RecordError(f"{path} cannot be written: {error.strerror or error}") from None


def is_alike(one: Game, other: Game) -> bool:
    """Whether two games differ in nothing but where the first stones lie.

    >>> import polyversi as pv
    >>> is_alike(pv.game("othello"), pv.game("othello:start=parallel"))
    True
    >>> is_alike(pv.game("othello"), pv.game("anti"))
    False
    """
    def rules(game: Game) -> tuple[object, ...]:
        board, definition = game.board, game.definition
        moves = (definition.seats, definition.passing, definition.placing)
        return (board.layout, board.coordinates, board.links, definition.goal, *moves)

    return rules(one) == rules(other)


def load(path: Path) -> Weights:
    """The weights in a file; a RecordError says why there are none."""
    with _opened(path) as stream:
        header, tables = _read_header(path, stream)
        packed = stream.read(LARGEST_FILE + 1)
    if len(packed) > LARGEST_FILE:
        raise RecordError(f"{path} is too large for a file of weights")
    count = header.phases * tables.kept
    unpacking = zlib.decompressobj()
    try:
        data = unpacking.decompress(packed, 2 * count + 1)
    except zlib.error as error:
        raise _no_weights(path, f"its numbers cannot be unpacked ({error})") from None
    if len(data) != 2 * count or not unpacking.eof or unpacking.unused_data:
        raise _no_weights(path, f"it should have {count:,} numbers and nothing after them")
    return Weights(header, np.frombuffer(data, "<i2").astype(np.int16).reshape(header.phases, -1))


def evaluation_for(game: Game, folder: Path = SHIPPED) -> _core.LearnedEvaluation | None:
    """What positions of a game are worth by the weights of a folder that fit it, if there are any.

    >>> import polyversi as pv
    >>> evaluation_for(pv.game("othello:width=7,height=4")) is None
    True
    """
    found = weights_for(game, folder)
    return None if found is None else found.evaluation(game)


def weights_for(game: Game, folder: Path = SHIPPED) -> Weights | None:
    """The weights of a folder that fit a game, if there are any.

    >>> import polyversi as pv
    >>> weights_for(pv.game("othello:start=parallel")).header.spec
    'othello'
    """
    for path, learned_in in _games_of(folder).items():
        if is_alike(learned_in, game):
            return loaded(path)
    return None


@lru_cache(maxsize=8)
def _games_of(folder: Path) -> dict[Path, Game]:
    """The files of weights in a folder, each with the game it is for."""
    found = {}
    for path in sorted(folder.glob(f"*{SUFFIX}")):
        with _opened(path) as stream:
            found[path] = game_of(_read_header(path, stream)[0].spec, files=False)
    return found


def loaded(path: Path) -> Weights:
    """The weights in a file, which is read once for as long as it stays the same."""
    try:
        about = path.stat()
    except (OSError, ValueError):
        return load(path)    # which says why there are none
    return _loaded(path, (about.st_dev, about.st_ino, about.st_mtime_ns, about.st_size))


@lru_cache(maxsize=8)
def _loaded(path: Path, stamp: tuple[int, ...]) -> Weights:  # noqa: ARG001 tells a file from its successor
    return load(path)


def _opened(path: Path) -> BinaryIO:
    try:
        if path.exists() and not path.is_file():
            raise OSError("it is no ordinary file")
        return path.open("rb")
    except (OSError, ValueError) as error:    # a ValueError for a name with a zero byte
        reason = getattr(error, "strerror", None) or error
        raise RecordError(f"the weights in {path} cannot be read: {reason}") from None


def _read_header(path: Path, stream: BinaryIO) -> tuple[Header, Tables]:
    """The first two lines of a file, and the patterns that they are about."""
    if stream.read(len(MAGIC)) != MAGIC:
        raise _no_weights(path, f"it does not begin with the line '{MAGIC.decode().strip()}'")
    line = stream.readline(LONGEST_HEADER)
    try:
        header = msgspec.json.decode(line, type=Header)
        game = game_of(header.spec, files=False)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, PolyversiError) as error:
        raise _no_weights(path, f"its second line cannot be read, {error}") from None
    if not line.endswith(b"\n") or not 1 <= header.phases <= MOST_PHASES or game.board.size > MOST_CELLS:
        raise _no_weights(
            path, f"its board has more than {MOST_CELLS} cells, or it has not 1 to {MOST_PHASES} phases")
    if header.doubt and len(header.doubt) != DOUBTS:
        raise _no_weights(path, f"its doubt has {len(header.doubt)} numbers, not {DOUBTS}")
    tables = tables_of(game.board)
    if header.fingerprint != tables.fingerprint:
        raise RecordError(
            f"the weights in {path} are for other patterns than those of {game.spec} today; learn them again "
            f"with `{header.command}`"
        )
    return header, tables


def _no_weights(path: Path, why: str) -> RecordError:
    return RecordError(f"{path} holds no weights: {why}")
