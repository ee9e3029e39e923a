"""Tables: the standings of a match for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.table import Table

from polyversi.cli.views.terminal import new_table
from polyversi.contest.redaction import shown_spec
from polyversi.contest.standings import Standings
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


def standings_table(standings: Standings) -> Table:
    """What every player has, the best first."""
    table = new_table("player", "games", "won", "drawn", "lost", "points", "stones", left=("player",))
    if standings.is_by_rank:
        table.add_column("points/game ± error", justify="right", no_wrap=True)
    elo = [standings.elo(player) for player in range(len(standings.names))]
    if any(elo):
        table.add_column("Elo ± 95 %", justify="right", no_wrap=True)
    faults = any(score.faults or score.resigned for score in standings.scores)
    if faults:
        table.add_column("faults")
    names = shown_names(standings.names)
    for player in standings.ranking():
        score = standings.scores[player]
        row = [score.games, score.wins, score.draws, score.losses, f"{score.points:g}", f"{score.stones:,}"]
        if standings.is_by_rank:
            row.append(standings.points_a_game(player) or "")
        if any(elo):
            row.append(elo[player] or "")
        if faults:
            resigned = f"{score.resigned} resigned" if score.resigned else ""
            row.append(", ".join(filter(None, (score.troubles, resigned))))
        table.add_row(names[player], *map(str, row))
    return table


def meetings_table(standings: Standings, players: int) -> Table:
    """Wins, draws and losses of the first so many players, row against column."""
    heading = "won/drawn/lost against"
    table = new_table(heading, left=(heading,))
    ranking, everybody = standings.ranking(), players == len(standings.names)
    rows = [player for player in ranking if player < players]
    columns = ranking if everybody else [player for player in ranking if player >= players]
    names = shown_names(standings.names)
    for player in columns:
        table.add_column(names[player], justify="right")
    for player in rows:
        scores = [standings.against(player, other) for other in columns]
        cells = [f"{score.wins}/{score.draws}/{score.losses}" if score.games else "" for score in scores]
        table.add_row(names[player], *cells)
    return table


def variants_table(standings: Standings) -> Table:
    """The points that every player has per game on each variant."""
    table = new_table("points/game", left=("points/game",))
    ranking, names = standings.ranking(), shown_names(standings.names)
    for player in ranking:
        table.add_column(names[player], justify="right")
    for variant, spec in enumerate(standings.variants):
        scores = [standings.on(player, variant) for player in ranking]
        table.add_row(spec, *(f"{score.mean:.2f}" if score.games else "" for score in scores))
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
