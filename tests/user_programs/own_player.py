"""A player of one's own: against others, in a match, and by a name."""

import random

import polyversi as pv
from polyversi.contest.match import Match


class Corners(pv.Player):
    """Takes a corner if it can, otherwise any move."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed
        self.random = random.Random(seed)

    def choose(self, state: pv.State, limit: pv.Limit = pv.NO_LIMIT) -> pv.Move:
        corners = [move for move in state.moves if str(move) in ("a1", "a8", "h1", "h8")]
        return self.random.choice(corners or state.moves)


class First:
    """Not even a subclass: anything that can choose is a player."""

    def choose(self, state: pv.State, limit: pv.Limit) -> pv.Move:
        return state.moves[0]


def main() -> None:
    finished: pv.Finished = pv.play("othello", [Corners(seed=3), First()])
    assert finished.record.players == ("corners:seed=3", "first")

    pv.register_player("corners", Corners)
    assert pv.player("corners:seed=3").spec() == "corners:seed=3"
    assert pv.play(pv.game("othello-6"), ["corners", "random:seed=1"], pv.Limit(seconds=60)).result.scores

    standings = Match([Corners(), First(), "corners:seed=5"], variant="othello-4", games=2).run(jobs=2)
    assert standings.games == 6


if __name__ == "__main__":
    main()
