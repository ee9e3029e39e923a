"""How much room a site takes, and how much is left for it."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import sqlalchemy as sql

from polyversi.site.quotas import MB
from polyversi.site.settings import SiteFile
from polyversi.site.store import SiteStore
from polyversi.site.tables import BOTS, LADDER_GAMES, PEOPLE, RATED_GAMES, VERSIONS
from polyversi.storage.database import place_of

COUNTED = {"people": PEOPLE, "bots": BOTS, "versions": VERSIONS, "ladder_games": LADDER_GAMES,
           "rated_games": RATED_GAMES}


def used(file: SiteFile, store: SiteStore) -> dict[str, Any]:
    """Bytes of the database, of uploads, and free on the disk; how many there are of what."""
    place = place_of(file.store)
    if place:
        database = sum(part.stat().st_size for part in (place, Path(f"{place}-wal")) if part.exists())
    else:
        size = sql.func.pg_database_size(sql.func.current_database()).label("bytes")
        database = store.read(sql.select(size))[0]["bytes"]
    uploads = store.read(sql.select(sql.func.coalesce(sql.func.sum(VERSIONS.c.size), 0).label("bytes")))
    counts = {name: store.read(sql.select(sql.func.count().label("count")).select_from(table))[0]["count"]
              for name, table in COUNTED.items()}
    return {
        "database": database, "uploads": int(uploads[0]["bytes"]), "counts": counts,
        "uploads_limit": file.settings.quotas.site_megabytes * MB,
        "free": shutil.disk_usage(_existing(file.uploads)).free,
    }


def _existing(folder: Path) -> Path:
    """The folder, or the nearest above it that is there."""
    return next(one for one in (folder, *folder.parents) if one.is_dir())
