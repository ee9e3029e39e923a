"""Bots of a site: versions on disk and in the store, who may have how many, and what is kept of them."""

from __future__ import annotations

import io
import os
import stat
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path

import pytest
import sqlalchemy as sql
from sqlalchemy.engine import Connection

from polyversi.games.errors import PolyversiError
from polyversi.site import audit
from polyversi.site.archives import ArchiveError, Bounds, place, root_of
from polyversi.site.bots import UnknownBotError, lock_bot
from polyversi.site.checking import Report, store_step
from polyversi.site.erasing import erase
from polyversi.site.languages import LANGUAGES, Language, Recognised, pasted_files, recognise
from polyversi.site.opened import make_tables
from polyversi.site.people import People
from polyversi.site.roles import Role
from polyversi.site.settings import SiteError, SiteSettings
from polyversi.site.tables import VERSIONS
from tests.testing.at_once import meanwhile
from tests.testing.marks import slow
from tests.testing.postgres import Postgres
from tests.testing.uploads import COURSE_AGENT, FIRST_MOVE, JAVASCRIPT, SITE, Desk, packed

SMALL = "[quotas]\nbots = 2\nversions_per_day = 3\nmegabytes = 1\nsite_megabytes = 2\n"


@pytest.fixture
def desk(site_store: str, tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path, site_store)
    yield desk
    desk.store.close()


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path, more=SITE + SMALL)
    yield desk
    desk.store.close()


def recognised(folder: Path, data: str | bytes, name: str, arguments: str,
               languages: tuple[str, ...]) -> Recognised:
    """What something is taken for."""
    source, target = folder / "source", folder / "target"
    source.write_bytes(data.encode() if isinstance(data, str) else data)
    target.mkdir()
    place(source, name, target, Bounds())
    return recognise(root_of(target), arguments, languages)


def pass_check(desk: Desk, bot: str, number: int) -> None:
    """As if a version had passed its check."""
    with desk.store.writing() as connection:
        connection.execute(sql.update(VERSIONS).where(
            VERSIONS.c.bot == bot, VERSIONS.c.number == number).values(
            phase="passed", report={"has_passed": True}))


def test_versions_are_kept(desk: Desk) -> None:
    ann = desk.person("Ann")
    bot = desk.bots.create(ann, "  Corner  taker ", "othello")
    assert (bot.name, bot.owner_name, bot.active) == ("Corner taker", "Ann", 0)
    first = desk.hand_in(ann, bot, COURSE_AGENT, "agent.py")
    archive = packed({"mine/main.py": f"import helper\n{FIRST_MOVE}", "mine/helper.py": "x = 1",
                      "mine/.git/x": ""})
    second = desk.hand_in(ann, bot, archive, "mine.zip")
    assert (first.number, first.language, first.command) == (1, "python", "course:agent.py")
    assert (second.number, second.language, second.command) == (2, "json-python", "bot:main.py")
    folder = desk.file.uploads / bot.id / "2"
    assert sorted(path.name for path in folder.iterdir()) == ["helper.py", "main.py"]
    assert all(stat.S_IMODE(path.stat().st_mode) == 0o444 for path in folder.iterdir())
    assert stat.S_IMODE(desk.file.uploads.stat().st_mode) == 0o700
    assert desk.bots.spec(bot.id, 2) == f"bot:{folder}/main.py"
    newest, older = desk.bots.versions(bot.id)
    assert newest == second
    assert older.phase == "withdrawn", "one that still waits gives way"
    assert "newer version" in desk.bots.version(bot.id, 1).report["problem"]
    assert desk.bots.newest() == {bot.id: second}
    target = io.BytesIO()
    desk.bots.write_source(bot, 2, target)
    assert sorted(zipfile.ZipFile(target).namelist()) == ["helper.py", "main.py"]
    assert not list((desk.file.uploads / ".incoming").iterdir())


def test_a_site_takes_every_language_unless_its_file_says_otherwise() -> None:
    assert SiteSettings().languages == tuple(LANGUAGES)


@pytest.mark.parametrize(("data", "name", "arguments", "language", "command"), [
    (JAVASCRIPT, "bot.js", "", "javascript", "bot:bot.js"),
    ("#!/bin/sh\ncat\n", "a b.sh", "", "executable", "bot:a b.sh"),
    (b"PK", "client.jar", "-s {host} -p {port}", "xt", "xtclient:client.jar -s '{host}' -p '{port}'"),
    (packed({"a.py": COURSE_AGENT, "b.py": "", "bot.toml": 'file = "a.py"'}), "x.zip", "", "python",
     "course:a.py"),
])
def test_languages(data: str | bytes, name: str, arguments: str, language: str, command: str,
                   tmp_path: Path) -> None:
    found = recognised(tmp_path, data, name, arguments, tuple(LANGUAGES))
    assert (found.language, found.command) == (language, command)


def test_a_language_is_one_entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LANGUAGES, "perl", Language(
        "Perl program (JSON)", "a Perl program that speaks our JSON", suffixes=(".pl",), pasted="Perl"))
    assert pasted_files()["Perl"] == "main.pl"
    for name in ("taken", "refused"):
        (tmp_path / name).mkdir()
    found = recognised(tmp_path / "taken", "#!/usr/bin/perl\n", "main.pl", "", ("perl",))
    assert (found.language, found.command) == ("perl", "bot:main.pl")
    with pytest.raises(ArchiveError, match="this is a Perl program that speaks our JSON"):
        recognised(tmp_path / "refused", "#!/usr/bin/perl\n", "main.pl", "", ("python",))


@pytest.mark.parametrize(("data", "name", "arguments", "problem"), [
    ("x = 1", "main.py", "", "no bot was found: main.py is not a bot"),
    ("def f(:", "main.py", "", "not valid Python (line 1"),
    ("(" * 100_000, "main.py", "", "not valid Python"),
    ("hello", "notes.txt", "", "notes.txt is not a bot"),
    (b"PK", "x.zip", "", "not a zip archive"),
    (packed({"../main.py": FIRST_MOVE}), "x.zip", "", "leads out of the archive"),
    (packed({"a.py": FIRST_MOVE, "b.py": FIRST_MOVE}), "x.zip", "", "the archive has more than one bot"),
    (packed({"a.py": FIRST_MOVE, "venv/pyvenv.cfg": "home = /root/bin"}), "x.zip", "", "virtual environment"),
    (packed({"a.py": COURSE_AGENT, "bot.toml": 'file = "a.py"\npython = "/bin/sh"'}), "x.zip", "",
     "python = '/bin/sh'"),
    (packed({"a.py": COURSE_AGENT, "bot.toml": 'file = "../../site.db"'}), "x.zip", "",
     "a path within that folder"),
    (packed({"a.py": COURSE_AGENT, "bot.toml": 'file = "a.py"\npython = "python3"'}), "x.zip", "",
     "bots run with that of this site"),
    (FIRST_MOVE, "main.py", "-p {port} ../../site.db", "cannot be an argument"),
    (FIRST_MOVE, "main.py", "-p 7777", "write {host} and {port}"),
    (COURSE_AGENT, "main.py", "-p {port}", "this is a course agent in Python (main.py), not an XT client"),
    ("#!/bin/sh\ncat\n", "bot", "", "which this site does not take; it takes: a course agent in Python; a"),
])
def test_what_is_no_bot_is_refused(
    data: str | bytes, name: str, arguments: str, problem: str, tmp_path: Path
) -> None:
    with pytest.raises(ArchiveError) as caught:
        recognised(tmp_path, data, name, arguments, ("python", "json-python", "xt"))
    assert problem in str(caught.value)
    assert str(tmp_path) not in str(caught.value)


@pytest.mark.parametrize(("data", "name", "problem"), [
    (packed({"../main.py": FIRST_MOVE}), "x.zip", "leads out of the archive"),
    slow("a;" * 4_000_000, "main.py", "main.py is not valid Python"),
])
def test_of_what_is_refused_nothing_stays(data: str | bytes, name: str, problem: str, tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    ann = desk.person("Ann")
    bot = desk.bots.create(ann, "bot", "othello")
    with pytest.raises(ArchiveError, match=problem):
        desk.hand_in(ann, bot, data, name)
    assert not desk.bots.versions(bot.id)
    assert not [path for path in desk.file.uploads.rglob("*") if path.name != ".incoming"]
    desk.store.close()


@pytest.mark.slow
def test_playing_withdrawing_and_going_back(desk: Desk) -> None:
    ann, boss = desk.person("Ann"), desk.person("Boss", Role.ORGANISER)
    bot = desk.bots.create(ann, "bot", "othello")
    for number in (1, 2):
        desk.hand_in(ann, bot, f"# {number}\n{FIRST_MOVE}")
        pass_check(desk, bot.id, number)
    desk.hand_in(ann, bot, FIRST_MOVE)

    def active() -> int:
        return desk.bots.find(bot.id).active

    desk.bots.play(ann, bot, 2)
    assert active() == 2
    desk.bots.withdraw(ann, bot, 2)
    assert active() == 0
    desk.bots.play(ann, bot, 1)
    desk.bots.play(ann, bot, 2)
    assert (active(), desk.bots.version(bot.id, 2).phase) == (2, "passed")
    with pytest.raises(SiteError, match="has not passed"):
        desk.bots.play(ann, bot, 3)
    with pytest.raises(UnknownBotError):
        desk.bots.play(ann, bot, 4)
    desk.bots.withdraw(ann, bot, 1)
    assert active() == 2, "another one than the one that plays"
    assert not any(entry.action.startswith("bot.") for entry in audit.entries(desk.store))
    desk.bots.delete_version(boss, bot, 2)
    assert active() == 0
    assert not (desk.file.uploads / bot.id / "2").exists()
    with pytest.raises(SiteError):
        desk.bots.play(ann, bot, 2)
    with pytest.raises(UnknownBotError):
        desk.bots.spec(bot.id, 2)
    assert [version.size for version in desk.bots.versions(bot.id)][1] == 0
    assert desk.hand_in(ann, bot, FIRST_MOVE).number == 4
    [entry] = [entry for entry in audit.entries(desk.store) if entry.action.startswith("bot.")]
    assert (entry.person, entry.action, entry.subject) == (boss.id, "bot.delete-version", bot.id)


def test_deleting_a_bot_frees_its_name(desk: Desk) -> None:
    ann = desk.person("Ann")
    bot = desk.bots.create(ann, "Straße", "othello")
    desk.hand_in(ann, bot, FIRST_MOVE)
    with pytest.raises(SiteError, match="there is a bot called 'STRASSE'"):
        desk.bots.create(desk.person("Bob"), "STRASSE", "othello")
    other = desk.bots.create(ann, "other", "othello")
    with pytest.raises(SiteError, match="there is a bot called"):
        desk.bots.rename(ann, other, "strasse")
    desk.bots.rename(ann, other, "OTHER")
    desk.bots.delete(ann, bot)
    assert [found.name for found in desk.bots.all()] == ["OTHER"]
    assert not (desk.file.uploads / bot.id).exists()
    assert desk.bots.find(bot.id).owner == "", "its games have a name"
    assert desk.bots.create(ann, "STRASSE", "othello").name == "STRASSE"


@pytest.mark.parametrize("is_erased", [True, slow(False)])
def test_nothing_new_of_what_is_deleted(small: Desk, is_erased: bool) -> None:
    ann = small.person("Ann")
    bot = small.bots.create(ann, "bot", "othello")
    if is_erased:
        make_tables(small.file)
        erase(small.file, small.store, ann.id)
    else:
        small.bots.delete(ann, bot)
    with pytest.raises(UnknownBotError):    # as if it had begun before
        small.hand_in(ann, bot, FIRST_MOVE)
    assert not list(small.file.uploads.glob("*/*"))


@pytest.mark.parametrize("what", ["delete", "erase"])
def test_what_is_handed_in_as_its_bot_is_deleted_leaves_nothing(
        postgres: Postgres, tmp_path: Path, what: str) -> None:
    with closing(Desk(tmp_path, postgres.database()).store) as store:
        desk = Desk(tmp_path, store.where)
        desk.person("Olga", Role.ORGANISER)
        ann = desk.person("Ann")
        bot = desk.bots.create(ann, "bot", "othello")

        def keep(connection: Connection) -> None:
            lock_bot(connection, bot.id, ann.id)
            folder = desk.file.uploads / bot.id / "1"
            folder.mkdir(parents=True)
            connection.execute(sql.insert(VERSIONS).values(
                bot=bot.id, number=1, phase="waiting", language="python", size=7, digest="", created=1.0,
                report={}, file_name="main.py", command="bot:main.py"))

        if what == "delete":
            meanwhile(store, keep, lambda: desk.bots.delete(ann, bot))
        else:
            make_tables(desk.file)
            meanwhile(store, keep, lambda: erase(desk.file, desk.store, ann.id))
        assert not (desk.file.uploads / bot.id).exists()
        assert [version.phase for version in desk.bots.versions(bot.id)] == ["deleted"]
        desk.store.close()


def test_nothing_is_changed_of_what_was_deleted(small: Desk) -> None:
    ann = small.person("Ann")
    bot = small.bots.create(ann, "bot", "othello")
    small.bots.delete(ann, bot)
    with pytest.raises(UnknownBotError, match="this bot was deleted"):
        small.bots.rename(ann, bot, "Ann Lee")
    assert small.bots.find(bot.id).name == "deleted bot"


def test_bots_of_whoever_is_kept_out_stay_at_rest(desk: Desk) -> None:
    ann, boss = desk.person("Ann"), desk.person("Boss", Role.ORGANISER)
    bot = desk.bots.create(ann, "bot", "othello")
    for _ in range(2):
        number = desk.hand_in(ann, bot, FIRST_MOVE).number
        pass_check(desk, bot.id, number)
    with desk.store.writing() as connection:
        connection.execute(sql.update(VERSIONS).where(VERSIONS.c.number == 2).values(phase="checking"))
    people = People(desk.store)
    people.set_disabled(ann.id, True)
    with pytest.raises(SiteError, match="the owner of bot is kept out"):
        desk.bots.play(boss, bot, 1)
    assert store_step(desk.store, bot.id, 2, Report(has_passed=True), is_last=True)
    assert desk.bots.find(bot.id).active == 0, "what has passed its check meanwhile waits, too"
    people.set_disabled(ann.id, False)
    desk.bots.play(ann, bot, 2)
    assert desk.bots.find(bot.id).active == 2


@pytest.mark.slow
def test_quotas(small: Desk) -> None:
    ann, boss = small.person("Ann"), small.person("Boss", Role.ORGANISER)
    bot = small.bots.create(ann, "one", "othello")
    small.bots.create(ann, "two", "othello")
    with pytest.raises(SiteError, match="you have 2 bots, as many as one person may have; delete one first"):
        small.bots.create(ann, "three", "othello")
    noise = os.urandom(600_000)
    big = packed({"main.py": FIRST_MOVE, "weights.bin": noise})
    small.hand_in(ann, bot, big, "big.zip")
    with pytest.raises(SiteError, match=r"may have 1 MB together, of which 0\.6 are taken"):
        small.hand_in(ann, bot, packed({"main.py": FIRST_MOVE, "zeros": bytes(600_000)}), "bomb.zip")
    with pytest.raises(ArchiveError, match="larger than 1 MB unpacked"):
        small.hand_in(ann, bot, packed({"main.py": FIRST_MOVE, "zeros": bytes(2_000_000)}), "bomb.zip")
    for _ in range(2):
        small.hand_in(ann, bot, FIRST_MOVE)
    with pytest.raises(SiteError, match="you have handed in 3 versions within a day"):
        small.hand_in(ann, bot, FIRST_MOVE)
    for name in ("four", "five", "six"):
        own = small.bots.create(boss, name, "othello")
    small.hand_in(boss, own, big, "big.zip")
    small.hand_in(boss, own, big, "big.zip")
    with pytest.raises(SiteError, match="the site has no room for more than 2 MB"):
        small.hand_in(boss, own, big, "big.zip")


@pytest.mark.slow
def test_what_is_deleted_and_what_is_checked_again_counts_for_the_day(small: Desk) -> None:
    ann = small.person("Ann")
    bot = small.bots.create(ann, "one", "othello")
    small.hand_in(ann, bot, FIRST_MOVE)
    small.bots.delete(ann, bot)
    assert small.bots.usage(ann.id).versions_today == 1
    bot = small.bots.create(ann, "one", "othello")
    small.hand_in(ann, bot, FIRST_MOVE)
    with small.store.writing() as connection:
        connection.execute(sql.update(VERSIONS).values(phase="failed"))
    small.bots.check_again(ann, bot, 1)
    assert small.bots.usage(ann.id).versions_today == 3
    with small.store.writing() as connection:
        connection.execute(sql.update(VERSIONS).values(phase="failed"))
    with pytest.raises(SiteError, match="counting those that were checked again"):
        small.bots.check_again(ann, bot, 1)
    boss = small.person("Boss", Role.ORGANISER)
    small.bots.check_again(boss, bot, 1)
    make_tables(small.file)
    erase(small.file, small.store, ann.id)
    assert small.bots.usage(ann.id).versions_today == 0


@pytest.mark.slow
def test_many_at_once_do_not_pass_the_quota(small: Desk) -> None:
    ann = small.person("Ann")
    bots = [small.bots.create(ann, name, "othello") for name in ("one", "two")]
    sources = []
    for number in range(6):
        sources.append(small.folder / f"source{number}")
        sources[-1].write_text(FIRST_MOVE)

    def hand_in(number: int) -> None:
        with suppress(SiteError):
            small.bots.hand_in(ann, bots[number % 2], sources[number], "main.py")

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(hand_in, range(6)))
    assert sum(len(small.bots.versions(bot.id)) for bot in bots) == 3


def test_what_a_killed_server_leaves_is_removed(small: Desk) -> None:
    ann = small.person("Ann")
    bot = small.bots.create(ann, "bot", "othello")
    orphan = small.file.uploads / bot.id / "1"
    orphan.mkdir(parents=True)
    (orphan / "main.py").write_text("half")
    assert small.hand_in(ann, bot, FIRST_MOVE).number == 1
    assert (orphan / "main.py").read_text() == FIRST_MOVE
    (small.file.uploads / bot.id / "2").mkdir()
    (small.file.uploads / ".incoming" / "abc").mkdir()
    (small.file.uploads / "family" / "2019").mkdir(parents=True)
    small.bots.tidy()
    assert sorted(path.name for path in small.file.uploads.glob("*/*")) == ["1", "2019"]


def test_ladders_and_names_that_do_not_exist(small: Desk) -> None:
    ann = small.person("Ann")
    for name, ladder in (("bot", "nowhere"), ("", "othello"), ("\u202eevil", "othello"), ("<b>/", "othello")):
        with pytest.raises(PolyversiError):
            small.bots.create(ann, name, ladder)
    for id in ("nobody", "..", "../../etc"):
        with pytest.raises(UnknownBotError):
            small.bots.find(id)


@pytest.mark.slow
def test_a_process_that_is_killed_while_it_hands_in_leaves_all_or_nothing(small: Desk) -> None:
    """It dies at the moment when the files are in place and the store does not know them yet."""
    ann = small.person("Ann")
    bot = small.bots.create(ann, "bot", "othello")
    source = small.folder / "source"
    source.write_text(FIRST_MOVE)
    program = f"""
import os
from pathlib import Path
from polyversi.site import bots
from polyversi.site.people import People
from polyversi.site.settings import read_site
from polyversi.site.store import SiteStore
bots._sync = lambda folder: os.kill(os.getpid(), 9)
file = read_site(Path({str(small.folder / "site.toml")!r}))
store = SiteStore.open(file.store)
own = bots.Bots(file, store)
own.hand_in(People(store).named("Ann"), own.find({bot.id!r}), Path({str(source)!r}), "main.py")
"""
    killed = subprocess.run([sys.executable, "-c", program], check=False)
    assert killed.returncode == -9
    assert small.bots.versions(bot.id) == []
    small.bots.tidy()
    assert small.hand_in(ann, bot, FIRST_MOVE).number == 1
