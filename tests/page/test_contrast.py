"""The colours of boards: labels, signs, marks and the stones of every seat stand out on each of them.

The bounds are those of WCAG 2: 4.5 to 1 for letters, 3 to 1 for what is not text.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import polyversi
from polyversi.drawing.palette import BLACK_AND_WHITE, EIGHT, NOBODY, RED_AND_BLUE

STYLE = (Path(polyversi.__file__).parent / "page" / "style" / "board.css").read_text()
SETTINGS = (Path(polyversi.__file__).parent / "page" / "app" / "settings.js").read_text()
STONES = sorted({paint.fill for paint in (*BLACK_AND_WHITE, *RED_AND_BLUE, *EIGHT)} | {NOBODY})
RIM = 0.8
"""How much black or white there is in the rim of a stone."""
DARK = 0.2
"""Stones below this brightness have a rim that depends on the board."""


def themes() -> list[str]:
    """The boards one can choose from."""
    found = re.search(r'BOARD_THEMES = .*\(\["own", (.*)\]\)', SETTINGS)
    assert found is not None
    return [name.strip('"') for name in found[1].split(", ")]


def rules(theme: str) -> dict[str, tuple[str, str]]:
    """The colours of a board on light and on dark pages, by name."""
    found: dict[str, tuple[str, str]] = {}
    for selectors, body in re.findall(r"^([^{}@]+)\{([^{}]*)\}", STYLE, re.MULTILINE):
        if "contrast" in selectors or theme not in re.findall(r"\.(\w+)", selectors):
            continue
        for name, both, light, dark, single in re.findall(
                r"--board-([\w-]+): (light-dark\((#\w+), (#\w+)\)|(#\w+))", body):
            found[name] = (light, dark) if both.startswith("light") else (single, single)
    return found


def brightness(colour: str) -> float:
    """The relative luminance of a colour."""
    shares = ((1, 0.2126), (3, 0.7152), (5, 0.0722))
    parts = [(int(colour[at : at + 2], 16) / 255, share) for at, share in shares]
    return sum(share * (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4)
               for part, share in parts)


def contrast(one: str, other: str) -> float:
    """How far two colours are apart, from 1 to 21."""
    high, low = sorted((brightness(one), brightness(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def mixed(colour: str, other: str, share: float) -> str:
    """A colour with some of another in it."""
    pairs = [(int(colour[at : at + 2], 16), int(other[at : at + 2], 16)) for at in (1, 3, 5)]
    return "#" + "".join(f"{round(one + (two - one) * share):02x}" for one, two in pairs)


@pytest.mark.parametrize("theme", themes())
def test_what_is_drawn_on_a_board_stands_out(theme: str) -> None:
    colours = rules(theme)
    faint = []
    for scheme in (0, 1):
        cell, frame = colours["cell"][scheme], colours["frame"][scheme]
        for name in ("label", "symbol", "mark", "hint"):
            ground, least = (frame, 4.5) if name == "label" else (cell, 3)
            if contrast(colours[name][scheme], ground) < least:
                faint.append(f"{name} {scheme}: {contrast(colours[name][scheme], ground):.2f}")
        for stone in STONES:
            rim = mixed(stone, colours["rim"][scheme] if brightness(stone) < DARK else "#000000", RIM)
            best = max(contrast(stone, cell), contrast(rim, cell))
            if best < 3:
                faint.append(f"stone {stone} {scheme}: {best:.2f}")
    assert faint == []
