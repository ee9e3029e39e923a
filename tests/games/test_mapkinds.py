"""Generated maps: valid for every seed, fair to every seat, worth playing, the three named as described."""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from polyversi.games.board import SQUARE_DIRECTIONS
from polyversi.games.errors import VariantError
from polyversi.games.mapkinds import KINDS, find_kind, generate
from polyversi.games.mapkinds.canvas import Canvas, Symmetry, edge
from polyversi.games.mapkinds.joined import slides
from polyversi.games.tiles import XT_TILES
from polyversi.games.xt import xt_game
from polyversi.games.xtmap import Transition, XtMap
from tests.testing.marks import slow_but

EVERY = [(name, players) for name, kind in KINDS.items() for players in kind.players]
ENDS = [(name, players) for name, kind in KINDS.items() for players in (min(kind.players), max(kind.players))]
"""Every kind of map with its fewest and its most players, which every run tries."""
NAMED = ("compressedSquare", "starfish", "SierpinskiCarpet")


# Every kind

def test_there_are_kinds_for_every_number_of_players() -> None:
    assert set(NAMED) <= set(KINDS)
    assert len(KINDS) >= 15
    for players in range(2, 9):
        assert sum(players in kind.players for kind in KINDS.values()) >= 6
    assert all(kind.sentence.endswith(".") and kind.sentence[0].isupper() for kind in KINDS.values())


@pytest.mark.parametrize(("name", "players"), slow_but(EVERY, *ENDS))
def test_the_same_seed_gives_the_same_map_and_other_seeds_other_maps(name: str, players: int) -> None:
    assert generate(name, 7, players) == generate(name, 7, players)
    assert generate(name, 0, players).players == players
    assert len({generate(name, seed, players) for seed in range(6)}) > 1


GOLDEN = {
    "compressedSquare": 0x1C99AB7F,
    "starfish": 0x67E92ACC,
    "SierpinskiCarpet": 0x0AC75EF1,
    "arena": 0xCC3D7136,
    "ring": 0x34F96282,
    "cross": 0xC10AC7FC,
    "diamond": 0xBFEBA7F3,
    "spiral": 0xBC017082,
    "hourglass": 0xA1B77FD4,
    "snowflake": 0x668974AC,
    "torus": 0x90A80CB2,
    "moebius": 0x0D1681D1,
    "globe": 0x91E13292,
    "carousel": 0x30C530AB,
    "islands": 0xC16B2DA7,
    "cube": 0xBFDD0EE2,
    "maze": 0x70F37117,
    "wormholes": 0xE8ACD613,
    "minefield": 0x8EB7B064,
    "random": 0x493B0224,
}
"""Checksums of the first two maps of each kind for every number of players."""


@pytest.mark.parametrize("name", KINDS)
def test_maps_stay_what_they_were(name: str) -> None:
    """Games name their maps by kind and seed: a changed generator would make them other games."""
    texts = (generate(name, seed, players).text for players in KINDS[name].players for seed in (0, 1))
    assert zlib.crc32("".join(texts).encode()) == GOLDEN[name]


@settings(deadline=None)
@given(st.sampled_from(EVERY), st.integers(0, 2**53))
def test_every_generated_map_is_valid_and_survives_a_round_trip(case: tuple[str, int], seed: int) -> None:
    chart = generate(case[0], seed, case[1])
    assert XtMap.parse(chart.text) == chart
    assert {str(seat) for seat in range(1, case[1] + 1)} <= set(chart.tiles)


def test_names_are_found_in_any_case_and_the_nearest_is_named() -> None:
    assert find_kind("STARFISH") is KINDS["starfish"]
    assert generate("sierpinskicarpet") == generate("SierpinskiCarpet")
    with pytest.raises(VariantError, match=r"no kind of map called 'tours'; did you mean 'torus'\?"):
        generate("tours")
    with pytest.raises(VariantError, match="there are compressedSquare, starfish"):
        generate("?" * 5000)


def test_a_number_of_players_that_a_kind_does_not_take_is_refused() -> None:
    with pytest.raises(VariantError, match="cube is not for 5 players; it is for 2, 3, 4, 6, 8"):
        generate("cube", players=5)
    assert generate("cube").players == 4
    assert generate("starfish").players == 8
    assert generate("moebius", players=7).players == 7


# The canvas

def test_seams_are_crossed_as_on_paper() -> None:
    """Two strips of three tiles: one seam keeps the plane as it is, the other mirrors it."""
    for order, turn in ((2, 1), (6, -1)):
        canvas = Canvas(3, 3, [Symmetry(lambda x, y, r: (x, y, r), [1, 2])])
        canvas.fill("0", 0, 0, 3, 1)
        canvas.fill("0", 0, 2, 3, 3)
        canvas.join(edge(0, 0, 4, 2, 3), edge(0 if order == 2 else 2, 2, 0, order, 3))
        found = {frozenset({(j.x1, j.y1, j.r1), (j.x2, j.y2, j.r2)}) for j in canvas.transitions}
        assert len(found) == 7
        far = {0: 0, 1: 1, 2: 2} if order == 2 else {0: 2, 1: 1, 2: 0}
        assert frozenset({(0, 0, 4), (far[0], 2, 0)}) in found
        assert frozenset({(0, 0, 3), (far[1], 2, (0 - turn) % 8)}) in found     # down-right
        assert frozenset({(1, 0, 5), (far[0], 2, (0 + turn) % 8)}) in found     # down-left


# Fairness

Joint = frozenset[tuple[int, int, int]]


def joints(chart: XtMap) -> set[Joint]:
    return {frozenset({(j.x1, j.y1, j.r1), (j.x2, j.y2, j.r2)}) for j in chart.transitions}


def turned(chart: XtMap) -> XtMap:
    """The map after a quarter turn to the right."""
    side = chart.width
    tiles = "".join(chart.tile(y, side - 1 - x) for y in range(side) for x in range(side))
    moved = tuple(
        Transition(side - 1 - j.y1, j.x1, (j.r1 + 2) % 8, side - 1 - j.y2, j.x2, (j.r2 + 2) % 8)
        for j in chart.transitions
    )
    return replace(chart, tiles=tiles, transitions=moved)


def mirrored(chart: XtMap) -> XtMap:
    """The map with left and right swapped."""
    last = chart.width - 1
    tiles = "".join(chart.tile(last - x, y) for y in range(chart.height) for x in range(chart.width))
    moved = tuple(
        Transition(last - j.x1, j.y1, -j.r1 % 8, last - j.x2, j.y2, -j.r2 % 8) for j in chart.transitions
    )
    return replace(chart, tiles=tiles, transitions=moved)


def seat_change(before: str, after: str) -> dict[str, str] | None:
    """Which seat takes whose place, or None when the tiles do not match."""
    change: dict[str, str] = {}
    for old, new in zip(before, after, strict=True):
        stones = old in "12345678" and new in "12345678"
        if (change.setdefault(old, new) if stones else old) != new:
            return None
    return change if len(set(change.values())) == len(change) else None


SQUARE_KINDS = {"starfish", "SierpinskiCarpet", "ring", "cross", "diamond", "spiral", "snowflake",
                "maze", "wormholes", "minefield", "random"}
TURNING = [(name, players) for name, players in EVERY if name in SQUARE_KINDS]


@pytest.mark.parametrize(("name", "players"), TURNING)
@pytest.mark.parametrize("seed", range(2))
def test_turning_the_map_permutes_the_players(name: str, players: int, seed: int) -> None:
    chart = generate(name, seed, players)
    after = turned(chart)
    on = 2 if players == 8 else 1
    assert seat_change(after.tiles, chart.tiles) == {
        str(seat + 1): str((seat + on) % players + 1) for seat in range(players)
    }
    assert joints(chart) == joints(after)


@pytest.mark.parametrize("name", [name for name, players in TURNING if players == 8])
def test_a_mirror_swaps_neighbours_when_eight_play(name: str) -> None:
    chart = generate(name, 5, 8)
    assert seat_change(mirrored(chart).tiles, chart.tiles) == dict(zip("12345678", "21876543", strict=True))
    assert joints(mirrored(chart)) == joints(chart)


def images(chart: XtMap) -> Iterator[dict[int, int]]:
    """The changes of seats of all ways to lay the board onto itself that take a stone of seat 1 to a stone.

    A way is fixed by where it takes one cell and one direction: everything else follows step by step.
    """
    steps, tiles = chart.board().steps, chart.start()
    start = tiles.index(1)
    for target, tile in enumerate(tiles):
        if 1 <= tile <= 8:
            for turn in range(8):
                for sense in (1, -1):
                    seats = follow(steps, tiles, start, (target, turn), sense)
                    if seats is not None:
                        yield seats


def follow(
    steps: tuple[int, ...], tiles: tuple[int, ...], start: int, image: tuple[int, int], sense: int
) -> dict[int, int] | None:
    """The change of seats when `start` goes to a cell, turned by so many directions; None if nothing fits."""
    where, todo, seats = {start: image}, [start], dict[int, int]()
    while todo:
        cell = todo.pop()
        other, turn = where[cell]
        old, new = tiles[cell], tiles[other]
        if (seats.setdefault(old, new) if 1 <= old <= 8 and 1 <= new <= 8 else old) != new:
            return None
        for direction in range(8):
            step, twin = steps[cell * 8 + direction], steps[other * 8 + (turn + sense * direction) % 8]
            if (step < 0) != (twin < 0):
                return None
            if step >= 0:
                found = twin // 8, (twin - sense * step) % 8
                if step // 8 not in where:
                    where[step // 8] = found
                    todo.append(step // 8)
                elif where[step // 8] != found:
                    return None
    targets = {other for other, _ in where.values()}
    return seats if len(targets) == len(where) == len(tiles) else None


@pytest.mark.parametrize(("name", "players"), [
    (name, players) for name, players in EVERY
    if name != "moebius" and not (name == "arena" and players in (3, 5, 6, 7))
])
def test_every_seat_can_be_brought_to_the_place_of_every_other(name: str, players: int) -> None:
    """The board as the rules see it, transitions and all, is alike from every seat."""
    for seed in range(2):
        reached = {1}
        for _ in range(players):
            reached |= {seats[seat] for seats in images(generate(name, seed, players)) for seat in reached}
            if len(reached) == players:
                break
        assert reached == set(range(1, players + 1))


@pytest.mark.parametrize("players", range(2, 9))
def test_sliding_along_the_moebius_strip_permutes_the_players(players: int) -> None:
    """The strip has no inside and outside, so that a slide mirrors whatever crosses the seam."""
    chart = generate("moebius", 3, players)
    board, tiles = chart.board(), chart.start()
    for slide in slides(players, chart.width, chart.height, chart.width // players, twisted=True):
        for cell, (x, y) in enumerate(board.coordinates):
            to = board.at(*slide.place(x, y, 0)[:2])
            assert to is not None
            assert tiles[to] == XT_TILES[slide.tile(chart.tile(x, y))]
            for direction in range(8):
                step = board.steps[cell * 8 + direction]
                twin = board.steps[to * 8 + slide.place(x, y, direction)[2]]
                assert (step < 0) == (twin < 0)
                if step >= 0:
                    there = slide.place(*board.coordinates[step // 8], step % 8)
                    assert (*board.coordinates[twin // 8], twin % 8) == there


@pytest.mark.parametrize("players", range(2, 9))
def test_everybody_has_the_same_number_of_stones(players: int) -> None:
    for name, kind in KINDS.items():
        if players in kind.players:
            chart = generate(name, 1, players)
            assert len({chart.tiles.count(str(seat)) for seat in range(1, players + 1)}) == 1, name


# Worth playing

@pytest.mark.parametrize(("name", "players"), slow_but(EVERY, *ENDS))
def test_random_games_give_everybody_a_turn_and_last(name: str, players: int) -> None:
    for seed in range(3):
        chart = generate(name, seed, players)
        state = xt_game(chart).start()
        lot = random.Random(seed)
        movers, plies = set[int](), 0
        while state.phase == "build" and not state.is_over:
            if plies < 3 * players:
                movers.add(state.turn)
            state = state.play(lot.choice(state.moves))
            plies += 1
        free = sum(tile in (0, 10, 11, 12) for tile in state.tiles)
        assert len(movers) == players, f"seed {seed}: only {movers} moved in the first three rounds"
        assert plies >= 8 * players, f"seed {seed}: {plies} moves"
        assert free < state.board.size / 3, f"seed {seed}: {free} of {state.board.size} cells stayed free"


@pytest.mark.parametrize(("name", "players"), slow_but(EVERY, *ENDS))
def test_no_map_is_degenerate(name: str, players: int) -> None:
    for seed in range(6):
        chart = generate(name, seed, players)
        land = len(chart.tiles) - chart.tiles.count("-")
        assert land >= 20 * players
        assert chart.players * chart.bombs * (2 * chart.radius + 1) ** 2 <= land
        assert xt_game(chart).start().moves


# The three named maps

def walk(chart: XtMap, x: int, y: int, direction: int) -> Iterator[tuple[int, int]]:
    """The places on a line from (x, y) on, to its end or to where it begins again."""
    board = chart.board()
    start = at = (board.at(x, y) or 0) * 8 + direction
    while at >= 0:
        yield board.coordinates[at // 8]
        at = board.steps[at]
        if at == start:
            return


def test_compressed_square_is_a_square_in_a_hole() -> None:
    chart = generate("compressedSquare", 1)
    assert (chart.players, chart.width, chart.height, len(chart.transitions)) == (8, 36, 36, 194)
    assert [chart.tile(x, y) for x in (17, 18) for y in (17, 18)] == ["-"] * 4
    # The strips on the four sides are one square: its rows and columns have 20 places each, and cross.
    columns = [list(walk(chart, x, 0, 4)) for x in range(20)]
    headings = [2] * 5 + [4] * 5 + [6] * 5 + [0] * 5
    rows = [list(walk(chart, *start, heading)) for start, heading in zip(columns[0], headings, strict=True)]
    assert all(columns[x][y] == rows[y][x] for x in range(20) for y in range(20))
    core = {place for line in columns for place in line[:20]}
    assert len(core) == 400
    assert not any(6 <= x < 30 and 6 <= y < 30 for x, y in core)
    # Only the middle rows and columns go on into the field, and come out of the hole's sides there.
    assert [len(line) == 20 for line in columns] == [len(line) == 20 for line in rows]
    assert [index for index, line in enumerate(columns) if len(line) > 20] == [9, 10]
    for x, y, heading, beyond in ((17, 16, 4, (17, 19)), (19, 18, 6, (16, 18)), (16, 16, 3, (19, 19))):
        line = list(walk(chart, x, y, heading))
        assert set(line[1:21]) < core
        assert line[21] == beyond
    assert {chart.tile(*place) for place in core} >= set("012345678bc")


def test_starfish_has_arms_joined_into_circles() -> None:
    chart = generate("starfish", 1)
    assert (chart.players, chart.width, chart.height, len(chart.transitions)) == (8, 33, 33, 24)
    assert chart.tiles.count("b") >= 40
    for row, length in ((1, 32), (3, 44), (5, 40)):    # through four upright and four slanting arms
        circle = list(walk(chart, 16, row, 2))
        assert len(set(circle)) == len(circle) == length
        assert {(16, row), (32 - row, 16), (16, 32 - row), (row, 16)} < set(circle)


def test_sierpinski_carpet_is_nine_squares_of_nine_squares() -> None:
    chart = generate("SierpinskiCarpet", 1)
    assert (chart.players, chart.width, chart.height, len(chart.transitions)) == (8, 27, 27, 96)
    middle = {(x, y) for x in range(9, 18) for y in range(9, 18)}
    rich = {place for place in middle if chart.tile(*place) != "-"}
    assert len(rich) < 81 / 2
    assert {"b", "c"} <= {chart.tile(*place) for place in rich}
    for x in range(27):    # outside of the middle, the middles of the squares of both sizes are holes
        for y in range(27):
            is_hole = (x % 3 == y % 3 == 1) or (x % 9 // 3 == y % 9 // 3 == 1)
            assert (x, y) in middle or (chart.tile(x, y) == "-") == is_hole
    # One gets into the middle through the holes of the corners only; those of the sides lead to each other.
    assert not any((x + dx, y + dy) in rich for x in range(27) for y in range(27) if (x, y) not in middle
                   for dx, dy in SQUARE_DIRECTIONS)
    assert list(walk(chart, 0, 3, 2)) == [*((x, 3) for x in range(3)), (10, 10), (11, 10), (12, 10),
                                          *((x, 3) for x in range(6, 12)), *((x, 21) for x in range(15, 21)),
                                          (14, 14), (15, 14), (16, 14), *((x, 21) for x in range(24, 27))]
