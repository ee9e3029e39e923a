"""`polyversi match`: many games between the same players, with a table and the Elo difference."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console, Group, RenderableType

from polyversi.cli.options import Cluster, Jobs, OneLimit, Openings, Players, Trust, Variants, seat_order
from polyversi.cli.views.tables import first_failures, meetings_table, standings_table, variants_table
from polyversi.cli.views.terminal import new_console, new_progress, run_live
from polyversi.cli.views.tournament import waiting_text
from polyversi.contest.contest import Contest
from polyversi.contest.match import Match
from polyversi.contest.plan import Plan, parse_limit
from polyversi.contest.standings import different_games
from polyversi.contest.workers import chosen_workers
from polyversi.drawing.words import counted
from polyversi.gameplay.referee import MAX_ADJUDICATED
from polyversi.stats.sprt import Sprt

DIFFERENT = 0.9
"""The share of games that must differ; with fewer, there is a warning that the players repeat themselves."""


def match(
    players: Players,
    variant: Variants = None,
    games: Annotated[int, typer.Option(min=1, help="Games of each meeting on each variant.")] = 10,
    against: Annotated[list[str] | None, typer.Option(metavar="PLAYER", help=(
        "Play the others against this player, not against each other; repeat it for more opponents."))
    ] = None,
    limit: OneLimit = None,
    seats: Annotated[str | None, typer.Option(metavar="ORDER", help=(
        "When players change seats: course (after half of the games), alternate (after each; the default "
        "with --sprt) or fixed (never)."))] = None,
    openings: Openings = "none",
    adjudicate: Annotated[int, typer.Option(metavar="CELLS", min=0, max=MAX_ADJUDICATED, help=(
        "End games with the exact result when at most so many cells are empty, 14 for example."))] = 0,
    seed: Annotated[int, typer.Option(help="The same seed gives the same games.")] = 0,
    out: Annotated[str | None, typer.Option(metavar="FILE", help=(
        "Store the games in this .jsonl or .db file, or at postgresql://…; the same command continues an "
        "interrupted match."))] = None,
    jobs: Jobs = 1,
    sprt: Annotated[str | None, typer.Option(metavar="TEST", help=(
        "Stop as soon as a sequential test is decided: elo0=0,elo1=5."))] = None,
    cluster: Cluster = None,
    trust: Trust = False,
) -> None:
    """Play many games and see who is stronger, and how certain that is.

    With more players than seats, everybody plays everybody. Elo is the difference to a player's opponents,
    with a 95 % interval; two games with the same opening and seats changed count as a pair. With more than
    two seats, players sit in every order in turn. There, and in Reversi XT, the table shows the points per
    game with their standard error.

    --openings starts games after random plies (6), after random plies that the engine judges even
    ('balanced 6'), or from a file of positions, transcripts or games (book.ggf; 'games.jsonl 8' takes the
    first 8 plies of each game). The seed shuffles the openings of a file unless you write 'book.ggf in
    order'. Each opening is played twice, with seats changed.

    --sprt plays two players until a sequential test has decided between two Elo differences, or until
    --games are played. alpha=0.05,beta=0.05 are its error rates.

    Ctrl-C stops the match and shows the table so far; with --out the same command continues it.

    Bots run in a sandbox, which needs bubblewrap. Use --trust only for bots whose code you have read.

    Examples:

      polyversi match t77 t34 --variant hex

      polyversi match six-factor:level=4 six-factor:level=3 --games 100 --openings 6 --jobs 2

      polyversi match t77 t34 value greedy random --variant hex --games 60 --out hex.jsonl

      polyversi match matrix:gamma=0.5 matrix:gamma=0.9 --against random --variant anti

      polyversi match t77 mobility greedy random --variant xt:arena,players=4 --variant xt:cube,players=4

      polyversi match Ann=bot:a.py Bob=bot:b.py t77 --variant xt:arena,players=2 --variant xt:cube,players=3

      polyversi match polyversi:level=5 bot:my_bot.py --openings book.ggf --adjudicate 14 --limit seconds=1

      polyversi match t77 t34 --variant hex --openings 4 --games 2000 --sprt elo0=0,elo1=20
    """
    test = Sprt.parse(sprt) if sprt is not None else None
    order = seat_order(seats or ("alternate" if test else "course"))
    allowed, stall_timeout = parse_limit(limit)
    chosen = Match(
        tuple(players), tuple(variant or ["othello"]), games, allowed, order,
        openings, seed, tuple(against or ()), test, trust, adjudicate, stall_timeout,
    )
    console = new_console()
    contest = chosen.contest(out, chosen_workers(jobs, cluster))
    bar, total = new_progress(console), len(contest.plan.fixtures)
    task = bar.add_task("games", total=total)

    def table() -> RenderableType:
        bar.update(task, completed=contest.standings.games)
        tested = [_evidence(contest, test)] if test is not None else []
        return Group(standings_table(contest.standings, console), *tested, bar, waiting_text(contest))

    is_whole = run_live(console, table, contest.run)
    _summary(console, contest, out)
    if test is not None:
        _conclude(console, contest, test)
    if not is_whole:
        more = f"; the same command continues the match in {out}" if out else ""
        console.print(f"stopped after {contest.standings.games} of {total} games{more}")
        raise typer.Exit(130)


def _summary(console: Console, contest: Contest, out: str | None) -> None:
    plan, standings = contest.plan, contest.standings
    settings = [
        *(game.spec for game in plan.games_played), f"seats change {_seat_changes(plan)}",
        *([f"openings: {plan.openings}"] if plan.openings.kind != "none" else []),
        *([f"adjudicated at {counted(plan.adjudicate, 'empty cell')}"] if plan.adjudicate else []),
        f"limit {plan.limit_text}", f"seed {plan.seed}",
    ]
    console.print(", ".join(settings))
    console.print(standings_table(standings, console))
    if len(plan.entrants) > 2 and all(game.seats == 2 for game in plan.games_played):
        console.print()
        console.print(meetings_table(standings, len(plan.entrants) - plan.against))
    if len(plan.variants) > 1:
        console.print()
        console.print(variants_table(standings, standings.ranking(), console))
    for line in first_failures(standings.names, contest.played.values()):
        console.print(line, soft_wrap=not console.is_terminal)
    different = different_games(contest.played.values())
    if different < DIFFERENT * standings.games:
        console.print(
            f"only {different} of the {standings.games} games are different: these players repeat "
            "themselves, and the error is larger than shown; use --openings"
        )
    if out is not None:
        console.print(f"the games are in {out}")


def _evidence(contest: Contest, test: Sprt) -> str:
    """The state of the test."""
    counts, (low, high) = contest.pairs.counts, test.bounds
    return (
        f"SPRT {test}\nLLR {test.llr(counts):+.2f}, bounds {low:+.2f} and {high:+.2f}, "
        f"pairs with 0, ½, 1, 1½ and 2 points: {' '.join(map(str, counts))}"
    )


def _conclude(console: Console, contest: Contest, test: Sprt) -> None:
    """Prints the decision of the test."""
    played = f"after {contest.standings.games} games"
    console.print(_evidence(contest, test))
    if contest.decision is None:
        console.print(f"undecided {played}; the test continues with a larger --games")
        return
    true, false = (test.elo1, test.elo0) if contest.decision == "accepted H1" else (test.elo0, test.elo1)
    first = contest.standings.names[0]
    console.print(f"{contest.decision} {played}: {true:+g} Elo for {first} fits better than {false:+g}")


def _seat_changes(plan: Plan) -> str:
    """When the players change seats, for games of two seats and of more."""
    if plan.seats == "fixed":
        return "never"
    two = "after half of the games" if plan.seats == "course" else "after each game"
    more = "through every order"
    pairs = {game.seats == 2 for game in plan.games_played}
    if len(pairs) > 1:
        return f"{two}, with more than two seats {more}"
    return two if pairs == {True} else more
