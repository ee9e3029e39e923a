"""`polyversi match`: many games between the same players, with a table and their Elo difference."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from polyversi.cli.views.terminal import LiveTable

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from polyversi.contest.match import Match, MatchObserver
    from polyversi.contest.schedule import Fixture
    from polyversi.contest.standings import Pairs, Standings
    from polyversi.records import Record
    from polyversi.stats.sprt import Sprt

DIFFERENT = 0.9
"""The part of the games that must differ from each other, or the players repeat themselves."""


def match(
    players: Annotated[list[str], typer.Argument(
        metavar="PLAYER...", help="Two or more of `polyversi players`, with their options, or bots.")],
    variant: Annotated[list[str] | None, typer.Option(
        help="What is played, usually othello; of several, one after the other.")] = None,
    games: Annotated[int, typer.Option(min=1, help="Games of every meeting on every variant.")] = 10,
    against: Annotated[list[str] | None, typer.Option(
        help="Measure the players against this one, not each other; as often as needed.")] = None,
    limit: Annotated[str, typer.Option(help="seconds=5, bank=60,increment=1, depth=4, …")] = "none",
    seats: Annotated[str | None, typer.Option(
        help="course (usual): change after half of the games; alternate (with --sprt): after each.")] = None,
    openings: Annotated[int, typer.Option(min=0, help="Random plies, the same for both seats.")] = 0,
    balanced: Annotated[bool, typer.Option(help="Only openings that the engine holds to be even.")] = False,
    seed: Annotated[int, typer.Option(help="Draws openings and lots; the same seed, the same games.")] = 0,
    out: Annotated[Path | None, typer.Option(
        help="A .jsonl file for the games; a match that was broken off goes on.")] = None,
    jobs: Annotated[int, typer.Option(min=0, help="Games at a time; 0 for as many as processors.")] = 1,
    sprt: Annotated[str | None, typer.Option(
        help="elo0=0,elo1=5: stop once it is known which is the first player's advantage.")] = None,
) -> None:
    """Let players meet, and see who is stronger and how sure that is.

    Of more players than the game has seats, all pairs meet. Wins, draws and stones count for the player,
    whatever its seat. Elo is the difference to those it met, with bounds that hold it in 95 of 100 matches;
    games with the same opening and changed seats count as a pair. Of more than two seats players sit in every
    order in turn; there and in Reversi XT the table has the mean of their points with its standard error.

    With --sprt two players meet until their pairs of games tell the two advantages apart, or --games are
    over. It has also alpha=0.05,beta=0.05: how often the larger or the smaller one may be believed wrongly.

    Ctrl-C ends the match with the table so far; with --out the same command goes on from there.

    Examples:

      polyversi match t77 t34 --variant hex

      polyversi match six-factor:level=4 six-factor:level=3 --games 100 --openings 6 --jobs 2

      polyversi match t77 t34 value greedy random --variant hex --games 60 --out hex.jsonl

      polyversi match matrix:gamma=0.5 matrix:gamma=0.9 --against random --variant anti

      polyversi match t77 mobility greedy random --variant xt:arena,players=4 --variant xt:cube,players=4

      polyversi match t77 t34 --variant hex --openings 4 --games 2000 --sprt elo0=0,elo1=20
    """
    from polyversi.cli.seats import seat_order
    from polyversi.cli.views.terminal import new_console
    from polyversi.contest.match import Match, usual_jobs
    from polyversi.contest.standings import Standings
    from polyversi.players import Limit
    from polyversi.stats.sprt import Sprt

    test = Sprt.parse(sprt) if sprt is not None else None
    order = seat_order(seats or ("alternate" if test else "course"))
    chosen = Match(
        tuple(players), tuple(variant or ["othello"]), games, Limit.parse(limit), order,
        openings, seed, tuple(against or ()), balanced,
    )
    console = new_console()
    standings = Standings(chosen.names)
    interrupted = False
    with _Progress(console, chosen, test) as shown:
        try:
            standings = chosen.run(out=out, jobs=jobs or usual_jobs(), observer=shown.observer, sprt=test)
        except KeyboardInterrupt:
            standings, interrupted = shown.standings, True
    _summary(console, chosen, standings, out)
    if test is not None:
        _conclude(console, chosen, test, shown)
    if interrupted:
        more = f"; the same command goes on from there ({out})" if out else ""
        console.print(f"broken off after {standings.games} of {len(chosen.fixtures)} games{more}")
        raise typer.Exit(130)


class _Progress(LiveTable):
    """The table while the match goes on, on a terminal; elsewhere nothing."""

    def __init__(self, console: Console, match: Match, test: Sprt | None) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        from polyversi.contest.standings import Pairs, Standings

        super().__init__(console)
        self.standings, self.pairs, self._test = Standings(match.names), Pairs(), test
        columns = TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
        self._bar = Progress(*columns, console=console)
        self._task = self._bar.add_task("games", total=len(match.fixtures))

    @property
    def observer(self) -> MatchObserver:
        """Keeps the standings and the bar."""

        def observe(fixture: Fixture, record: Record, standings: Standings) -> None:
            self.standings = standings
            if self._test is not None:
                self.pairs.add(fixture, record)
            self._bar.update(self._task, completed=standings.games)

        return observe

    def table(self) -> RenderableType:
        from rich.console import Group

        from polyversi.cli.views.tables import standings_table

        tested = [_evidence(self._test, self.pairs)] if self._test is not None else []
        return Group(standings_table(self.standings), *tested, self._bar)


def _summary(console: Console, match: Match, standings: Standings, out: Path | None) -> None:
    from polyversi.cli.views.tables import meetings_table, standings_table, variants_table

    even = "balanced " if match.balanced else ""
    plies = f", {match.openings} {even}random plies first" if match.openings else ""
    played = ", ".join(game.spec for game in match.variants)
    console.print(
        f"{played}, seats change {_seat_changes(match)}{plies}, limit {match.limit}, seed {match.seed}"
    )
    console.print(standings_table(standings))
    if len(match.names) > 2 and all(game.seats == 2 for game in match.variants):
        console.print()
        console.print(meetings_table(standings, len(match.players)))
    if len(match.variants) > 1:
        console.print()
        console.print(variants_table(standings))
    if standings.different < DIFFERENT * standings.games:
        console.print(
            f"only {standings.different} of the {standings.games} games differ: these players repeat "
            "themselves, and the errors are too small; random plies (--openings) make games differ"
        )
    if out is not None:
        console.print(f"the games are in {out}")


def _evidence(test: Sprt, pairs: Pairs) -> str:
    """What the pairs of games say so far."""
    low, high = test.bounds
    counts = " ".join(map(str, pairs.counts))
    return (
        f"SPRT {test}\nLLR {test.llr(pairs.counts):+.2f}, bounds {low:+.2f} and {high:+.2f}, "
        f"pairs with 0, ½, 1, 1½ and 2: {counts}"
    )


def _conclude(console: Console, match: Match, test: Sprt, shown: _Progress) -> None:
    """What the test has found out."""
    console.print(_evidence(test, shown.pairs))
    verdict, played = test.verdict(shown.pairs.counts), f"after {shown.standings.games} games"
    if verdict is None:
        console.print(f"undecided {played}; with more (--games) it goes on")
        return
    true, false = (test.elo1, test.elo0) if verdict == "accepted H1" else (test.elo0, test.elo1)
    console.print(f"{verdict} {played}: {true:+g} Elo for {match.names[0]} fits better than {false:+g}")


def _seat_changes(match: Match) -> str:
    """When the players change seats, for games of two seats and of more."""
    two = "after half of the games" if match.seats == "course" else "after each game"
    more = "in every order in turn"
    pairs = {game.seats == 2 for game in match.variants}
    if len(pairs) > 1:
        return f"{two}, of more than two {more}"
    return two if pairs == {True} else more
