"""Writes the page's types of messages and events: `python -m tests.testing.message_types`."""

from __future__ import annotations

import json
from pathlib import Path

from msgspec import Struct, inspect

import polyversi
from polyversi.engines.judge import MoveWorth
from polyversi.engines.proof import MoveBounds
from polyversi.engines.review import ReviewedWorth, SeatTotal
from polyversi.gameplay.events import EVENTS
from polyversi.games.limit import Limit
from polyversi.server.analysis.messages import FROM_ANALYSIS, FROM_VISITOR
from polyversi.server.messages import FROM_GUEST, FROM_HOST, EventMessage

TARGET = Path(polyversi.__file__).parent / "page" / "app" / "messages.d.ts"
HEADING = """\
// The messages of version 1 and the events in them, as docs/network.md has them; those of the analysis board.
// Written by `python -m tests.testing.message_types` from the structs of the server.
"""


def page_types() -> str:
    """The text of the file with the types."""
    lines = [HEADING]
    events = []
    for kind, event in EVENTS.items():
        data = _object(event, leave_out=("number",))
        lines.append(f'export type {event.__name__} = {{ type: "event"; number: number; kind: "{kind}"; '
                     f"data: {data} }};")
        events.append(event.__name__)
    lines.append(f"export type EventMessage = {' | '.join(events)};\n")
    parts: tuple[type[Struct], ...] = MoveWorth, ReviewedWorth, SeatTotal, MoveBounds
    lines += [f"export type {part.__name__} = {_object(part)};" for part in parts]
    sides = {"FromGuest": FROM_GUEST, "FromHost": FROM_HOST, "FromVisitor": FROM_VISITOR,
             "FromAnalysis": FROM_ANALYSIS}
    for cls in dict.fromkeys(cls for kinds in sides.values() for cls in kinds.names.values()):
        if cls is not EventMessage:
            tag = f'type: "{cls.__struct_config__.tag}"'
            sent = cls in [*FROM_GUEST.names.values(), *FROM_VISITOR.names.values()]
            lines.append(f"export type {cls.__name__} = {_object(cls, tag, is_sent=sent)};")
    for side, kinds in sides.items():
        lines.append(f"export type {side} = {' | '.join(cls.__name__ for cls in kinds.names.values())};")
    return "\n".join(lines) + "\n"


def _object(cls: type[Struct], *first: str, leave_out: tuple[str, ...] = (), is_sent: bool = False) -> str:
    """The shape of an object; what has a default may be left out of what the page sends."""
    info = inspect.type_info(cls)
    assert isinstance(info, inspect.StructType)
    may_lack = is_sent or cls.__struct_config__.omit_defaults
    told = [
        f"{field.encode_name}{'?' if may_lack and not field.required else ''}: {_type(field.type)}"
        for field in info.fields if field.encode_name not in leave_out
    ]
    return "{ " + "; ".join([*first, *told]) + " }"


def _type(info: inspect.Type) -> str:
    match info:
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
