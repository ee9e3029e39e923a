"""The plan that the page draws a board from agrees with the board and with the server's own drawing."""

from __future__ import annotations

import json
from itertools import chain

import pytest

import polyversi as pv
from polyversi.drawing.geometry import Layout
from polyversi.drawing.layout import board_layout
from tests.testing.specs import SPECS


@pytest.mark.parametrize("spec", SPECS)
def test_every_cell_is_in_its_row_and_place(spec: str) -> None:
    game = pv.game(spec)
    plan = json.loads(json.dumps(board_layout(game)))
    cells = list(chain.from_iterable(plan["rows"]))
    assert sorted(cells) == list(range(game.board.size))
    assert len(plan["x"]) == len(plan["y"]) == len(plan["names"]) == game.board.size
    for row in plan["rows"]:
        assert len({plan["y"][cell] for cell in row}) == 1
        places = [plan["x"][cell] for cell in row]
        assert places == sorted(places)
    for cell in cells:
        at = Layout(game.board).centre(cell)
        assert plan["x"][cell] == pytest.approx(at.real, abs=0.06)
        assert plan["y"][cell] == pytest.approx(at.imag, abs=0.06)
        assert plan["names"][cell] == game.board.name(cell)
    for x, y in zip(plan["x"], plan["y"], strict=True):
        assert all(0 < x + dx < plan["width"] and 0 < y + dy < plan["height"] for dx, dy in plan["outline"])


@pytest.mark.parametrize(
    ("spec", "layout", "theme", "names"),
    [
        ("othello", "square", "felt", ["black", "white"]),
        ("hex", "hexagon", "sand", ["red", "blue"]),
        ("rolit", "square", "felt", ["seat 1", "seat 2", "seat 3", "seat 4"]),
        ("xt:starfish", "square", "slate", [f"seat {seat}" for seat in range(1, 9)]),
    ],
)
def test_looks_follow_the_board(spec: str, layout: str, theme: str, names: list[str]) -> None:
    plan = board_layout(pv.game(spec))
    assert (plan["layout"], plan["theme"]) == (layout, theme)
    assert [seat["name"] for seat in plan["seats"]] == names
    assert all(set(seat) == {"name", "fill", "ink", "sign"} for seat in plan["seats"])


def test_transitions_are_numbered_and_end_at_ports_beside_their_cells() -> None:
    game = pv.game("xt:starfish")
    plan = board_layout(game)
    assert [link["number"] for link in plan["links"]] == list(range(1, len(game.board.links) + 1))
    for link, given in zip(plan["links"], game.board.links, strict=True):
        assert [end[0] for end in link["ends"]] == [given.cell, given.to]
        for cell, x, y in link["ends"]:
            assert 20 < abs(complex(plan["x"][cell] - x, plan["y"][cell] - y)) < 40
        assert link["path"].startswith("M")
        assert link["title"].startswith(game.board.name(given.cell))
        assert (link["colour"], link["dash"]) == ((link["number"] - 1) % 12, (link["number"] - 1) // 12 % 3)


def test_joined_edges_are_lines_and_only_a_wooden_board_has_dots() -> None:
    assert len(board_layout(pv.game("torus"))["joined"]) == 4
    assert board_layout(pv.game("torus"))["links"] == []
    assert len(board_layout(pv.game("othello"))["dots"]) == 4
    assert board_layout(pv.game("othello-10"))["dots"] == []
