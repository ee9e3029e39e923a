"""`polyversi tune`: better weights for a player by games against itself."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from polyversi.cli.views.terminal import LiveTable, new_progress, new_table

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table

    from polyversi.contest.tuning import Tuning
    from polyversi.stats.spsa import Round

SHOWN = 10
"""How many weights are shown while a tuning goes on: those that moved most."""


def tune(
    player: Annotated[str, typer.Argument(help="One of `polyversi players` that has weights.")],
    out: Annotated[Path, typer.Option(
        help="A .jsonl file for the rounds; a tuning that was broken off goes on.")],
    variant: Annotated[list[str] | None, typer.Option(
        help="What is played, by default othello; of several, one after the other.")] = None,
    rounds: Annotated[int, typer.Option(min=1, help="How often the weights are moved.")] = 100,
    games: Annotated[int, typer.Option(min=2, help="Games of a round, half with changed seats.")] = 24,
    limit: Annotated[str, typer.Option(help="nodes=20000, depth=4, seconds=0.1, …")] = "none",
    openings: Annotated[int, typer.Option(min=0, help="Random plies, the same for both seats.")] = 4,
    rate: Annotated[float, typer.Option(help="Steps that a won round moves the weights in the end.")] = 0.5,
    seed: Annotated[int, typer.Option(help="The same seed, the same tuning.")] = 0,
    jobs: Annotated[int, typer.Option(min=0, help="Games at a time; 0 for as many as processors.")] = 1,
) -> None:
    """Tune the weights of a player by games that it plays against itself.

    In every round one side has each weight a step larger or smaller, by lot, and the other side the opposite;
    the weights move towards the side that won (SPSA). The mean of the last half of the rounds is written to
    FILE.weights.json. With a limit of nodes or depth it comes out the same each time.

    Ctrl-C ends the tuning with the weights so far; the same command goes on from there.

    Examples:

      polyversi tune t77 --variant hex --rounds 200 --out t77.jsonl --jobs 0

      polyversi match t77 t77:weights=t77.weights.json --variant hex --games 200 --openings 4

      polyversi tune xt --variant xt:arena,players=2 --variant xt:cube --limit nodes=20000 --out xt.jsonl
    """
    from polyversi.cli.views.terminal import new_console
    from polyversi.contest.tuning import Tuning, save_tuned
    from polyversi.contest.workers import default_jobs
    from polyversi.players import Limit

    chosen = Tuning(
        player, tuple(variant or ["othello"]), rounds, games, Limit.parse(limit), openings, rate, seed
    )
    chosen.check()
    console, interrupted = new_console(), False
    with _Progress(console, chosen) as shown:
        try:
            chosen.run(out=out, jobs=jobs or default_jobs(), observer=shown.observe)
        except KeyboardInterrupt:
            interrupted = True
    done = shown.rounds
    if done:
        console.print(weights_table(chosen, done))
        path = save_tuned(out, done)
        console.print(f"the weights are in {path}; the player with them is {_with_file(player, path)}")
    if interrupted:
        console.print(
            f"broken off after {len(done)} of {rounds} rounds; the same command goes on from there ({out})"
        )
        raise typer.Exit(130)


def weights_table(tuning: Tuning, rounds: Sequence[Round], rows: int | None = None) -> Table:
    """Where the weights started and where they are, those that moved most first."""
    from polyversi.stats.spsa import averaged

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
    kept = [word for word in options.split(",") if word and not word.startswith("weights=")]
    return f"{name}:{','.join([*kept, f'weights={path}'])}"


class _Progress(LiveTable):
    """The rounds and the weights while the tuning goes on, on a terminal; elsewhere nothing."""

    def __init__(self, console: Console, tuning: Tuning) -> None:
        super().__init__(console)
        self.rounds: Sequence[Round] = ()
        self._tuning = tuning
        self._bar = new_progress(console)
        self._round = self._bar.add_task("rounds", total=tuning.rounds)
        self._games = self._bar.add_task("games", total=tuning.games)

    def observe(self, rounds: Sequence[Round], games: int) -> None:
        """Keeps the rounds and the bars."""
        self.rounds = rounds
        self._bar.update(self._round, completed=len(rounds))
        self._bar.update(self._games, completed=games)

    def table(self) -> RenderableType:
        from statistics import fmean

        from rich.console import Group

        rounds = tuple(self.rounds)
        if not rounds:
            return self._bar
        mean = fmean(abs(done.score) for done in rounds)
        score = f"last score {rounds[-1].score:+.2f}, in the mean {mean:.2f} to either side"
        return Group(weights_table(self._tuning, rounds, SHOWN), score, self._bar)
