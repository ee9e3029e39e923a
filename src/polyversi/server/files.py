"""The files of the page, kept in memory and compressed once, since every visitor asks for all of them.

Browsers get the page's modules in a few scripts below `/page/bundle/`, made here from the sources as they are
now, so that a page can be written while its server runs. The sources themselves are served beside them.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from polyversi.bundling import MORE, chunks
from polyversi.server.limits import ConcurrencyLimit
from polyversi.server.responses import HttpError

PAGE = Path(__file__).resolve().parent.parent / "page"
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".map": "application/json",
    ".svg": "image/svg+xml",
}
"""The kinds of files that browsers get; whatever else lies beside them they do not."""
MAIN = "app/main.js"
STYLES = ("style/base.css", "style/components.css", "style/board.css")
"""The styles that every view needs; browsers get them as one."""
FIRST_VIEW = "home"
"""The view at `/`: the first one in `app/views.js`."""
SITE_VIEWS = ("bots", "events", "ladder", "lobby", "organise", "people", "sign-in")
"""The views that only the server of a site has: those with `isForSite` in `app/views.js`."""
WITH_VARIANTS = ("home", "play")
"""The views that begin with the list of variants, which is requested before their modules have arrived."""


@dataclass(frozen=True)
class PageFile:
    """A file as it is sent."""

    plain: bytes
    gzipped: bytes
    etag: str
    """Tells a browser whether what it has is still right."""
    type: str

    @classmethod
    def of(cls, plain: bytes, suffix: str) -> PageFile:
        """A file of the kind that a suffix stands for."""
        etag = f'"{hashlib.sha256(plain).hexdigest()[:16]}"'
        return cls(plain, gzip.compress(plain, mtime=0), etag, TYPES[suffix])


def views() -> list[str]:
    """The names of the page's views, each a folder with a module `view.js`.

    >>> views()[:5], set(SITE_VIEWS) <= set(views())
    (['analysis', 'arena', 'bots', 'editor', 'events'], True)
    """
    return sorted(module.parent.name for module in PAGE.glob("views/*/view.js"))


def languages() -> list[str]:
    """The languages of the page besides English, each a folder with its texts.

    >>> languages()
    ['de', 'ja']
    """
    return sorted(texts.parent.name for texts in PAGE.glob("languages/*/texts.json"))


async def respond(request: Request, name: str, bundle: Bundle) -> Response:
    """A file of the page, or word that the browser has it already."""
    try:
        is_bundled = name.startswith("bundle/")
        file = (await bundle.files()).get(name.removeprefix("bundle/")) if is_bundled else _stored(name)
    except (OSError, ValueError):
        file = None
    if file is None:
        raise HttpError(404, "there is nothing here")
    return _sent(request, file)


def respond_document(request: Request, can_play: bool, site: str = "", has_events: bool = False) -> Response:
    """The one document of the page, which begins to load the view that the address names.

    It tells the page the name of the site, if the server has one, and whether it has events without one.
    """
    view = request.url.path.split("/")[1] or FIRST_VIEW
    source = PAGE / "index.html"
    known = view if view in views() else ""
    return _sent(request, _document(source.stat().st_mtime_ns, known, " ".join(languages()),
                                    "play" if can_play else "watch events" if has_events else "watch", site))


def _sent(request: Request, file: PageFile) -> Response:
    headers = {"etag": file.etag, "cache-control": "no-cache", "vary": "accept-encoding"}
    if request.headers.get("if-none-match") == file.etag:
        return Response(status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(file.gzipped, headers=headers | {"content-encoding": "gzip"}, media_type=file.type)
    return Response(file.plain, headers=headers, media_type=file.type)


def _stored(name: str) -> PageFile | None:
    path = (PAGE / name).resolve()
    is_here = path.suffix in TYPES and path.is_relative_to(PAGE)
    return _load(path, path.stat().st_mtime_ns) if is_here else None


@lru_cache(maxsize=512)
def _load(path: Path, changed: int) -> PageFile:
    """The file as it was when it was last changed."""
    del changed
    return PageFile.of(path.read_bytes(), path.suffix)


@lru_cache(maxsize=64)
def _document(changed: int, view: str, others: str, offers: str, site: str) -> PageFile:
    del changed
    text = (PAGE / "index.html").read_text(encoding="utf-8")
    of_site = f' data-site="{escape(site)}"' if site else ""
    told = f'<html lang="en" data-languages="{others}" data-offers="{offers}"{of_site}>'
    text = text.replace('<html lang="en">', told)
    if view:
        scripts = [_module_of(view), *([MORE] if view != FIRST_VIEW else [])]
        early = "".join(f'<link rel="modulepreload" href="/page/bundle/{script}">\n' for script in scripts)
        early += f'<link rel="stylesheet" href="/page/views/{view}/style.css">\n'
        if view in WITH_VARIANTS:
            early += '<link rel="preload" as="fetch" crossorigin="anonymous" href="/api/variants">\n'
        text = text.replace("</head>", early + "</head>")
    return PageFile.of(text.encode(), ".html")


def _state() -> tuple[int, ...]:
    """When each of the sources of the bundle was changed."""
    sources = [*PAGE.rglob("*.js"), *(PAGE / style for style in STYLES)]
    return tuple(source.stat().st_mtime_ns for source in sources)


def _module_of(view: str) -> str:
    return f"views/{view}/view.js"


class Bundle:
    """The bundle of the sources as they are now; made in a thread, since games go on meanwhile."""

    def __init__(self) -> None:
        self._state: tuple[int, ...] = ()
        self._files: dict[str, PageFile] = {}
        self._once = ConcurrencyLimit(1)

    async def files(self) -> dict[str, PageFile]:
        """Its files by name."""
        state = _state()
        if state != self._state:
            async with self._once.of("bundle"):    # many may want it at the same time
                if state != self._state:
                    self._files, self._state = await asyncio.to_thread(_bundled), state
        return self._files


def _bundled() -> dict[str, PageFile]:
    """The files of the bundle by name."""
    scripts = chunks(MAIN, map(_module_of, views()), PAGE, first=_module_of(FIRST_VIEW))
    files = {name: PageFile.of(script.text.encode(), ".js") for name, script in scripts.items()}
    files |= {f"{name}.map": PageFile.of(script.map.encode(), ".map") for name, script in scripts.items()}
    style = "\n".join((PAGE / style).read_text(encoding="utf-8") for style in STYLES)
    return files | {"style.css": PageFile.of(style.encode(), ".css")}
