"""What `polyversi tournament` shows: the table, during play and at the end, and why a bot failed."""

from __future__ import annotations

import shlex
import time
from collections.abc import Sequence

from rich.console import Console, Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from polyversi.cli.views.tables import variants_table
from polyversi.cli.views.terminal import fold_names, new_progress, new_table
from polyversi.cli.views.tournament_table import MAX_CROSS, cross_grid, table_grid
from polyversi.contest.contest import Contest, Watcher
from polyversi.contest.model import Fixture
from polyversi.contest.standings import Table, table_of
from polyversi.contest.tournament import Tournament
from polyversi.drawing.words import counted
from polyversi.games.errors import PlayerError
from polyversi.records import transcript
from polyversi.stats.ratings import Rating
from polyversi.storage.stored import PlayedGame

BETWEEN_TABLES = 1.0
"""Seconds between two updates of the live table, or more if an update takes long."""
SHARE = 10
"""Updating the table takes at most one part in so many of the time, and updating ratings as much again."""
NAMED = 8
"""How many games are listed in which the same thing went wrong."""
CURRENT = 6
"""How many of the games in progress are listed."""
BESIDE = 6
"""Lines that the live table leaves for its heading, the bar, the current games and slow players."""
LONG_THOUGHT = 3.0
"""Seconds of thinking after which the live display says who is thinking."""


def waiting_for(name: str, seconds: float) -> str:
    """Who is thinking, and for how long.

    >>> waiting_for("edax", 75.3)
    'edax has been thinking for 75 s'
    """
    return f"{name} has been thinking for {int(seconds)} s"


def waiting_text(contest: Contest) -> Text:
    """A line about those who have been thinking for more than a few seconds; empty if there are none."""
    slow = [waiting_for(name, seconds) for name, seconds in contest.thinking() if seconds >= LONG_THOUGHT]
    return Text(", ".join(slow[:CURRENT]), style="dim")


class Progress(Watcher):
    """The table, a bar and the current games while a tournament goes on."""

    def __init__(self, console: Console, tournament: Tournament) -> None:
        self._console, self._tournament = console, tournament
        self._bar = new_progress(console)
        self._task = self._bar.add_task("games", total=tournament.expected, completed=len(tournament.played))
        self._running: dict[str, Fixture] = {}
        self._grid = self._grid_of(table_of(tournament, is_rated=False))
        self._next = self._next_ratings = 0.0
        self._ratings: dict[int, Rating | None] = {}

    def begun(self, games: Sequence[Fixture]) -> None:
        self._running.update((game.id, game) for game in games)

    def over(self, games: Sequence[PlayedGame]) -> None:
        self.lost(games)
        self._bar.update(self._task, total=self._tournament.expected, completed=len(self._tournament.played))
        self._update_table()

    def lost(self, games: Sequence[Fixture | PlayedGame]) -> None:
        for game in games:
            self._running.pop(game.id, None)

    def _update_table(self) -> None:
        """Makes the table anew now and then, and with it the ratings less often, which take a moment."""
        begun = time.monotonic()
        if not self._console.is_terminal or begun < self._next:
            return
        is_rated = begun >= self._next_ratings
        table = table_of(self._tournament, is_rated=is_rated)
        took = time.monotonic() - begun
        if is_rated:
            is_first = not self._ratings    # it takes longest: what reckons has to be loaded
            self._ratings = {row.entrant: row.rating for row in table.rows}
            self._next_ratings = begun + max(BETWEEN_TABLES, 0 if is_first else SHARE * took)
        else:
            self._next = begun + max(BETWEEN_TABLES, SHARE * took)
            for row in table.rows:
                row.rating = self._ratings.get(row.entrant)
        self._grid = self._grid_of(table)

    def _grid_of(self, table: Table) -> Grid:
        return table_grid(table, self._console, max(1, self._console.height - BESIDE))

    def table(self) -> RenderableType:
        """What there is to show now."""
        current = list(self._running.values())[:CURRENT]
        more = f" and {len(self._running) - CURRENT} more" if len(self._running) > CURRENT else ""
        names = self._tournament.plan.names
        playing = ", ".join("–".join(names[entrant] for entrant in game.seating) for game in current)
        lines = fold_names(f"playing {playing}{more}" if playing else "", self._console.width)
        current_games = Text("\n".join(lines), style="dim")
        return Group(self._grid, self._bar, current_games, waiting_text(self._tournament))


def show_tournament(console: Console, tournament: Tournament) -> None:
    """The table after all that was played."""
    plan, table = tournament.plan, table_of(tournament)
    adjudicated = f"adjudicated at {counted(plan.adjudicate, 'empty cell')}, " if plan.adjudicate else ""
    console.print(f"{plan.name}: {', '.join(plan.variants)}, {plan.format}, openings {plan.openings}, "
                  f"{adjudicated}limit {plan.limit_text}, seed {plan.seed}")
    console.print(table_grid(table, console))
    if 2 < len(table.rows) <= MAX_CROSS:
        console.print()
        console.print(cross_grid(table, console))
    if len(plan.variants) > 1:
        console.print()
        console.print(variants_table(tournament.standings, [row.entrant for row in table.rows], console))
    if plan.broken:
        console.print()
        show_broken(console, tournament)
    state = "finished" if tournament.is_over else f"{len(tournament.due())} due now"
    console.print(f"{len(tournament.played)} games played, {state}")


def show_broken(console: Console, tournament: Tournament) -> None:
    """Who does not play, and why; nothing if all do."""
    for bot in tournament.plan.broken:
        console.print(f"{bot.name} is set aside: {bot.reason}", soft_wrap=not console.is_terminal)
    if tournament.plan.broken:
        console.print(f"a bot that has been fixed takes part after `{resuming(tournament)}`", soft_wrap=True)


def resuming(tournament: Tournament) -> str:
    """The command that continues a tournament."""
    words = ["polyversi", "tournament", "resume", tournament.database.name]
    words += ["--tournament", tournament.name] if len(tournament.database.names()) > 1 else []
    return shlex.join(words)


def show_entrant(console: Console, tournament: Tournament, name: str) -> None:
    """Every game of an entrant, with the verdicts on its failures."""
    names = tournament.plan.names
    if name not in names:
        raise PlayerError(f"there is no entrant '{name}' in {tournament.name}; there are {', '.join(names)}")
    for bot in tournament.plan.broken:
        if bot.name == name:
            console.print(f"{name} has not played: {bot.reason}", soft_wrap=not console.is_terminal)
            console.print(f"fix it, and it takes part after `{resuming(tournament)}`", soft_wrap=True)
            return
    entrant = names.index(name)
    headings = "game", "seats", "stones", "points", "ended by"
    grid = new_table(*headings, left=headings, names=("seats",))
    for game in tournament.played.values():
        if entrant in game.seating:
            seats = "–".join(names[who] for who in game.seating)
            points = game.points[game.seating.index(entrant)]
            said = "; ".join(f"seat {failure.seat}: {failure.kind}" for failure in game.failures)
            grid.add_row(game.id, seats, "–".join(map(str, game.scores)), f"{points:g}", said or game.ending)
    console.print(grid)
    _show_failures(console, tournament, entrant)


def _show_failures(console: Console, tournament: Tournament, entrant: int) -> None:
    """What an entrant did wrong, and in which games: many fail in the same way again and again."""
    games: dict[tuple[str, str], list[str]] = {}
    for game in tournament.played.values():
        for failure in game.failures:
            if game.seating[(failure.seat or 1) - 1] == entrant:
                games.setdefault((failure.kind, failure.detail), []).append(game.id)
    for (kind, detail), ids in games.items():
        more = f" and {len(ids) - NAMED} more" if len(ids) > NAMED else ""
        said = f"{kind} in {', '.join(ids[:NAMED])}{more}" + (f": {detail}" if detail else "")
        console.print(f"\n{said}", soft_wrap=not console.is_terminal)
    if games:
        first = next(iter(games.values()))[0]
        console.print(f"\n--id {first} shows what it wrote last in that game")


def show_game(console: Console, tournament: Tournament, id: str) -> None:
    """One game: its end, its moves, and what its bots wrote last."""
    game = tournament.played.get(id)
    if game is None:
        raise PlayerError(f"no game '{id}' has been played in {tournament.name}")
    names = tournament.plan.names
    said = (f"game {id}, round {game.round}: {'–'.join(names[who] for who in game.seating)} "
            f"{'–'.join(map(str, game.scores))}, {game.ending}")
    console.print("\n".join(fold_names(said, console.width)))
    for failure in game.failures:
        console.print(str(failure))
    console.print(transcript.write(game.record))
    for seat, output in enumerate(game.outputs, 1):
        if output:
            console.print(f"{names[game.seating[seat - 1]]} (seat {seat}) wrote last:", style="bold")
            console.print(output, soft_wrap=True)
