"""Answers to HTTP requests: JSON, bounded bodies, and problems told in a sentence, never with a trace."""

from __future__ import annotations

import asyncio
import ipaddress
import sys
import traceback
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from starlette.responses import Response

from polyversi.games.errors import PolyversiError
from polyversi.server.lobby import Crowded
from polyversi.storage.games import StoreError

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection, Request

LARGEST_BODY = 1 << 20
BODY_WITHIN = 30.0
"""Seconds in which a body must have come."""
OUR_FAULT = "something went wrong on the server; its operator can see what"
NO_STORE = "the games cannot be reached just now; try again later"
Handler = Callable[["Request"], Awaitable[Response]]
T = TypeVar("T")


class Problem(Exception):  # noqa: N818 it is told, not logged
    """What a visitor is told instead of an answer."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence


def json(data: Any, status: int = 200) -> Response:
    """An answer in JSON that no cache keeps."""
    headers = {"cache-control": "no-store"}
    return Response(msgspec.json.encode(data), status, headers, "application/json")


async def body(request: Request) -> bytes:
    """The body of a request, as long as it is no longer than it may be."""
    data = bytearray()
    try:
        async with asyncio.timeout(BODY_WITHIN):
            async for chunk in request.stream():
                data += chunk
                if len(data) > LARGEST_BODY:
                    raise Problem(413, f"this is too large; at most {LARGEST_BODY >> 20} MiB are taken")
    except TimeoutError:
        raise Problem(408, f"this did not come within {BODY_WITHIN:g} s") from None
    return bytes(data)


async def wanted(request: Request, kind: type[T]) -> T:
    """The body of a request, checked to be what is asked for."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise Problem(415, "write a JSON object, with content-type application/json")
    try:
        return msgspec.json.decode(await body(request), type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Problem(400, f"this cannot be understood: {error}") from None


def told(handler: Handler) -> Handler:
    """A handler whose problems become answers."""

    async def answer(request: Request) -> Response:
        try:
            return await handler(request)
        except Problem as problem:
            return json({"problem": problem.sentence}, problem.status)
        except Crowded as error:
            return json({"problem": str(error)}, 429)
        except StoreError as error:    # where the store is and what ails it is for the operator
            print(f"polyversi: {error}", file=sys.stderr)
            return json({"problem": NO_STORE}, 503)
        except PolyversiError as error:
            return json({"problem": str(error)}, 400)
        except Exception as error:    # a fault of ours: its trace is for the operator
            traceback.print_exception(error, file=sys.stderr)
            return json({"problem": OUR_FAULT}, 500)

    return answer


def visitor_of(connection: HTTPConnection) -> str:
    """Whoever asks, by the address; of the many addresses that one household has in IPv6, by its network."""
    host = connection.client.host if connection.client else "unknown"
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv6Address) and not address.is_loopback:
        return str(ipaddress.ip_network((int(address) >> 64 << 64, 64)).network_address)
    return host
