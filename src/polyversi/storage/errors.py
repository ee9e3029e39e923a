"""What can be wrong with a store."""

from __future__ import annotations

from polyversi.games.errors import PolyversiError


class StoreError(PolyversiError):
    """A store that cannot be opened, or something that it cannot keep."""


class StoreUnavailableError(StoreError):
    """A store that cannot be reached or written just now: it may work again later."""


class DamagedError(StoreError):
    """Something that is in a store and cannot be read."""


class LockLostError(StoreError):
    """What was to be written only while nobody else can have the lock, and is not any more."""
