"""Names of openings: every one of them in every symmetry, and by other orders of the moves."""

from __future__ import annotations

from collections.abc import Callable

import polyversi as pv
from polyversi.records import Record
from polyversi.records.opening_names import NAMES, last_opening_name

LINES = [line.split("\t") for line in NAMES.read_text().splitlines()[1:]]
SIDE = range(8)
TURNS: list[Callable[[int, int], tuple[int, int]]] = [
    lambda x, y: (x, y), lambda x, y: (7 - y, x), lambda x, y: (7 - x, 7 - y), lambda x, y: (y, 7 - x)]
"""Quarter turns of a square of the board."""


def board_after(moves: str) -> dict[tuple[int, int], int]:
    """The stones after some moves, by the rules of Othello and nothing of ours."""
    stones = {(3, 3): -1, (4, 4): -1, (4, 3): 1, (3, 4): 1}
    own = 1
    for at in range(0, len(moves), 2):
        x, y = "abcdefgh".index(moves[at]), int(moves[at + 1]) - 1
        turned = []
        for dx, dy in ((dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy):
            line, step = [], 1
            while stones.get((x + dx * step, y + dy * step)) == -own:
                line.append((x + dx * step, y + dy * step))
                step += 1
            turned += line if stones.get((x + dx * step, y + dy * step)) == own else []
        assert turned, f"{moves[at:at + 2]} turns nothing"
        stones |= dict.fromkeys([(x, y), *turned], own)
        own = -own
    return stones


def text(stones: dict[tuple[int, int], int], plies: int) -> str:
    signs = {1: "X", -1: "O"}
    board = "".join(signs.get(stones.get((x, y), 0), "-") for y in SIDE for x in SIDE)
    return f"{board} {'XO'[plies % 2]}"


def test_every_name_is_found_in_all_symmetries() -> None:
    game = pv.game("othello")
    assert len(LINES) == 76
    for moves, name in LINES:
        stones, plies = board_after(moves), len(moves) // 2
        for turn in TURNS:
            for mirrored in (False, True):
                turned = {turn(7 - x if mirrored else x, y): own for (x, y), own in stones.items()}
                assert pv.opening_name(game.position(text(turned, plies))) == name


def test_names_through_transpositions_and_of_games_that_went_on() -> None:
    # The last two pairs of moves exchanged, and the whole on another diagonal.
    [tiger, other] = (Record.of("othello", moves) for moves in ("f5d6c3d3c4", "f5d6c4d3c3"))
    assert tiger.final.tiles == other.final.tiles, "these are two ways to one position"
    assert pv.opening_name(other.final) == "Tiger" != pv.opening_name(list(other.states())[3])
    assert last_opening_name(Record.of("othello", "f5d6c3d3c4f4c5b3").states()) == "Tiger"
    assert last_opening_name(Record.of("othello", "f5").states()) is None


def test_other_games_and_positions_have_no_names() -> None:
    assert pv.opening_name(Record.of("anti", "f5d6").final) is None
    assert pv.opening_name(pv.game("hex").start()) is None
    late = pv.game("othello").start().playout(seed=1)
    assert pv.opening_name(late) is None
