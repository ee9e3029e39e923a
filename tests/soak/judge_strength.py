"""Games of the judge's best moves against quick players: `python -m tests.soak.judge_strength`.

Values are worth showing only where playing by them wins. The judge has one seat, in turn each, and the other
player has all others.
"""

from __future__ import annotations

import random
import sys

import polyversi as pv
from polyversi.engines import Judge, judge

SPECS = ("rolit", "hex:seats=3", "hex:side=6", "othello-10", "torus", "cylinder",
         "xt:arena,players=2", "xt:torus")
OPPONENTS = ("random", "greedy", "mobility", "value", "t77", "stock", "t34")
RANDOM_PLIES = 4
LIMIT = pv.Limit(depth=4)


def best_move(judged: Judge, state: pv.State) -> pv.Move:
    """The best move of the last iteration."""
    *_, last = judged.analyse(state, LIMIT)
    return last.best.move


def opening(game: pv.Game, seed: int) -> pv.State:
    """The position after a few random moves; another one where these end the game."""
    dice, state = random.Random(seed), game.start(seed)
    for _ in range(RANDOM_PLIES):
        if not state.is_over:
            state = state.play(dice.choice(state.moves))
    return opening(game, seed + 1000) if state.is_over else state


def points(judged: Judge, other: pv.Player, seed: int) -> float:
    """The judge's share of the win in one game."""
    state = opening(judged.game, seed // judged.game.seats)
    seat = 1 + seed % judged.game.seats
    while not state.is_over:
        state = state.play(best_move(judged, state) if state.turn == seat else other.choose(state))
    winners = state.result.winners if state.result else ()
    return (seat in winners) / max(1, len(winners))


def main(games: int, specs: tuple[str, ...]) -> None:
    """Prints a line for each game and opponent."""
    for spec in specs:
        judged = judge(spec, megabytes=16)
        for name in OPPONENTS:
            other = pv.player(name)
            if other.unsuited(judged.game) is None:
                won = sum(points(judged, other, seed) for seed in range(games))
                print(f"{spec} against {name}: {won:g} of {games}, by chance {games / judged.game.seats:.1f}",
                      flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 60, tuple(sys.argv[2:]) or SPECS)
