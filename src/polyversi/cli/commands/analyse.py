"""`polyversi analyse`: the moves of a position with their values, live; games with their mistakes marked."""

from __future__ import annotations

import json
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Group, RenderableType
from rich.text import Text

from polyversi.cli.engine_options import Megabytes, Threads, WeightsFile, default_threads
from polyversi.cli.engine_runner import SETTINGS as SETTINGS
from polyversi.cli.engine_runner import EngineRunner, Interrupted, parse_argument
from polyversi.cli.views import analysis as view
from polyversi.cli.views.terminal import speed
from polyversi.engines import Analysis, Judge, judge
from polyversi.engines.engine import SELECTIVITIES
from polyversi.engines.review import Review, review
from polyversi.engines.search import DEFAULT_MEGABYTES
from polyversi.games.board import printable
from polyversi.games.errors import LimitError, PolyversiError
from polyversi.games.limit import Limit
from polyversi.games.state import State
from polyversi.games.variants import game as named
from polyversi.records import Problem, Record
from polyversi.records.opening_names import opening_name
from polyversi.records.sources import is_file, parse_source

POSITION_LIMIT, MOVE_LIMIT = Limit(seconds=5), Limit(seconds=1)
"""The default limits of a position, and of each move of a game."""


def analyse(
    what: Annotated[list[str], typer.Argument(
        metavar="WHAT...", help="A variant, a position, moves from the start, or a file of those.")],
    variant: Annotated[str | None, typer.Option(
        help="The variant of moves and positions without one; default: Othello of their size.")] = None,
    limit: Annotated[str | None, typer.Option(
        help="seconds=10, depth=12, nodes=1000000 or none, for each position or move of a game; "
             "default: 5 seconds for a position, 1 for a move.")] = None,
    threads: Threads = None,
    megabytes: Megabytes = DEFAULT_MEGABYTES,
    weights: WeightsFile = None,
    selectivity: Annotated[int, typer.Option(
        metavar="PERCENT", help="How sure shortcuts of the search must be: 73, 87, 95, 98, 99, or 100 for "
                                "none. A surer search is slower.")] = SELECTIVITIES[0],
    games: Annotated[int | None, typer.Option(
        min=1, metavar="N", help="Only the first N games or positions of a file.")] = None,
    why: Annotated[bool, typer.Option(
        "--why", help="Say what bad moves give away that the best ones keep.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Write a line of JSON for each of them.")] = False,
) -> None:
    """Analyse a position live, or a whole game with its mistakes marked.

    A position gets a table of all legal moves, the best first, updated with every iteration. Moves from the
    start lead to a position; a finished game, and every game of a file (.jsonl, .ggf, .wtb, .txt), is
    analysed move by move. Values are in stones at the end of the game, for the seat to move; in Reversi XT,
    with more than two seats and on large boards they are expected rank points, of every seat. The selectivity
    says how sure a value is: at 73 %, a shortcut of the search is right about 73 times in 100; exact values
    are proved. Ctrl-C stops it and keeps what was found so far.

    Examples:

      polyversi analyse f5d6c3 --limit none --selectivity 95

      polyversi analyse "-----OX--XO----- X" --variant anti-4

      polyversi analyse games.ggf --games 1 --limit seconds=0.5 --why

      polyversi analyse hex --json
    """
    try:
        each = _limit(limit)
        asked = [one for words in what for one in _read(words, variant, games)]
        for game in {item.game for _, item in asked}:
            # An unsupported game is reported before the others.
            judge(game, megabytes=1, weights=weights, selectivity=selectivity)
        number, found = threads or default_threads(), False
        with EngineRunner(
            lambda game: judge(game, threads=number, megabytes=megabytes, weights=weights,
                               selectivity=selectivity), is_quiet=as_json
        ) as runner:
            for name, item in asked:
                if runner.is_interrupted:
                    break
                if isinstance(item, Record):
                    found |= _analyse_game(runner, name, item, each or MOVE_LIMIT, why, as_json)
                else:
                    found |= _analyse_position(runner, name, item, each or POSITION_LIMIT, why, as_json)
    except PolyversiError as error:
        typer.echo(f"polyversi: {error}", err=True)
        raise typer.Exit(2) from None
    if runner.is_interrupted and not found:
        raise typer.Exit(130)


def _limit(text: str | None) -> Limit | None:
    """The limit of each position or move, if one is given."""
    if text is None:
        return None
    limit = Limit.parse(text)
    if limit.bank is not None:
        raise LimitError("an analysis has no bank; limit each position, as in seconds=5 or depth=12")
    return limit


def _read(words: str, variant: str | None, maximum: int | None) -> list[tuple[str, Record | State]]:
    """The games and positions that an argument stands for, with their names."""
    game = named(variant) if variant else None
    if not is_file(words):
        item = parse_argument("analyse", words, game)
        state = item.state if isinstance(item, Problem) else item.final
        return [(item.game.spec, item if isinstance(item, Record) and state.is_over else state)]
    file = Path(words).name
    items = list(islice(parse_source(words, game), maximum))
    if not items:
        raise PolyversiError(f"{words} holds no games and no positions")
    asked: list[tuple[str, Record | State]] = []
    for number, item in enumerate(items, 1):
        name = f"{file}, {number} of {len(items)}" if len(items) > 1 else file
        if isinstance(item, Problem):
            asked.append((f"{name}: {printable(item.comment)}" if item.comment else name, item.state))
        else:
            asked.append((name, item if item.moves else item.start))
    return asked


def _analyse_position(
    runner: EngineRunner[Judge], name: str, state: State, limit: Limit, why: bool, as_json: bool
) -> bool:
    """Analyses a position and prints the board and the last table; whether anything was found."""
    console, found = runner.console, Analysis(state, (), 0, 0.0)

    def search(engine: Judge) -> None:
        nonlocal found
        for found in engine.analyse(state, limit):    # noqa: B007 the last one is wanted
            pass

    def shown(words: str) -> RenderableType:
        return Group(view.moves_table(found), Text(words)) if found.moves else Text(words)

    if not as_json:
        runner.print_position(", ".join(filter(None, (name, opening_name(state)))), state)
    if not state.is_over:
        with suppress(Interrupted):
            runner.run(state.game, search, shown)
    if as_json:
        if found.moves or state.is_over:
            print(json.dumps(view.position_data(name, found, why=why)), flush=True)
    elif found.moves:
        console.print(view.moves_table(found))
        if words := view.caption(found.moves):
            console.print(words)
        for line in view.whys_of_position(found) if why else ():
            console.print(line)
        console.print(speed(found.nodes, found.seconds))
    elif runner.is_interrupted:
        console.print(f"interrupted: {name}")
    return bool(found.moves)


def _analyse_game(
    runner: EngineRunner[Judge], name: str, record: Record, limit: Limit, why: bool, as_json: bool
) -> bool:
    """Analyses a game, prints its moves, its graph and what each seat lost; whether anything was found."""
    console, found = runner.console, Review(record.start, len(record.moves))

    def search(engine: Judge) -> None:
        review(record, limit, engine=engine, observe=observe)

    def observe(so_far: Review) -> None:
        nonlocal found
        if runner.is_interrupted:    # the last move was not searched as long as the others
            raise Interrupted
        found = so_far

    def shown(words: str) -> RenderableType:
        now = f"{len(found.moves)} of {found.plies} moves analysed: {words}"
        return Group(*view.graph(found, console.width), Text(now, no_wrap=True, overflow="ellipsis"))

    if not as_json:
        heading = view.title(record) if name == record.game.spec else f"{name}: {view.title(record)}"
        console.print(heading, no_wrap=True, overflow="ellipsis", crop=True)
    with suppress(Interrupted):
        runner.run(record.game, search, shown)
    if not as_json:
        view.print_review(console, record, found, why=why)
    elif found.moves:
        print(json.dumps(view.game_data(name, record, found, why=why)), flush=True)
    return bool(found.moves)
