"""Games of a Reversi XT server in the terminal: the board as it changes, and tables of what came of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table

from polyversi.cli.board_view import ending, seat_name
from polyversi.cli.network_view import NetworkView
from polyversi.server.xt.house import Audience
from polyversi.server.xt.results import Totals

if TYPE_CHECKING:
    from collections.abc import Callable

    from polyversi.arena.events import Event
    from polyversi.games.state import State
    from polyversi.server.xt.charts import Chart
    from polyversi.server.xt.results import PlayedGame


class _Shown(NetworkView):
    """The game that goes on; of its end only who has won, since a table has the rest."""

    def show_here(self, event: Event) -> None:
        if event.kind != "end":
            super().show_here(event)
            return
        self._has_begun = False
        self.view.show_end(ending(self.view.game, event.data).partition("\n")[0])


class XtServerView(Audience):
    """Shows the games of a server, and hands those that are over to whoever keeps them."""

    def __init__(self, *, plain: bool, keep: Callable[[PlayedGame], None]) -> None:
        self._shown = _Shown(has_person=False, plain=plain)
        self.totals = Totals()
        self._keep = keep

    def say(self, sentence: str) -> None:
        self._shown.say(sentence)

    def begin(self, number: int, chart: Chart, start: State) -> None:  # noqa: ARG002
        self._shown.begin(start, ())

    def hear(self, event: Event) -> None:
        self._shown.show_here(event)

    def finish(self, game: PlayedGame) -> None:
        self._keep(game)
        self.totals.add(game)
        self._shown.view.console.print(game_table(game))

    def sum_up(self) -> None:
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
