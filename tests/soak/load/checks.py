"""What must be so afterwards: the store, the players and whoever watched agree on every game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from polyversi.gameplay.events import Event
from polyversi.server.messages import encode

FAIR = ("win", "draw")
"""The verdicts on a game that nobody and nothing broke off."""

Json = dict[str, Any]


def plain(line: bytes) -> Json:
    """The event of a message as plain data.

    >>> plain(b'{"type":"event","number":0,"kind":"start","data":{}}')
    {'number': 0, 'kind': 'start', 'data': {}}
    """
    data: Json = msgspec.json.decode(line)
    return {name: data[name] for name in ("number", "kind", "data")}


def stored_faults(game: str, stored: Iterable[Event], heard: Iterable[Json],
                  acknowledged: Mapping[int, str]) -> list[str]:
    """Where the store differs from what was heard of a game, or lacks a move that its player knows was taken.

    >>> from polyversi.gameplay.events import StartEvent
    >>> start = StartEvent(0, "othello", "…", ("Ann", "Bob"), ("none", "none"))
    >>> stored_faults("g", [start], [plain(encode(start))], {1: "f5"})
    ['game g: f5 was acknowledged as event 1, but the store has nothing there']
    >>> stored_faults("g", [start], [], {})
    ['game g: the store has 1 events, of which 0 were heard; event 0 is the first to differ']
    """
    faults = []
    kept, told = [plain(encode(event)) for event in stored], list(heard)
    if [event["number"] for event in kept] != list(range(len(kept))):
        faults.append(f"game {game}: the events in the store are not numbered one after another")
    if kept != told:
        pairs = zip(kept, told, strict=False)
        first = next((number for number, (one, other) in enumerate(pairs) if one != other),
                     min(len(kept), len(told)))
        faults.append(f"game {game}: the store has {len(kept)} events, of which {len(told)} were heard; "
                      f"event {first} is the first to differ")
    for number, move in acknowledged.items():
        there = kept[number]["data"].get("move") if number < len(kept) else "nothing"
        if there != move:
            faults.append(f"game {game}: {move} was acknowledged as event {number}, "
                          f"but the store has {there} there")
    for event in kept:
        if event["kind"] in ("verdict", "undo") or (
                event["kind"] == "end" and event["data"]["verdict"]["kind"] not in FAIR):
            faults.append(f"game {game} was not decided on the board: {event}")
    return faults
