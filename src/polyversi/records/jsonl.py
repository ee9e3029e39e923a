"""JSON Lines, our own format: one game or problem a line, for every variant and every XT map."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, BinaryIO, NoReturn

from polyversi.games.board import shorten
from polyversi.games.errors import PolyversiError, RecordError
from polyversi.records.formats import Context, Format, as_text, numbered_lines
from polyversi.records.maps import embedded_map, name_without_path, named_game
from polyversi.records.positions import Problem
from polyversi.records.record import Note, Outcome, Record, read_move

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from polyversi.games.state import State
    from polyversi.records.formats import Item

VERSION = 1
"""Goes up when a line can no longer be read by programs that know the version before."""

Json = dict[str, Any]


def parse(text: str) -> Item:
    """Reads one line.

    >>> parse('{"polyversi": 1, "game": "othello", "moves": ["f5", "d6"]}').moves[1]
    Move('d6')
    """
    line = _loaded(text)
    version = line.get("polyversi")
    if version != VERSION or isinstance(version, bool):
        raise RecordError(f"a line says \"polyversi\": {VERSION}; this one has version {_short(version)}")
    game = named_game(_string(line, "game"), _string(line, "map", ""))
    start = game.position(_string(line, "start")) if "start" in line else game.start()
    if "answers" in line:
        return _problem(line, start)
    return _record(line, start)


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
        line |= _about(item)
    return json.dumps(line, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _about(record: Record) -> Json:
    line: Json = {}
    if record.players:
        line["players"] = list(record.players)
    if record.tags:
        line["tags"] = dict(record.tags)
    if record.notes:
        line["notes"] = [_present(**asdict(note)) for note in record.notes]
    if record.outcome is not None:
        line["outcome"] = _present(**asdict(record.outcome))
    if record.disqualified:
        line["disqualified"] = [list(pair) for pair in record.disqualified]
    return line


def _present(**fields: Any) -> Json:
    return {name: value for name, value in fields.items() if value not in ("", None, ())}


class _BrokenJsonError(RecordError):
    """Text that is no JSON, as the last line of a file that was cut."""


def _loaded(text: str) -> Json:
    try:
        line = json.loads(text, parse_constant=_no_constant)
        if "\\u" in text:
            json.dumps(line, ensure_ascii=False).encode()    # half characters, which nothing could write
    except RecordError:
        raise
    except UnicodeEncodeError:
        raise RecordError("there is half a character (a lone surrogate) in this line") from None
    except ValueError as error:
        raise _BrokenJsonError(f"this is no JSON: {error}") from None
    except RecursionError:
        raise RecordError("this is no game: it is nested too deeply") from None
    if not isinstance(line, dict):
        raise RecordError(f"a line is a JSON object, {{…}}, not {_short(line)}")
    return line


def _no_constant(name: str) -> NoReturn:
    raise RecordError(f"{name} is no number that can be kept")


def _record(line: Json, start: State) -> Record:
    game = start.game
    tags = _object(line.get("tags", {}), "\"tags\"")
    return Record(
        start,
        tuple(read_move(game, _text(move, "a move")) for move in _list(line, "moves")),
        tuple(_text(name, "a player") for name in _list(line, "players")),
        tuple((name, _text(text, f"the tag '{name[:20]}'")) for name, text in tags.items()),
        tuple(_note(note) for note in _list(line, "notes")),
        _outcome(line["outcome"]) if "outcome" in line else None,
        tuple(_pair(pair) for pair in _list(line, "disqualified")),
    )


def _problem(line: Json, start: State) -> Problem:
    answers = []
    for pair in _list(line, "answers"):
        if not isinstance(pair, list) or len(pair) != 2:
            raise RecordError(f"an answer is a move with a score, [\"f5\", 2], not {_short(pair)}")
        answers.append((read_move(start.game, _text(pair[0], "a move")), _number(pair[1], "a score")))
    return Problem(start, tuple(answers), _string(line, "comment", ""))


def _note(item: object) -> Note:
    note = _object(item, "a note")
    seconds, value = _number(note.get("seconds"), "seconds"), _number(note.get("value"), "value")
    return Note(_string(note, "comment", ""), seconds, value)


def _outcome(value: object) -> Outcome:
    outcome = _object(value, "an outcome")
    ranks = tuple(_integer(rank, "a rank") for rank in _list(outcome, "ranks"))
    return Outcome(_string(outcome, "reason", ""), _number(outcome.get("margin"), "margin"), ranks)


def _pair(value: object) -> tuple[int, int]:
    if not isinstance(value, list) or len(value) != 2:
        raise RecordError(f"a disqualification is [moves played, seat], not {_short(value)}")
    return _integer(value[0], "a number of moves"), _integer(value[1], "a seat")


def _string(line: Json, name: str, default: str | None = None) -> str:
    if name not in line and default is None:
        raise RecordError(f"\"{name}\" is missing")
    return _text(line.get(name, default), f"\"{name}\"")


def _text(value: object, what: str) -> str:
    if not isinstance(value, str):
        raise RecordError(f"{what} must be a text, not {_short(value)}")
    return value


def _number(value: object, what: str) -> float | None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, (int, float))):
        raise RecordError(f"{what} must be a number, not {_short(value)}")
    return value


def _integer(value: object, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise RecordError(f"{what} must be a whole number, not {_short(value)}")
    return value


def _list(line: Json, name: str) -> list[Any]:
    value = line.get(name, [])
    if not isinstance(value, list):
        raise RecordError(f"\"{name}\" must be a list, not {_short(value)}")
    return value


def _object(value: object, what: str) -> Json:
    if not isinstance(value, dict):
        raise RecordError(f"{what} must be an object, {{…}}, not {_short(value)}")
    return value


def _short(value: object) -> str:
    if isinstance(value, (list, dict)):
        return "a list" if isinstance(value, list) else "an object"
    if isinstance(value, int) and abs(value) > 10**9:
        return "a huge number"
    return shorten(repr(value))


def _decode(stream: BinaryIO, context: Context) -> Iterator[Item]:
    for number, line in numbered_lines(stream):
        if not line.strip():
            continue
        try:
            item = parse(as_text(line))
        except PolyversiError as error:
            broken = isinstance(error, _BrokenJsonError) and not line.endswith(b"\n")
            cut = " (the file ends in the middle of this line: it was cut)" if broken else ""
            context.failed(RecordError(f"line {number}: {error}{cut}"))
            continue
        yield item


def _fit(item: Item) -> Item:
    embedded_map(item.game)    # refuses games that have no name
    return item


def _encode(items: Iterable[Item]) -> Iterator[bytes]:
    for item in items:
        yield write(item).encode() + b"\n"


FORMAT = Format(
    name="jsonl",
    suffixes=(".jsonl",),
    sentence="JSON Lines: games and problems of every variant and XT map, with all that a record has.",
    looks=lambda head: head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{"),
    decode=_decode,
    fit=_fit,
    encode=_encode,
    names_game=True,
)
