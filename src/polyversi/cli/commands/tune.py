"""`polyversi tune`: better weights for a player by games against itself."""

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
"""How many weights are shown while a tuning goes on: those that moved most."""


def tune(
    player: Annotated[str, typer.Argument(help="One of `polyversi players` that has weights.")],
    out: Annotated[Path, typer.Option(
        help="A .jsonl file for the rounds; a tuning that was broken off goes on.")],
    variant: Variants = None,
    rounds: Annotated[int, typer.Option(min=1, help="How often the weights are moved.")] = 100,
    games: Annotated[int, typer.Option(min=2, help="Games of a round, half with changed seats.")] = 24,
    limit: Annotated[str, typer.Option(help="nodes=20000, depth=4, seconds=0.1, …")] = "none",
    openings: Openings = 4,
    rate: Annotated[float, typer.Option(help="Steps that a won round moves the weights in the end.")] = 0.5,
    seed: Annotated[int, typer.Option(help="The same seed, the same tuning.")] = 0,
    jobs: Jobs = 1,
) -> None:
    """Tune the weights of a player by games that it plays against itself.

    In every round one side has each weight a step larger or smaller, at random, and the other side the
    opposite; the weights move towards the side that won (SPSA). The mean of the last half of the rounds is
    written to FILE.weights.json. With a limit of nodes or depth it comes out the same each time.

    Ctrl-C ends the tuning with the weights so far; the same command goes on from there.

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
        score = f"last score {done[-1].score:+.2f}, in the mean {mean:.2f} to either side"
        return Group(weights_table(chosen, done, SHOWN), score, bar)

    is_whole = run_live(
        console, table, lambda: chosen.run(out=out, jobs=jobs or default_jobs(), observer=observe))
    if done:
        console.print(weights_table(chosen, done))
        path = save_tuned(out, done)
        console.print(f"the weights are in {path}; the player with them is {_with_file(player, path)}")
    if not is_whole:
        console.print(
            f"broken off after {len(done)} of {rounds} rounds; the same command goes on from there ({out})")
        raise typer.Exit(130)


def weights_table(tuning: Tuning, rounds: Sequence[Round], rows: int | None = None) -> Table:
    """Where the weights started and where they are, those that moved most first."""
    table = new_table("weight", "from", "to", "drift", "in steps", left=("weight",))
    start, tuned = tuning.start, averaged(rounds)
    steps = {name: (tuned[name] - start[name]) / weight.step for name, weight in tuning.known.items()}
    for name in sorted(steps, key=lambda name: -abs(steps[name]))[:rows]:
        before, after = start[name], tuned[name]
        cells = f"{before:.5g}", f"{after:.5g}", f"{after - before:+.3g}", f"{steps[name]:+.2f}"
        table.add_row(name, *cells)
    return table


def _with_file(player: str, path: Path) -> str:
    """The specification of a player with its weights from a file."""
    name, _, options = player.partition(":")
    others = [word for word in options.split(",") if word and not word.startswith("weights=")]
    return f"{name}:{','.join([*others, f'weights={path}'])}"
