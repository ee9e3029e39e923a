"""What `polyversi explorer show` shows: the moves of a position with their games, and some of these."""

from __future__ import annotations

from typing import Any

from rich.console import Console

from polyversi.cli.views.board import seat_name
from polyversi.cli.views.terminal import is_colourful, new_table, print_board
from polyversi.drawing.words import counted
from polyversi.engines.book import book_values
from polyversi.records.opening_names import opening_name
from polyversi.storage.explorer import Played, Report


def show(console: Console, report: Report) -> None:
    """The board, the table of moves and the table of games."""
    state = report.state
    title = ", ".join(filter(None, (state.game.spec, opening_name(state), counted(report.games, "game"))))
    board = state.draw(color=is_colourful(console), width=console.width)
    print_board(console, [title, *board.split("\n")])
    values = book_values(state)
    if not report.moves and not values:
        return
    book_column = ["book"] if values else []
    table = new_table("move", "games", "", "won", "drawn", "lost", "mean score", *book_column, left=("move",))
    for played in report.moves:
        book = values.get(played.move)
        table.add_row(_name(played), f"{played.games:,}", f"{played.games / report.games:.1%}",
                      *(f"{count:,}" for count in (played.wins, played.draws, played.losses)),
                      "" if played.mean is None else f"{played.mean:+.1f}",
                      *(["" if book is None else f"{book:+}"] if values else []))
    known = {move for played in report.moves for move in (played.move, *played.same)}
    for move, value in values.items():
        if move not in known:
            table.add_row(str(move), "0", "", "", "", "", "", f"{value:+}")
    console.print(table)
    console.print(f"won, drawn, lost and scores are those of {seat_name(state.game, state.turn)}")
    if report.examples:
        console.print()
        examples = new_table("move", "players", "score", "event", "year", left=("move", "players", "event"))
        for example in report.examples:
            examples.add_row(str(example.move), " – ".join(name or "?" for name in example.players),
                             "–".join(map(str, example.scores)), example.event, str(example.year or ""))
        console.print(examples)


def _name(played: Played) -> str:
    return " = ".join(map(str, (played.move, *played.same)))


def data(report: Report) -> dict[str, Any]:
    """The same for programs."""
    values = book_values(report.state)
    return {
        "game": report.state.game.spec,
        "position": report.state.text,
        "opening": opening_name(report.state),
        "games": report.games,
        "moves": [
            {"move": str(played.move), "same": [str(move) for move in played.same], "games": played.games,
             "wins": played.wins, "draws": played.draws, "losses": played.losses, "mean": played.mean,
             "book": values.get(played.move)}
            for played in report.moves
        ],
        "examples": [
            {"move": str(example.move), "players": list(example.players), "event": example.event,
             "year": example.year, "scores": list(example.scores), "stored": example.stored or None}
            for example in report.examples
        ],
    }
