"""Course agents: unchanged files with all their habits."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest

import polyversi as pv
from polyversi.contest.openings import random_opening
from polyversi.gameplay import Finished, LocalSeat, Referee, Request, SeatFailure, Verdict
from polyversi.protocols.course import CourseSeat, budget
from tests.testing.clock import until
from tests.testing.course_agent import CHOOSE, CHOOSE_LAST, CHOOSE_WITH_HELP, agent
from tests.testing.marks import slow
from tests.testing.processes import nothing_left, run
from tests.testing.timeout import TIMEOUT

LIMIT = pv.Limit(seconds=TIMEOUT)


def play(
    seat: CourseSeat, spec: str = "anti", number: int = 1, limit: pv.Limit | None = None, opened: int = 0
) -> Finished:
    """A game of an agent against random moves, after some random moves of an opening."""
    seats: list[Any] = [LocalSeat(pv.player("random", seed=seed)) for seed in range(2)]
    seats[number - 1] = seat
    with nothing_left(seat.path.parent):
        start = random_opening(pv.game(spec), opened, seed=1)
        referee = Referee(start, seats, limit or LIMIT)
        return run(referee.run())


def plays_first_moves(finished: Finished, number: int = 1) -> bool:
    """Whether the agent played the first legal move, row by row, whenever it had one."""
    return finished.verdict.kind in ("win", "draw") and all(
        state.turn != number or move == state.moves[0]
        for state, move in zip(finished.record.states(), finished.record.moves, strict=False))


def assert_first_moves(finished: Finished, number: int = 1) -> None:
    assert plays_first_moves(finished, number), (finished.verdict, finished.record.moves)


@pytest.mark.parametrize("number", [slow(1), 2])
@pytest.mark.parametrize("spec", ["anti", slow("anti-6"), slow("othello")])
def test_whole_games(spec: str, number: int, tmp_path: Path) -> None:
    assert_first_moves(play(agent(tmp_path), spec, number), number)


@pytest.mark.parametrize("go", [
    "self.candidate_list = [tuple(move) for move in self.candidate_list]\n" + CHOOSE,
    "self.candidate_list += self.candidate_list[:1]",
    slow("self.candidate_list.extend(self.candidate_list[:1])"),
    slow("self.candidate_list.insert(len(self.candidate_list), self.candidate_list[0])"),
    slow("self.candidate_list[-1] = self.candidate_list[0]"),
    slow("while len(self.candidate_list) > 1: self.candidate_list.pop()"),
    slow("for move in list(self.candidate_list)[1:]: self.candidate_list.remove(move)"),
    slow("self.candidate_list.append(np.array(self.candidate_list[0]))"),
    slow("self.candidate_list.append(list(self.candidate_list[0]))"),
    slow("self.candidate_list = np.array(self.candidate_list[:1])"),
    slow("self.candidate_list = map(np.array, self.candidate_list[:1])"),
    slow("self.candidate_list[-1] = np.array(self.candidate_list[0])"),
    slow("mine = list(self.candidate_list)\nself.candidate_list = mine\nmine.append(mine[0])"),
    slow("chessboard[:] = 1\n" + CHOOSE),
    "print('thinking' * 1000)\nimport sys\nsys.stdout.write('x')\nsys.stdout.flush()\n" + CHOOSE,
    slow("import os\nos.write(1, b'{\"move\": \"a1\"}\\n')\n" + CHOOSE),
    slow("try: input()\nexcept EOFError: pass\n" + CHOOSE),
    slow("import threading\nthreading.Thread(target=time.sleep, args=(3600,)).start()\n" + CHOOSE),
    slow("if not hasattr(self, 'held'): self.held = np.ones(260 * 2**17)\n" + CHOOSE),
    slow("import signal\nsignal.signal(signal.SIGALRM, signal.SIG_IGN)\n" + CHOOSE),
])
def test_habits_that_cost_nothing(go: str, tmp_path: Path) -> None:
    assert_first_moves(play(agent(tmp_path, go), "anti-6"))


def test_a_list_of_the_class_counts_too(tmp_path: Path) -> None:
    seat = agent(tmp_path, members="candidate_list = []", own_list="pass")
    assert_first_moves(play(seat, "anti-6"))


@pytest.mark.slow
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


@pytest.mark.slow
def test_agents_of_one_class_name_meet(tmp_path: Path) -> None:
    first = agent(tmp_path, name="first.py")
    last = agent(tmp_path, CHOOSE_LAST, "last.py")
    finished = run(Referee(pv.game("anti-6").start(), [first, last], LIMIT).run())
    assert_first_moves(finished)
    for state, move in zip(finished.record.states(), finished.record.moves, strict=False):
        assert state.turn != 2 or move == state.moves[-1]


@pytest.mark.parametrize(("go", "kind", "detail"), [
    ("raise ValueError('no idea')", "crash", "ValueError: no idea"),
    slow("import sys; sys.exit()", "crash", "ended with status 1"),
    slow("import os; os._exit(7)", "crash", "ended with status 7"),
    ("self.candidate_list.append((0, 0))", "illegal move", "a1"),
    slow("self.candidate_list.append((99, 0))", "illegal move", "((99, 0))"),
    slow("self.candidate_list.append((-1, 3))", "illegal move", "((-1, 3))"),
    slow("self.candidate_list.append('d3')", "illegal move", "('d3')"),
    slow("self.candidate_list.append(None)", "illegal move", "(None)"),
    slow("self.candidate_list.clear()", "illegal move", "its candidate list is empty"),
    slow("self.held = [np.zeros(2**27) for _ in range(9)]", "crash", "MemoryError"),
])
def test_verdicts(go: str, kind: str, detail: str, tmp_path: Path) -> None:
    verdict = play(agent(tmp_path, go)).verdict
    assert (verdict.kind, verdict.seat) == (kind, 1), verdict
    assert detail in verdict.detail


@pytest.mark.slow
def test_files_that_are_no_agents(tmp_path: Path) -> None:
    codes = {"x = 1": "has no class AI", "def": "SyntaxError", "1 / 0": "ZeroDivisionError"}
    for code, detail in codes.items():
        path = tmp_path / "other.py"
        path.write_text(code)
        verdict = play(CourseSeat(path, "other")).verdict
        assert verdict.kind == "crash"
        assert detail in verdict.detail


RING = "import signal\nsignal.setitimer(signal.ITIMER_REAL, 0.001, 0.02)"
"""Has the alarm ring that ends an agent's time, when the agent has come so far: however slow it is."""
SWALLOW = """import signal
while True:
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.001)
        while True: pass
    except BaseException: pass"""
NATIVE = """import itertools, operator, os, signal
ring = map(operator.not_, map(signal.setitimer, [signal.ITIMER_REAL], [0.001], [0.02]))
any(itertools.chain(ring, map(os.access, itertools.repeat('go on'), itertools.repeat(os.F_OK))))"""
"""Native code in which the alarm rings and which ends when there is a file; meanwhile nothing of Python runs,
as with compiled code."""


@pytest.mark.parametrize("go", [
    "while True: pass",
    slow("time.sleep(3600)"),
    slow("try: time.sleep(3600)\nexcept Exception: pass\nself.candidate_list.append(None)"),
    slow("try: time.sleep(3600)\nfinally: raise ValueError('interrupted')"),
], ids=["spins", "sleeps", "catches", "raises"])
def test_when_time_is_up_the_last_candidate_counts(go: str, tmp_path: Path) -> None:
    assert_first_moves(play(agent(tmp_path, f"{CHOOSE}\n{RING}\n{go}"), "anti-4", opened=8))


@pytest.mark.slow
def test_time_is_up_when_the_limit_says_so(tmp_path: Path) -> None:
    """With more time than it needs for a candidate on this machine, it wastes the rest."""
    seat = agent(tmp_path, CHOOSE + "\nwhile True: pass")
    limits = (pv.Limit(seconds=seconds) for seconds in (1, 10, 100))
    assert any(plays_first_moves(play(seat, "anti-4", limit=limit, opened=8)) for limit in limits)


class Loop(asyncio.SelectorEventLoop):
    """An event loop whose clock can be put forward."""

    ahead = 0.0

    def time(self) -> float:
        return super().time() + self.ahead


def run_ahead(scene: Callable[[Loop], Coroutine[Any, Any, None]]) -> None:
    """Runs something that puts the clock forward, by three times the timeout at the most."""
    async def within() -> None:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, Loop)
        async with asyncio.timeout(4 * TIMEOUT):
            await scene(loop)

    with asyncio.Runner(loop_factory=Loop) as runner:
        runner.run(within())


async def wait_for_choice(seat: CourseSeat, state: pv.State) -> None:
    """Waits until an agent has reported the candidates of its first move and its choice among them."""
    await until(lambda: seat.child and seat.child.output.count(b"candidate") > len(state.moves))
    for _ in range(10):
        await asyncio.sleep(0)    # until the seat has read them


@pytest.mark.parametrize("go", [
    NATIVE,
    slow("import signal\nsignal.signal(signal.SIGALRM, signal.SIG_IGN)\ntime.sleep(3600)"),
    slow(SWALLOW),
], ids=["native", "ignores", "swallows"])
def test_it_counts_even_when_the_agent_cannot_be_interrupted(
    go: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first move counts; for the second the agent is still busy, and its time runs out."""
    monkeypatch.setattr("polyversi.protocols.course.DEFAULT_SECONDS", TIMEOUT)
    seat, start = agent(tmp_path, f"{CHOOSE}\n{go}"), pv.game("anti-4").start()

    async def scene(loop: Loop) -> None:
        other = LocalSeat(pv.player("random", seed=1))
        referee = Referee(start, [seat, other], stall_timeout=10 * TIMEOUT)
        game = asyncio.create_task(referee.run())
        await wait_for_choice(seat, start)
        loop.ahead += TIMEOUT + 1
        await until(lambda: len(referee.log.plies) == 2 and referee.asked and referee.asked.since)
        loop.ahead += TIMEOUT + 1
        finished = await game
        assert finished.record.moves[0] == start.moves[0]
        assert finished.verdict == Verdict("timeout", 1, f"no candidate within {TIMEOUT:g} s")

    with nothing_left(tmp_path):
        run_ahead(scene)


def test_late_words_do_not_count_for_the_next_move(tmp_path: Path) -> None:
    """Native code that outlasts its time but ends is late for its own move and right for the next ones."""
    go = f"{CHOOSE}\nif sum(map(sum, abs(chessboard))) < 6:\n{indent(NATIVE, '    ')}"
    seat = agent(tmp_path, go)
    start = pv.game("anti-4").start()

    async def scene(loop: Loop) -> None:
        await seat.begin(start, 1)
        try:
            answer = asyncio.create_task(seat.answer(Request(start, 1, LIMIT, start, ())))
            await wait_for_choice(seat, start)
            loop.ahead += TIMEOUT
            assert await answer == start.moves[0]
            later = start.play(start.moves[0])
            later = later.play(later.moves[0])
            (tmp_path / "go on").touch()
            assert await seat.answer(Request(later, 1, LIMIT, start, ())) == later.moves[0]
        finally:
            await seat.close()

    run_ahead(scene)


def test_no_candidate_in_time_is_a_timeout(tmp_path: Path) -> None:
    go = f"self.candidate_list.clear()\n{RING}\nwhile True: pass"
    verdict = play(agent(tmp_path, go)).verdict
    assert verdict == Verdict("timeout", 1, f"no candidate within {TIMEOUT - 0.1:g} s")


def test_an_agent_that_compiles_warms_up_before_its_clock(tmp_path: Path) -> None:
    """With a compiler loaded, go is called once before the game."""
    (tmp_path / "numba.py").touch()
    calls = tmp_path / "calls"
    go = f"with open({str(calls)!r}, 'a') as file: file.write('x')\n" + CHOOSE
    start = pv.game("anti-4").start()

    async def made(imports: str) -> list[str]:
        """The calls of go after each step."""
        calls.write_text("")
        seat = agent(tmp_path, go, imports=imports)
        await seat.begin(start, 1)
        try:
            before = calls.read_text()
            assert await seat.answer(Request(start, 1, LIMIT, start, ())) == start.moves[0]
            return [before, calls.read_text()]
        finally:
            await seat.close()

    assert run(made("import numba")) == ["x", "xx"]
    assert run(made("")) == ["", "x"]


@pytest.mark.parametrize(("limit", "told"), [
    (pv.Limit(), "5"), (pv.Limit(seconds=2), "1.9"), (pv.Limit(bank=30), "2"),
])
def test_an_agent_is_told_its_time(limit: pv.Limit, told: str, tmp_path: Path) -> None:
    own = "self.candidate_list = []; print('told', repr(time_out), color, chessboard_size)"
    seat, start = agent(tmp_path, own_list=own), pv.game("anti-6").start()

    async def scene() -> None:
        await seat.begin(start, 1)
        child = seat.child
        assert child is not None
        try:
            with suppress(SeatFailure):    # a busy machine may need more
                await seat.answer(Request(start, 1, limit, start, ()))
            await until(lambda: child.errors.decode().splitlines()[-1:] == [f"told {told} -1 6"])
        finally:
            await seat.close()

    run(scene())


def test_shares_of_time() -> None:
    assert budget(pv.Limit(seconds=5)) == 4.9
    assert budget(pv.Limit(seconds=0.1)) == 0.075
    assert budget(pv.Limit(seconds=5, bank=1)) == 0.9
    assert budget(pv.Limit(bank=180)) == 5
    assert budget(pv.Limit(bank=3)) == 0.2


def test_games_that_are_not_for_agents(tmp_path: Path) -> None:
    for spec in ("hex", "rolit", "torus", "octagon", "reversi"):
        with pytest.raises(pv.PlayerError, match="course agents play only Othello and anti on square boards"):
            run(agent(tmp_path).begin(pv.game(spec).start(), 1))


def test_an_agent_that_can_only_pass_is_not_asked(tmp_path: Path) -> None:
    state = pv.game("othello").position("XO" + "-" * 62 + " O")
    if not state.moves[0].is_pass:
        pytest.fail("the position should force a pass")

    async def answers() -> list[Any]:
        seat = agent(tmp_path)
        await seat.begin(state, 2)
        try:
            request = Request(state, 2, LIMIT, state, ())
            assert seat.child is not None
            return [await seat.answer(request), await seat.choose(seat.child, request), seat.candidates]
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
