"""`polyversi rules`: the rules of a variant in words, with examples drawn on the board."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.columns import Columns
from rich.console import Console
from rich.text import Text

from polyversi.cli.views.board import move_text
from polyversi.drawing import Last
from polyversi.gameplay.plies import Ply
from polyversi.games.rules import Example, Section
from polyversi.games.variants import game, title


def rules(
    variant: Annotated[str, typer.Argument(
        metavar="VARIANT", help="The game, with options after a colon.")] = "othello",
    examples: Annotated[bool, typer.Option(help="Show examples on the board, or none.")] = True,
) -> None:
    """Explain the rules of a variant, with examples on the board.

    Examples:
      polyversi rules
      polyversi rules hex
      polyversi rules xt:starfish
    """
    console, chosen = Console(highlight=False), game(variant)
    console.print(f"[bold]{title(chosen.spec)}[/]")
    shown = {example.name for example in chosen.rules.examples} if examples else set()
    for section in chosen.rules.sections:
        _show_section(console, section)
        for example in chosen.rules.examples:
            if example.section == section.name and example.name in shown:
                _show_example(console, example)


def _show_section(console: Console, section: Section) -> None:
    console.print(f"\n[bold]{section.title}[/]")
    for sentence in section.sentences:
        console.print(str(sentence), markup=False)
    for entry in section.entries:
        console.print(Text.assemble((entry.term, "italic"), ". ", " ".join(map(str, entry.sentences))))


def _show_example(console: Console, example: Example) -> None:
    console.print()
    console.print(Text(" ".join(map(str, example.sentences)), style="cyan"))
    moves = [move_text(Ply(before, move, 0.0), after) for before, move, after in example.plies]
    if moves:
        console.print("; ".join(moves) + ".", markup=False)
    marks = [None, *(Last.of(before, move) for before, move, _ in example.plies)]
    drawn = [state.draw(color=console.is_terminal, last=last, width=console.width // 2)
             for state, last in zip(example.states, marks, strict=True)]
    boards = dict.fromkeys([drawn[0], drawn[-1]])
    console.print(Columns([Text.from_ansi(board) for board in boards], padding=(0, 4)))
