"""The announcer: the messages of a game in the courses' order."""

from __future__ import annotations

import polyversi as pv
from polyversi.gameplay.events import Event
from polyversi.games.xt import xt_game
from polyversi.games.xtmap import XtMap
from polyversi.protocols.xt.announcer import Announcer
from polyversi.protocols.xt.frames import Disqualified, EndOfBuilding, EndOfGame, Frame, Played


def announced(text: str) -> Announcer:
    return Announcer(xt_game(XtMap.parse(text)).start())


def ended(announcer: Announcer) -> list[Frame]:
    assert announcer.state.result is not None
    return announcer.frames(announcer.log.copy().finish(announcer.state.result))


def test_a_game_that_ends_without_bombs_ends_building_first() -> None:
    announcer = announced("2 0 0 0  1 3  0 1 2")
    assert announcer.begin() == []
    assert announcer.play(announcer.state.moves[0]) == [Played(0, 0, 0, 2), EndOfBuilding()]
    assert ended(announcer) == [EndOfGame()]


def test_a_map_without_a_building_move_begins_with_bombs() -> None:
    announcer = announced("2 0 1 0  1 3  0 1 1")
    assert announcer.begin() == [EndOfBuilding()]
    assert announcer.play(announcer.state.game.move("2,0")) == [Played(2, 0, 0, 1)]


def test_a_sole_survivor_ends_the_game_alone() -> None:
    announcer = announced("2 0 1 0  1 3  0 1 2")
    announcer.begin()
    assert announcer.disqualify(2) == [Disqualified(2)]
    assert ended(announcer) == [EndOfGame()]


def test_a_disqualification_can_end_the_building() -> None:
    announcer = announced("3 0 1 0  1 3  0 1 2")    # only seat 2 has a move
    announcer.begin()
    assert announcer.disqualify(2) == [Disqualified(2), EndOfBuilding()]
    assert announcer.disqualify(1) == [Disqualified(1)]
    assert ended(announcer) == [EndOfGame()]


def test_special_values_are_told_and_bombs_have_none() -> None:
    announcer = announced("2 0 1 0  1 5  b 2 1 - 0")
    announcer.begin()
    assert announcer.play(announcer.state.game.move("0,0:21")) == [Played(0, 0, 21, 1), EndOfBuilding()]
    assert announcer.play(announcer.state.as_move("4,0")) == [Played(4, 0, 0, 2)]


def test_the_events_of_whole_games() -> None:
    start = pv.game("xt:arena,players=4").start()
    events: list[Event] = []
    players = [pv.player("random", seed=seed) for seed in range(4)]
    finished = pv.play(start, players, observers=[events.append])
    announcer = Announcer(start)
    frames: list[Frame] = [frame for event in events for frame in announcer.frames(event)]
    played = [frame for frame in frames if isinstance(frame, Played)]
    places = [start.board.coordinates[move.cell] for move in finished.record.moves]
    assert [(frame.x, frame.y) for frame in played] == places
    assert [frame.special for frame in played] == [move.special for move in finished.record.moves]
    assert [frame.seat for frame in played] == [state.turn for state in finished.record.states()][:-1]
    assert frames.count(EndOfBuilding()) == 1 and frames[-1] == EndOfGame()
    ended = next(ply for ply, state in enumerate(finished.record.states()) if state.phase == "bomb")
    assert frames.index(EndOfBuilding()) == ended
    assert announcer.state == finished.record.final
