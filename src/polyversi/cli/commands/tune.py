"""`polyversi tune`: better weights for a player, found by games against itself."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import Annotated

import typer
from rich.console import Group, RenderableType
from rich.table import Table

from polyversi.cli.options import Jobs, Openings, Variants
from polyversi.cli.views.terminal import new_console, new_progress, new_table, run_live
from polyversi.contest.tuning import Tuning, save_tuned
from polyversi.contest.workers import default_jobs
from polyversi.players import Limit
from polyversi.stats.spsa import Round, averaged

SHOWN = 10
"""How many weights are shown during the tuning: those that moved most."""


def tune(
    player: Annotated[str, typer.Argument(help="A player of `polyversi players` that has weights.")],
    out: Annotated[Path, typer.Option(metavar="FILE.jsonl", help=(
        "Store the rounds in this file; the same command continues an interrupted tuning."))],
    variant: Variants = None,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds; the weights change after each.")] = 100,
    games: Annotated[int, typer.Option(min=2, help="Games a round, half with seats changed.")] = 24,
    limit: Annotated[str, typer.Option(help="nodes=20000, depth=4, seconds=0.1, …")] = "none",
    openings: Openings = "4",
    rate: Annotated[float, typer.Option(help=(
        "Learning rate: how many steps the weights move when one side wins all games of the last round."))
    ] = 0.5,
    seed: Annotated[int, typer.Option(help="The same seed gives the same tuning.")] = 0,
    jobs: Jobs = 1,
) -> None:
    """Tune the weights of a player by games against itself (SPSA).

    In every round one side plays with each weight changed by a step up or down, at random, and the other side
    with the opposite changes. The weights then move towards the side that scored better. FILE.weights.json
    gets the mean of the second half of the rounds. With a limit of nodes or depth the result is reproducible.

    Ctrl-C stops the tuning and writes the weights so far; the same command continues it.

    Examples:

      polyversi tune t77 --variant hex --rounds 200 --out t77.jsonl --jobs 0

      polyversi match t77 t77:weights=t77.weights.json --variant hex --games 200 --openings 4

      polyversi tune xt --variant xt:arena,players=2 --variant xt:cube --limit nodes=20000 --out xt.jsonl
    """
    chosen = Tuning(
        player, tuple(variant or ["othello"]), rounds, games, Limit.parse(limit), openings, rate, seed
    )
    chosen.check()
    console, done = new_console(), list[Round]()
    bar = new_progress(console)
    of_rounds, of_games = bar.add_task("rounds", total=rounds), bar.add_task("games", total=chosen.games)

    def observe(so_far: Sequence[Round], played: int) -> None:
        done[:] = so_far
        bar.update(of_rounds, completed=len(done))
        bar.update(of_games, completed=played)

    def table() -> RenderableType:
        if not done:
            return bar
        mean = fmean(abs(one.score) for one in done)
        score = f"last score {done[-1].score:+.2f}, mean absolute score {mean:.2f}"
        return Group(weights_table(chosen, done, SHOWN), score, bar)

    is_whole = run_live(
        console, table, lambda: chosen.run(out=out, jobs=jobs or default_jobs(), observer=observe))
    if done:
        console.print(weights_table(chosen, done))
        path = save_tuned(out, done)
        console.print(f"the weights are in {path}; play with them as {_with_file(player, path)}")
    if not is_whole:
        console.print(
            f"stopped after {len(done)} of {rounds} rounds; the same command continues the tuning in {out}")
        raise typer.Exit(130)


def weights_table(tuning: Tuning, rounds: Sequence[Round], rows: int | None = None) -> Table:
    """The weights at the start and now, those that moved most first."""
    table = new_table("weight", "from", "to", "change", "in steps", left=("weight",))
    start, tuned = tuning.start, averaged(rounds)
    steps = {name: (tuned[name] - start[name]) / weight.step for name, weight in tuning.known.items()}
    for name in sorted(steps, key=lambda name: -abs(steps[name]))[:rows]:
        before, after = start[name], tuned[name]
        cells = f"{before:.5g}", f"{after:.5g}", f"{after - before:+.3g}", f"{steps[name]:+.2f}"
        table.add_row(name, *cells)
    return table


def _with_file(player: str, path: Path) -> str:
    """The specification of a player with weights from a file."""
    name, _, options = player.partition(":")
    others = [word for word in options.split(",") if word and not word.startswith("weights=")]
    return f"{name}:{','.join([*others, f'weights={path}'])}"
