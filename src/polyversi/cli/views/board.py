"""A game as text for the terminal: the board cut to its size, and moves and results in words."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from polyversi.drawing import Last
from polyversi.drawing.geometry import axis_names
from polyversi.drawing.palette import paints
from polyversi.drawing.words import counted
from polyversi.gameplay.events import EndEvent
from polyversi.gameplay.plies import Ply
from polyversi.games.game import Game
from polyversi.games.state import State
from polyversi.games.tiles import BONUS, CHOICE, INVERSION

MAX_LISTED = 8
"""Up to so many turned cells are named; of more only the number is given."""
MIN_ROWS = 5
"""Rows of a board that are shown even on a smaller terminal."""
REASONS = {
    "no moves": "nobody can move any more",
    "board full": "the board is full",
    "passes": "everybody has passed",
    "bombs used": "all bombs are used",
    "no tiles left": "no tile is left",
    "one seat left": "only one seat is left",
    "no seat left": "no seat is left",
}


def seat_name(game: Game, seat: int) -> str:
    """What a seat is called.

    >>> import polyversi as pv
    >>> seat_name(pv.game("othello"), 1), seat_name(pv.game("rolit"), 3)
    ('black', 'seat 3')
    """
    return paints(game.board, game.seats)[seat - 1].name


def move_text(ply: Ply, after: State) -> str:
    """A move in words.

    >>> import polyversi as pv
    >>> from polyversi.gameplay.plies import Ply
    >>> state = pv.game("othello").start()
    >>> move_text(Ply(state, state.game.move("f5"), 0.0), state.play("f5"))
    'black plays f5, turns e5'
    """
    before, move = ply.before, ply.move
    game, name = before.game, seat_name(before.game, before.turn)
    if move.is_pass:
        return f"{name} has no move and passes" if before.must_pass else f"{name} passes"
    cell, turned = game.board.name(move.cell), before.turned(move)
    if before.phase == "bomb":
        sentence = f"{name} bombs {cell}: {counted(len(turned), 'cell')} gone"
    else:
        verb = "overrides" if 1 <= before.tiles[move.cell] <= 8 else "plays"
        effect = _special(before, move.cell, move.special)
        sentence = f"{name} {verb} {cell}, turns {_cells(game, turned)}{effect}"
    return "; ".join([sentence, *_consequences(before, after)])


def _cells(game: Game, cells: Sequence[int]) -> str:
    if 0 < len(cells) <= MAX_LISTED:
        return " ".join(game.board.name(cell) for cell in cells)
    return counted(len(cells), "stone") if cells else "nothing"


def _special(before: State, cell: int, special: int) -> str:
    tile = before.tiles[cell]
    if tile == CHOICE:
        return f", swaps stones with {seat_name(before.game, special)}"
    if tile == BONUS:
        return f", takes {'a bomb' if special == 20 else 'an override stone'}"
    return ", passes all stones to the next seat" if tile == INVERSION else ""


def _consequences(before: State, after: State) -> list[str]:
    """Who is passed over without a pass, and that the bombing begins."""
    if after.is_over:
        return []
    if before.phase != after.phase:
        return ["the bombing begins"]
    seats, skipped, seat = after.game.seats, [], before.turn % after.game.seats + 1
    while seat != after.turn:
        skipped += [seat] if seat not in after.out else []
        seat = seat % seats + 1
    lacks = "bomb" if after.phase == "bomb" else "move"
    return [f"{seat_name(after.game, seat)} has no {lacks}" for seat in skipped]


def counts(state: State) -> str:
    """The stones of each seat.

    >>> import polyversi as pv
    >>> counts(pv.game("othello").start())
    'black 2, white 2'
    """
    return ", ".join(
        f"{seat_name(state.game, seat)} {score}" for seat, score in enumerate(state.scores, 1)
    )


def ending(game: Game, end: EndEvent) -> str:
    """The result of a game and its reason, from its last event.

    >>> import polyversi as pv
    >>> from polyversi.gameplay import EndEvent, Verdict
    >>> ending(pv.game("othello"), EndEvent(9, "resigned", (4, 1), (2, 1), (0, 1), Verdict("resigned", 1)))
    'white wins: black has resigned'
    """
    winners = [seat_name(game, seat) for seat, rank in enumerate(end.ranks, 1) if rank == 1]
    verdict = end.verdict
    drawn = f"a draw between {' and '.join(winners)}" if winners else "nobody wins"
    who = f"{winners[0]} wins" if len(winners) == 1 else drawn
    if verdict.kind not in ("win", "draw", "adjudicated"):
        loser = seat_name(game, verdict.seat or 0)
        deed = "has resigned" if verdict.kind == "resigned" else f"lost by {verdict.kind}"
        return f"{who}: {loser} {deed}" + (f" ({verdict.detail})" if verdict.detail else "")
    fewest = " (the fewest win)" if game.definition.goal == "fewest" else ""
    reason = str(verdict) if verdict.kind == "adjudicated" else REASONS.get(end.reason, end.reason)
    if game.seats == 2:
        score = "–".join(map(str, end.scores))
        return f"{who}, {score}{fewest}: {reason}"
    places = sorted(zip(end.ranks, end.scores, end.points, range(1, game.seats + 1), strict=True),
                    key=lambda place: (place[0], place[3]))
    lines = [
        f"{rank:>3}. {seat_name(game, seat)}: {counted(score, 'stone')}"
        + (f", {points:g} points" if game.definition.scoring == "ranks" else "")
        for rank, score, points, seat in places
    ]
    return "\n".join([f"{who}{fewest}: {reason}", *lines])


def board_lines(
    state: State, last: Ply | None, *, color: bool, width: int, height: int, legal: bool = True
) -> list[str]:
    """The board and what is under it, in at most so many lines: of a large one, the rows round the last move.

    >>> import polyversi as pv
    >>> lines = board_lines(pv.game("othello-26").start(), None, color=False, width=80, height=14)
    >>> len(lines), lines[-3]
    (14, 'rows 9 to 18 of 26; `board` shows all')
    """
    marks = Last.of(last.before, last.move) if last else None
    lines = state.draw(color=color, last=marks, legal=legal, width=width).split("\n")
    board = state.board
    if len(lines) <= height or board.layout == "hexagon":
        return lines
    above = len(axis_names(board)[0][-1])
    head, rows, foot = lines[:above], lines[above : above + board.height], lines[above + board.height :]
    room = max(MIN_ROWS, height - len(head) - len(foot) - 1)
    top = min(max(0, _middle(state, marks) - room // 2), board.height - room)
    names = axis_names(board)[1]
    shown = f"rows {names[top].strip()} to {names[top + room - 1].strip()} of {board.height}"
    return [*head, *rows[top : top + room], f"{shown}; `board` shows all", *foot]


def _middle(state: State, marks: Last | None) -> int:
    """The row to look at: that of the last move, or the middle one of those where one can move."""
    if marks is not None:
        return state.board.coordinates[marks.cell][1]
    rows = sorted(state.board.coordinates[move.cell][1] for move in state.moves if not move.is_pass)
    return rows[len(rows) // 2] if rows else state.board.height // 2


def wrapped(sentences: list[str], width: int, max_lines: int) -> list[str]:
    """Sentences as the last few lines that hold them: one a line while there is room, otherwise run together.

    >>> wrapped(["black plays f5", "white plays d6"], 80, 3)
    ['black plays f5', 'white plays d6']
    >>> wrapped(["black plays f5", "white plays d6", "black plays c3"], 40, 2)
    ['black plays f5; white plays d6; black', 'plays c3']
    """
    if len(sentences) <= max_lines and all(len(sentence) <= width for sentence in sentences):
        return sentences
    return textwrap.wrap("; ".join(sentences), width)[-max_lines:]
