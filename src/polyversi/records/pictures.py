"""Pictures of recorded games: a position at any ply as SVG or PNG, a game as a GIF or for a notebook."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from polyversi.drawing import Last, film, raster, state_svg
from polyversi.drawing.film import Moment
from polyversi.drawing.markup import element, figure, text
from polyversi.games.errors import RecordError
from polyversi.records.problems import Problem
from polyversi.records.record import Record
from polyversi.records.tree import Node, Tree

SIZE = 420
"""The longer side of a drawing in a notebook, in pixels."""


def svg(record: Record, ply: int | None = None, *, size: int | None = None) -> str:
    """The position after `ply` moves, by default the last one, with the move that led to it marked.

    >>> from polyversi.records import Record
    >>> "black to move, 3 : 3" in svg(Record.of("othello", "f5d6c3"), 2)
    True
    """
    state, last = _moment(record, ply)
    return state_svg(state, last=last, legal=False, size=size, colours=record.tag("colours"))


def png(record: Record, ply: int | None = None, *, size: int | None = None) -> bytes:
    """The same as PNG, `size` pixels along its longer side; needs the `server` extra.

    >>> from polyversi.records import Record
    >>> png(Record.of("othello", "f5d6c3"), size=200)[1:4]
    b'PNG'
    """
    return raster.png(svg(record, ply), size)


def gif(record: Record, *, seconds: float = 0.8, size: int = 480, frames: int | None = None) -> bytes:
    """The whole game, each position shown for `seconds` and the last one longer; needs the `server` extra.

    A game too long for a GIF, or for so many frames, is shown in even steps of several plies.

    >>> from polyversi.records import Record
    >>> gif(Record.of("othello", "f5d6c3"), size=200)[:6]
    b'GIF89a'
    """
    plies = len(record.moves)
    most = film.max_frames(record.game.board.size, size)
    if frames is not None:
        if frames < 2:
            raise RecordError(f"a film has two frames at least, not {frames}")
        most = min(most, frames)
    step = -(-plies // (most - 1)) or 1
    shown = [moment for ply, moment in enumerate(_moments(record)) if ply == 0 or (plies - ply) % step == 0]
    return film.gif(shown, seconds, size, record.tag("colours"))


def html(record: Record) -> str:
    """A game for a notebook: its last position with the numbers of the moves on the stones, and the moves.

    >>> from polyversi.records import Record
    >>> ">3. c3</" in html(Record.of("othello", "f5d6c3"))
    True
    """
    state, last = _moment(record, None)
    numbers = {move.cell: str(number) for number, move in enumerate(record.moves, 1) if not move.is_pass}
    drawing = state_svg(state, last=last, legal=False, words=numbers, size=SIZE,
                        colours=record.tag("colours"))
    names = " – ".join(name or "?" for name in record.players)
    tags = ", ".join(record.tag(name) for name in ("event", "date") if record.tag(name))
    outcome = record.outcome.reason if record.outcome else ""
    heading = ", ".join(filter(None, (names, tags, outcome)))
    tree = record.tree()
    parts = [element("p", element("b", text(heading)))] if heading else []
    parts += [element("p", text(tree.root.comment))] if tree.root.comment else []
    return figure(drawing, *parts, element("p", _line(tree.root)), *_side_lines(tree))


def problem_html(problem: Problem) -> str:
    """A position for a notebook: the scores of its moves on their cells, and its comment.

    >>> from polyversi.records import Problem
    >>> "+2" in problem_html(Problem.of("-----OX--XO----- X; b1:+2"))
    True
    """
    scores = {move.cell: "?" if score is None else f"{score:+}" for move, score in problem.answers
              if not move.is_pass}
    drawing = state_svg(problem.state, legal=not scores, words=scores, size=SIZE)
    return figure(drawing, *([element("p", text(problem.comment))] if problem.comment else []))


def _side_lines(tree: Tree) -> Iterator[str]:
    """Every variation as a paragraph that says where it begins, in the order of a walk."""
    for node in tree:
        for start in node.variations:
            yield element("p", element("i", text("instead: " if node.next else "afterwards: ")), _line(start))


def _line(node: Node) -> str:
    """The moves of a line with their numbers and comments."""
    ply, parts = node.ply, []
    for number, one in enumerate(node.line(), ply):
        if one.move is not None:
            parts.append(element("b", text(f"{number}. {one.move}")))
            parts += [text(one.comment)] if one.comment else []
    return " ".join(parts) or text("no moves yet")


def _moment(record: Record, ply: int | None) -> Moment:
    plies = len(record.moves)
    if ply is not None and not 0 <= ply <= plies:
        raise RecordError(f"there is no ply {ply}; the game has plies 0 to {plies}")
    return next(islice(_moments(record), plies if ply is None else ply, None))


def _moments(record: Record) -> Iterator[Moment]:
    """The positions of a game, each with the marks of the move that led to it."""
    states = record.states()
    before = next(states)
    yield before, None
    for after, move in zip(states, record.moves, strict=True):
        yield after, Last.of(before, move)
        before = after
