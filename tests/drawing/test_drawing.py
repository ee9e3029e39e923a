"""Drawings show every cell, stone and legal move at its place, in SVG and in text."""

from __future__ import annotations

import cmath
import itertools
import math
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

import polyversi as pv
from polyversi.drawing import Last, board_svg, map_svg, map_terminal, picture, state_svg, state_terminal
from polyversi.drawing.geometry import UNIT, Layout, joined_edges, transitions
from polyversi.drawing.palette import BLACK_AND_WHITE, EIGHT, RED_AND_BLUE
from polyversi.games.board import hexagon, joined, rectangle
from polyversi.games.game import Game
from polyversi.games.tiles import EMPTY, HOLE
from polyversi.games.xtmap import XtMap

SVG = "{http://www.w3.org/2000/svg}"
PICTURES = sorted((Path(__file__).parent / "pictures").glob("*.txt"))
SPECS = (
    "othello", "othello-4", "othello:size=10", "reversi", "octagon", "blackhole", "cylinder", "torus",
    "anti-6", "hex", "hex:side=4,start=ring", "hex:side=6,seats=3", "rolit", "xt:starfish",
)
LINKED = XtMap.parse((Path(__file__).parent / "pictures" / "linked.map").read_text(encoding="utf-8"))


def parsed(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def named(root: ElementTree.Element, name: str) -> ElementTree.Element | None:
    return root.find(f".//*[@class='{name}']")


def circles(root: ElementTree.Element, name: str) -> set[tuple[str | None, str | None]]:
    group = named(root, name)
    found = [] if group is None else group.iter(f"{SVG}circle")
    return {(circle.get("cx"), circle.get("cy")) for circle in found}


def shown(layout: Layout, cells: set[int], aside: complex = 0) -> set[tuple[str, str]]:
    def short(value: float) -> str:
        return f"{value:.1f}".removesuffix(".0")

    places = [layout.centre(cell) + aside for cell in cells]
    return {(short(at.real), short(at.imag)) for at in places}


def played(spec: str, plies: int) -> tuple[pv.State, Last | None]:
    """A state some moves into a game, always taking the middle one of the legal moves."""
    state, last = pv.game(spec).start(), None
    for _ in range(plies):
        if state.is_over:
            break
        move = state.moves[len(state.moves) // 2]
        last, state = Last.of(state, move), state.play(move)
    return state, last


@pytest.mark.parametrize("spec", SPECS)
def test_svg_shows_the_state(spec: str) -> None:
    for plies in (0, 1, 7):
        state, last = played(spec, plies)
        root, layout = parsed(state_svg(state, last=last)), Layout(state.board)
        cells = named(root, "pv-cells")
        assert cells is not None
        assert cells.get("d", "").count("M") == state.board.size
        for seat in range(1, state.game.seats + 1):
            placed = {cell for cell, tile in enumerate(state.tiles) if tile == seat}
            assert circles(root, f"pv-seat-{seat}") == shown(layout, placed)
        legal = {move.cell for move in state.moves if not move.is_pass}
        free = {cell for cell in legal if state.tiles[cell] == EMPTY}
        assert circles(root, "pv-legal") == shown(layout, free) | shown(layout, legal - free, 13 - 13j)
        if last:
            assert circles(root, "pv-last") == shown(layout, {last.cell})
            assert circles(root, "pv-turned") == shown(layout, set(last.turned))


def test_bombs_are_drawn_and_told() -> None:
    state = Game("bombs", pv.game("xt:starfish").definition).start()
    while state.phase == "build":
        state = state.play(state.moves[0])
    root = parsed(state_svg(state))
    assert named(root, "pv-legal") is None, "every cell is a target: no dots"
    last = Last.of(state, state.moves[0])
    assert last is not None
    after = parsed(state_svg(state.play(state.moves[0]), last=last))
    holes = named(after, "pv-holes")
    assert holes is not None and holes.get("d", "").count("M") == len(last.turned)
    assert f"bombing {len(last.turned)} cells" in after.get("aria-label", "")


def test_legal_dots_can_be_left_out() -> None:
    state = pv.game("othello").start()
    assert named(parsed(state_svg(state, legal=False)), "pv-legal") is None


def test_words_tell_the_position() -> None:
    state = pv.game("othello").start()
    root = parsed(state_svg(state))
    assert root.get("role") == "img"
    assert root.get("aria-label") == (
        "othello, black to move. black 2: e4, d5; white 2: d4, e5. legal moves: d3, c4, f5, e6."
    )
    assert root.findtext(f"{SVG}title") == "othello, black to move, 2 : 2"
    after = state_svg(state.play("f5"), last=Last.of(state, state.game.move("f5")))
    assert "last move f5, turning 1 stone" in after
    assert "seat 1 6; seat 2" in board_svg(rectangle(12, 12), bytes([1] * 6 + [0] * 138), seats=3)


@pytest.mark.parametrize(("size", "wanted"), [(None, 416), (200, 200), (1000, 1000)])
def test_size_is_the_longer_side(size: int | None, wanted: float) -> None:
    root = parsed(state_svg(pv.game("othello").start(), size=size))
    sides = [float(root.get(side, "")) for side in ("width", "height")]
    assert max(sides) == wanted
    _, _, width, height = map(float, root.get("viewBox", "").split())
    assert math.isclose(sides[0] / sides[1], width / height, rel_tol=0.01)


def test_large_maps_fit_on_a_screen() -> None:
    for side in (50, 110):
        root = parsed(map_svg(XtMap(8, 0, 1, 0, side, side, "0" * side**2)))
        assert max(float(root.get("width", "")), float(root.get("height", ""))) <= 960


def test_svg_can_be_put_into_any_page() -> None:
    drawings = [state_svg(played(spec, 5)[0]) for spec in SPECS] + [map_svg(LINKED)]
    for svg in drawings:
        assert not re.search(r"<style|<script| style=| id=|href|url\(|@|currentColor", svg)
        assert all(name.startswith("pv-") for name in re.findall(r'class="([^"]*)"', svg))


def test_drawings_are_the_same_every_time() -> None:
    assert state_svg(played("rolit", 9)[0]) == state_svg(played("rolit", 9)[0])


def test_text_is_escaped() -> None:
    name = """<script>alert("1 & 2")</script>'"""
    state = Game(name, pv.game("othello-4").definition).start()
    root = parsed(state_svg(state))
    assert root.find(f".//{SVG}script") is None
    assert str(root.findtext(f"{SVG}title")).startswith(name)
    assert root.get("aria-label", "").startswith(name)
    assert parsed(state_svg(Game("\x00\x1b\ud800", state.game.definition).start())) is not None


def test_hexagons_lie_as_the_course_draws_them() -> None:
    board = hexagon(5)
    layout = Layout(board)
    ways = {1: 0, 11: 60, 10: 120, -1: 180, -11: -120, -10: -60}  # clockwise from the right, in degrees
    for cell, other in itertools.permutations(range(board.size), 2):
        way = layout.centre(other) - layout.centre(cell)
        if (step := board.number(other) - board.number(cell)) in ways:
            assert cmath.isclose(way, cmath.rect(UNIT, math.radians(ways[step])), rel_tol=1e-9)
        else:
            assert abs(way) > UNIT * 1.5
    for direction in range(6):
        to = board.steps[board.cell("55") * 6 + direction] // 6
        assert cmath.isclose(layout.centre(to) - layout.centre(board.cell("55")), 2 * layout.side(direction))


@pytest.mark.parametrize("board", [rectangle(8, 8), hexagon(4), hexagon(7), LINKED.board()])
def test_everything_lies_within_the_drawing(board: pv.Board) -> None:
    layout = Layout(board)
    corners = [layout.centre(cell) + corner for cell in range(board.size) for corner in layout.outline]
    curves = [point for link in layout.transitions for point in layout.arc(link)]
    for at in corners + curves + [place for place, _ in layout.labels()]:
        assert 0 < at.real < layout.width
        assert 0 < at.imag < layout.height


def test_transitions_leave_and_enter_along_their_directions() -> None:
    board = LINKED.board()
    layout = Layout(board)
    link = board.links[4]  # from 6,2 to the right, into 1,5 from below
    start, first, second, end = layout.arc(link)
    assert cmath.phase(first - start) == pytest.approx(0)
    assert cmath.phase(second - end) == pytest.approx(math.pi / 2)


def test_transitions_have_two_ports_of_one_colour_until_a_bomb_falls() -> None:
    board, tiles = LINKED.board(), bytearray(LINKED.start())
    group = named(parsed(map_svg(LINKED)), "pv-transitions")
    assert group is not None
    assert [each.findtext(f"{SVG}title") for each in group] == [
        "3,0 up to 3,5 down", "0,1 left to 0,1 down-left", "0,0 up-left to 6,0 up-right",
        "0,4 down to 6,4 down", "6,2 right to 1,5 down",
    ]
    for count, each in enumerate(group, 1):
        assert each.get("stroke")
        assert [text.text for text in each.iter(f"{SVG}text")] == [str(count)] * 2
    tiles[board.cell("3,5")] = HOLE
    root = parsed(board_svg(board, bytes(tiles), seats=3))
    rest, hole = named(root, "pv-transitions"), named(root, "pv-holes")
    assert rest is not None and len(rest) == 4
    assert hole is not None and hole.get("d", "").count("M") == 1
    assert "bombed 1: 3,5" in root.get("aria-label", "")


def test_joined_edges_are_dashed_and_need_no_arcs() -> None:
    torus = joined(rectangle(8, 8), columns=True, rows=True)
    assert joined_edges(torus) == (True, True)
    assert transitions(torus) == ()
    root = parsed(board_svg(torus, bytes(64)))
    assert named(root, "pv-transitions") is None
    assert named(root, "pv-joined") is not None
    assert named(parsed(board_svg(rectangle(8, 8), bytes(64))), "pv-joined") is None
    half = XtMap.parse("2 0 1 0  2 3  0 1 2  0 2 1  0 0 6 <-> 2 0 2").board()
    assert len(transitions(half)) == 1, "an edge that is joined in part keeps its arcs"


def luminance(colour: str) -> float:
    """The brightness of a colour, as the accessibility guidelines of the web define it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_stones_are_told_apart_without_colour() -> None:
    assert contrast(BLACK_AND_WHITE[0].fill, BLACK_AND_WHITE[1].fill) > 10
    for looks in (RED_AND_BLUE, EIGHT):
        assert len({look.sign for look in looks} - {""}) == len(looks)
        assert all(contrast(look.fill, look.ink) >= 4.5 for look in looks)
    for looks in (BLACK_AND_WHITE, RED_AND_BLUE, EIGHT):
        assert len({look.letter for look in looks}) == len(looks)


@pytest.mark.parametrize("file", PICTURES, ids=lambda file: file.stem)
def test_pictures(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first line of a picture names a game and its moves; the rest is the drawing after them."""
    monkeypatch.chdir(file.parent)
    first, drawing = file.read_text(encoding="utf-8").split("\n", 1)
    spec, *moves = first.split()
    state, last = pv.game(spec).start(), None
    for move in moves:
        last, state = Last.of(state, state.game.move(move)), state.play(move)
    assert state_terminal(state, color=False, last=last) + "\n" == drawing


def plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


@pytest.mark.parametrize("spec", SPECS)
def test_colour_changes_no_places(spec: str) -> None:
    state, last = played(spec, 6)
    coloured = plain(state_terminal(state, last=last)).splitlines()
    without = state_terminal(state, last=last, color=False).splitlines()
    for one, other in list(zip(coloured, without, strict=True))[: state.board.height + 1]:
        wanted = other.replace("·", " ")
        if state.board.layout == "square" and state.game.seats == 2:
            wanted = re.sub("[XO]", "●", wanted)
        assert one.rstrip() == wanted.rstrip()
    assert coloured[-1] == without[-1]


@pytest.mark.parametrize("spec", [spec for spec in SPECS if not spec.startswith("xt")])
def test_boards_fit_a_usual_terminal(spec: str) -> None:
    lines = state_terminal(played(spec, 3)[0], color=False).splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) < 80


@pytest.mark.parametrize("color", [True, False])
@pytest.mark.parametrize(("width", "wanted"), [(None, 105), (110, 105), (80, 80), (60, 60)])
def test_large_maps_fit_the_width(width: int | None, wanted: int, color: bool) -> None:
    chart = XtMap(8, 3, 2, 1, 50, 50, "012345678-cibx0000000000" * 104 + "0000")
    lines = plain(map_terminal(chart, color=color, width=width)).splitlines()
    assert max(map(len, lines)) <= wanted
    assert lines[2].split()[0] == "0"
    assert [line for line in lines if line.startswith("49")]


def test_what_does_not_fit_into_the_width_is_left_out() -> None:
    chart = XtMap(2, 0, 1, 0, 2, 120, "12" + "0" * 238)
    for color in (True, False):
        lines = plain(map_terminal(chart, color=color, width=80)).splitlines()
        assert [len(line) for line in lines[2:5]] == [80] * 3
        assert lines[3].startswith("0 12") or color
        assert lines[-1] == "columns 78 to 119 not shown"
    assert "not shown" not in map_terminal(chart, color=False)


def test_terminal_cells_of_hexagons_touch() -> None:
    lines = state_terminal(pv.game("hex:side=4,start=ring").start(), color=False, legal=False).splitlines()
    rows = [[at for at, letter in enumerate(line) if letter in "·XO"] for line in lines[1:8]]
    assert [len(row) for row in rows] == [4, 5, 6, 7, 6, 5, 4]
    for upper, lower in itertools.pairwise(rows):
        assert {at - 1 for at in upper} | {at + 1 for at in upper} >= set(lower) or len(lower) < len(upper)
        assert abs(upper[0] - lower[0]) == 1


def test_pictures_of_games_are_small() -> None:
    for spec in SPECS:
        game = pv.game(spec)
        assert picture(game) == picture(game.start())
        for color in (False, True):
            lines = plain(picture(game, color=color)).splitlines()
            assert len(lines) <= 20
            assert max(map(len, lines)) <= 50
