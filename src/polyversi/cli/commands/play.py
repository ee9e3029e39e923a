"""`polyversi play`: a game in the terminal, between people and players in any seats."""

from __future__ import annotations

import asyncio
import random
import sys
from typing import Annotated

import typer

from polyversi.cli import options
from polyversi.cli.views.game import GameView, PageView, PlainView
from polyversi.cli.views.terminal import Lines, can_redraw, new_console
from polyversi.gameplay.human import Dialogue
from polyversi.gameplay.interrupt import run_interruptibly
from polyversi.gameplay.referee import Referee
from polyversi.gameplay.seat import PersonSeat
from polyversi.games.errors import PolyversiError
from polyversi.games.game import Game
from polyversi.games.seeds import derive_seed
from polyversi.games.variants import game
from polyversi.players import Limit
from polyversi.protocols.spec import check_suited, seat_of

TIMEOUT = 2.0
"""Seconds to wait for a first move where there is no terminal, before a demonstration game starts."""


def play(
    players: Annotated[list[str] | None, typer.Argument(
        metavar="PLAYER", help="'human', or a player of `polyversi players` with its options.")] = None,
    variant: options.Variant = "othello",
    seat: Annotated[int | None, typer.Option(
        min=0, max=8, help="Your seat, by default the first; 0 to watch.")] = None,
    limit: options.SeatLimits = None,
    seed: Annotated[int | None, typer.Option(help="Seed of random starts and random players.")] = None,
    plain: options.Plain = False,
) -> None:
    """Play a game in the terminal against players or other people.

    The players take the seats that are left, and the last player takes all that remain. If you name a player
    for every seat, they sit in that order. Type ? in the game for help.

    Without a terminal and without moves on standard input, two players play a demonstration game.

    Examples:
      polyversi play
      polyversi play t77 --variant hex --seat 2
      polyversi play human human --variant othello-6 --limit bank=300
      polyversi play random --variant xt:starfish --limit seconds=2 --plain
    """

    chosen = game(variant)
    specs = options.seat_specs(chosen, players or [], seat)
    check_suited([word for word in specs if word != options.HUMAN], chosen)
    given = options.limits(limit or [], chosen.seats)
    may_show = seat is None and not players
    with options.good_bye():
        run_interruptibly(_session(chosen, specs, given, seed, plain=plain, may_show=may_show))


async def _session(
    game: Game, specs: list[str], limits: list[Limit], seed: int | None, *, plain: bool, may_show: bool
) -> None:
    """Plays one game after another, as long as a person wants another one."""
    is_page = sys.stdin.isatty() and options.HUMAN in specs and can_redraw(new_console())
    view = PlainView() if plain else PageView() if is_page else GameView()
    if may_show and not sys.stdin.isatty() and not await _somebody_types(view.lines):
        specs = [options.default_opponent(game)] * game.seats
    number = random.getrandbits(32) if seed is None else seed
    while True:
        start = game.start(number)
        view.begin(start, [seat for seat, word in enumerate(specs, 1) if word == options.HUMAN])
        seats = [
            PersonSeat("human", Dialogue(view, view.commands)) if spec == options.HUMAN else seat_of(
                spec, seed=None if seed is None else derive_seed(number, place))
            for place, spec in enumerate(specs)
        ]
        await Referee(start, seats, limits, [view]).run()
        if options.HUMAN not in specs or not (answer := await _again(view)):
            return
        number += 1
        if answer == "s":
            specs = specs[1:] + specs[:1]
            limits = limits[1:] + limits[:1]


async def _somebody_types(lines: Lines) -> bool:
    """Whether a first line of input comes in time, where there is no terminal."""
    try:
        line = await asyncio.wait_for(lines.next(), TIMEOUT)
    except TimeoutError:
        return False
    if line is not None:
        lines.push_back(line)
    return line is not None


async def _again(view: GameView) -> str:
    """What the person wants after a game: y another, s another with changed seats, or nothing."""
    view.lines.forget()
    answers = {"y": "y", "yes": "y", "s": "s", "seats": "s", "n": "", "no": "", "q": "", "quit": ""}
    while True:
        line = await view.ask("Play again? y yes, s swap seats, n no: ")
        word, _, rest = (line if line is not None else "n").strip().partition(" ")
        if word.lower() in answers:
            return answers[word.lower()]
        if word.lower() == "save":
            try:
                view.save(rest.strip())
            except PolyversiError as error:
                view.say(str(error))
