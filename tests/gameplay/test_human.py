"""People at the board: a scripted person in games of the referee."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

import pytest

import polyversi as pv
from polyversi.gameplay import Finished, LocalSeat, Referee, Seat
from polyversi.gameplay.human import Command, Dialogue, PersonLeft
from polyversi.gameplay.log import GameLog
from polyversi.gameplay.seat import PersonSeat
from polyversi.games.state import State


class Script:
    """A person who says these lines and hears what is said."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.lines = iter(lines)
        self.heard: list[str] = []

    async def ask(self, question: str) -> str | None:
        self.heard.append(question)
        return next(self.lines, None)

    def say(self, text: str) -> None:
        self.heard.append(text)


class FirstMove(Seat):
    """Plays the first legal move."""

    name = "first"

    async def answer(self, request: object) -> object:
        return request.state.moves[0]  # type: ignore[attr-defined]


def played(start: State, seats: list[Seat], log: GameLog | None = None) -> Finished:
    """The game between these seats."""
    return asyncio.run(Referee(start, seats, observers=[log.apply] if log else []).run())


def test_a_person_is_asked_until_there_is_a_legal_move() -> None:
    person = Script(["", "  ", "zz", "a1", "f 5", "resign"])
    finished = played(pv.game("othello").start(), [PersonSeat("human", Dialogue(person)), FirstMove()])
    assert str(finished.record.moves[0]) == "f5"
    assert finished.verdict.kind == "resigned"
    assert any("'zz' is not a cell" in text for text in person.heard)
    assert any("a1 is not legal: it captures nothing" in text for text in person.heard)


def test_xt_moves_may_be_typed_with_a_space() -> None:
    state = pv.game("xt:arena,players=2").start()
    x, y = state.board.coordinates[state.moves[0].cell]
    person = Script([f"{x} {y}", "resign"])
    finished = played(state, [PersonSeat("human", Dialogue(person)), FirstMove()])
    assert str(finished.record.moves[0]).partition(":")[0] == f"{x},{y}"


def test_a_forced_pass_is_not_asked_for_and_not_stopped_at() -> None:
    # White plays a3 and black a2; white has to pass, black plays d2. Taken back, white may choose again.
    start = pv.game("othello-4").position("OXXX" "-OX-" "-XO-" "-XXX O")
    log = GameLog(start)
    person = Script(["a3", "undo", "d2"])
    with pytest.raises(PersonLeft):
        played(start, [FirstMove(), PersonSeat("human", Dialogue(person))], log)
    assert [str(ply.move) for ply in log.plies][:1] == ["d2"]


def test_nothing_to_take_back_is_said_once() -> None:
    person = Script(["undo", "f5", "undo", "undo", "resign"])
    played(pv.game("othello").start(), [PersonSeat("human", Dialogue(person)), FirstMove()])
    assert person.heard.count("There is no move of yours to take back.") == 2


def test_commands_of_the_terminal_and_their_errors() -> None:
    did: list[str] = []

    def fail(rest: str) -> None:
        raise pv.RecordError(f"cannot {rest}")

    commands = {"save": Command("keeps it", did.append, "FILE"), "fail": Command("fails", fail)}
    person = Script(["save My Game.jsonl", "FAIL here", "?", "hint", "resign"])
    played(pv.game("hex").start(), [PersonSeat("human", Dialogue(person, commands)), FirstMove()])
    assert did == ["My Game.jsonl"]
    assert "cannot here" in person.heard
    text = next(heard for heard in person.heard if "save FILE" in heard)
    assert "pass" in text and "keeps it" in text
    assert any(heard.startswith("hint: ") for heard in person.heard)


def test_a_person_who_leaves_ends_the_game() -> None:
    with pytest.raises(PersonLeft):
        played(pv.game("othello").start(),
               [PersonSeat("human", Dialogue(Script([]))), LocalSeat(pv.player("random"))])


def test_the_log_follows_disqualifications() -> None:
    class Cheat(Seat):
        name = "cheat"

        async def answer(self, request: object) -> object:
            return "0,0:7"

    start = pv.game("xt:arena,players=3").start()
    log = GameLog(start)
    seats: list[Seat] = [FirstMove(), Cheat(), FirstMove()]
    finished = played(start, seats, log)
    assert log.state.out == (2,)
    assert log.state == finished.record.final
    assert log.record.moves == finished.record.moves
    assert log.record.disqualified == finished.record.disqualified
