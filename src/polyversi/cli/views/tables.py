"""Tables: the standings of a match for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rich.console import Console, Group, RenderableType
from rich.table import Table

from polyversi.cli.views.terminal import new_table, widest_that_fits
from polyversi.contest.redaction import shown_spec
from polyversi.contest.standings import Score, Standings
from polyversi.drawing.words import counted
from polyversi.games.board import printable, shorten
from polyversi.protocols.spec import is_bot
from polyversi.storage.stored import PlayedGame

MAX_NAME = 28
"""Letters of a bot's name that a column has room for."""
MAX_REASON = 300
"""Letters of what went wrong."""


def shown_names(names: Sequence[str]) -> list[str]:
    """The players' names for columns: long ones of bots without folders, if that tells them apart.

    >>> shown_names(["xt", "course:/home/ann/class/agent.py,python=/home/ann/env/bin/python"])
    ['xt', 'course:agent.py']
    """
    short = [shown_spec(name) if is_bot(name) and len(name) > MAX_NAME else name for name in names]
    return short if len(set(short)) == len(set(names)) else list(names)


def standings_table(standings: Standings, console: Console) -> Table:
    """What every player has, the best first, in the widest form that fits; otherwise it is a list."""
    columns: dict[str, list[object]] = {
        "games": [score.games for score in standings.scores],
        "won": [score.wins for score in standings.scores],
        "drawn": [score.draws for score in standings.scores],
        "lost": [score.losses for score in standings.scores],
        "w/d/l": [f"{score.wins}/{score.draws}/{score.losses}" for score in standings.scores],
        "points": [f"{score.points:g}" for score in standings.scores],
        "stones": [f"{score.stones:,}" for score in standings.scores],
    }
    everybody, last = range(len(standings.names)), []
    if standings.is_by_rank:
        last.append("points/game ± error")
        columns[last[-1]] = [standings.points_a_game(player) or "" for player in everybody]
    if any(elo := [standings.elo(player) for player in everybody]):
        last.append("Elo ± 95 %")
        columns[last[-1]] = [one or "" for one in elo]
    if any(score.faults or score.resigned for score in standings.scores):
        last.append("faults")
        columns[last[-1]] = [_faults(score) for score in standings.scores]
    whole = ("games", "won", "drawn", "lost", "points", "stones")
    forms = (whole, ("games", "w/d/l", "points"), ("w/d/l", "points"), whole)
    return widest_that_fits(console, (
        _standings(standings, {heading: columns[heading] for heading in (*form, *last)}) for form in forms))


def _standings(standings: Standings, columns: Mapping[str, Sequence[object]]) -> Table:
    table = new_table("player", *columns, left=("faults",), names=("player",))
    names = shown_names(standings.names)
    for player in standings.ranking():
        table.add_row(names[player], *(str(column[player]) for column in columns.values()))
    return table


def _faults(score: Score) -> str:
    resigned = f"{score.resigned} resigned" if score.resigned else ""
    return ", ".join(filter(None, (score.troubles, resigned)))


def meetings_table(standings: Standings, players: int) -> Table:
    """Wins, draws and losses of the first so many players, row against column."""
    heading = "won/drawn/lost against"
    table = new_table(heading, names=(heading,))
    ranking, everybody = standings.ranking(), players == len(standings.names)
    rows = [player for player in ranking if player < players]
    columns = ranking if everybody else [player for player in ranking if player >= players]
    names = shown_names(standings.names)
    for player in columns:
        table.add_names(names[player], justify="right")
    for player in rows:
        scores = [standings.against(player, other) for other in columns]
        cells = [f"{score.wins}/{score.draws}/{score.losses}" if score.games else "" for score in scores]
        table.add_row(names[player], *cells)
    return table


def variants_table(standings: Standings, ranking: Sequence[int], console: Console) -> RenderableType:
    """The points that every player has per game on each variant, in the order of the ranking.

    Where the names of the variants do not fit, numbers stand for them above the columns.
    """
    numbers = [str(number) for number in range(1, len(standings.variants) + 1)]
    table = widest_that_fits(console, (
        _variants(standings, ranking, headings) for headings in (standings.variants, numbers)))
    if table.columns[-1].header == standings.variants[-1]:
        return table
    legend = new_table("", "variant", names=("variant",), show_header=False)
    for number, spec in zip(numbers, standings.variants, strict=True):
        legend.add_row(number, spec)
    return Group(table, legend)


def _variants(standings: Standings, ranking: Sequence[int], headings: Sequence[str]) -> Table:
    table, names = new_table("points/game", names=("points/game",)), shown_names(standings.names)
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    for player in ranking:
        scores = [standings.on(player, variant) for variant in range(len(headings))]
        table.add_row(names[player], *(f"{score.mean:.2f}" if score.games else "" for score in scores))
    table.add_row("games", *(f"{standings.games_on[variant]:,}" for variant in range(len(headings))),
                  style="dim")
    return table


def first_failures(names: Sequence[str], played: Iterable[PlayedGame]) -> list[str]:
    """What went wrong first for each player that failed, a line each."""
    found: dict[int, str] = {}
    for game in played:
        for failure in game.failures:
            if detail := printable(" ".join(failure.detail.split())):
                player = game.seating[(failure.seat or 1) - 1]
                found.setdefault(player, f"{failure.kind}: {shorten(detail, MAX_REASON)}")
    shown = shown_names(names)
    return [f"first failure of {shown[player]}: {words}" for player, words in sorted(found.items())]


def leads(standings: Standings) -> list[str]:
    """Who is ahead, and with what, in a few words each.

    >>> from polyversi.contest.standings import Standings
    >>> leads(Standings(["t77", "random"]))
    ['level', 't77 0 wins, 0 stones', 'random 0 wins, 0 stones', '0 draws']
    """
    parts = [
        f"{name} {counted(score.wins, 'win')}, {counted(score.stones, 'stone')}"
        for name, score in zip(standings.names, standings.scores, strict=True)
    ]
    draws = standings.games - sum(score.wins for score in standings.scores)
    first = standings.leader
    ahead = "level" if first is None else f"{standings.names[first]} leads"
    return [ahead, *parts, counted(draws, "draw")]
