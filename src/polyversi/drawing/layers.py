"""The layers of an SVG board, from the cells at the bottom to the rings of the last move on top."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from polyversi.drawing.geometry import PORT, Layout
from polyversi.drawing.marks import Last
from polyversi.drawing.markup import element, label, point, repeated, text
from polyversi.drawing.palette import INK, NOBODY, Paint, Theme, paints, theme
from polyversi.games.board import Board, Link
from polyversi.games.tiles import BONUS, CHOICE, EMPTY, EXPANSION, HOLE, INVERSION

STONE = 16.0
"""The radius of a stone."""
SYMBOLS = {
    CHOICE: "m-9-4h18l-5-5m5 13h-18l5 5",  # two arrows that change places
    INVERSION: "m9 0a9 9 0 1 1-4-7.5l-1.7-5.8m1.7 5.8l-6 .6",  # an arrow that turns round
    BONUS: "m0-8v16m-8-8h16",
    EXPANSION: "m-5-5l10 10m0-10l-10 10",
    HOLE: "m-7-7l14 14m0-14l-14 14",
}
"""What is drawn on special tiles and bombed cells, from the middle of the cell."""
SIGNS = {"X": "m-5-5l10 10m0-10l-10 10", "O": "m-6 0a6 6 0 1 0 12 0a6 6 0 1 0-12 0"}
"""The signs of stones that are drawn; others are written."""
ARC_COLOURS = (
    *("#ff8a5c", "#5cc8ff", "#ffe066", "#c79bff", "#6be38f", "#ff7fb0"),
    *("#8fd3c8", "#ffb84d", "#9db4ff", "#d4f06b", "#ff9e9e", "#e6c7a1"),
)
ARC_DASHES = (None, "9 4", "3 3")
DIRECTION_WORDS = {
    "square": ("up", "up-right", "right", "down-right", "down", "down-left", "left", "up-left"),
    "hexagon": ("up-right", "right", "down-right", "down-left", "left", "up-left"),
}


@dataclass(frozen=True)
class Scene:
    """A board with what lies on it, ready to be drawn layer by layer."""

    board: Board
    tiles: bytes
    seats: int
    colours: str = ""
    """Other looks of the stones than the board's own; one of `palette.COLOURS`."""

    @cached_property
    def layout(self) -> Layout:
        """The places of the drawing."""
        return Layout(self.board)

    @property
    def theme(self) -> Theme:
        """The colours of the board."""
        return theme(self.board)

    @property
    def looks(self) -> tuple[Paint, ...]:
        """The looks of the stones, by seat."""
        return paints(self.board, self.seats, self.colours)

    def places(self, tile: int) -> list[complex]:
        """The middles of the cells on which this tile lies."""
        return [self.layout.centre(cell) for cell, found in enumerate(self.tiles) if found == tile]

    def cells(self) -> str:
        """Every cell, the four dots of an 8×8 board, and the labels round it."""
        corners = self.layout.outline
        shape = "".join(f"l{point(end - start)}" for start, end in pairwise(corners)) + "z"
        cells = [self.layout.centre(cell) for cell, tile in enumerate(self.tiles) if tile != HOLE]
        layers = [
            element("path", d=repeated([at + corners[0] for at in places], shape), class_=name, fill=fill)
            for places, name, fill in (
                (cells, "pv-cells", self.theme.cell),
                (self.places(HOLE), "pv-holes", self.theme.hole),
            )
            if places
        ]
        names = [label(name, at) for at, name in self.layout.labels()]
        colour, line = self.theme.label, self.theme.line
        dots = repeated(self.layout.dots(), "h0")
        return (
            element("g", *layers, stroke=line, stroke_width=1.5, stroke_linejoin="round")
            + (element("path", d=dots, stroke=line, stroke_width=8, stroke_linecap="round") if dots else "")
            + element("g", *names, class_="pv-labels", fill=colour, font_size=13, text_anchor="middle")
        )

    def edges(self) -> str:
        """Dashed lines along the edges that are joined."""
        path = "".join(f"M{point(start)}l{point(end - start)}" for start, end in self.layout.joined())
        line = element("path", d=path, stroke=self.theme.symbol, stroke_width=2.5, stroke_dasharray="7 6")
        return element("g", line, class_="pv-joined") if path else ""

    def specials(self) -> str:
        """The special tiles and the crosses of bombed cells."""
        layers = []
        if stones := self.places(EXPANSION):
            layers.append(element("path", d=repeated(stones, "h0"), stroke=NOBODY, stroke_width=2 * STONE))
        colours = {HOLE: self.theme.cell, EXPANSION: INK}
        for tile, shape in SYMBOLS.items():
            if places := self.places(tile):
                path, colour = repeated(places, shape), colours.get(tile, self.theme.symbol)
                layers.append(element("path", d=path, class_=f"pv-tile-{tile}", stroke=colour))
        ends = "round"
        return _group(layers, fill="none", stroke_width=3, stroke_linecap=ends, stroke_linejoin=ends)

    def arcs(self) -> str:
        """The transitions between cells that are still there, each with a numbered port at either end."""
        arcs = [
            self._arc(count, link)
            for count, link in enumerate(self.layout.transitions)
            if HOLE not in (self.tiles[link.cell], self.tiles[link.to])
        ]
        return _group(arcs, class_="pv-transitions", fill="none", font_size=8, text_anchor="middle")

    def route(self, link: Link) -> str:
        """The path of a transition, from within the one cell to within the other."""
        layout = self.layout
        start, first, second, end = layout.arc(link)
        here, there = layout.stub(link.cell, link.direction), layout.stub(link.to, link.entry)
        curve = f"{point(first)} {point(second)} {point(end)}"
        return f"M{point(here)}L{point(start)}C{curve}L{point(there)}"

    def route_words(self, link: Link) -> str:
        """A transition in words: `2,0 right to 0,0 left`."""
        words, name = DIRECTION_WORDS[self.board.layout], self.board.name
        return f"{name(link.cell)} {words[link.direction]} to {name(link.to)} {words[link.entry]}"

    def _arc(self, count: int, link: Link) -> str:
        start, _, _, end = self.layout.arc(link)
        dashes = ARC_DASHES[count // len(ARC_COLOURS) % len(ARC_DASHES)]
        return element(
            "g",
            element("title", text(self.route_words(link))),
            element("path", d=self.route(link), stroke_width=1.6, stroke_dasharray=dashes),
            element("path", d=repeated((start, end), "h0"), stroke_width=2 * PORT, stroke_linecap="round"),
            element("g", *(label(str(count + 1), at) for at in (start, end)), stroke="none", fill=INK),
            stroke=ARC_COLOURS[count % len(ARC_COLOURS)],
        )

    def stones(self) -> str:
        """The stones of every seat, with its sign on them."""
        found = [(seat, look, self.places(seat)) for seat, look in enumerate(self.looks, 1)]
        return "".join(self.stone(look, places, f"pv-seat-{seat}") for seat, look, places in found if places)

    def stone(self, look: Paint, places: Sequence[complex], name: str | None = None) -> str:
        """Stones of one look at these places."""
        signs = ""
        if look.sign in SIGNS:
            drawn = [element("path", d=repeated(places, SIGNS[look.sign]))]
            signs = _group(drawn, fill="none", stroke=look.ink, stroke_width=2.5, stroke_linecap="round")
        elif look.sign:
            digits = [label(look.sign, at) for at in places]
            signs = _group(digits, fill=look.ink, font_size=17, font_weight="bold", text_anchor="middle")
        discs = _group(_circles(places, STONE), fill=look.fill, stroke="#000000", stroke_opacity=0.5)
        return element("g", discs, signs, class_=name)

    def legal(self, cells: frozenset[int], turn: int) -> str:
        """Small dots in the mover's colour: in the middle of free cells, in a corner of the others."""
        aside = {EMPTY: 0j}
        dots = [self.layout.centre(cell) + aside.get(self.tiles[cell], 13 - 13j) for cell in sorted(cells)]
        colour = self.looks[turn - 1].fill
        return _group(_circles(dots, 6), class_="pv-legal", fill=colour, stroke=self.theme.line)

    def words(self, words: Mapping[int, str]) -> str:
        """Short texts, such as the numbers of moves, on free cells and on stones without a sign."""
        inks = {EMPTY: self.theme.mark}
        inks |= {seat: look.ink for seat, look in enumerate(self.looks, 1) if not look.sign}
        written = [
            label(part, self.layout.centre(cell), fill=inks[self.tiles[cell]])
            for cell, part in words.items() if self.tiles[cell] in inks
        ]
        return _group(written, class_="pv-words", font_size=14, font_weight="bold", text_anchor="middle")

    def last(self, last: Last | None) -> str:
        """A bold ring round the last move and thin dashed rings round the stones it turned."""
        if last is None:
            return ""
        bold = _circles([self.layout.centre(last.cell)], STONE + 2)
        thin = _circles([self.layout.centre(cell) for cell in last.turned], STONE + 2)
        return element(
            "g",
            _group(bold, class_="pv-last", stroke_width=3.5),
            _group(thin, class_="pv-turned", stroke_width=2.5, stroke_dasharray="4 3"),
            fill="none",
            stroke=self.theme.mark,
        )


def _circles(places: Sequence[complex], radius: float) -> list[str]:
    return [element("circle", cx=at.real, cy=at.imag, r=radius) for at in places]


def _group(content: Sequence[str], **attributes: str | float) -> str:
    """A group, or nothing at all when it would be empty."""
    return element("g", *content, **attributes) if content else ""
