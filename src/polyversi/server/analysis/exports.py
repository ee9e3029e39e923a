"""Analyses as files in the formats of others, which have no variations."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import msgspec

from polyversi.games.errors import RecordError
from polyversi.records import Record, jsonl, offered_formats
from polyversi.server.downloads import BOUNDS

MAX_RECORD = 1 << 20
"""Characters of a record."""


class Export(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A record as a line of JSON Lines, and the format that is wanted."""

    record: Annotated[str, msgspec.Meta(max_length=MAX_RECORD)]
    kind: Annotated[str, msgspec.Meta(max_length=20)] = "ggf"


def exported(asked: Export) -> str:
    """The main line of the record in that format.

    >>> side = {"ply": 0, "moves": ["d3"]}
    >>> game = {"polyversi": 1, "game": "othello", "moves": ["f5"], "variations": [side]}
    >>> text = exported(Export(msgspec.json.encode(game).decode()))
    >>> "B[f5]" in text, "d3" in text
    (True, False)
    """
    record = jsonl.parse(asked.record, BOUNDS)
    if not isinstance(record, Record):
        raise RecordError("this is a position; a file of games needs moves")
    into = offered_formats().get(asked.kind)
    if into is None:
        raise RecordError(f"an analysis can be had as {', '.join(offered_formats())}")
    return b"".join(into.encode([into.fit(replace(record, variations=()))])).decode()
