"""The puzzles as the page asks for them: lists, one of them, and that of the day; no engine is needed."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, TypeVar, cast

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from polyversi._core import Move
from polyversi.engines.puzzles import (
    GRADES,
    LABELS,
    Answer,
    Kind,
    Puzzle,
    Step,
    daily,
    puzzles,
    shipped_games,
)
from polyversi.games.state import State
from polyversi.games.variants import title
from polyversi.server.new_game import chosen_game
from polyversi.server.responses import Handler, HttpError, json_response

Json = dict[str, Any]
T = TypeVar("T")
Work = Callable[[Request, Callable[[], T]], Awaitable[T]]
"""Does what takes long in another thread, when it is the visitor's turn."""
FIRST = "othello"
"""The game of somebody who names none."""
MAX_LISTED = 200
"""Puzzles that one answer lists; `after` asks for those that follow."""
NAME = re.compile(r"[0-9a-f]{10}")


def routes(limited: Callable[[Handler], Handler], work: Work[Json]) -> list[Route]:
    """Where the puzzles are found; `limited` counts the requests of a visitor."""
    async def listing(request: Request) -> Response:
        """The puzzles of a game, a kind and a grade, in short."""
        query = dict(request.query_params)
        return json_response(await work(request, lambda: listed(query)))

    async def of_today(request: Request) -> Response:
        """The puzzle of the day, the same for everybody."""
        spec = request.query_params.get("spec", "")
        return json_response(await work(request, lambda: today(spec)))

    async def one(request: Request) -> Response:
        """A puzzle by its name."""
        name = request.path_params["id"]
        return json_response(await work(request, lambda: to_json(found(name))))

    return [
        Route("/api/puzzles", limited(listing)),
        Route("/api/puzzles/daily", limited(of_today)),
        Route("/api/puzzles/{id}", limited(one)),
    ]


def listed(query: dict[str, str]) -> Json:
    """The puzzles that a query asks for, and the games of which there are any.

    >>> answer = listed({"spec": "othello", "kind": "win"})
    >>> answer["games"][0]["spec"], answer["puzzles"][0]["kind"], answer["next"]
    ('othello', 'win', None)
    """
    matching = _of(query.get("spec", ""), query.get("kind", ""), query.get("grade", ""))
    names = [puzzle.id for puzzle in matching]
    after = query.get("after", "")
    if after and after not in names:
        raise HttpError(404, "there is no such puzzle among these")
    begin = names.index(after) + 1 if after else 0
    shown = matching[begin : begin + MAX_LISTED]
    is_more = begin + len(shown) < len(matching)
    return {
        "games": [{"spec": spec, "title": title(spec), "count": len(puzzles(spec))}
                  for spec in shipped_games()],
        "kinds": [{"name": kind, "label": label} for kind, label in LABELS.items()],
        "grades": list(GRADES),
        "total": len(matching),
        "puzzles": [_summary(puzzle) for puzzle in shown],
        "next": shown[-1].id if is_more else None,
    }


def today(spec: str) -> Json:
    """The puzzle of the day by the calendar of UTC, with its date.

    >>> today("othello")["game"]
    'othello'
    """
    date = datetime.now(UTC).date()
    return to_json(daily(_of(spec), date)) | {"date": date.isoformat()}


def found(name: str) -> Puzzle:
    """The puzzle of a name, whatever its game is."""
    if NAME.fullmatch(name):
        for spec in shipped_games():
            for puzzle in puzzles(spec):
                if puzzle.id == name:
                    return puzzle
    raise HttpError(404, "there is no such puzzle")


@lru_cache(maxsize=512)
def to_json(puzzle: Puzzle) -> Json:
    """A puzzle with every position that a visitor can come to, so that the page needs no rules.

    >>> import polyversi as pv
    >>> puzzle = to_json(pv.puzzles("othello", kind="win")[0])
    >>> puzzle["steps"][0]["answers"][0]["value"] == puzzle["value"] > 0
    True
    """
    states, line = puzzle.states, list[Json]()
    for before, move in zip(states, puzzle.line, strict=False):
        line.append(_made(before, move))
    return _summary(puzzle) | {
        "kind_label": LABELS[puzzle.kind],
        "game": puzzle.game.spec,
        "title": title(puzzle.game.spec),
        "goal": puzzle.game.definition.goal,
        "cells": puzzle.game.board.size,
        "seat": puzzle.state.next_seat,
        "value": puzzle.value,
        "steps": [{"ply": states.index(step.state), **_step(step)} for step in puzzle.steps],
        "line": line,
    }


def _summary(puzzle: Puzzle) -> Json:
    return {"id": puzzle.id, "kind": puzzle.kind, "grade": puzzle.grade, "moves": len(puzzle.steps)}


def _step(step: Step) -> Json:
    return {"position": step.state.text, "answers": [_answer(step.state, one) for one in step.answers]}


def _answer(state: State, answer: Answer) -> Json:
    after = state.play(answer.move)
    reply = None if answer.reply is None else _made(after, answer.reply)
    return _made(state, answer.move) | {"value": answer.value, "reply": reply}


def _made(state: State, move: Move) -> Json:
    """A move with what it changes, and the position it leads to."""
    if move.is_pass:
        return {"move": str(move), "cell": -1, "turned": [], "position": state.play(move).text}
    return {"move": str(move), "cell": move.cell, "turned": list(state.turned(move)),
            "position": state.play(move).text}


def _of(spec: str, kind: str = "", grade: str = "") -> tuple[Puzzle, ...]:
    """The puzzles of a game, a kind and a grade; an empty text stands for all kinds or grades."""
    if grade and grade not in map(str, GRADES):
        raise HttpError(400, f"a grade is a number from {GRADES[0]} to {GRADES[-1]}")
    return puzzles(chosen_game(spec or FIRST), kind=cast("Kind", kind) if kind else None,
                   grade=int(grade) if grade else None)
