"""`polyversi play`: a game in the terminal, between people and players in any seats."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from polyversi.cli.views.game import GameView
    from polyversi.cli.views.terminal import Lines
    from polyversi.games.game import Game
    from polyversi.players import Limit

TIMEOUT = 2.0
"""Seconds to wait for a first move where there is no terminal, before a demonstration game starts."""


def play(
    variant: Annotated[str, typer.Argument(help="What to play; see `polyversi variants`.")] = "othello",
    players: Annotated[list[str] | None, typer.Argument(
        metavar="[PLAYER]...", help="'human', or one of `polyversi players` with its options.")] = None,
    seat: Annotated[int | None, typer.Option(min=0, max=8, help="Your seat; 0 to watch.")] = None,
    limit: Annotated[list[str] | None, typer.Option(
        help="seconds=5, bank=60,increment=1, depth=4, … for all, or once for each seat.")] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of a random set-up and of random players.")] = None,
    plain: Annotated[bool, typer.Option("--plain", help="Text without boards, for screen readers.")] = False,
) -> None:
    """Play a game in the terminal against a player, or another person, or many of them.

    You have the first seat unless --seat names another; the players take the other seats, the last of them
    as often as needed. With as many players as seats they sit in their order. Type ? in the game for help.

    Without a terminal and without moves on standard input, two players play a demonstration game.

    Examples:

      polyversi play

      polyversi play hex t77 --seat 2

      polyversi play othello-6 human human --limit bank=300

      polyversi play xt:starfish random --limit seconds=2 --plain
    """

    from polyversi.cli.options import HUMAN, limits, seat_specs
    from polyversi.gameplay.human import PersonLeft
    from polyversi.gameplay.interrupt import run_interruptibly
    from polyversi.games.variants import game
    from polyversi.protocols.seating import check_suited

    chosen = game(variant)
    specs = seat_specs(chosen, players or [], seat)
    check_suited([word for word in specs if word != HUMAN], chosen)
    given = limits(limit or [], chosen.seats)
    may_show = seat is None and not players
    try:
        run_interruptibly(_session(chosen, specs, given, seed, plain=plain, may_show=may_show))
    except PersonLeft:
        typer.echo("Good-bye.")
    except KeyboardInterrupt:
        typer.echo("\nGood-bye.")
        raise typer.Exit(130) from None


async def _session(
    game: Game, specs: list[str], limits: list[Limit], seed: int | None, *, plain: bool, may_show: bool
) -> None:
    """Plays one game after another, as long as a person wants another one."""
    import random

    from polyversi.cli.options import HUMAN, default_opponent
    from polyversi.cli.views.game import GameView, PageView, PlainView
    from polyversi.cli.views.terminal import Lines, can_redraw, new_console
    from polyversi.gameplay.human import Dialogue
    from polyversi.gameplay.person import PersonSeat
    from polyversi.gameplay.referee import Referee
    from polyversi.protocols.seating import draw_seed, seat_of

    console, lines, typed = new_console(), Lines(), sys.stdin.isatty()
    if may_show and not typed and not await _somebody_types(lines):
        specs = [default_opponent(game)] * game.seats
    view: GameView
    if plain:
        view = PlainView(console, lines, echo=not typed)
    elif typed and HUMAN in specs and can_redraw(console):
        view = PageView(console, lines)
    else:
        view = GameView(console, lines, echo=not typed)
    number = random.getrandbits(32) if seed is None else seed
    while True:
        start = game.start(number)
        view.begin(start, [seat for seat, word in enumerate(specs, 1) if word == HUMAN])
        seats = [
            PersonSeat("human", Dialogue(view, view.commands)) if spec == HUMAN else seat_of(
                spec, seed=None if seed is None else draw_seed(number, place))
            for place, spec in enumerate(specs)
        ]
        await Referee(start, seats, limits, [view]).run()
        if HUMAN not in specs or not (answer := await _again(view)):
            return
        number += 1
        if answer == "s":
            specs = specs[1:] + specs[:1]
            limits = limits[1:] + limits[:1]


async def _somebody_types(lines: Lines) -> bool:
    """Whether a first line of input comes in time, where there is no terminal."""
    import asyncio

    try:
        line = await asyncio.wait_for(lines.next(), TIMEOUT)
    except TimeoutError:
        return False
    if line is not None:
        lines.push_back(line)
    return line is not None


async def _again(view: GameView) -> str:
    """What the person wants after a game: y another, s another with changed seats, or nothing."""
    from polyversi.games.errors import PolyversiError

    view.lines.forget()
    while True:
        line = await view.ask("again? y yes, s with changed seats, n no: ")
        word, _, rest = (line if line is not None else "n").strip().partition(" ")
        if word.lower() in ("y", "yes"):
            return "y"
        if word.lower() in ("s", "seats"):
            return "s"
        if word.lower() in ("n", "no", "q", "quit"):
            return ""
        if word.lower() == "save":
            try:
                view.save(rest.strip())
            except PolyversiError as error:
                view.say(str(error))
