"""Games of a Reversi XT server in the terminal: the board as it changes, and tables of what came of it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from rich.table import Table

from polyversi.cli.views.aside import Aside
from polyversi.cli.views.board import ending, seat_name
from polyversi.cli.views.network import NetworkPage, NetworkView
from polyversi.gameplay.events import EndEvent, Event, MoveEvent
from polyversi.server.xt.house import Audience
from polyversi.server.xt.results import Totals

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from polyversi.games.state import State
    from polyversi.server.xt.charts import Chart
    from polyversi.server.xt.results import PlayedGame


class _Shown(NetworkView):
    """The game that goes on; of its end only who has won, since a table has the rest.

    A page is not drawn for what is past already when its turn comes.
    """

    def __init__(self, aside: Aside, *, plain: bool) -> None:
        super().__init__(has_person=False, plain=plain)
        self._aside = aside

    def say(self, sentence: str) -> None:
        self._hurry(is_past=self._aside.is_behind)
        super().say(sentence)

    def show_here(self, event: Event) -> None:
        self._hurry(is_past=isinstance(event, MoveEvent) and self._aside.is_behind)
        if isinstance(event, EndEvent):
            self._has_begun = False
            self.view.show_end(ending(self.view.game, event).partition("\n")[0])
        else:
            super().show_here(event)

    def _hurry(self, *, is_past: bool) -> None:
        if isinstance(self.view, NetworkPage):
            self.view.is_hurried = is_past


class XtServerView(Audience):
    """Shows the games of a server, and hands those that are over to whoever keeps them.

    It is shown aside: nobody waits for the terminal but the next game, and that before anybody is asked.
    """

    def __init__(self, *, plain: bool, keep: Callable[[PlayedGame], None]) -> None:
        self._aside = Aside()
        self._shown = _Shown(self._aside, plain=plain)
        self.totals = Totals()
        self._keep = keep

    def __enter__(self) -> XtServerView:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Shows all there is to show; without another error, what could not be written is one."""
        self._aside.do(self._sum_up)
        self._aside.close()
        if kind is None and self._aside.fault is not None:
            raise self._aside.fault

    def say(self, sentence: str) -> None:
        self._aside.do(partial(self._shown.say, sentence))

    def begin(self, number: int, chart: Chart, start: State) -> None:  # noqa: ARG002
        self._aside.do(partial(self._shown.begin, start, ()))

    def hear(self, event: Event) -> None:
        self._aside.do(partial(self._shown.show_here, event))

    def finish(self, game: PlayedGame) -> None:
        self.totals.add(game)
        self._aside.do(partial(self._shown.view.console.print, game_table(game)))
        self._keep(game)

    async def caught_up(self) -> None:
        await self._aside.caught_up()

    def _sum_up(self) -> None:
        """What the games brought together, if there were several."""
        if self.totals.games > 1:
            self._shown.view.console.print(f"\n{self.totals.games} games together")
            self._shown.view.console.print(totals_table(self.totals))


def game_table(game: PlayedGame) -> Table:
    """What a game brought each seat, the best first, with the reasons of those that are out."""
    board = game.finished.record.game
    rows = sorted(game.seats, key=lambda row: (row.rank, row.seat))
    table = _table("rank", "seat", "player", "stones", "points", "moves", "seconds")
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
    table = _table("player", "games", "points", "a game", "first", "stones", "disqualified")
    for total in totals.ranking():
        a_game = f"{total.points / total.games:.1f}"
        table.add_row(total.player, *map(str, (total.games, f"{total.points:g}", a_game, total.firsts,
                                               f"{total.stones:,}", total.disqualified or "")))
    return table


def _table(*headings: str) -> Table:
    """A table with names to the left and numbers to the right."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in headings:
        if heading in ("player", "seat"):
            table.add_column(heading, overflow="fold")
        else:
            table.add_column(heading, justify="right", no_wrap=True)
    return table
