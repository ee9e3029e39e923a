"""Sources: the games and positions in a file, a position, moves or a variant given on the command line."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from polyversi import records
from polyversi.games.game import Game
from polyversi.games.variants import game as named
from polyversi.records import positions, transcript
from polyversi.records.formats import Item
from polyversi.records.positions import Problem

MOVES = re.compile(
    r"\s*(?:1\s*[.):]\s*)?(?:(?:--|pass)\s*)?(?:[a-z][1-9]|[1-9]{2}\b)", re.IGNORECASE | re.ASCII)
"""How moves begin; no variant and no position begins like that."""
POSITION = re.compile(r"[-._*XxOoBbWw]{9,}(;.*)?|\S+\s.*", re.DOTALL)
"""What can only be a position: stones, with no more than a problem's answers after them, or words."""


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
        yield positions.parse(words, game)
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
