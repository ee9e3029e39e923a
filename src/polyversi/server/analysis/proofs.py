"""Proofs of whole games, watched live: one at a time, in a process of its own that gives way to everybody."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Json = dict[str, Any]


class Proofs:
    """The proof that goes on, if any."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say

    async def close(self) -> None:
        """Ends it."""
