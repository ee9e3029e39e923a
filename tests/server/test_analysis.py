"""Analysis: values by real engine workers, shared by all, fair, and on when a worker dies."""

from __future__ import annotations

import asyncio
import json
import os
import select
import signal
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import polyversi as pv
from polyversi.engines.judge import Finding, judge
from polyversi.engines.proof import ProofFinding
from polyversi.games.errors import PolyversiError
from polyversi.games.state import State
from polyversi.server.analysis.cache import CanonicalPosition
from polyversi.server.analysis.messages import (
    LookMessage,
    Rest,
    ReviewMessage,
    Unable,
    Values,
)
from polyversi.server.analysis.positions import MAX_MOVES, Moves, positions
from polyversi.server.analysis.proofs import ProofWatcher, key_of
from polyversi.server.analysis.tasks import Think
from polyversi.server.analysis.workers import Worker
from polyversi.server.messages import ErrorMessage
from polyversi.storage.games import Store
from tests.testing import http
from tests.testing.analysis import Analyst, Watching, analysing
from tests.testing.page_server import Served
from tests.testing.timeout import TIMEOUT

SMALL = pv.game("othello-4").start().play("b1")
"""A position that is solved in an instant."""


def values_of(finding: Finding) -> dict[str, float]:
    return {one.move: one.value for one in finding.moves}


def exact(state: State) -> dict[str, float]:
    """The values of a position by the judge alone."""
    *_, last = judge(state.game).analyse(state, pv.Limit())
    return values_of(Finding.of(last))


def test_values_are_the_judges_and_all_symmetric_positions_share_them(tmp_path: Path) -> None:
    async def look() -> None:
        store = str(tmp_path / "games.db")
        async with analysing(store) as service:
            known = await (await Watching.at(service, SMALL)).until_done()
            assert known.exact
            assert values_of(known) == exact(SMALL)
            tasks = service.pool.tasks
            for symmetry in SMALL.game.symmetries:
                turned = SMALL.transform(symmetry)
                told = await (await Watching.at(service, turned)).until_done()
                assert values_of(told) == exact(turned)
                for one in told.moves:
                    state = turned
                    for move in one.line:
                        state = state.play(move)    # which it refuses if a line is not one
            assert service.pool.tasks == tasks

    asyncio.run(look())


def test_a_thousand_visitors_at_analysed_positions_cost_no_engine_time(tmp_path: Path) -> None:
    async def crowd() -> None:
        store = str(tmp_path / "games.db")
        game = pv.game("othello")
        async with analysing(store, seconds=0.2) as service:    # which is all that a position gets here
            states = [game.start().play("f5"), game.start().play("f5").play("d6"), SMALL]
            for state in states:
                await (await Watching.at(service, state)).until_done()
        async with analysing(store, seconds=0.2) as service:    # after a restart, from the store
            for number in range(1000):
                visitor = f"192.0.{number // 250}.{number % 250}"
                watching = await Watching.at(service, states[number % 3], visitor)
                assert watching.heard[0].done
                assert watching.heard[0].known.moves
            assert service.pool.tasks == 0
            assert service.pool.pids == []

    asyncio.run(crowd())


def test_what_older_servers_have_stored_is_still_known(tmp_path: Path) -> None:
    async def look() -> None:
        where = str(tmp_path / "games.db")
        start = pv.game("othello").start()
        moves = [{"move": str(move), "value": -3, "points": None, "depth": 60, "selectivity": 73,
                  "exact": False, "line": [str(move)]} for move in CanonicalPosition.of(start).state.moves]
        values = {"unit": "stones", "depth": 60, "selectivity": 73, "exact": False, "nodes": 5,
                  "seconds": 9.5, "moves": moves, "final": True}
        bounds = {"move": "b1", "low": -8, "high": -8, "same": ["a2", "d3", "c4"]}
        proof = {"moves": [bounds], "low": -8, "high": -8, "nodes": 5, "seconds": 0.5, "solved": True,
                 "done": True, "exact": True}
        keys = CanonicalPosition.of(start).key, key_of(pv.game("othello-4").start(), "")
        with closing(Store.open(where)) as store, store.transaction() as transaction:
            for key, data in zip(keys, (values, proof), strict=True):
                transaction.keep_analysis(key, json.dumps(data), 0.0)
            transaction.keep_analysis(CanonicalPosition.of(SMALL).key, "{}", 0.0)
        async with analysing(where) as service:
            told = (await Watching.at(service, start)).heard
            assert [(update.done, values_of(update.known)) for update in told] == [
                (True, dict.fromkeys(map(str, start.moves), -3))]
            proofs = list[ProofFinding]()
            watcher = ProofWatcher(proofs.append, pytest.fail)
            await service.proofs.begin(pv.game("othello-4").start(), "", watcher)
            assert [(one.done, one.moves[0].low) for one in proofs] == [(True, -8)]
            assert service.pool.tasks == 0
            # What cannot be read is worked out anew.
            assert (await (await Watching.at(service, SMALL)).until_done()).exact

    asyncio.run(look())


@pytest.mark.slow
def test_a_killed_worker_is_replaced_and_only_its_look_is_repeated(tmp_path: Path) -> None:
    async def kill() -> None:
        async with analysing(str(tmp_path / "games.db"), workers=2) as service:
            pool = service.pool
            start = pv.game("othello").start()
            begun = asyncio.Event()
            long = Think("othello", "", start.text, 3600)
            other = Think("othello", "", start.play("f5").text, 3600)
            thoughts = [
                asyncio.create_task(pool.run("Ann", "long", 3600, long, lambda _: begun.set())),
                asyncio.create_task(pool.run("Bob", "other", 3600, other, lambda _: None)),
            ]
            await begun.wait()
            before, tasks = set(pool.pids), pool.tasks
            begun.clear()
            os.kill(pool.worker_of("long").pid, signal.SIGKILL)
            await begun.wait()    # by another worker
            assert pool.tasks == tasks + 1
            assert len(before & set(pool.pids)) == 1
            for thought in thoughts:
                thought.cancel()
            await asyncio.gather(*thoughts, return_exceptions=True)
            for pid in pool.pids:    # idle ones are replaced too
                os.kill(pid, signal.SIGKILL)
            assert (await (await Watching.at(service, SMALL)).until_done()).exact

    asyncio.run(kill())


@pytest.mark.slow
def test_a_position_that_kills_its_workers_is_given_up(tmp_path: Path) -> None:
    async def kill() -> None:
        async with analysing(str(tmp_path / "games.db")) as service:
            def die(_: object) -> None:
                for pid in service.pool.pids:
                    os.kill(pid, signal.SIGKILL)

            task = Think("othello", "", pv.game("othello").start().text, 3600)
            with pytest.raises(PolyversiError, match="the engine failed on this"):
                await service.pool.run("Ann", "deadly", 3600, task, die)
            assert (await (await Watching.at(service, SMALL)).until_done()).exact

    asyncio.run(kill())


def test_whoever_is_new_does_not_wait_for_a_long_thought(tmp_path: Path) -> None:
    async def come() -> None:
        async with analysing(str(tmp_path / "games.db")) as service:
            begun = asyncio.Event()
            task = Think("othello", "", pv.game("othello").start().text, 3600)
            long = asyncio.create_task(
                service.pool.run("Ann", "long", 3600, task, lambda _: begun.set()))
            await begun.wait()
            newcomer = await Watching.at(service, pv.game("othello").start().play("f5"), "192.0.2.9")
            assert (await newcomer.until_values()).moves
            newcomer.leave()
            assert not (await long).is_final    # an hour was left

    asyncio.run(come())


def test_nobody_thinks_for_whoever_looks_elsewhere(tmp_path: Path) -> None:
    async def leave() -> None:
        async with analysing(str(tmp_path / "games.db")) as service:
            start = pv.game("othello").start()
            first, second = [await Watching.at(service, start, name) for name in ("Ann", "Bob")]
            await first.until_values()
            first.leave()
            heard = len(second.heard)
            while len(second.heard) == heard:    # it goes on for the other one
                await asyncio.sleep(0)
            second.leave()
            while service.pool.is_busy:
                await asyncio.sleep(0)
            assert not service.looks.positions
            last = second.heard[-1].known    # and whoever comes back goes on from there
            again = (await Watching.at(service, start)).heard[0].known
            assert (again.moves, again.seconds, again.nodes) == (last.moves, last.seconds, last.nodes)

    asyncio.run(leave())


def test_a_worker_that_was_told_to_stop_goes_on_with_the_next_task() -> None:
    async def work() -> None:
        worker = Worker()
        start = pv.game("othello").start().text
        async with asyncio.timeout(TIMEOUT):
            for number in range(20):
                begun = asyncio.Event()
                tell = (lambda _, begun=begun: begun.set()) if number % 2 else (lambda _: None)
                running = asyncio.create_task(worker.run(Think("othello", "", start, 3600), tell, None))
                if number % 2:
                    await begun.wait()
                else:
                    await asyncio.sleep(0)    # it may not even have begun
                running.cancel()
                await asyncio.gather(running, return_exceptions=True)
                assert await worker.settled()
            await worker.close()

    asyncio.run(work())


def test_positions_of_a_line() -> None:
    told = positions(Moves(["b1", "a1"], "othello-4"))
    assert [ply["move"] for ply in told["plies"]] == [None, "b1", "a1"]
    assert told["plies"][1]["turned"] == [5]
    assert told["plies"][2]["scores"] == list(SMALL.play("a1").scores)
    assert told["game"].spec == "othello-4"
    for spec in ("hex", "rolit", "xt:islands"):
        state, moves = pv.game(spec).start(), list[str]()
        while not state.is_over and len(moves) < 30:
            moves.append(str(state.moves[-1]))
            state = state.play(state.moves[-1])
        last = positions(Moves(moves, spec))["plies"][-1]
        assert last["position"] == state.text
        assert last["turn"] == state.turn
        assert [one.text for one in last["legal"]] == [str(move) for move in state.moves]
        own = [move for move in state.moves if not move.is_pass]
        assert last["mobility"][state.turn - 1] == len(own)
    with pytest.raises(PolyversiError, match="a1"):
        positions(Moves(["a1"], "othello"))
    with pytest.raises(PolyversiError, match="moves"):
        positions(Moves(["pass"] * (MAX_MOVES + 1), "othello"))


def test_seats_that_are_out_are_out_of_the_positions_too() -> None:
    start = pv.game("xt:starfish").start()
    told = positions(Moves([str(start.moves[0])], "xt:starfish", disqualified=[(0, 3), (1, 2), (1, 9)]))
    after = start.disqualify(3).play(start.moves[0]).disqualify(2)
    assert [ply["position"] for ply in told["plies"]] == [start.disqualify(3).text, after.text]


def test_the_socket_of_a_server(tmp_path: Path) -> None:
    with Served(tmp_path, "--analysis-workers", "1") as server, Analyst(server.port) as analyst:
        analyst.say(LookMessage(1, "othello"))
        assert len(analyst.hear(Values, id=1).moves) == 4
        analyst.say(LookMessage(2, "othello-4", SMALL.text))    # the first one is not thought about any more
        while not (values := analyst.hear(Values, id=2)).done:
            pass
        assert {one.move: one.value for one in values.moves} == exact(SMALL)
        analyst.say(LookMessage(3, "othello-4", "XXXXXXXXXXXXXXXX X"))
        over = analyst.hear(Values, id=3)
        assert (over.moves, over.done, over.exact) == ([], True, True)
        analyst.say(LookMessage(4, "othello", "nonsense"))
        assert "a position is one line of 64 tiles" in analyst.hear(Unable, id=4).problem
        analyst.say(ReviewMessage(5, game="nowhere"))
        assert analyst.hear(Unable, id=5).problem == "there is no such game"
        analyst.say(Rest())
        analyst.say(ReviewMessage(6, record="{"))
        assert "not JSON" in analyst.hear(Unable, id=6).problem
        analyst.socket.send("[" * 60_000)
        assert "not a message" in analyst.hear(ErrorMessage).sentence
    assert "Traceback" not in server.log


def test_a_flood_of_looks_costs_its_visitor_and_nobody_else(tmp_path: Path) -> None:
    with Served(tmp_path, "--analysis-workers", "1") as server, \
            Analyst(server.port, "198.51.100.7") as flood, Analyst(server.port, "198.51.100.8") as honest:
        for number in range(60):
            flood.say(LookMessage(number, "othello", "nonsense" if number % 2 else ""))
            flood.say(ReviewMessage(number, record="{}"))
        honest.say(LookMessage(1, "othello-4", SMALL.text))
        while not honest.hear(Values, id=1).done:
            pass
        flood.say(LookMessage(1000, "othello-4", SMALL.text))
        while not flood.hear(Values, id=1000).done:    # which has to wait, and is served
            pass
    assert "Traceback" not in server.log


def test_engine_workers_end_with_a_server_that_is_killed(tmp_path: Path) -> None:
    served = Served(tmp_path)
    served.start()
    with Analyst(served.port) as analyst:
        analyst.say(LookMessage(1, "othello"))
        analyst.hear(Values)
        threads = Path(f"/proc/{served.pid}/task").iterdir()
        children = " ".join(Path(thread, "children").read_text() for thread in threads)
        ends = [os.pidfd_open(int(child)) for child in children.split()]
        assert ends
        served.kill()
    for end in ends:    # readable when the process has ended
        assert select.select([end], [], [], TIMEOUT)[0]
        os.close(end)


def test_why_and_hints_with_values(tmp_path: Path) -> None:
    state = SMALL.play("c1")
    with Served(tmp_path, "--analysis-workers", "1") as server:
        asked = {"spec": "othello-4", "position": state.text, "move": "d2", "best": {"move": "d1"}}
        told = server.post("/api/analysis/why", asked)["reasons"]
        assert told[0]["kind"] == "corner"
        assert told[0]["text"].format(**told[0]["values"]).startswith("d1 takes a corner")
        lines = [["d1", "d1"], ["d1"] * 201, ["z9"]]
        wrongs: list[dict[str, Any]] = [{"best": {"move": "d1", "line": line}} for line in lines]
        for wrong in (*wrongs, {"move": "a1"}, {"position": "?"}, {"spec": ""}):
            answer = http.post(f"{server.address}/api/analysis/why", json=asked | wrong)
            assert answer.status_code == 400
            assert answer.json()["problem"]
        for spec, unit in (("othello-4", "stones"), ("rolit", "points")):
            seats = ["me", *["random"] * (pv.game(spec).seats - 1)]
            new = server.new_game(spec, *seats)
            helped = server.post(f"/api/games/{new['game']}/hint", {"token": new["token"]})
            assert helped["unit"] == unit
            assert helped["move"] == helped["moves"][0]["move"]
            legal = {str(move) for move in pv.game(spec).start().moves}
            assert {one["move"] for one in helped["moves"]} == legal
    assert "Traceback" not in server.log


def test_an_operator_can_switch_analysis_off(tmp_path: Path) -> None:
    with Served(tmp_path, "--analysis-workers", "0") as server, Analyst(server.port) as analyst:
        analyst.say(LookMessage(1, "othello"))
        assert "does not analyse" in analyst.hear(Unable, id=1).problem
        answer = http.post(f"{server.address}/api/analysis/positions",
                            json={"spec": "othello", "moves": ["f5"]})
        assert len(answer.json()["plies"]) == 2
