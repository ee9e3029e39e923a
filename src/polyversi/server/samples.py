"""Sample games: one of each variant between quick players, for the front page and for pictures."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import msgspec

from polyversi.drawing import board_svg
from polyversi.games.game import Game
from polyversi.games.state import State
from polyversi.players import player
from polyversi.server import catalogue
from polyversi.server.new_game import chosen_game
from polyversi.server.players import QUICK_CELLS

PLAYERS, PLAYERS_ON_LARGE_BOARDS = ("t77", "mobility"), ("value", "greedy")
"""Who takes the seats, in turn: players that look no further than the next move, and play everything."""
SEED = 3
"""What random set-ups are drawn from, so that a variant always has the same sample."""
MAX_PLIES = 300
"""Moves after which a sample ends: with these players it takes some hundredths of a second on any board."""
MAX_CELLS = 40_000
"""Cells of all the positions that are sent of a sample."""
MIDDLE = 0.55
"""How much of the sample has been played in a picture."""
PICTURE = 240
"""Pixels of the longer side of a picture."""


@dataclass(frozen=True)
class Sample:
    """A game from its start to its end, or until it has become long."""

    game: Game
    states: tuple[State, ...]
    """The start, and what each move has led to."""
    moves: tuple[str, ...]

    @property
    def middle(self) -> int:
        """The ply at which it looks like no other variant."""
        return round(MIDDLE * len(self.moves))


@lru_cache(maxsize=64)
def sample(spec: str) -> Sample:
    """The sample of a game, the same one whenever it is asked for.

    >>> othello = sample("othello")
    >>> len(othello.moves), othello.middle, othello.states[-1].is_over
    (60, 33, True)
    """
    game = chosen_game(spec)
    names = PLAYERS if game.board.size <= QUICK_CELLS else PLAYERS_ON_LARGE_BOARDS
    players = [player(names[seat % len(names)]) for seat in range(game.seats)]
    states = [game.start(None if "seed=" in game.spec else SEED)]
    moves: list[str] = []
    while not states[-1].is_over and len(moves) < MAX_PLIES:
        move = players[states[-1].turn - 1].choose(states[-1])
        moves.append(str(move))
        states.append(states[-1].play(move))
    return Sample(game, tuple(states), tuple(moves))


@lru_cache(maxsize=256)
def picture(spec: str, *, is_middle: bool = False) -> str:
    """A game as a picture: its start, or the middle of its sample.

    >>> picture("othello")[:4], picture("othello") == picture("othello", is_middle=True)
    ('<svg', False)
    """
    if is_middle:
        found = sample(spec)
        state = found.states[found.middle]
    else:
        state = chosen_game(spec).start()
    return board_svg(state.board, state.tiles, seats=state.game.seats, size=PICTURE)


@lru_cache(maxsize=32)
def replay(spec: str) -> bytes:
    """The sample as the page replays it: what is played, the start, and each move with what it led to.

    >>> told = msgspec.json.decode(replay("othello"))
    >>> told["moves"][0]
    ['d3', '-------------------X-------XX------XO--------------------------- O']
    """
    found = sample(spec)
    plies = MAX_CELLS // found.game.board.size
    positions = [state.text for state in found.states[:plies + 1]]
    return msgspec.json.encode({
        "description": catalogue.description(found.game),
        "start": positions[0],
        "moves": list(zip(found.moves[:plies], positions[1:], strict=True)),
        "middle": min(found.middle, plies),
    })
