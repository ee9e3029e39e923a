"""Maps of Reversi XT: what is read, what is rejected and with which words, and what is written."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyversi.games.errors import MapError
from polyversi.games.xt import read_map, xt_game
from polyversi.games.xtmap import MAX_SIDE, MAX_TEXT, Transition, XtMap, check_playable

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
    "+2 +3 1 0002\n" + SMALL[8:],
    SMALL.replace("0 0 7 <->", "-0 +0 7 <->"),
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
    ("2\n-1 0 0 1 1 0", 2, 1, f"the number of override stones is '-1'; {WHOLE} 0 to 9999"),
    ("2 10000 0 0 1 1 0", 1, 3, f"the number of override stones is '10000'; {WHOLE} 0 to 9999"),
    ("2 0 10000 0 1 1 0", 1, 5, f"the number of bombs is '10000'; {WHOLE} 0 to 9999"),
    ("2 0 0 256 1 1 0", 1, 7, f"the bomb radius is '256'; {WHOLE} 0 to 255"),
    ("2 0 0 0\n0 1", 2, 1, f"the height is '0'; {WHOLE} 1 to 300"),
    ("2 0 0 0\n301 1", 2, 1, "the height"),
    ("2 0 0 0\n1  301", 2, 4, f"the width is '301'; {WHOLE} 1 to 300"),
    ("2 ++1 0 0 1 1 0", 1, 3, "'++1'"),
    ("2 + 0 0 1 1 0", 1, 3, "'+'"),
    ("2 1_0 0 0 1 1 0", 1, 3, "'1_0'"),
    ("2 1.0 0 0 1 1 0", 1, 3, "'1.0'"),
    ("2 0x1 0 0 1 1 0", 1, 3, "'0x1'"),
    ("2 " + "9" * 5000, 1, 3, "'" + "9" * 39 + "…'"),
    ("2 ٣ 0 0 1 1 0", 1, 3, "'٣' is not an ASCII character; a map is written in plain ASCII"),
    ("\ufeff2 0 0 0 1 1 0", 1, 1, "not an ASCII character"),
    ("2 0 0 0 1 1 0\u00a0", 1, 14, "not an ASCII character"),
    ("2 0 0 0 1", 1, 10, "the text ends here; the width (1 to 300) should follow"),
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


def check(text: str) -> None:
    """What those do who host a game."""
    check_playable(xt_game(XtMap.parse(text)))


@pytest.mark.parametrize("tiles", ["0 0 0", "0 1 1", "1 2", "0 - 1 2", "0 c 1 b", "0 x x", "1 1 1"])
def test_a_map_with_neither_a_move_nor_a_bomb_is_not_hosted(tiles: str, tmp_path: Path) -> None:
    width = len(tiles.split())
    text = f"2 0 0 0 1 {width} {tiles}"
    with pytest.raises(MapError, match="neither a move nor a bomb; nobody could ever play"):
        check(text)
    path = tmp_path / "dull.map"
    path.write_text(text)
    with pytest.raises(MapError, match=r"dull\.map: the map has neither a move nor a bomb"):
        read_map(path)
    check(f"2 0 1 0 1 {width} {tiles}")


def test_an_override_may_be_the_only_move() -> None:
    for tiles in ("1 1 2", "0 - x"):    # with a capture, or over an expansion stone
        check(f"2 1 0 0 1 3 {tiles}")
        with pytest.raises(MapError, match="neither a move nor a bomb"):
            check(f"2 0 0 0 1 3 {tiles}")
    with pytest.raises(MapError, match="neither a move nor a bomb"):
        check("2 1 0 0 1 3 1 1 0")


def test_a_map_of_holes_is_rejected_even_with_bombs() -> None:
    for parse in (XtMap.parse, XtMap.parse_tolerantly):
        with pytest.raises(MapError, match="nothing but holes"):
            parse("2 1 1 0 1 2 - -")


# What clients make of maps that are not quite right


def test_a_tolerant_reader_agrees_about_good_maps() -> None:
    assert XtMap.parse_tolerantly(SMALL) == (XtMap.parse(SMALL), ())
    assert XtMap.parse_tolerantly("2 0 0 0  1 3  0 1 1") == (XtMap(2, 0, 0, 0, 1, 3, "011"), ())


@pytest.mark.parametrize(("head", "stocks"), [
    ("300 256 511", (44, 0, 255)),    # the courses' server keeps the lowest byte
    ("-1 70000 -256", (255, 112, 0)),
    ("0x10 1.5 many", (0, 1, 0)),    # and reads digits up to whatever is none
    ("+7 -0 007", (7, 0, 7)),
])
def test_a_tolerant_reader_counts_as_the_courses_server_does(head: str, stocks: tuple[int, ...]) -> None:
    chart, doubts = XtMap.parse_tolerantly(f"2 {head} 1 3 0 1 2")
    assert (chart.overrides, chart.bombs, chart.radius) == stocks
    doubtful = [word for word in head.split() if word not in ("+7", "-0", "007")]
    assert all(f"'{word}'" in doubt for word, doubt in zip(doubtful, doubts, strict=True))


GOOD = Transition(0, 0, 0, 1, 0, 0)
DOUBTFUL = [
    ("0 1 0 <-> 2 0 0", 1, "lies on a hole"),
    ("0 0 2 <-> 2 0 0", 1, "leads to the neighbour 1 0 already"),
    ("9 9 9 <-> 2 0 0", 1, "x1 of a transition is '9'"),
    ("2 0 0 <-> 1 0 0", 1, "1 0 0 is used twice"),
    ("0 0 0 <-> 1 0 0", 1, "0 0 0 is used twice"),
    ("2 0 0 -> 2 0 1", 2, "'->' stands where '<->' should"),    # one token less: the next one goes too
    ("2 0 0 <->", 1, "x2 of a transition"),
    ("hello", 1, "x1 of a transition is 'hello'"),
]


@pytest.mark.parametrize(("line", "doubts", "words"), DOUBTFUL)
def test_a_tolerant_reader_leaves_out_what_cannot_be(line: str, doubts: int, words: str) -> None:
    chart, said = XtMap.parse_tolerantly(f"{HEAD}0 0 0 <-> 1 0 0\n{line}\n")
    assert chart.transitions == (GOOD,)
    assert len(said) == 1 and said[0].startswith("line 6, column ") and words in said[0]
    assert said[0].endswith("this transition is left out")


def test_a_tolerant_reader_goes_on_behind_what_it_leaves_out() -> None:
    lines = ["0 1 0 <-> 2 0 0", "0 0 0<->1 0 0", "9 9 9 <-> 9 9 9", "2 0 0<-> 2 0 1"]
    chart, doubts = XtMap.parse_tolerantly(HEAD + "\n".join(lines))
    assert chart.transitions == (GOOD, Transition(2, 0, 0, 2, 0, 1))
    assert [doubt.partition(":")[0] for doubt in doubts] == ["line 5, column 1", "line 7, column 1"]


def test_a_side_joined_with_itself_is_nothing_to_a_tolerant_reader() -> None:
    chart, doubts = XtMap.parse_tolerantly(HEAD + "0 0 0 <-> 0 0 0\n0 0 0 <-> 0 0 0\n0 0 0 <-> 1 0 0")
    assert (chart.transitions, doubts) == ((GOOD,), ())


def test_a_tolerant_reader_takes_for_a_hole_what_is_no_tile() -> None:
    chart, doubts = XtMap.parse_tolerantly(b"2 1 1 1  1 6  0 1 X 3 \xff 2")
    assert chart.tiles == "01---2"
    assert [doubt.rpartition("; ")[2] for doubt in doubts] == ["it is taken for a hole"] * 3
    _, doubts = XtMap.parse_tolerantly("2 1 1 1  1 6  0 9 9 9 9 9")
    assert doubts[3:] == ("and 2 more",)


@pytest.mark.parametrize("text", ["", "hello", "9 1 1 1 1 1 0", "2 1 1 1 301 1 0", "2 1 1 1 1 3 0 1"])
def test_of_some_texts_nobody_can_make_a_map(text: str) -> None:
    with pytest.raises(MapError, match=r"^line 1, column "):
        XtMap.parse_tolerantly(text)


# Large maps


def test_the_largest_map() -> None:
    tiles = ["0"] * MAX_SIDE**2
    for at, stone in ((0, "1"), (1, "2"), (MAX_SIDE**2 - 2, "1"), (MAX_SIDE**2 - 1, "2")):
        tiles[at] = stone
    last = MAX_SIDE - 1
    corner = Transition(0, 0, 6, last, last, 2)
    chart = XtMap(2, 255, 255, 255, MAX_SIDE, MAX_SIDE, "".join(tiles), (corner,))
    assert XtMap.parse(chart.text) == chart
    state = xt_game(chart).start()
    assert state.board.size == 90_000
    assert list(map(str, state.moves)) == ["0,0", "2,0", "298,299"]    # two of them round the corner
    after = state.play("2,0")
    assert after.scores == (4, 1) and after.turn == 2
    assert state.game.position(after.text) == after
    assert after.text.startswith("1110")
    assert state.game.move("299,299").cell == 89_999


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
    """Small maps with any tiles and any legal transitions, playable or not, but not of holes alone."""
    height, width = draw(st.integers(1, 4)), draw(st.integers(1, 5))
    tiles = "0" + "".join(draw(st.lists(Tiles, min_size=height * width - 1, max_size=height * width - 1)))
    bare = XtMap(2, draw(st.integers(0, 1)), 0, 0, height, width, tiles)
    steps = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
    ends = [(x, y, r) for y in range(height) for x in range(width) for r, (dx, dy) in enumerate(steps)
            if bare.tile(x, y) != "-" and bare.tile(x + dx, y + dy) == "-"]
    ends = draw(st.permutations(ends))[: 2 * draw(st.integers(0, 12))]
    joints = tuple(Transition(*a, *b) for a, b in zip(ends[::2], ends[1::2], strict=False))
    return XtMap(2, bare.overrides, 0, 0, height, width, tiles, joints)


@given(maps())
def test_what_is_written_is_read_again(chart: XtMap) -> None:
    assert XtMap.parse(chart.text) == chart
    assert XtMap.parse(chart.text.encode()) == chart
    assert XtMap.parse_tolerantly(chart.text) == (chart, ())


@given(maps())
def test_playable_means_that_the_rules_know_a_move(chart: XtMap) -> None:
    game = xt_game(chart)
    if game.start().moves:
        check_playable(game)
    else:
        with pytest.raises(MapError, match="neither"):
            check_playable(game)


@given(st.one_of(st.text(max_size=60), st.binary(max_size=60)))
def test_any_text_is_read_or_rejected(text: str | bytes) -> None:
    for parse in (XtMap.parse, XtMap.parse_tolerantly):
        try:
            parse(text)
        except MapError as error:
            assert len(str(error)) < 300


Words = st.sampled_from([*SMALL.split(), "<->", "9", "50", "-1", "+300", "x1", "\n", ""])


@given(st.lists(Words, max_size=60), st.integers(0, 30))
def test_broken_maps_are_read_or_rejected(tokens: list[str], kept: int) -> None:
    text = " ".join([*SMALL.split()[:kept], *tokens])
    try:
        chart, doubts = XtMap.parse_tolerantly(text)
    except MapError:
        with pytest.raises(MapError):
            XtMap.parse(text)
        return
    assert XtMap.parse(chart.text) == chart    # whatever a client makes of a map, others can read
    try:
        strictly = XtMap.parse(text)
    except MapError:
        return
    edges = tuple(joint for joint in strictly.transitions if not joint.is_edge)
    assert (chart, doubts) == (replace(strictly, transitions=edges), ())


def endless(side: int) -> tuple[Transition, ...]:
    """Joins all rows and columns of a square into one line that meets every tile twice."""
    rows = [Transition(side - 1, y, 2, 0, y + 1, 6) for y in range(side - 1)]
    columns = [Transition(x, side - 1, 4, x + 1, 0, 0) for x in range(side - 1)]
    ends = [Transition(side - 1, side - 1, 2, 0, 0, 0), Transition(side - 1, side - 1, 4, 0, 0, 6)]
    return (*rows, *columns, *ends)


def test_hostile_maps_are_checked_quickly() -> None:
    """One endless line through every tile, all stones alike: a walk from each tile would take minutes."""
    side = 120
    stones = "1" * (side * side)
    for tiles in (stones, "0" + stones[1:]):
        chart = XtMap(2, 1, 0, 0, side, side, tiles, endless(side))
        with pytest.raises(MapError, match="neither"):
            check(chart.text)
    flood = "2 1 1 1 50 50 " + "0 " * 100_000
    for junk in ("0 " * 499_999, "8" * MAX_TEXT, flood, "<->" * 300_000, "\n" * MAX_TEXT):
        with pytest.raises(MapError):
            XtMap.parse(junk)
        with suppress(MapError):
            XtMap.parse_tolerantly(junk)
