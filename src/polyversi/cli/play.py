"""`polyversi play`: a game in the terminal against random moves."""

from __future__ import annotations

import random
import sys
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from polyversi.games.drawing import Last
    from polyversi.games.state import State

HELP = "Type a cell such as 'f5', 'moves' for the legal moves, 'pass' where one may, or 'quit'."


def play(
    variant: Annotated[str, typer.Argument(help="What to play; see `polyversi variants`.")] = "othello",
    seat: Annotated[int, typer.Option(min=0, max=8, help="Your seat; 0 to look on.")] = 1,
    seed: Annotated[int | None, typer.Option(help="Repeats the set-up and the random moves.")] = None,
) -> None:
    """Play a game in the terminal; the other seats play random moves.

    Without a terminal to type in, random moves play all seats: a demonstration.

    Examples:

      polyversi play

      polyversi play hex --seat 2

      polyversi play xt:diamond --seat 0
    """
    from rich.console import Console

    from polyversi.games.notation import seat_symbol
    from polyversi.games.variants import game

    console = Console(highlight=False)
    chosen = game(variant)
    mine = seat if sys.stdin.isatty() else 0
    if mine > chosen.seats:
        raise typer.BadParameter(f"{chosen.spec} has the seats 1 to {chosen.seats}", param_hint="--seat")
    rng = random.Random(seed)
    state = chosen.start(rng.getrandbits(32) if seed is None else seed)
    if mine:
        console.print(f"You have seat {mine} ({seat_symbol(chosen, mine)}). {HELP}\n")
    _show(console, state)
    while not state.is_over:
        who = state.turn
        text = _ask(console, state) if who == mine else str(rng.choice(state.moves))
        if text is None:
            console.print("Good-bye.")
            return
        console.print(f"{seat_symbol(chosen, who)} plays {text}")
        state = _show_move(console, state, text)
    console.print(str(state.result))


def _ask(console: Console, state: State) -> str | None:
    """A legal move typed by the person, or None when there will be no more."""
    from polyversi.games.errors import PolyversiError

    while True:
        try:
            text = console.input("your move: ").strip().lower()
        except (EOFError, KeyboardInterrupt):
            return None
        if text in ("quit", "q"):
            return None
        if text in ("moves", "?", "help", ""):
            console.print(HELP if text != "moves" else " ".join(map(str, state.moves)))
            continue
        try:
            state.play(text)
        except PolyversiError as error:
            console.print(str(error), markup=False)
            continue
        return text


def _show_move(console: Console, state: State, text: str) -> State:
    from polyversi.games.drawing import Last

    move = state.game.move(text)
    after = state.play(move)
    _show(console, after, Last.of(state, move))
    return after


def _show(console: Console, state: State, last: Last | None = None) -> None:
    from rich.text import Text

    console.print(Text.from_ansi(state.draw(color=console.is_terminal, last=last, width=console.width)))
    console.print()
