"""Requests of tests, with a deadline that only a hang can reach and a connection for each of them.

A server closes connections that are idle for some seconds, which is no time on a busy machine.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx

from tests.testing.timeout import TIMEOUT

ONE_EACH = httpx.Limits(max_keepalive_connections=0)


def client(**more: Any) -> httpx.Client:
    """Somebody who asks for several things, and keeps cookies."""
    return httpx.Client(timeout=TIMEOUT, limits=ONE_EACH, **more)


def async_client(**more: Any) -> httpx.AsyncClient:
    """The same beside others."""
    return httpx.AsyncClient(timeout=TIMEOUT, limits=ONE_EACH, **more)


def get(url: str, **more: Any) -> httpx.Response:
    """The answer to a GET request."""
    return httpx.get(url, timeout=TIMEOUT, **more)


def post(url: str, **more: Any) -> httpx.Response:
    """The answer to a POST request."""
    return httpx.post(url, timeout=TIMEOUT, **more)


def request(method: str, url: str, **more: Any) -> httpx.Response:
    """The answer to a request."""
    return httpx.request(method, url, timeout=TIMEOUT, **more)


def granted(ask: Callable[[int], httpx.Response], status: int, at_most: int) -> int:
    """How many requests are answered, all with this status, before one is refused for being too many."""
    for count in range(at_most):
        answer = ask(count)
        if answer.status_code == 429:
            return count
        assert answer.status_code == status, answer.text
    return at_most


def refusal(ask: Callable[[], httpx.Response], at_once: int = 20) -> httpx.Response:
    """The answer to a request too many: so many are made at the same time, until one is refused."""
    with ThreadPoolExecutor(at_once) as pool:
        while True:
            for answer in pool.map(lambda _: ask(), range(at_once)):
                if answer.status_code == 429:
                    return answer
