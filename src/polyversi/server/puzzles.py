"""The puzzles as the page asks for them: lists, one of them, and that of the day; no engine is needed."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from functools import lru_cache
from typing import TypeVar, cast

from msgspec import UNSET, Struct, UnsetType, structs
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from polyversi._core import Move
from polyversi.engines.puzzles import (
    FAILURES,
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
from polyversi.games.definition import Goal
from polyversi.games.state import State
from polyversi.games.variants import title
from polyversi.server import catalogue
from polyversi.server.new_game import chosen_game
from polyversi.server.responses import Handler, HttpError, json_response

T = TypeVar("T")
Work = Callable[[Request, Callable[[], T]], Awaitable[T]]
"""Does what takes long in another thread, when it is the visitor's turn."""
MAX_LISTED = 200
"""Puzzles that one answer lists; `after` asks for those that follow."""
NAME = re.compile(r"[0-9a-f]{10}")


class PuzzleMove(Struct, frozen=True):
    """A move with what it changes, and the position it leads to."""

    move: str
    cell: int
    """-1 for a pass."""
    turned: list[int]
    position: str


class PuzzleAnswer(PuzzleMove, frozen=True):
    """A move that can be tried, with its exact value and the best reply."""

    value: int
    reply: PuzzleMove | None


class PuzzleStep(Struct, frozen=True):
    """A move to be found."""

    ply: int
    """How many moves of the line come before it."""
    position: str
    answers: list[PuzzleAnswer]
    """All legal moves, the right one first."""


class PuzzleSummary(Struct, frozen=True):
    """A puzzle in a list."""

    id: str
    kind: Kind
    grade: int
    moves: int
    """How many are to be found."""


class ShownPuzzle(PuzzleSummary, frozen=True):
    """A puzzle with every position that a visitor can come to, so that the page needs no rules."""

    kind_label: str
    task: str
    """What is to be done, with a place for the `{seat}`."""
    failure: str
    """What is wrong with another `{move}`."""
    game: str
    title: str
    goal: Goal
    cells: int
    seat: int
    value: int
    steps: list[PuzzleStep]
    line: list[PuzzleMove]
    date: str | UnsetType = UNSET
    """The day, if it is the puzzle of one."""


class PuzzleGame(Struct, frozen=True):
    """A game of which there are puzzles."""

    spec: str
    title: str
    count: int


class PuzzleKind(Struct, frozen=True):
    """A kind of puzzles."""

    name: Kind
    label: str


class PuzzleList(Struct, frozen=True):
    """A part of a list of puzzles, and what there is to choose from."""

    games: list[PuzzleGame]
    kinds: list[PuzzleKind]
    grades: list[int]
    total: int
    puzzles: list[PuzzleSummary]
    next: str | None
    """The last of this part, if others follow."""


def routes(limited: Callable[[Handler], Handler], work: Work[Struct]) -> list[Route]:
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
        return json_response(await work(request, lambda: shown(found(name))))

    return [
        Route("/api/puzzles", limited(listing)),
        Route("/api/puzzles/daily", limited(of_today)),
        Route("/api/puzzles/{id}", limited(one)),
    ]


def listed(query: dict[str, str]) -> PuzzleList:
    """The puzzles that a query asks for, and the games of which there are any.

    >>> answer = listed({"spec": "othello", "kind": "win"})
    >>> answer.games[0].spec, answer.puzzles[0].kind, answer.next
    ('othello', 'win', None)
    """
    matching = _of(query.get("spec", ""), query.get("kind", ""), query.get("grade", ""))
    names = [puzzle.id for puzzle in matching]
    after = query.get("after", "")
    if after and after not in names:
        raise HttpError(404, "there is no such puzzle among these")
    begin = names.index(after) + 1 if after else 0
    part = matching[begin : begin + MAX_LISTED]
    is_more = begin + len(part) < len(matching)
    return PuzzleList(
        games=[PuzzleGame(spec, title(spec), len(puzzles(spec))) for spec in shipped_games()],
        kinds=[PuzzleKind(kind, label) for kind, label in LABELS.items()],
        grades=list(GRADES),
        total=len(matching),
        puzzles=[PuzzleSummary(*_summary(puzzle)) for puzzle in part],
        next=part[-1].id if is_more else None,
    )


def today(spec: str) -> ShownPuzzle:
    """The puzzle of the day by the calendar of UTC, with its date.

    >>> today("othello").game
    'othello'
    """
    date = datetime.now(UTC).date()
    return structs.replace(shown(daily(_of(spec), date)), date=date.isoformat())


def found(name: str) -> Puzzle:
    """The puzzle of a name, whatever its game is."""
    if NAME.fullmatch(name):
        for spec in shipped_games():
            for puzzle in puzzles(spec):
                if puzzle.id == name:
                    return puzzle
    raise HttpError(404, "there is no such puzzle")


@lru_cache(maxsize=512)
def shown(puzzle: Puzzle) -> ShownPuzzle:
    """A puzzle as the page gets it.

    >>> import polyversi as pv
    >>> puzzle = shown(pv.puzzles("othello", kind="win")[0])
    >>> puzzle.steps[0].answers[0].value == puzzle.value > 0
    True
    """
    states = puzzle.states
    return ShownPuzzle(
        *_summary(puzzle),
        kind_label=LABELS[puzzle.kind],
        task=puzzle.task,
        failure=FAILURES[puzzle.kind],
        game=puzzle.game.spec,
        title=title(puzzle.game.spec),
        goal=puzzle.game.definition.goal,
        cells=puzzle.game.board.size,
        seat=puzzle.state.next_seat,
        value=puzzle.value,
        steps=[_step(states.index(step.state), step) for step in puzzle.steps],
        line=[PuzzleMove(*_made(before, move)) for before, move in zip(states, puzzle.line, strict=False)],
    )


def _summary(puzzle: Puzzle) -> tuple[str, Kind, int, int]:
    return puzzle.id, puzzle.kind, puzzle.grade, len(puzzle.steps)


def _step(ply: int, step: Step) -> PuzzleStep:
    return PuzzleStep(ply, step.state.text, [_answer(step.state, one) for one in step.answers])


def _answer(state: State, answer: Answer) -> PuzzleAnswer:
    after = state.play(answer.move)
    reply = None if answer.reply is None else PuzzleMove(*_made(after, answer.reply))
    return PuzzleAnswer(*_made(state, answer.move), answer.value, reply)


def _made(state: State, move: Move) -> tuple[str, int, list[int], str]:
    """What is told of a move."""
    cell, turned = (-1, []) if move.is_pass else (move.cell, list(state.turned(move)))
    return str(move), cell, turned, state.play(move).text


def _of(spec: str, kind: str = "", grade: str = "") -> tuple[Puzzle, ...]:
    """The puzzles of a game, a kind and a grade; an empty text stands for all kinds or grades."""
    if grade and grade not in map(str, GRADES):
        raise HttpError(400, f"a grade is a number from {GRADES[0]} to {GRADES[-1]}")
    return puzzles(chosen_game(spec or catalogue.FIRST), kind=cast("Kind", kind) if kind else None,
                   grade=int(grade) if grade else None)
