"""Keys of positions: the same 128 bits for all that are symmetric to each other, for very many at once.

A key is a BLAKE2b hash of everything that tells two positions apart: the game with its map, the tiles in
their canonical form, the seat to move, passes and stocks. Among a thousand million positions the odds that
any two share a key are below 1 to 10²⁰, and nobody can make two that do: nothing has to be compared again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from polyversi._core import Move
from polyversi.games.game import Game
from polyversi.games.state import State
from polyversi.records.maps import embedded_map

KEY_BYTES = 16
WORD = 8
"""Bytes of a word, of which canonical forms are compared."""
CELLS = 4_000_000
"""Cells of the positions that are turned at a time, which bounds the memory."""


def position_key(state: State) -> bytes:
    """The key of a position and of all that are symmetric to it.

    >>> import polyversi as pv
    >>> start = pv.game("othello").start()
    >>> len({position_key(start.play(move)) for move in start.moves}), len(position_key(start))
    (1, 16)
    """
    tiles = state.tiles
    canonical = min(symmetry.apply(tiles) for symmetry in state.game.symmetries)
    return _hashed(_of_game(state.game), canonical, _rest(state))


def equal_moves(state: State) -> dict[int, list[Move]]:
    """The legal moves by their numbers in the canonical form; those with the same number are symmetric.

    Of these the last by its name comes first, as the Othello world writes its openings: f5 and not d3.

    >>> import polyversi as pv
    >>> [[str(move) for move in moves] for moves in equal_moves(pv.game("othello").start()).values()]
    [['f5', 'e6', 'd3', 'c4']]
    """
    tiles = state.tiles
    turned = [(symmetry.apply(tiles), symmetry) for symmetry in state.game.symmetries]
    canonical = min(form for form, _ in turned)
    leading = [symmetry for form, symmetry in turned if form == canonical]
    found: dict[int, list[Move]] = {}
    for move in sorted(state.moves, key=str, reverse=True):
        found.setdefault(min(symmetry.move(move).index for symmetry in leading), []).append(move)
    return found


def keys_of(states: Sequence[State], moves: Sequence[Move]) -> tuple[list[bytes], NDArray[np.int32]]:
    """The key of each of many positions of one game, and the number of a move in its canonical form.

    >>> import polyversi as pv
    >>> start = pv.game("othello").start()
    >>> keys, numbers = keys_of([start] * 4, start.moves)
    >>> set(keys) == {position_key(start)}, set(numbers.tolist()) == set(equal_moves(start))
    (True, True)
    """
    if not states:
        return [], np.empty(0, np.int32)
    game = states[0].game
    size, of_game = game.board.size, _of_game(game)
    keys: list[bytes] = []
    numbers: list[NDArray[np.int32]] = []
    step = max(1, CELLS // size)
    for first in range(0, len(states), step):
        part = states[first:first + step]
        tiles = np.frombuffer(b"".join([state.tiles for state in part]), np.uint8).reshape(-1, size)
        played = np.array([move.index for move in moves[first:first + step]], np.int32)
        canonical, turned = _canonical(game, tiles, played)
        forms = canonical.tobytes()
        keys += [_hashed(of_game, forms[at * size:(at + 1) * size], _rest(state))
                 for at, state in enumerate(part)]
        numbers.append(turned)
    return keys, np.concatenate(numbers)


def _canonical(
    game: Game, tiles: NDArray[np.uint8], moves: NDArray[np.int32]
) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
    """The least of the forms that each row of tiles takes, and the least number that its move has in it."""
    best_words, best_moves = _words(tiles), moves
    rows = np.arange(len(tiles))
    for sources, targets in _permutations(game)[1:]:
        words, turned = _words(tiles[:, sources]), targets[moves]
        differs = words != best_words
        first = differs.argmax(axis=1)    # 0 where nothing differs, and then neither is less
        is_less = words[rows, first] < best_words[rows, first]
        is_same = ~differs[rows, first]
        best_moves = np.where(is_less | (is_same & (turned < best_moves)), turned, best_moves)
        best_words = np.where(is_less[:, None], words, best_words)
    return best_words.astype(">u8").view(np.uint8)[:, :tiles.shape[1]].copy(), best_moves


def _words(tiles: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """Rows of bytes as words that compare as the bytes do."""
    missing = -tiles.shape[1] % WORD
    padded = np.ascontiguousarray(np.pad(tiles, ((0, 0), (0, missing))) if missing else tiles)
    return padded.view(">u8").astype(np.uint64)


@lru_cache(maxsize=16)
def _permutations(game: Game) -> list[tuple[NDArray[np.intp], NDArray[np.int32]]]:
    """For each symmetry from where the content of a cell comes, and what it makes of every move."""
    return [(np.argsort(symmetry.cells), np.array([move.index for move in symmetry.moves], np.int32))
            for symmetry in game.symmetries]


def _hashed(of_game: hashlib.blake2b, tiles: bytes, rest: bytes) -> bytes:
    hashed = of_game.copy()
    hashed.update(tiles + rest)
    return hashed.digest()


@lru_cache(maxsize=64)
def _of_game(game: Game) -> hashlib.blake2b:
    """A hash that has taken in which game it is, by its name or by its map."""
    chart = embedded_map(game)
    name = f"{game.definition.goal} {chart}" if chart else game.spec
    return hashlib.blake2b(hashlib.sha256(name.encode()).digest(), digest_size=KEY_BYTES)


def _rest(state: State) -> bytes:
    """What tells a position apart besides its tiles."""
    if state.game.definition.has_stocks:
        return state.text.partition(" ")[2].encode()
    return b"%d %d" % (state.next_seat, state.passes)
