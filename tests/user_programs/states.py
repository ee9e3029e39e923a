"""States: cells, arrays, bitboards, symmetries, and a line of moves that goes forward and back."""

import numpy as np
from numpy.typing import NDArray

import polyversi as pv


def opening_book(depth: int) -> dict[pv.State, pv.Move]:
    """A move for every position up to a depth, one for all that are symmetric."""
    book: dict[pv.State, pv.Move] = {}
    line = pv.Line("othello")

    def visit() -> None:
        canonical, symmetry = line.state.canonical()
        if canonical in book:
            return
        book[canonical] = symmetry.move(line.state.moves[0])
        if len(line) < depth:
            for move in line.state.moves:
                line.push(move)
                visit()
                line.pop()

    visit()
    return book


def augmented(state: pv.State) -> list[NDArray[np.int8]]:
    """The board in all its symmetric forms, for training."""
    return [np.asarray(state.transform(symmetry), dtype=np.int8) for symmetry in state.game.symmetries]


def main() -> None:
    state = pv.game("othello").start().play("f5")
    seat: int = state["f5"]
    assert seat == 1 and state[pv.game("othello").move("d4")] == 2
    black, white = state.bitboards
    assert (black.bit_count(), white.bit_count()) == state.scores and not black & white
    assert len(augmented(state)) == 8 and augmented(state)[0][4, 5] == 1
    assert state.flip().flip() == state

    assert [len(opening_book(depth)) for depth in (0, 1, 2)] == [1, 2, 5]

    line = pv.Line("hex:side=4,start=ring", ["c2"])
    moves: tuple[pv.Move, ...] = line.moves
    assert line.peek() == moves[-1] == line.pop() and not line
    assert line.record(["Ann", "Bob"]).players == ("Ann", "Bob")
    try:
        line.push("a1")
    except pv.IllegalMoveError as error:
        assert "captures nothing" in str(error)


if __name__ == "__main__":
    main()
