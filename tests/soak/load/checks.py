"""Checks after a run: the store, the players and the spectators must agree on every game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from rich.console import Console

from polyversi.gameplay.events import Event
from polyversi.server.messages import encode

FAIR = ("win", "draw")
"""The verdicts on a game that was played to its end."""

Json = dict[str, Any]


def plain(line: bytes) -> Json:
    """The event of a message as plain data.

    >>> plain(b'{"type":"event","number":0,"kind":"start","data":{}}')
    {'number': 0, 'kind': 'start', 'data': {}}
    """
    data: Json = msgspec.json.decode(line)
    return {name: data[name] for name in ("number", "kind", "data")}


def stored_faults(game: str, stored: Iterable[Event], received: Iterable[Json],
                  acknowledged: Mapping[int, str]) -> list[str]:
    """Where the store differs from what was received of a game, or lacks a move that was acknowledged.

    >>> from polyversi.gameplay.events import StartEvent
    >>> start = StartEvent(0, "othello", "…", ("Ann", "Bob"), ("none", "none"))
    >>> stored_faults("g", [start], [plain(encode(start))], {1: "f5"})
    ['game g: f5 was acknowledged as event 1, but the store has nothing there']
    >>> stored_faults("g", [start], [], {})
    ['game g: the store has 1 events, of which 0 were received; event 0 is the first to differ']
    """
    faults = []
    in_store, sent = [plain(encode(event)) for event in stored], list(received)
    for kept, one in zip(in_store, sent, strict=False):
        if kept["data"].get("position") == "":    # the rules tell it
            kept["data"]["position"] = one["data"].get("position")
    if [event["number"] for event in in_store] != list(range(len(in_store))):
        faults.append(f"game {game}: the events in the store are not numbered one after another")
    if in_store != sent:
        pairs = zip(in_store, sent, strict=False)
        first = next((number for number, (one, other) in enumerate(pairs) if one != other),
                     min(len(in_store), len(sent)))
        faults.append(f"game {game}: the store has {len(in_store)} events, of which {len(sent)} were "
                      f"received; event {first} is the first to differ")
    for number, move in acknowledged.items():
        there = in_store[number]["data"].get("move") if number < len(in_store) else "nothing"
        if there != move:
            faults.append(f"game {game}: {move} was acknowledged as event {number}, "
                          f"but the store has {there} there")
    for event in in_store:
        if event["kind"] in ("verdict", "undo") or (
                event["kind"] == "end" and event["data"]["verdict"]["kind"] not in FAIR):
            faults.append(f"game {game} was not decided on the board: {event}")
    return faults


def report(
    console: Console, counts: Iterable[tuple[str, int]], seconds: float, faults: Sequence[str], seed: int
) -> int:
    """Prints what was counted and found; the exit status."""
    for name, count in counts:
        console.print(f"{count:9,} {name}", highlight=False)
    console.print(f"{seconds:9,.0f} seconds", highlight=False)
    for fault in faults[:20]:
        console.print(f"fault: {fault}", highlight=False, markup=False)
    console.print(f"{len(faults)} faults (seed {seed})")
    return 1 if faults else 0
