"""The order of strength of the HexaReversi course's players: `python -m tests.soak.course_order`."""

from __future__ import annotations

import sys
from collections import Counter

import polyversi as pv

COURSE = {"t77": "t77", "t34": "t34", "t97": "value", "t98": "greedy", "t99": "random"}
"""The players' names in the course and here."""


def seated(name: str, seed: int) -> pv.Player:
    """The player, with a seed if it uses random numbers."""
    return pv.player(name, seed=seed) if name in ("value", "greedy", "random") else pv.player(name)


def meet(first: str, second: str, games: int, seed: int = 0) -> Counter[str]:
    """Games won by the first and by the second to move, each game from another random start."""
    outcome: Counter[str] = Counter()
    for number in range(seed, seed + games):
        players = [seated(first, 2 * number), seated(second, 2 * number + 1)]
        winner = pv.play(pv.game("hex").start(number), players).result.winner
        outcome["draw" if winner is None else ("first", "second")[winner - 1]] += 1
    return outcome


def report(games: int) -> None:
    """A table of every ordered pair, and each player's wins."""
    names = list(COURSE)
    won: Counter[str] = Counter()
    print(f"hex, {games} games per ordered pair; won by the row, which moves first : won by the column\n")
    print("     " + "".join(f"{name:>9}" for name in names))
    for first in names:
        row = []
        for second in names:
            if first == second:
                row.append(f"{'·':>6}   ")
                continue
            outcome = meet(COURSE[first], COURSE[second], games)
            won[first] += outcome["first"]
            won[second] += outcome["second"]
            row.append(f"{outcome['first']:>5}:{outcome['second']:<3}")
        print(f"{first:5}" + "".join(row), flush=True)
    total = games * 2 * (len(names) - 1)
    print("\n" + ", ".join(f"{name} won {count} of {total}" for name, count in won.most_common()))


if __name__ == "__main__":
    report(int(sys.argv[1]) if len(sys.argv) > 1 else 30)
