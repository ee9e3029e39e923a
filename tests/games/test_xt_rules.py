"""Reversi XT rule by rule, on maps small enough to check by eye."""

from __future__ import annotations

import pytest

import polyversi as pv
from polyversi.games.xt import xt_game
from polyversi.games.xtmap import XtMap


def xt(head: str, *rows: str, links: tuple[str, ...] = ()) -> pv.State:
    """The start of a game on a map written row by row without spaces."""
    height, width = len(rows), len(rows[0])
    text = "\n".join([head, f"{height} {width}", *(" ".join(row) for row in rows), *links])
    return xt_game(XtMap.parse(text)).start()


def tiles(state: pv.State) -> str:
    return state.text.split()[0]


def legal(state: pv.State) -> list[str]:
    return [str(move) for move in state.moves]


def test_a_row_is_captured_and_foreign_stones_of_all_seats_are_collected() -> None:
    state = xt("3 0 0 0", "02321")
    assert legal(state) == ["0,0"]
    assert tiles(state.play("0,0")) == "11111"
    assert state.turned("0,0") == (1, 2, 3)


def test_a_ray_fails_at_a_hole_an_edge_and_a_free_tile() -> None:
    assert xt("2 0 1 0", "02-1").phase == "bomb"
    assert xt("2 0 1 0", "022").phase == "bomb"
    assert xt("2 0 1 0", "0201").phase == "bomb"
    for special in "cib":
        assert xt("2 0 1 0", f"-2{special}1").phase == "bomb"


def test_who_has_no_move_is_skipped_and_the_next_one_begins() -> None:
    state = xt("3 0 0 0", "012")
    assert state.turn == 2
    assert legal(state) == ["0,0"]
    end = state.play("0,0")
    assert end.result is not None
    assert end.result.reason == "bombs used"
    assert end.result.scores == (0, 3, 0)


def test_transitions_turn_a_ray() -> None:
    # Leaving 2,0 to the right leads to 0,1 travelling down: the ray goes on through 0,2.
    state = xt("2 0 0 0", "-02", "2--", "1--", links=("2 0 2 <-> 0 1 0",))
    assert legal(state) == ["1,0"]
    assert tiles(state.play("1,0")) == "1111"


def test_a_ray_that_comes_back_to_its_own_start_fails() -> None:
    ring = ("2 0 2 <-> 0 0 6",)
    lone = xt("2 0 1 0", "022", links=ring)
    assert lone.phase == "bomb"
    # Overriding one's own stone on a full circle: the ray comes back to it and fails, whatever stood there.
    circle = xt("2 1 1 0", "122", links=ring)
    assert legal(circle) == ["1,0", "2,0"]


def test_a_tile_may_lead_onto_itself() -> None:
    # Leaving 2,0 to the right comes back into 2,0 from above, travelling down to 2,1.
    state = xt("2 0 0 0", "022", "--1", links=("2 0 2 <-> 2 0 0",))
    assert legal(state) == ["0,0"]
    assert tiles(state.play("0,0")) == "1111"


def test_override_stones() -> None:
    state = xt("2 1 0 0", "1221")
    assert legal(state) == ["0,0", "1,0", "2,0", "3,0"]    # one's own stones may be overridden too
    after = state.play("0,0")
    assert tiles(after) == "1111"
    assert after.overrides == (0, 1)
    assert xt("2 0 1 0", "1221").phase == "bomb"


def test_overriding_another_seat_needs_a_capture() -> None:
    state = xt("2 1 0 0", "221")
    assert legal(state) == ["0,0"]
    assert tiles(state.play("0,0")) == "111"
    assert xt("2 1 1 0", "21").phase == "bomb"


def test_expansion_stones_need_no_capture_and_are_collected() -> None:
    state = xt("2 1 0 0", "x-0x1")
    assert legal(state) == ["0,0", "2,0", "3,0"]
    assert tiles(state.play("0,0")) == "10x1"
    assert tiles(state.play("2,0")) == "x111"
    assert state.play("2,0").overrides == (1, 1)
    assert state.play("0,0").overrides == (0, 1)
    assert state.scores == (1, 0)


def test_choice_swaps_after_the_captures() -> None:
    state = xt("3 0 0 0", "c21-33")
    assert legal(state) == ["0,0:1", "0,0:2", "0,0:3"]
    assert tiles(state.play("0,0:1")) == "11133"
    assert tiles(state.play("0,0:2")) == "22233"
    assert tiles(state.play("0,0:3")) == "33311"
    with pytest.raises(pv.IllegalMoveError, match="a choice tile needs the seat to swap with"):
        state.play("0,0")
    with pytest.raises(pv.NotationError, match="write one of 0,0:1, 0,0:2, 0,0:3, 0,0"):
        state.game.move("0,0:4")


def test_bonus_gives_a_bomb_or_an_override_stone() -> None:
    state = xt("2 0 0 0", "b21")
    assert legal(state) == ["0,0:20", "0,0:21"]
    bomb, override = state.play("0,0:20"), state.play("0,0:21")
    assert (bomb.bombs, bomb.overrides) == ((1, 0), (0, 0))
    assert (override.bombs, override.overrides) == ((0, 0), (1, 0))
    assert (bomb.phase, bomb.turn) == ("bomb", 1)
    assert override.is_over
    with pytest.raises(pv.IllegalMoveError, match="'0,0:20' for a bomb or '0,0:21' for an override stone"):
        state.play("0,0")


def test_inversion_gives_every_stone_to_the_next_seat() -> None:
    state = xt("3 0 0 0", "i21-33")
    assert legal(state) == ["0,0"]
    assert tiles(state.play("0,0")) == "22211"


def test_special_tiles_become_ordinary() -> None:
    state = xt("2 1 0 0", "b21", "---", "012").play("0,0:20")
    assert (state.tiles[0], state.turn) == (1, 2)
    with pytest.raises(pv.IllegalMoveError, match="its special tile is gone"):
        state.play("0,0:20")


def test_bombing_begins_after_the_last_mover() -> None:
    state = xt("3 0 1 0", "0210")    # seat 2 could not move after seat 1 did
    after = state.play("0,0")
    assert (after.phase, after.turn, after.last) == ("bomb", 2, 1)
    after = after.play("0,0").play("1,0")
    assert after.turn == 1
    end = after.play("2,0")
    assert end.result is not None
    assert (end.result.reason, end.bombs) == ("bombs used", (0, 0, 0))


def test_the_special_value_of_a_bomb_is_ignored() -> None:
    state = xt("2 0 1 0", "b21", "---", "cc0").play("0,0:20")
    assert (state.phase, state.bombs) == ("bomb", (2, 1))
    plain = state.play("1,0")
    for spelled in ("1,0:5", "1,0:20", state.game.move("1,0")):
        assert state.play(spelled) == plain
        assert str(state.as_move(spelled)) == "1,0"
    assert state.play("0,0:21") == state.play(state.game.move("0,0:20")) == state.play("0,0")
    assert state.is_legal("0,2:2")


def test_a_map_without_a_building_move_begins_with_bombs() -> None:
    state = xt("2 0 1 0", "000")
    assert (state.phase, state.turn, state.last) == ("bomb", 1, 0)
    assert legal(state) == ["0,0", "1,0", "2,0"]


def test_a_bomb_reaches_through_transitions_but_not_through_holes() -> None:
    wide = xt("2 0 1 2", "000-000", links=("0 0 6 <-> 6 0 2",))
    assert wide.turned("0,0") == tuple(wide.board.cell(name) for name in ("0,0", "1,0", "2,0", "5,0", "6,0"))
    assert tiles(wide.play("0,0")) == "---0--"
    point = xt("2 0 1 0", "000")
    assert point.turned("1,0") == (1,)
    with pytest.raises(pv.IllegalMoveError, match="the cell is a hole"):
        point.play("1,0").play("1,0")


def test_the_game_ends_when_no_tile_is_left() -> None:
    end = xt("2 0 5 3", "000").play("1,0")
    assert end.result is not None
    assert end.result.reason == "no tiles left"
    assert end.result.ranks == (1, 1)


def test_disqualification() -> None:
    state = xt("3 0 0 0", "0210", "0310", "0120")
    out = state.disqualify(1)
    assert (out.turn, out.out) == (2, (1,))
    assert out.tiles == state.tiles
    last = out.disqualify(3)
    assert last.result is not None
    assert last.result.reason == "one seat left"
    assert last.result.ranks == (2, 1, 2)
    assert last.result.points == (-50.0, 25.0, -50.0)
    nobody = last.disqualify(2)    # lost at once with the one before it
    assert nobody.result is not None
    assert (nobody.result.reason, nobody.result.ranks) == ("no seat left", (3, 3, 3))
    with pytest.raises(ValueError, match="already disqualified"):
        out.disqualify(1)
    with pytest.raises(ValueError, match="no such seat"):
        state.disqualify(9)
    with pytest.raises(ValueError, match="only XT games"):
        pv.game("othello").start().disqualify(1)


def test_a_seat_can_be_disqualified_out_of_turn() -> None:
    state = xt("3 0 0 0", "0210", "0310", "0120")
    out = state.disqualify(2)
    assert out.turn == state.turn == 1
    assert out.play(out.moves[0]).turn != 2


def test_stones_of_the_disqualified_can_be_captured_and_chosen() -> None:
    state = xt("3 0 0 0", "c21-33-0").disqualify(3)
    assert tiles(state.play("0,0:3")) == "333110"


def test_points_share_the_better_rank() -> None:
    state = xt("4 0 0 0", "021-33-44-0", "-----------").play("0,0")
    assert state.result is not None
    assert state.result.scores == (3, 0, 2, 2)
    assert state.result.ranks == (1, 4, 2, 2)
    assert state.result.points == (25.0, 2.0, 11.0, 11.0)


def test_rays_are_traced_before_the_move_and_may_cross_a_tile_twice() -> None:
    # From 0,0 the ray to the right meets 1,0 and 2,0; the transition leads it down through 1,0 again to 1,1.
    state = xt("2 0 0 0", "022", "-1-", links=("2 0 2 <-> 1 0 0",))
    assert legal(state) == ["0,0"]
    assert tiles(state.play("0,0")) == "1111"
    assert state.turned("0,0") == (1, 2)


def test_positions_in_the_middle_of_a_game() -> None:
    game = xt("3 2 1 0", "0210", "0310", "0120").game
    text = game.start().disqualify(2).text
    assert text == "021003100120 1 out=2"
    assert game.position(text).out == (2,)
    for wrong, message in [
        ("021003100120 2 out=2", "cannot be that seat's turn"),
        ("021003100120 1 out=4", "no such seat"),
        ("021003100120 1 bombs=1/1", "every seat needs its stocks"),
        ("021003100120 1 bombs=1/1/100001", "a stock is out of range"),
        ("0210031001c0 1", "does not belong on its cell"),
        ("021003100120 1 last=4", "no such seat"),
        ("021003100120 1 phase=late", "write phase=bomb"),
    ]:
        with pytest.raises(pv.NotationError, match=message):
            game.position(wrong)
