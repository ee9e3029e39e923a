"""Pictures in pixels: decoded again, they have their size, their frames, and every stone at its place."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageFont, ImageSequence

import polyversi as pv
from polyversi.drawing import Last, film, map_svg, raster
from polyversi.drawing.geometry import UNIT, Layout
from polyversi.drawing.palette import NOBODY, paints, theme
from polyversi.games.mapkinds import KINDS, generate
from polyversi.games.tiles import EMPTY, EXPANSION, HOLE
from polyversi.games.xt import xt_game
from polyversi.games.xtmap import XtMap
from tests.testing.marks import slow_but
from tests.testing.specs import SPECS

BOMBED = XtMap.parse("2 0 2 1  4 4  1 2 1 2  2 1 2 1  1 2 1 2  2 1 2 0  0 0 6 <-> 3 0 2")


def decoded(data: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(data))
    image.load()
    return image


def moments(game: pv.Game, most: int = 1000) -> list[film.Moment]:
    """A game in which always the middle one of the legal moves is played, to its end."""
    state, found = game.start(), list[film.Moment]()
    last = None
    while True:
        found.append((state, last))
        if state.is_over or len(found) == most:
            return found
        move = state.moves[len(state.moves) // 2]
        last, state = Last.of(state, move), state.play(move)


def colour(image: Image.Image, at: complex, scale: float) -> str:
    red, green, blue = image.convert("RGB").getpixel((int(at.real * scale), int(at.imag * scale)))  # type: ignore[misc]
    return f"#{red:02x}{green:02x}{blue:02x}"


def check_stones(image: Image.Image, state: pv.State) -> None:
    """Beside its sign, every cell has the colour of what lies on it."""
    layout, colours = Layout(state.board), theme(state.board)
    looks = {seat: look.fill for seat, look in enumerate(paints(state.board, state.game.seats), 1)}
    looks |= {EMPTY: colours.cell, HOLE: colours.hole, EXPANSION: NOBODY}
    scale = image.width / layout.width
    plain = [cell for cell, tile in enumerate(state.tiles) if tile in looks]
    beside = {cell: layout.centre(cell) - (0.06 + 0.28j) * UNIT for cell in plain}
    wrong = [cell for cell, at in beside.items() if colour(image, at, scale) != looks[state.tiles[cell]]]
    # The arcs of transitions may run over some of the cells.
    assert len(wrong) <= len(layout.transitions), [state.board.name(cell) for cell in wrong]


@pytest.mark.parametrize(
    "spec", slow_but(SPECS, "othello", "blackhole", "hex:seed=5", "rolit", "xt:carousel"))
def test_a_png_shows_the_position(spec: str) -> None:
    *_, (state, last) = moments(pv.game(spec), 8)
    image = decoded(state.png(last=last, legal=False, size=960))
    assert image.format == "PNG" and max(image.size) == 960
    check_stones(image, state)


def test_legal_cells_and_the_last_move_are_marked() -> None:
    state = pv.game("othello").start()
    after, last = state.play("f5"), Last.of(state, state.as_move("f5"))
    layout, scale = Layout(state.board), 1.0
    image = decoded(after.png(last=last))
    assert image.size == (376, 416)
    assert colour(image, layout.centre(after.as_move("d6").cell), scale) == paints(state.board, 2)[1].fill
    assert colour(image, layout.centre(after.as_move("f4").cell), scale) == paints(state.board, 2)[1].fill
    assert last is not None
    assert colour(image, layout.centre(last.cell) - 18, scale) == theme(state.board).mark
    plain = decoded(after.png(legal=False))
    assert colour(plain, layout.centre(after.as_move("d6").cell), scale) == theme(state.board).cell


def test_round_corners_are_clear_and_edges_whole() -> None:
    image = decoded(pv.game("hex").start().png(size=333)).convert("RGBA")
    opaque = np.asarray(image)[..., 3]
    assert opaque[0, 0] == 0
    middle = image.height // 2, image.width // 2
    for edge in (opaque[0, middle[1]], opaque[-1, middle[1]], opaque[middle[0], 0], opaque[middle[0], -1]):
        assert edge == 255


def written_in(svg: str) -> set[str]:
    return set("".join(re.findall(r"<text[^>]*>([^<]*)</text>", svg)))


def test_the_font_has_everything_that_drawings_say() -> None:
    said: set[str] = set()
    for spec in SPECS:
        start = pv.game(spec).start()
        said |= written_in(start.svg()) | written_in(start.playout(seed=1).svg())
    for kind in KINDS:
        said |= written_in(map_svg(generate(kind)))
    assert {"0", "9", "w", "×"} <= said
    for path in raster.FONTS:
        font = ImageFont.truetype(path, 20)
        missing = bytes(font.getmask("\ue000"))
        assert [letter for letter in said if letter != " " and bytes(font.getmask(letter)) == missing] == []


PICTURE = """
import sys
import polyversi as pv
sys.stdout.buffer.write(pv.game("hex").start().png(size=300))
"""


def test_a_machine_without_fonts_makes_the_same_picture(tmp_path: Path) -> None:
    fonts = tmp_path / "fonts.conf"
    fonts.write_text("<fontconfig></fontconfig>")
    bare = {**os.environ, "FONTCONFIG_FILE": str(fonts), "HOME": str(tmp_path)}
    made = subprocess.run([sys.executable, "-c", PICTURE], env=bare, capture_output=True, check=True).stdout
    assert made == pv.game("hex").start().png(size=300)


def test_labels_are_there() -> None:
    """Round each label there is its colour, and it is another one for every letter."""
    state = pv.game("othello").start()
    image, layout = decoded(state.png()).convert("RGB"), Layout(state.board)
    shapes: dict[str, bytes] = {}
    for at, name in layout.labels():
        box = (int(at.real) - 8, int(at.imag) - 8, int(at.real) + 8, int(at.imag) + 8)
        piece = np.asarray(image.crop(box)).sum(axis=2)
        assert piece.max() - piece.min() > 200, f"there is no {name}"
        shapes.setdefault(name, piece.tobytes())
    assert len(set(shapes.values())) == 16


@pytest.mark.parametrize("spec", slow_but(["othello-6", "hex", "rolit", "xt:arena"], "xt:arena"))
def test_every_frame_of_a_film_shows_its_position(spec: str) -> None:
    shown = moments(pv.game(spec), 20)
    image = decoded(film.gif(shown, 0.8, 360))
    assert image.format == "GIF" and max(image.size) == 360
    frames = [frame.copy() for frame in ImageSequence.Iterator(image)]
    assert len(frames) == len(shown)
    for frame, (state, _) in zip(frames, shown, strict=True):
        check_stones(frame, state)


@pytest.mark.slow
def test_frames_drawn_in_part_are_as_if_drawn_whole() -> None:
    """But for the last bits of smooth edges; also where bombs take cells, and transitions with them."""
    for game in (pv.game("hex:side=4"), xt_game(BOMBED)):
        shown = moments(game)
        for number, frame in enumerate(film.frames_of(shown, 300)):
            one, other = (np.asarray(one, np.int32) for one in (frame, film.frame_of(shown[number], 300)))
            assert abs(one - other).max() <= 24, f"frame {number} of {game.spec}"
    assert any(HOLE in state.tiles for state, _ in shown)


def test_the_last_frame_stays_longer_and_the_film_begins_again() -> None:
    image = decoded(film.gif(moments(pv.game("othello-4"), 4), 0.5, 100))
    stays = [frame.info["duration"] for frame in ImageSequence.Iterator(image)]
    assert stays == [500, 500, 500, 2000]
    assert image.info["loop"] == 0


def test_positions_that_look_alike_are_one_frame() -> None:
    start = pv.game("othello-4").start()
    image = decoded(film.gif([(start, None)] * 3, 0.5, 100))
    assert getattr(image, "n_frames", 1) == 1
    assert image.info["duration"] == 500 + 500 + 2000


@pytest.mark.slow
def test_a_whole_game_of_othello_is_small() -> None:
    shown = moments(pv.game("othello"))
    assert len(shown) > 50
    assert len(film.gif(shown, 0.8, 480)) < 500_000


@pytest.mark.parametrize("size", [15, 4097, -1, 0])
def test_sizes_that_are_no_pictures_are_refused(size: int) -> None:
    with pytest.raises(pv.PolyversiError, match="give 16 to 4096"):
        pv.game("othello").start().png(size=size)


def test_films_are_bounded() -> None:
    with pytest.raises(pv.PolyversiError, match="16 to 1024"):
        film.max_frames(64, 2000)
    for seconds in (0.0, -1.0, 61.0, float("nan")):
        with pytest.raises(pv.PolyversiError, match=r"0\.02 to 60"):
            film.gif(moments(pv.game("othello-4"), 2), seconds, 100)
    assert all(film.max_frames(cells, size) >= 2 for cells in (2500, 90_000) for size in (16, 480, 1024))


def test_without_the_extra_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(pv.PolyversiError, match=re.escape("polyversi[server]")):
        raster.png(pv.game("othello").start().svg())
