"""`polyversi train`: weights for a game, trained by self-play."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from statistics import fmean
from typing import Annotated

import typer
from rich.console import Console, Group, RenderableType
from rich.table import Table

from polyversi.cli.options import Cluster, Variant
from polyversi.cli.views.terminal import live, new_console, new_progress, new_table
from polyversi.contest.workers import cluster_workers, default_jobs
from polyversi.engines.training.network import EPOCHS
from polyversi.engines.training.train import (
    Generation,
    Progress,
    TrainingOptions,
    checkpoint_folder,
    train_to_file,
)
from polyversi.engines.training.validation import ValidationMatch
from polyversi.engines.weights import ValidationResult, load, phases_by_parity, weights_for
from polyversi.games.game import Game
from polyversi.games.variants import game as named
from polyversi.stats.elo import expected, measure


def train(
    out: Annotated[Path, typer.Option(
        metavar="FILE.weights", help="Write the weights to this file. A training that was interrupted is "
                                     "kept beside it and resumes.")],
    variant: Variant = "othello",
    games: Annotated[int, typer.Option(
        min=100, help="Games of the last generation; each generation plays twice as many as the one before.")
    ] = 20_000,
    generations: Annotated[int, typer.Option(
        min=1, help="How many generations; each plays with the weights of the one before.")] = 4,
    depth: Annotated[int, typer.Option(
        min=1, max=6, help="Search depth of the last generation; each generation searches one ply deeper.")
    ] = 4,
    threads: Annotated[int, typer.Option(
        min=0, max=256, help="Threads of the self-play; 0 for one for each processor.")] = 1,
    seed: Annotated[int, typer.Option(help="Seed of the starts and of random plies.")] = 0,
    network: Annotated[int | None, typer.Option(
        metavar="WIDTH", help="Fit networks of this width, 16, 32 or 64, instead of tables. Needs PyTorch.")
    ] = None,
    first_weights: Annotated[Path | None, typer.Option(
        "--weights", metavar="FILE", help="Begin with these weights: they play the first generation, "
                                          "and networks of the same width are fitted from theirs.")] = None,
    validation_games: Annotated[int, typer.Option(
        "--validation", min=0, max=10_000,
        help="Games of the validation match, in pairs; 0 for none.")] = 200,
    baseline: Annotated[Path | None, typer.Option(
        metavar="FILE", help="Weights of the other side in the validation match.")] = None,
    cluster: Cluster = None,
) -> None:
    """Train the evaluation of a game by self-play.

    Training needs nothing but the rules. Each generation plays games, and the weights are fitted to their
    results. The error, in stones, is measured on games that were held out. The same command makes the same
    weights with any number of threads, unless a GPU fits them.

    A validation match then shows whether the new weights win. Its openings are random and balanced; each is
    played twice with the seats swapped, and both sides search the same number of nodes. The result is stored
    in the file.

    Ctrl-C stops the training; the same command resumes it.

    Examples:
      polyversi train --out othello.weights
      polyversi train --variant anti-6 --games 5000 --generations 3 --out anti-6.weights
      polyversi train --variant othello-5 --games 50000 --out new.weights --baseline old.weights
      polyversi train --games 500000 --network 32 --out othello.weights
      polyversi train --games 500000 --network 32 --generations 1 --weights old.weights --out new.weights
      polyversi train --games 500000 --out othello.weights --cluster tcp://10.0.0.1:8786
    """
    game, console = named(variant), new_console()
    options = TrainingOptions(
        generations, games, depth, seed, network, None if first_weights is None else str(first_weights))
    opponent = weights_for(game) if baseline is None else load(baseline)
    validation = ValidationMatch(-(-validation_games // 2), opponent, seed) if validation_games else None
    workers = cluster_workers(cluster) if cluster is not None else None
    number = workers.jobs if workers else threads or default_jobs()
    view = _ProgressView(console, game, options, validation)
    try:
        with live(console, view.table), workers.executor() if workers else nullcontext() as executor:
            weights = train_to_file(
                out, game, options, view.observe, threads=number, validation=validation, executor=executor)
    except KeyboardInterrupt:
        console.print(f"interrupted; the same command resumes from {checkpoint_folder(out)}")
        raise typer.Exit(130) from None
    console.print(errors_table(game, view.progress.done[-1]))
    console.print(
        f"wrote {out}: {out.stat().st_size:,} bytes, trained on {weights.header.positions:,} "
        "positions"
    )
    if weights.header.validation is not None:
        console.print(validation_in_words(weights.header.validation))
    console.print(
        f"play with them: polyversi:weights={out}; analyse, solve and engine take --weights {out}")


def in_words(done: Generation, weights: str | None = None) -> str:
    """The result of a generation, in a line; `weights` is the file that the training began with."""
    before = "always expecting a draw has" if weights is None else f"{weights} had"
    than = f"generation {done.number - 1} had" if done.number > 1 else before
    return (
        f"generation {done.number}: {done.positions:,} positions, error {done.errors.overall:.2f} stones; "
        f"{than} {done.previous.overall:.2f} on the same games"
    )


def errors_table(game: Game, done: Generation) -> Table:
    """The errors of the newest weights and of those before, by the stones on the board."""
    table = new_table("stones", "error", "before", left=("stones",))
    phase_of = phases_by_parity(game.board)
    for phase, (error, before) in enumerate(zip(done.errors.by_phase, done.previous.by_phase, strict=True)):
        if error is not None and before is not None:
            stones = [str(number) for number, its_phase in enumerate(phase_of) if its_phase == phase]
            table.add_row(", ".join(stones), f"{error:.2f}", f"{before:.2f}")
    return table


def validation_in_words(result: ValidationResult) -> str:
    """The result of a validation match.

    >>> from polyversi.engines.weights import ValidationResult
    >>> said = validation_in_words(ValidationResult("no weights", 10_000, (0, 1, 10, 20, 19)))
    >>> said.partition(", at ")[0]
    'validation: 78.5 % ± 5.6 of 100 games, Elo +225 ± 59'
    >>> said.partition("at ")[2]
    '10,000 nodes a move against no weights: the new ones are stronger'
    """
    elo = measure(result.scores)
    says = "are stronger" if elo.low > 0 else "are weaker" if elo.high < 0 else "may be equally strong"
    return (
        f"validation: {score_in_words(result.scores)}, at {result.nodes:,} nodes a move against "
        f"{result.against}: the new ones {says}"
    )


def score_in_words(scores: Sequence[float]) -> str:
    """The score of pairs of games with its 95 % interval, and the Elo difference.

    >>> score_in_words([1.0, 0.5, 0.75, 0.5, 1.0, 0.75])
    '75.0 % ± 17.9 of 12 games, Elo +191 ± 198'
    """
    elo = measure(scores)
    error = (expected(elo.high) - expected(elo.low)) / 2
    return f"{fmean(scores):.1%} ± {100 * error:.1f} of {2 * len(scores)} games, Elo {elo}".replace("%", " %")


class _ProgressView:
    """Prints the result of each generation, and on a terminal the progress of the next one or the match."""

    def __init__(
        self, console: Console, game: Game, options: TrainingOptions, validation: ValidationMatch | None
    ) -> None:
        self.progress = Progress()
        self._console, self._options = console, options
        self._has_match = validation is not None
        self._bar = new_progress(console)
        self._games = self._bar.add_task("games", total=options.games)
        self._phases = self._bar.add_task("phases fitted", total=max(phases_by_parity(game.board)) + 1)
        self._epochs = self._bar.add_task("epochs", total=EPOCHS, visible=False)
        self._pairs = self._bar.add_task(
            "pairs of games", total=validation.pairs if validation is not None else 0, visible=False)

    @property
    def _number(self) -> int:
        """The generation that plays now, or the last one."""
        return min(len(self.progress.done) + 1, self._options.generations)

    @property
    def _is_validating(self) -> bool:
        return self._has_match and len(self.progress.done) == self._options.generations

    def observe(self, progress: Progress) -> None:
        """Updates the bars, and prints what is new."""
        for done in progress.done[len(self.progress.done) :]:
            self._console.print(in_words(done, self._options.weights))
        self.progress, update = progress, self._bar.update
        visible, games = not self._is_validating, self._options.games_of(self._number)
        update(self._games, completed=progress.games, total=games, visible=visible)
        is_network = self._options.network is not None
        update(self._phases, completed=progress.phases, visible=visible and not is_network)
        update(self._epochs, completed=progress.epochs, visible=visible and is_network)
        update(self._pairs, completed=len(progress.pairs), visible=not visible)

    def table(self) -> RenderableType:
        """The bars below what is going on."""
        pairs, positions = self.progress.pairs, self.progress.positions
        if self._is_validating:
            now = "validation match" + (f": {score_in_words(pairs)}" if pairs else "")
        else:
            now = f"generation {self._number} of {self._options.generations}: {positions:,} positions"
        return Group(now, self._bar)
