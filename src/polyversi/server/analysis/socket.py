"""The analysis socket: a visitor looks at one position after another and is told what is found."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, ParamSpec, TypeVar

import msgspec
from msgspec import structs
from starlette.websockets import WebSocket, WebSocketDisconnect

from polyversi.engines.proof import ProofFinding
from polyversi.engines.review import ReviewFinding
from polyversi.games.errors import PolyversiError
from polyversi.games.limit import Limit
from polyversi.games.state import State
from polyversi.records import Record, jsonl
from polyversi.server.analysis.cache import NOTHING_KNOWN, CanonicalPosition
from polyversi.server.analysis.looks import Look, Update
from polyversi.server.analysis.messages import (
    FROM_VISITOR,
    FromAnalysis,
    LookMessage,
    Prove,
    Rest,
    ReviewMessage,
    StopProof,
    StopReview,
    proof_progress,
    review_progress,
    unable,
    values,
)
from polyversi.server.analysis.proofs import ProofWatcher
from polyversi.server.analysis.reviews import BOUNDS, Watch, Watcher
from polyversi.server.analysis.service import AnalysisService
from polyversi.server.downloads import record_of
from polyversi.server.limits import ConcurrencyLimit, RateLimit, visitor_of
from polyversi.server.lobby import Lobby
from polyversi.server.messages import ErrorMessage, MessageError, decode_any
from polyversi.server.new_game import chosen_game
from polyversi.server.responses import DAMAGED, STORE_UNAVAILABLE
from polyversi.server.sockets import admitted
from polyversi.storage.games import DamagedError, StoreError

P = ParamSpec("P")
T = TypeVar("T")
M = TypeVar("M", LookMessage, ReviewMessage, Prove)
MESSAGES, PER_SECOND = 100, 20
"""Messages that a visitor may send at once, and then in a second; more have to wait."""
PAUSE = 0.05
"""Seconds that a visitor waits who has sent too many."""
MAX_REVIEWS = 8
"""Reviews that one connection waits for."""
MAX_OUTBOX = 100
"""Messages that wait for one connection."""


class AnalysisSockets:
    """Serves every analysis board."""

    def __init__(self, lobby: Lobby, service: AnalysisService) -> None:
        self._lobby = lobby
        self._service = service
        self._admission = RateLimit(burst=200, per_second=5)
        self._messages = RateLimit(MESSAGES, PER_SECOND)
        self._working = ConcurrencyLimit(1)

    async def serve(self, socket: WebSocket) -> None:
        """One visitor, until it leaves."""
        async with admitted(self._lobby, socket, self._admission) as is_in:
            if is_in:
                self._service.warm_up()
                connection = AnalysisConnection(socket, self._lobby, self._service, self._working)
                await connection.serve(self._messages)


class AnalysisConnection:
    """One analysis board: at most one position is looked at, and some games are reviewed."""

    def __init__(self, socket: WebSocket, lobby: Lobby, service: AnalysisService,
                 working: ConcurrencyLimit) -> None:
        self._socket = socket
        self._working = working
        self._lobby = lobby
        self._service = service
        self._visitor = visitor_of(socket)
        self._outbox: dict[tuple[str, int], FromAnalysis] = {}
        """What is to be sent: of several answers to one question the newest."""
        self._news = asyncio.Event()
        self._looking: asyncio.Task[None] | None = None
        self._proving: asyncio.Task[None] | None = None
        self._reviews: dict[int, Watch] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def serve(self, messages: RateLimit) -> None:
        """Talks with the visitor until either side ends it."""
        sending = asyncio.create_task(self._send())
        try:
            while not sending.done():
                text = await self._socket.receive_text()
                while not messages.take(self._visitor):
                    await asyncio.sleep(PAUSE)
                self._take(decode_any(text.encode(), FROM_VISITOR))
        except (WebSocketDisconnect, RuntimeError, OSError):
            pass
        except (KeyError, MessageError) as error:    # a frame that is no text has none
            await self._refuse(str(error) if isinstance(error, MessageError) else "a message must be text")
        finally:
            for watch in self._reviews.values():
                watch.leave()
            tasks = [*self._tasks, sending]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def _take(self, message: Any) -> None:
        match message:
            case LookMessage() | Rest():
                if self._looking is not None:
                    self._looking.cancel()
                    self._looking = None
                for kind, id in list(self._outbox):
                    if kind == "values":    # nobody wants them any more
                        del self._outbox[kind, id]
                if isinstance(message, LookMessage):
                    self._looking = self._spawn(self._look, message)
            case ReviewMessage():
                if before := self._reviews.pop(message.id, None):
                    before.leave()
                if len(self._reviews) >= MAX_REVIEWS:
                    self._say(unable(message.id, "you wait for too many reviews; stop some of them first"))
                else:
                    self._reviews[message.id] = Watch()
                    self._spawn(self._review, message)
            case StopReview():
                if watch := self._reviews.pop(message.id, None):
                    watch.stop()
            case Prove():
                self._end_proof()
                self._proving = self._spawn(self._prove, message)
            case StopProof():
                self._end_proof()

    def _end_proof(self) -> None:
        if self._proving is not None:
            self._proving.cancel()
            self._proving = None

    def _spawn(self, work: Callable[[M], Coroutine[Any, Any, None]], message: M) -> asyncio.Task[None]:
        """Does what a message asks for; what is wrong with it is told."""
        async def do() -> None:
            try:
                await work(message)
            except StoreError as error:
                self._lobby.say(str(error))
                self._fail(message.id, DAMAGED if isinstance(error, DamagedError) else STORE_UNAVAILABLE)
            except PolyversiError as error:
                self._fail(message.id, str(error))

        task = asyncio.create_task(do())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _look(self, message: LookMessage) -> None:
        state, position = await self._work(_placed, message)
        if state.is_over:
            self._say(values(message.id, structs.replace(NOTHING_KNOWN, exact=True), done=True))
            return
        self._service.check(state)

        def tell(update: Update) -> None:
            self._say(values(message.id, update.known, done=update.done, wait=update.wait))

        look = Look(self._visitor, position, tell, lambda problem: self._fail(message.id, problem))
        leave = await self._service.looks.begin(look)
        try:
            await asyncio.Event().wait()    # until the visitor looks elsewhere
        finally:
            leave()

    async def _prove(self, message: Prove) -> None:
        state, _ = await self._work(_placed, message)
        self._service.check_proof(state)

        def tell(finding: ProofFinding) -> None:
            self._say(proof_progress(message.id, finding))

        watcher = ProofWatcher(tell, lambda problem: self._fail(message.id, problem))
        leave = await self._service.proofs.begin(state, message.map, watcher)
        try:
            await asyncio.Event().wait()    # until the visitor has seen enough
        finally:
            leave()

    async def _review(self, message: ReviewMessage) -> None:
        record = await self._record(message)
        self._service.check(record.start)

        def tell(finding: ReviewFinding, is_stopped: bool) -> None:
            self._say(review_progress(message.id, finding, stopped=is_stopped))
            if finding.is_whole:
                self._reviews.pop(message.id, None)

        watcher = Watcher(self._visitor, tell, lambda problem: self._fail(message.id, problem))
        watch = await self._service.reviews.begin(
            message.game, record, Limit(seconds=message.seconds), watcher)
        if message.id in self._reviews:
            self._reviews[message.id] = watch
        else:    # it was stopped meanwhile, or is done
            watch.stop()

    async def _record(self, message: ReviewMessage) -> Record:
        """The game that is to be reviewed."""
        if not message.game:
            item = await self._work(jsonl.parse, message.record, BOUNDS)
            if not isinstance(item, Record):
                raise PolyversiError("this is a position; a review needs a game with moves")
            return item
        room = await self._lobby.find(message.game, self._socket)
        if room is None:
            raise PolyversiError("there is no such game")
        if room.stored.phase != "over":
            raise PolyversiError("the game is still going on; it can be reviewed when it is over")
        return await self._work(record_of, room.log.copy(), room.stored)

    async def _work(self, work: Callable[P, T], *args: P.args, **more: P.kwargs) -> T:
        """Does what may take a while in another thread, one thing at a time for each visitor."""
        async with self._working.of(self._visitor):
            return await asyncio.to_thread(work, *args, **more)

    def _fail(self, id: int, problem: str) -> None:
        """Says that something cannot be done."""
        self._reviews.pop(id, None)
        self._say(unable(id, problem))

    def _say(self, message: FromAnalysis) -> None:
        """Has a message sent, in place of an older one of the same kind."""
        key = str(message.__struct_config__.tag), getattr(message, "id", 0)
        self._outbox[key] = message
        if len(self._outbox) > MAX_OUTBOX:    # of somebody who asks and does not listen
            del self._outbox[next(iter(self._outbox))]
        self._news.set()

    async def _send(self) -> None:
        with suppress(WebSocketDisconnect, RuntimeError, OSError):
            while True:
                await self._news.wait()
                self._news.clear()
                while self._outbox:
                    message = self._outbox.pop(next(iter(self._outbox)))
                    await self._socket.send_text(msgspec.json.encode(message).decode())

    async def _refuse(self, sentence: str) -> None:
        with suppress(WebSocketDisconnect, RuntimeError, OSError):
            await self._socket.send_text(msgspec.json.encode(ErrorMessage(sentence[:400])).decode())
            await self._socket.close(1008)


def _placed(message: LookMessage | Prove) -> tuple[State, CanonicalPosition]:
    """The position that a visitor looks at."""
    game = chosen_game(message.spec, message.map)
    state = game.position(message.position) if message.position else game.start()
    return state, CanonicalPosition.of(state, message.map)
