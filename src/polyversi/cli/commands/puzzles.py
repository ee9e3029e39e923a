"""`polyversi puzzles`: make puzzles, look at them, and solve them in the terminal."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, cast

import typer

from polyversi.cli.options import Variant, good_bye
from polyversi.cli.views.puzzles import PuzzleView, kinds_table, puzzles_table
from polyversi.cli.views.terminal import new_console, new_progress, run_live
from polyversi.drawing.words import counted
from polyversi.engines.puzzles import GRADES, KINDS, Kind, Puzzle, daily, puzzles, read
from polyversi.engines.puzzles.files import MAX_PUZZLES, header_line, parse, puzzle_line
from polyversi.engines.puzzles.making import make
from polyversi.engines.search import EngineError
from polyversi.games.board import shorten
from polyversi.games.errors import PolyversiError, RecordError
from polyversi.games.game import Game
from polyversi.games.variants import game as named
from polyversi.storage.line_file import LineFile

app = typer.Typer(help="Make puzzles, look at them, and solve them.", no_args_is_help=True)
PuzzlesFile = Annotated[Path | None, typer.Option(
    "--puzzles", metavar="FILE.jsonl", help="Puzzles of your own, made by `polyversi puzzles make`.")]
KindOption = Annotated[str | None, typer.Option(
    "--kind", metavar="KIND", help=f"Only this kind of puzzle: {', '.join(KINDS)}.")]
Grade = Annotated[int | None, typer.Option(
    min=GRADES[0], max=GRADES[-1], help="Only puzzles of this grade, from the easiest to the hardest.")]
Wanted = Annotated[str, typer.Argument(
    metavar="[PUZZLE]", help="The name of a puzzle, as `show` lists them.")]


@app.callback()
def main() -> None:
    """Make puzzles, look at them, and solve them."""


@app.command("make")
def make_file(
    out: Annotated[Path, typer.Option(metavar="FILE.jsonl", help=(
        "Write the puzzles to this file; the same command continues one that was interrupted."))],
    variant: Variant = "othello",
    count: Annotated[int, typer.Option(min=1, max=MAX_PUZZLES, help="How many puzzles.")] = 20,
    seed: Annotated[int, typer.Option(min=0, help="The same seed makes the same puzzles.")] = 0,
) -> None:
    """Make puzzles: the engine plays against itself, and the solver proves where one move is right.

    Every position has one right move, proved to the end of the game, and the exact value of all others. No
    puzzle is another one seen from another side. The puzzles are of several kinds and grades.

    Ctrl-C stops it; the same command goes on.

    Examples:

      polyversi puzzles make --out mine.jsonl

      polyversi puzzles make --variant hex --count 50 --seed 7 --out hexagons.jsonl
    """
    game, console = named(variant), new_console()
    bar = new_progress(console)
    of_puzzles, of_games = bar.add_task("puzzles", total=count), bar.add_task("games", total=None)
    with _MakingFile(out, game, seed, count) as file:
        bar.update(of_puzzles, completed=len(file.puzzles))

        def work() -> None:
            found = make(game, count, seed, tuple(file.puzzles),
                         lambda games: bar.update(of_games, completed=games))
            for puzzle in found:
                file.add(puzzle)
                bar.update(of_puzzles, completed=len(file.puzzles))

        is_whole = run_live(console, lambda: bar, work)
        made = tuple(file.puzzles)
    console.print(kinds_table(made))
    said = counted(len(made), "puzzle")
    if not is_whole:
        console.print(f"stopped after {said} of {count}; the same command continues in {out}")
        raise typer.Exit(130)
    if len(made) < count:
        console.print(f"{out} has {said}; no more of other kinds and grades were found")
        return
    console.print(f"{out} has {said}; try one: polyversi puzzles solve --puzzles {out}")


class _MakingFile(LineFile):
    """The file that puzzles are appended to, with those that an earlier run has made."""

    def __init__(self, path: Path, game: Game, seed: int, count: int) -> None:
        super().__init__(path)
        self.puzzles: list[Puzzle] = []
        self._game, self._seed = game, seed
        options = "--variant", game.spec, "--count", str(count), "--seed", str(seed), "--out", path.name
        self._command = shlex.join(["polyversi", "puzzles", "make", *options])

    def parse(self) -> None:
        if not self.whole:
            return
        try:
            found = parse(self.whole)
        except RecordError as error:
            raise RecordError(f"{self.path.name}, {error}") from None
        if found.game != self._game or found.header.seed != self._seed:
            told = found.header
            raise RecordError(
                f"{self.path} has puzzles of {told.game} with seed {told.seed}; choose another file")
        self.puzzles = list(found.puzzles)

    def add(self, puzzle: Puzzle) -> None:
        """Appends a puzzle, after the header if it is the first."""
        if not self.whole and not self.puzzles:
            today = datetime.now(UTC).date().isoformat()
            self.append(header_line(self._game, self._seed, self._command, today))
        self.append(puzzle_line(puzzle))
        self.puzzles.append(puzzle)


@app.command()
def show(
    puzzle: Wanted = "",
    variant: Variant = "othello",
    puzzle_kind: KindOption = None,
    grade: Grade = None,
    file: PuzzlesFile = None,
) -> None:
    """List puzzles, or show one of them with its solution.

    The list has the name of each puzzle, how many moves are to be found, and how hard it is. For one puzzle
    all moves are shown with their exact values, and the line to the end of the game.

    Examples:

      polyversi puzzles show --kind win --grade 5

      polyversi puzzles show --variant hex
    """
    console, found = new_console(), _chosen(variant, puzzle_kind, grade, file)
    if not puzzle:
        console.print(puzzles_table(found))
        return
    view = PuzzleView(console, _named(found, puzzle))
    view.show_task()
    view.show_solution()


@app.command()
def solve(
    puzzle: Wanted = "",
    variant: Variant = "othello",
    puzzle_kind: KindOption = None,
    grade: Grade = None,
    file: PuzzlesFile = None,
) -> None:
    """Solve puzzles: find the move, and see what the others are worth.

    It begins with the puzzle of the day, or with the one that is named. The words `solution`, `next`, `moves`
    and `quit` do what they say.

    Examples:

      polyversi puzzles solve

      polyversi puzzles solve --variant anti --kind best --grade 3
    """
    console, found = new_console(), _chosen(variant, puzzle_kind, grade, file)
    first = _named(found, puzzle) if puzzle else daily(found, datetime.now(UTC).date())
    at = found.index(first)
    tried = right = 0
    with good_bye():
        for one in (*found[at:], *found[:at]):
            view = PuzzleView(console, one)
            view.show_task()
            right += view.is_found()
            tried += 1
            console.print(f"{right} of {tried} found without help")
            view.ask_for_next()


def _chosen(variant: str, kind: str | None, grade: int | None, file: Path | None) -> tuple[Puzzle, ...]:
    """The puzzles that are asked for; an error if there are none."""
    found = puzzles(variant, kind=cast("Kind | None", kind), grade=grade) if file is None else tuple(
        one for one in read(file).puzzles if kind in (None, one.kind) and grade in (None, one.grade))
    if not found:
        raise EngineError("there are no such puzzles; ask for another kind or grade")
    return found


def _named(found: Sequence[Puzzle], name: str) -> Puzzle:
    for one in found:
        if one.id == name.lower():
            return one
    raise PolyversiError(f"there is no puzzle '{shorten(name)}'; `polyversi puzzles show` lists them")
