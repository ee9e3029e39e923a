"""Sources: the games and positions in a file, a position, moves or a variant given on the command line."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path

from polyversi import records
from polyversi.games.errors import RecordError
from polyversi.games.files import StrPath
from polyversi.games.game import Game
from polyversi.games.variants import game as named
from polyversi.records import problems, transcript
from polyversi.records.formats import Item
from polyversi.records.problems import Problem

MOVES = re.compile(
    r"\s*(?:1\s*[.):]\s*)?(?:(?:--|pass)\s*)?(?:[a-z][1-9]|[1-9]{2}\b)", re.IGNORECASE | re.ASCII)
"""How moves begin; no variant and no position begins like that."""
POSITION = re.compile(r"[-._*XxOoBbWw]{9,}(;.*)?|\S+\s.*", re.DOTALL)
"""What can only be a position: stones, with no more than a problem's answers after them, or words."""
MAX_PROBLEMS = 10_000
"""Positions of a problem file that are solved together."""


def parse_source(words: str, game: Game | None = None) -> Iterator[Item]:
    """The items of a source; `game` is that of moves, positions and files that do not name one.

    >>> [item.state.text for item in parse_source("othello-4")]
    ['-----OX--XO----- X']
    >>> [item.final.text for item in parse_source("b1 a1", named("othello-4"))]
    ['OX---OX--XO----- X']
    >>> [item.expected for item in parse_source("-----OX--XO----- X; b1:-8")]
    [-8]
    """
    if is_file(words):
        yield from records.read(Path(words), game=game)
    elif MOVES.match(words):
        yield transcript.parse(words, game.start() if game else None)
    elif POSITION.fullmatch(words):
        yield problems.parse(words, game)
    else:
        yield Problem(named(words).start())


def is_file(words: str) -> bool:
    """Whether a file is meant, one that there is or one that there should be.

    >>> is_file("games.ggf"), is_file("othello-6")
    (True, False)
    """
    path = Path(words)
    endings = {suffix for chosen in records.FORMATS.values() for suffix in chosen.suffixes}
    with suppress(OSError, ValueError):    # no file has a name as long as that, or with such characters
        return path.is_file() or path.suffix.lower() in endings or (os.sep in words and ":" not in words)
    return False


def read_problems(source: StrPath, game: Game | None = None) -> list[Problem]:
    """The problems of a file, all of them or none: the first line that cannot be read is raised.

    Files like .obf and .script do not name the game: it is Othello on a square board with as many cells,
    unless `game` says otherwise.

    >>> read_problems(Path("nowhere.obf"))
    Traceback (most recent call last):
    polyversi.games.errors.RecordError: nowhere.obf cannot be opened: No such file or directory
    """
    path = Path(source)
    format = problems.FORMAT.name if path.suffix.lower() in problems.FORMAT.suffixes else None
    found = list(islice(records.positions(path, format, game=game), MAX_PROBLEMS + 1))
    if len(found) > MAX_PROBLEMS:
        raise RecordError(f"{path.name} holds more than {MAX_PROBLEMS:,} problems; solve it in parts")
    if not found:
        raise RecordError(f"{path.name} holds no problem; one is a line such as '-----OX--XO----- X; b1:-8'")
    return found
