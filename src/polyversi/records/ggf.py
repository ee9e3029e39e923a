"""GGF, the Generic Game Format of game servers: `(;GM[Othello]PB[…]PW[…]TY[8]BO[8 …]B[f5//0.12]W[d6]…;)`."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache, reduce
from typing import BinaryIO

from polyversi.games.errors import PolyversiError, RecordError
from polyversi.games.game import Game
from polyversi.games.state import State
from polyversi.games.variants import game as named
from polyversi.records.formats import (
    MAX_LINE,
    Context,
    Format,
    Item,
    by_lines,
    numbered_lines,
    only_game,
    parse_each,
)
from polyversi.records.line import Line
from polyversi.records.record import Note, Outcome, Record, credited_margin, read_move

Properties = list[tuple[str, str]]

SPECIAL = re.compile(r"\\.|\[|\]|\(;|;\s*\)", re.DOTALL)
"""What a scan for the ends of games stops at."""
PROPERTY = re.compile(r"\s*([A-Za-z]{1,16})\s*\[([^\]\\]*(?:\\.[^\]\\]*)*)\]", re.DOTALL)
FRAME = re.compile(r"\s*\(;(.*);\s*\)\s*", re.DOTALL)
ESCAPED = re.compile(r"\\(.)", re.DOTALL)
TO_ESCAPE = re.compile(r"[\\\]]")
BOARD = re.compile(r"\s*([0-9]{1,3})\s+([-*OXox.\s]+)", re.ASCII)
NUMBER = re.compile(r"[+-]?(?:[0-9]{1,9}(?:\.[0-9]{0,9})?|\.[0-9]{1,9})", re.ASCII)
CLOCK = re.compile(r"(?:[0-9]{1,6}:){1,3}[0-9]{1,2}(?:\.[0-9]{0,9})?", re.ASCII)
RESULT = re.compile(r"(\?|[+-]?[0-9]{1,9}(?:\.[0-9]{0,9})?)(?::(\w))?", re.ASCII)
OTHER = re.compile(r"ggf:[A-Z]{1,16}", re.ASCII)    # tags for properties that have no meaning here
TYPE = re.compile(r"([a-z]*)([0-9]{1,3})([a-z]*[0-9]{0,3})", re.ASCII)

FLAGS = {"r": "resigned", "t": "timeout", "s": "agreed", "l": "adjourned"}
LETTERS = {reason: flag for flag, reason in FLAGS.items()}
TAGS = {
    "PC": "site", "DT": "date", "EV": "event", "RO": "round", "TY": "type", "TI": "time",
    "TB": "time-1", "TW": "time-2", "RB": "rating-1", "RW": "rating-2", "CO": "comment",
}
"""The properties that are tags of a record; others are kept as `ggf:XX`."""
OWN = frozenset({"GM", "PB", "PW", "RE", "BO", "B", "W"})
ORDER = ("GM", "PC", "DT", "EV", "RO", "PB", "PW", "RB", "RW", "TI", "TB", "TW", "TY", "RE", "BO", "CO")
"""The properties before the moves, as they are written."""
UNSAID = Note()
OCTAGON = 88
"""The size that servers write for the 10×10 board without its corners: its number of cells."""


def parse(text: str) -> Record:
    """Reads one game.

    >>> record = parse("(;GM[Othello]PB[Ann]PW[Bob]TY[8]BO[8 -------- -------- -------- ---O*--- ---*O--- "
    ...                "-------- -------- -------- *]B[f5/1.50/0.12]W[D6//3];)")
    >>> record.players, [str(move) for move in record.moves], record.notes[0].value
    (('Ann', 'Bob'), ['f5', 'd6'], 1.5)
    """
    properties = _properties(text)
    texts = defaultdict[str, list[str]](list)
    for name, value in properties:
        texts[name].append(value)
    values = {name: "\n".join(parts) for name, parts in texts.items()}
    if values.get("GM", "Othello").strip().lower() not in ("othello", "reversi"):
        raise RecordError(f"this is a game of {values['GM'][:20]}, not of Othello")
    line = Line(_start(values.get("BO"), values.get("TY", "8")))
    notes, comments = _play(properties, line)
    if "CO" in values:
        values["CO"] = "\n".join(comments)
    players = (values.get("PB", ""), values.get("PW", ""))
    known = {name: text for name, text in values.items() if text and name not in OWN}
    tags = tuple((TAGS.get(name, f"ggf:{name}"), text) for name, text in known.items())
    outcome = _outcome(values.get("RE", "?"), line.state)
    return Record(line.start, tuple(line.moves), players, tags, tuple(notes), outcome)


def write(record: Record) -> str:
    """The game on one line.

    >>> import polyversi as pv
    >>> write(Record(pv.game("othello-4").start(), players=("Ann", "Bob")))
    '(;GM[Othello]PB[Ann]PW[Bob]TY[4]RE[?]BO[4 ---- -O*- -*O- ---- *];)'
    """
    tags = dict(record.tags)
    values = {name: tags[tag] for name, tag in TAGS.items() if tag in tags}
    values.update(zip(("PB", "PW"), record.players, strict=False), GM="Othello", RE=_result(record),
                  TY=_type(record.game, tags.get("type", "")), BO=_board(record.start))
    parts = [(name, values[name]) for name in ORDER if name in values]
    parts += [(tag[4:], text) for tag, text in record.tags
              if OTHER.fullmatch(tag) and tag[4:] not in OWN and tag[4:] not in TAGS]
    written = [(name, TO_ESCAPE.sub(r"\\\g<0>", text)) for name, text in (*parts, *_moves(record))]
    return "(;" + "".join(f"{name}[{text}]" for name, text in written) + ";)"


def _properties(text: str) -> Properties:
    """The properties between `(;` and `;)`, in order."""
    frame = FRAME.fullmatch(text)
    if frame is None:
        raise RecordError("a game stands between '(;' and ';)'")
    found = []
    place, end = frame.start(1), len(text[: frame.end(1)].rstrip())
    while place < end:
        match = PROPERTY.match(text, place, end)
        if match is None:
            odd = text[place : place + 20].strip()
            raise RecordError(f"'{odd}' is not a property; write properties as in 'PB[name]'")
        found.append((match[1].upper(), ESCAPED.sub(r"\1", match[2])))
        place = match.end()
    return found


def _start(board: str | None, kind: str) -> State:
    """The position of BO, in the game given by BO's size and TY's letters."""
    match = TYPE.fullmatch(kind.strip().lower())
    anti = match is not None and "a" in match[1] + match[3]
    if board is None:
        return _game(int(match[2]) if match else 8, anti).start()
    found = BOARD.match(board)
    if found is None:
        raise RecordError(f"'{board[:20]}' is not a board; write it as in '8 --------…', with * and O")
    cells = "".join(found[2].split()).upper().replace("*", "X").replace(".", "-")
    size = int(found[1])
    game = _game(size, anti)
    tiles, turn = cells[: game.board.size], cells[game.board.size :] or "X"
    if len(tiles) < game.board.size or turn not in ("X", "O") or board[found.end() :].strip():
        raise RecordError(f"BO must have {game.board.size} cells and the side to move for size {size}")
    text = f"{tiles} {turn}"
    parallel = None if size == OCTAGON else _game(size, anti, ",start=parallel").start()
    return parallel if parallel and parallel.text == text else game.position(text)


@lru_cache(maxsize=64)
def _game(size: int, anti: bool, start: str = "") -> Game:
    if size != OCTAGON and not 4 <= size <= 26:
        raise RecordError(f"{size} is not a board size; GGF has 4 to 26 and {OCTAGON} for the octagon")
    name = "octagon:size=10" if size == OCTAGON else f"othello:size={size}"
    return named(name + ",goal=fewest" * anti + start)


def _play(properties: Properties, line: Line) -> tuple[list[Note], list[str]]:
    """Plays B and W; gives the notes of the moves and the comments that stand before the first move."""
    notes: list[Note] = []
    comments: list[str] = []
    number = 0
    for name, text in properties:
        if name == "CO" and notes:
            last = notes[-1]
            notes[-1] = replace(last, comment=f"{last.comment}\n{text}" if last.comment else text)
        elif name == "CO":
            comments.append(text)
        elif name in ("B", "W"):
            number += 1
            try:
                _play_move(line, 1 if name == "B" else 2, text, notes)
            except PolyversiError as error:
                raise RecordError(f"move {number}: {error}") from None
    return notes, comments


def _play_move(line: Line, seat: int, text: str, notes: list[Note]) -> None:
    word, *rest = (part.strip() for part in text.split("/", 3))
    value = _number(rest[0], "an evaluation") if rest and rest[0] else None
    seconds = _seconds(rest[1]) if len(rest) > 1 and rest[1] else None
    if line.state.turn not in (seat, 0) and line.state.moves[0].is_pass:
        line.push("pass")
        notes.append(UNSAID)
    if line.state.turn not in (seat, 0):
        raise RecordError(f"{'BW'[seat - 1]}[{text[:20]}] is out of turn")
    move = read_move(line.start.game, word)
    if not (move.is_pass and line.state.is_over):    # some files end with passes
        line.push(move)
        notes.append(Note("", seconds, value) if rest else UNSAID)


def _number(text: str, what: str) -> float:
    if not NUMBER.fullmatch(text):
        raise RecordError(f"'{text[:20]}' is not {what}; write a number")
    return float(text)


def _seconds(text: str) -> float:
    """Seconds, or hours, minutes and seconds with colons."""
    if not CLOCK.fullmatch(text):
        return _number(text, "a time")
    return reduce(lambda total, part: 60 * total + float(part), text.split(":"), 0.0)


def _outcome(text: str, final: State) -> Outcome | None:
    """What RE says, when the board does not say the same."""
    text = text.strip()
    match = RESULT.fullmatch(text)
    if match is None:
        return Outcome(text) if text else None
    margin = None if match[1] == "?" else float(match[1])
    reason = FLAGS.get(match[2].lower(), match[2]) if match[2] else ""
    if not reason and (margin is None or (final.is_over and margin == credited_margin(final))):
        return None
    return Outcome(reason, margin)


def _result(record: Record) -> str:
    final = record.final
    outcome = record.outcome or Outcome(margin=credited_margin(final) if final.is_over else None)
    flag = LETTERS.get(outcome.reason, outcome.reason)
    if outcome.margin is None and len(flag) > 1:
        return flag
    margin = "?" if outcome.margin is None else _decimal(outcome.margin, 3, "+")
    return f"{margin}:{flag}" if len(flag) == 1 else margin


def _board(state: State) -> str:
    cells, turn = state.text.replace("X", "*").split()[:2]
    board = state.board
    rows: dict[int, str] = {}
    for (_, y), cell in zip(board.coordinates, cells, strict=True):
        rows[y] = rows.get(y, "") + cell
    size = board.width if board.size == board.width**2 else OCTAGON
    return f"{size} {' '.join(rows.values())} {turn}"


def _moves(record: Record) -> Iterator[tuple[str, str]]:
    notes = record.notes or (UNSAID,) * len(record.moves)
    for state, move, note in zip(record.states(), record.moves, notes, strict=False):
        value, seconds = ("" if part is None else _decimal(part, 2) for part in (note.value, note.seconds))
        name = "PA" if move.is_pass else str(move)
        yield ("B" if state.turn == 1 else "W"), f"{name}/{value}/{seconds}".rstrip("/")
        if note.comment:
            yield "CO", note.comment


def _decimal(number: float, places: int, sign: str = "-") -> str:
    """The number with at least this many decimals, and as many as it needs, up to nine."""
    text = f"{number:{sign}.9f}"
    return text[: places - 9] + text[places - 9 :].rstrip("0")


def _rounded(number: float | None) -> float | None:
    return None if number is None else float(_decimal(number, 2))


def _type(game: Game, given: str) -> str:
    """The text of TY: the one the record was read with, if it means the same game."""
    octagon = game.board.size != game.board.width**2
    size, anti = OCTAGON if octagon else game.board.width, game.definition.goal == "fewest"
    match = TYPE.fullmatch(given.strip().lower())
    if match and int(match[2]) == size and ("a" in match[1] + match[3]) == anti:
        return given
    return f"{size}a" if anti else str(size)


def _decode(stream: BinaryIO, context: Context) -> Iterator[Item]:
    return parse_each(_games(stream, context), parse, context, "the game in line")


def _games(stream: BinaryIO, context: Context) -> Iterator[tuple[int, str]]:
    """The text of each game with the number of the line it begins in; reads each character once."""
    parts: list[str] = []
    began = size = 0
    inside = bracket = False
    number = 0
    for number, line in numbered_lines(stream):
        try:
            text = line.decode()
        except UnicodeDecodeError:
            text = line.decode("latin-1")    # old servers wrote that
        start = 0
        for match in SPECIAL.finditer(text):
            token = match[0]
            if not inside:
                if token == "(;":
                    inside, start, began, size = True, match.start(), number, 0
            elif bracket:
                bracket = token != "]"
            elif token == "[":
                bracket = True
            elif token.startswith(";"):
                inside = False
                yield began, "".join([*parts, text[start : match.end()]])
                parts = []
        if inside:
            parts.append(text[start:])
            size += len(text)
            if size > MAX_LINE:
                raise RecordError(f"the game in line {began} does not end within {MAX_LINE} bytes")
    if inside:
        context.failed(RecordError(f"the file ends inside the game that begins in line {began}"))
    elif number and not began:
        context.failed(RecordError("there is no game in this file; GGF games begin with '(;GM[Othello]'"))


def _fit(item: Item) -> Record:
    """The game as GGF gives it back; an error if it would come back as another game.

    Only the part before the moves is read again: reading all of it would take three times as long.
    """
    record = only_game(item, "GGF")
    with suppress(ValueError):    # includes the errors of boards and results that GGF cannot express
        head = parse(write(replace(record, moves=(), notes=(), outcome=None)))
        if head.start == record.start:
            notes = tuple(Note(note.comment, _rounded(note.seconds), _rounded(note.value))
                          for note in record.notes)
            outcome = _outcome(_result(record), record.final)
            return replace(head, moves=record.moves, notes=notes, outcome=outcome)
    raise RecordError(f"GGF cannot store {record.game.spec}, or not from this start")


FORMAT = Format(
    name="ggf",
    suffixes=(".ggf",),
    sentence="Generic Game Format: Othello, anti and octagon with times and evaluations; the main line only.",
    looks=lambda head: re.match(rb"(?:\xef\xbb\xbf)?[\s0-9+]*\(;", head) is not None,
    decode=_decode,
    fit=_fit,
    encode=by_lines(write),
    label="GGF",
    id_tag="comment",
    pasted="GGF",
)
