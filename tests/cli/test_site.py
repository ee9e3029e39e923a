"""`polyversi site`: a site is made, its people are looked after, and it is backed up and restored."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from tests.testing import http
from tests.testing.command import polyversi
from tests.testing.site import SiteServer


def said(*words: str) -> str:
    """What the command says when it succeeds."""
    done = polyversi("site", *words)
    assert done.returncode == 0, done.stderr
    return done.stdout


def refused(*words: str) -> str:
    """What the command says when it does not."""
    done = polyversi("site", *words)
    assert done.returncode == 1, done.stdout
    assert "Traceback" not in done.stderr
    return done.stderr


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_from_nothing_to_a_signed_in_organiser(folder: Path) -> None:
    made = said("new", "Ann Lee", "--name", 'The "club"', "--variant", "anti")
    for private in ("site.toml", "site.db"):
        assert Path(private).stat().st_mode & 0o077 == 0, "others of this machine read nothing"
    token = made.strip().rpartition("#")[2]
    with SiteServer(folder) as served:
        with http.client(base_url=served.address) as browser:
            browser.post("/api/site/link/use", json={"token": token, "password": "correct horse"})
            me = browser.get("/api/site/me").json()
        backup = said("backup", "copy.tar.gz")
        assert me == {"site": 'The "club"', "guests_may_play": True, "account": {
            "id": me["account"]["id"], "name": "Ann Lee", "role": "organiser",
            "roles": ["guest", "member", "organiser"], "has_password": True}}
        assert 'The "club"' in backup, "while it runs"
        assert "another Polyversi server" in polyversi("run", "--site", "site.toml", "--port", "0").stderr
    assert "already" in refused("new", "Bob")
    said("restore", "copy.tar.gz", "--site", "again/site.toml")
    assert "Ann Lee" in said("people", "--site", "again/site.toml")


@pytest.mark.slow
def test_people_come_and_go(folder: Path) -> None:
    said("new", "Ann")
    (folder / "list.csv").write_bytes("Name;Role\nZoë;guest\nCleo;\n".encode("cp1252"))
    rows = list(csv.reader(said("import", "list.csv", "--url", "https://club.example/").splitlines()))
    assert [row[0] for row in rows] == ["name", "Zoë", "Cleo"]
    assert rows[1][1].startswith("https://club.example/sign-in#")
    assert said("invite", "Bob").startswith("http://127.0.0.1:8777/sign-in#")
    assert said("role", "bob", "organiser") == "Bob is an organiser now\n"
    assert "/sign-in#" in said("reset", "BOB")
    assert said("rename", "cleo", "Cleo Fox") == "Cleo is called Cleo Fox now\n"
    assert "there is somebody called 'Bob' already" in refused("rename", "Cleo Fox", "bob")
    assert "Cleo Fox is kept out now" in said("keep-out", "Cleo Fox")
    assert "kept out" in said("people") and "is kept out; let them in" in refused("reset", "Cleo Fox")
    said("let-in", "Cleo Fox")
    assert "/sign-in#" in said("reset", "Cleo Fox")
    assert "zoë" in said("people").lower()
    assert said("export", "of-bob", "--person", "Bob") == "of-bob has 20 files\n"
    assert said("delete", "Ann", "--yes") == "Ann was erased\n"
    told = said("audit", "--count", "3").splitlines()
    assert "person.delete" in told[0]
    assert len(told) == 3
    assert "Ann" not in said("people")


@pytest.mark.parametrize(("words", "why"), [
    (["role", "Nobody", "guest"], "there is nobody called 'Nobody'"),
    (["role", "Ann", "king"], "there is no role 'king'"),
    (["role", "Ann", "guest"], "needs an organiser"),
    (["delete", "Ann", "--yes"], "needs an organiser"),
    (["invite", "ANN"], "there is somebody called 'Ann' already"),
    (["invite", "=1+1"], "begins with a letter"),
    (["import", "nowhere.csv"], "No such file"),
    (["restore", "nowhere.tar.gz"], "there is no backup"),
    (["people", "--site", "nowhere.toml"], "`polyversi site new` makes one"),
])
def test_what_it_refuses(folder: Path, words: list[str], why: str) -> None:
    said("new", "Ann")
    assert why in refused(*words)


def test_a_site_has_its_own_store(folder: Path) -> None:
    said("new", "Ann")
    assert "leave out --store" in polyversi("run", "--site", "site.toml", "--store", "x.db").stderr
    (folder / "site.toml").write_text('name = "x"\nladder = 7\n')
    assert "unknown field `ladder`" in polyversi("run", "--site", "site.toml").stderr
