"""Drawings of boards, states and XT maps: SVG for pages and notebooks, text for terminals."""

from polyversi.drawing.marks import Last
from polyversi.drawing.svg import board_svg, map_svg, state_svg
from polyversi.drawing.terminal import map_terminal, picture, state_terminal

__all__ = ["Last", "board_svg", "map_svg", "map_terminal", "picture", "state_svg", "state_terminal"]
