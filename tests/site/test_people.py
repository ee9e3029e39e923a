"""People of a site in either database: accounts, roles, links, sessions, and what is refused."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sql
from sqlalchemy.engine import Connection

from polyversi.gameplay.verdict import Verdict
from polyversi.site import audit, passwords, sessions
from polyversi.site.erasing import GONE, erase
from polyversi.site.importing import read_people
from polyversi.site.names import clean_name, folded
from polyversi.site.people import Newcomer, People, refuse_last_organiser
from polyversi.site.ratings import record_game
from polyversi.site.roles import Person, Role
from polyversi.site.sessions import Sessions
from polyversi.site.settings import SiteError, SiteFile, SiteSettings
from polyversi.site.store import SiteStore
from polyversi.site.tables import BOTS, ENTRANTS, PEOPLE, VERSIONS
from polyversi.site.tables import EVENTS as SITE_EVENTS
from polyversi.site.usage import used
from polyversi.storage.contests import ContestStore
from polyversi.storage.games import Store
from polyversi.storage.stored import PlayedGame, StoredGame, StoredSeat
from tests.testing.at_once import meanwhile
from tests.testing.postgres import Postgres

PASSWORD = "correct horse"


@pytest.fixture
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a new store is: in a file, or for tests marked `both` in a database of a server, too."""
    if getattr(request, "param", "sqlite") == "sqlite":
        return str(tmp_path / "site.db")
    server: Postgres = request.getfixturevalue("postgres")
    return server.database()


both = pytest.mark.parametrize("where", ["sqlite", "postgresql"], indirect=True)


@pytest.fixture
def store(where: str) -> Iterator[SiteStore]:
    with closing(SiteStore.open(where)) as opened:
        yield opened


@pytest.fixture
def people(store: SiteStore) -> People:
    return People(store)


@pytest.fixture
def signing(store: SiteStore) -> Sessions:
    return Sessions(store, SiteSettings())


def add(people: People, name: str, role: Role = Role.MEMBER) -> Person:
    return people.add([Newcomer(name, role)])[0]


@both
def test_a_link_brings_somebody_in_once(people: People, signing: Sessions) -> None:
    ann = add(people, "Ann")
    token = signing.make_link(ann.id)
    assert signing.link(token).person.name == "Ann"
    person, session = signing.use_link(token, PASSWORD)
    assert person.id == ann.id
    found = signing.person_of(session)
    assert found is not None
    assert (found.id, found.has_password) == (ann.id, True)
    with pytest.raises(SiteError, match="used already"):
        signing.use_link(token, PASSWORD)
    signing.end(session)
    assert signing.person_of(session) is None
    assert signing.person_of(signing.sign_in(" ANN ", PASSWORD)[1]) is not None


def test_another_link_replaces_the_one_before(people: People, signing: Sessions) -> None:
    ann = add(people, "Ann")
    first, second = signing.make_link(ann.id), signing.make_link(ann.id)
    with pytest.raises(SiteError, match="used already or is out of date"):
        signing.link(first)
    assert signing.link(second).kind == sessions.INVITATION


def test_a_reset_needs_a_password_and_ends_other_sessions(people: People, signing: Sessions) -> None:
    ann = add(people, "Ann")
    _, old = signing.use_link(signing.make_link(ann.id), PASSWORD)
    token = signing.make_link(ann.id)
    assert signing.link(token).kind == sessions.RESET
    with pytest.raises(SiteError, match="choose a password"):
        signing.use_link(token)
    _, new = signing.use_link(token, "another password")
    assert signing.person_of(old) is None
    assert signing.person_of(new) is not None
    with pytest.raises(SiteError, match="wrong"):
        signing.sign_in("Ann", PASSWORD)


@both
@pytest.mark.parametrize("password", ["", PASSWORD])
def test_another_invitation_ends_the_session_of_whoever_has_stolen_the_first(
        people: People, signing: Sessions, password: str) -> None:
    ann = add(people, "Ann")
    _, thief = signing.use_link(signing.make_link(ann.id))
    token = signing.make_link(ann.id)
    assert signing.link(token).kind == sessions.INVITATION
    _, own = signing.use_link(token, password)
    assert signing.person_of(thief) is None and signing.person_of(own) is not None


def test_links_and_sessions_end_by_themselves(people: People, store: SiteStore) -> None:
    ann = add(people, "Ann")
    short = Sessions(store, SiteSettings(session_days=0, link_days=0))
    assert short.person_of(short.start(ann.id)) is None
    with pytest.raises(SiteError, match="out of date"):
        short.link(short.make_link(ann.id))
    short.sweep()
    assert people.listed()[0].link_until is None


@pytest.mark.parametrize("change", [People.add, People.rename])
def test_of_two_at_once_one_has_the_name(postgres: Postgres, change: object) -> None:
    with closing(SiteStore.open(postgres.database())) as store:
        people = People(store)
        bob = add(people, "Bob")

        def take(connection: Connection) -> None:
            connection.execute(sql.insert(PEOPLE).values(
                id="ann", name="Ann", folded="ann", role="member", password="", created=1.0,
                is_disabled=False))

        def other() -> None:
            if change is People.add:
                add(people, "Ann")
            else:
                people.rename(bob.id, "ANN")

        with pytest.raises(SiteError, match="there is somebody called 'A"):
            meanwhile(store, take, other)


def test_of_two_organisers_one_stays(postgres: Postgres) -> None:
    with closing(SiteStore.open(postgres.database())) as store:
        people = People(store)
        ann, bob = (add(people, name, Role.ORGANISER) for name in ("Ann", "Bob"))

        def leave(connection: Connection) -> None:
            refuse_last_organiser(connection, ann.id)
            connection.execute(sql.update(PEOPLE).where(PEOPLE.c.id == ann.id).values(role="member"))

        with pytest.raises(SiteError, match="this is the only one"):
            meanwhile(store, leave, lambda: people.set_role(bob.id, Role.MEMBER))


def test_the_same_sentence_for_unknown_names_wrong_passwords_and_none(people: People,
                                                                     signing: Sessions) -> None:
    for name in ("Ann", "Bob", "Cleo"):
        add(people, name)
    signing.use_link(signing.make_link(people.named("Ann").id), PASSWORD)
    signing.use_link(signing.make_link(people.named("Cleo").id), PASSWORD)
    people.set_disabled(people.named("Cleo").id, True)
    said = set()
    for name, password in [("Ann", "wrong one"), ("Bob", ""), ("Bob", "any"), ("Zoe", "any"),
                           ("Cleo", PASSWORD)]:
        with pytest.raises(SiteError) as refused:
            signing.sign_in(name, password)
        said.add(str(refused.value))
    assert len(said) == 1


@both
def test_bots_of_whoever_is_kept_out_rest(people: People, store: SiteStore) -> None:
    ann, bob = add(people, "Ann"), add(people, "Bob")
    with store.writing() as connection:
        for person in (ann, bob):
            connection.execute(sql.insert(BOTS).values(
                id=person.id, owner=person.id, ladder="othello", name=person.name, folded=person.name,
                created=1.0, active=1))
    people.set_disabled(ann.id, True)
    people.set_disabled(ann.id, False)
    assert {row["id"]: row["active"] for row in store.read(sql.select(BOTS))} == {ann.id: 0, bob.id: 1}


def test_whoever_is_kept_out_is_signed_out(people: People, signing: Sessions) -> None:
    ann = add(people, "Ann")
    session, link = signing.start(ann.id), signing.make_link(ann.id)
    people.set_disabled(ann.id, True)
    assert signing.person_of(session) is None
    with pytest.raises(SiteError):
        signing.link(link)
    with pytest.raises(SiteError, match="kept out"):
        signing.make_link(ann.id)
    people.set_disabled(ann.id, False)
    assert signing.person_of(signing.start(ann.id)) is not None


@both
def test_a_person_has_only_so_many_sessions(people: People, signing: Sessions) -> None:
    ann = add(people, "Ann")
    tokens = [signing.start(ann.id) for _ in range(sessions.MAX_SESSIONS + 1)]
    assert [signing.person_of(token) is not None for token in tokens] == [False] + [True] * 20


def test_somebody_changes_a_password_and_stays(people: People, signing: Sessions) -> None:
    ann = add(people, "Ann")
    person, here = signing.use_link(signing.make_link(ann.id), PASSWORD)
    elsewhere = signing.start(ann.id)
    with pytest.raises(SiteError, match="old password is wrong"):
        signing.change_password(person, "guess", "something else", here)
    signing.change_password(person, PASSWORD, "something else", here)
    assert signing.person_of(here) is not None
    assert signing.person_of(elsewhere) is None


@pytest.mark.parametrize(("password", "why"), [
    ("short", "at least 8"), ("x" * 201, "at most 200"), ("ANN smith", "not the name"),
])
def test_passwords_that_will_not_do(password: str, why: str) -> None:
    with pytest.raises(SiteError, match=why):
        passwords.hash_of(password, "Ann Smith")


def test_tokens_and_passwords_are_not_in_the_store(people: People, signing: Sessions,
                                                   store: SiteStore) -> None:
    ann = add(people, "Ann")
    link = signing.make_link(ann.id)
    _, session = signing.use_link(link, PASSWORD)
    with store.connect() as connection:
        tables = sql.inspect(connection).get_table_names()
        rows = [str(connection.execute(sql.text(f'SELECT * FROM "{name}"')).fetchall()) for name in tables]
    assert not any(secret in row for secret in (link, session, PASSWORD) for row in rows)
    assert any("$argon2id$" in row for row in rows)


@both
def test_nobody_has_a_name_that_looks_the_same(people: People) -> None:
    add(people, "Ann Lee")
    for twin in ("ann lee", "ＡＮＮ ＬＥＥ", " Ann  Lee "):
        with pytest.raises(SiteError, match="called 'Ann Lee' already"):
            add(people, twin)
    with pytest.raises(SiteError, match="called 'Ann Lee' already"):
        people.add([Newcomer("Bob"), Newcomer("ANN LEE")])
    assert people.by_name("Bob") is None, "all of a list, or none"
    people.rename(people.named("ann lee").id, "ANN Lee")
    assert people.named("ann lee").name == "ANN Lee"


@pytest.mark.parametrize("name", [
    "", "   ", "x" * 41, "x" * 1000, "\u202eAnn", "An\u200bn", "A\x1b[31m", "\u3164", "..", ".", "=1+1",
    "@ann", "-x", "a/b", "a\\b", "Z" + "\u0301\u0302\u0303", "\ud800x",
])
def test_names_that_will_not_do(name: str) -> None:
    with pytest.raises(SiteError, match="the name of a person"):
        clean_name(name, "a person")


@pytest.mark.parametrize("name", [
    "Ann", "李小龍", "Nguyễn Thị Ánh", "אבי", "Zoë-Lou O'Neill", "7of9", "a <b> &amp;",
])
def test_names_of_the_world(name: str) -> None:
    assert folded(clean_name(name, "a person")) == folded(name)


def test_the_only_organiser_stays_one(people: People, store: SiteStore, tmp_path: Path) -> None:
    ann, bob = add(people, "Ann", Role.ORGANISER), add(people, "Bob", Role.ORGANISER)
    people.set_role(bob.id, Role.GUEST)
    file = SiteFile(SiteSettings(), tmp_path)
    with pytest.raises(SiteError, match="needs an organiser"):
        people.set_role(ann.id, Role.MEMBER)
    with pytest.raises(SiteError, match="needs an organiser"):
        people.set_disabled(ann.id, True)
    with pytest.raises(SiteError, match="needs an organiser"):
        erase(file, store, ann.id)
    assert people.named("Ann").role == Role.ORGANISER


@both
def test_every_change_is_in_the_audit_list(people: People, signing: Sessions, store: SiteStore) -> None:
    ann = add(people, "Ann", Role.ORGANISER)
    bob, = people.add([Newcomer("Bob")], ann.id)
    signing.make_link(bob.id, ann.id)
    people.set_role(bob.id, Role.ORGANISER, ann.id)
    people.rename(bob.id, "Robert", ann.id)
    people.set_disabled(bob.id, True, ann.id)
    people.set_disabled(bob.id, False, ann.id)
    found = audit.entries(store)
    assert [entry.action for entry in found if entry.person == ann.id] == [
        "person.enable", "person.disable", "person.name", "person.role", "person.link", "person.add"]
    assert {entry.subject for entry in found if entry.person == ann.id} == {bob.id}
    assert found[-1].person == audit.AT_THE_TERMINAL
    assert "Bob" not in str(found), "ids alone, so that nothing has to be erased"
    assert audit.entries(store, 2, before=found[1].number) == found[2:4]


@both
def test_erasing_leaves_games_without_the_name(people: People, signing: Sessions, store: SiteStore,
                                               tmp_path: Path, where: str) -> None:
    file = SiteFile(SiteSettings(store=where), tmp_path)
    ann, bob = add(people, "Annabel"), add(people, "Bob")
    (file.uploads / "b1" / "1").mkdir(parents=True)
    (file.uploads / "b1" / "1" / "agent.py").write_text("secret")
    players = [f"person:{bob.id}", f"person:{ann.id}"]
    seats = (StoredSeat("human", name="Bob"), StoredSeat("human", name="Annabel"))
    with closing(Store.open(where)) as games, games.transaction() as write:
        write.add_game(StoredGame("g1", "othello", "", "", seats, (), created=1.0))
    with store.writing() as connection:
        connection.execute(sql.insert(BOTS).values(
            id="b1", owner=ann.id, ladder="othello", name="Annabot", folded="annabot", created=1.0, active=1))
        connection.execute(sql.insert(VERSIONS).values(
            bot="b1", number=1, phase="passed", language="python", size=6, digest="", created=1.0, report=[],
            file_name="annabel.py", command="course:annabel.py"))
        record_game(connection, "g1", "othello", players, [1, 2], 2.0)
        connection.execute(sql.insert(SITE_EVENTS).values(
            id="e1", title="Cup", contest="cup", phase="over", settings={}, made_by=bob.id, created=1.0,
            is_released=True, problem=""))
        connection.execute(sql.insert(ENTRANTS), [
            {"event": "e1", "name": name, "who": who, "spec": name, "token": "", "created": 1.0}
            for name, who in (("random", "player:random"), ("Snake", "bot:b1/1"))])
    entrants = [{"name": name, "spec": "random"} for name in ("random", "Snake")]
    game = PlayedGame("1", "1.1", 1, 0, 0, (1, 0), "", (33, 31), (1, 2), (1.0, 0.0), "over",
                      Verdict("win", 1), outputs=("Annabel wrote this", "random"))
    with closing(ContestStore.open(where)) as contests:
        contests.create("cup", {"entrants": entrants})
        contests.keep("cup", [game])
    signing.start(ann.id)
    assert used(file, store)["uploads"] == 6
    erase(file, store, ann.id, bob.id)
    assert not (file.uploads / "b1").exists()
    with closing(Store.open(where)) as games:
        kept = games.game("g1")
        assert kept is not None
        assert [seat.name for seat in kept.seats] == ["Bob", GONE]
    with closing(ContestStore.open(where)) as contests:
        assert contests.played("cup")[0].outputs == ("", "random")
    with store.connect() as connection:
        names = sql.inspect(connection).get_table_names()
        left = [str(connection.execute(sql.text(f'SELECT * FROM "{name}"')).fetchall()) for name in names]
    assert "annab" not in "".join(left).lower()
    with pytest.raises(SiteError, match="no such person"):
        erase(file, store, ann.id)


def test_lists_to_import() -> None:
    text = "\ufeffMatriculation;Name;Role\n1;\"Lee; Ann\";\n2;Bob;guest\n\n"
    assert read_people(text) == [Newcomer("Lee; Ann"), Newcomer("Bob", Role.GUEST)]
    assert {one.role for one in read_people("Ann\tx\nBob", Role.GUEST)} == {Role.GUEST}
    for wrong, why in [("", "no name"), ("Ann\nBob\nANN", "line 3: 'ANN' is in line 1 too"),
                       ("Ann\n\u202e", "line 2: "),
                       ("name,role\nAnn,king", "line 2: there is no role 'king'"),
                       ("x\n" * 5001, "at most 5,000 lines"), ('Ann\n"Bob\n' + "x" * 200_000, "line")]:
        with pytest.raises(SiteError, match=why):
            read_people(wrong)
