"""Games of a Reversi XT server in the terminal: the board as it changes, and tables of what came of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Self

from rich.table import Table

from polyversi.cli.main import give_up_output
from polyversi.cli.views.board import seat_name
from polyversi.cli.views.network import NetworkView
from polyversi.cli.views.terminal import new_table
from polyversi.gameplay.events import Event, MoveEvent
from polyversi.games.state import State
from polyversi.server.xt.results import Totals, XtGameResult
from polyversi.server.xt.server import ServerMap, ServerObserver


class XtServerView(ServerObserver):
    """Shows the games of a server, and hands finished games to `keep`.

    Output runs in a thread of its own, so that a terminal that stands still blocks nobody: only the next game
    waits for it, before its first request. Boards that events behind them have overtaken are not drawn.
    """

    def __init__(
        self, *, plain: bool, keep: Callable[[XtGameResult], None], marks_moves: bool = True,
    ) -> None:
        self.totals = Totals()
        self._view = NetworkView(has_person=False, plain=plain)
        self._view.view.marks_moves = marks_moves
        self._keep = keep
        self._thread = ThreadPoolExecutor(1, "terminal")
        self._submitted = self._begun = 0
        self._fault: Exception | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *about: object) -> None:
        """Shows all there is to show; without another error, what could not be written is one."""
        self._submit(self._sum_up)
        self._thread.shutdown()
        if kind is None and self._fault is not None:
            raise self._fault

    def say(self, sentence: str) -> None:
        self._submit(self._say, sentence)

    def begin(self, number: int, map_: ServerMap, start: State) -> None:  # noqa: ARG002
        self._submit(self._view.view.begin, start, ())

    def hear(self, event: Event) -> None:
        self._submit(self._show, event)

    def finish(self, game: XtGameResult) -> None:
        self.totals.add(game)
        self._submit(self._view.view.console.print, game_table(game))
        self._keep(game)

    async def caught_up(self) -> None:
        await asyncio.wrap_future(self._thread.submit(lambda: None))

    def _submit(self, job: Callable[..., object], *arguments: object) -> None:
        self._submitted += 1
        self._thread.submit(self._run, job, *arguments)

    def _run(self, job: Callable[..., object], *arguments: object) -> None:
        """Does a job in the thread; once standard output cannot be written, nothing more is shown."""
        self._begun += 1
        try:
            job(*arguments)
        except Exception as error:
            self._fault = self._fault or error
            if isinstance(error, OSError):
                give_up_output()

    @property
    def _is_behind(self) -> bool:
        """Whether more jobs wait behind the one that runs."""
        return self._begun < self._submitted

    def _say(self, sentence: str) -> None:
        self._view.skip_drawing(self._is_behind)
        self._view.say(sentence)

    def _show(self, event: Event) -> None:
        self._view.show_briefly(event, is_past=isinstance(event, MoveEvent) and self._is_behind)

    def _sum_up(self) -> None:
        """What the games brought together, if there were several."""
        if self.totals.games > 1:
            self._view.view.console.print(f"\n{self.totals.games} games in total")
            self._view.view.console.print(totals_table(self.totals))


def game_table(game: XtGameResult) -> Table:
    """What a game brought each seat, the best first, with the reasons of those that are out."""
    bank = ["left"] if game.limit.bank is not None else []
    out = ["disqualified"] if any(row.verdict for row in game.seats) else []
    table = new_table("rank", "seat", "player", "stones", "points", "moves", "seconds", "worst", *bank, *out,
                      left=out, names=("seat", "player"))
    for row in sorted(game.seats, key=lambda row: (row.rank, row.seat)):
        seat, why = seat_name(game.finished.record.game, row.seat), filter(None, (row.verdict, row.reason))
        cells = row.rank, seat, row.player, row.stones, f"{row.points:g}", row.moves
        times = [f"{seconds:.2f}" for seconds in (row.seconds, row.worst, row.left) if seconds is not None]
        table.add_row(*map(str, cells), *times, *([": ".join(why)] if out else []))
    return table


def totals_table(totals: Totals) -> Table:
    """What games brought each player together, the best first."""
    ranking = totals.ranking()
    bank = ["left"] if any(total.left is not None for total in ranking) else []
    out = ["disqualified"] if any(total.disqualified for total in ranking) else []
    table = new_table("player", "games", "points", "points/game", "first", "stones", "worst", *bank, *out,
                      names=("player",))
    for total in ranking:
        a_game = f"{total.points / total.games:.1f}"
        times = [f"{seconds:.2f}" for seconds in (total.worst, total.left) if seconds is not None]
        cells = [total.games, f"{total.points:g}", a_game, total.firsts, f"{total.stones:,}", *times]
        table.add_row(total.player, *map(str, cells), *([str(total.disqualified or "")] if out else []))
    return table
