"""Course agents: unchanged files with all their habits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import polyversi as pv
from polyversi.contest.openings import random_opening
from polyversi.gameplay import Finished, LocalSeat, Referee, Request, SeatFailure
from polyversi.protocols.course import CourseSeat, budget
from tests.testing.course_agent import CHOOSE, CHOOSE_LAST, CHOOSE_WITH_HELP, agent
from tests.testing.processes import nothing_left, run
from tests.testing.timeout import TIMEOUT


def play(
    seat: CourseSeat, spec: str = "anti", number: int = 1, limit: pv.Limit | None = None, opened: int = 0
) -> Finished:
    """A game of an agent against random moves, after some random moves of an opening."""
    seats: list[Any] = [LocalSeat(pv.player("random", seed=seed)) for seed in range(2)]
    seats[number - 1] = seat
    with nothing_left(seat.path.parent):
        start = random_opening(pv.game(spec), opened, seed=1)
        referee = Referee(start, seats, limit or pv.Limit(seconds=TIMEOUT))
        return run(referee.run())


def assert_first_moves(finished: Finished, number: int = 1) -> None:
    """The agent played the first legal move, row by row, whenever it had one."""
    assert finished.verdict.kind in ("win", "draw"), finished.verdict
    for state, move in zip(finished.record.states(), finished.record.moves, strict=False):
        assert state.turn != number or move == state.moves[0]


@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("spec", ["anti", "anti-6", "othello"])
def test_whole_games(spec: str, number: int, tmp_path: Path) -> None:
    assert_first_moves(play(agent(tmp_path), spec, number), number)


@pytest.mark.parametrize("go", [
    "self.candidate_list = [tuple(move) for move in self.candidate_list]\n" + CHOOSE,
    "self.candidate_list += self.candidate_list[:1]",
    "self.candidate_list.extend(self.candidate_list[:1])",
    "self.candidate_list.insert(len(self.candidate_list), self.candidate_list[0])",
    "self.candidate_list[-1] = self.candidate_list[0]",
    "while len(self.candidate_list) > 1: self.candidate_list.pop()",
    "for move in list(self.candidate_list)[1:]: self.candidate_list.remove(move)",
    "self.candidate_list.append(np.array(self.candidate_list[0]))",
    "self.candidate_list.append(list(self.candidate_list[0]))",
    "self.candidate_list = np.array(self.candidate_list[:1])",
    "self.candidate_list = map(np.array, self.candidate_list[:1])",
    "self.candidate_list[-1] = np.array(self.candidate_list[0])",
    "mine = list(self.candidate_list)\nself.candidate_list = mine\nmine.append(mine[0])",
    "chessboard[:] = 1\n" + CHOOSE,
    "print('thinking' * 1000)\nimport sys\nsys.stdout.write('x')\nsys.stdout.flush()\n" + CHOOSE,
    "import os\nos.write(1, b'{\"move\": \"a1\"}\\n')\n" + CHOOSE,
    "try: input()\nexcept EOFError: pass\n" + CHOOSE,
    "import threading\nthreading.Thread(target=time.sleep, args=(3600,)).start()\n" + CHOOSE,
    "if not hasattr(self, 'held'): self.held = np.ones(260 * 2**17)\n" + CHOOSE,
    "import signal\nsignal.signal(signal.SIGALRM, signal.SIG_IGN)\n" + CHOOSE,
])
def test_habits_that_cost_nothing(go: str, tmp_path: Path) -> None:
    assert_first_moves(play(agent(tmp_path, go), "anti-6"))


def test_a_list_of_the_class_counts_too(tmp_path: Path) -> None:
    seat = agent(tmp_path, members="candidate_list = []", own_list="pass")
    assert_first_moves(play(seat, "anti-6"))


def test_files_that_look_like_the_standard_library_hide_nothing(tmp_path: Path) -> None:
    for name in ("random.py", "json.py", "signal.py", "numpy.py", "queue.py"):
        (tmp_path / name).write_text("raise ImportError('this is not the one')")
    (tmp_path / "helper.py").write_text("import queue\nfrom deeper import first\n")
    (tmp_path / "deeper.py").write_text("def first(moves): return moves[0]\n")
    seat = agent(tmp_path, CHOOSE_WITH_HELP, imports="import helper, queue, json, heapq")
    assert_first_moves(play(seat, "anti-6"))
    assert_first_moves(play(agent(tmp_path, name="random.py"), "anti-6"))


def test_nothing_is_written_into_its_folder(tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text("")
    play(agent(tmp_path, imports="import helper"), "anti-6")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["agent.py", "helper.py"]


def test_agents_of_one_class_name_meet(tmp_path: Path) -> None:
    first = agent(tmp_path, name="first.py")
    last = agent(tmp_path, CHOOSE_LAST, "last.py")
    finished = run(Referee(pv.game("anti-6").start(), [first, last]).run())
    assert_first_moves(finished)
    for state, move in zip(finished.record.states(), finished.record.moves, strict=False):
        assert state.turn != 2 or move == state.moves[-1]


@pytest.mark.parametrize(("go", "kind", "detail"), [
    ("raise ValueError('no idea')", "crash", "ValueError: no idea"),
    ("import sys; sys.exit()", "crash", "ended with status 1"),
    ("import os; os._exit(7)", "crash", "ended with status 7"),
    ("self.candidate_list.append((0, 0))", "illegal move", "a1"),
    ("self.candidate_list.append((99, 0))", "illegal move", "((99, 0))"),
    ("self.candidate_list.append((-1, 3))", "illegal move", "((-1, 3))"),
    ("self.candidate_list.append('d3')", "illegal move", "('d3')"),
    ("self.candidate_list.append(None)", "illegal move", "(None)"),
    ("self.candidate_list.clear()", "illegal move", "its candidate list is empty"),
    ("self.held = [np.zeros(2**27) for _ in range(9)]", "crash", "MemoryError"),
])
def test_verdicts(go: str, kind: str, detail: str, tmp_path: Path) -> None:
    verdict = play(agent(tmp_path, go)).verdict
    assert (verdict.kind, verdict.seat) == (kind, 1), verdict
    assert detail in verdict.detail


def test_files_that_are_no_agents(tmp_path: Path) -> None:
    codes = {"x = 1": "has no class AI", "def": "SyntaxError", "1 / 0": "ZeroDivisionError"}
    for code, detail in codes.items():
        path = tmp_path / "other.py"
        path.write_text(code)
        verdict = play(CourseSeat(path, "other")).verdict
        assert verdict.kind == "crash"
        assert detail in verdict.detail


SECONDS = 2.0
SHORT = pv.Limit(seconds=SECONDS)
"""What an agent wastes, but not before it has a candidate, however busy the machine is."""
HOLD = "any(map((time.time() + {}).__lt__, iter(time.time, None)))"
"""Native code for so many seconds, which lets nothing of Python run: as compiled code does."""
SWALLOW = "while True:\n    try:\n        while True: pass\n    except BaseException: pass"


@pytest.mark.parametrize("go", [
    CHOOSE + "\nwhile True: pass",
    CHOOSE + "\ntime.sleep(3600)",
    CHOOSE + "\ntry: time.sleep(3600)\nexcept Exception: pass\nself.candidate_list.append(None)",
    CHOOSE + "\ntry: time.sleep(3600)\nfinally: raise ValueError('interrupted')",
    CHOOSE + "\n" + SWALLOW,
], ids=["spins", "sleeps", "catches", "raises", "swallows"])
def test_when_time_is_up_the_last_candidate_counts(go: str, tmp_path: Path) -> None:
    assert_first_moves(play(agent(tmp_path, go), "anti-4", limit=SHORT, opened=8))


@pytest.mark.parametrize("go", [
    CHOOSE + "\n" + HOLD.format(10**6),
    CHOOSE + "\nimport signal\nsignal.signal(signal.SIGALRM, signal.SIG_IGN)\ntime.sleep(3600)",
], ids=["native", "ignores"])
def test_it_counts_even_when_the_agent_cannot_be_interrupted(go: str, tmp_path: Path) -> None:
    """The first move counts; for the second the agent is still busy, and its time runs out."""
    seat, state = agent(tmp_path, go), pv.game("anti-4").start()

    async def two_moves() -> None:
        await seat.begin(state, 1)
        try:
            long = pv.Limit(seconds=3 * SECONDS)
            first = await seat.answer(Request(state, 1, long, state, ()))
            assert first == state.moves[0]
            later = state.play(first).play(state.play(first).moves[0])
            with pytest.raises(SeatFailure, match="no candidate within") as failure:
                await seat.answer(Request(later, 1, pv.Limit(seconds=0.3), state, ()))
            assert failure.value.kind == "timeout"
        finally:
            await seat.close()

    with nothing_left(tmp_path):
        run(two_moves())


def test_late_words_do_not_count_for_the_next_move(tmp_path: Path) -> None:
    """Native code that outlasts its time but ends is late for its own move and right for the next ones."""
    go = CHOOSE + f"\nif sum(map(sum, abs(chessboard))) < 6: {HOLD.format(1.5 * SECONDS)}"
    seat = agent(tmp_path, go)
    game = pv.game("anti-4")

    async def two_moves() -> list[pv.Move]:
        state, limit = game.start(), SHORT
        await seat.begin(state, 1)
        try:
            first = await seat.answer(Request(state, 1, limit, state, ()))
            later = state.play(first).play(state.play(first).moves[0])
            return [first, await seat.answer(Request(later, 1, pv.Limit(seconds=TIMEOUT), state, ()))]
        finally:
            await seat.close()

    first, second = run(two_moves())
    state = game.start()
    assert first == state.moves[0]
    state = state.play(first)
    assert second == state.play(state.moves[0]).moves[0]


def test_no_candidate_in_time_is_a_timeout(tmp_path: Path) -> None:
    go = "self.candidate_list.clear()\nwhile True: pass"
    verdict = play(agent(tmp_path, go), limit=pv.Limit(seconds=0.3)).verdict
    assert (verdict.kind, verdict.detail) == ("timeout", "no candidate within 0.225 s")


def test_an_agent_that_compiles_warms_up_before_its_clock(tmp_path: Path) -> None:
    """The first call of go in a process takes long; with a compiler loaded, it is made before the game."""
    (tmp_path / "numba.py").write_text("is_warm = []\n")
    wait = f"if not numba.is_warm: time.sleep({1.5 * SECONDS})\n"
    go = f"import numba\n{wait}numba.is_warm.append(1)\n" + CHOOSE
    seat = agent(tmp_path, "self.candidate_list.clear()\n" + go.replace(CHOOSE, "") +
                 "self.candidate_list.extend(self.legal(chessboard))\n" + CHOOSE, imports="import numba")
    assert_first_moves(play(seat, "anti-4", limit=SHORT))


def test_an_agent_is_told_its_time(tmp_path: Path) -> None:
    own = "self.candidate_list = []; print('told', repr(time_out), color, chessboard_size)"
    for limit, told in [(pv.Limit(), "5"), (pv.Limit(seconds=2), "1.9"), (pv.Limit(bank=30), "2")]:
        seat = agent(tmp_path, own_list=own)
        play(seat, "anti-6", limit=limit)
        assert seat.child is not None
        assert seat.child.errors.decode().splitlines()[-1] == f"told {told} -1 6"


def test_shares_of_time() -> None:
    assert budget(pv.Limit(seconds=5)) == 4.9
    assert budget(pv.Limit(seconds=0.1)) == 0.075
    assert budget(pv.Limit(seconds=5, bank=1)) == 0.9
    assert budget(pv.Limit(bank=180)) == 5
    assert budget(pv.Limit(bank=3)) == 0.2


def test_games_that_are_not_for_agents(tmp_path: Path) -> None:
    for spec in ("hex", "rolit", "torus", "octagon", "reversi"):
        with pytest.raises(pv.PlayerError, match="course agents know Othello and anti on square boards"):
            run(agent(tmp_path).begin(pv.game(spec).start(), 1))


def test_an_agent_that_can_only_pass_is_not_asked(tmp_path: Path) -> None:
    state = pv.game("othello").position("XO" + "-" * 62 + " O")
    if not state.moves[0].is_pass:
        pytest.fail("the position should force a pass")

    async def answers() -> list[Any]:
        seat = agent(tmp_path)
        await seat.begin(state, 2)
        try:
            request = Request(state, 2, pv.Limit(), state, ())
            assert seat.child is not None
            return [await seat.answer(request), await seat.consider(seat.child, request), seat.candidates]
        finally:
            await seat.close()

    asked, considered, candidates = run(answers())
    assert (asked, considered, candidates) == (state.moves[0], state.moves[0], [])


def test_failures_are_seat_failures(tmp_path: Path) -> None:
    async def begin() -> None:
        seat = agent(tmp_path, imports="raise KeyError('early')")
        try:
            await seat.begin(pv.game("anti").start(), 1)
        finally:
            await seat.close()

    with pytest.raises(SeatFailure, match="early"):
        run(begin())
