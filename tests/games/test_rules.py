"""Every game explains itself: sentences that fit its definition, examples that the reference replays."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

import polyversi as pv
from polyversi.games.rules import Example, Sentence, rules_of
from polyversi.games.rules.lines import enclosed_lines, secure_cells
from polyversi.games.rules.search import find_examples
from polyversi.games.tiles import EXPANSION, HOLE
from polyversi.games.variants import VARIANTS
from tests import reference as ref
from tests.testing.reference_game import reference_state
from tests.testing.specs import SPECS

OFFERED = sorted({pv.game(offered.example).spec for variant in VARIANTS.values()
                  for offered in variant.family.gallery() or (variant,)})
"""Every game of the catalogue."""
GAMES = sorted({*OFFERED, *(pv.game(spec).spec for spec in SPECS)})


def sentences(game: pv.Game) -> Iterator[Sentence]:
    for section in game.rules.sections:
        yield from section.sentences
        for entry in section.entries:
            yield from entry.sentences
    for example in game.rules.examples:
        yield from example.sentences


def replayed(example: Example) -> list[ref.RefState]:
    """The positions of an example as the plain reference gets them."""
    states = [reference_state(example.start)]
    for move in example.moves:
        assert (move.cell, move.special) in states[-1].legal_moves(), f"{example.name}: {move} is not legal"
        states.append(states[-1].play(move.cell, move.special))
    return states


@pytest.mark.parametrize("spec", GAMES)
def test_every_game_has_rules_whose_examples_replay(spec: str) -> None:
    game = pv.game(spec)
    rules = game.rules
    assert rules.goal == game.definition.goal_in_words == str(rules.sections[0].sentences[0])
    assert {"goal", "setup", "move", "passing", "end"} <= {section.name for section in rules.sections}
    for sentence in sentences(game):
        assert re.fullmatch(r"[A-Z0-9{].*[.:]", sentence.text), sentence
        assert {*re.findall(r"\{(\w+)\}", sentence.text)} == {*sentence.values}, sentence
    names = [example.name for example in rules.examples]
    assert "capture" in names and len(names) == len({*names})
    assert {example.section for example in rules.examples} <= {section.name for section in rules.sections}
    for example in rules.examples:
        for state, wanted in zip(example.states, replayed(example), strict=True):
            assert (tuple(state.tiles), state.turn, state.phase) == (wanted.tiles, wanted.turn, wanted.phase)
            assert (state.overrides, state.bombs) == (wanted.overrides, wanted.bombs)
            assert (state.ending or "") == wanted.reason


def test_examples_show_what_they_say() -> None:
    shown = 0
    for example in (example for spec in OFFERED for example in pv.game(spec).rules.examples):
        start, final = example.states[0], example.states[-1]
        moves, definition = example.moves, start.game.definition
        lines = [] if not moves or moves[0].is_pass else enclosed_lines(start, moves[0])
        match example.name:
            case "capture":
                [line] = lines
                assert not line.is_joined and {*line.cells} == {*start.turned(moves[0])}
            case "lines":
                assert len(lines) == example.sentences[0].values["count"] and len(lines) > 1
            case "players":
                assert len({start.tiles[cell] for cell in lines[0].cells}) > 1
            case "joined" | "transition":
                assert [line.is_joined for line in lines] == [True]
            case "opening":
                assert len(moves) == len(definition.opening) == sum(final.scores) and not any(start.scores)
            case "adjacent":
                assert definition.placing == "adjacent" and not start.turned(moves[0])
            case "pass":
                assert example.states[1].must_pass and moves[1].is_pass and not final.is_over
            case "passes":
                assert all(move.is_pass for move in moves) and final.ending == "passes"
            case "end":
                assert final.is_over and final.result and final.result.winner
            case "skip":
                assert [state.turn for state in example.states[:2]] == [1, 3]
            case "choice":
                after = start.play(example.start.game.move("0,1:1"))    # without a swap
                assert final.scores == after.scores[::-1] != after.scores
            case "inversion":
                own = len(start.turned(moves[0]))
                assert final.scores == (start.scores[2], start.scores[0] + 1 + own, start.scores[1] - own)
            case "bonus":
                assert final.bombs[0] == start.bombs[0] + 1
            case "expansion":
                assert EXPANSION in {start.tiles[cell] for cell in lines[0].cells}
                assert start.tiles[moves[1].cell] == EXPANSION and final.overrides == (1, 0)
                assert not example.states[1].turned(moves[1])
            case "override":
                assert start.tiles[moves[0].cell] == 2 and final.overrides == (0, 1)
            case "bomb":
                assert start.phase == "bomb" and final.tiles.count(HOLE) == 9
            case "start":
                assert start == start.game.start() and not moves
            case name:
                pytest.fail(f"what does the example {name} show?")
        shown += 1
    assert shown > 100


def test_the_same_game_has_the_same_examples() -> None:
    game = pv.game("cylinder")
    again = find_examples(pv.Game("cylinder", game.definition))
    assert [(one.name, one.start, one.moves) for one in again] == [
        (one.name, one.start, one.moves) for one in game.rules.examples]


@pytest.mark.parametrize(("spec", "says", "does_not_say"), [
    ("hex", "pass at any time", "only when you have no move"),
    ("hex:start=ring", "only when you have no move", "You may pass at any time"),
    ("anti-torus", "Opposite edges are joined", "Most stones win"),
    ("reversi", "The first 4 stones go to the middle cells", "Special tiles"),
    ("hex:seats=3,passing=free", "after 3 passes in a row", "your opponent"),
    ("rolit", "next to any other", "it cannot be placed"),
    ("octagon", "Lines end where a cell is missing", "joined"),
    ("xt:starfish", "Transitions join sides of cells", "You may pass"),
])
def test_sentences_follow_from_the_definition(spec: str, says: str, does_not_say: str) -> None:
    text = str(pv.game(spec).rules)
    assert says in text and does_not_say not in text


def test_a_game_of_ones_own_explains_itself() -> None:
    board = pv.rectangle(6, 6, holes=[(0, 0)])
    stones = {"c3": 2, "d3": 1, "c4": 1, "d4": 2}
    start = tuple(stones.get(board.name(cell), 0) for cell in range(board.size))
    unnamed = pv.Game("mine", pv.Definition(board, start, goal="fewest"))
    assert "Fewest stones win." in str(unnamed.rules) and "35 squares" in str(unnamed.rules)
    assert "Options" not in str(unnamed.rules) and len(unnamed.rules.examples) >= 3
    family = pv.Family("told", "Told", {}, lambda _: unnamed.definition,
                       rules={"setup": ("It is played at night.",), "history": ("Nobody knows.",)})
    pv.register_variant(pv.Variant("told", "A game with a tale.", family))
    try:
        last = {section.name: str(section.sentences[-1]) for section in rules_of(pv.game("told")).sections}
        assert (last["setup"], last["history"]) == ("It is played at night.", "Nobody knows.")
    finally:
        del VARIANTS["told"]


def test_no_stone_on_a_secure_cell_is_ever_turned() -> None:
    for spec in ("othello-6", "octagon", "hex:side=3", "blackhole", "torus-6", "hex:side=5,seats=3"):
        game = pv.game(spec)
        secure = {*secure_cells(game.board)}
        assert bool(secure) is (spec != "torus-6")
        for seed in range(3):
            state = game.start(seed)
            while not state.is_over:
                after = state.play(state.moves[(7 * seed + sum(state.scores)) % len(state.moves)])
                assert all(after.tiles[cell] == state.tiles[cell] for cell in secure if state.tiles[cell])
                state = after
