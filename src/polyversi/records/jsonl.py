"""JSON Lines, our own format: one game or problem a line, for every variant and every XT map."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, BinaryIO

import msgspec

from polyversi.games.board import shorten
from polyversi.games.errors import RecordError
from polyversi.records.formats import (
    Bounds,
    Context,
    Format,
    Item,
    as_text,
    by_lines,
    numbered_lines,
    parse_each,
)
from polyversi.records.maps import embedded_map, name_without_path, named_game
from polyversi.records.problems import Problem
from polyversi.records.record import Note, Number, Outcome, Record, Variation, read_move

VERSION = 1
"""Goes up when a line can no longer be read by programs that know the version before."""

Json = dict[str, Any]


class _Variation(msgspec.Struct):
    """A side line, as `Variation` has it."""

    ply: int
    moves: list[str]
    line: int = 0
    notes: list[Note] = []


class _Line(msgspec.Struct):
    """What a line holds: a record, or a problem where there are answers."""

    polyversi: int
    game: str
    map: str = ""
    start: str | msgspec.UnsetType = msgspec.UNSET
    moves: list[str] = []
    players: list[str] = []
    tags: dict[str, str] = {}
    notes: list[Note] = []
    outcome: Outcome | None = None
    disqualified: list[tuple[int, int]] = []
    variations: list[_Variation] = []
    answers: list[tuple[str, Number | None]] | msgspec.UnsetType = msgspec.UNSET
    comment: str = ""


class _Version(msgspec.Struct):
    polyversi: msgspec.Raw = msgspec.Raw(b"none")


class _BrokenJsonError(RecordError):
    """Text that is not JSON, like the last line of a file that was cut off."""


def parse(text: str, bounds: Bounds | None = None) -> Item:
    """Reads one line; not if its game is beyond the bounds.

    >>> parse('{"polyversi": 1, "game": "othello", "moves": ["f5", "d6"]}').moves[1]
    Move('d6')
    >>> parse('{"polyversi": 1, "game": "othello", "moves": ["f5", 6]}')
    Traceback (most recent call last):
    polyversi.games.errors.RecordError: moves[1]: expected str, got int
    """
    line = _decoded(text)
    game = named_game(line.game, line.map, max_tiles=bounds.tiles if bounds else None)
    if bounds is not None:
        bounds.check(game.board.size, len(line.moves) + sum(len(side.moves) for side in line.variations))
    start = game.start() if line.start is msgspec.UNSET else game.position(line.start)
    if line.answers is not msgspec.UNSET:
        answers = tuple((read_move(game, move), score) for move, score in line.answers)
        return Problem(start, answers, line.comment)
    moves, tags = tuple(read_move(game, move) for move in line.moves), tuple(line.tags.items())
    variations = tuple(
        Variation(side.ply, tuple(read_move(game, move) for move in side.moves), side.line, tuple(side.notes))
        for side in line.variations)
    return Record(start, moves, tuple(line.players), tags, tuple(line.notes), line.outcome,
                  tuple(line.disqualified), variations)


def _decoded(text: str) -> _Line:
    try:
        line = msgspec.json.decode(text, type=_Line)
    except msgspec.ValidationError as error:
        _check_version(text)
        fault, _, place = str(error).replace("`", "").partition(" - at $")
        where = place.removeprefix(".") or "the line"
        raise RecordError(f"{where}: {fault[0].lower()}{fault[1:]}") from None
    except (msgspec.DecodeError, UnicodeError) as error:
        _check_values(text)
        raise _BrokenJsonError(f"this is not JSON: {error}") from None
    except RecursionError:
        raise RecordError("this is not a game: it is nested too deeply") from None
    if line.polyversi != VERSION:
        _check_version(text)
    return line


def _check_values(text: str) -> None:
    """Says what only Python's own reader of JSON takes: NaN, infinities and half characters."""
    constants: list[str] = []
    try:
        json.dumps(json.loads(text, parse_constant=constants.append), ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise RecordError("there is half a character (a lone surrogate) in this line") from None
    except (ValueError, RecursionError):    # not JSON for Python either
        return
    if constants:
        raise RecordError(f"{constants[0]} cannot be stored; write a finite number")


def _check_version(text: str) -> None:
    """Says that a line is of another version, before anything that is only wrong because of that."""
    try:
        version = bytes(msgspec.json.decode(text, type=_Version).polyversi).decode()
    except (msgspec.DecodeError, RecursionError):
        return
    if version != str(VERSION):
        raise RecordError(f"a line says \"polyversi\": {VERSION}; this one has version {shorten(version)}")


def write(item: Item) -> str:
    """The item on one line.

    >>> write(parse('{"polyversi": 1, "game": "othello-4", "moves": ["b1"]}'))
    '{"polyversi":1,"game":"othello-4","start":"-----OX--XO----- X","moves":["b1"]}'
    """
    state = item.start if isinstance(item, Record) else item.state
    line: Json = {"polyversi": VERSION, "game": state.game.spec}
    if chart := embedded_map(state.game):
        line |= {"game": name_without_path(state.game), "map": chart}
    line["start"] = state.text
    if isinstance(item, Problem):
        line["answers"] = [[str(move), score] for move, score in item.answers]
        line |= {"comment": item.comment} if item.comment else {}
    else:
        line["moves"] = [str(move) for move in item.moves]
        line |= _present({
            "players": item.players,
            "tags": dict(item.tags) or None,
            "notes": _notes(item.notes),
            "outcome": _present(vars(item.outcome)) if item.outcome else None,
            "disqualified": item.disqualified,
            "variations": tuple(_variation(side) for side in item.variations),
        })
    return msgspec.json.encode(line).decode()


def _variation(side: Variation) -> Json:
    place: Json = {"line": side.line, "ply": side.ply} if side.line else {"ply": side.ply}
    return place | _present({"moves": tuple(map(str, side.moves)), "notes": _notes(side.notes)})


def _notes(notes: tuple[Note, ...]) -> tuple[Json, ...]:
    return tuple(_present(vars(note)) for note in notes)


def _present(fields: Json) -> Json:
    return {name: value for name, value in fields.items() if value not in ("", None, ())}


def _decode(stream: BinaryIO, context: Context) -> Iterator[Item]:
    def item(line: bytes) -> Item | None:
        try:
            return parse(as_text(line), context.bounds) if line.strip() else None
        except _BrokenJsonError as error:
            cut = "" if line.endswith(b"\n") else " (the file ends within this line)"
            raise RecordError(f"{error}{cut}") from None

    return parse_each(numbered_lines(stream), item, context)


def _fit(item: Item) -> Item:
    embedded_map(item.game)    # refuses games that have no name
    return item


FORMAT = Format(
    name="jsonl",
    suffixes=(".jsonl",),
    sentence="JSON Lines: games and positions of every variant and XT map, with all that a record has.",
    looks=lambda head: head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{"),
    decode=_decode,
    fit=_fit,
    encode=by_lines(write),
    label="JSON Lines",
    media_type="application/x-ndjson",
    pasted="JSON Lines",
)
