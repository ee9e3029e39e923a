"""A site whose stores are open, for whatever works on it without a page: the conductor and commands."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from polyversi.site.settings import SiteFile, read_site
from polyversi.site.store import SiteStore
from polyversi.storage.contests import ContestStore
from polyversi.storage.database import Database, place_of
from polyversi.storage.games import Store


@dataclass(frozen=True)
class OpenSite:
    """A site's file and its stores."""

    file: SiteFile
    store: SiteStore
    contests: ContestStore


STORES: tuple[type[Database], ...] = (Store, ContestStore, SiteStore)
"""Whose tables a site has, in one database."""


def open_private(path: str | Path, flags: int) -> int:
    """Opens a file as `open` does; if it is new, nobody else of this machine may read it."""
    return os.open(path, flags, 0o600)


def make_private(file: SiteFile) -> None:
    """Makes the file of a new store, with names and secrets, before SQLite does, which hides nothing."""
    if place := place_of(file.store):
        with suppress(OSError):    # whoever opens the store says why it cannot be
            place.parent.mkdir(parents=True, exist_ok=True)
            os.close(open_private(place, os.O_WRONLY | os.O_CREAT))


def make_tables(file: SiteFile) -> None:
    """Makes what is not there yet of the database: the tables of games, contests and the site."""
    make_private(file)
    for store in STORES:
        store.open(file.store).close()


@contextmanager
def open_site(path: Path) -> Iterator[OpenSite]:
    """The site of a file, open within this."""
    file = read_site(path)
    make_tables(file)
    with closing(SiteStore.open(file.store)) as store, closing(ContestStore.open(file.store)) as contests:
        yield OpenSite(file, store, contests)
