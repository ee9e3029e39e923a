"""The Reversi XT player: its position against the rules, its search against minimax, limits, bombs, games."""

from __future__ import annotations

import subprocess
import sys
import threading
from functools import cache
from random import Random

import pytest

import polyversi as pv
from polyversi import _core
from polyversi.games.xt import xt_game
from polyversi.games.xtmap import XtMap
from polyversi.players.weights import written_weights
from polyversi.players.xt import XtPlayer, time_for_a_move
from tests.reference.rules import FREE
from tests.testing.reference_xt import (
    DEFAULT,
    crowded_map,
    engine,
    is_building,
    margin_of,
    random_line,
    seats_of,
    xt,
)
from tests.testing.timeout import TIMEOUT

STONES_ALONE = {
    **dict.fromkeys(DEFAULT, 0.0), "doubt_empty": 0.1, "doubt_full": 0.1,
    "stones_empty": 1.0, "stones_half": 1.0, "stones_full": 1.0,
}
"""Weights that count nothing but stones, at all times alike."""
LEVEL = 18
"""Points that two seats may expect who are level: halfway between the first rank and the second."""
DRAWN = 18
"""Points of a game that has ended level: both are first."""


# Search


def replies(state: pv.State, seat: int, searched: _core.XtEngine, method: str) -> list[pv.State]:
    """Where the next move may lead: of whose turn it is, or by best replies of any seat but the one."""
    if method == "paranoid" or state.turn == seat:
        return [state.play(move) for move in state.moves]
    tiles, _, *rest = state.text.split(" ")
    moves = searched.measure(state)["mobility"]
    others = set(seats_of(state)) - {seat, *state.out}
    turns = [
        state.game.position(" ".join([tiles, str(other), *rest])) for other in others if moves[other - 1]
    ]
    return [turn.play(move) for turn in turns for move in turn.moves]


@pytest.mark.parametrize("method", ["best-reply", "paranoid"])
def test_its_values_are_those_of_the_positions_that_it_reaches(method: str) -> None:
    """Found by its own moves, and by the rules: with stones, cells, inversions and all that."""
    chance, checked = Random(1), [0, 0]
    for _ in range(400):
        head, tiles, *links = crowded_map(chance).splitlines()
        players, _, *size = head.split()
        # Override stones and bonus tiles are looked at only in part.
        text = "\n".join([" ".join([players, "0", *size]), tiles.replace("b", "i"), *links])
        for state in random_line(xt_game(XtMap.parse(text)).start(), chance):
            if len(state.moves) == 1:
                continue
            searched, seat = engine(state, method=method), state.turn
            after = [state.play(move) for move in state.moves]
            if not all(map(is_building, after)):
                continue
            best = max(searched.evaluate(child, seat) for child in after)
            assert searched.think(state, depth=1, seconds=None, soft_seconds=None, nodes=None)[1] == best
            checked[0] += 1
            answers = [(child.turn, replies(child, seat, searched, method)) for child in after]
            if not all(is_building(answer) for _, several in answers for answer in several) or "c" in tiles:
                continue
            best = max(
                (max if turn == seat else min)(searched.evaluate(answer, seat) for answer in several)
                for turn, several in answers
            )
            assert searched.think(state, depth=2, seconds=None, soft_seconds=None, nodes=None)[1] == best
            checked[1] += 1
    assert checked[0] > checked[1] > 50


SMALL = {
    "othello": ("2 0 0 0", "0000", "0120", "0210", "0000"),
    "wide": ("2 0 0 0", "00000", "01210", "02120"),
    "inversion and choice": ("2 0 0 0", "i000c", "01210", "02120"),
    "two of each": ("2 0 0 0", "c00i", "0120", "0210", "i00c"),
    "expansions": ("2 0 0 0", "0x000", "01210", "0212x"),
}
RING = ("0 0 6 <-> 3 0 2", "0 2 6 <-> 3 2 2")


def check_best(state: pv.State, searched: _core.XtEngine) -> None:
    """A search to the end finds a move that is best, and knows who wins."""
    known: dict[pv.State, int] = {}
    margins = {move: margin_of(state.play(move), state.turn, known) for move in state.moves}
    move, value, _, _ = searched.think(state, depth=60, seconds=None, soft_seconds=None, nodes=None)
    best = max(margins.values())
    assert margins[move] == best, (state.text, move, margins)
    assert (value > DRAWN) == (best > 0), (state.text, value, best)
    assert (value < DRAWN) == (best < 0), (state.text, value, best)


@pytest.mark.parametrize(
    ("name", "links"),
    # The transitions join the sides of a map of four columns.
    [(name, links) for name, rows in SMALL.items() for links in ((), RING) if not links or len(rows[1]) == 4],
)
def test_to_the_end_it_finds_the_best_move(name: str, links: tuple[str, ...]) -> None:
    rows = SMALL[name]
    start, checked = xt(*rows, links=links), 0
    searched = engine(start)    # the same one for all: what it remembers must not lead it astray
    for seed in range(6):
        for state in random_line(start, Random(seed)):
            if sum(tile in FREE for tile in state.tiles) <= 8 and len(state.moves) > 1 and not state.out:
                check_best(state, searched)
                checked += 1
    assert checked > 10


def outcome(state: pv.State, seat: int, known: dict[pv.State, int]) -> int:
    """1 if a seat of two wins, 0 for a draw, -1 if it loses, in plain Python.

    Every line is searched to its end, except those that begin after a winning move was found.
    """
    if state.is_over:
        lead = state.scores[seat - 1] - state.scores[2 - seat]
        return (lead > 0) - (lead < 0)
    if state not in known:
        side = 1 if state.turn == seat else -1
        best = -1
        # Few answers first: only the order of the moves depends on it.
        for after in sorted(map(state.play, state.moves), key=lambda after: len(after.moves)):
            best = max(best, side * outcome(after, seat, known))
            if best == 1:
                break
        known[state] = side * best
    return known[state]


@pytest.mark.parametrize(("rows", "position", "best"), [
    # To depth 6 it would play 4,0, which loses.
    ("0000000 0012000 00210-0 0000000", "012000001111000022200000000 2 overrides=0/0 last=1", "3,0"),
    ("0000000 0012000 0021000 0000000", "0001000022100000120000112200 1 overrides=0/0 last=2", "5,3"),
    ("000120000 0-0210000 0000000-0", "0001200000111000000210000 2 overrides=1/1 last=1", "2,0"),
])
def test_endings_with_18_free_cells_are_solved(rows: str, position: str, best: str) -> None:
    """One move wins and all others lose."""
    state = xt("2 1 0 0", *rows.split()).game.position(position)
    assert sum(tile in FREE for tile in state.tiles) == 18
    known: dict[pv.State, int] = {}
    outcomes = {str(move): outcome(state.play(move), state.turn, known) for move in state.moves}
    assert outcomes == dict.fromkeys(outcomes, -1) | {best: 1}
    found = XtPlayer().search(state, pv.Limit(nodes=1_000_000))
    assert str(found.move) == best and found.value > 25


def plain_points(state: pv.State, known: dict[pv.State, list[float]]) -> list[float]:
    """What every seat gets if each plays for its own points to the end, in plain Python."""
    if state.result is not None:
        return list(state.result.points)
    if state not in known:
        ends = [plain_points(state.play(move), known) for move in state.moves]
        known[state] = max(ends, key=lambda points: points[state.turn - 1])
    return known[state]


@pytest.mark.parametrize(("rows", "best"), [
    ("231 132 002", "0,0"), ("3331 1102 1303", "0,0"), ("10312 10123", "4,1"),
])
def test_it_sees_who_has_the_last_word(rows: str, best: str) -> None:
    """Everybody has one override stone, and one move alone wins. It has the highest value before any search,
    but not if override stones are only counted."""
    state = xt("3 1 0 0", *rows.split())
    known: dict[pv.State, list[float]] = {}
    after = {str(move): state.play(move) for move in state.moves}
    points = {move: plain_points(child, known)[state.turn - 1] for move, child in after.items()}
    assert points.pop(best) == 25 > max(points.values())
    weights = {name: weight.value for name, weight in XtPlayer.weights_for(many=True).items()}
    for last_word in (weights["last_word"], 0.0):
        measured = engine(state, weights | {"last_word": last_word})
        highest = max(after, key=lambda move: measured.evaluate(after[move], state.turn))
        assert (highest == best) == (last_word > 0)


@pytest.mark.parametrize("tiles", ["121221x112", "2112121221", "1x12212x12", "2221211122"])
def test_to_the_end_with_override_stones(tiles: str) -> None:
    """Who could place a stone freely is not looked at with an override stone deeper in the tree, and of many
    overrides only the ten that turn most are: on a full map of ten cells neither leaves anything out."""
    game = xt("2 3 0 0", tiles[:5], tiles[5:]).game
    for stocks in ("1/1", "2/1", "1/2", "2/2"):
        for turn in (1, 2):
            state = game.position(f"{tiles} {turn} overrides={stocks}")
            assert is_building(state)
            if len(state.moves) > 1:
                check_best(state, engine(state))


@pytest.mark.parametrize(
    "tiles",
    ["1232113212", "1x32213x12", "1243214342", "1254215342", "3142153251", "1x53215x34", "2421551324"],
)
def test_the_end_of_a_game_of_many(tiles: str) -> None:
    """The last move of all is one with the most points; before it the same limit finds the same move."""
    seats = int(max(tiles.replace("x", "")))
    game = xt(f"{seats} 3 0 0", tiles[:5], tiles[5:]).game
    for turn in (1, 2, seats):
        stocks = "/".join(str(int(seat == turn)) for seat in range(1, seats + 1))
        state = game.position(f"{tiles} {turn} overrides={stocks}")
        ends = {move: state.play(move).result for move in state.moves}
        points = {move: end.points[turn - 1] for move, end in ends.items() if end is not None}
        found = XtPlayer().search(state, pv.Limit(nodes=5_000))
        assert points[found.move] == max(points.values())
        assert XtPlayer().search(state, pv.Limit(nodes=1)).depth == 1
    state = game.position(f"{tiles} 1 overrides={'/'.join('2' * seats)}")
    found = XtPlayer().search(state, pv.Limit(nodes=5_000))
    assert found == XtPlayer().search(state, pv.Limit(nodes=5_000))
    assert XtPlayer().search(state, pv.Limit(nodes=5_000, depth=2)).depth == 2    # a depth asks for a search


@cache
def expected(state: pv.State, seat: int) -> tuple[float, float]:
    """The fewest and the most points that a seat can have where everybody plays for its own, and does not
    care which of several moves it takes that earn it as much."""
    if state.result is not None:
        return state.result.points[seat - 1], state.result.points[seat - 1]
    mine = [(expected(after, state.turn), after) for after in map(state.play, state.moves)]
    enough = max(least for (least, _), _ in mine)
    ends = [expected(after, seat) for (_, most), after in mine if most >= enough]
    return min(least for least, _ in ends), max(most for _, most in ends)


@pytest.mark.parametrize("seed", range(12))
def test_every_seat_plays_for_its_own_points(seed: int) -> None:
    """The last moves of games of three and four on small maps."""
    chance, checked = Random(seed), 0
    while checked < 4:
        seats = chance.choice((3, 4))
        rows = ["".join(chance.choice("0123x4"[: seats + 2]) for _ in range(4)) for _ in range(4)]
        start = xt(f"{seats} {chance.randrange(2)} 0 0", *rows)
        if start.is_over:    # nobody could ever move
            continue
        line = list(random_line(start, chance))
        state = line[max(0, len(line) - 4)]
        if len(state.moves) < 2:
            continue
        chosen = XtPlayer().choose(state, pv.Limit(nodes=30_000))
        values = {move: expected(state.play(move), state.turn) for move in state.moves}
        assert values[chosen][1] >= max(least for least, _ in values.values()), state.text
        checked += 1


def test_it_keeps_its_override_stones_for_the_last_word() -> None:
    """Four cells are free, and who overrides after everybody else wins: a position of a game that it lost by
    overriding here, as a search with best replies, which leaves a third of the moves out, would again."""
    state = pv.game("xt:moebius,players=3,seed=3").position(
        "222222222222222222222222333111111133333333323232333333333333233031112223232122223332"
        "222222222222223221231323133011333333333333313111111111333232222221311111111030132222"
        " 2 overrides=3/2/2 last=1"
    )
    for nodes in (5_000, 20_000):
        move = XtPlayer().choose(state, pv.Limit(nodes=nodes))
        assert state.play(move).overrides == state.overrides


@pytest.mark.parametrize("method", ["best-reply", "paranoid"])
def test_a_disqualified_seat_is_reckoned_with_no_longer(method: str) -> None:
    """Whatever it remembers of the same positions from before. So deep the order of moves does not matter."""
    start = pv.game("xt:arena,players=4").start()
    for seed in range(5):
        state = list(random_line(start, Random(seed)))[40]
        if state.out:
            continue
        searched = engine(state, method=method)
        searched.think(state, depth=2, seconds=None, soft_seconds=None, nodes=None)
        for seat in seats_of(state):
            without = state.disqualify(seat)
            again = searched.think(without, depth=2, seconds=None, soft_seconds=None, nodes=None)
            fresh = engine(state, method=method).think(
                without, depth=2, seconds=None, soft_seconds=None, nodes=None
            )
            assert again[1] == fresh[1]


# Limits and options


def test_depths_and_levels() -> None:
    state = pv.game("xt:arena,players=2").start()
    for depth in (1, 2, 3, 4, 5):
        assert XtPlayer().search(state, pv.Limit(depth=depth)).depth == depth
    for level in (1, 2, 3, 4):
        assert XtPlayer(level).search(state, pv.Limit(nodes=10**6)).depth == level
        assert XtPlayer(level).search(state, pv.Limit(depth=2)).depth == min(level, 2)
    assert XtPlayer().search(state).depth == 4    # the default depth, where no limit says anything
    assert XtPlayer().search(state, pv.Limit(nodes=20_000)).depth > 4


@pytest.mark.parametrize("spec", ["xt:arena,players=2", "xt:arena,players=4", "xt:starfish"])
def test_nodes(spec: str) -> None:
    """All moves are always looked at once; beyond that it sees after every position that enough is enough."""
    state = pv.game(spec).start()
    once = XtPlayer().search(state, pv.Limit(nodes=1))
    assert once.depth == 1
    assert once.nodes <= len(state.moves) + 1
    # The moves of one position are ordered, tried less deeply, tried, and looked at whole.
    most_beyond = 4 * state.board.size
    for nodes in (100, 1_000, 10_000):
        found = XtPlayer().search(state, pv.Limit(nodes=nodes))
        assert nodes <= found.nodes <= max(nodes, once.nodes) + most_beyond


def test_an_only_move_needs_no_search() -> None:
    state = xt("3 0 0 0", "02321", "00000")
    assert [str(move) for move in state.moves] == ["0,0"]
    found = XtPlayer().search(state, pv.Limit(depth=5))
    assert (str(found.move), found.nodes, found.depth) == ("0,0", 0, 0)


def test_options() -> None:
    assert tuple(XtPlayer.WEIGHTS) == _core.XT_WEIGHTS
    for player in (XtPlayer(), XtPlayer(level=3, method="paranoid"), XtPlayer(weights="corner=2.5/bomb=0")):
        assert pv.player(player.spec()) == player
    for options, message in (
        ({"level": 0}, r"xt cannot take level=0; write level=1\|2\|3\|4\|5"),
        ({"level": 6}, "cannot take level=6"),
        ({"weights": "corner=99"}, "the weight 'corner' cannot be 99"),
        ({"weights": "corners=1"}, "there is no weight 'corners'"),
        ({"weights": "corner=much"}, "'corner=much' is not a weight"),
        ({"weights": "no such file.json"}, "cannot be read"),
    ):
        with pytest.raises(pv.PlayerError, match=message):
            pv.player("xt", **options)
    with pytest.raises(pv.PlayerError, match="cannot take method=greedy"):
        pv.player("xt:method=greedy")
    assert pv.player("xt").unsuited(pv.game("othello")) == "it plays Reversi XT only, such as xt:starfish"
    assert pv.player("xt").unsuited(pv.game("anti-xt:starfish")) == "it wants the most stones"
    assert pv.player("xt").unsuited(pv.game("xt:starfish")) is None


def test_weights_change_its_mind() -> None:
    """With stones alone a move that turns three is better than one that turns one, at the first glance."""
    state = xt("2 0 0 0", "02221", "02100", "00000")
    weights = "/".join(f"{name}={max(value, XtPlayer.WEIGHTS[name].low):g}"
                       for name, value in STONES_ALONE.items())
    assert str(pv.player("xt", weights=weights).choose(state, pv.Limit(depth=1))) == "0,0"


# Evaluation


def values(state: pv.State, **weights: float) -> list[float]:
    """What each seat may expect when stones alone count, and so much of the weights that are given."""
    measured = engine(state, STONES_ALONE | weights)
    return [measured.evaluate(state, seat) for seat in seats_of(state)]


@pytest.mark.parametrize(("seats", "points"), [(2, 18), (3, 13), (4, 9.375), (8, 2.437)])
def test_who_is_level_may_have_any_rank(seats: int, points: float) -> None:
    """As if a coin were thrown for every other seat: of eight, all are below with a chance of 1/128."""
    row = "".join(map(str, range(1, seats + 1)))
    assert values(xt(f"{seats} 0 0 0", row + "00", "0" * seats + "00")) == [points] * seats


def test_stones_that_will_be_handed_on() -> None:
    """Seat 1 has most stones, seat 2 fewer, seat 3 fewest; an inversion gives each to the seat after it."""
    rows = "11110222033", "0{}0{}0{}00120"
    plain = xt("3 0 0 0", *(row.format(0, 0, 0) for row in rows))
    first, second, third = values(plain, inverted=1)
    assert first > second > third
    one, two, three = (
        values(xt("3 0 0 0", *(row.format(*tiles) for row in rows)), inverted=1)
        for tiles in ("i00", "ii0", "iii")
    )
    assert one == [third, first, second]
    assert two == [second, third, first]
    assert three == [first, second, third]
    trusting = xt("3 0 0 0", *(row.format(*"i00") for row in rows))
    assert values(trusting, inverted=0) == [first, second, third]


def test_two_inversions_give_two_seats_their_own_again() -> None:
    rows = "11110220", "{}0{}00120"
    plain, one, two = (
        values(xt("2 0 0 0", rows[0], rows[1].format(*tiles)), inverted=1) for tiles in ("00", "i0", "ii")
    )
    assert plain[0] > LEVEL > plain[1]
    assert one == plain[::-1]
    assert two == plain


def test_stones_that_will_be_chosen_are_worth_nothing() -> None:
    rows = "11110220", "{}0000120"
    chosen = xt("2 0 0 0", rows[0], rows[1].format("c"))
    assert values(chosen, chosen=1) == [LEVEL, LEVEL]
    first, second = values(chosen, chosen=0)
    assert first > LEVEL > second
    gone = xt("2 0 0 0", rows[0], rows[1].format("0"))
    assert values(gone, chosen=1) == [first, second]


def test_override_stones_are_of_little_use_to_who_is_nearly_wiped_out() -> None:
    """Seats 1 and 2 have two of them each, seat 1 with its last stone, seat 3 has none."""
    game = xt("3 0 0 0", "1222233330", "0000000000").game
    weights = {"stones_empty": 0, "stones_half": 0, "override_empty": 1, "override_full": 1, "danger": 2}
    last_stone, many, without = values(
        game.position("12222333300000000000 1 overrides=2/2/0"), **weights
    )
    assert many > last_stone > without


def test_a_share_of_the_override_stones() -> None:
    """It counts for more while few are left."""
    game = xt("3 0 0 0", "1122330000").game
    without, few, many = (
        values(game.position(f"1122330000 1 overrides={stocks}"), override_share=1)
        for stocks in ("0/0/0", "2/1/1", "5/4/4")
    )
    assert without[0] == without[1] < many[0] < few[0]


def test_who_has_the_last_word() -> None:
    """Everybody has two override stones and as many stones; whose turn it is when the map is full decides."""
    game = xt("3 0 0 0", "112233000").game
    weights = {"last_word": 1, "turned": 1, "in_sight": 1}
    first, second, third = values(game.position("112233123 1 overrides=2/2/2"), **weights)
    assert third > second > first
    assert values(game.position("112233123 2 overrides=2/2/2"), **weights) == [third, first, second]


def test_a_lead_decides_more_among_many() -> None:
    """With half as much doubt among four as among two."""
    state = xt("4 0 0 0", "1112340000")
    assert values(state, doubt_seats=1) == values(state, doubt_empty=0.05, doubt_full=0.05)
    two = xt("2 0 0 0", "1112000000")
    assert values(two, doubt_seats=1) == values(two)


def test_two_seats_and_many_have_their_own_weights() -> None:
    for seats, many in (2, False), (3, True):
        state = xt(f"{seats} 0 0 0", "00000000", "00012000", "00021000", "00000000")
        limit = pv.Limit(nodes=500)
        weights = {name: weight.value for name, weight in XtPlayer.weights_for(many=many).items()}
        by_default = XtPlayer().search(state, limit)
        assert by_default == XtPlayer(weights=written_weights(weights)).search(state, limit)
        others = {name: weight.value for name, weight in XtPlayer.weights_for(many=not many).items()}
        assert by_default.value != XtPlayer(weights=written_weights(others)).search(state, limit).value


def test_a_sample_of_positions_is_valued_as_the_player_values_them() -> None:
    start = xt("3 1 1 1", "0b00i0", "012310", "0c32x0")
    states = list(random_line(start, Random(3)))
    sample = _core.XtSample(start)
    for state in states:
        sample.add(state)
    for many in (False, True):
        weights = {name: weight.value for name, weight in XtPlayer.weights_for(many=many).items()}
        alone = [engine(start, weights).evaluate(state, seat) for state in states for seat in seats_of(state)]
        assert sample.values([weights[name] for name in _core.XT_WEIGHTS]) == alone
    with pytest.raises(ValueError, match="of another game"):
        sample.add(xt("2 0 0 0", "0120"))
    with pytest.raises(ValueError, match="every weight needs a number"):
        sample.values([1.0])


# Bombs


def bombing(tiles: str, bombs: str, radius: int = 1, turn: int = 1) -> pv.State:
    """A position in a row of tiles, with bombs for every seat."""
    seats = bombs.count("/") + 1
    game = xt(f"{seats} 0 1 {radius}", "0" * len(tiles)).game
    return game.position(f"{tiles} {turn} phase=bomb bombs={bombs}")


def hit(state: pv.State) -> str:
    """The tiles that its bomb destroys."""
    target = pv.player("xt").choose(state, pv.Limit(nodes=10_000))
    return "".join(sorted(state.text[cell] for cell in state.turned(target)))


def test_it_bombs_whose_fall_gains_a_rank() -> None:
    # Seat 2 leads seat 1 by a stone; the three stones of seat 3 in a heap are worth nothing to seat 1.
    assert hit(bombing("11111000220022002200333", "1/0/0")) == "022"
    assert hit(bombing("111110002200220022000333", "1/1/1")) == "022"
    # The other way round: seat 3 is the one ahead.
    assert hit(bombing("11110003030303030022200", "1/0/0", radius=1)) == "033"
    # Seat 1 is beyond seat 3's reach: it fights with seat 2 for the second rank.
    assert "2" in hit(bombing("1111111111000202020300303", "0/0/1", turn=3))


def test_a_bomb_of_radius_0() -> None:
    assert hit(bombing("111022233", "1/0/0", radius=0)) == "2"
    assert hit(bombing("22112", "1/1", radius=0)) == "2"


def test_it_spares_its_own_stones() -> None:
    assert hit(bombing("111211100", "1/1")) == "00"
    assert hit(bombing("1112111000000", "3/0")) == "000"
    assert "1" not in hit(bombing("1122110022001", "1/1"))
    assert hit(bombing("12121222", "1/0", radius=0)) == "2"


@pytest.mark.parametrize("seats", [2, 3, 4, 8])
def test_the_last_bomb_of_a_game_earns_what_can_be_had(seats: int) -> None:
    """Nothing comes after it, so that the points of each target are known; a tie shares the better rank."""
    chance = Random(seats)
    for radius in (0, 1):
        game = xt(f"{seats} 0 1 {radius}", *["000000"] * 4).game
        for _ in range(40):
            tiles = "".join(chance.choice("012345678"[: seats + 1]) for _ in range(24))
            state = game.position(f"{tiles} 1 phase=bomb bombs=1{'/0' * (seats - 1)}")
            points = {move: earned(state.play(move)) for move in state.moves}
            chosen = pv.player("xt").choose(state, pv.Limit(nodes=10_000))
            assert points[chosen] == max(points.values()), state.text


def earned(end: pv.State) -> float:
    assert end.result is not None
    return end.result.points[0]


def worth(state: pv.State, seat: int, known: dict[pv.State, float]) -> float:
    """The exact value of a game of two for a seat, in plain Python: the points, then the stones."""
    if state.is_over:
        lead = state.scores[seat - 1] - state.scores[2 - seat]
        return (25 if lead > 0 else 18 if lead == 0 else 11) + lead / 1000
    if state not in known:
        best = max if state.turn == seat else min
        known[state] = best(worth(state.play(move), seat, known) for move in state.moves)
    return known[state]


def check_solved(state: pv.State) -> None:
    known: dict[pv.State, float] = {}
    values = {move: worth(state.play(move), state.turn, known) for move in state.moves}
    chosen = pv.player("xt").choose(state, pv.Limit(nodes=20_000))
    assert values[chosen] == max(values.values()), (state.text, chosen, values)


@pytest.mark.parametrize("bombs", ["1/1", "2/1", "1/2"])
def test_bombing_with_few_bombs_is_solved(bombs: str) -> None:
    chance = Random(bombs)
    for _ in range(30):
        rows = ["".join(chance.choice("011221-") for _ in range(4)) for _ in range(3)]
        rows[0] = "1" + rows[0][1:]    # not nothing but holes
        game = xt(f"2 0 1 {chance.choice((1, 1, 2))}", *rows).game
        check_solved(game.position("".join(rows).replace("-", "") + f" 1 phase=bomb bombs={bombs}"))


@pytest.mark.parametrize(("rows", "bombs"), [
    (("2112210", "2222122"), "1/2"),
    (("11121", "11111", "21122"), "1/1"),
    (("11100", "12211", "22210"), "2/1"),
])
def test_bombs_that_were_once_thrown_badly(rows: tuple[str, ...], bombs: str) -> None:
    """Each turned a win into a draw, or a draw into a loss, when only one bomb was looked ahead."""
    game = xt("2 0 1 1", *rows).game
    check_solved(game.position("".join(rows) + f" 1 phase=bomb bombs={bombs}"))


@pytest.mark.parametrize("rows", [
    ("11b1", "1121", "2111"), ("2112", "1111", "1b21"), ("12b1", "1111", "2111"),
])
def test_one_more_bomb_can_be_a_burden(rows: tuple[str, ...]) -> None:
    """The leader would have to throw it at its own stones: the override stone wins, the bomb only draws."""
    state = xt("2 0 1 1", *rows)
    known: dict[pv.State, float] = {}
    values = {move.special: worth(state.play(move), state.turn, known) for move in state.moves}
    assert values[20] == 18 and values[21] > 25
    assert pv.player("xt").choose(state, pv.Limit(nodes=10_000)).special == 21


def test_a_bomb_is_taken_where_it_wins() -> None:
    state = xt("2 0 0 2", "2222", "2b21", "2121")
    check_solved(state)
    assert pv.player("xt").choose(state, pv.Limit(nodes=10_000)).special == 20


def test_what_was_saved_is_spent_on_the_last_bombs() -> None:
    limit = pv.Limit(bank=20, increment=1)
    one, five = (time_for_a_move(bombing("1112200", f"{bombs}/1"), limit)[0] for bombs in (1, 5))
    assert one is not None and five is not None and one > 15 > five > 4


# Games


@pytest.mark.parametrize(
    ("spec", "nodes"),
    [("xt:arena,players=2", 50), ("xt:random,players=2", 50), ("xt:arena,players=3", 30),
     ("xt:minefield,players=4", 20), ("xt:cube,players=8", 10)],
)
def test_whole_games(spec: str, nodes: int) -> None:
    game = pv.game(spec)
    methods = ("tree", "best-reply", "paranoid")
    players = [pv.player("xt", method=methods[seat % 3]) for seat in range(game.seats)]
    finished = pv.play(game.start(), players, pv.Limit(nodes=nodes))
    assert finished.offences == ()
    assert finished.verdict.kind in ("win", "draw")
    assert finished.record.final.result == finished.result


def test_it_plays_on_when_a_seat_is_out() -> None:
    state, player = pv.game("xt:arena,players=3").start(), pv.player("xt")
    for seat in (2, 1):
        for _ in range(6):
            move = player.choose(state, pv.Limit(nodes=200))
            assert move in state.moves
            state = state.play(move)
        state = state.disqualify(seat)
    assert state.is_over


def test_two_threads_ask_the_same_player() -> None:
    """They take turns, whatever the player remembers."""
    player, start = pv.player("xt"), pv.game("xt:arena,players=4").start()
    states = [list(random_line(start, Random(seed)))[10 + seed] for seed in range(8)]
    answers: dict[int, list[pv.Move]] = {}

    def ask(number: int) -> None:
        answers[number] = [player.choose(state, pv.Limit(nodes=3_000)) for state in states[number::2]]

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number in range(2):
        for move, state in zip(answers[number], states[number::2], strict=True):
            assert move in state.moves


ASKED_WHILE_THINKING = """
import threading
import polyversi as pv
from polyversi import _core
start = pv.game("xt:starfish").start()
engine = _core.XtEngine(start, [0.1] * len(_core.XT_WEIGHTS), "paranoid", 10)
bombing = start.game.position(start.text + " phase=bomb")
thinking = threading.Thread(target=lambda: engine.think(bombing, 1, None, None, None))
thinking.start()
while thinking.is_alive():
    engine.perft(start, 1), engine.measure(start), engine.evaluate(start, 1)
"""


def test_whoever_asks_while_it_thinks_waits_for_it() -> None:
    """In a process of its own: two threads that wait for each other would never end."""
    subprocess.run([sys.executable, "-c", ASKED_WHILE_THINKING], check=True, timeout=TIMEOUT)
