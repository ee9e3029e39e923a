"""Maps of Reversi XT: what is read, what is rejected and with which words, and what is written."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyversi.games.errors import MapError
from polyversi.games.game import Game
from polyversi.games.xtmap import (
    MAX_RADIUS,
    MAX_STOCK,
    MAX_TEXT,
    Transition,
    XtMap,
    check_playable,
    define_map,
)

SMALL = """2
3
1 2
3 4
0 1 2 0
- x c i
b 0 0 0
0 0 7 <-> 3 2 3
3 0 2 <-> 3 0 0
"""


def test_parse_reads_every_part() -> None:
    assert XtMap.parse(SMALL) == XtMap(
        players=2, overrides=3, bombs=1, radius=2, height=3, width=4, tiles="0120-xcib000",
        transitions=(Transition(0, 0, 7, 3, 2, 3), Transition(3, 0, 2, 3, 0, 0)),
    )


@pytest.mark.parametrize("text", [
    SMALL,
    SMALL.encode(),
    SMALL.replace("\n", "\r\n"),
    SMALL.replace("\n", "\r"),
    SMALL.replace("\n", "\n\n \t\n"),
    " ".join(SMALL.split()),
    SMALL.replace(" ", "\t\v\f"),
    "02 003 01 2\n" + SMALL[8:],
])
def test_parse_does_not_mind_how_the_tokens_are_spread(text: str | bytes) -> None:
    assert XtMap.parse(text) == XtMap.parse(SMALL)


def test_text_is_canonical() -> None:
    assert XtMap.parse(" ".join(SMALL.split())).text == SMALL


WHOLE = "it must be a whole number from"
HEAD = "2 1 1 1\n2 3\n0 1 2\n- 0 0\n"    # six tiles, and a hole at the bottom left

REJECTED = [
    # Numbers
    ("", 1, 1, "the text ends here; the number of players (2 to 8) should follow"),
    ("  \n\n", 1, 1, "the number of players"),
    ("1 0 0 0 1 1 0", 1, 1, f"the number of players is '1'; {WHOLE} 2 to 8"),
    ("9 0 0 0 1 1 0", 1, 1, "from 2 to 8"),
    ("two 0 0 0 1 1 0", 1, 1, "'two'"),
    ("2\n-1 0 0 1 1 0", 2, 1, f"the number of override stones is '-1'; {WHOLE} 0 to {MAX_STOCK}"),
    (f"2 {MAX_STOCK + 1} 0 0 1 1 0", 1, 3, f"0 to {MAX_STOCK}"),
    (f"2 0 {MAX_STOCK + 1} 0 1 1 0", 1, 5, "the number of bombs"),
    (f"2 0 0 {MAX_RADIUS + 1} 1 1 0", 1, 7, f"the bomb radius is '256'; {WHOLE} 0 to {MAX_RADIUS}"),
    ("2 0 0 0\n0 1", 2, 1, f"the height is '0'; {WHOLE} 1 to 50"),
    ("2 0 0 0\n51 1", 2, 1, "the height"),
    ("2 0 0 0\n1  51", 2, 4, f"the width is '51'; {WHOLE} 1 to 50"),
    ("2 +1 0 0 1 1 0", 1, 3, "'+1'"),
    ("2 1_0 0 0 1 1 0", 1, 3, "'1_0'"),
    ("2 1.0 0 0 1 1 0", 1, 3, "'1.0'"),
    ("2 0x1 0 0 1 1 0", 1, 3, "'0x1'"),
    ("2 " + "9" * 5000, 1, 3, "'" + "9" * 39 + "…'"),
    ("2 ٣ 0 0 1 1 0", 1, 3, "'٣' is not an ASCII character; a map is written in plain ASCII"),
    ("\ufeff2 0 0 0 1 1 0", 1, 1, "not an ASCII character"),
    ("2 0 0 0 1 1 0\u00a0", 1, 14, "not an ASCII character"),
    ("2 0 0 0 1", 1, 10, "the text ends here; the width (1 to 50) should follow"),
    # Tiles
    ("2 0 0 0\n1 3\n0 1", 3, 4, "the text ends here; the tile in column 2 of row 0 (1 rows of 3) should"),
    ("2 0 0 0\n1 3\n0 1 X\n", 3, 5, "'X' is not a tile; write one of 0 1-8 - c i b x"),
    ("2 0 0 0\n1 3\n0 C 1\n", 3, 3, "'C' is not a tile"),
    ("2 0 0 0\n1 3\n0 9 1\n", 3, 3, "'9' is not a tile"),
    ("2 0 0 0\n1 3\n012\n", 3, 1, "'012' runs tiles together; put a space between two tiles"),
    ("2 0 0 0\n1 3\n0 1 3\n", 3, 5, "there is a stone of player 3, but the map is for 2 players"),
    ("2 0 0 0\r\n1 3\r\n0 1 3\r\n", 3, 5, "a stone of player 3"),
    ("2 0 0 0\r1 3\r0 1 3\r", 3, 5, "a stone of player 3"),
    ("2 0 0 0\n2 3\n0 1\n0 0 2 <-> 2 0 6", 4, 7, "'<->' is not a tile"),
    # Transitions
    (HEAD + "0 0 0", 5, 6, "the text ends here; '<->' and the other end of the transition should follow"),
    (HEAD + "0 0", 5, 4, "the direction r1 of a transition (0 to 7) should follow"),
    (HEAD + "0 0 0 <-> 1 0", 5, 14, "the direction r2 of a transition"),
    (HEAD + "0 0 0<->1 0 0", 5, 5, "'0<->1' stands where the direction r1 of a transition should; write <->"),
    (HEAD + "0 0 0 <->1 0 0", 5, 7, "'<->1' stands where '<->' should"),
    (HEAD + "0 0 0<-> 1 0 0", 5, 5, "write <-> with a space on both sides"),
    (HEAD + "0 0 0 <> 1 0 0", 5, 7, "'<>' stands where '<->' should; after the 6 tiles only transitions"),
    (HEAD + "0 0 0 0 0 0 0", 5, 7, "'0' stands where '<->' should"),
    (HEAD + "hello", 5, 1, f"x1 of a transition is 'hello'; {WHOLE} 0 to 2"),
    (HEAD + "0 0 0 <-> 1 0 0\n\n <eof>", 7, 2, "x1 of a transition is '<eof>'"),
    (HEAD + "3 0 0 <-> 1 0 0", 5, 1, f"x1 of a transition is '3'; {WHOLE} 0 to 2"),
    (HEAD + "0 2 0 <-> 1 0 0", 5, 3, f"y1 of a transition is '2'; {WHOLE} 0 to 1"),
    (HEAD + "0 0 0 <-> 3 0 0", 5, 11, "x2 of a transition"),
    (HEAD + "0 0 0 <-> 1 -1 0", 5, 13, "y2 of a transition"),
    (HEAD + "0 0 8 <-> 1 0 0", 5, 5, f"the direction r1 of a transition is '8'; {WHOLE} 0 to 7"),
    (HEAD + "0 1 0 <-> 1 0 0", 5, 1, "the transition's end 0 1 0 lies on a hole; both ends must be tiles"),
    (HEAD + "1 0 0 <-> 0 1 6", 5, 11, "the transition's end 0 1 6 lies on a hole"),
    (HEAD + "0 0 2 <-> 1 0 0", 5, 1, "the transition's end 0 0 2 leads to the neighbour 1 0 already"),
    (HEAD + "1 0 0 <-> 0 0 3", 5, 11, "the transition's end 0 0 3 leads to the neighbour 1 1 already"),
    (HEAD + "0 0 0 <-> 1 0 0\n0 0 0 <-> 2 0 0", 6, 1, "the transition's end 0 0 0 is used twice"),
    (HEAD + "0 0 0 <-> 1 0 0\n2 0 0 <-> 1 0 0", 6, 11, "1 0 0 is used twice; a side takes one"),
    (HEAD + "0 0 0 <-> 0 0 0\n0 0 0 <-> 1 0 0", 6, 1, "the transition's end 0 0 0 is used twice"),
]


@pytest.mark.parametrize(("text", "line", "column", "words"), REJECTED)
def test_rejections_say_what_and_where(text: str, line: int, column: int, words: str) -> None:
    with pytest.raises(MapError) as error:
        XtMap.parse(text)
    assert str(error.value).startswith(f"line {line}, column {column}: ")
    assert words in str(error.value)


def test_bytes_are_rejected_alike() -> None:
    with pytest.raises(MapError, match=r"^line 1, column 3: .*plain ASCII"):
        XtMap.parse(b"2 \xff 0 0 1 1 0")


def test_a_text_that_is_too_long_is_not_even_read() -> None:
    with pytest.raises(MapError, match=f"longer than {MAX_TEXT:,} characters"):
        XtMap.parse(" " * (MAX_TEXT + 1))
    with pytest.raises(MapError, match="line 1, column 1: the text ends here"):
        XtMap.parse(" " * MAX_TEXT)


@pytest.mark.parametrize("tiles", ["0 0 0", "0 1 1", "1 2", "0 - 1 2", "0 c 1 b", "0 x x", "1 1 1"])
def test_a_map_with_neither_a_move_nor_a_bomb_is_rejected(tiles: str) -> None:
    width = len(tiles.split())
    with pytest.raises(MapError, match="neither a move nor a bomb; nobody could ever play"):
        XtMap.parse(f"2 0 0 0 1 {width} {tiles}")
    assert XtMap.parse(f"2 0 1 0 1 {width} {tiles}").bombs == 1


def test_an_override_may_be_the_only_move() -> None:
    for tiles in ("1 1 2", "0 - x"):    # with a capture, or over an expansion stone
        assert XtMap.parse(f"2 1 0 0 1 3 {tiles}").overrides == 1
        with pytest.raises(MapError, match="neither a move nor a bomb"):
            XtMap.parse(f"2 0 0 0 1 3 {tiles}")
    with pytest.raises(MapError, match="neither a move nor a bomb"):
        XtMap.parse("2 1 0 0 1 3 1 1 0")


def test_a_map_of_holes_is_rejected_even_with_bombs() -> None:
    with pytest.raises(MapError, match="nothing but holes"):
        XtMap.parse("2 1 1 0 1 2 - -")


def test_a_transition_of_a_tile_onto_itself_is_legal() -> None:
    chart = XtMap.parse("2 0 1 0 1 1 0  0 0 2 <-> 0 0 6  0 0 0 <-> 0 0 1")
    board = chart.board()
    assert board.steps[2] == 2          # to the right, round, and still to the right
    assert board.steps[0] == 5          # up, and in again by the upper right corner: down-left
    assert board.steps[1] == 4


@pytest.mark.parametrize("tiles", ["0 2 1 0", "0 2 2 1", "0 1 2 2", "1 2 2 0", "2 0 0 1"])
def test_a_transition_of_a_side_onto_itself_is_an_edge(tiles: str) -> None:
    text = f"2 1 1 1  1 4  {tiles}"
    joined = XtMap.parse(f"{text}  3 0 2 <-> 3 0 2  0 0 6 <-> 0 0 6  1 0 0 <-> 1 0 0")
    assert joined.board().steps == XtMap.parse(text).board().steps
    assert XtMap.parse(joined.text) == joined and len(joined.transitions) == 3


def test_board_leaves_out_holes_and_follows_transitions() -> None:
    board = XtMap.parse(SMALL).board()
    assert (board.size, board.width, board.height, board.notation) == (11, 4, 3, "pairs")
    assert board.at(0, 1) is None
    first, last = board.cell("0,0"), board.cell("3,2")
    assert board.steps[first * 8 + 7] == last * 8 + 7
    assert board.steps[last * 8 + 3] == first * 8 + 3
    assert XtMap.parse(SMALL).start() == (0, 1, 2, 0, 13, 10, 11, 12, 0, 0, 0)


# Properties

Tiles = st.sampled_from("0001122--cibx")


@st.composite
def maps(draw: st.DrawFn) -> XtMap:
    """Small maps with any tiles and any legal transitions, playable or not."""
    height, width = draw(st.integers(1, 4)), draw(st.integers(1, 5))
    tiles = "".join(draw(st.lists(Tiles, min_size=height * width, max_size=height * width)))
    bare = XtMap(2, draw(st.integers(0, 1)), 0, 0, height, width, tiles)
    steps = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
    ends = [(x, y, r) for y in range(height) for x in range(width) for r, (dx, dy) in enumerate(steps)
            if bare.tile(x, y) != "-" and bare.tile(x + dx, y + dy) == "-"]
    ends = draw(st.permutations(ends))[: 2 * draw(st.integers(0, 12))]
    joints = tuple(Transition(*a, *b) for a, b in zip(ends[::2], ends[1::2], strict=False))
    return XtMap(2, bare.overrides, 0, 0, height, width, tiles, joints)


def is_playable(chart: XtMap) -> bool:
    try:
        check_playable(chart)
    except MapError:
        return False
    return True


@given(maps())
def test_what_is_written_is_read_again(chart: XtMap) -> None:
    if is_playable(chart):
        assert XtMap.parse(chart.text) == chart
        assert XtMap.parse(chart.text.encode()) == chart
    else:
        with pytest.raises(MapError):
            XtMap.parse(chart.text)


@given(maps())
def test_playable_means_that_the_rules_know_a_move(chart: XtMap) -> None:
    if set(chart.tiles) <= {"-"}:
        assert not is_playable(chart)
    else:
        state = Game("xt:test", define_map(chart)).start()
        assert is_playable(chart) == bool(state.moves)


@given(st.one_of(st.text(max_size=60), st.binary(max_size=60)))
def test_any_text_is_read_or_rejected(text: str | bytes) -> None:
    try:
        XtMap.parse(text)
    except MapError as error:
        assert len(str(error)) < 300


Words = st.sampled_from([*SMALL.split(), "<->", "9", "50", "-1", "x1", "\n", ""])


@given(st.lists(Words, max_size=60), st.integers(0, 30))
def test_broken_maps_are_read_or_rejected(tokens: list[str], kept: int) -> None:
    try:
        chart = XtMap.parse(" ".join([*SMALL.split()[:kept], *tokens]))
    except MapError:
        return
    assert XtMap.parse(chart.text) == chart


def test_hostile_maps_are_checked_quickly() -> None:
    """One endless line through every tile, all stones alike: a walk from each tile would take minutes."""
    side = 50
    tiles = ["1"] * (side * side)
    rows = [Transition(side - 1, y, 2, 0, (y + 1) % side, 6) for y in range(side)]
    columns = [Transition(x, side - 1, 4, (x + 1) % side, 0, 0) for x in range(side)]
    started = time.perf_counter()
    for stones in (tiles, ["0", *tiles[1:]]):
        chart = XtMap(2, 1, 0, 0, side, side, "".join(stones), (*rows, *columns))
        with pytest.raises(MapError, match="neither"):
            XtMap.parse(chart.text)
    flood = "2 1 1 1 50 50 " + "0 " * 400_000
    for junk in ("0 " * 499_999, "8" * MAX_TEXT, flood, "<->" * 300_000, "\n" * MAX_TEXT):
        with pytest.raises(MapError):
            XtMap.parse(junk)
    assert time.perf_counter() - started < 5
