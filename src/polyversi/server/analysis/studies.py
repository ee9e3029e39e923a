"""Studies: games with variations and comments that visitors keep on the server and share by link."""

from __future__ import annotations

import asyncio
import hmac
import secrets
import time
from dataclasses import replace
from typing import Annotated

import msgspec

from polyversi.games.errors import RecordError
from polyversi.records import Bounds, Record, jsonl
from polyversi.server.limits import THIS_MACHINE, TooManyError, mark_of
from polyversi.server.lobby import Lobby
from polyversi.server.new_game import MAX_TILES, Short
from polyversi.server.responses import HttpError
from polyversi.server.tokens import hash_token, new_token
from polyversi.storage.stored import StoredStudy

MAX_RECORD = 1 << 18
"""Bytes of a study."""
MAX_STUDIES = 20_000
"""Studies of one server."""
MAX_PER_VISITOR = 100
"""Of these, made by one visitor from elsewhere."""
BOUNDS = Bounds(MAX_TILES, 5_000, 4_000_000)
"""Moves of all lines of a study, and cells of all its positions."""

RecordText = Annotated[str, msgspec.Meta(max_length=MAX_RECORD)]


class NewStudy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A study to be kept: a line of JSON Lines."""

    record: RecordText


class ChangedStudy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A study to be kept in place of what it was, by whoever has its token."""

    record: RecordText
    token: Short


class Studies:
    """The studies in the store."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._creating = asyncio.Lock()

    async def create(self, new: NewStudy, visitor: str) -> tuple[str, str]:
        """Keeps a new study; its id, and the token with which it can be changed."""
        line = await asyncio.to_thread(checked, new.record)
        mark, token, now = mark_of(visitor), new_token(), time.time()
        async with self._creating:    # so that nobody has more than allowed
            await self._check_room(mark)
            study = StoredStudy(secrets.token_urlsafe(9), line, hash_token(token), mark, now, now)
            await self._lobby.write_queue.write_now(lambda transaction: transaction.keep_study(study))
        return study.id, token

    async def find(self, id: str) -> StoredStudy:
        """The study with that id."""
        study = await asyncio.to_thread(self._lobby.store.study, id)
        if study is None:
            raise HttpError(404, "there is no such study")
        return study

    async def change(self, id: str, changed: ChangedStudy) -> StoredStudy:
        """Keeps a study in place of what it was."""
        before = await self.find(id)
        if not hmac.compare_digest(before.token, hash_token(changed.token)):
            raise HttpError(403, "only whoever made this study can change it; save a copy instead")
        line = await asyncio.to_thread(checked, changed.record)
        study = replace(before, record=line, updated=time.time())
        await self._lobby.write_queue.write_now(lambda transaction: transaction.keep_study(study))
        return study

    async def _check_room(self, mark: str) -> None:
        store = self._lobby.store
        if await asyncio.to_thread(store.count_studies) >= MAX_STUDIES:
            raise TooManyError("there are too many studies on this server; save yours as a file")
        if mark != THIS_MACHINE and await asyncio.to_thread(store.count_studies, mark) >= MAX_PER_VISITOR:
            raise TooManyError(f"{MAX_PER_VISITOR} studies of the same visitor are kept already; "
                               "save this one as a file, or change an old one")


def checked(text: str) -> str:
    """The line of a study as we write it: one game whose variations are legal.

    >>> line = '{"polyversi":1,"game":"othello-4","start":"-----OX--XO----- X","moves":["b1"]}'
    >>> checked(line) == line
    True
    """
    item = jsonl.parse(text.strip(), BOUNDS)
    if not isinstance(item, Record):
        raise RecordError("this is a position; a study is a game, if only one without moves")
    item.tree()    # plays through all lines
    line = jsonl.write(item)
    if len(line.encode()) > MAX_RECORD:
        raise RecordError(f"this study is too large; the limit is {MAX_RECORD >> 10} KiB")
    return line
