"""`polyversi analyse`: the moves of a position with their values, live; games with their mistakes marked."""

from __future__ import annotations

import json
import signal
import time
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Self

import typer

from polyversi.cli.views.terminal import LiveTable, speed
from polyversi.engines.making import MOST_MEGABYTES, MOST_THREADS, EngineError
from polyversi.engines.solver import MEGABYTES
from polyversi.games.limit import Limit

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import Console, RenderableType

    from polyversi.engines import Engine
    from polyversi.engines.review import Review
    from polyversi.engines.weights import Weights
    from polyversi.games.game import Game
    from polyversi.games.state import State
    from polyversi.records import Record

SETTINGS = {"ignore_unknown_options": True}
"""For the command line: a position often begins with empty cells, which look like an option."""
FOR_A_POSITION, FOR_A_MOVE = Limit(seconds=5), Limit(seconds=1)
"""What is spent on a position, and on each move of a game, where nothing is said."""


def analyse(
    what: Annotated[list[str], typer.Argument(
        metavar="WHAT...", help="A variant, a position, moves from the start, or a file of those.")],
    variant: Annotated[str | None, typer.Option(
        help="What moves, positions and files are of; otherwise Othello on a board of their size.")] = None,
    limit: Annotated[str | None, typer.Option(
        help="seconds=10, depth=12, nodes=1000000 or none, for each position or move of a game; "
             "usually 5 seconds for a position and 1 for a move.")] = None,
    threads: Annotated[int | None, typer.Option(
        min=1, max=MOST_THREADS, help="Threads that search; usually one for each processor.")] = None,
    megabytes: Annotated[int, typer.Option(
        "--hash", metavar="MB", min=1, max=MOST_MEGABYTES,
        help="Memory for positions seen, rounded down to a power of two.")] = MEGABYTES,
    weights: Annotated[Path | None, typer.Option(
        metavar="FILE", help="Weights that `polyversi train` has made, in place of the usual ones.")] = None,
    games: Annotated[int | None, typer.Option(
        min=1, help="Only the first so many games or positions of a file.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="A line of JSON for each of them.")] = False,
) -> None:
    """Analyse a position live, or a whole game with its mistakes marked.

    A position gets a table of all legal moves, the best first, ever better while it works. Moves from the
    start lead to a position; a finished game, and every game of a file (.jsonl, .ggf, .wtb, .txt), is looked
    at move by move. Values are in stones at the end of the game, for the seat to move. Trust says how sure a
    value is; exact values are proved. Ctrl-C ends it and leaves what was found so far.

    Examples:

      polyversi analyse f5d6c3 --limit none

      polyversi analyse "-----OX--XO----- X" --variant anti-4

      polyversi analyse games.ggf --games 1 --limit seconds=0.5

      polyversi analyse hex --json
    """
    from polyversi.cli.views.terminal import new_console
    from polyversi.contest.workers import default_jobs
    from polyversi.engines.weights import load
    from polyversi.games.errors import PolyversiError

    console = new_console()
    try:
        spent = _limit(limit)
        asked = [one for words in what for one in _read(words, variant, games)]
        used = None if weights is None else load(weights)
        _check({one.game for one in asked}, used)
        with _Work(console, threads or min(default_jobs(), MOST_THREADS), megabytes, as_json, used) as work:
            for one in asked:
                if not work.is_broken_off:
                    _analyse_one(work, one, spent)
    except KeyboardInterrupt:
        raise typer.Exit(130) from None
    except PolyversiError as error:
        typer.echo(f"polyversi: {error}", err=True)
        raise typer.Exit(2) from None
    if work.is_broken_off and not work.has_found:
        raise typer.Exit(130)


@dataclass(frozen=True)
class _Asked:
    """A game or a position that is to be analysed, with what it is called."""

    name: str
    what: Record | State

    @property
    def game(self) -> Game:
        """What is played."""
        return self.what.game


def _limit(text: str | None) -> Limit | None:
    """What may be spent on each position, if anything is said about it."""
    from polyversi.games.errors import LimitError

    if text is None:
        return None
    limit = Limit.parse(text)
    if limit.bank is not None:
        raise LimitError("an analysis has no bank; limit each position, as in seconds=5 or depth=12")
    return limit


def _read(words: str, variant: str | None, most: int | None) -> list[_Asked]:
    """What a word on the command line means."""
    from itertools import islice

    from polyversi.cli.views.analysis import printable
    from polyversi.games.errors import PolyversiError
    from polyversi.games.variants import game as named
    from polyversi.records import Problem
    from polyversi.records.words import MOVES, POSITION, is_file, meant

    game = named(variant) if variant else None
    if not is_file(words):
        if words.startswith("-") and not (MOVES.match(words) or POSITION.fullmatch(words)):
            raise PolyversiError(f"there is no option {words}; `polyversi analyse --help` lists them")
        [item] = meant(words, game)
        if isinstance(item, Problem):
            return [_Asked(item.game.spec, item.state)]
        return [_Asked(item.game.spec, item if item.final.is_over else item.final)]
    file = Path(words).name
    items = list(islice(meant(words, game), most))
    if not items:
        raise PolyversiError(f"{words} holds no game and no position")
    asked = []
    for number, item in enumerate(items, 1):
        name = f"{file}, {number} of {len(items)}" if len(items) > 1 else file
        if isinstance(item, Problem):
            asked.append(_Asked(f"{name}: {printable(item.comment)}" if item.comment else name, item.state))
        else:
            asked.append(_Asked(name, item if item.moves else item.start))
    return asked


def _check(games: set[Game], weights: Weights | None) -> None:
    """Says so before anything is analysed if the engine or its weights do not know one of the games."""
    from polyversi.engines import Engine

    for game in games:
        Engine(game, megabytes=1, weights=weights)


class _BrokenOffError(Exception):
    """Ends a review from within."""


class _Work:
    """Runs the engine in a thread of its own, so that Ctrl-C is heard."""

    def __init__(
        self, console: Console, threads: int, megabytes: int, as_json: bool, weights: Weights | None
    ) -> None:
        self.console, self.as_json = console, as_json
        self.is_broken_off = self.has_found = False
        self._threads, self._megabytes, self._weights = threads, megabytes, weights
        self._engine: Engine | None = None

    def __enter__(self) -> Self:
        # An exception could come in the middle of a table; this ends what the engine is thinking about.
        self._handler = signal.signal(signal.SIGINT, self._break_off)
        return self

    def __exit__(self, *about: object) -> None:
        signal.signal(signal.SIGINT, self._handler)

    def _break_off(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002
        self.is_broken_off = True
        if self._engine is not None:
            self._engine.stop()

    def engine_for(self, game: Game) -> Engine:
        """The engine of a game, which keeps what it has learnt for as long as the game is the same."""
        from polyversi.engines import Engine

        if self._engine is None or self._engine.game != game:
            self._engine = None    # gives the memory of the one before back first
            self._engine = Engine(
                game, threads=self._threads, megabytes=self._megabytes, weights=self._weights)
        return self._engine

    def run(self, engine: Engine, task: Callable[[], None], shown: Callable[[str], RenderableType]) -> None:
        """Does a task with an engine, and shows meanwhile what there is, given the speed in words."""
        with ThreadPoolExecutor(1) as thread, _Shown(self.console, engine, shown, is_quiet=self.as_json):
            if self.is_broken_off:    # before there was an engine to stop
                engine.stop()
            future = thread.submit(task)
            wait([future])
        try:
            future.result()
        except (_BrokenOffError, EngineError):
            if not self.is_broken_off:
                raise


class _Shown(LiveTable):
    """What there is while the engine works, on a terminal; elsewhere and for programs nothing."""

    def __init__(
        self, console: Console, engine: Engine, shown: Callable[[str], RenderableType], *, is_quiet: bool
    ) -> None:
        super().__init__(console)
        self._engine, self._shown, self._is_quiet = engine, shown, is_quiet
        self._before, self._begin = engine.nodes, time.monotonic()

    def __enter__(self) -> Self:
        return self if self._is_quiet else super().__enter__()

    def table(self) -> RenderableType:
        return self._shown(speed(self._engine.nodes - self._before, time.monotonic() - self._begin))


def _analyse_one(work: _Work, asked: _Asked, limit: Limit | None) -> None:
    from polyversi.records import Record

    if isinstance(asked.what, Record):
        _analyse_game(work, asked.name, asked.what, limit or FOR_A_MOVE)
    else:
        _analyse_position(work, asked.name, asked.what, limit or FOR_A_POSITION)


def _analyse_position(work: _Work, name: str, state: State, limit: Limit) -> None:
    """Analyses a position and prints the board and the last table."""
    from rich.console import Group
    from rich.text import Text

    from polyversi.cli.views.analysis import moves_table, position_data
    from polyversi.engines import Analysis

    console, found = work.console, Analysis(state, (), 0, 0.0)

    def think() -> None:
        nonlocal found
        for analysis in engine.analyse(state, limit):
            found, work.has_found = analysis, True

    def shown(words: str) -> RenderableType:
        return Group(moves_table(found), Text(words)) if found.moves else Text(words)

    if not work.as_json:
        _print_board(console, name, state)
    if not state.is_over:
        engine = work.engine_for(state.game)
        work.run(engine, think, shown)
    if work.as_json:
        if found.moves or state.is_over:
            print(json.dumps(position_data(name, found)), flush=True)
    elif found.moves:
        console.print(moves_table(found))
        console.print(speed(found.nodes, found.seconds))
    elif work.is_broken_off:
        console.print(f"broken off: {name}")


def _print_board(console: Console, name: str, state: State) -> None:
    from polyversi.cli.views.terminal import is_colourful, print_board

    drawn = state.draw(color=is_colourful(console), width=console.width)
    print_board(console, [name, *drawn.split("\n")])


def _analyse_game(work: _Work, name: str, record: Record, limit: Limit) -> None:
    """Analyses a game, and prints its moves, its graph and what each seat lost."""
    from rich.console import Group
    from rich.text import Text

    from polyversi.cli.views.analysis import game_data, graph, title
    from polyversi.engines.review import Review, review

    console, found = work.console, Review(record.start, len(record.moves))
    heading = title(record) if name == record.game.spec else f"{name}: {title(record)}"

    def look() -> None:
        review(record, limit, engine=engine, observe=observe)

    def observe(so_far: Review) -> None:
        nonlocal found
        if work.is_broken_off:    # the last move was not looked at as long as the others
            raise _BrokenOffError
        found, work.has_found = so_far, True

    def shown(words: str) -> RenderableType:
        now = f"{len(found.moves)} of {found.plies} moves looked at: {words}"
        return Group(*graph(found, console.width), Text(now, no_wrap=True, overflow="ellipsis"))

    if not work.as_json:
        console.print(heading, no_wrap=True, overflow="ellipsis", crop=True)
    engine = work.engine_for(record.game)
    work.run(engine, look, shown)
    if work.as_json:
        if found.moves:
            print(json.dumps(game_data(name, record, found)), flush=True)
    else:
        _print_review(console, record, found)


def _print_review(console: Console, record: Record, review: Review) -> None:
    from polyversi.cli.views.analysis import game_table, graph, legend, totals_table

    if review.moves:
        console.print(game_table(review))
        console.print(legend(record.game))
        console.print()
        for line in graph(review, console.width):
            console.print(line, no_wrap=True, overflow="crop", crop=True)
        console.print()
        console.print(totals_table(review, record.players))
        console.print(speed(review.nodes, review.seconds))
    if not review.is_whole:
        console.print(f"broken off: {len(review.moves)} of {review.plies} moves looked at")
