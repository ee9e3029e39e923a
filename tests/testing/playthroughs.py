"""Stored playthroughs: a whole game of each variant as text, so that a change of rules shows as a diff."""

from __future__ import annotations

import random
from pathlib import Path

import polyversi as pv

FOLDER = Path(__file__).parents[1] / "games" / "playthroughs"

GAMES = {
    "othello": "othello",
    "othello-odd": "othello:width=5,height=4",
    "parallel": "othello:start=parallel",
    "reversi": "reversi",
    "octagon": "octagon",
    "blackhole": "blackhole",
    "cylinder": "cylinder",
    "torus": "torus-6",
    "anti": "anti-6",
    "hex": "hex:seed=3",
    "hex-ring": "hex:side=4,start=ring",
    "hex-three": "hex:side=5,seats=3",
    "rolit": "rolit",
    "xt": "xt:wormholes,players=4",
    "xt-bombs": "xt:minefield,players=2",
}


def playthrough(spec: str) -> str:
    """A game by moves drawn from a seed: before each move the position, what is legal, and the move."""
    rng, state = random.Random(7), pv.game(spec).start()
    lines = [f"game {state.game.spec}", ""]
    while not state.is_over:
        move = rng.choice(state.moves)
        lines += [
            state.text,
            "legal " + " ".join(map(str, state.moves)),
            f"move {move} turns " + " ".join(state.board.name(cell) for cell in state.turned(move)),
            "",
        ]
        state = state.play(move)
    return "\n".join([*lines, state.text, str(state), repr(state.result), ""])


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, spec in GAMES.items():
        (FOLDER / f"{name}.txt").write_text(playthrough(spec))
