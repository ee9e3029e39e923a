"""`polyversi watch`: games between players in the terminal, at any speed."""

from __future__ import annotations

import random
import sys
import time
from contextlib import ExitStack
from typing import Annotated

import typer

from polyversi.cli.options import OneLimit, Openings, Plain, Players, Trust, seat_order
from polyversi.cli.views.game import GameView, PageView, PlainView
from polyversi.cli.views.tables import standings_table
from polyversi.cli.views.terminal import Keys, can_redraw, new_console
from polyversi.cli.views.tournament import LONG_THOUGHT, waiting_for
from polyversi.cli.views.watch import Controls, Quit, WatchPage
from polyversi.contest.contest import Contest
from polyversi.contest.match import Match
from polyversi.contest.model import Fixture
from polyversi.contest.plan import parse_limit
from polyversi.contest.playing import played_game, start_of
from polyversi.gameplay.events import EndEvent
from polyversi.gameplay.game_thread import GameThread
from polyversi.gameplay.referee import Asked


def watch(
    players: Players,
    variant: Annotated[str, typer.Option(help="The game; `polyversi variants` lists them.")] = "othello",
    rounds: Annotated[int, typer.Option(min=1, help="Games of each meeting.")] = 1,
    delay: Annotated[int, typer.Option(min=0, metavar="MS", help="Milliseconds between moves.")] = 1000,
    limit: OneLimit = None,
    seats: Annotated[str, typer.Option(metavar="ORDER", help=(
        "When players change seats: course (after half of the rounds), alternate (after each) or fixed "
        "(never)."))] = "course",
    openings: Openings = "none",
    seed: Annotated[int | None, typer.Option(help="The same seed gives the same games.")] = None,
    plain: Plain = False,
    trust: Trust = False,
) -> None:
    """Watch players play, round after round, with the score above the board.

    Keys: + and - change the delay, space pauses, n shows the next move, q quits. Without a terminal the games
    are printed without delay.

    Examples:

      polyversi watch t77 random --variant hex

      polyversi watch six-factor:level=4 six-factor:level=2 --rounds 10 --delay 200 --openings 6
    """
    seed = random.getrandbits(32) if seed is None else seed
    allowed, stall_timeout = parse_limit(limit)
    contest = Match(
        tuple(players), variant, rounds, allowed, seat_order(seats), openings, seed, trust=trust,
        stall_timeout=stall_timeout,
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
    console.print(standings_table(contest.standings, console))


def _show(contest: Contest, fixture: Fixture, view: GameView, controls: Controls) -> None:
    """Shows one game, event by event, at the pace of the controls."""
    told: Asked | None = None

    def refresh() -> None:
        """Shows what the keys have changed."""
        view.redraw() if isinstance(view, PageView) else view.say(str(controls))

    def wait() -> None:
        """Says on a terminal who has been thinking for a while: on a page every time, otherwise once."""
        nonlocal told
        asked = game.asked
        if asked is None or asked.since is None or not view.console.is_terminal:
            return
        seconds, player = time.perf_counter() - asked.since, fixture.seating[asked.seat - 1]
        if seconds >= LONG_THOUGHT and (asked != told or isinstance(view, WatchPage)):
            told = asked
            sentence = waiting_for(contest.plan.entrants[player].name, seconds)
            view.show_waiting(sentence) if isinstance(view, WatchPage) else view.say(sentence)

    view.begin(start_of(contest.plan, fixture), ())
    with GameThread(lambda observers: contest.referee(fixture, observers)) as game:
        while True:
            controls.wait_for(game.descriptor, refresh, wait)
            event = game.next()
            if event is None:
                return
            if isinstance(event, EndEvent):
                contest.keep([played_game(fixture, game.finished())])
            view(event)
            controls.pace(refresh)
