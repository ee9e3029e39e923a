"""Transcripts: the moves of a game run together, `f5d6c3…`, as players paste them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import BinaryIO

from polyversi.games.board import Board
from polyversi.games.errors import NotationError, PolyversiError, RecordError
from polyversi.games.state import State
from polyversi.games.variants import game
from polyversi.records.formats import (
    MAX_LINE,
    Context,
    Format,
    Item,
    as_text,
    by_lines,
    numbered_lines,
    only_game,
    parse_each,
)
from polyversi.records.line import Line
from polyversi.records.record import Record

COMMENTS = ("#", "%")
CONTINUED = re.compile(r"\s*(?!1\b)\d{1,4}\s*[.):]", re.ASCII)
"""A line that begins with the number of a later move goes on with the game above."""
STARTS = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:1\s*[.):]?\s*)?(?:[a-z][1-9]|[0-9]{1,2},[0-9]|--|p[as]|[1-9]{2}\b)",
    re.IGNORECASE,
)


def parse(text: str, start: State | None = None) -> Record:
    """Reads one game, from the start of Othello unless another start is given.

    >>> str(parse("F5 d6 c3").moves[0]), len(parse("1. f5 d6  2. c3 d3").moves)
    ('f5', 4)
    """
    if start is None:
        start = game("othello").start()
    line = Line(start)
    line.follow_all(_words(text, start.game.board))
    if not line.moves:
        raise NotationError("there is no move in this text; write moves as in 'f5d6c3'")
    return Record(start, tuple(line.moves))


def write(record: Record) -> str:
    """The moves as text; forced passes are left out, since they follow from the moves.

    >>> write(parse("F5 D6 C3"))
    'f5d6c3'
    """
    if record.game.board.notation == "pairs":
        return " ".join(map(str, record.moves))
    pass_word = "--" if record.game.definition.passing == "free" else ""
    return "".join(pass_word if move.is_pass else str(move) for move in record.moves)


def _words(text: str, board: Board) -> list[str]:
    pattern = _pattern(board.notation == "pairs", board.height > 9, board.has_numbers)
    words, place = [], 0
    while place < len(text):
        match = pattern.match(text, place)
        if match is None:
            raise NotationError(
                f"'{text[place : place + 20].strip()}' (character {place + 1}) does not begin with a move; "
                f"write moves as in '{board.name(0)}' and passes as '--'"
            )
        place = match.end()
        if match["move"]:
            words.append(match["move"])
    return words


@lru_cache(maxsize=8)
def _pattern(pairs: bool, tall: bool, numbers: bool) -> re.Pattern[str]:
    """One move, or what may stand between moves: blanks, commas, move numbers."""
    if pairs:
        move, between = r"[0-9]{1,2},[0-9]{1,2}(?::[0-9]{1,2})?(?![0-9])", r"[\s;|]+"
    else:
        row = "[1-9][0-9]?" if tall else "[1-9]"
        move, between = rf"[a-z]{row}", r"[\s,;|]+"
        if numbers:
            move += r"|(?<![0-9])[1-9][1-9](?![0-9.):])"
    count = r"[0-9]{1,4}\s*[.):]|(?:(?<=\s)|\A)[0-9]{1,4}(?=[\sa-z])"
    return re.compile(rf"(?P<move>(?:pass|pa|ps)(?![0-9])|--|{move})|{between}|{count}",
                      re.IGNORECASE | re.ASCII)


def _decode(stream: BinaryIO, context: Context) -> Iterator[Item]:
    start = (context.game or game("othello")).start()
    return parse_each(_games(stream, context), lambda text: parse(text, start), context)


def _games(stream: BinaryIO, context: Context) -> Iterator[tuple[int, str]]:
    """The text of each game with the number of its first line."""
    parts: list[str] = []
    first = size = 0
    for number, line in numbered_lines(stream):
        try:
            text = as_text(line)
        except PolyversiError as error:
            context.failed(RecordError(f"line {number}: {error}"))
            continue
        if not text.strip() or text.lstrip().startswith(COMMENTS):
            continue
        size += len(text)
        if parts and CONTINUED.match(text) and size <= MAX_LINE:
            parts.append(text)
            continue
        if parts:
            yield first, "".join(parts)
        first, parts, size = number, [text], len(text)
    if parts:
        yield first, "".join(parts)


def _fit(item: Item) -> Record:
    """The game as it comes back when it is read again: its moves, without forced passes at the end."""
    record = only_game(item, "a transcript", from_start=True)
    if not (text := write(record)):
        raise RecordError("a transcript cannot hold a game without moves")
    return parse(text, record.start)


FORMAT = Format(
    name="transcript",
    suffixes=(".txt", ".transcript"),
    sentence="The moves of a game on each line, f5d6c3…; any variant, but only the moves.",
    looks=lambda head: STARTS.match(head) is not None,
    decode=_decode,
    fit=_fit,
    encode=by_lines(write),
    pasted="moves such as f5d6c3",
)
