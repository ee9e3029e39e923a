"""The rules of a game as the page shows them: sentences to translate, and examples ready to be drawn."""

from __future__ import annotations

from msgspec import Struct

from polyversi.drawing.layout import board_layout, cropped
from polyversi.drawing.marks import Last, marked_moves
from polyversi.games.board import Board
from polyversi.games.board_cache import board_cache
from polyversi.games.game import Game
from polyversi.games.rules import Entry, Example, Section, Sentence
from polyversi.games.rules.lines import neighbours, secure_cells
from polyversi.games.variants import title
from polyversi.server.catalogue_answers import Plan

MAX_SIDE = 10
"""Columns and rows of a board that a small picture shows as a whole; of larger ones it shows a part."""


class RulesSentence(Struct, frozen=True):
    """A text to translate, and what to fill in."""

    text: str
    values: dict[str, str | int]


class RulesEntry(Struct, frozen=True):
    """Something that is named in a legend."""

    term: str
    sentences: list[RulesSentence]
    tile: int | None
    example: str


class RulesSection(Struct, frozen=True):
    """One subject of the rules."""

    name: str
    label: str
    sentences: list[RulesSentence]
    entries: list[RulesEntry]
    is_legend: bool


class ExampleFrame(Struct, frozen=True):
    """A position of an example with its marks; cells are those of the example's plan."""

    tiles: list[int]
    turn: int
    legal: list[int]
    last: int | None
    turned: list[int]


class RulesExample(Struct, frozen=True):
    """An example with the plan of its board, and a frame for every position."""

    name: str
    section: str
    sentences: list[RulesSentence]
    moves: list[str]
    plan: Plan
    frames: list[ExampleFrame]


class SecureCell(Struct, frozen=True):
    """A cell where no stone is ever turned, with those next to it."""

    cell: int
    beside: tuple[int, ...]


class Rulebook(Struct, frozen=True):
    """The rules of a game."""

    spec: str
    title: str
    seats: int
    goal: str
    sections: list[RulesSection]
    examples: list[RulesExample]
    secure: list[SecureCell]


def rulebook(game: Game) -> Rulebook:
    """The rules of a game, its examples, and the cells that are safe for ever.

    >>> import polyversi as pv
    >>> rules = rulebook(pv.game("othello"))
    >>> rules.goal, rules.sections[2].label, rules.secure[0]
    ('Most stones win.', 'A move', SecureCell(cell=0, beside=(1, 9, 8)))
    """
    return _rulebook(game, game.spec)


@board_cache(64)
def _rulebook(game: Game, spec: str) -> Rulebook:    # games of the same rules can have different names
    rules = game.rules
    return Rulebook(
        spec=spec,
        title=title(spec),
        seats=game.seats,
        goal=rules.goal,
        sections=[_section(section) for section in rules.sections],
        examples=[_example(example) for example in rules.examples],
        secure=[] if game.definition.has_stocks else _secure(game.board),
    )


def _secure(board: Board) -> list[SecureCell]:
    """The cells where no stone is ever turned, with those next to them."""
    return [SecureCell(cell, neighbours(board, cell)) for cell in secure_cells(board)]


def _sentences(sentences: tuple[Sentence, ...]) -> list[RulesSentence]:
    return [RulesSentence(sentence.text, dict(sentence.values)) for sentence in sentences]


def _section(section: Section) -> RulesSection:
    return RulesSection(
        name=section.name,
        label=section.title,
        sentences=_sentences(section.sentences),
        entries=[_entry(entry) for entry in section.entries],
        is_legend=section.is_legend,
    )


def _entry(entry: Entry) -> RulesEntry:
    return RulesEntry(entry.term, _sentences(entry.sentences), entry.tile, entry.example)


def _example(example: Example) -> RulesExample:
    board = example.start.board
    marks = [None, *(Last.of(before, move) for before, move, _ in example.plies)]
    shown = _shown_cells(board, [cell for last in marks if last for cell in (last.cell, *last.turned)])
    place = {cell: at for at, cell in enumerate(shown)}
    frames = [
        ExampleFrame(
            tiles=[state.tiles[cell] for cell in shown],
            turn=state.turn,
            legal=sorted(place[cell] for cell in marked_moves(state) if cell in place),
            last=place[last.cell] if last else None,
            turned=[place[cell] for cell in last.turned] if last else [],
        )
        for state, last in zip(example.states, marks, strict=True)
    ]
    return RulesExample(
        name=example.name,
        section=example.section,
        sentences=_sentences(example.sentences),
        moves=[str(move) for move in example.moves],
        plan=cropped(board_layout(example.start.game), shown),
        frames=frames,
    )


def _shown_cells(board: Board, touched: list[int]) -> list[int]:
    """All cells of a small board; of a large one those around what an example touches, if that is a part."""
    everything = list(range(board.size))
    if max(board.width, board.height) <= MAX_SIDE or not touched:
        return everything
    columns, rows = zip(*(board.coordinates[cell] for cell in touched), strict=True)
    left, right, top, bottom = min(columns) - 2, max(columns) + 2, min(rows) - 2, max(rows) + 2
    return [cell for cell, (x, y) in enumerate(board.coordinates)
            if left <= x <= right and top <= y <= bottom]
