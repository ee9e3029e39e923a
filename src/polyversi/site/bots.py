"""Bots of a site: who owns them, and their versions in the store and on disk."""

from __future__ import annotations

import os
import secrets
import shutil
import time
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import sqlalchemy as sql
from sqlalchemy.engine import Connection, RowMapping

from polyversi.site import audit
from polyversi.site.archives import Bounds
from polyversi.site.bot_traces import DELETED, GONE, erase_name, erase_outputs
from polyversi.site.languages import spec_at
from polyversi.site.names import clean_name, folded
from polyversi.site.quotas import (
    MB,
    Usage,
    check_bots,
    check_rate,
    check_room,
    finds_usage,
    lock_owner,
    note_request,
    usage_of,
)
from polyversi.site.roles import Person, Role
from polyversi.site.settings import SiteError, SiteFile
from polyversi.site.store import SiteStore, new_id, one, unique
from polyversi.site.tables import ARRIVALS, BOTS, ENTRANTS, EVENTS, PEOPLE, VERSIONS
from polyversi.site.unpacking import Task, Unpacked, unpack
from polyversi.storage.errors import StoreError

WAITING, CHECKING, PASSED, FAILED = "waiting", "checking", "passed", "failed"
WITHDRAWN = "withdrawn"
INCOMING = ".incoming"
"""The folder of what is being handed in; what a server leaves there that was killed is removed later."""
WAS_DELETED = "this bot was deleted"
HAS_FILES = (VERSIONS.c.phase != DELETED) | (VERSIONS.c.size > 0)
"""Of a version: a deleted one keeps its files, and its size, until the events are over in which it plays."""


class UnknownBotError(SiteError):
    """There is no such bot or version, or whoever asks may not know that there is."""


@dataclass(frozen=True)
class Bot:
    """A bot, which plays on a ladder with one of its versions."""

    id: str
    name: str
    owner: str
    owner_name: str
    ladder: str
    created: float
    active: int
    """The version that plays, 0 while none does."""

    @property
    def player(self) -> str:
        """What it is called where people and bots have ratings."""
        return f"bot:{self.id}"

    def is_of(self, person: Person | None) -> bool:
        """Whether somebody may see its sources and what it writes: its owner and organisers."""
        return person is not None and (person.id == self.owner or person.role >= Role.ORGANISER)


@dataclass(frozen=True)
class Version:
    """What was handed in at one time."""

    bot: str
    number: int
    phase: str
    language: str
    size: int
    digest: str
    created: float
    file_name: str
    command: str
    has_passed: bool = False
    """Whether it has passed its check, also if it was withdrawn later."""
    report: Mapping[str, Any] = field(default_factory=dict)
    """What its check has found so far, see `checking.Report`; lists leave it out."""


@dataclass(frozen=True)
class Arrival:
    """A file that was received and is to become a version."""

    id: str
    time: float
    """When all of it was there."""


class Bots:
    """The bots of a site; any thread may use it."""

    def __init__(self, file: SiteFile, store: SiteStore) -> None:
        self.file = file
        self.store = store
        self._quotas = file.settings.quotas

    def all(self) -> list[Bot]:
        """Every bot of people who are there, by name; deleted bots are nobody's."""
        return self._found(PEOPLE.c.id.is_not(None))

    def of(self, person: str) -> list[Bot]:
        """The bots of a person, by name."""
        return self._found(BOTS.c.owner == person)

    def find(self, id: str) -> Bot:
        """The bot of that id, also a deleted one; an UnknownBotError if there is none."""
        found = self._found(BOTS.c.id == id)
        if not found:
            raise UnknownBotError("there is no such bot")
        return found[0]

    def versions(self, bot: str) -> list[Version]:
        """All versions of a bot without what their checks have found, the newest first."""
        wanted = _LISTED.where(VERSIONS.c.bot == bot).order_by(VERSIONS.c.number.desc())
        return [_version(row) for row in self.store.read(wanted)]

    def version(self, bot: str, number: int) -> Version:
        """One version; an UnknownBotError if there is none."""
        row = one(self.store.read(_LISTED.add_columns(VERSIONS.c.report).where(_is(bot, number))))
        if row is None:
            raise UnknownBotError("there is no such version")
        return _version(row)

    def newest(self) -> dict[str, Version]:
        """The newest version of every bot that has one, by the bot's id."""
        last = sql.select(VERSIONS.c.bot, sql.func.max(VERSIONS.c.number).label("number")).group_by(
            VERSIONS.c.bot).subquery()
        wanted = _LISTED.join(last, (last.c.bot == VERSIONS.c.bot) & (last.c.number == VERSIONS.c.number))
        return {row["bot"]: _version(row) for row in self.store.read(wanted)}

    def folder(self, bot: str, number: int) -> Path:
        """Where the files of a version are."""
        return self.file.uploads / bot / str(number)

    def spec(self, bot: str, number: int) -> str:
        """The specification of a version, as a referee takes it; an UnknownBotError if it cannot play."""
        version = self.version(bot, number)
        if version.phase == DELETED:
            raise UnknownBotError(f"version {number} of this bot was deleted")
        return spec_at(self.folder(bot, number).absolute(), version.command)

    def usage(self, person: str) -> Usage:
        """What somebody uses."""
        return Usage(**one(self.store.read(finds_usage(person))))

    def create(self, person: Person, name: str, ladder: str) -> Bot:
        """A new bot without versions; a SiteError says why there is none."""
        self.file.ladder(ladder)
        name = clean_name(name, "a bot")
        bot = Bot(new_id(), name, person.id, person.name, ladder, time.time(), 0)
        with self.store.writing() as connection:
            lock_owner(connection, person)
            check_bots(self._quotas, person, usage_of(connection, person))
            self._insert(connection, bot)
        return bot

    def rename(self, person: Person, bot: Bot, name: str) -> None:
        """Gives a bot another name."""
        name = clean_name(name, "a bot")
        with self._changing(person, bot, "bot.rename", name=name) as connection:
            taken = connection.execute(sql.select(BOTS.c.id).where(
                BOTS.c.ladder == bot.ladder, BOTS.c.folded == folded(name), BOTS.c.id != bot.id)).first()
            sentence = f"there is a bot called '{name}' on this ladder already"
            if taken:
                raise SiteError(sentence)
            with unique(sentence):
                connection.execute(sql.update(BOTS).where(BOTS.c.id == bot.id).values(
                    name=name, folded=folded(name)))

    def arrive(self, bot: Bot) -> Arrival:
        """Notes that a file was received for a bot: events whose deadline comes now wait for its version."""
        arrival = Arrival(new_id(), time.time())
        with self.store.writing() as connection:
            connection.execute(sql.insert(ARRIVALS).values(id=arrival.id, bot=bot.id, time=arrival.time))
        return arrival

    def settle(self, arrival: Arrival) -> None:
        """Notes that there is a version of what was received, or that there will be none."""
        with self.store.writing() as connection:
            connection.execute(sql.delete(ARRIVALS).where(ARRIVALS.c.id == arrival.id))

    def hand_in(self, person: Person, bot: Bot, source: Path, file_name: str, arguments: str = "",
                received: float | None = None) -> Version:
        """A new version of somebody's own bot out of a file, waiting to be checked; a SiteError says why not.

        With arguments it is an XT client. It was handed in when its file was `received`, or now. Whatever
        happens on the way, there is a whole version or none.
        """
        received = time.time() if received is None else received
        check_room(self._quotas, person, self.usage(person.id), 0)
        with self._incoming() as folder:
            bounds = Bounds(self._quotas.megabytes * MB)
            unpacked = unpack(Task(str(source), file_name, str(folder), arguments,
                                   self.file.settings.languages, bounds))
            with self.store.writing() as connection:
                lock_bot(connection, bot.id, person.id)
                lock_owner(connection, person)
                check_room(self._quotas, person, usage_of(connection, person), unpacked.size)
                note_request(connection, person)
                return self._keep(connection, bot, unpacked, file_name, received)

    def play(self, person: Person, bot: Bot, number: int) -> None:
        """Has another version of a bot play, one that has passed its check; with 0 the bot rests."""
        with self._changing(person, bot, "bot.play", version=number) as connection:
            if number:
                self._phase(connection, bot, number)
                owner = sql.select(PEOPLE.c.is_disabled).where(PEOPLE.c.id == bot.owner)
                if connection.execute(owner).scalar():
                    raise SiteError(f"the owner of {bot.name} is kept out, so that it rests")
                has_passed = sql.select(_HAS_PASSED).where(_is(bot.id, number), VERSIONS.c.phase.in_(
                    (PASSED, WITHDRAWN)))
                if not connection.execute(has_passed).scalar():
                    raise SiteError(f"version {number} has not passed its check")
                connection.execute(sql.update(VERSIONS).where(_is(bot.id, number)).values(phase=PASSED))
            connection.execute(sql.update(BOTS).where(BOTS.c.id == bot.id).values(active=number))

    def withdraw(self, person: Person, bot: Bot, number: int) -> None:
        """Takes a version out of play; if it was the one that plays, the bot rests."""
        with self._changing(person, bot, "bot.withdraw", version=number) as connection:
            if self._phase(connection, bot, number) == DELETED:
                raise SiteError(f"version {number} was deleted")
            connection.execute(sql.update(VERSIONS).where(_is(bot.id, number)).values(phase=WITHDRAWN))
            _rest(connection, bot.id, number)

    def check_again(self, person: Person, bot: Bot, number: int) -> None:
        """Has a version checked from the beginning that has failed, perhaps because the machine was busy.

        That counts like handing one in.
        """
        with self._changing(person, bot, "bot.check", version=number) as connection:
            lock_owner(connection, person)
            check_rate(self._quotas, person, usage_of(connection, person))
            note_request(connection, person)
            if self._phase(connection, bot, number) != FAILED:
                raise SiteError(f"version {number} has not failed its check")
            connection.execute(sql.update(VERSIONS).where(_is(bot.id, number)).values(
                phase=WAITING, report={}))

    def delete_version(self, person: Person, bot: Bot, number: int) -> None:
        """Deletes a version and what it has written for good; that it was there is remembered.

        Its files go at once, or when the events are over in which it plays.
        """
        with self._changing(person, bot, "bot.delete-version", version=number) as connection:
            self._phase(connection, bot, number)
            gone = _delete_versions(connection, bot.id, VERSIONS.c.number == number)
            erase_outputs(connection, bot.id, number)
            _rest(connection, bot.id, number)
        self._remove_versions(bot.id, gone)

    def delete(self, person: Person, bot: Bot) -> None:
        """Deletes a bot with its files and all it has written; its games stay, of a bot without a name.

        A version that plays in an event keeps its files until this is over.
        """
        with self._changing(person, bot, "bot.delete") as connection:
            gone = _delete_versions(connection, bot.id)
            _forget(connection, bot.id)
            erase_outputs(connection, bot.id)
            erase_name(connection, bot.id, bot.name)
        self._remove_versions(bot.id, gone)
        with suppress(OSError):    # there is still something in it
            (self.file.uploads / bot.id).rmdir()

    def remove_deleted(self) -> None:
        """Removes the files of deleted versions whose events are over."""
        is_playing = sql.select(ENTRANTS.c.who).join(EVENTS, EVENTS.c.id == ENTRANTS.c.event).where(
            EVENTS.c.phase.in_(PLAYING), ENTRANTS.c.who == _who(VERSIONS.c.bot, VERSIONS.c.number))
        wanted = sql.select(VERSIONS.c.bot, VERSIONS.c.number).where(
            VERSIONS.c.phase == DELETED, VERSIONS.c.size > 0, ~is_playing.exists())
        for row in self.store.read(wanted):
            with self.store.writing() as connection:
                connection.execute(sql.update(VERSIONS).where(_is(row["bot"], row["number"])).values(size=0))
            self._remove_versions(row["bot"], [row["number"]])

    def write_source(self, bot: Bot, number: int, target: IO[bytes]) -> None:
        """Writes the files of a version as a zip archive, as they are: packing many MB would take seconds."""
        if self.version(bot.id, number).phase == DELETED:
            raise UnknownBotError("there is no such version")
        folder = self.folder(bot.id, number)
        with zipfile.ZipFile(target, "w") as archive:
            for path in sorted(folder.rglob("*")):
                if path.is_file():
                    archive.write(path, path.relative_to(folder))

    def tidy(self) -> None:
        """Removes what a server has left that was killed while something was handed in or deleted.

        Whatever else lies in the folder of uploads is not ours to remove.
        """
        uploads = self.file.uploads
        shutil.rmtree(uploads / INCOMING, ignore_errors=True)
        with self.store.writing() as connection:
            connection.execute(sql.delete(ARRIVALS))
        rows = self.store.read(sql.select(VERSIONS.c.bot, VERSIONS.c.number).where(HAS_FILES))
        known = {self.folder(row["bot"], row["number"]) for row in rows}
        for row in self.store.read(sql.select(BOTS.c.id)):
            for folder in (uploads / row["id"]).glob("[0-9]*"):
                if folder not in known:
                    self._remove(folder)

    def incoming_file(self) -> Path:
        """A new place for something that is being received."""
        self.file.uploads.mkdir(0o700, parents=True, exist_ok=True)    # others of this machine see nothing
        folder = self.file.uploads / INCOMING
        folder.mkdir(exist_ok=True)
        return folder / secrets.token_hex(8)

    def _found(self, condition: sql.ColumnElement[bool]) -> list[Bot]:
        wanted = sql.select(BOTS, PEOPLE.c.name.label("owner_name")).join(
            PEOPLE, PEOPLE.c.id == BOTS.c.owner, isouter=True).where(condition).order_by(BOTS.c.folded)
        return [Bot(row["id"], row["name"], row["owner"], row["owner_name"] or "", row["ladder"],
                    row["created"], row["active"]) for row in self.store.read(wanted)]

    def _insert(self, connection: Connection, bot: Bot) -> None:
        made = connection.execute(self.store.insert(BOTS).values(
            id=bot.id, owner=bot.owner, ladder=bot.ladder, name=bot.name, created=bot.created,
            active=0, folded=folded(bot.name)).on_conflict_do_nothing().returning(BOTS.c.id))
        if made.first() is None:
            raise SiteError(f"there is a bot called '{bot.name}' on this ladder already")

    @contextmanager
    def _changing(self, person: Person, bot: Bot, action: str, **detail: Any) -> Iterator[Connection]:
        """A change of a bot, which is noted if it is somebody else's; nobody else changes it meanwhile."""
        with self.store.writing() as connection:
            lock_bot(connection, bot.id, bot.owner)
            yield connection
            if person.id != bot.owner:
                audit.note(connection, person.id, action, bot.id, **detail)

    @contextmanager
    def _incoming(self) -> Iterator[Path]:
        """A folder to unpack something in, which is gone afterwards."""
        folder = self.incoming_file()
        folder.mkdir()
        try:
            yield folder
        finally:
            self._remove(folder)

    def _keep(self, connection: Connection, bot: Bot, unpacked: Unpacked, file_name: str,
              received: float) -> Version:
        """Makes a version of what was unpacked; one that still waits gives way to it.

        Not so one that was in time for an event that has not begun yet: it is the one that takes part.
        """
        last = connection.execute(sql.select(sql.func.max(VERSIONS.c.number)).where(
            VERSIONS.c.bot == bot.id)).scalar()
        version = Version(bot.id, (last or 0) + 1, WAITING, unpacked.language, unpacked.size, unpacked.digest,
                          received, file_name[:200], unpacked.command)
        connection.execute(sql.update(VERSIONS).where(
            VERSIONS.c.bot == bot.id, VERSIONS.c.phase == WAITING,
            VERSIONS.c.created > _last_deadline(connection, bot, version.created)).values(
            phase=WITHDRAWN, report={"problem": "a newer version came before this one was checked"}))
        connection.execute(sql.insert(VERSIONS).values(
            bot=version.bot, number=version.number, phase=version.phase, language=version.language,
            size=version.size, digest=version.digest, created=version.created, report={},
            file_name=version.file_name, command=version.command))
        folder = self.folder(bot.id, version.number)
        self._remove(folder)    # of a server that was killed before it could keep the rest
        try:
            folder.parent.mkdir(exist_ok=True)
            Path(unpacked.root).rename(folder)
            _sync(folder.parent)
        except OSError as error:
            raise StoreError(f"the folder of uploads cannot be written: {error}") from error
        return version

    def _phase(self, connection: Connection, bot: Bot, number: int) -> str:
        phase = connection.execute(sql.select(VERSIONS.c.phase).where(_is(bot.id, number))).scalar()
        if phase is None:
            raise UnknownBotError("there is no such version")
        return str(phase)

    def _remove_versions(self, bot: str, numbers: Iterable[int]) -> None:
        for number in numbers:
            self._remove(self.folder(bot, number))

    def _remove(self, folder: Path) -> None:
        """Removes a folder; half of one is never found under its name."""
        if folder.parent.name != INCOMING and folder.exists():
            aside = self.incoming_file()
            folder.rename(aside)
            folder = aside
        shutil.rmtree(folder, ignore_errors=True)


_NOTHING = {"phase": DELETED, "report": {}, "file_name": "", "command": ""}
"""What is known of a deleted version."""
PLAYING = ("running", "paused")
"""The phases of events that need the files of their entrants."""


_HAS_PASSED = VERSIONS.c.report["has_passed"].as_boolean()
_LISTED = sql.select(*(column for column in VERSIONS.c if column.name != "report"),
                     _HAS_PASSED.label("has_passed"))
"""Finds versions without what their checks have found, which may be much."""


def _version(row: RowMapping) -> Version:
    return Version(**{**row, "has_passed": bool(row["has_passed"])})


def _is(bot: str, number: int) -> sql.ColumnElement[bool]:
    return (VERSIONS.c.bot == bot) & (VERSIONS.c.number == number)


def _last_deadline(connection: Connection, bot: Bot, now: float) -> float:
    """The last deadline that has passed of events for which versions of a bot are still to be checked."""
    coming = sql.select(EVENTS.c.settings).where(EVENTS.c.phase.in_(("draft", "scheduled")))
    found = [settings.get("deadline") or 0.0 for settings in connection.execute(coming).scalars()
             if settings.get("ladder") == bot.ladder or bot.id in settings.get("bots", ())]
    return max((deadline for deadline in found if deadline < now), default=0.0)


def lock_bot(connection: Connection, bot: str, owner: str) -> None:
    """Has whatever else changes a bot at the same time wait; an UnknownBotError if it was deleted.

    Whoever changes a bot and its versions locks the bot first, and then its owner.
    """
    found = connection.execute(sql.select(BOTS.c.owner).where(BOTS.c.id == bot).with_for_update()).scalar()
    if not found or found != owner:
        raise UnknownBotError(WAS_DELETED)


def _who(bot: sql.ColumnElement[str], number: sql.ColumnElement[int]) -> sql.ColumnElement[str]:
    """What a version is called among the entrants of events."""
    return sql.literal("bot:") + bot + "/" + sql.cast(number, sql.Text)


def _delete_versions(connection: Connection, bot: str, *which: sql.ColumnElement[bool]) -> list[int]:
    """Notes that versions of a bot are deleted; returns those whose files nobody needs any more."""
    own = VERSIONS.c.bot == bot, *which
    # An event that is just beginning has locked those that take part.
    rows = connection.execute(
        sql.select(VERSIONS.c.number).where(*own).order_by(VERSIONS.c.number).with_for_update())
    numbers = list(rows.scalars())
    playing = set(connection.execute(
        sql.select(ENTRANTS.c.who).join(EVENTS, EVENTS.c.id == ENTRANTS.c.event)
        .where(EVENTS.c.phase.in_(PLAYING), ENTRANTS.c.who.startswith(f"bot:{bot}/", autoescape=True))
    ).scalars())
    gone = [number for number in numbers if f"bot:{bot}/{number}" not in playing]
    connection.execute(sql.update(VERSIONS).where(*own).values(**_NOTHING))
    connection.execute(sql.update(VERSIONS).where(*own, VERSIONS.c.number.in_(gone)).values(size=0))
    return gone


def _rest(connection: Connection, bot: str, number: int) -> None:
    connection.execute(sql.update(BOTS).where(BOTS.c.id == bot, BOTS.c.active == number).values(active=0))


def _forget(connection: Connection, bot: str) -> None:
    """Leaves nothing of a bot but that it was there."""
    connection.execute(sql.update(BOTS).where(BOTS.c.id == bot).values(
        owner="", name=GONE, folded=f"/{bot}", active=0))


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
