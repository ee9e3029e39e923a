"""Players of one's own: plain classes and objects, in games and matches, with and without a name."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import polyversi as pv
from polyversi.contest.match import Match
from polyversi.players import PLAYERS, as_player, options_of

SESSION = """
import polyversi as pv
from polyversi.contest.match import Match
class Mine(pv.Player):
    def choose(self, state, limit=pv.NO_LIMIT):
        return state.moves[0]
match = Match([Mine(), "random"], variant="othello-4", games=2)
print(match.run().games)
try:
    match.run(jobs=2)
except pv.PlayerError as error:
    print(error)
"""


class LastMove(pv.Player):
    """Plays the last legal move."""

    def choose(self, state: pv.State, limit: pv.Limit = pv.NO_LIMIT) -> pv.Move:
        return state.moves[-1]


class Counting(LastMove):
    """Counts the games that it plays."""

    name = "ann"

    def __init__(self, back: int = 1, *, careful: bool = False, note: object = None) -> None:
        self.back, self.careful, self.note, self.games = back, careful, note, 0

    def prepare(self, game: pv.Game) -> None:
        self.games += 1


class Registered(Counting):
    """Known by a name in some tests: a class takes the name under which it is registered."""


class Plain:
    """No Player at all."""

    def __init__(self) -> None:
        self.games = 0

    def choose(self, state: pv.State, limit: pv.Limit) -> str:
        return str(state.moves[0])

    def prepare(self, game: pv.Game) -> None:
        self.games += 1


class OneParameter:
    def choose(self, state: pv.State) -> pv.Move:
        return state.moves[0]


@pytest.fixture(autouse=True)
def known() -> Iterator[None]:
    before = dict(PLAYERS.known)
    yield
    PLAYERS.known.clear()
    PLAYERS.known.update(before)


def test_names_and_specifications() -> None:
    assert LastMove().name == LastMove().spec() == "last-move"
    assert repr(LastMove()) == "<LastMove 'last-move'>"
    assert Counting(3, careful=True, note=[1]).spec() == "ann:back=3,careful=yes"
    own = Counting()
    own.name = "bob"
    assert own.spec() == "bob"
    assert as_player(Plain()).name == "plain"
    for player in (LastMove(), Counting(2), as_player(Plain())):
        assert pickle.loads(pickle.dumps(player)).spec() == player.spec()


def test_objects_play_and_get_ready() -> None:
    counting, plain = Counting(), Plain()
    for start in ("othello-4", pv.game("othello-4"), pv.game("othello-4").start()):
        assert pv.play(start, [counting, plain]).verdict.kind in ("win", "draw")
    assert (counting.games, plain.games) == (3, 3)


@pytest.mark.parametrize(("start", "players", "message"), [
    ("othello", ["greedy"], "othello needs 2 players, not 1"),
    ("othello", "greedy", "players come as a list with one for each seat.*'greedy' is not one"),
    ("othello", ["greedy", 3], "3 is not a player; a player is a name such as 'greedy', or an object with"),
    ("othello", ["greedy", LastMove], r"LastMove is a class, not a player; .* first: LastMove\(\)"),
    ("othello", ["greedy", "nobody"], "there is no player 'nobody'"),
    ("othello", ["greedy", OneParameter()], "OneParameter.choose cannot be called with a state and a limit"),
    (3, ["greedy", "random"], "3 is not a game; write its name, such as 'othello', a Game or a State"),
    ("chess", ["greedy", "random"], "there is no variant 'chess'"),
])
def test_what_cannot_be_played(start: str, players: list[str], message: str) -> None:
    with pytest.raises(pv.PolyversiError, match=message):
        pv.play(start, players)


def test_a_registered_class_has_options() -> None:
    assert pv.register_player("counting", Registered) is Registered
    assert [str(option) for option in options_of(Registered)][:2] == ["back=whole number", "careful=yes|no"]
    assert pv.player("counting:back=4,careful=yes").spec() == "counting:back=4,careful=yes"
    with pytest.raises(pv.PlayerError, match="counting cannot take back=x; write back=whole number"):
        pv.player("counting:back=x")
    pv.register_player("plain", Plain)
    assert pv.play("othello-4", ["plain", "counting"]).record.players == ("plain", "counting")


@pytest.mark.parametrize(("name", "cls", "message"), [
    ("My player", LastMove, "'My player' cannot be a name; write lower-case letters, digits and "
     "hyphens, such as 'my-player'"),
    ("random", LastMove, "'random' is a player of Polyversi; choose another name"),
    ("mine", int, "cannot be the player 'mine': it must be a class with a method choose"),
    ("mine", OneParameter, "OneParameter.choose cannot be called with a state and a limit"),
    ("mine", type("Needy", (LastMove,), {"__init__": lambda self, depth: None}), "'depth' .* a default"),
])
def test_what_cannot_be_registered(name: str, cls: type, message: str) -> None:
    with pytest.raises(pv.PlayerError, match=message):
        pv.register_player(name, cls)


def test_a_match_with_objects_and_names(tmp_path: Path) -> None:
    pv.register_player("named", Registered)
    counting = Counting(2)
    for jobs in (1, 2):
        match = Match([counting, Plain(), "named:back=3", LastMove()], variant="othello-4", games=2)
        standings = match.run(jobs=jobs, out=tmp_path / f"{jobs}.db")
        assert standings.games == 12
        assert match.plan.names == ["ann:back=2", "plain", "named:back=3", "last-move"]
        assert match.run(out=tmp_path / f"{jobs}.db").games == 12    # all of it is there already
    assert counting.games == 6    # other processes have copies


def test_what_other_processes_cannot_have() -> None:
    class Local(LastMove):
        pass

    with pytest.raises(pv.PlayerError, match=r"local cannot be sent to other processes: .*; define"):
        Match([Local(), "random"], variant="othello-4").run(jobs=2)
    done = subprocess.run([sys.executable, "-c", SESSION], capture_output=True, text=True, check=False)
    assert done.stderr == "" and done.stdout == (
        "2\nmine cannot play in other processes, which see nothing of an interactive "
        "session; put its class in a module, or play one game at a time (jobs=1)\n")
