"""`polyversi match`: many games between the same players, with a table and their Elo difference."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console, Group, RenderableType

from polyversi.cli.options import Cluster, Jobs, OneLimit, Openings, Players, Trust, Variants, seat_order
from polyversi.cli.views.tables import meetings_table, standings_table, variants_table
from polyversi.cli.views.terminal import new_console, new_progress, run_live
from polyversi.contest.contest import Contest
from polyversi.contest.match import Match
from polyversi.contest.plan import Plan
from polyversi.contest.standings import different_games
from polyversi.contest.workers import chosen_workers
from polyversi.players import Limit
from polyversi.stats.sprt import Sprt

DIFFERENT = 0.9
"""The part of the games that must differ from each other, or the players repeat themselves."""


def match(
    players: Players,
    variant: Variants = None,
    games: Annotated[int, typer.Option(min=1, help="Games of every meeting on every variant.")] = 10,
    against: Annotated[list[str] | None, typer.Option(
        help="Measure the players against this one, not each other; as often as needed.")] = None,
    limit: OneLimit = "none",
    seats: Annotated[str | None, typer.Option(
        help="course: change after half of the games; alternate (default with --sprt): after each; "
             "fixed: never.")] = None,
    openings: Openings = 0,
    balanced: Annotated[bool, typer.Option(help="Only openings that the engine holds to be even.")] = False,
    seed: Annotated[int, typer.Option(help="The same seed, the same games.")] = 0,
    out: Annotated[str | None, typer.Option(
        help="A .jsonl or .db file, or postgresql://…, for the games; a match that was broken off goes on.")
    ] = None,
    jobs: Jobs = 1,
    sprt: Annotated[str | None, typer.Option(
        help="elo0=0,elo1=5: stop once it is known which is the first player's advantage.")] = None,
    cluster: Cluster = None,
    trust: Trust = False,
) -> None:
    """Let players meet, and see who is stronger and how sure that is.

    Of more players than the game has seats, all pairs meet. Wins, draws and stones count for the player,
    whatever its seat. Elo is the difference to those it met, with bounds that hold it in 95 of 100 matches;
    games with the same opening and changed seats count as a pair. Of more than two seats players sit in every
    order in turn; there and in Reversi XT the table has the mean of their points with its standard error.

    With --sprt two players meet until their pairs of games tell the two advantages apart, or --games are
    over. It has also alpha=0.05,beta=0.05: how often the larger or the smaller one may be believed wrongly.

    Ctrl-C ends the match with the table so far; with --out the same command goes on from there.

    Bots run in a sandbox, which needs bubblewrap; --trust is for bots that you have read.

    Examples:

      polyversi match t77 t34 --variant hex

      polyversi match six-factor:level=4 six-factor:level=3 --games 100 --openings 6 --jobs 2

      polyversi match t77 t34 value greedy random --variant hex --games 60 --out hex.jsonl

      polyversi match matrix:gamma=0.5 matrix:gamma=0.9 --against random --variant anti

      polyversi match t77 mobility greedy random --variant xt:arena,players=4 --variant xt:cube,players=4

      polyversi match t77 t34 --variant hex --openings 4 --games 2000 --sprt elo0=0,elo1=20
    """
    test = Sprt.parse(sprt) if sprt is not None else None
    order = seat_order(seats or ("alternate" if test else "course"))
    chosen = Match(
        tuple(players), tuple(variant or ["othello"]), games, Limit.parse(limit), order,
        openings, seed, tuple(against or ()), balanced, test, trust,
    )
    console = new_console()
    contest = chosen.contest(out, chosen_workers(jobs, cluster))
    bar, total = new_progress(console), len(contest.plan.fixtures)
    task = bar.add_task("games", total=total)

    def table() -> RenderableType:
        bar.update(task, completed=contest.standings.games)
        tested = [_evidence(contest, test)] if test is not None else []
        return Group(standings_table(contest.standings), *tested, bar)

    is_whole = run_live(console, table, contest.run)
    _summary(console, contest, out)
    if test is not None:
        _conclude(console, contest, test)
    if not is_whole:
        more = f"; the same command goes on from there ({out})" if out else ""
        console.print(f"broken off after {contest.standings.games} of {total} games{more}")
        raise typer.Exit(130)


def _summary(console: Console, contest: Contest, out: str | None) -> None:
    plan, standings = contest.plan, contest.standings
    even = "balanced " if plan.openings.kind == "balanced" else ""
    plies = f", {plan.openings.plies} {even}random plies first" if plan.openings.plies else ""
    played = ", ".join(game.spec for game in plan.games_played)
    console.print(
        f"{played}, seats change {_seat_changes(plan)}{plies}, limit {plan.limit}, seed {plan.seed}")
    console.print(standings_table(standings))
    if len(plan.entrants) > 2 and all(game.seats == 2 for game in plan.games_played):
        console.print()
        console.print(meetings_table(standings, len(plan.entrants) - plan.against))
    if len(plan.variants) > 1:
        console.print()
        console.print(variants_table(standings))
    different = different_games(contest.played.values())
    if different < DIFFERENT * standings.games:
        console.print(
            f"only {different} of the {standings.games} games differ: these players repeat "
            "themselves, and the errors are too small; random plies (--openings) make games differ"
        )
    if out is not None:
        console.print(f"the games are in {out}")


def _evidence(contest: Contest, test: Sprt) -> str:
    """What the pairs of games say so far."""
    counts, (low, high) = contest.pairs.counts, test.bounds
    return (
        f"SPRT {test}\nLLR {test.llr(counts):+.2f}, bounds {low:+.2f} and {high:+.2f}, "
        f"pairs with 0, ½, 1, 1½ and 2: {' '.join(map(str, counts))}"
    )


def _conclude(console: Console, contest: Contest, test: Sprt) -> None:
    """What the test has found out."""
    played = f"after {contest.standings.games} games"
    console.print(_evidence(contest, test))
    if contest.decision is None:
        console.print(f"undecided {played}; with more (--games) it goes on")
        return
    true, false = (test.elo1, test.elo0) if contest.decision == "accepted H1" else (test.elo0, test.elo1)
    first = contest.standings.names[0]
    console.print(f"{contest.decision} {played}: {true:+g} Elo for {first} fits better than {false:+g}")


def _seat_changes(plan: Plan) -> str:
    """When the players change seats, for games of two seats and of more."""
    if plan.seats == "fixed":
        return "never"
    two = "after half of the games" if plan.seats == "course" else "after each game"
    more = "in every order in turn"
    pairs = {game.seats == 2 for game in plan.games_played}
    if len(pairs) > 1:
        return f"{two}, of more than two {more}"
    return two if pairs == {True} else more
