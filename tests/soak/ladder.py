"""The ladder of levels: `python -m tests.soak.ladder` plays each level against the one below.

It prints a table in Markdown with 95 % errors. Arguments: the levels to measure (`1-8` or `17`, else all),
`--games` for another number of games than the usual ones, `--variant`, `--jobs`.
"""

from __future__ import annotations

import argparse

from polyversi.contest.match import Match
from polyversi.engines.levels import LEVELS, STRONGEST, Level
from polyversi.stats.elo import SPREAD, difference

PLAYER = "polyversi:level={},hash=8"
RANDOM_PLIES = 4
"""Random plies at the start of each pair of games, the same for both seats."""
QUICK_GAMES = 400
"""Games of levels that look at most two plies ahead."""
GAMES = {3: 300, 4: 200, 5: 200, 6: 200, 7: 100, 8: 100, 9: 60, 12: 40, 0: 12}
"""Games of the other levels by their depth: each ply costs about twice the time."""


def games_of(level: Level) -> int:
    """How many games measure a level against the one below."""
    return GAMES.get(level.depth, QUICK_GAMES)


def measured(one: str, other: str, variant: str, games: int, seed: int, jobs: int) -> tuple[float, float]:
    """The points per game of a player against another, and half the width of the 95 % interval."""
    match = Match((one, other), variant, games=games, seats="alternate", openings=RANDOM_PLIES, seed=seed)
    mean = match.run(jobs=jobs).points_a_game(0)
    assert mean is not None and mean.error is not None
    return mean.value, SPREAD * mean.error


def described(level: Level) -> str:
    """What makes a level, as cells of a table."""
    noise = f"{level.noise:g}" if level.noise else ""
    greed = f"{level.greed:.0%}".replace("%", " %") if level.greed else ""
    return f"{level.depth or 'the limit'} | {level.exact or 'the limit'} | {noise} | {greed}"


def report(levels: list[int], variant: str, games: int | None, jobs: int) -> None:
    """The table: what each level is, its points against the one below, and the Elo difference."""
    print("| level | plies | exact from | noise | greed | against | games | points | Elo |")
    print("| ---: | ---: | ---: | ---: | ---: | --- | ---: | ---: | ---: |")
    for number in levels:
        below = PLAYER.format(number - 1) if number > 1 else "greedy"
        count = games or games_of(LEVELS[number])
        points, error = measured(PLAYER.format(number), below, variant, count, number, jobs)
        against = f"level {number - 1}" if number > 1 else "`greedy`"
        print(f"| {number} | {described(LEVELS[number])} | {against} | {count} "
              f"| {100 * points:.1f} ± {100 * error:.1f} % | {difference(points):+.0f} |", flush=True)


def numbers(text: str) -> list[int]:
    """Levels: `7`, or `1-8`."""
    first, _, last = text.partition("-")
    return list(range(int(first), int(last or first) + 1))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Plays each level against the one below.")
    parser.add_argument("levels", nargs="?", type=numbers, default=numbers(f"1-{STRONGEST}"))
    parser.add_argument("--games", type=int)
    parser.add_argument("--variant", default="othello")
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args()
    report(given.levels, given.variant, given.games, given.jobs)
