"""Random games of every variant through the core and the plain reference, compared after every move."""

import os
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

import polyversi as pv
from polyversi.games.board import Board, hexagon, joined, rectangle
from polyversi.games.mapkinds import KINDS
from polyversi.games.xt import xt_game
from polyversi.games.xtmap import XtMap, check_playable
from tests import reference as ref
from tests.testing.marks import slow_but
from tests.testing.reference_game import derived_steps, reference_game
from tests.testing.specs import SPECS

# HYPOTHESIS_PROFILE=thorough runs for many minutes; the test run of every day takes the quick one.
settings.register_profile("quick", max_examples=4, deadline=None)
settings.register_profile("thorough", max_examples=400, deadline=None)
PROFILE = settings.get_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))
MANY = settings(PROFILE, max_examples=12 * PROFILE.max_examples)
"""For games on small boards, which are quickly played."""

MORE = (
    "othello-5",
    "othello-9",
    "othello:width=4,height=9",
    "othello-6:holes=a1+c5+f3",
    "reversi-5",
    "cylinder-5:start=parallel",
    "torus-4",
    "torus:width=4,height=5,goal=fewest",
    "anti-reversi-6",
    "anti-hex:side=4",
    "hex:passing=forced",
    "hex:side=3",
    "hex:side=4,start=ring",
    "hex:start=ring,passing=free",
    "hex:side=6,seats=3",
    "hex:side=5,seats=3,passing=free,goal=fewest",
)
SLOW = ("othello-26", "hex:side=8,start=ring,passing=free")
"""Too large for the plain implementation to play in every run."""
VARIANTS = [*(spec for spec in SPECS if not spec.startswith("xt:") and spec not in SLOW), *MORE]
QUICK = (
    "othello", "othello-5", "othello-6:holes=a1+c5+f3", "reversi", "anti-6", "rolit",
    "cylinder-5:start=parallel", "torus-4", "hex:side=4,start=ring", "anti-hex:side=4", "hex:side=6,seats=3",
)
"""One of each kind of board and rules: random games of these are played in every run."""
SEEDS = st.integers(0, 2**32 - 1)
XT_TILES = "0-cibx12345678"


def by_graph(game: pv.Game) -> pv.Game:
    """The same game, never served by bit positions."""
    return pv.Game(game.spec, game.definition, kernel="graph")


def seen(state: pv.State) -> dict[str, Any]:
    """Everything the rules say about a position, as the package gives it."""
    result = state.result
    return {
        "moves": [(move.cell, move.special) for move in state.moves],
        "turned": [sorted(state.turned(move)) for move in state.moves],
        "tiles": tuple(state.tiles),
        "turn": state.turn,
        "phase": state.phase,
        "overrides": state.overrides,
        "bombs": state.bombs,
        "passes": state.passes,
        "out": state.out,
        "last": state.last,
        "over": state.is_over,
        "scores": state.scores,
        "result": result
        and (result.reason, result.scores, result.ranks, result.points, result.winners, result.verdict),
    }


def expected(state: ref.RefState) -> dict[str, Any]:
    """The same as the reference gives it."""
    result = state.result()
    moves = state.legal_moves()
    return {
        "moves": moves,
        "turned": [sorted(state.turned(cell)) for cell, _ in moves],
        "tiles": state.tiles,
        "turn": state.turn,
        "phase": state.phase,
        "overrides": state.overrides,
        "bombs": state.bombs,
        "passes": state.passes,
        "out": state.out,
        "last": state.last,
        "over": state.over,
        "scores": state.scores(),
        "result": result
        and (result.reason, state.scores(), result.ranks, result.points, result.winners, result.verdict),
    }


def agree(states: list[pv.State], model: ref.RefState) -> None:
    """All states are the position of the reference, and their lines of text are read as the same position."""
    wanted = expected(model)
    for state in states:
        assert seen(state) == wanted, state
        assert state.game.position(state.text) == state


def play_on(states: list[pv.State], model: ref.RefState, chance: Random, plies: int = 10_000) -> None:
    """Play at random to the end, or so many plies; in some games of XT seats are disqualified on the way."""
    rate = chance.choice((0.0, 0.03, 0.2)) if model.game.passing == "skip" else 0.0
    agree(states, model)
    while not model.over and plies:
        plies -= 1
        moves = model.legal_moves()
        if chance.random() < rate:
            seat = chance.choice([seat for seat in model.game.order_after(0) if seat not in model.out])
            states = [state.disqualify(seat) for state in states]
            model = model.disqualify(seat)
        else:
            if ref.PASS in moves and len(moves) > 1 and chance.random() < 0.9:
                moves.remove(ref.PASS)  # otherwise most games end before they have begun
            number = model.legal_moves().index(chance.choice(moves))
            states = [state.play(state.moves[number]) for state in states]
            model = model.play(*model.legal_moves()[number])
        agree(states, model)


@pytest.mark.parametrize("spec", VARIANTS)
def test_steps(spec: str) -> None:
    board = pv.game(spec).board
    steps = derived_steps(board)
    count = board.directions
    wanted = [steps.get((cell, direction)) for cell in range(board.size) for direction in range(count)]
    assert board.steps == tuple(-1 if step is None else step[0] * count + step[1] for step in wanted)


def test_torus_is_joined_on_all_sides() -> None:
    assert derived_steps(pv.game("torus:width=6,height=5").board) == ref.torus(6, 5)
    assert derived_steps(pv.game("torus-4").board) == ref.torus(4, 4)


@pytest.mark.parametrize("spec", slow_but(VARIANTS, *QUICK))
def test_random_games(spec: str) -> None:
    game = pv.game(spec)
    graph = by_graph(game)
    rules = reference_game(game)

    @PROFILE
    @given(seed=SEEDS)
    def games(seed: int) -> None:
        start = game.start(seed=seed)
        model = ref.RefState.start(rules, tiles=start.tiles)
        play_on([start, graph.start(seed=seed)], model, Random(seed))

    games()


@pytest.mark.parametrize("spec", VARIANTS)
def test_random_positions(spec: str) -> None:
    """Boards no game would lead to: the moves there, and one and two plies on."""
    game = pv.game(spec)
    graph = by_graph(game)
    rules = reference_game(game)
    symbols = "-XO" if game.seats == 2 else "-1234"

    @PROFILE
    @given(seed=SEEDS, full=st.floats(0.05, 1))
    def positions(seed: int, full: float) -> None:
        chance = Random(seed)
        stones = range(1, game.seats + 1)
        tiles = [chance.choice(stones) if chance.random() < full else 0 for _ in range(game.board.size)]
        turn = chance.choice(stones)
        text = "".join(symbols[tile] for tile in tiles) + " " + symbols[turn]
        states = [game.position(text), graph.position(text)]
        model = ref.RefState.start(rules, tiles, turn)
        play_on(states, model, chance, plies=3)
        depth = 2 if len(model.legal_moves()) < 8 else 1
        assert [state.perft(depth) for state in states] == [model.perft(depth)] * 2

    positions()


BOARDS = st.one_of(
    st.builds(hexagon, st.integers(1, 4)),
    st.builds(
        lambda width, height, holes, columns, rows: joined(
            rectangle(width, height, {(x, y) for x, y in holes if x < width and y < height}),
            columns=columns, rows=rows,
        ),
        st.integers(1, 6),
        st.integers(2, 6),
        st.sets(st.tuples(st.integers(0, 5), st.integers(1, 5)), max_size=5),
        st.booleans(),
        st.booleans(),
    ),
)


@st.composite
def mixed_games(draw: st.DrawFn) -> pv.Game:
    """Any rules on any small board, whether or not somebody has ever played them."""
    board: Board = draw(BOARDS)
    seats = draw(st.sampled_from([2, 2, 2, 3, 3, 4, 5, 8]))
    stones = st.integers(1, seats)
    tiles = st.one_of(st.just(0), st.just(0), stones)
    start = draw(st.lists(tiles, min_size=board.size, max_size=board.size))
    empty = [cell for cell, tile in enumerate(start) if tile == 0]
    opening = draw(st.just(set()) | st.sets(st.sampled_from(empty), min_size=1, max_size=4)) if empty else ()
    definition = pv.Definition(
        board,
        start=tuple(start),
        seats=seats,
        goal=draw(st.sampled_from(["most", "fewest"])),
        passing=draw(st.sampled_from(["forced", "free"])),
        placing=draw(st.sampled_from(["capture", "capture", "adjacent"])),
        opening=tuple(sorted(opening)),
    )
    return pv.Game("mixed", definition)


@settings(MANY, max_examples=2 * MANY.max_examples)
@given(game=mixed_games(), seed=SEEDS)
def test_random_games_of_mixed_rules(game: pv.Game, seed: int) -> None:
    note(str(game.definition))
    model = ref.RefState.start(reference_game(game))
    play_on([game.start(), by_graph(game).start()], model, Random(seed))


@pytest.mark.parametrize("kernel", ["", "graph"])
def test_no_pass_before_the_opening_is_filled(kernel: str) -> None:
    """Not even where passing is free: while an opening cell is empty, only these cells can be played."""
    rules = pv.Definition(rectangle(4, 4), start=(0,) * 16, passing="free", opening=(5, 6, 9, 10))
    game = pv.Game("mixed", rules, kernel=kernel)
    play_on([game.start()], ref.RefState.start(reference_game(game)), Random(0))


@st.composite
def xt_maps(draw: st.DrawFn, least_bombs: int = 1) -> str:
    """The text of a small map, crowded with one kind of tile or another, with any transitions that fit."""
    players = draw(st.integers(2, 4) | st.integers(2, 8))
    height, width = draw(st.integers(1, 7)), draw(st.integers(2, 7))
    crowd = draw(st.sampled_from(["", "0", "-", "c", "i", "b", "x", "cib", "x0", "cibx"])) * 4
    tile = st.sampled_from(XT_TILES[: 6 + players] + XT_TILES[6 : 6 + players] + "000" + crowd)
    tiles = draw(st.lists(tile, min_size=height * width, max_size=height * width))
    tiles[draw(st.integers(0, len(tiles) - 1))] = "0"  # so that the board is no single hole
    stocks = f"{draw(st.integers(0, 3))} {draw(st.integers(least_bombs, 3))} {draw(st.integers(0, 3))}"
    at = {(i % width, i // width) for i, symbol in enumerate(tiles) if symbol != "-"}
    offsets = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)]
    open_sides = [
        f"{x} {y} {r}"
        for x, y in sorted(at)
        for r, (dx, dy) in enumerate(offsets)
        if (x + dx, y + dy) not in at
    ]
    chance = Random(draw(SEEDS))
    ends = chance.sample(open_sides, k=min(2 * draw(st.integers(0, 40)), len(open_sides) // 2 * 2))
    transitions = [f"{one} <-> {other}" for one, other in zip(ends[::2], ends[1::2], strict=True)]
    return "\n".join([f"{players} {stocks} {height} {width}", " ".join(tiles), *transitions])


@settings(MANY, max_examples=5 * MANY.max_examples)
@given(text=xt_maps(), seed=SEEDS, goal=st.sampled_from(["most", "most", "fewest"]))
def test_random_xt_games(text: str, seed: int, goal: Any) -> None:
    game = xt_game(XtMap.parse(text), goal=goal)
    rules = replace(ref.from_xt_map(text), goal=goal)
    assert rules == reference_game(game)
    play_on([game.start()], ref.RefState.start(rules), Random(seed))


@MANY
@given(text=xt_maps(least_bombs=0))
def test_xt_maps_without_move_or_bomb_are_not_hosted(text: str) -> None:
    game, rules = xt_game(XtMap.parse(text)), ref.from_xt_map(text)
    if ref.RefState.start(rules).over:
        with pytest.raises(pv.MapError, match="neither a move nor a bomb"):
            check_playable(game)
    else:
        check_playable(game)


@pytest.mark.parametrize(("width", "height", "seats", "plies"), [
    (53, 52, 8, 3), (300, 7, 2, 4), (120, 100, 3, 2)])
def test_xt_maps_larger_than_any_course_has(width: int, height: int, seats: int, plies: int) -> None:
    """Half full of stones, with long and crooked lines; cells beyond 255 columns and beyond 8,191 in all."""
    chance = Random(width)
    tiles = [chance.choice("0000cibx" + "12345678"[:seats] * 3) for _ in range(width * height)]
    sides = [f"{x} {y} {r}" for y, r in ((0, 0), (height - 1, 4)) for x in range(width)]
    chance.shuffle(sides)
    joints = [f"{one} <-> {other}" for one, other in zip(sides[::2], sides[1::2], strict=False)]
    text = "\n".join([f"{seats} 2 3 4 {height} {width}", " ".join(tiles), *joints])
    game, rules = xt_game(XtMap.parse(text)), ref.from_xt_map(text)
    state, model = game.start(), ref.RefState.start(rules)
    for _ in range(plies):
        assert [(move.cell, move.special) for move in state.moves] == model.legal_moves()
        assert game.position(state.text) == state
        move = chance.choice(state.moves[-len(state.moves) // 3 :])    # where the numbers of cells are large
        assert set(state.turned(move)) == model.turned(move.cell)
        state, model = state.play(move), model.play(move.cell, move.special)
        assert (state.turn, tuple(state.tiles), state.overrides) == (model.turn, model.tiles, model.overrides)


@MANY
@given(text=xt_maps())
def test_xt_perft(text: str) -> None:
    model = ref.RefState.start(ref.from_xt_map(text))
    depth = 2 if len(model.legal_moves()) < 8 else 1
    assert xt_game(XtMap.parse(text)).start().perft(depth) == model.perft(depth)


@pytest.mark.parametrize("kind", KINDS)
def test_large_xt_maps(kind: str) -> None:
    """A few plies somewhere in a game on each kind of map that the package draws."""

    @settings(PROFILE, max_examples=max(1, PROFILE.max_examples // 8))
    @given(seed=SEEDS, skipped=st.integers(0, 600))
    def games(seed: int, skipped: int) -> None:
        chance = Random(seed)
        state = pv.game(f"xt:{kind},seed={seed % 100}").start()
        for _ in range(skipped):
            following = state.play(chance.choice(state.moves))
            if following.is_over:
                break
            state = following
        model = ref.RefState(
            reference_game(state.game),
            tiles=tuple(state.tiles),
            turn=state.turn,
            overrides=state.overrides,
            bombs=state.bombs,
            phase=state.phase,
            out=state.out,
            last=state.last,
        )
        play_on([state], model, chance, plies=3)

    games()


@pytest.mark.parametrize("spec", [spec for spec in VARIANTS if pv.game(spec).definition.passing == "forced"])
def test_playouts_end_where_nobody_can_move(spec: str) -> None:
    game = pv.game(spec)
    rules = reference_game(game)

    @PROFILE
    @given(seed=SEEDS)
    def playouts(seed: int) -> None:
        end = game.start().playout(seed)
        agree([end], ref.RefState.start(rules, end.tiles))

    playouts()
