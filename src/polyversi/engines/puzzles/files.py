"""Puzzle files: JSON Lines with a header, and the puzzles that come with the package."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache, partial
from pathlib import Path
from random import Random
from typing import Annotated, Literal, TypeVar

import msgspec

from polyversi.engines.puzzles.model import KINDS, MAX_STEPS, Answer, Kind, Puzzle, Step, states_of
from polyversi.engines.search import EngineError, is_supported
from polyversi.games.board import shorten
from polyversi.games.errors import PolyversiError, RecordError
from polyversi.games.files import StrPath, read_limited
from polyversi.games.game import Game
from polyversi.games.state import State
from polyversi.games.variants import game as game_of

SHIPPED = Path(__file__).parent.parent / "data" / "puzzles"
"""The puzzles that come with the package: a file for each game, named after it."""
SUFFIX = ".jsonl"
VERSION = 1
"""Goes up when a file can no longer be read by programs that know the version before."""
MAX_FILE_BYTES = 20_000_000
MAX_LINE_BYTES = 16_384
MAX_PUZZLES = 10_000
CELLS = 64
"""No board with an engine has more."""

Text = Annotated[str, msgspec.Meta(max_length=400)]
Word = Annotated[str, msgspec.Meta(max_length=8)]
Value = Annotated[int, msgspec.Meta(ge=-CELLS, le=CELLS)]
Count = Annotated[int, msgspec.Meta(ge=0, le=CELLS)]
Natural = Annotated[int, msgspec.Meta(ge=0, lt=2**53)]
T = TypeVar("T")


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of a file: what its puzzles are of, and how they were made."""

    polyversi: Literal["puzzles"]
    version: int
    game: Text
    seed: Natural
    command: Text
    """The command that makes the same puzzles again."""
    date: Text


class _Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A move to be found: after how many moves of the line, and every move with its value and best reply."""

    ply: Annotated[int, msgspec.Meta(ge=0, le=2 * CELLS)]
    answers: Annotated[list[tuple[Word, Value, Word]], msgspec.Meta(min_length=2, max_length=CELLS + 1)]


class _Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A puzzle as its line has it."""

    polyversi: Literal["puzzle"]
    kind: Kind
    position: Text
    line: Annotated[list[Word], msgspec.Meta(min_length=1, max_length=3 * CELLS)]
    steps: Annotated[list[_Step], msgspec.Meta(min_length=1, max_length=MAX_STEPS)]
    plies: Count
    lure: Count
    number: Natural


@dataclass(frozen=True)
class PuzzleFile:
    """What a file holds."""

    header: Header
    game: Game
    puzzles: tuple[Puzzle, ...]


def header_line(game: Game, seed: int, command: str, date: str) -> str:
    """The first line of a file."""
    return msgspec.json.encode(Header("puzzles", VERSION, game.spec, seed, command, date)).decode()


def puzzle_line(puzzle: Puzzle) -> str:
    """The line of a puzzle.

    >>> import polyversi as pv
    >>> puzzle = pv.puzzles("othello")[0]
    >>> parse_line(puzzle_line(puzzle), puzzle.game) == puzzle
    True
    """
    states = puzzle.states
    steps = [
        _Step(states.index(step.state),
              [(str(one.move), one.value, str(one.reply or "")) for one in step.answers])
        for step in puzzle.steps
    ]
    line = _Line("puzzle", puzzle.kind, puzzle.state.text, [*map(str, puzzle.line)], steps, puzzle.plies,
                 puzzle.lure, puzzle.number)
    return msgspec.json.encode(line).decode()


def parse_line(text: str | bytes, game: Game) -> Puzzle:
    """Reads the line of a puzzle; a RecordError says what is wrong with it."""
    line = _decoded(text, _Line)
    if line.steps[0].ply != 0:
        raise RecordError("the first move to be found is not the first of the line")
    moves = tuple(game.move(word) for word in line.line)
    states = states_of(game.position(line.position), moves)
    steps = tuple(_step(step, states) for step in line.steps)
    return Puzzle(line.kind, moves, steps, line.plies, line.lure, line.number)


def _step(step: _Step, states: tuple[State, ...]) -> Step:
    if step.ply >= len(states):
        raise RecordError(f"the line has {len(states) - 1} moves; there is nothing to find after {step.ply}")
    state = states[step.ply]
    move = state.game.move
    return Step(state, tuple(
        Answer(move(word), value, move(reply) if reply else None) for word, value, reply in step.answers))


def parse(data: bytes) -> PuzzleFile:
    """Reads the contents of a file; a RecordError says in which line something is wrong.

    >>> parse(b'{"polyversi":"puzzles","version":9}')
    Traceback (most recent call last):
    polyversi.games.errors.RecordError: line 1: the file is of version 9; this program reads version 1
    """
    lines = _lines(data)
    header = _located(1, lambda: _header(next(lines, b"")))
    game = _located(1, lambda: _game(header.game))
    found: dict[str, int] = {}
    puzzles: list[Puzzle] = []
    for number, line in enumerate(lines, 2):
        puzzle = _located(number, partial(parse_line, line, game))
        if puzzle.key in found:
            raise RecordError(f"line {number}: this is the puzzle of line {found[puzzle.key]} again, perhaps "
                              "seen from another side")
        found[puzzle.key] = number
        puzzles.append(puzzle)
        if len(puzzles) > MAX_PUZZLES:
            raise RecordError(f"a file may have {MAX_PUZZLES:,} puzzles, and this one has more")
    return PuzzleFile(header, game, tuple(puzzles))


def _lines(data: bytes) -> Iterator[bytes]:
    for number, line in enumerate(data.removesuffix(b"\n").split(b"\n"), 1):
        if len(line) > MAX_LINE_BYTES:
            raise RecordError(f"line {number} is too long; it may have {MAX_LINE_BYTES:,} bytes")
        yield line


def _located(number: int, work: Callable[[], T]) -> T:
    """The result of reading a line; an error says which line it was."""
    try:
        return work()
    except PolyversiError as error:
        raise RecordError(f"line {number}: {error}") from None


def _header(line: bytes) -> Header:
    version = _decoded(line, _Version)
    if version.polyversi != "puzzles":
        raise RecordError("this is not a file of puzzles; `polyversi puzzles make` writes one")
    if version.version != VERSION:
        raise RecordError(
            f"the file is of version {version.version}; this program reads version {VERSION}")
    return _decoded(line, Header)


class _Version(msgspec.Struct):
    """What the first line of every version has."""

    polyversi: str = ""
    version: int = 0


def _game(spec: str) -> Game:
    game = game_of(spec, files=False)
    if not is_supported(game):
        raise RecordError(f"there can be no puzzles of {shorten(spec)}: the solver does not support it")
    return game


def _decoded(text: str | bytes, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(text, type=kind)
    except msgspec.ValidationError as error:
        fault, _, place = str(error).replace("`", "").partition(" - at $")
        raise RecordError(f"{place.removeprefix('.') or 'the line'}: {fault[0].lower()}{fault[1:]}") from None
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise RecordError(f"this is not JSON: {error}") from None


def read(path: StrPath) -> PuzzleFile:
    """Reads a file; a RecordError says why that is not possible."""
    path = Path(path)
    try:
        return parse(read_limited(path, MAX_FILE_BYTES, "puzzles"))
    except RecordError as error:
        raise error if str(path) in str(error) else RecordError(f"{path.name}, {error}") from None


def shipped_games() -> list[str]:
    """The games of which puzzles come with the package, the best known first.

    >>> "othello" in shipped_games()
    True
    """
    specs = (path.stem for path in SHIPPED.glob(f"*{SUFFIX}"))
    return sorted(specs, key=lambda spec: (spec != "othello", spec))


@lru_cache(maxsize=32)
def _shipped(spec: str) -> tuple[Puzzle, ...]:
    return read(SHIPPED / f"{spec}{SUFFIX}").puzzles


def daily(found: Sequence[Puzzle], day: date) -> Puzzle:
    """The puzzle of a day: the same for everybody, and none comes again before all others have been there.

    >>> from datetime import date, timedelta
    >>> import polyversi as pv
    >>> found, day = pv.puzzles("othello"), date(2026, 11, 18)
    >>> week = [daily(found, day + timedelta(number)) for number in range(7)]
    >>> week[0] == daily(found, day), len({puzzle.id for puzzle in week}) >= 6
    (True, True)
    """
    lap, place = divmod(day.toordinal(), len(found))
    return found[Random(f"{found[0].game.spec} {lap}").sample(range(len(found)), len(found))[place]]


def puzzles(game: Game | str, *, kind: Kind | None = None, grade: int | None = None) -> tuple[Puzzle, ...]:
    """The puzzles of a game that come with the package: all, or those of a kind or a grade.

    >>> import polyversi as pv
    >>> puzzle = pv.puzzles("othello", kind="win", grade=1)[0]
    >>> puzzle.kind, puzzle.grade, [answer.value > 0 for answer in puzzle.steps[0].answers][:3]
    ('win', 1, [True, False, False])
    """
    if kind is not None and kind not in KINDS:
        raise EngineError(f"there is no kind '{shorten(str(kind))}' of puzzles; there are {', '.join(KINDS)}")
    spec = game.spec if isinstance(game, Game) else game_of(game).spec
    if spec not in shipped_games():
        raise EngineError(f"there are no puzzles of {spec}; there are some of {', '.join(shipped_games())}")
    return tuple(puzzle for puzzle in _shipped(spec)
                 if kind in (None, puzzle.kind) and grade in (None, puzzle.grade))
