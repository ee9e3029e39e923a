"""Trees: variations and comments come back from a file in every variant, and hostile ones are refused."""

from __future__ import annotations

import json
import random
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import polyversi as pv
from polyversi.games.xt import xt_game
from polyversi.games.xtmap import XtMap
from polyversi.records import Note, Record, Tree, Variation, ggf, jsonl, transcript, wthor
from polyversi.records.record import MAX_SIDE_MOVES
from tests.testing.sample_records import begun, played, seeds, words

SPECS = ("othello", "othello-4", "reversi", "anti-6", "hex", "hex:side=6,seats=3", "rolit", "xt:starfish")


def moves_of(tree: Tree) -> list[str]:
    return [str(node.move) for node in tree.main_line()]


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    """Games played by chance with side lines that leave any line anywhere, also its end."""
    seed = draw(seeds)
    start = begun(draw(st.sampled_from(SPECS)), seed)
    tree = Tree(Record(start, played(start, seed, draw(st.sampled_from((0, 1, 6, 30))))))
    choose = random.Random(seed)
    for _ in range(draw(st.integers(0, 12))):
        node = choose.choice(list(tree))
        for number in range(choose.randint(1, 4)):
            if node.state.is_over:
                break
            move = choose.choice(node.state.moves)
            node = node.add_variation(move) if number == 0 else node.play(move)
            node.note = Note(draw(words), seconds=draw(st.none() | st.integers(0, 60)))
    return tree


@settings(deadline=None, max_examples=80)
@given(trees())
def test_trees_come_back(tree: Tree) -> None:
    record = tree.record()
    assert jsonl.parse(jsonl.write(record)) == record
    again = Tree(record)
    assert again.record() == record
    assert [(node.moves, node.note, node.is_main_line, node.state) for node in again] == [
        (node.moves, node.note, node.is_main_line, node.state) for node in tree]


@settings(deadline=None, max_examples=60)
@given(trees(), st.randoms(use_true_random=False))
def test_edited_trees_are_games_still(tree: Tree, choose: random.Random) -> None:
    for _ in range(5):
        nodes = list(tree)[1:]
        if not nodes:
            break
        node = choose.choice(nodes)
        edit = choose.choice((node.promote, node.make_main_line, node.delete))
        edit()
        assert edit != node.make_main_line or node.is_main_line
        assert (node in list(tree)) == (edit != node.delete)
        assert Tree(tree.record()).record() == tree.record()


def test_a_line_word_by_word() -> None:
    tree = Record.of("othello-4", "b1a1").tree()
    side = tree.root.play("b1").play("c1")
    side.comment = "worse"
    side.play("d1")
    side.play("d1").add_variation("a1")
    tree.root.play("a2")
    line = jsonl.write(tree.record())
    assert json.loads(line)["variations"] == [
        {"ply": 0, "moves": ["a2"]},
        {"ply": 1, "moves": ["c1", "d1"], "notes": [{"comment": "worse"}, {}]},
        {"line": 2, "ply": 3, "moves": ["a1"]},
    ]
    assert "variations" not in jsonl.write(Record.of("othello-4", "b1a1"))


def test_play_goes_where_a_move_leads() -> None:
    tree = Record.of("othello", "f5d6").tree()
    after = tree.root.play("F5")
    assert after is tree.root.next and after.play("d6") is after.next
    assert after.play("f6") is after.variations[0] is after.play("f6")
    assert tree.main_line()[-1].play("c3").is_main_line
    with pytest.raises(pv.IllegalMoveError):
        after.play("a1")


def test_what_comes_after_the_end_of_a_game_is_not_part_of_it() -> None:
    tree = Record.of("othello", "f5d6").tree()
    extra = tree.main_line()[-1].add_variation("c3")
    assert [str(move) for move in tree.record().moves] == ["f5", "d6"]
    extra.promote()
    assert moves_of(tree) == ["f5", "d6", "c3"]


def test_promoting_and_deleting() -> None:
    tree = Record.of("othello", "f5d6c3").tree()
    side = tree.root.play("f5").play("f6").play("e6")
    side.make_main_line()
    assert moves_of(tree) == ["f5", "f6", "e6"]
    assert [str(move) for move in tree.record().variations[0].moves] == ["d6", "c3"]
    tree.main_line()[1].delete()
    assert moves_of(tree) == ["f5", "d6", "c3"] and not tree.record().variations
    for edit in (tree.root.delete, tree.root.promote):
        with pytest.raises(pv.RecordError, match="the start of a game cannot be"):
            edit()


def test_comments_on_the_game_and_its_moves() -> None:
    tree = Tree(Record(pv.game("othello").start(), tags=(("comment", "final"), ("event", "Cup"))))
    assert tree.root.comment == "final"
    tree.root.comment = "semi-final"
    tree.root.play("f5").comment = "the only first move"
    record = tree.record()
    assert record.tag("comment") == "semi-final" and record.tag("event") == "Cup"
    assert record.notes[0].comment == "the only first move"
    tree.root.comment = ""
    assert tree.record().tags == (("event", "Cup"),)
    with pytest.raises(pv.RecordError, match="70000 characters"):
        tree.root.comment = "x" * 70000


def test_a_disqualification_stays_on_the_main_line() -> None:
    start = pv.game("xt:starfish").start()
    moves = played(start.disqualify(1), 1, 3)
    record = Record(start, moves, disqualified=((0, 1), (3, 8)))
    tree = record.tree()
    assert tree.record() == record and tree.main_line()[-1].state == record.final
    other = next(move for move in tree.root.state.moves if move != moves[0])
    with pytest.raises(pv.RecordError, match="a seat was disqualified must stay the main line"):
        tree.root.play(other).promote()


def test_other_formats_keep_the_main_line() -> None:
    record = Record.of("othello", "f5d6c3")
    tree = record.tree()
    tree.root.play("f5").play("f6")
    for form in (ggf.FORMAT, wthor.FORMAT, transcript.FORMAT):
        held = form.fit(tree.record())
        assert isinstance(held, Record) and held.moves == record.moves and not held.variations


def test_the_order_of_the_lines_in_a_file_does_not_matter() -> None:
    game = pv.game("othello")
    f5, d6, f6, f4, e6 = map(game.move, ("f5", "d6", "f6", "f4", "e6"))
    second, first = Variation(1, (f6, e6)), Variation(0, (game.move("d3"),))
    third = Variation(1, (f4,))
    one = Record(game.start(), (f5, d6), variations=(second, first, third))
    assert one == Record(game.start(), (f5, d6), variations=(first, second, third))
    assert one != Record(game.start(), (f5, d6), variations=(first, third, second))    # f4 is preferred there


@pytest.mark.parametrize(("variations", "message"), [
    ('{"ply": 1, "moves": []}', "at least one move"),
    ('{"ply": 1, "moves": ["d6"]}', "variation 1: it begins with d6, as another line does there"),
    ('{"ply": 1, "moves": ["f6"]}, {"ply": 1, "moves": ["f6"]}', "variation 2: it begins with f6"),
    ('{"ply": 1, "moves": ["a1"]}', "variation 1: move 1: a1 is not legal"),
    ('{"ply": 3, "moves": ["a1"]}', "variation 1: line 0, which it leaves, has no ply 3"),
    ('{"ply": -1, "moves": ["f5"]}', "has no ply -1"),
    ('{"ply": 1, "line": 1, "moves": ["f6"]}', "it leaves line 1, which must come before it"),
    ('{"ply": 1, "line": -1, "moves": ["f6"]}', "it leaves line -1"),
    ('{"ply": 1, "moves": ["f6"]}, {"line": 1, "ply": 1, "moves": ["f4"]}', "line 1, .* no ply 1"),
    ('{"ply": 1, "moves": ["f6"], "notes": []}, 5', r"variations\[1\]: expected object"),
    ('{"ply": 1, "moves": ["f6"], "notes": [{}, {}]}', "2 notes for 1 moves"),
    ('{"moves": ["f6"]}', "missing required field ply"),
    ('{"ply": 1, "moves": ["f6"], "notes": [{"comment": 5}]}', r"notes\[0\].comment: expected str"),
])
def test_what_is_wrong_with_variations_is_said(variations: str, message: str) -> None:
    line = '{"polyversi": 1, "game": "othello", "moves": ["f5", "d6"], "variations": [' + variations + "]}"
    with pytest.raises(pv.PolyversiError, match=message):
        jsonl.parse(line)


def test_the_size_of_a_tree_is_bounded() -> None:
    side = '{"ply": 0, "moves": ["' + '", "'.join(["f5"] * (MAX_SIDE_MOVES + 1)) + '"]}'
    line = '{"polyversi": 1, "game": "othello", "variations": [' + side + "]}"
    with pytest.raises(pv.RecordError, match=r"20,001 moves; at most 20,000"):
        jsonl.parse(line)


def test_lines_within_lines_may_be_deeper_than_python_recurses() -> None:
    """Every line leaves the one before it after its first move."""
    cells = [["0"] * 40 for _ in range(40)]
    cells[19][19:21], cells[20][19:21] = "12", "21"
    chart = XtMap.parse("2 0 0 0 40 40\n" + "\n".join(map(" ".join, cells)))
    tree = Tree(Record(xt_game(chart, "xt:plain").start()))
    node, depth = tree.root, 0
    while not node.state.is_over:
        node = node.add_variation(node.state.moves[0])
        depth += 1
    assert depth > sys.getrecursionlimit()
    record = jsonl.parse(jsonl.write(tree.record()))
    assert isinstance(record, Record) and len(record.variations) == depth
    assert [one.moves for one in Tree(record)] == [one.moves for one in tree]
    node.make_main_line()
    assert len(tree.record().moves) == depth
