"""`polyversi train`: learned weights for a game, made from nothing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from polyversi.cli.terminal import LiveTable

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table

    from polyversi.engines.learning import Generation, Plan, Progress
    from polyversi.games.game import Game


def train(
    variant: Annotated[str, typer.Argument(help="What is learned: othello, anti-6, hex, …")],
    out: Annotated[Path, typer.Option(
        help="A .weights file; a training that was broken off is kept beside it and goes on.")],
    games: Annotated[int, typer.Option(
        min=100, help="Games of the last generation; each has twice as many as the one before.")] = 20_000,
    generations: Annotated[int, typer.Option(
        min=1, help="Each plays with the weights of the one before.")] = 4,
    depth: Annotated[int, typer.Option(
        min=1, max=6, help="Plies that the last generation looks ahead; each looks one further.")] = 4,
    threads: Annotated[int, typer.Option(
        min=0, max=256, help="Threads that play; 0 for as many as processors.")] = 1,
    seed: Annotated[int, typer.Option(help="Draws starts and random plies.")] = 0,
) -> None:
    """Learn what positions of a game are worth, by games of the engine against itself.

    Nothing is needed but the rules. Every generation plays games, and weights are fitted to how they ended;
    the error is measured on games that were kept from that, in stones. The same command makes the same
    weights, whatever the number of threads.

    Ctrl-C ends it; the same command goes on from there.

    Examples:

      polyversi train othello --out othello.weights

      polyversi train anti-6 --games 5000 --generations 3 --out anti-6.weights
    """
    from polyversi.arena.match import usual_jobs
    from polyversi.cli.terminal import new_console
    from polyversi.engines.learning import Plan, learn_into, steps_beside
    from polyversi.engines.making import EngineError
    from polyversi.games.variants import game as named

    game, plan, console = named(variant), Plan(generations, games, depth, seed), new_console()
    try:
        with _Progress(console, game, plan) as shown:
            weights = learn_into(out, game, plan, shown.observe, threads=threads or usual_jobs())
    except EngineError as error:
        typer.echo(f"polyversi: {error}", err=True)
        raise typer.Exit(2) from None
    except KeyboardInterrupt:
        console.print(f"broken off; the same command goes on from there ({steps_beside(out)})")
        raise typer.Exit(130) from None
    console.print(errors_table(game, shown.done[-1]))
    console.print(
        f"the weights are in {out}: {out.stat().st_size:,} bytes, learned from {weights.header.positions:,} "
        "positions"
    )


def in_words(done: Generation) -> str:
    """What came of a generation, in a line."""
    than = f"generation {done.number - 1} has" if done.number > 1 else "expecting draws has"
    return (
        f"generation {done.number}: {done.positions:,} positions, error {done.errors.overall:.2f} stones; "
        f"{than} {done.before.overall:.2f} on the same games"
    )


def errors_table(game: Game, done: Generation) -> Table:
    """The errors of the newest weights and of those before, by the stones on the board."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("stones")
    for heading in ("error", "before"):
        table.add_column(heading, justify="right", no_wrap=True)
    phases, lengths = len(done.errors.by_phase), game.board.size + 1
    for phase, (error, before) in enumerate(zip(done.errors.by_phase, done.before.by_phase, strict=True)):
        if error is not None and before is not None:
            first, end = (-(-number * lengths // phases) for number in (phase, phase + 1))
            table.add_row(f"{first}–{end - 1}", f"{error:.2f}", f"{before:.2f}")
    return table


class _Progress(LiveTable):
    """Says of each generation what came of it, and on a terminal how far the next one is."""

    def __init__(self, console: Console, game: Game, plan: Plan) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        from polyversi.engines.weights import phases_of

        super().__init__(console)
        self.done: tuple[Generation, ...] = ()
        self._plan = plan
        columns = (
            TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
        )
        self._bar = Progress(*columns, console=console)
        self._games = self._bar.add_task("games", total=plan.games)
        self._phases = self._bar.add_task("phases fitted", total=phases_of(game.board))
        self._positions = 0

    def observe(self, progress: Progress) -> None:
        """Keeps the bars, and prints what is new."""
        for done in progress.done[len(self.done) :]:
            self._console.print(in_words(done))
        self.done, self._positions = progress.done, progress.positions
        number = min(len(self.done) + 1, self._plan.generations)
        self._bar.update(self._games, completed=progress.games, total=self._plan.games_of(number))
        self._bar.update(self._phases, completed=progress.phases)

    def table(self) -> RenderableType:
        from rich.console import Group

        number = min(len(self.done) + 1, self._plan.generations)
        now = f"generation {number} of {self._plan.generations}: {self._positions:,} positions"
        return Group(now, self._bar)
