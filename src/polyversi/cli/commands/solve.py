"""`polyversi solve`: exact values of positions, of problem files and of whole small games."""

from __future__ import annotations

from functools import reduce
from pathlib import Path
from typing import Annotated

import typer
from rich.cells import set_cell_size
from rich.console import Group, RenderableType
from rich.text import Text

from polyversi.cli.engine_options import Threads, default_threads
from polyversi.cli.engine_runner import SETTINGS as SETTINGS
from polyversi.cli.engine_runner import EngineRunner, Interrupted, parse_argument
from polyversi.cli.views import proof as view
from polyversi.cli.views.board import seat_name
from polyversi.cli.views.terminal import speed
from polyversi.drawing.words import counted
from polyversi.engines import Solution, Solver
from polyversi.engines.proof import Proof, Prover
from polyversi.engines.search import DEFAULT_MEGABYTES, MAX_MEGABYTES
from polyversi.engines.solver import check_opened, default_megabytes
from polyversi.games.board import printable
from polyversi.games.errors import PolyversiError
from polyversi.games.state import State
from polyversi.games.variants import game as named
from polyversi.records import Problem
from polyversi.records.problems import as_problems_count
from polyversi.records.sources import is_file, read_problems

MIN_NAME_WIDTH = 8
"""Characters of a problem's name that are shown however narrow the terminal is."""
COLUMNS = {"empty": 5, "value": 5, "expected": 8, "agrees": 6, "move": 4, "nodes": 14, "seconds": 9}
"""The columns of a problem with their widths, so that rows can be printed one by one."""
CONTRADICTIONS = {"NO", "move"}
"""The verdicts on a value and on a move that contradict a file."""
WINNERS = {1: "win", 0: "draw", -1: "loss"}
FOOTNOTE = "* if cells that stay empty count for the winner, as they do in problem files"


def solve(
    what: Annotated[list[str], typer.Argument(
        metavar="WHAT...", help="A variant, a position, moves from the start, or a file of problems.")],
    variant: Annotated[str | None, typer.Option(
        help="The variant of positions that do not name one; default: Othello of their size.")] = None,
    threads: Threads = None,
    megabytes: Annotated[int | None, typer.Option(
        "--hash", metavar="MB", min=1, max=MAX_MEGABYTES,
        help="Transposition table, rounded down to a power of two; default: 64, or 1024 from 28 empty cells "
             "on.")] = None,
    weights: Annotated[Path | None, typer.Option(
        metavar="FILE",
        help="Weights made by `polyversi train`: they guide the search, and never change a value.",
    )] = None,
    winner: Annotated[bool, typer.Option("--winner", help="Find only who wins, which is faster.")] = False,
    moves: Annotated[bool, typer.Option(
        "--moves", help="Prove the value of every first move, and show how its bounds get tighter.")] = False,
) -> None:
    """Solve positions, problem files or small games: the exact score and the principal variation.

    Every value is proved: the search takes no shortcuts, so there is no selectivity as in `analyse`.
    A variant is solved from its start. Problem files (.obf, .script) have a position on each line, with the
    scores of its moves if they are known; the exit status is 1 when a value or a move contradicts them.
    Ctrl-C stops it, and what has been solved so far stays printed. With --moves the proof can be watched:
    each first move has a lower and an upper bound, which meet in the end; symmetric moves are proved once.

    Examples:

      polyversi solve othello-6

      polyversi solve othello-6 --moves

      polyversi solve anti:size=6 --winner

      polyversi solve "-----OX--XO----- X" --variant anti-4

      polyversi solve fforum-40-59.obf --threads 2
    """
    try:
        asked = [(words, _read(words, variant, weights)) for words in what]
        needed = [default_megabytes(problem.state) for _, problems in asked for problem in problems]
        number, memory = threads or default_threads(), megabytes or max(needed, default=DEFAULT_MEGABYTES)
        if moves:
            if winner:
                raise PolyversiError("--moves proves every value: leave out --winner")
            with EngineRunner(lambda game: Prover(game, number, memory, weights)) as proving:
                for _, problems in asked:
                    for problem in problems:
                        _prove_moves(proving, problem.state)
            return
        with EngineRunner(lambda game: Solver(game, number, memory, weights)) as runner:
            agreed = [
                _solve_file(runner, Path(words).name, problems, winner) if is_file(words)
                else _solve_one(runner, problems[0], winner)
                for words, problems in asked
            ]
    except Interrupted:
        raise typer.Exit(130) from None
    except PolyversiError as error:
        typer.echo(f"polyversi: {error}", err=True)
        raise typer.Exit(2) from None    # 1 is for values that a file contradicts
    if not all(agreed):
        raise typer.Exit(1)


def _read(words: str, variant: str | None, weights: Path | None) -> list[Problem]:
    """The problems of a file or the position that an argument means, if they can be solved."""
    game = named(variant) if variant else None
    if is_file(words):
        problems = read_problems(Path(words), game)
    else:
        item = parse_argument("solve", words, game)
        problems = [item if isinstance(item, Problem) else Problem(item.final)]
    for played in {problem.game for problem in problems}:
        Solver(played, 1, 1, weights)    # an unsupported game is reported before any solving
    for problem in problems:
        check_opened(problem.state)
    return problems


def _solve(runner: EngineRunner[Solver], label: str, state: State, winner_only: bool) -> Solution:
    """The solution of a position, or Interrupted; the label says which one is being solved."""
    try:
        return runner.run(
            state.game, lambda solver: solver.solve(state, winner_only=winner_only),
            lambda words: Text(f"{label}: {words}", no_wrap=True, overflow="ellipsis"))
    except Interrupted:
        runner.console.print(f"interrupted: {label}")
        raise


def _prove_moves(runner: EngineRunner[Prover], state: State) -> None:
    """Proves the value of every first move of a position, live, and prints the last table."""
    console, found = runner.console, None

    def observe(proof: Proof) -> None:
        nonlocal found
        found = proof

    def shown(words: str) -> RenderableType:
        return Group(view.bounds_table(found), Text(words)) if found else Text(words)

    runner.print_position(state.game.spec, state)
    if not state.is_over:
        proof = runner.run(state.game, lambda prover: prover.prove(state, observe=observe), shown)
        console.print(view.bounds_table(proof))
        console.print(view.verdict(proof))
        console.print(speed(proof.nodes, proof.seconds))
        if runner.is_interrupted:
            raise Interrupted


def _solve_one(runner: EngineRunner[Solver], problem: Problem, winner_only: bool) -> bool:
    """Solves a single position and prints the result; whether it contradicts no stated value."""
    console, state, name = runner.console, problem.state, problem.game.spec
    runner.print_position(name, state)
    solution = _solve(runner, name, state, winner_only)
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
    return verdict not in CONTRADICTIONS


def in_words(state: State, solution: Solution) -> str:
    """Who wins and by how much.

    >>> import polyversi as pv
    >>> from polyversi.engines import Solver
    >>> start = pv.game("anti-4").start()
    >>> in_words(start, Solver(start.game).solve(start))
    'black wins 6–9 (the fewest win), +3 for black'
    """
    game, value, mover = state.game, solution.value, state.next_seat
    winner = mover if value > 0 else 3 - mover
    if solution.is_winner_only:
        return f"{seat_name(game, winner)} wins" if value else "a draw"
    scores = final_state(state, solution).credited_scores
    if not value:
        return f"a draw, {scores[0]}–{scores[1]}"
    fewest = " (the fewest win)" if game.definition.goal == "fewest" else ""
    count = f"{scores[winner - 1]}–{scores[2 - winner]}"
    return f"{seat_name(game, winner)} wins {count}{fewest}, {value:+} for {seat_name(game, mover)}"


def final_state(state: State, solution: Solution) -> State:
    """The end of the principal variation."""
    return reduce(State.play, solution.principal_variation, state)


def _solve_file(
    runner: EngineRunner[Solver], file: str, problems: list[Problem], winner_only: bool
) -> bool:
    """Solves the problems of a file, a row of a table each; whether no value contradicts the file."""
    console = runner.console
    names = [printable(problem.comment) or str(number) for number, problem in enumerate(problems, 1)]
    room = console.width - sum(2 + width for width in COLUMNS.values())
    width = max(MIN_NAME_WIDTH, min(room, max(map(len, names))))

    def print_row(name: str, *cells: str, style: str) -> None:
        figures = (f"  {cell:>{size}}" for cell, size in zip(cells, COLUMNS.values(), strict=True))
        console.print(set_cell_size(name, width) + "".join(figures), style=style, no_wrap=True, crop=True)

    console.print(file)
    print_row("problem", *COLUMNS, style="bold")
    verdicts: list[str] = []
    nodes, seconds = 0, 0.0
    for number, (name, problem) in enumerate(zip(names, problems, strict=True), 1):
        empty = problem.state.tiles.count(0)
        label = f"problem {number} of {len(problems)}, {empty} empty"
        solution = _solve(runner, label, problem.state, winner_only)
        verdict = agreement(problem, solution)
        verdicts.append(verdict)
        nodes, seconds = nodes + solution.nodes, seconds + solution.seconds
        value = WINNERS[solution.value] if solution.is_winner_only else f"{solution.value:+}"
        expected = "" if problem.expected is None else f"{problem.expected:+}"
        print_row(
            name, str(empty), value, expected, verdict, str(solution.best or ""),
            f"{solution.nodes:,}", f"{solution.seconds:,.3f}",
            style="red" if verdict in CONTRADICTIONS else "",
        )
    console.print(f"{counted(len(problems), 'problem')}: {speed(nodes, seconds)}; {_summary(verdicts)}")
    if "yes*" in verdicts:
        console.print(FOOTNOTE)
    return CONTRADICTIONS.isdisjoint(verdicts)


def _summary(verdicts: list[str]) -> str:
    """How many values and moves agree with what the file states."""
    stated = [verdict for verdict in verdicts if verdict]
    if not stated:
        return "the file states no values"
    values, moves = stated.count("NO"), stated.count("move")
    if values or moves:
        wrong = [f"{values} of {counted(len(stated), 'value')}"] * (values > 0)
        wrong += [counted(moves, "move")] * (moves > 0)
        return f"{' and '.join(wrong)} contradict{'s' * (values + moves == 1)} the file"
    return "all values agree" if stated == verdicts else f"stated values that agree: all {len(stated)}"


def agreement(problem: Problem, solution: Solution) -> str:
    """Whether a value is the one that the problem states, and the best move has it there too: yes, or else
    what contradicts the problem: NO for the value, `move` where the problem has another score for the move.

    It is `yes*` if the cells that stay empty must count for the winner; nothing where no score is stated.

    >>> from polyversi.engines import Solver
    >>> from polyversi.records import Problem
    >>> problem = Problem.of("-----OX--XO----- X; b1:-10")
    >>> agreement(problem, Solver(problem.game).solve(problem.state))
    'yes*'
    """
    expected, value = problem.expected, solution.value
    if expected is None:
        return ""
    of_best = dict(problem.answers).get(solution.best) if solution.best else None
    stated = [expected, expected if of_best is None else of_best]
    if solution.is_winner_only:
        stated = [(score > 0) - (score < 0) for score in stated]
    if stated[0] == value:
        return "yes" if stated[1] == value else "move"
    return "yes*" if _is_credited(value, stated, problem, solution) else "NO"


def _is_credited(value: int, stated: list[float], problem: Problem, solution: Solution) -> bool:
    """Whether a value is the one that is stated if the cells that stay empty count for the winner."""
    if solution.is_winner_only or problem.game.definition.empties == "winner":
        return False
    return set(stated) == {as_problems_count(value, final_state(problem.state, solution))}
