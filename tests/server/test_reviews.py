"""Reviews in the background: the numbers of `polyversi analyse`, with progress, kept, stopped and resumed."""

from __future__ import annotations

import asyncio
import json
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

import polyversi as pv
from polyversi.engines.judge import judge
from polyversi.engines.review import ReviewFinding, review, review_data
from polyversi.games.errors import PolyversiError
from polyversi.records import Record, jsonl
from polyversi.server.analysis import reviews
from polyversi.server.analysis.messages import ReviewMessage, ReviewProgress, StopReview, Unable
from polyversi.server.analysis.reviews import Watch, Watcher
from polyversi.server.analysis.service import AnalysisService
from polyversi.server.limits import TooManyError
from polyversi.storage.games import Store, Transaction
from polyversi.storage.write_queue import WriteQueue
from tests.testing import http
from tests.testing.analysis import Analyst, Watching, analysing
from tests.testing.page_server import Served
from tests.testing.terminal import polyversi
from tests.testing.timeout import TIMEOUT

LIMIT = pv.Limit(depth=5)


def game(spec: str = "othello-6") -> Record:
    """A whole game, of the first legal moves."""
    state, moves = pv.game(spec).start(), []
    while not state.is_over:
        moves.append(state.moves[0])
        state = state.play(moves[-1])
    return Record(pv.game(spec).start(), tuple(moves))


class Reader:
    """Somebody who waits for a review."""

    def __init__(self, name: str = "192.0.2.7") -> None:
        self.heard: list[ReviewFinding] = []
        self.is_stopped = False
        self.problems: list[str] = []
        self._news = asyncio.Event()
        self.watcher = Watcher(name, self._hear, self._fail)
        self.watch = Watch()

    async def read(self, service: AnalysisService, record: Record, limit: pv.Limit = LIMIT) -> Reader:
        self.watch = await service.reviews.begin("", record, limit, self.watcher)
        return self

    async def until(self, done: int | None = None) -> ReviewFinding:
        """The review with so many moves, or the whole."""
        while not self.heard or self.heard[-1].done < (self.heard[-1].plies if done is None else done):
            assert not self.problems
            self._news.clear()
            await self._news.wait()
        return self.heard[-1]

    def _hear(self, finding: ReviewFinding, is_stopped: bool) -> None:
        self.heard.append(finding)
        self.is_stopped = self.is_stopped or is_stopped
        self._news.set()

    def _fail(self, problem: str) -> None:
        self.problems.append(problem)
        self._news.set()


def test_a_review_has_the_numbers_of_the_command_line_and_is_made_once(tmp_path: Path) -> None:
    async def make() -> None:
        record = game()
        expected = ReviewFinding.of(review(record, LIMIT, engine=judge(record.game)))
        text = "".join(map(str, record.moves))
        said = json.loads(polyversi("analyse", text, "--variant", "othello-6", "--limit", str(LIMIT),
                                    "--threads", "1", "--json").stdout)
        async with analysing(str(tmp_path / "games.db")) as service:
            ann = await Reader().read(service, record)
            bob = await Reader("192.0.2.8").read(service, record)
            assert await ann.until() == await bob.until() == expected
            assert [(one["played"]["value"], one["best"]["value"], one["loss"]) for one in said["moves"]] == [
                (one.value, one.best_value, one.loss) for one in expected.moves]
            assert [told.done for told in ann.heard] == list(range(1, len(record.moves) + 1))
            assert service.pool.tasks == len(record.moves)
            # Whoever looks at one of its positions has what was found.
            watching = await Watching.at(service, list(record.states())[20])
            assert watching.heard[0].known.depth >= 5
            watching.leave()
        async with analysing(str(tmp_path / "games.db")) as service:
            again = await Reader().read(service, record)
            assert again.heard == [expected]
            assert service.pool.tasks == 0

    asyncio.run(make())


def test_stored_reviews_are_read_and_damaged_ones_made_anew(tmp_path: Path) -> None:
    async def make() -> None:
        where, record = str(tmp_path / "games.db"), game("othello-4")
        data = review_data(review(record, LIMIT, engine=judge(record.game)))
        name = reviews.name_of(record)
        with closing(Store.open(where)) as store, store.transaction() as transaction:
            text = json.dumps({"review": data, "analyses": {}})
            transaction.keep_review(name, reviews.settings_of(LIMIT), text, 0.0)
            transaction.keep_review(name, reviews.settings_of(pv.Limit(depth=1)), '{"review": {}}', 1.0)
        async with analysing(where) as service:
            assert json.loads(msgspec.json.encode(await service.reviews.stored(name))) == data
            assert (await Reader().read(service, record)).heard[0].is_whole
            assert service.pool.tasks == 0
            assert (await (await Reader().read(service, record, pv.Limit(depth=1))).until()).is_whole

    asyncio.run(make())


@pytest.mark.parametrize("spec", ["rolit", "hex"])
def test_games_of_every_kind_are_reviewed(tmp_path: Path, spec: str) -> None:
    async def make() -> None:
        record = game(spec)
        short = Record(record.start, record.moves[:4])
        limit = pv.Limit(seconds=0.05)
        async with analysing(str(tmp_path / "games.db")) as service:
            done = await (await Reader().read(service, short, limit)).until()
            assert done.unit == ("points" if spec == "rolit" else "stones")
            assert len(done.totals) == record.game.seats

    asyncio.run(make())


@pytest.mark.slow
def test_a_stopped_review_is_resumed_by_whoever_asks_next(tmp_path: Path) -> None:
    async def make() -> None:
        record, store = game(), str(tmp_path / "games.db")
        async with analysing(store) as service:
            ann, bob = Reader(), Reader("192.0.2.8")
            await ann.read(service, record)
            await bob.read(service, record)
            await ann.until(3)
            ann.watch.stop()    # not for Bob
            assert ann.is_stopped
            await bob.until(5)
            bob.watch.stop()
            while service.pool.is_busy:
                await asyncio.sleep(0)
            await asyncio.sleep(0)
        async with analysing(store) as service:
            cid = await Reader("192.0.2.9").read(service, record)
            kept = cid.heard[0].done
            assert kept >= 5
            whole = await cid.until()
            # What a worker has forgotten, here all of it, is asked for once more.
            assert service.pool.tasks <= len(record.moves) - kept + 1
            assert [move.ply for move in whole.moves] == list(range(1, len(record.moves) + 1))
            assert await service.reviews.stored(reviews.name_of(record)) == whole

    asyncio.run(make())


def test_reviews_are_bounded(tmp_path: Path) -> None:
    async def make() -> None:
        async with analysing(str(tmp_path / "games.db")) as service:
            moves = game().moves
            records = [Record(pv.game("othello-6").start(), moves[:length]) for length in (20, 21, 22)]
            for record in records[:2]:
                await Reader().read(service, record, pv.Limit(seconds=1))
            with pytest.raises(TooManyError):
                await Reader().read(service, records[2])
            await Reader("192.0.2.8").read(service, records[2])
            with pytest.raises(PolyversiError, match="there is no move"):
                await Reader().read(service, Record(pv.game("othello").start(), ()))

    asyncio.run(make())


def test_a_review_that_is_stored_while_the_store_is_read_is_found(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    may_write, queues = threading.Event(), list[WriteQueue]()
    submit, keep, read = WriteQueue.submit, Transaction.keep_review, Store.reviews

    def submitting(queue: WriteQueue, *job: Any) -> None:
        queues.append(queue)
        submit(queue, *job)

    def keeping(transaction: Transaction, *review: Any) -> None:
        may_write.wait(TIMEOUT)
        keep(transaction, *review)

    async def make() -> None:
        loop = asyncio.get_running_loop()

        def reading(store: Store, name: str) -> list[str]:
            texts = read(store, name)
            may_write.set()
            asyncio.run_coroutine_threadsafe(queues[0].drain(), loop).result(TIMEOUT)
            return texts

        monkeypatch.setattr(Store, "reviews", reading)
        async with analysing(str(tmp_path / "games.db")) as service:
            record = game("othello-4")
            whole = await (await Reader().read(service, record)).until()
            assert await service.reviews.stored(reviews.name_of(record)) == whole

    monkeypatch.setattr(WriteQueue, "submit", submitting)
    monkeypatch.setattr(Transaction, "keep_review", keeping)
    asyncio.run(make())


def test_a_review_over_the_socket_and_by_http(tmp_path: Path) -> None:
    with Served(tmp_path, "--analysis-workers", "1") as server, Analyst(server.port) as analyst:
        text = "".join(map(str, game("othello-4").moves))
        id = _imported(server, text)
        analyst.say(ReviewMessage(1, game=id, seconds=0.05))
        while (told := analyst.hear(ReviewProgress, id=1)).done < told.plies:
            pass
        stored = server.get(f"/api/reviews/{id}")
        assert stored["done"] == stored["plies"] == told.plies
        assert stored["moves"][0]["exact"]
        running = server.new_game("othello-4", "me", "me")["game"]
        analyst.say(ReviewMessage(2, game=running))
        assert "still going on" in analyst.hear(Unable, id=2).problem
        analyst.say(ReviewMessage(3, record=jsonl.write(game("othello")), seconds=1))
        analyst.hear(ReviewProgress, id=3)
        analyst.say(StopReview(3))
        while not analyst.hear(ReviewProgress, id=3).stopped:
            pass


def _imported(server: Served, text: str) -> str:
    """The id of a game that somebody opens on the page."""
    answer = http.post(f"{server.address}/api/records?spec=othello-4", content=text)
    return str(answer.json()["games"][0])
