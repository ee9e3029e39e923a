"""Games of a Reversi XT server in the terminal: the board as it changes, and tables of what came of it."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING

from polyversi.cli.main import give_up_output
from polyversi.cli.views.board import ending, seat_name
from polyversi.cli.views.network import NetworkPage, NetworkView
from polyversi.cli.views.terminal import new_table
from polyversi.gameplay.events import EndEvent, Event, MoveEvent
from polyversi.server.xt.results import Totals
from polyversi.server.xt.server import ServerObserver

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from rich.table import Table

    from polyversi.games.state import State
    from polyversi.server.xt.results import PlayedGame
    from polyversi.server.xt.server import ServerMap


class OutputThread:
    """Runs output jobs one after the other in a thread, so that a terminal that stands still blocks nobody.

    After an error that standard output cannot be written, nothing more is shown; `fault` is the first error.

    >>> output, shown = OutputThread(), []
    >>> output.submit(lambda: shown.append("a board"))
    >>> output.close()
    >>> shown
    ['a board']
    """

    def __init__(self) -> None:
        self.fault: Exception | None = None
        """The first error."""
        self._executor = ThreadPoolExecutor(1, "terminal")
        self._submitted = 0
        self._begun = 0

    def submit(self, job: Callable[[], object]) -> None:
        """Adds a job to the queue."""
        self._submitted += 1
        self._executor.submit(self._work, job)

    @property
    def is_behind(self) -> bool:
        """Whether more jobs wait behind the one that runs."""
        return self._begun < self._submitted

    async def drain(self) -> None:
        """Waits until all jobs submitted so far are done."""
        await asyncio.wrap_future(self._executor.submit(lambda: None))

    def close(self) -> None:
        """Waits until all jobs are done and ends the thread."""
        self._executor.shutdown()

    def _work(self, job: Callable[[], object]) -> None:
        self._begun += 1
        try:
            job()
        except Exception as error:
            self.fault = self.fault or error
            if isinstance(error, OSError):
                give_up_output()


class _LiveGameView(NetworkView):
    """The running game; of its end only the winner, since a table has the rest.

    The board is not drawn for events that others have overtaken.
    """

    def __init__(self, output: OutputThread, *, plain: bool) -> None:
        super().__init__(has_person=False, plain=plain)
        self._output = output

    def say(self, sentence: str) -> None:
        self._skip_drawing(is_past=self._output.is_behind)
        super().say(sentence)

    def show_here(self, event: Event) -> None:
        self._skip_drawing(is_past=isinstance(event, MoveEvent) and self._output.is_behind)
        if isinstance(event, EndEvent):
            self._has_begun = False
            self.view.show_end(ending(self.view.game, event).partition("\n")[0])
        else:
            super().show_here(event)

    def _skip_drawing(self, *, is_past: bool) -> None:
        if isinstance(self.view, NetworkPage):
            self.view.is_hurried = is_past


class XtServerView(ServerObserver):
    """Shows the games of a server, and hands finished games to `keep`.

    Output runs in a thread of its own: only the next game waits for the terminal, before its first request.
    """

    def __init__(self, *, plain: bool, keep: Callable[[PlayedGame], None]) -> None:
        self._output = OutputThread()
        self._shown = _LiveGameView(self._output, plain=plain)
        self.totals = Totals()
        self._keep = keep

    def __enter__(self) -> XtServerView:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Shows all there is to show; without another error, what could not be written is one."""
        self._output.submit(self._sum_up)
        self._output.close()
        if kind is None and self._output.fault is not None:
            raise self._output.fault

    def say(self, sentence: str) -> None:
        self._output.submit(partial(self._shown.say, sentence))

    def begin(self, number: int, map_: ServerMap, start: State) -> None:  # noqa: ARG002
        self._output.submit(partial(self._shown.begin, start, ()))

    def hear(self, event: Event) -> None:
        self._output.submit(partial(self._shown.show_here, event))

    def finish(self, game: PlayedGame) -> None:
        self.totals.add(game)
        self._output.submit(partial(self._shown.view.console.print, game_table(game)))
        self._keep(game)

    async def caught_up(self) -> None:
        await self._output.drain()

    def _sum_up(self) -> None:
        """What the games brought together, if there were several."""
        if self.totals.games > 1:
            self._shown.view.console.print(f"\n{self.totals.games} games together")
            self._shown.view.console.print(totals_table(self.totals))


def game_table(game: PlayedGame) -> Table:
    """What a game brought each seat, the best first, with the reasons of those that are out."""
    board = game.finished.record.game
    rows = sorted(game.seats, key=lambda row: (row.rank, row.seat))
    table = new_table("rank", "seat", "player", "stones", "points", "moves", "seconds",
                      left=("seat", "player"))
    has_offences = any(row.verdict for row in rows)
    if has_offences:
        table.add_column("disqualified", overflow="fold")
    for row in rows:
        cells = [row.rank, seat_name(board, row.seat), row.player, row.stones, f"{row.points:g}", row.moves,
                 f"{row.seconds:.1f}"]
        if has_offences:
            cells.append(f"{row.verdict}: {row.reason}" if row.reason else row.verdict)
        table.add_row(*map(str, cells))
    return table


def totals_table(totals: Totals) -> Table:
    """What games brought each player together, the best first."""
    table = new_table("player", "games", "points", "a game", "first", "stones", "disqualified",
                      left=("player",))
    for total in totals.ranking():
        a_game = f"{total.points / total.games:.1f}"
        table.add_row(total.player, *map(str, (total.games, f"{total.points:g}", a_game, total.firsts,
                                               f"{total.stones:,}", total.disqualified or "")))
    return table
