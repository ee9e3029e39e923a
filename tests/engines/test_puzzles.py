"""Puzzles: every solution is unique and exact, grades follow their formula, and files are read as hostile."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date, timedelta
from itertools import islice, product
from pathlib import Path
from typing import Any

import pytest

import polyversi as pv
from polyversi.engines import EngineError, Solver
from polyversi.engines.puzzles import GRADES, KINDS, Puzzle, daily, puzzles, read, shipped_games
from polyversi.engines.puzzles.files import MAX_LINE_BYTES, SHIPPED, header_line, parse, puzzle_line
from polyversi.engines.puzzles.making import choose, make, played, puzzles_in
from polyversi.engines.puzzles.model import MARGIN, grade_of, key_of
from polyversi.games.errors import RecordError
from polyversi.games.tiles import EMPTY
from tests.testing.late_positions import played_out
from tests.testing.marks import slow

SPECS = ("othello", "anti", "anti-6", "blackhole", "hex", "octagon", "othello-6", "reversi")
SAMPLE = 5
"""One of so many puzzles is solved again in every run of the tests, all of them in the slow one."""
HEADER = header_line(pv.game("othello-6"), 1, "polyversi puzzles make", "2026-01-01")


def counted(state: pv.State, kind: str) -> pv.State:
    """The position in the game by whose count a kind has its values: after wipe-outs no cell is nobody's."""
    spec = state.game.spec
    if kind != "wipeout" or state.game.definition.empties == "winner":
        return state
    return pv.game(f"{spec}{',' if ':' in spec else ':'}empties=winner").position(state.text)


def proof(puzzle: Puzzle) -> Callable[[pv.State], int]:
    """What a solver says of a position that knows nothing but this puzzle; of a finished game, the result."""
    solver = Solver(counted(puzzle.state, puzzle.kind).game, megabytes=4)

    def value(state: pv.State) -> int:
        state = counted(state, puzzle.kind)
        return played_out(state, ()) if state.is_over else solver.solve(state).value

    return value


@pytest.mark.parametrize(("spec", "every"), [
    *((spec, SAMPLE) for spec in SPECS), *(slow(spec, 1) for spec in SPECS)])
def test_solutions_are_unique_and_exact(spec: str, every: int) -> None:
    for puzzle in puzzles(spec)[::every]:
        proved = proof(puzzle)
        for number, step in enumerate(puzzle.steps):
            first, *others = [-proved(step.state.play(one.move)) for one in step.answers]
            assert [first, *others] == [one.value for one in step.answers]
            assert {one.move for one in step.answers} == {*step.state.moves}
            if puzzle.kind == "win":
                assert first > 0 >= max(others)
            elif puzzle.kind == "wipeout":
                assert first == step.state.board.size > max(others)
            else:
                assert first - max(others) >= (1 if number else MARGIN)
            for one in step.answers:
                if one.reply is not None:
                    reply = step.state.play(one.move).play(one.reply)
                    assert proved(reply) == one.value
        states = puzzle.states
        assert {proved(state) * (1 if state.next_seat == puzzle.state.next_seat else -1)
                for state in states} == {puzzle.value}
        if puzzle.kind == "wipeout":
            assert min(states[-1].scores) == 0


def test_there_are_puzzles_of_every_kind_and_grade() -> None:
    assert shipped_games() == list(SPECS)
    othello = puzzles("othello")
    assert len(othello) >= 60 and all(len(puzzles(spec)) >= 20 for spec in SPECS)
    for kind in KINDS:
        assert len(puzzles("othello", kind=kind)) >= 10
    for spec in SPECS:
        file = read(SHIPPED / f"{spec}.jsonl")
        assert {one.grade for one in file.puzzles} == {*GRADES}
        assert len({one.key for one in file.puzzles}) == len(file.puzzles)
        words = file.header.command.split()
        assert words[:5] == ["polyversi", "puzzles", "make", "--variant", spec]
    every = [one.id for spec in SPECS for one in puzzles(spec)]
    assert len({*every}) == len(every)
    assert puzzles("othello:size=8") == othello
    with pytest.raises(EngineError, match="there are no puzzles of rolit"):
        puzzles("rolit")
    with pytest.raises(EngineError, match="there is no kind 'mate' of puzzles; there are win, best, wipeout"):
        puzzles("othello", kind="mate")  # type: ignore[arg-type]


def test_grades_never_fall_when_it_gets_harder() -> None:
    for plies, lure, steps in product(range(1, 16), range(21), range(1, 6)):
        grade = grade_of(plies, lure, steps)
        assert grade in GRADES
        assert grade <= grade_of(plies + 1, lure, steps)
        assert grade <= grade_of(plies, lure + 1, steps)
        assert grade <= grade_of(plies, lure, steps + 1)
    assert {grade_of(plies, 0, 1) for plies in range(1, 15)} == {*GRADES}


def test_a_puzzle_is_found_again_in_its_game_with_its_grade() -> None:
    for puzzle in puzzles("othello-6")[:4]:
        again = puzzles_in(puzzle.game, 1, puzzle.number)
        assert puzzle in again and puzzle.state in played(puzzle.game, 1, puzzle.number)


def test_making_goes_on_where_it_stopped() -> None:
    game, seen = pv.game("othello-6"), list[int]()
    whole = list(make(game, 5, seed=3, observe=seen.append))
    assert seen == list(range(1, whole[-1].number + 2))
    begun = list(islice(make(game, 5, seed=3), 2))
    assert begun + list(make(game, 5, seed=3, known=begun)) == whole
    assert list(make(game, 5, seed=3, known=whole)) == []
    assert [one.number for one in whole] == sorted({one.number for one in whole})
    assert whole != list(make(game, 5, seed=4))
    # What is there already is not taken again.
    assert choose(whole[:1], whole, 5) is None
    assert choose(whole[:1], [], 5) == whole[0]


def test_the_same_puzzle_from_another_side_has_the_same_key() -> None:
    state = puzzles("hex")[0].state
    alike = {key_of(state.transform(symmetry)) for symmetry in state.game.symmetries}
    assert alike | {key_of(state.flip())} == {puzzles("hex")[0].key}
    assert key_of(state.play(state.moves[0])) not in alike


def test_every_puzzle_has_its_day_before_one_comes_again() -> None:
    found = puzzles("othello")
    begin = date.fromordinal(date(2026, 1, 1).toordinal() // len(found) * len(found))
    days = [daily(found, begin + timedelta(number)) for number in range(2 * len(found))]
    assert {one.id for one in days[: len(found)]} == {one.id for one in found}
    assert days[: len(found)] != days[len(found) :]


def changed(**what: Any) -> str:
    """The line of a puzzle with something else in it."""
    return json.dumps(json.loads(puzzle_line(puzzles("othello-6")[0])) | what)


def step_changed(change: Callable[[list[Any]], object]) -> str:
    """The line of a puzzle with other answers to its first step."""
    steps = json.loads(puzzle_line(puzzles("othello-6")[0]))["steps"]
    change(steps[0]["answers"])
    return changed(steps=steps)


def turned(puzzle: Puzzle) -> str:
    """The same puzzle seen from another side."""
    line = json.loads(puzzle_line(puzzle))
    way = puzzle.game.symmetries[3]

    def move(word: str) -> str:
        return str(way.move(word)) if word else word

    steps = [{"ply": step["ply"],
              "answers": [[move(one), value, move(reply)] for one, value, reply in step["answers"]]}
             for step in line["steps"]]
    return json.dumps(line | {"position": puzzle.state.transform(way).text, "steps": steps,
                              "line": [move(word) for word in line["line"]]})


@pytest.mark.parametrize(("lines", "message"), [
    ([""], "line 1: this is not JSON"),
    (["{}"], "line 1: this is not a file of puzzles"),
    (['{"polyversi":1,"game":"othello"}'], "line 1: polyversi: expected str, got int"),
    ([HEADER.replace('"version":1', '"version":2')], "line 1: the file is of version 2; this program reads"),
    ([HEADER.replace("othello-6", "rolit")], "line 1: there can be no puzzles of rolit"),
    ([HEADER.replace("othello-6", "xt:/etc/passwd")], "line 1: there is no "),
    ([HEADER.replace("othello-6", "x" * 500)], "line 1: game: expected str of length <= 400"),
    ([HEADER.replace('"seed":1', '"seed":-1')], "line 1: seed: expected int >= 0"),
    ([HEADER, "[" * 100_000], "line 2 is too long"),
    ([HEADER, "[" * (MAX_LINE_BYTES - 1)], "line 2: the line: expected object, got array"),
    ([HEADER, b"\xff\xfe"], "line 2: this is not JSON"),
    ([HEADER, changed(kind="mate")], "line 2: kind: invalid enum value 'mate'"),
    ([HEADER, changed(more=1)], "line 2: the line: object contains unknown field more"),
    ([HEADER, changed(position="X")], "line 2: "),
    ([HEADER, changed(line=["a1"] * 500)], "line 2: line: expected array of length <= 192"),
    ([HEADER, changed(line=["z99"])], "line 2: 'z99' is not on this board"),
    ([HEADER, changed(line=[])], "line 2: line: expected array of length >= 1"),
    ([HEADER, changed(line=json.loads(changed())["line"][:-1])], "line 2: the line does not lead to the end"),
    ([HEADER, changed(steps=[])], "line 2: steps: expected array of length >= 1"),
    ([HEADER, changed(steps=json.loads(changed())["steps"] * 9)], "line 2: steps: expected array of length"),
    ([HEADER, changed(steps=json.loads(changed())["steps"][:1] * 2)], "line 2: the line does not go through"),
    ([HEADER, changed(plies=999)], "line 2: plies: expected int <= 64"),
    ([HEADER, step_changed(list.pop)], "line 2: the answers are not the legal moves"),
    ([HEADER, step_changed(lambda answers: answers.append(answers[0]))], "line 2: the answers are not"),
    ([HEADER, step_changed(list.reverse)], "line 2: the line does not go through"),
    ([HEADER, step_changed(lambda answers: answers[0].__setitem__(1, 1))], "line 2: "),
    ([HEADER, step_changed(lambda answers: answers[1].__setitem__(1, answers[0][1]))], "line 2: no single"),
    ([HEADER, step_changed(lambda answers: answers[1].__setitem__(2, ""))], "is not a legal one"),
    ([HEADER, step_changed(lambda answers: answers[1].__setitem__(1, 65))], "expected int <= 64"),
    ([HEADER, changed(), "", changed()], "line 3: this is not JSON"),
    ([HEADER, changed(), changed()], "line 3: this is the puzzle of line 2 again"),
    ([HEADER, changed(), turned(puzzles("othello-6")[0])], "line 3: this is the puzzle of line 2 again"),
])
def test_hostile_files_are_refused_with_a_sentence(
    tmp_path: Path, lines: list[str | bytes], message: str
) -> None:
    file = tmp_path / "puzzles.jsonl"
    written = [line if isinstance(line, bytes) else line.encode() for line in lines]
    file.write_bytes(b"\n".join(written) + b"\n")
    with pytest.raises(RecordError) as caught:
        read(file)
    assert message in str(caught.value) and str(caught.value).startswith("puzzles.jsonl, ")


def test_files_come_back_as_they_were_written() -> None:
    for spec in SPECS:
        data = (SHIPPED / f"{spec}.jsonl").read_bytes()
        file = parse(data)
        lines = [data.splitlines()[0].decode(), *map(puzzle_line, file.puzzles)]
        assert "\n".join(lines).encode() + b"\n" == data
        assert all(5 <= one.state.tiles.count(EMPTY) <= 18 for one in file.puzzles)
    with pytest.raises(RecordError, match="cannot be read: No such file"):
        read("nowhere.jsonl")
