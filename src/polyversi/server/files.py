"""The files of the page, kept in memory and compressed once, since every visitor asks for all of them."""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from polyversi.server.responses import HttpError

PAGE = Path(__file__).resolve().parent.parent / "page"
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}
"""The kinds of files that browsers get; whatever else lies beside them they do not."""


@dataclass(frozen=True)
class PageFile:
    """A file as it is sent."""

    plain: bytes
    gzipped: bytes
    etag: str
    """Tells a browser whether what it has is still right."""
    type: str


def views() -> list[str]:
    """The names of the page's views, each a folder with a module `view.js`.

    >>> views()
    ['arena', 'editor', 'game', 'play', 'settings', 'store', 'watch']
    """
    return sorted(module.parent.name for module in PAGE.glob("views/*/view.js"))


def respond(request: Request, name: str) -> Response:
    """A file of the page, or word that the browser has it already."""
    try:
        path = (PAGE / name).resolve()
        is_here = path.suffix in TYPES and path.is_relative_to(PAGE)
        file = _load(path, path.stat().st_mtime_ns) if is_here else None
    except (OSError, ValueError):
        file = None
    if file is None:
        raise HttpError(404, "there is nothing here")
    headers = {"etag": file.etag, "cache-control": "no-cache", "vary": "accept-encoding"}
    if request.headers.get("if-none-match") == file.etag:
        return Response(status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(file.gzipped, headers=headers | {"content-encoding": "gzip"}, media_type=file.type)
    return Response(file.plain, headers=headers, media_type=file.type)


@lru_cache(maxsize=512)
def _load(path: Path, changed: int) -> PageFile:
    """The file as it was when it was last changed, so that a page can be written while its server runs."""
    del changed
    plain = path.read_bytes()
    etag = f'"{hashlib.sha256(plain).hexdigest()[:16]}"'
    return PageFile(plain, gzip.compress(plain, mtime=0), etag, TYPES[path.suffix])
