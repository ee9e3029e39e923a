"""The rules of a game as the page shows them: sentences to translate, and examples ready to be drawn."""

from __future__ import annotations

from typing import Any

from polyversi.drawing.layout import board_layout, cropped
from polyversi.drawing.marks import Last, marked_moves
from polyversi.games.board import Board
from polyversi.games.board_cache import board_cache
from polyversi.games.game import Game
from polyversi.games.rules import Entry, Example, Section, Sentence
from polyversi.games.rules.lines import neighbours, secure_cells
from polyversi.games.variants import title

Json = dict[str, Any]
MAX_SIDE = 10
"""Columns and rows of a board that a small picture shows as a whole; of larger ones it shows a part."""


def rulebook(game: Game) -> Json:
    """The rules of a game, its examples, and the cells that are safe for ever.

    >>> import polyversi as pv
    >>> rules = rulebook(pv.game("othello"))
    >>> rules["goal"], rules["sections"][2]["label"], rules["secure"][0]
    ('Most stones win.', 'A move', {'cell': 0, 'beside': (1, 9, 8)})
    """
    return _rulebook(game, game.spec)


@board_cache(64)
def _rulebook(game: Game, spec: str) -> Json:    # games of the same rules can have different names
    rules = game.rules
    return {
        "spec": spec,
        "title": title(spec),
        "seats": game.seats,
        "goal": rules.goal,
        "sections": [_section(section) for section in rules.sections],
        "examples": [_example(example) for example in rules.examples],
        "secure": [] if game.definition.has_stocks else _secure(game.board),
    }


def _secure(board: Board) -> list[Json]:
    """The cells where no stone is ever turned, with those next to them."""
    return [{"cell": cell, "beside": neighbours(board, cell)} for cell in secure_cells(board)]


def _sentences(sentences: tuple[Sentence, ...]) -> list[Json]:
    return [{"text": sentence.text, "values": dict(sentence.values)} for sentence in sentences]


def _section(section: Section) -> Json:
    return {
        "name": section.name,
        "label": section.title,
        "sentences": _sentences(section.sentences),
        "entries": [_entry(entry) for entry in section.entries],
        "is_legend": section.is_legend,
    }


def _entry(entry: Entry) -> Json:
    return {"term": entry.term, "sentences": _sentences(entry.sentences), "tile": entry.tile,
            "example": entry.example}


def _example(example: Example) -> Json:
    """An example with the plan of its board, and a frame for every position."""
    board = example.start.board
    marks = [None, *(Last.of(before, move) for before, move, _ in example.plies)]
    shown = _shown_cells(board, [cell for last in marks if last for cell in (last.cell, *last.turned)])
    place = {cell: at for at, cell in enumerate(shown)}
    frames = [
        {
            "tiles": [state.tiles[cell] for cell in shown],
            "turn": state.turn,
            "legal": sorted(place[cell] for cell in marked_moves(state) if cell in place),
            "last": place[last.cell] if last else None,
            "turned": [place[cell] for cell in last.turned] if last else [],
        }
        for state, last in zip(example.states, marks, strict=True)
    ]
    return {
        "name": example.name,
        "section": example.section,
        "sentences": _sentences(example.sentences),
        "moves": [str(move) for move in example.moves],
        "plan": cropped(board_layout(example.start.game), shown),
        "frames": frames,
    }


def _shown_cells(board: Board, touched: list[int]) -> list[int]:
    """All cells of a small board; of a large one those around what an example touches, if that is a part."""
    everything = list(range(board.size))
    if max(board.width, board.height) <= MAX_SIDE or not touched:
        return everything
    columns, rows = zip(*(board.coordinates[cell] for cell in touched), strict=True)
    left, right, top, bottom = min(columns) - 2, max(columns) + 2, min(rows) - 2, max(rows) + 2
    return [cell for cell, (x, y) in enumerate(board.coordinates)
            if left <= x <= right and top <= y <= bottom]
