"""Writes the page's types of messages, events and answers: `python -m tests.testing.message_types`."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from msgspec import NODEFAULT, Struct, inspect

import polyversi
from polyversi.gameplay.events import EVENTS
from polyversi.games.limit import Limit
from polyversi.server.analysis.messages import FROM_ANALYSIS, FROM_VISITOR
from polyversi.server.api import GameInfo
from polyversi.server.catalogue_answers import Catalogue, PlayerInfo
from polyversi.server.listing import GameList
from polyversi.server.messages import FROM_GUEST, FROM_HOST, ErrorMessage, EventMessage
from polyversi.server.puzzles import PuzzleList, ShownPuzzle
from polyversi.server.rulebook import Rulebook
from polyversi.server.series_messages import Control, NewSeries, Rounds
from polyversi.server.site.challenges import NewChallenge
from polyversi.server.site.events import EventChoices
from polyversi.server.site.lobby_list import LobbyMessage
from polyversi.server.summaries import GameSummary
from polyversi.site.checking import CheckedStep

TARGET = Path(polyversi.__file__).parent / "page" / "app" / "messages.d.ts"
HEADING = """\
// The messages of version 1 and the events in them, as docs/network.md has them; those of the analysis board,
// the arena and the lobby; what the page sends and gets over HTTP.
// Written by `python -m tests.testing.message_types` from the structs of the server.
"""
SENT_SIDES: dict[str, tuple[type[Struct], ...]] = {
    "FromGuest": tuple(FROM_GUEST.names.values()),
    "FromVisitor": tuple(FROM_VISITOR.names.values()),
}
"""What the page says on a socket."""
RECEIVED_SIDES: dict[str, tuple[type[Struct], ...]] = {
    "FromHost": tuple(FROM_HOST.names.values()),
    "FromAnalysis": tuple(FROM_ANALYSIS.names.values()),
    "FromSeries": (Rounds, ErrorMessage),
    "FromLobby": (LobbyMessage, ErrorMessage),
}
"""What it hears there."""
SENT: tuple[type[Struct], ...] = Control, NewSeries, NewChallenge
"""What else it sends."""
RECEIVED: tuple[type[Struct], ...] = (
    Catalogue, PlayerInfo, GameSummary, GameInfo, GameList, Rulebook, ShownPuzzle, PuzzleList,
    CheckedStep, EventChoices)
"""What else it gets; the parts of all these are found by themselves."""


def page_types() -> str:
    """The text of the file with the types."""
    lines = [HEADING]
    for kind, event in EVENTS.items():
        data = _object(event, leave_out=("number",))
        lines.append(f'export type {event.__name__} = {{ type: "event"; number: number; kind: "{kind}"; '
                     f"data: {data} }};")
    lines.append(f"export type EventMessage = {_any_of(EVENTS.values())};\n")
    sent = [*(cls for side in SENT_SIDES.values() for cls in side), *SENT]
    received = [*(cls for side in RECEIVED_SIDES.values() for cls in side), *RECEIVED]
    for cls in _with_parts([*sent, *received]):
        if cls is not EventMessage:
            lines.append(f"export type {cls.__name__} = {_object(cls, is_sent=cls in sent)};")
    for name, side in (SENT_SIDES | RECEIVED_SIDES).items():
        lines.append(f"export type {name} = {_any_of(side)};")
    return "\n".join(lines) + "\n"


def _any_of(classes: Iterable[type]) -> str:
    return " | ".join(cls.__name__ for cls in classes)


def _with_parts(classes: Iterable[type[Struct]]) -> list[type[Struct]]:
    """These and the objects in them, each once, parts before what they are in."""
    found: dict[type[Struct], None] = {}
    for cls in classes:
        parts = [part for field in _info(cls).fields for part in _structs_in(field.type)]
        found |= dict.fromkeys([*_with_parts(parts), cls])
    named = Counter(cls.__name__ for cls in found)
    assert max(named.values(), default=1) == 1, f"two structs have one name: {named.most_common(3)}"
    return list(found)


def _structs_in(info: inspect.Type) -> list[type[Struct]]:
    match info:
        case inspect.StructType(cls=cls, array_like=False):
            return [cls]
        case inspect.UnionType(types=types) | inspect.TupleType(item_types=types):
            return [cls for one in types for cls in _structs_in(one)]
        case inspect.ListType(item_type=item) | inspect.VarTupleType(item_type=item):
            return _structs_in(item)
        case inspect.DictType(value_type=value):
            return _structs_in(value)
    return []


def _info(cls: type[Struct]) -> inspect.StructType:
    info = inspect.type_info(cls)
    assert isinstance(info, inspect.StructType)
    return info


def _object(cls: type[Struct], leave_out: tuple[str, ...] = (), is_sent: bool = False) -> str:
    """The shape of an object; what has a default may be left out of what the page sends."""
    info = _info(cls)
    may_lack = is_sent or cls.__struct_config__.omit_defaults
    tag = [f'{info.tag_field}: "{info.tag}"'] if info.tag_field and not leave_out else []
    told = [
        f"{field.encode_name}{'?' if _is_unset(field) or (may_lack and not field.required) else ''}: "
        f"{_type(field.type)}"
        for field in info.fields if field.encode_name not in leave_out
    ]
    return "{ " + "; ".join([*tag, *told]) + " }"


def _is_unset(field: inspect.Field) -> bool:
    """Whether a field is left out unless it is given: msgspec shows no default then."""
    return not field.required and field.default is field.default_factory is NODEFAULT


def _type(info: inspect.Type) -> str:
    match info:
        case inspect.Metadata(extra={"page": str(name)}):    # the page has a type for it
            return name
        case inspect.IntType() | inspect.FloatType():
            return "number"
        case inspect.StrType():
            return "string"
        case inspect.BoolType():
            return "boolean"
        case inspect.NoneType():
            return "null"
        case inspect.LiteralType():
            return " | ".join(json.dumps(value) for value in info.values)
        case inspect.UnionType():
            return " | ".join(map(_type, info.types))
        case inspect.ListType() | inspect.VarTupleType():
            item = _type(info.item_type)
            return f"({item})[]" if "|" in item else f"{item}[]"
        case inspect.TupleType(item_types=items):
            return "[" + ", ".join(map(_type, items)) + "]"
        case inspect.DictType(value_type=value):
            return f"Record<string, {_type(value)}>"
        case inspect.StructType(array_like=True):
            return "[" + ", ".join(f"{field.name}: {_type(field.type)}" for field in info.fields) + "]"
        case inspect.StructType(cls=cls):
            return cls.__name__
        case inspect.DataclassType(cls=cls) if cls is Limit:    # what is not limited is left out
            return "{ " + "; ".join(f"{field.name}?: number" for field in info.fields) + " }"
        case inspect.DataclassType():
            return "{ " + "; ".join(f"{field.name}: {_type(field.type)}" for field in info.fields) + " }"
    raise TypeError(f"{info} has no type on the page")


if __name__ == "__main__":
    TARGET.write_text(page_types())
