"""`polyversi solve`: exact values of positions, of problem files and of whole small games."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from polyversi.cli.engine_runner import POSITION_SETTINGS as SETTINGS  # noqa: F401 for the command line
from polyversi.cli.views.terminal import new_table, speed
from polyversi.engines.search import MAX_MEGABYTES, MAX_THREADS

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from polyversi.cli.engine_runner import EngineRunner
    from polyversi.engines import Solution, Solver
    from polyversi.engines.weights import Weights
    from polyversi.games.state import State
    from polyversi.records import Problem

MIN_NAME_WIDTH = 8
"""Characters of a problem's name that are shown however narrow the terminal is."""
COLUMNS = {"empty": 5, "value": 5, "expected": 8, "agrees": 6, "move": 4, "nodes": 14, "seconds": 9}
"""The columns of a problem with their widths, so that rows can be printed one by one."""
FOOTNOTE = "* with the cells that stay empty for the winner, as problem files count"


def solve(
    what: Annotated[list[str], typer.Argument(
        metavar="WHAT...", help="A variant, a position as `state.text` writes it, or a file of problems.")],
    variant: Annotated[str | None, typer.Option(
        help="What positions and problems are of; otherwise Othello on a board of their size.")] = None,
    threads: Annotated[int | None, typer.Option(
        min=1, max=MAX_THREADS, help="Threads of the search; the default is one for each processor.")] = None,
    megabytes: Annotated[int | None, typer.Option(
        "--hash", metavar="MB", min=1, max=MAX_MEGABYTES,
        help="Transposition table, rounded down to a power of two; the default is 64, and 1024 from 28 "
             "empty cells on.")] = None,
    weights: Annotated[Path | None, typer.Option(
        metavar="FILE",
        help="Weights that `polyversi train` has made: they guide the search and change no value.",
    )] = None,
    winner: Annotated[bool, typer.Option("--winner", help="Find only who wins, which is faster.")] = False,
) -> None:
    """Solve positions, problem files or small games: the exact score and the principal variation.

    A variant is solved from its start. Problem files (.obf, .script) have a position on each line, with the
    scores of its moves if they are known; the status is 1 when a value contradicts them. Ctrl-C stops it, and
    what has been solved so far stays printed.

    Examples:

      polyversi solve othello-6

      polyversi solve anti:size=6 --winner

      polyversi solve "-----OX--XO----- X" --variant anti-4

      polyversi solve fforum-40-59.obf --threads 2
    """
    from polyversi.cli.engine_runner import EngineRunner, Interrupted, default_threads
    from polyversi.cli.views.terminal import new_console
    from polyversi.engines import Solver
    from polyversi.engines.search import DEFAULT_MEGABYTES
    from polyversi.engines.solver import default_megabytes
    from polyversi.engines.weights import load
    from polyversi.games.errors import PolyversiError

    try:
        used = None if weights is None else load(weights)
        asked = [_read(words, variant, used) for words in what]
        needed = [default_megabytes(problem.state) for one in asked for problem in one.problems]
        number, memory = threads or default_threads(), megabytes or max(needed, default=DEFAULT_MEGABYTES)
        with EngineRunner(new_console(), lambda game: Solver(game, number, memory, used)) as runner:
            agreed = [
                (_solve_file if one.is_file else _solve_one)(runner, one, winner_only=winner) for one in asked
            ]
    except (KeyboardInterrupt, Interrupted):
        raise typer.Exit(130) from None
    except PolyversiError as error:
        typer.echo(f"polyversi: {error}", err=True)
        raise typer.Exit(2) from None    # 1 is for values that a file contradicts
    if not all(agreed):
        raise typer.Exit(1)


@dataclass(frozen=True)
class _Asked:
    """What is to be solved: the problems of a file, or a single position."""

    name: str
    problems: list[Problem]
    is_file: bool


def _read(words: str, variant: str | None, weights: Weights | None) -> _Asked:
    """The meaning of an argument, checked so far that it can be solved."""
    from polyversi.cli.engine_runner import check_no_option
    from polyversi.engines import Solver
    from polyversi.engines.solver import check_opened
    from polyversi.games.variants import game as named
    from polyversi.records import Problem
    from polyversi.records.positions import parse
    from polyversi.records.problems import read_problems
    from polyversi.records.sources import POSITION, is_file

    game = named(variant) if variant else None
    if is_file(words):
        asked = _Asked(Path(words).name, read_problems(Path(words), game), True)
    else:
        if not POSITION.fullmatch(words):
            check_no_option("solve", words)
        problem = parse(words, game) if POSITION.fullmatch(words) else Problem(named(words).start())
        asked = _Asked(problem.game.spec, [problem], False)
    for played in {problem.game for problem in asked.problems}:
        Solver(played, 1, 1, weights)    # an unsupported game is reported before any solving
    for problem in asked.problems:
        check_opened(problem.state)
    return asked


def _solve(runner: EngineRunner[Solver], label: str, state: State, *, winner_only: bool) -> Solution:
    """The solution of a position, or Interrupted; the label says which one is being solved."""
    from rich.text import Text

    from polyversi.cli.engine_runner import Interrupted

    try:
        return runner.run(
            state.game, lambda solver: solver.solve(state, winner_only=winner_only),
            lambda words: Text(f"{label}: {words}", no_wrap=True, overflow="ellipsis"))
    except Interrupted:
        runner.console.print(f"interrupted: {label}")
        raise


def _solve_one(runner: EngineRunner[Solver], asked: _Asked, *, winner_only: bool) -> bool:
    """Solves a single position and prints the result; whether it does not contradict the file."""
    from polyversi.cli.engine_runner import print_position

    console, [problem] = runner.console, asked.problems
    state = problem.state
    print_position(console, asked.name, state)
    solution = _solve(runner, asked.name, state, winner_only=winner_only)
    console.print(in_words(state, solution))
    if variation := solution.principal_variation:
        which = "a line" if solution.is_winner_only else "principal variation"
        console.print(f"{which}: {' '.join(map(str, variation))}")
    console.print(speed(solution.nodes, solution.seconds))
    verdict = agreement(problem, solution)
    if problem.expected is not None:
        console.print(f"expected {problem.expected:+}, agrees: {verdict}")
    if verdict == "yes*":
        console.print(FOOTNOTE)
    return verdict != "NO"


def in_words(state: State, solution: Solution) -> str:
    """Who wins and by how much.

    >>> import polyversi as pv
    >>> from polyversi.engines import Solver
    >>> start = pv.game("anti-4").start()
    >>> in_words(start, Solver(start.game).solve(start))
    'black wins 6–9 (the fewest win), +3 for black'
    """
    from polyversi.cli.views.board import seat_name

    game, value, mover = state.game, solution.value, state.next_seat
    winner = mover if value > 0 else 3 - mover
    if solution.is_winner_only:
        return f"{seat_name(game, winner)} wins" if value else "a draw"
    scores = final_state(state, solution).scores
    if not value:
        return f"a draw, {scores[0]}–{scores[1]}"
    fewest = " (the fewest win)" if game.definition.goal == "fewest" else ""
    count = f"{scores[winner - 1]}–{scores[2 - winner]}"
    return f"{seat_name(game, winner)} wins {count}{fewest}, {value:+} for {seat_name(game, mover)}"


def final_state(state: State, solution: Solution) -> State:
    """The end of the principal variation."""
    for move in solution.principal_variation:
        state = state.play(move)
    return state


def _solve_file(runner: EngineRunner[Solver], asked: _Asked, *, winner_only: bool) -> bool:
    """Solves the problems of a file, a row of a table each; whether no value contradicts the file."""
    console, problems = runner.console, asked.problems
    names = [_name(number, problem) for number, problem in enumerate(problems, 1)]
    room = console.width - sum(2 + width for width in COLUMNS.values())
    width = max(MIN_NAME_WIDTH, min(room, max(map(len, names))))
    console.print(asked.name)
    console.print(_columns(width, show_header=True))
    verdicts: list[str] = []
    nodes, seconds = 0, 0.0
    for number, (name, problem) in enumerate(zip(names, problems, strict=True), 1):
        empty = problem.state.tiles.count(0)
        label = f"problem {number} of {len(problems)}, {empty} empty"
        solution = _solve(runner, label, problem.state, winner_only=winner_only)
        verdicts.append(agreement(problem, solution))
        nodes, seconds = nodes + solution.nodes, seconds + solution.seconds
        row = _columns(width, show_header=False)
        expected = "" if problem.expected is None else f"{problem.expected:+}"
        row.add_row(
            name, str(empty), _value(solution), expected, verdicts[-1], str(solution.best or ""),
            f"{solution.nodes:,}", f"{solution.seconds:,.3f}", style="red" if verdicts[-1] == "NO" else "",
        )
        console.print(row)
    _print_total(console, verdicts, nodes, seconds)
    return "NO" not in verdicts


def agreement(problem: Problem, solution: Solution) -> str:
    """Whether a value is the one that the problem states, and the best move has it there too: yes or NO.

    It is `yes*` if the cells that stay empty must count for the winner; nothing where no score is stated.

    >>> from polyversi.engines import Solver
    >>> from polyversi.records.positions import parse
    >>> problem = parse("-----OX--XO----- X; b1:-10")
    >>> agreement(problem, Solver(problem.game).solve(problem.state))
    'yes*'
    """
    from polyversi.records.problems import as_problems_count

    value, of_best = solution.value, dict(problem.answers).get(solution.best) if solution.best else None
    stated = {score for score in (problem.expected, of_best) if score is not None}
    if not stated:
        return ""
    if solution.is_winner_only:
        return "yes" if {(score > 0) - (score < 0) for score in stated} == {value} else "NO"
    if stated == {value}:
        return "yes"
    return "yes*" if stated == {as_problems_count(value, final_state(problem.state, solution))} else "NO"


def _name(number: int, problem: Problem) -> str:
    """The name of a problem in its file, or its number."""
    from polyversi.cli.views.analysis import printable

    return printable(problem.comment) or str(number)


def _value(solution: Solution) -> str:
    """A value in few characters."""
    if solution.is_winner_only:
        return {1: "win", 0: "draw", -1: "loss"}[solution.value]
    return f"{solution.value:+}"


def _columns(width: int, *, show_header: bool) -> Table:
    """The table of problems, of which each row is printed as soon as it is known."""
    table = new_table(show_header=show_header)
    table.add_column("problem", width=width, no_wrap=True)
    for heading, its_width in COLUMNS.items():
        table.add_column(heading, width=its_width, justify="right", no_wrap=True)
    return table


def _print_total(console: Console, verdicts: list[str], nodes: int, seconds: float) -> None:
    stated = [verdict for verdict in verdicts if verdict]
    agree = sum(verdict != "NO" for verdict in stated)
    if not stated:
        said = "the file states no values"
    elif agree == len(stated):
        said = "all values agree" if agree == len(verdicts) else f"stated values that agree: all {agree}"
    else:
        said = f"{len(stated) - agree} of {len(stated)} values contradict the file"
    noun = "problem" if len(verdicts) == 1 else "problems"
    console.print(f"{len(verdicts)} {noun}: {speed(nodes, seconds)}; {said}")
    if "yes*" in verdicts:
        console.print(FOOTNOTE)
