"""Draws the pictures of the documentation anew."""

from __future__ import annotations

import random
from pathlib import Path

import polyversi as pv
from polyversi.drawing import Last

FOLDER = Path(__file__).parent

STARTS = {
    "othello": "othello",
    "parallel": "othello:start=parallel",
    "octagon": "octagon",
    "blackhole": "blackhole",
    "torus": "torus",
    "hex": "hex",
    "hex-ring": "hex:side=4,start=ring",
    "hex-three": "hex:side=5,seats=3",
    "rolit": "rolit",
    "xt-starfish": "xt:starfish",
    "xt-cube": "xt:cube",
}


def after(spec: str, plies: int, seed: int = 1) -> tuple[pv.State, Last | None]:
    """The state after some random moves, and the last of them."""
    rng, state, last = random.Random(seed), pv.game(spec).start(), None
    for _ in range(plies):
        move = rng.choice(state.moves)
        last, state = Last.of(state, move), state.play(move)
    return state, last


def main() -> None:
    """Writes every picture beside this file."""
    for name, spec in STARTS.items():
        (FOLDER / f"{name}.svg").write_text(pv.game(spec).start().svg(size=360))
    before = pv.game("othello").start().play("f5").play("d6")
    last = Last.of(before, before.game.move("c3"))
    (FOLDER / "move.svg").write_text(before.play("c3").svg(last=last, size=360))
    state, last = after("rolit", 30)
    (FOLDER / "rolit-middle.svg").write_text(state.svg(last=last, size=360))


if __name__ == "__main__":
    main()
