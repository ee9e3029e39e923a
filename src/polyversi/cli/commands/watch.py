"""`polyversi watch`: players against each other in the terminal, as slowly as one likes."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from polyversi.cli.views.game import GameView
    from polyversi.cli.views.watch import Controls
    from polyversi.contest.contest import Contest
    from polyversi.contest.model import Fixture


def watch(
    players: Annotated[list[str], typer.Argument(
        metavar="PLAYER...", help="Two or more of `polyversi players`, with their options, or bots.")],
    variant: Annotated[str, typer.Option(help="What is played; see `polyversi variants`.")] = "othello",
    rounds: Annotated[int, typer.Option(min=1, help="Games; of more than two players, of every pair.")] = 1,
    delay: Annotated[int, typer.Option(min=0, help="Milliseconds between moves, to begin with.")] = 1000,
    limit: Annotated[str, typer.Option(help="seconds=5, bank=60,increment=1, depth=4, …")] = "none",
    seats: Annotated[str, typer.Option(
        help="course: change after half of the rounds; alternate: after each; fixed: never.")] = "course",
    seed: Annotated[int | None, typer.Option(help="The same seed, the same games.")] = None,
    plain: Annotated[bool, typer.Option("--plain", help="Words, no boards; for screen readers.")] = False,
    trust: Annotated[bool, typer.Option("--trust", help="Run bots without a sandbox.")] = False,
) -> None:
    """Watch players play, round after round, and see who leads.

    Keys: + and - change the delay, space pauses, n shows the next move, q quits. Without a terminal the games
    are printed without delay.

    Examples:

      polyversi watch t77 random --variant hex

      polyversi watch six-factor:level=4 six-factor:level=2 --rounds 10 --delay 200
    """
    import random
    from contextlib import ExitStack

    from polyversi.cli.options import seat_order
    from polyversi.cli.views.tables import standings_table
    from polyversi.cli.views.terminal import Keys, new_console
    from polyversi.cli.views.watch import Controls, Quit
    from polyversi.contest.match import Match
    from polyversi.players import Limit

    drawn = random.getrandbits(32) if seed is None else seed
    contest = Match(
        tuple(players), variant, rounds, Limit.parse(limit), seat_order(seats), seed=drawn, trust=trust
    ).contest()
    console = new_console()
    with ExitStack() as stack:
        keys = stack.enter_context(Keys()) if sys.stdin.isatty() and console.is_terminal else None
        controls = Controls(keys, delay if console.is_terminal else 0)
        view = _view(controls, contest, plain=plain)
        try:
            for fixture in contest.due():
                _show(contest, fixture, view, controls)
        except (Quit, KeyboardInterrupt):
            console.print()
    console.print(standings_table(contest.standings))


def _view(controls: Controls, contest: Contest, *, plain: bool) -> GameView:
    """How the games are shown on this terminal."""
    from polyversi.cli.views.game import GameView, PlainView
    from polyversi.cli.views.terminal import Lines, can_redraw, new_console
    from polyversi.cli.views.watch import WatchPage

    console, lines = new_console(), Lines()
    if plain:
        return PlainView(console, lines, echo=False)
    if can_redraw(console):
        return WatchPage(console, lines, controls, contest.standings, len(contest.due()))
    return GameView(console, lines, echo=False)


def _show(contest: Contest, fixture: Fixture, view: GameView, controls: Controls) -> None:
    """Shows one game, event by event, at the pace of the controls."""
    from polyversi.cli.views.game import PageView
    from polyversi.contest.playing import played_game, start_of
    from polyversi.gameplay.events import EndEvent
    from polyversi.gameplay.game_thread import GameThread

    def tell() -> None:
        """What the keys have changed."""
        view.redraw() if isinstance(view, PageView) else view.say(str(controls))

    view.begin(start_of(contest.plan, fixture), ())
    with GameThread(lambda told: contest.referee(fixture, told)) as game:
        while True:
            controls.wait_for(game.descriptor, tell)
            event = game.next()
            if event is None:
                return
            if isinstance(event, EndEvent):
                contest.keep([played_game(fixture, game.finished())])
            view(event)
            controls.pace(tell)
