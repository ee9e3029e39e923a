"""HTTP requests and responses: JSON, bounded bodies, and errors told in a sentence, never with a trace."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from polyversi.games.errors import PolyversiError
from polyversi.server.limits import RateLimit, TooManyError, visitor_of
from polyversi.server.reporting import report
from polyversi.storage.games import DamagedError, StoreError
from polyversi.storage.write_queue import NotStoredError

MAX_BODY = 1 << 20
BODY_TIMEOUT = 30.0
"""Seconds in which a body must have come."""
LEAST_RATE = 16_000
"""Bytes a second in which a large file must come, beside these seconds."""
BODY_TIME = "polyversi.body-time"
"""Where the scope of a request has the time that its body has."""
LEFT = "you have left"    # which nobody hears
INTERNAL_ERROR = "something went wrong on the server; its operator can see what"
STORE_UNAVAILABLE = "the games cannot be reached just now; try again later"
DAMAGED = "this game is damaged and cannot be shown; the server's operator can see why"
NOT_STORED = ("the server cannot store anything just now, so nothing new can begin; running games wait and "
              "lose nothing; try again later")
TOO_LONG = re.compile(r"Expected `str` of length <= ([0-9]+) - at `\$.*?\.?(\w+)`", re.ASCII)
Handler = Callable[["Request"], Awaitable[Response]]
T = TypeVar("T")


class HttpError(Exception):
    """What a visitor is told instead of an answer."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence


class BodyTime:
    """Until when the rest of a body must have come."""

    def __init__(self, now: float) -> None:
        self.ends_by = now + BODY_TIMEOUT
        self._is_large = False

    def begin_large(self, now: float) -> None:
        """A large file begins now: it may take as long as its bytes need at LEAST_RATE."""
        self.ends_by, self._is_large = now + BODY_TIMEOUT, True

    def came(self, count: int) -> None:
        """So many bytes more have come."""
        if self._is_large:
            self.ends_by += count / LEAST_RATE


def expect_large(request: Request) -> None:
    """Gives the body of a request, from now on, the time that a large file needs."""
    if found := request.scope.get(BODY_TIME):
        found.begin_large(asyncio.get_running_loop().time())


def json_response(data: Any, status: int = 200) -> Response:
    """A response in JSON that no cache keeps."""
    headers = {"cache-control": "no-store"}
    return Response(msgspec.json.encode(data), status, headers, "application/json")


async def read_body(request: Request, admit: Callable[[bytearray], Awaitable[int]] | None = None) -> bytes:
    """The body of a request, as long as it is no longer than it may be.

    When that is more than MAX_BODY, `admit` gets what has come of it and says how much it may be after all.
    """
    data, most = bytearray(), MAX_BODY
    try:
        async for chunk in request.stream():
            data += chunk
            if len(data) > most and admit is not None:
                most, admit = await admit(data), None
            if len(data) > most:
                raise HttpError(413, f"this is too large; the limit is {most >> 20} MiB")
    except ClientDisconnect:
        raise HttpError(499, LEFT) from None
    return bytes(data)


async def parse_body(request: Request, kind: type[T]) -> T:
    """The body of a request, checked to be what is asked for."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise HttpError(415, "write a JSON object, with content-type application/json")
    try:
        return msgspec.json.decode(await read_body(request), type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise HttpError(400, _wrong(str(error))) from None


def _wrong(problem: str) -> str:
    """What is wrong with a request; people can write too much, the rest is for programs.

    >>> _wrong("Expected `str` of length <= 16384 - at `$.position`")
    'the position is too long; it may have at most 16,384 characters'
    """
    if found := TOO_LONG.fullmatch(problem):
        return f"the {found[2]} is too long; it may have at most {int(found[1]):,} characters"
    return f"this is not a valid request: {problem}"


async def unless_gone(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """What some work comes to, which is called off when the visitor leaves."""
    async def leave() -> None:
        while (await request.receive())["type"] != "http.disconnect":
            pass

    working, leaving = asyncio.create_task(work), asyncio.create_task(leave())
    try:
        await asyncio.wait([working, leaving], return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise HttpError(499, LEFT)
        return working.result()
    finally:
        for task in (working, leaving):
            task.cancel()
        await asyncio.gather(working, leaving, return_exceptions=True)


def limited(handler: Handler, limit: RateLimit) -> Handler:
    """A handler that counts its requests against the visitor's limit."""

    async def count(request: Request) -> Response:
        if not limit.take(visitor_of(request)):
            raise HttpError(429, "too many requests at once; wait a little")
        return await handler(request)

    return count


async def error_response(_: Request, error: Exception) -> Response:
    """The response to a request that cannot be answered; what concerns the operator alone goes to the log."""
    match error:
        case HttpError():
            return json_response({"problem": error.sentence}, error.status)
        case TooManyError():
            return json_response({"problem": str(error)}, 429)
        case NotStoredError():    # the queue has told the operator
            return json_response({"problem": NOT_STORED}, 503)
        case DamagedError():
            report(str(error))
            return json_response({"problem": DAMAGED}, 500)
        case StoreError():    # where the store is and what ails it is for the operator
            report(str(error))
            return json_response({"problem": STORE_UNAVAILABLE}, 503)
        case PolyversiError():
            return json_response({"problem": str(error)}, 400)
    return json_response({"problem": INTERNAL_ERROR}, 500)    # the server prints the traceback
