"""What needs packages that are not installed says so at once, and names everything that is missing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.testing.marks import slow, slow_but
from tests.testing.timeout import TIMEOUT

EXTRAS = {
    "server": ("starlette", "uvicorn", "websockets", "sqlalchemy", "PIL", "resvg_py"),
    "arena": ("jinja2", "rustworkx", "sqlalchemy"),
    "cluster": ("dask", "distributed"),
    "postgres": ("psycopg",),
    "site": ("argon2",),
}
WITHOUT = """
import sys
from importlib.abc import MetaPathFinder

blocked = sys.argv.pop(1).split(",")

class Blocker(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in blocked:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Blocker())
"""


@pytest.fixture(autouse=True)
def _no_store_of_the_user(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))


def without(packages: tuple[str, ...], program: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Runs a program where these packages cannot be imported."""
    return subprocess.run(
        [sys.executable, "-c", WITHOUT + program, ",".join(packages), *words], capture_output=True, text=True,
        stdin=subprocess.DEVNULL, check=False, timeout=TIMEOUT,
    )


ALL = tuple(package for packages in EXTRAS.values() for package in packages)
COMMAND = "from polyversi.cli.main import main; main()"


@pytest.mark.parametrize(("words", "sentence"), [
    ("run", "the page needs more packages: pip install 'polyversi[server]'"),
    ("run --store postgresql://x@localhost/y",
     "the page and PostgreSQL need more packages: pip install 'polyversi[server,postgres]'"),
    ("run --site site.toml",
     "the page and a site need more packages: pip install 'polyversi[server,site]'"),
    slow("site people", "a site needs more packages: pip install 'polyversi[site]'"),
    slow("xt-server -m torus --page 0", "the page needs more packages: pip install 'polyversi[server]'"),
    ("join http://localhost:1/game/x#y",
     "the link to a game needs more packages: pip install 'polyversi[server]'"),
    ("tournament new cup.toml", "a tournament needs more packages: pip install 'polyversi[arena]'"),
    slow("tournament resume cup.db", "pip install 'polyversi[arena]'"),
    slow("tournament show cup.db", "pip install 'polyversi[arena]'"),
    slow("tournament add cup.db random", "pip install 'polyversi[arena]'"),
    slow("tournament export cup.db cup.html", "pip install 'polyversi[arena]'"),
    slow("tournament new cup.toml --cluster tcp://localhost:1", "pip install 'polyversi[arena,cluster]'"),
    slow("match random random --out games.db",
         "a database needs more packages: pip install 'polyversi[arena]'"),
    slow("match random random --out postgresql://x@localhost/y",
     "a database and PostgreSQL need more packages: pip install 'polyversi[arena,postgres]'"),
    slow("match random random --cluster tcp://localhost:1",
     "a cluster needs more packages: pip install 'polyversi[cluster]'"),
    slow("train --out x.weights --cluster tcp://localhost:1", "pip install 'polyversi[cluster]'"),
    ("picture hex --out hex.png", "PNG and GIF need more packages: pip install 'polyversi[server]'"),
    slow("picture hex --out hex.gif", "PNG and GIF need more packages: pip install 'polyversi[server]'"),
])
def test_a_command_names_everything_that_is_missing(
    words: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = without(ALL, COMMAND, *words.split())
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("polyversi: ") and done.stderr.endswith(f"{sentence}\n")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("package", slow_but(EXTRAS["server"]))
def test_the_page_misses_every_package_of_its_extra(package: str) -> None:
    done = without((package,), COMMAND, "run", "--port", "0")
    assert (done.returncode, done.stderr) == (
        1, "polyversi: the page needs more packages: pip install 'polyversi[server]'\n")


@pytest.mark.parametrize("package", slow_but(("argon2", *EXTRAS["arena"])))
def test_a_site_misses_every_package_of_its_extra(package: str) -> None:
    done = without((package,), COMMAND, "site", "people")
    assert (done.returncode, done.stderr) == (
        1, "polyversi: a site needs more packages: pip install 'polyversi[site]'\n")


def test_the_page_alone_needs_nothing_of_a_site(tmp_path: Path) -> None:
    done = without((*EXTRAS["site"], "jinja2", "rustworkx"), "import polyversi.server.app")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("package", ["PIL", slow("resvg_py")])
def test_a_gif_from_the_library(package: str) -> None:
    program = """
from polyversi.records import Record, pictures
try:
    pictures.gif(Record.of("othello", "f5d6"))
except ValueError as error:
    print(error)
"""
    done = without((package,), program)
    assert (done.stdout, done.stderr) == (
        "PNG and GIF need more packages: pip install 'polyversi[server]'\n", "")


@pytest.mark.parametrize("words", [
    "match random random --variant othello-4 --games 2 --out games.jsonl",
    slow("picture hex --out hex.svg"), slow("perft 2"), slow("players"),
])
def test_the_rest_works_without_any(words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = without(ALL, COMMAND, *words.split())
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.slow
def test_the_help_of_every_command_needs_no_extra_package() -> None:
    program = """
from polyversi.cli.group import load
from polyversi.cli.main import COMMANDS
for name in COMMANDS:
    load(name)
"""
    done = without(ALL, program)
    assert (done.returncode, done.stderr) == (0, "")
