"""The files of the page hang together: imports are there, views load early, no other host is named."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from urllib.parse import unquote

import pytest

import polyversi.server
from polyversi.server.files import SITE_VIEWS
from tests.testing import http
from tests.testing.page_server import Served

PAGE = Path(polyversi.__file__).parent / "page"
HERE = Path(__file__).parent
IMPORT = re.compile(r"""\b(?:from|import)\s*\(?\s*"(\.[^"]+)\"""")
HOST = re.compile(r"(?:https?|wss?)://(?!www\.w3\.org/)[\w.]")
MODULES = sorted(PAGE.rglob("*.js"))
LONGEST = 500


def code(file: Path) -> str:
    """A module without its comments, whose types are imported from anywhere."""
    return re.sub(r"/\*.*?\*/", "", file.read_text(), flags=re.DOTALL)


def test_every_import_is_a_file_of_the_page() -> None:
    missing = [f"{file.relative_to(PAGE)}: {name}" for file in MODULES for name in IMPORT.findall(code(file))
               if not (file.parent / name).is_file()]
    assert missing == []


def test_documents_begin_to_load_their_view(server: Served) -> None:
    registry = (PAGE / "app" / "views.js").read_text()
    first = re.search(r"^  (\w+): \{ title:", registry, re.MULTILINE)
    assert first is not None
    for path, view in (("/", first[1]), ("/watch", "watch"), ("/game/any", "game")):
        document = http.get(server.address + path, headers={"accept": "text/html"}).text
        early = re.findall(r'(?:href|src)="(/page/[^"]+)"', document)
        assert {f"/page/bundle/views/{view}/view.js", f"/page/views/{view}/style.css"} <= set(early)
        for name in early:
            http.get(server.address + name).raise_for_status()


def test_languages_are_folders(server: Served) -> None:
    document = http.get(server.address).text
    told = re.search(r'data-languages="([^"]+)"', document)
    assert told is not None
    assert told[1].split() == sorted(folder.name for folder in (PAGE / "languages").iterdir())


def test_a_view_is_a_folder_and_an_entry_of_the_registry() -> None:
    registry = (PAGE / "app" / "views.js").read_text()
    registered = dict(re.findall(r'^  "?([\w-]+)"?: (\{ title:.*)$', registry, re.MULTILINE))
    folders = sorted((PAGE / "views").iterdir())
    assert sorted(registered) == [folder.name for folder in folders]
    of_site = {name for name, entry in registered.items() if re.search("isFor(Site|Events)", entry)}
    assert of_site == set(SITE_VIEWS), "what only a site has is found only there"
    for folder in folders:
        assert re.search(r"^export function View\(", (folder / "view.js").read_text(), re.MULTILINE)
        assert (folder / "style.css").is_file()


def test_the_icon_is_the_logo_and_needs_no_request() -> None:
    """Browsers ask for an icon whenever they like, and complain where a server has ended meanwhile."""
    icon = re.search(r'rel="icon" href="data:image/svg\+xml,([^"]+)"', (PAGE / "index.html").read_text())
    assert icon is not None
    assert unquote(icon[1]) == (PAGE / "logo.svg").read_text().strip()


def test_no_file_names_another_host() -> None:
    files = [file for kind in ("*.js", "*.css", "*.html", "*.svg") for file in PAGE.rglob(kind)]
    assert [file.name for file in files if HOST.search(file.read_text())] == []


def test_modules_are_short_and_say_what_they_are_for() -> None:
    ours = [file for file in MODULES if file.parent.name != "vendor"]
    assert [file.name for file in ours if len(file.read_text().splitlines()) > LONGEST] == []
    assert [file.name for file in ours if not file.read_text().startswith(("/**", "//"))] == []


def test_the_libraries_are_those_of_npm(tmp_path: Path) -> None:
    if not (HERE / "node_modules").is_dir():
        pytest.skip("the libraries to compare with are not there: run 'make page-types'")
    subprocess.run(["sh", HERE / "vendor.sh", tmp_path], check=True)
    for file in tmp_path.iterdir():
        assert (PAGE / "vendor" / file.name).read_bytes() == file.read_bytes(), file.name
