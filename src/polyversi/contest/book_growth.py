"""Growing an opening book: the positions that matter most are searched first, by all workers at once.

The next positions are those nearest to best play: a line costs 1 for every ply and as much again for every
stone that its moves lose, whoever loses it (drop-out expansion). Positions are searched in batches whose size
depends on nothing but the size of the book, each by an engine of its own. So the same command makes the same
book, however many workers there are and however often it is interrupted.
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from functools import cached_property
from itertools import product

from msgspec import structs

from polyversi.contest.workers import Workers, local_workers
from polyversi.engines.book import Book, Header, Values, load
from polyversi.engines.engine import Engine
from polyversi.engines.search import SUPPORTED, EngineError, is_supported
from polyversi.games.errors import PolyversiError
from polyversi.games.files import StrPath
from polyversi.games.limit import Limit
from polyversi.games.variants import game as game_of
from polyversi.records.position_keys import equal_moves

STONE = 1.0
"""What a lost stone costs, in plies."""
MAX_BATCH = 64
"""Positions between two looks at what is worth searching next; an interruption loses no more than these."""
SAVE_SECONDS = 10.0
"""How often the book is written while it grows."""
MAX_DRAWN = 10
"""Cells of a random set-up up to which the book begins with all set-ups."""
MEGABYTES = 16
"""Of each engine's transposition table."""
Progress = Callable[["Growth"], None]


class Growth:
    """A book that grows.

    >>> growth = Growth.begin("othello-4", "depth=4")
    >>> growth.run(5)
    >>> len(growth.book.positions)
    5
    """

    def __init__(self, book: Book) -> None:
        self.book = book
        self._game = book.game
        self._limit = Limit.parse(book.header.limit)
        self._values: dict[str, Values] = {line: dict(values) for line, values in book.positions.items()}
        self._after: dict[str, dict[int, str]] = {}
        """Of every position the canonical one after each move; moves that end the game are left out."""
        for line in self._values:
            self._follow(line)

    @classmethod
    def begin(cls, spec: str, limit: str, command: str = "") -> Growth:
        """A new book of a game, each of whose positions is searched within a limit."""
        game = game_of(spec)
        if not is_supported(game):
            raise EngineError(f"there is no engine to make a book for {game.spec}: it plays {SUPPORTED}")
        if Limit.parse(limit).bank is not None:
            raise PolyversiError("a book has no bank; limit each position, as in depth=12 or nodes=100000")
        return cls(Book(Header(game.spec, str(Limit.parse(limit)), command, ""), {}))

    @classmethod
    def resume(cls, path: StrPath, spec: str, limit: str, command: str = "") -> Growth:
        """A book that goes on to grow as it began: with the same game and the same limit."""
        book = load(path)
        wanted = game_of(spec).spec, str(Limit.parse(limit))
        if (book.header.spec, book.header.limit) != wanted:
            raise PolyversiError(f"{path} is a book of {book.header.spec} with {book.header.limit}, not of "
                                 f"{wanted[0]} with {wanted[1]}; grow it on as it began, or use another file")
        return cls(Book(structs.replace(book.header, command=command), book.positions))

    def run(self, positions: int, workers: Workers | None = None, path: StrPath | None = None,
            progress: Progress = lambda _: None) -> None:
        """Searches until the book has so many positions or the whole game; Ctrl-C ends it before.

        With a path the book is written now and then and at the end, whatever ends it.
        """
        saved = float("-inf")

        def grow(executor: Executor) -> None:
            nonlocal saved
            for _ in self._batches(executor, positions):
                progress(self)
                if path is not None and time.monotonic() > saved + SAVE_SECONDS:
                    self.save(path)
                    saved = time.monotonic()

        try:
            if len(self._values) < positions:
                (workers or local_workers(1)).carry_out(grow, lambda: len(self._values), "the book")
        finally:
            self._propagate()
            if path is not None:
                self.save(path)

    def save(self, path: StrPath) -> None:
        """Writes the book as it is."""
        header = structs.replace(self.book.header, date=time.strftime("%Y-%m-%d"))
        self.book = Book(header, {line: dict(values) for line, values in self._values.items()})
        self.book.save(path)

    def _batches(self, executor: Executor, positions: int) -> Iterator[None]:
        """Searches batch after batch; the book changes only when a whole one is done."""
        while (room := positions - len(self._values)) > 0:
            self._propagate()
            most = min(MAX_BATCH, max(1, len(self._values) // 4), room)
            lines = self._next(most)
            if not lines:
                return
            asked = [executor.submit(searched, self._game.spec, line, str(self._limit)) for line in lines]
            found = [future.result() for future in asked]
            for line, values in zip(lines, found, strict=True):
                self._values[line] = values
                self._follow(line)
            self.book = Book(self.book.header, self._values)
            yield

    def _next(self, count: int) -> list[str]:
        """The positions nearest to best play that are not in the book, at most so many."""
        queue = [(0.0, line) for line in self.roots]
        best = dict.fromkeys((line for _, line in queue), 0.0)
        found: list[str] = []
        while queue and len(found) < count:
            cost, line = heapq.heappop(queue)
            if cost > best[line]:
                continue
            values = self._values.get(line)
            if values is None:
                found.append(line)
                continue
            highest = max(values.values())
            for number, after in self._after[line].items():
                onward = cost + 1 + STONE * (highest - values[number])
                if onward < best.get(after, float("inf")):
                    best[after] = onward
                    heapq.heappush(queue, (onward, after))
        return found

    @cached_property
    def roots(self) -> list[str]:
        """Where games begin: with several set-ups where these are random and not too many."""
        drawn = self._game.definition.random_cells
        start = self._game.start()
        if not drawn or len(drawn) > MAX_DRAWN:
            return [start.canonical()[0].text]
        line, rest = start.text.split(" ", 1)
        found = set()
        for stones in product("XO", repeat=len(drawn)):
            placed = dict(zip(drawn, stones, strict=True))
            tiles = "".join(placed.get(cell, tile) for cell, tile in enumerate(line))
            found.add(self._game.position(f"{tiles} {rest}").canonical()[0].text)
        return sorted(found)

    def _follow(self, line: str) -> None:
        """Notes where the moves of a position lead."""
        state = self._game.position(line)
        after = {number: state.play(self._game.action(number)) for number in self._values[line]}
        self._after[line] = {number: reached.canonical()[0].text for number, reached in after.items()
                             if not reached.is_over}

    def _propagate(self) -> None:
        """Gives every move the value that best play makes of the position after it, where that is known."""
        done: dict[str, int] = {}

        def value(line: str) -> int:
            if line not in done:
                values = self._values[line]
                for number, after in self._after[line].items():
                    if after in self._values:
                        # With more than two passes in a row there is no game, so this ends.
                        values[number] = -value(after)
                done[line] = max(values.values())
            return done[line]

        for line in self._values:
            value(line)


def searched(spec: str, line: str, limit: str) -> Values:
    """The moves of a position with their values, by an engine that has seen nothing else.

    Unless a value is exact it is the mean of the last two iterations. Whoever has the last move of a search
    looks better, in Othello by more than a stone, and a book compares positions of all plies.
    """
    game = game_of(spec)
    state = game.position(line)
    *_, before, last = (None, *Engine(game, megabytes=MEGABYTES).analyse(state, Limit.parse(limit)))
    assert last is not None, "nobody stops the engine"
    values = {scored.move: scored.value for scored in last.moves}
    if before is not None and not last.is_exact:
        values = {scored.move: (values[scored.move] + scored.value) / 2 for scored in before.moves}
    return {number: round(values[moves[0]]) for number, moves in equal_moves(state).items()}
