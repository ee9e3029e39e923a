"""Games and players of another package, found through its entry points."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.testing.timeout import TIMEOUT

SOURCE = Path(__file__).parent / "plugin"
POLYVERSI = str(Path(sys.executable).with_name("polyversi"))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package as an installer leaves it: its module, and its metadata in a dist-info."""
    folder = tmp_path_factory.mktemp("site")
    project = tomllib.loads((SOURCE / "pyproject.toml").read_text())["project"]
    shutil.copy(SOURCE / "reversi_extras.py", folder)
    info = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    groups = project["entry-points"].items()
    (info / "entry_points.txt").write_text("\n".join(
        f"[{group}]\n" + "\n".join(f"{name} = {value}" for name, value in points.items())
        for group, points in groups))
    return folder


def run(site: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Runs Python beside the installed package."""
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, timeout=TIMEOUT,
                          check=False, env=os.environ | {"PYTHONPATH": str(site)})
    assert done.returncode == 0, done.stderr
    return done


def test_it_is_the_package_of_the_documentation() -> None:
    page = (SOURCE.parent.parent / "docs" / "adding-a-variant.md").read_text()
    shown = tomllib.loads(page.partition("```toml")[2].partition("```")[0])["project"]["entry-points"]
    real = tomllib.loads((SOURCE / "pyproject.toml").read_text())["project"]["entry-points"]
    assert all(points.items() <= real[group].items() for group, points in shown.items())


def test_variants_and_players_are_listed_and_what_is_broken_is_said(site: Path) -> None:
    variants = run(site, POLYVERSI, "variants", "--no-pictures")
    assert "plus  A board in the shape of a plus." in variants.stdout
    assert "rolit" in variants.stdout
    assert variants.stderr.splitlines() == [
        "the entry point 'broken = reversi_extras:NOTHING' in polyversi.games is left out: AttributeError: "
        "module 'reversi_extras' has no attribute 'NOTHING'"]
    one = run(site, POLYVERSI, "variants", "plus-3")
    assert "cut=1–3" in one.stdout
    players = run(site, POLYVERSI, "players", "corners")
    assert "last=yes|no (default no) Whether it is the last legal move." in players.stdout
    assert "'random = reversi_extras:Corners'" in run(site, POLYVERSI, "players").stderr


def test_a_match_is_played(site: Path, tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    done = run(site, POLYVERSI, "match", "corners:last=yes", "random:seed=1", "--variant", "plus:cut=1",
               "--games", "4", "--out", str(out))
    assert "corners:last=yes" in done.stdout
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert {line["game"] for line in lines if "game" in line} >= {"plus-1"}


RECORD = """
import io
import polyversi as pv
from polyversi import records
for spec in ("plus", "plus-3:goal=fewest", "sieve", "anti-sieve", "corridor", "anti-diagonal"):
    start = pv.game(spec).start()
    game = pv.play(start, [pv.player("corners"), pv.player("random", seed=2)]).record
    stream = io.BytesIO()
    records.write([game], stream, "jsonl")
    back, = records.parse(stream.getvalue())
    assert back.game.spec == pv.game(spec).spec and back.final == game.final, spec
    print(back.game.spec)
"""


def test_records_come_back(site: Path) -> None:
    assert run(site, "-c", RECORD).stdout.split() == [
        "plus", "plus-3:goal=fewest", "sieve", "sieve:goal=fewest", "corridor", "diagonal:goal=fewest"]


CATALOGUE = """
import msgspec
import polyversi as pv
from polyversi.server import catalogue
from polyversi.server.bots import BotFolder
print(msgspec.json.encode([catalogue.families(), catalogue.players(pv.game("plus"), BotFolder(None)),
                  catalogue.description(pv.game("plus")).title,
                  pv.game("othello:holes=c3+f3+c6+f6").spec,
                  [example.name for example in pv.game("plus").rules.examples]]).decode())
"""


def test_the_page_is_told_of_them(site: Path) -> None:
    families, players, title, ours, examples = json.loads(run(site, "-c", CATALOGUE).stdout)
    by_name = {family["name"]: family for family in families}
    assert list(by_name)[:4] == ["square", "hexagon", "rolit", "xt"]
    assert by_name["plus"]["label"] == "On a plus"
    assert by_name["plus"]["variants"][0]["options"][0] == {
        "name": "cut", "label": "Corners cut off", "meaning": "", "default": 2, "kind": "number", "low": 1,
        "high": 3}
    assert by_name["own"]["variants"][0]["goal"] == "Most stones win." and len(examples) > 3
    assert "sieve" in [variant["name"] for variant in by_name["square"]["variants"]]
    assert [variant["name"] for variant in by_name["own"]["variants"]] == ["corridor", "diagonal"]
    corners = next(player for player in players if player["name"] == "corners")
    assert corners["sentence"] == "Plays in a corner if it can, otherwise the first or the last legal move."
    assert corners["unsuited"] is None
    assert [option["name"] for option in corners["options"]] == ["last", "skip"]
    assert title == "Plus"
    assert ours == "othello:holes=c3+f3+c6+f6"    # whatever other packages call it


SERVED = """
import sys
from pathlib import Path
from tests.testing import http
from tests.testing.page_server import Served

with Served(Path(sys.argv[1])) as server:
    corners = next(one for one in server.get("/api/players?spec=plus") if one["name"] == "corners")
    print(*(f"{option['name']}:{option['kind']}" for option in corners["options"]))
    game = server.new_game("plus", "corners:last=yes,skip=1", "random")
    print(server.get(f"/api/games/{game['game']}")["players"][0])
    for option in ("threads=64", "notes=/etc/passwd"):
        seats = [{"kind": "me"}, {"kind": "computer", "player": f"corners:{option}"}]
        answer = http.post(f"{server.address}/api/games", json={"spec": "plus", "seats": seats})
        print(answer.status_code, answer.json()["problem"])
"""


@pytest.mark.slow
def test_the_page_offers_and_accepts_the_options_of_a_player(site: Path, tmp_path: Path) -> None:
    done = run(site, "-c", SERVED, str(tmp_path))
    assert done.stdout.splitlines() == [
        "last:flag skip:number",
        "corners:last=yes,skip=1",
        "400 the option 'threads' of corners is for the command line only; leave it out",
        "400 the option 'notes' of corners is for the command line only; leave it out",
    ]


def test_only_who_needs_them_loads_them(site: Path) -> None:
    code = """
import sys, polyversi as pv
pv.game("othello-6"), pv.player("t77")
print("reversi_extras" in sys.modules)
pv.game("plus")
print("reversi_extras" in sys.modules)
"""
    assert run(site, "-c", code).stdout.split() == ["False", "True"]
