"""`polyversi watch`: players against each other in the terminal, as slowly as one likes."""

from __future__ import annotations

import random
import sys
from contextlib import ExitStack
from typing import Annotated

import typer

from polyversi.cli.options import OneLimit, Plain, Players, Trust, seat_order
from polyversi.cli.views.game import GameView, PageView, PlainView
from polyversi.cli.views.tables import standings_table
from polyversi.cli.views.terminal import Keys, can_redraw, new_console
from polyversi.cli.views.watch import Controls, Quit, WatchPage
from polyversi.contest.contest import Contest
from polyversi.contest.match import Match
from polyversi.contest.model import Fixture
from polyversi.contest.playing import played_game, start_of
from polyversi.gameplay.events import EndEvent
from polyversi.gameplay.game_thread import GameThread
from polyversi.players import Limit


def watch(
    players: Players,
    variant: Annotated[str, typer.Option(help="What is played; see `polyversi variants`.")] = "othello",
    rounds: Annotated[int, typer.Option(min=1, help="Games; of more than two players, of every pair.")] = 1,
    delay: Annotated[int, typer.Option(min=0, help="Milliseconds between moves, to begin with.")] = 1000,
    limit: OneLimit = "none",
    seats: Annotated[str, typer.Option(
        help="course: change after half of the rounds; alternate: after each; fixed: never.")] = "course",
    seed: Annotated[int | None, typer.Option(help="The same seed, the same games.")] = None,
    plain: Plain = False,
    trust: Trust = False,
) -> None:
    """Watch players play, round after round, and see who leads.

    Keys: + and - change the delay, space pauses, n shows the next move, q quits. Without a terminal the games
    are printed without delay.

    Examples:

      polyversi watch t77 random --variant hex

      polyversi watch six-factor:level=4 six-factor:level=2 --rounds 10 --delay 200
    """
    seed = random.getrandbits(32) if seed is None else seed
    contest = Match(
        tuple(players), variant, rounds, Limit.parse(limit), seat_order(seats), seed=seed, trust=trust
    ).contest()
    console = new_console()
    with ExitStack() as stack:
        keys = stack.enter_context(Keys()) if sys.stdin.isatty() and console.is_terminal else None
        controls = Controls(keys, delay if console.is_terminal else 0)
        view: GameView
        if plain:
            view = PlainView()
        elif can_redraw(console):
            view = WatchPage(controls, contest.standings, len(contest.due()))
        else:
            view = GameView()
        try:
            for fixture in contest.due():
                _show(contest, fixture, view, controls)
        except (Quit, KeyboardInterrupt):
            console.print()
    console.print(standings_table(contest.standings))


def _show(contest: Contest, fixture: Fixture, view: GameView, controls: Controls) -> None:
    """Shows one game, event by event, at the pace of the controls."""
    def refresh() -> None:
        """Shows what the keys have changed."""
        view.redraw() if isinstance(view, PageView) else view.say(str(controls))

    view.begin(start_of(contest.plan, fixture), ())
    with GameThread(lambda observers: contest.referee(fixture, observers)) as game:
        while True:
            controls.wait_for(game.descriptor, refresh)
            event = game.next()
            if event is None:
                return
            if isinstance(event, EndEvent):
                contest.keep([played_game(fixture, game.finished())])
            view(event)
            controls.pace(refresh)
