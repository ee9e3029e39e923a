"""What `polyversi tournament` shows: the table, live and in the end, and why a bot failed."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.table import Table as Grid
from rich.text import Text

from polyversi.arena.tournament.table import table_of
from polyversi.cli.terminal import LiveTable
from polyversi.games.errors import PlayerError

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from polyversi.arena.tournament.games import PlayedGame, TournamentGame
    from polyversi.arena.tournament.table import Row, Table
    from polyversi.arena.tournament.tournament import Tournament

BETWEEN_TABLES = 1.0
"""Seconds after which the live table is made anew, or longer where that takes long."""
CURRENT = 6
"""Games that are being played, of which so many are named."""
CROSS = 12
"""Entrants of which a cross table has room on a terminal."""


class Progress(LiveTable):
    """The table, a bar and the current games while a tournament goes on, on a terminal; elsewhere nothing."""

    def __init__(self, console: Console, tournament: Tournament) -> None:
        from rich import progress

        super().__init__(console)
        self._tournament = tournament
        self._bar = progress.Progress(
            progress.TextColumn("games"), progress.BarColumn(), progress.MofNCompleteColumn(),
            progress.TimeElapsedColumn(), progress.TextColumn("left"), progress.TimeRemainingColumn(),
            console=console,
        )
        self._task = self._bar.add_task("games", total=tournament.expected, completed=len(tournament.played))
        self._running: dict[str, TournamentGame] = {}
        self._grid: RenderableType = table_grid(table_of(tournament, is_rated=False))
        self._next = 0.0

    def begun(self, games: Sequence[TournamentGame]) -> None:
        self._running.update((game.id, game) for game in games)

    def over(self, games: Sequence[PlayedGame]) -> None:
        for game in games:
            self._running.pop(game.id, None)
        self._bar.update(self._task, total=self._tournament.expected, completed=len(self._tournament.played))
        self._draw()

    def lost(self, games: Sequence[TournamentGame]) -> None:
        for game in games:
            self._running.pop(game.id, None)

    def _draw(self) -> None:
        """Makes the table anew now and then: ratings and their errors take a moment."""
        if self._live is None or time.monotonic() < self._next:
            return
        begun = time.monotonic()
        self._grid = table_grid(table_of(self._tournament))
        self._next = begun + max(BETWEEN_TABLES, 10 * (time.monotonic() - begun))

    def table(self) -> RenderableType:
        from rich.console import Group

        current = list(self._running.values())[:CURRENT]
        more = f" and {len(self._running) - CURRENT} more" if len(self._running) > CURRENT else ""
        names = [entrant.name for entrant in self._tournament.plan.entrants]
        playing = ", ".join("–".join(names[entrant] for entrant in game.seating) for game in current)
        return Group(self._grid, self._bar, Text(f"playing {playing}{more}" if playing else "", style="dim"))


def table_grid(table: Table) -> Grid:
    """What every entrant has, the best first."""
    grid = Grid(box=None, pad_edge=False, header_style="bold")
    grid.add_column("", justify="right")
    grid.add_column("entrant", overflow="fold")
    for heading in ("games", "won", "drawn", "lost", "points", "stones", "rating ± 95 %"):
        grid.add_column(heading, justify="right", no_wrap=True)
    if any(row.score.faults or row.is_set_aside for row in table.rows):
        grid.add_column("failures")
    for place, row in enumerate(table.rows, 1):
        grid.add_row(*_cells(place, row))
    return grid


def _cells(place: int, row: Row) -> list[str]:
    score = row.score
    faults = ", ".join(f"{count} {what}" for what, count in sorted(score.faults.items()))
    aside = ("set aside: " if row.is_set_aside else "") + faults
    numbers = (score.games, score.wins, score.draws, score.losses, f"{score.points:g}", f"{score.stones:,}")
    return [str(place), row.name, *map(str, numbers), str(row.rating) if row.rating else "", aside]


def cross_grid(table: Table) -> Grid:
    """The points of each against each, row against column, both in the order of the table."""
    grid = Grid(box=None, pad_edge=False, header_style="bold")
    grid.add_column("", justify="right")
    grid.add_column("points against", overflow="fold")
    for place in range(1, len(table.rows) + 1):
        grid.add_column(str(place), justify="right", no_wrap=True)
    for place, row in enumerate(table.rows, 1):
        scores = [table.against.get((row.entrant, other.entrant)) for other in table.rows]
        cells = [f"{score.points:g}/{score.games}" if score else "·" for score in scores]
        grid.add_row(str(place), row.name, *cells)
    return grid


def show_tournament(console: Console, tournament: Tournament) -> None:
    """The table after all that was played."""
    plan, table = tournament.plan, table_of(tournament)
    played = ", ".join(plan.variants)
    console.print(f"{plan.name}: {played}, {plan.format}, openings {plan.openings}, limit {plan.limit}, "
                  f"seed {plan.seed}")
    console.print(table_grid(table))
    if 2 < len(table.rows) <= CROSS:
        console.print()
        console.print(cross_grid(table))
    state = "over" if tournament.is_over else f"{len(tournament.due())} to play now"
    console.print(f"{len(tournament.played)} games played, {state}")


def show_entrant(console: Console, tournament: Tournament, name: str) -> None:
    """Every game of an entrant, with the verdicts on its failures."""
    names = [entrant.name for entrant in tournament.plan.entrants]
    if name not in names:
        raise PlayerError(f"there is no entrant '{name}' in {tournament.name}; there are {', '.join(names)}")
    entrant = names.index(name)
    grid = Grid(box=None, pad_edge=False, header_style="bold")
    for heading in ("game", "seats", "stones", "points", "ended by"):
        grid.add_column(heading, overflow="fold")
    for game in tournament.played.values():
        if entrant in game.seating:
            seats = "–".join(names[who] for who in game.seating)
            points = game.points[game.seating.index(entrant)]
            said = "; ".join(map(str, game.failures)) or game.reason
            grid.add_row(game.id, seats, "–".join(map(str, game.scores)), f"{points:g}", said)
    console.print(grid)


def show_game(console: Console, tournament: Tournament, id: str) -> None:
    """One game: its end, its moves, and what its bots wrote last."""
    from polyversi.records import Record, jsonl, transcript

    game = tournament.played.get(id)
    if game is None:
        raise PlayerError(f"there is no game '{id}' among those that were played in {tournament.name}")
    names = [entrant.name for entrant in tournament.plan.entrants]
    console.print(f"game {id}, round {game.round}: {'–'.join(names[who] for who in game.seating)} "
                  f"{'–'.join(map(str, game.scores))}, {game.reason}")
    for failure in game.failures:
        console.print(str(failure))
    record = jsonl.parse(game.record)
    assert isinstance(record, Record)
    console.print(transcript.write(record))
    for seat, output in enumerate(game.outputs, 1):
        if output:
            console.print(f"{names[game.seating[seat - 1]]} (seat {seat}) wrote last:", style="bold")
            console.print(output, soft_wrap=True)
