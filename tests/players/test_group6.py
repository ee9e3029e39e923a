"""The XT player of group 6: every term on maps small enough to reckon by hand, and against plain versions."""

from __future__ import annotations

import math
import random
from itertools import count

import pytest

import polyversi as pv
from polyversi.games.xt import xt_game
from polyversi.games.xtmap import XtMap
from polyversi.players import group6
from tests.soak.endurance import against_random, faults


def xt(head: str, *rows: str, links: tuple[str, ...] = ()) -> pv.State:
    """The start of a game on a map written row by row without spaces."""
    text = "\n".join([head, f"{len(rows)} {len(rows[0])}", *(" ".join(row) for row in rows), *links])
    return xt_game(XtMap.parse(text)).start()


def row(text: str) -> pv.State:
    """A position on a row of seven tiles for three seats, with two bombs of radius 1 each at the start."""
    return xt("3 0 2 1", "1123000").game.position(text)


def choices(state: pv.State) -> set[str]:
    """What the player may choose: all that it finds equally good."""
    return {str(pv.player("group6", seed=seed).choose(state)) for seed in range(30)}


def test_m_counts_the_moves_of_the_seat_whoever_is_in_turn() -> None:
    state = row("1123000 1")    # on 4,0 seat 1 turns 3 and 2, seat 2 turns 3; seat 3 has no move
    assert [group6.m(state, seat) for seat in (1, 2, 3)] == [1, 1, 0]
    both = xt("2 0 0 0", "0120", "0000")
    assert (both.turn, group6.m(both, 1), group6.m(both, 2)) == (1, 1, 1)
    assert group6.m(row("1123000 1 phase=bomb"), 1) == 0
    override = xt("2 1 0 0", "0121x")
    assert [str(move) for move in override.moves] == ["1,0", "3,0", "4,0"]
    assert group6.m(override, 1) == 3


@pytest.mark.parametrize(
    ("rows", "links", "expected"),
    [
        (("100", "000", "000"), (), 4),                # a corner
        (("010", "000", "000"), (), 3),                # an edge: all but along it
        (("000", "010", "000"), (), 0),                # open on all sides
        (("110", "000", "000"), (), 8),                # step 2: the corner holds its neighbour along the edge
        (("100", "010", "000"), (), 5),                # along one diagonal only
        (("100", "010", "001"), (), 4 + 1 + 4),
        (("1110", "0000", "0000"), (), 12),            # step 3: again and again
        (("1101", "0000", "0000"), (), 4 + 4 + 4),
        (("0110", "0000", "0000"), (), 3 + 3),
        (("000", "-10", "000"), (), 1),                # a hole beside it
        (("-00", "-10", "000"), (), 2),
        (("020", "010", "020"), (), 1),                # step 4: a full column
        (("020", "010", "0x0"), (), 1),                # an expansion stone fills as well
        (("020", "010", "0b0"), (), 0),                # a bonus tile is free
        (("000", "100", "000"), (), 3),
        (("000", "100", "000"), ("0 1 6 <-> 2 1 2",), 2),      # the row is a circle: no end to hold on to
        (("000", "121", "000"), ("0 1 6 <-> 2 1 2",), 3 + 3),  # a full circle
        (("-01", "1--", "1--"), ("2 0 2 <-> 0 1 0",), 12),     # from below, round the corner, along the row
        (("-01", "1--", "0--"), ("2 0 2 <-> 0 1 0",), 6),
        (("-21", "1--", "2--"), ("2 0 2 <-> 0 1 0",), 8),      # a full path round the corner
    ],
)
def test_s_is_the_sum_of_safe_axes(rows: tuple[str, ...], links: tuple[str, ...], expected: int) -> None:
    assert group6.s(xt("2 0 1 0", *rows, links=links), 1) == expected


def test_stocks() -> None:
    state = xt("2 3 2 1", "000000000", "000120000", "000210000", "000000000")
    assert group6.b_bomb(state, 1) == 2 * 3**2 * 2
    assert group6.b_override(state, 2) == 2 * 6 * 3
    wide = xt("2 1 1 2", "01200")
    assert group6.b_bomb(wide, 1) == 2 * 5**2
    assert group6.b_override(wide, 1) == pytest.approx(2 * math.sqrt(5))


def test_rivalry() -> None:
    state = row("1123000 1 bombs=2/1/0")
    # (2r + 1)² = 9, p - 1 = 2; seat 1 has 2 stones, the others 1.
    assert [group6.r_j(state, 1, j) for j in (1, 2, 3)] == [-1, 1 * 9 / (2 * 2), 0]
    assert [group6.r_prime_j(state, 1, j) for j in (1, 2, 3)] == [-1, 2 * 9 / (2 * 2), 2 * 9 / (2 * 2)]
    assert [group6.r_j(state, 3, j) for j in (1, 2, 3)] == [2 * 9 / (2 * 2), 1 * 9 / (2 * 1), -1]
    out = state.disqualify(2)
    assert (group6.r_j(out, 1, 2), group6.r_prime_j(out, 1, 2)) == (0, 0)


def test_clustering() -> None:
    state = row("1123000 1")
    # With two bombs each r_2 = r_3 = 18 / 4. Within 2r = 2 steps of the first stone lie 1 and 2, of the
    # second 1, 2 and 3; nothing is counted as near to itself.
    assert group6.c_i(state, 1).tolist() == pytest.approx([(-1 + 4.5) / 25, (-1 + 4.5 + 4.5) / 25])
    assert group6.l(state, 1) == pytest.approx(0.46)
    # Seat 3 sees 2 and one stone of seat 1.
    assert group6.l(state, 3) == pytest.approx((18 / 2 + 18 / 4) / 25)


def test_nearness_goes_through_transitions_and_not_through_holes() -> None:
    apart = xt("2 0 1 1", "1000-2000")
    assert group6.l(apart, 1) == 0
    joined = xt("2 0 1 1", "1000-2000", links=("0 0 6 <-> 8 0 2",))
    assert group6.l(joined, 1) == 0    # three steps to the left
    nearer = xt("2 0 1 1", "1000-2000", links=("0 0 6 <-> 5 0 6",))
    assert group6.l(nearer, 1) == pytest.approx(9 / 25)


def test_h_uncertain_and_h_build() -> None:
    state = row("1123000 1")
    # m = 1 (4,0), s = 8, b_bomb = 36, b_override = 0; 3 of 7 tiles are free.
    assert group6.h_build(state, 1) == pytest.approx(1 + 8 + 36 + 0 + 4 * (1 - 3 / 7) * 0.46)
    uncertain = xt("2 3 2 1", "00c000000", "000120000", "000210000", "000000000")
    assert group6.h_uncertain(uncertain, 1) == 36 + 36


def test_bombing() -> None:
    state = row("1123000 1 phase=bomb bombs=1/0/0")
    # r'_2 = r'_3 = 9 / 4.
    values = [-2, -2 + 2.25, -1 + 4.5, 4.5, 2.25, 0, 0]
    assert [group6.c_k(state, 1, k) for k in state.moves] == pytest.approx([value / 9 for value in values])
    assert str(pv.player("group6").choose(state)) == "3,0"
    # Without seat 2, which is no rival once it is disqualified, two targets are as good as each other.
    assert choices(row("1123000 1 phase=bomb bombs=1/0/0 out=2")) == {"3,0", "4,0"}


def test_while_all_is_uncertain_only_stocks_count() -> None:
    bomb = xt("2 0 0 1", "b21000", "021000", "0000c0")
    assert choices(bomb) == {"0,0:20"}             # 2 · 3² = 18 beat 2 · √18
    override = xt("2 0 0 0", "b21000", "021000", "0000c0")
    assert choices(override) == {"0,0:21"}         # 2 · 1² lose against 2 · √18
    spared = xt("2 1 0 0", "021000", "021000", "0000c0")
    assert choices(spared) == {"0,0", "0,1", "0,2"}    # any but an override stone


def test_the_last_choice_tile_ends_the_uncertainty() -> None:
    assert choices(xt("2 0 0 0", "c21000", "021000", "000000")) == {"0,0:1"}
    assert choices(xt("2 0 0 0", "c21000", "021000", "0000c0")) == {"0,0:1", "0,0:2", "0,1", "0,2"}


def test_building_it_looks_at_what_a_stone_is_worth() -> None:
    # Turning the whole row brings a stone in the corner; everything else in reach is open.
    corner = xt("2 0 0 0", "02100", "00000", "00210", "00000")
    assert choices(corner) == {"0,0"}


def test_it_stops_when_half_the_time_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, looked_at = count(), []

    def look(_state: pv.State, move: pv.Move) -> float:
        looked_at.append(move)
        return 0.0

    monkeypatch.setattr("time.perf_counter", lambda: next(clock))
    monkeypatch.setattr(group6, "worth", look)
    state = pv.game("xt:starfish").start()
    assert pv.player("group6", seed=1).choose(state, pv.Limit(seconds=10)) == looked_at[0]
    assert len(looked_at) == 6
    looked_at.clear()
    pv.player("group6", seed=1).choose(state)
    assert len(looked_at) == len(state.moves)


def test_it_says_what_it_does_not_play() -> None:
    player = pv.player("group6")
    assert "XT only" in (player.unsuited(pv.game("othello")) or "")
    assert "most stones" in (player.unsuited(pv.game("xt:arena,goal=fewest")) or "")


def plain_s(state: pv.State, seat: int) -> int:
    """The six steps of the document, one after the other."""
    steps, tiles = state.board.steps, state.tiles
    own = [cell for cell, tile in enumerate(tiles) if tile == seat]
    safe = {(cell, axis) for cell in own for axis in range(4)
            if min(steps[cell * 8 + axis], steps[cell * 8 + axis + 4]) < 0}
    while True:
        sides = {(cell, axis): [steps[cell * 8 + axis], steps[cell * 8 + axis + 4]]
                 for cell in own for axis in range(4)}
        more = {place for place, beside in sides.items() if any((to // 8, to % 4) in safe for to in beside)}
        if more <= safe:
            break
        safe |= more
    for cell in own:
        for axis in range(4):
            path, waiting = {(cell, axis)}, [(cell, axis)]
            while waiting:
                at, along = waiting.pop()
                ahead = {steps[at * 8 + along], steps[at * 8 + along + 4]} - {-1}
                new = {(to // 8, to % 4) for to in ahead} - path
                path |= new
                waiting += new
            if all(tiles[at] not in group6.FREE for at, _ in path):
                safe.add((cell, axis))
    return len(safe)


def plain_l(state: pv.State, seat: int) -> float:
    """The sum of the clustering factors, stone by stone and neighbour by neighbour."""
    steps, tiles, radius, total = state.board.steps, state.tiles, state.game.definition.radius, 0.0
    for stone in (cell for cell, tile in enumerate(tiles) if tile == seat):
        reached = {stone}
        for _ in range(2 * radius):
            ahead = {steps[cell * 8 + d] for cell in reached for d in range(8)} - {-1}
            reached |= {to // 8 for to in ahead}
        total += sum(group6.r_j(state, seat, tiles[cell]) for cell in reached - {stone}
                     if 1 <= tiles[cell] <= state.game.seats)
    return total / (4 * radius + 1) ** 2


@pytest.mark.parametrize("spec", ["xt:arena,players=2", "xt:torus", "xt:wormholes,seed=2", "xt:starfish"])
def test_terms_equal_their_plain_versions(spec: str) -> None:
    rng, state, game = random.Random(1), pv.game(spec).start(), pv.game(spec)
    for ply in count():
        if state.phase == "bomb" or state.is_over:
            break
        if ply % 40 == 0:
            for seat in range(1, game.seats + 1):
                assert group6.s(state, seat) == plain_s(state, seat)
                assert group6.l(state, seat) == pytest.approx(plain_l(state, seat))
        state = state.play(rng.choice(state.moves))


@pytest.mark.slow
def test_it_wins_against_random() -> None:
    games = [against_random("group6", "xt:arena,players=2", number) for number in range(20)]
    assert [faults(game) for game in games] == [[]] * 20
    assert sum(game.result.winner == 1 + number % 2 for number, game in enumerate(games)) >= 16
