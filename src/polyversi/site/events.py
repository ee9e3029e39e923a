"""Events: tournaments that organisers set up, start, pause and cancel; each is a contest of the store."""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Literal

import msgspec
import sqlalchemy as sql
from sqlalchemy.engine import Connection

from polyversi.contest.plan import MAX_SEED, Plan, unique_name
from polyversi.games.errors import PolyversiError
from polyversi.site import audit
from polyversi.site.bot_traces import DELETED
from polyversi.site.bots import CHECKING, PASSED, WAITING, Bot, Bots, UnknownBotError
from polyversi.site.event_plans import EntrantChoice, EventSettings, group_choice, plan_of, player_choice
from polyversi.site.names import clean_name
from polyversi.site.roles import Person
from polyversi.site.settings import SiteError, SiteFile
from polyversi.site.store import SiteStore, new_id, one
from polyversi.site.tables import ARRIVALS, BOTS, ENTRANTS, EVENTS, VERSIONS
from polyversi.storage.contests import ContestStore
from polyversi.storage.errors import StoreError

Phase = Literal["draft", "scheduled", "running", "paused", "over", "cancelled"]
MAX_EVENTS = 1000
MAX_TITLE = 50
"""Characters of a title; the name of its contest may have a number besides."""
CHECK_SECONDS = 3_600.0
"""Seconds after its deadline for which an event waits for checks of what was handed in by then."""
SETTLE_SECONDS = 2.0
"""Seconds in which it is noted that something has arrived at the last moment."""
NO_EVENT = "there is no such event"
GONE = "one of the bots is not there any more"
DELETED_NOW = "a bot that takes part was deleted just now; start the event again"
BOT = "bot:"
"""What begins `who` of an entrant that is a bot of the site."""


class NoEventError(SiteError):
    """There is no such event."""


class StaleError(SiteError):
    """Whoever was to take part has changed meanwhile; trying again helps."""


@dataclass(frozen=True)
class SiteEvent:
    """A tournament of a site."""

    id: str
    title: str
    contest: str
    """The name of its contest in the store; empty until it starts."""
    phase: Phase
    settings: EventSettings
    made_by: str
    """The id of a person."""
    created: float
    is_released: bool
    """Whether everybody sees results and games, or organisers alone."""
    problem: str
    """Why it does not go on, in a sentence."""


@dataclass(frozen=True)
class EventEntrant:
    """Who takes part in an event that has started."""

    name: str
    who: str
    """`bot:ID/VERSION`, `player:SPEC` or `group:NAME`."""


class Events:
    """The events of a site; any thread may use it."""

    def __init__(self, file: SiteFile, store: SiteStore, contests: ContestStore) -> None:
        self.file, self.store, self.contests = file, store, contests
        self.bots = Bots(file, store)

    def all(self) -> list[SiteEvent]:
        """Every event, the latest first."""
        return self._found(sql.true())

    def in_phase(self, phase: Phase) -> list[SiteEvent]:
        """The events of a phase, the latest first."""
        return self._found(EVENTS.c.phase == phase)

    def find(self, id: str) -> SiteEvent:
        """The event of that id; a NoEventError if there is none."""
        event: SiteEvent | None = one(self._found(EVENTS.c.id == id))
        if event is None:
            raise NoEventError(NO_EVENT)
        return event

    def entrants(self, event: SiteEvent) -> list[EventEntrant]:
        """Who takes part, by name, once it has started."""
        wanted = sql.select(ENTRANTS).where(ENTRANTS.c.event == event.id).order_by(ENTRANTS.c.name)
        return [EventEntrant(row["name"], row["who"]) for row in self.store.read(wanted)]

    def numbers_of_entrants(self) -> dict[str, int]:
        """How many take part in each event that has started."""
        wanted = sql.select(ENTRANTS.c.event, sql.func.count().label("number")).group_by(ENTRANTS.c.event)
        return {row["event"]: row["number"] for row in self.store.read(wanted)}

    def create(self, person: Person, title: str, settings: EventSettings, *,
               is_released: bool = True) -> SiteEvent:
        """A new event, to be started; a SiteError says why there is none."""
        event = SiteEvent(new_id(), clean_name(title, "an event", MAX_TITLE), "", "draft", _seeded(settings),
                      person.id, time.time(), is_released, "")
        self._check(event)
        with self.store.writing() as connection:
            count = connection.execute(sql.select(sql.func.count()).select_from(EVENTS)).scalar_one()
            if count >= MAX_EVENTS:
                raise SiteError(f"the site has {count} events, as many as it may have; delete some first")
            connection.execute(sql.insert(EVENTS).values(_row(event)))
            audit.note(connection, person.id, "event.create", event.id, title=event.title)
        return event

    def change(self, person: Person, id: str, title: str, settings: EventSettings, *,
               is_released: bool = True) -> SiteEvent:
        """Sets an event up otherwise that has not started."""
        before = self.find(id)
        event = replace(before, title=clean_name(title, "an event", MAX_TITLE), settings=_seeded(settings))
        self._check(event)
        changes = {"title": event.title, "settings": msgspec.to_builtins(event.settings), "problem": "",
                   "is_released": is_released}
        self._move(person, before, "change", ("draft",), changes, title=event.title)
        return self.find(id)

    def delete(self, person: Person, id: str) -> None:
        """Removes an event that is over, was cancelled or has not started, with its contest and its games."""
        event = self.find(id)
        detail: dict[str, Any] = {"title": event.title, "games": 0}
        with self._changing(person, event, "delete", ("draft", "over", "cancelled"), detail) as connection:
            if event.contest:
                detail["games"] = self.contests.remove(event.contest, connection)
            connection.execute(sql.delete(ENTRANTS).where(ENTRANTS.c.event == id))
            connection.execute(sql.delete(EVENTS).where(EVENTS.c.id == id))

    def start(self, person: Person, id: str) -> SiteEvent:
        """Starts an event, or has it start at its deadline if that is still to come."""
        event = self.find(id)
        deadline = event.settings.deadline
        if deadline is not None and deadline > time.time():
            self._check(event)
            self._move(person, event, "schedule", ("draft",), {"phase": "scheduled"})
        else:
            self._begin(person.id, event)
        return self.find(id)

    def begin_scheduled(self) -> None:
        """Starts the events whose deadline has passed; one that cannot is a draft again, and says why.

        What was handed in by then is checked first, as long as that takes no longer than CHECK_SECONDS.
        """
        for event in self.in_phase("scheduled"):
            since = time.time() - (event.settings.deadline or 0.0)
            if since < SETTLE_SECONDS or (since < CHECK_SECONDS and self.unchecked(event)):
                continue
            try:
                self._begin(audit.BY_SCHEDULE, event)
            except StoreError:
                raise
            except StaleError:    # with the next look
                continue
            except PolyversiError as error:
                self._note_problem(event, "scheduled", "draft", str(error))

    def unchecked(self, event: SiteEvent) -> int:
        """How many versions are to be unpacked or checked that may take part, if the event began now."""
        by = time.time() if event.settings.deadline is None else event.settings.deadline
        if event.contest or by > time.time():
            return 0
        settings = event.settings
        may_play = sql.or_(BOTS.c.id.in_(settings.bots), (BOTS.c.ladder == settings.ladder))
        count = sql.select(sql.func.count().label("count"))
        arrived = count.join_from(ARRIVALS, BOTS, BOTS.c.id == ARRIVALS.c.bot).where(
            may_play, ARRIVALS.c.time <= by)
        kept = count.join_from(VERSIONS, BOTS, BOTS.c.id == VERSIONS.c.bot).where(
            may_play, VERSIONS.c.phase.in_((WAITING, CHECKING)), VERSIONS.c.created <= by)
        # In this order: what is kept in between is found twice, and nothing is missed.
        return sum(int(self.store.read(wanted)[0]["count"]) for wanted in (arrived, kept))

    def pause(self, person: Person, id: str) -> SiteEvent:
        """Begins no further game, while those in progress end and count; or does not wait for a deadline."""
        event = self.find(id)
        phase = "draft" if event.phase == "scheduled" else "paused"
        self._move(person, event, "pause", ("running" if phase == "paused" else "scheduled",),
                   {"phase": phase})
        return self.find(id)

    def resume(self, person: Person, id: str) -> SiteEvent:
        """Goes on with an event that was paused."""
        self._move(person, self.find(id), "resume", ("paused",), {"phase": "running", "problem": ""})
        return self.find(id)

    def cancel(self, person: Person, id: str) -> SiteEvent:
        """Ends an event before its time; what was played stays."""
        self._move(person, self.find(id), "cancel", ("running", "paused"),
                   {"phase": "cancelled"})
        return self.find(id)

    def release(self, person: Person, id: str, is_released: bool) -> SiteEvent:
        """Shows results to everybody, or to organisers alone."""
        event = self.find(id)
        self._move(person, event, "release", (event.phase,), {"is_released": is_released},
                   is_released=is_released)
        return self.find(id)

    def make_tokens(self, person: Person, id: str) -> dict[str, str]:
        """A new token for each group, by its name; they are told only this once, and earlier ones end."""
        event = self.find(id)
        tokens = {choice.who: secrets.token_urlsafe(16)
                  for choice in map(group_choice, event.settings.groups)}
        phases: tuple[Phase, ...] = ("draft", "scheduled", "running", "paused")
        with self._changing(person, event, "tokens", phases) as connection:
            if not event.contest:
                self._keep_entrants(connection, event, [group_choice(who.removeprefix("group:"))
                                                        for who in tokens])
            for who, token in tokens.items():
                connection.execute(sql.update(ENTRANTS).where(
                    ENTRANTS.c.event == id, ENTRANTS.c.who == who).values(
                        token=hashlib.sha256(token.encode()).hexdigest()))
        return {who.removeprefix("group:"): token for who, token in tokens.items()}

    def finish(self, event: SiteEvent) -> None:
        """Notes that everything is played; nothing happens unless the event still runs."""
        self._note_problem(event, "running", "over", "")

    def halt(self, event: SiteEvent, problem: str) -> None:
        """Pauses an event that cannot go on, and says why."""
        self._note_problem(event, "running", "paused", problem)

    def note(self, event: SiteEvent, problem: str) -> None:
        """Tells organisers what is wrong with an event that goes on all the same."""
        self._note_problem(event, "running", "running", problem)

    def missing(self, event: SiteEvent) -> frozenset[str]:
        """The names of entrants whose files are gone; of none if all uploads are: that is no bot's fault."""
        if not self.file.uploads.is_dir():
            return frozenset()
        return frozenset(one.name for one in self.entrants(event) if one.who.startswith("bot:")
                         and not (self.file.uploads / one.who.removeprefix("bot:")).is_dir())

    def choices(self, settings: EventSettings) -> tuple[list[EntrantChoice], list[str]]:
        """Who would take part if the event began now, and in a sentence each who cannot that was chosen."""
        bots = {bot.id: bot for bot in self.bots.all()}
        numbers = self._numbers(bots.values(), settings.deadline)
        found: dict[str, EntrantChoice] = {}
        absent: list[str] = []
        if settings.ladder:
            self.file.ladder(settings.ladder)
            found |= {bot.id: self._choice(bot, numbers[bot.id]) for bot in bots.values()
                      if bot.ladder == settings.ladder and bot.id in numbers}
        for id in settings.bots:
            if id not in bots:
                absent.append(GONE)
            elif id in numbers:
                found.setdefault(id, self._choice(bots[id], numbers[id]))
            else:
                why = "was handed in too late" if bots[id].active else "rests"
                absent.append(f"{bots[id].name} {why} and takes no part")
        if settings.groups and not self.file.settings.xt_port:
            raise SiteError("groups cannot connect to this site: its file has no xt_port")
        groups = [group_choice(name) for name in settings.groups]
        if len({group.who for group in groups}) < len(groups):
            raise SiteError("two groups have the same name; give them different ones")
        return [*found.values(), *map(player_choice, settings.players), *groups], absent

    def coming(self, bot: Bot) -> list[tuple[SiteEvent, int]]:
        """The events that a bot will take part in, and with which version as it looks now; 0 is none yet."""
        found = []
        for event in self.in_phase("scheduled"):
            settings = event.settings
            if settings.ladder == bot.ladder or bot.id in settings.bots:
                found.append((event, self._numbers([bot], settings.deadline).get(bot.id, 0)))
        return sorted(found, key=lambda one: one[0].settings.deadline or 0.0)

    def _choice(self, bot: Bot, number: int) -> EntrantChoice:
        try:
            return EntrantChoice(bot.name, f"bot:{bot.id}/{number}", self.bots.spec(bot.id, number))
        except UnknownBotError:
            raise StaleError(DELETED_NOW) from None

    def _numbers(self, bots: Iterable[Bot], deadline: float | None) -> dict[str, int]:
        """The version of each bot that takes part, if one does.

        It is the one that plays, unless that was handed in after the deadline: then the last one before that
        has passed its check. A bot that rests takes no part.
        """
        active = {bot.id: bot.active for bot in bots if bot.active}
        if deadline is None:
            return active
        wanted = sql.select(VERSIONS.c.bot, VERSIONS.c.number).where(
            VERSIONS.c.phase == PASSED, VERSIONS.c.created <= deadline)
        in_time: dict[str, set[int]] = {}
        for row in self.store.read(wanted):
            in_time.setdefault(row["bot"], set()).add(row["number"])
        return {bot: number if number in in_time[bot] else max(in_time[bot])
                for bot, number in active.items() if bot in in_time}

    def _check(self, event: SiteEvent) -> None:
        """Raises a PolyversiError if the event could not be played by whoever would take part now.

        Bots may still come, so that too few are enough, but not those that were deleted.
        """
        entrants, absent = self.choices(event.settings)
        if GONE in absent:
            raise SiteError(f"{GONE}; choose the entrants again")
        if (event.settings.ladder or absent) and len(entrants) < 2:
            entrants = [*entrants, player_choice("random"), player_choice("random")]
        plan_of(event.title, event.settings, entrants)

    def _begin(self, person: str, event: SiteEvent) -> None:
        """Makes the contest of an event; it runs from then on, or nothing has changed."""
        chosen, absent = self.choices(event.settings)
        plan, entrants = plan_of(event.title, event.settings, chosen)
        name = unique_name(event.title, set(self.contests.names()))
        plan = replace(plan, name=name)
        with self._changing(person, event, "start", ("draft", "scheduled"),
                            {"entrants": len(entrants)}) as connection:
            lock_versions(connection, [one.who for one in entrants])
            self.contests.create(name, plan.to_json(), connection)
            self._keep_entrants(connection, event, entrants)
            connection.execute(sql.update(EVENTS).where(EVENTS.c.id == event.id).values(
                contest=name, phase="running", problem="; ".join(sorted(set(absent)))))

    def _keep_entrants(
        self, connection: Connection, event: SiteEvent, entrants: Sequence[EntrantChoice]
    ) -> None:
        rows = connection.execute(sql.select(ENTRANTS).where(ENTRANTS.c.event == event.id)).mappings()
        tokens = {row["who"]: row["token"] for row in rows}
        connection.execute(sql.delete(ENTRANTS).where(ENTRANTS.c.event == event.id))
        kept = [{"event": event.id, "name": one.name, "who": one.who, "spec": one.spec,
                 "created": time.time(), "token": tokens.get(one.who, "")} for one in entrants]
        if kept:
            connection.execute(sql.insert(ENTRANTS), kept)

    def plan(self, event: SiteEvent) -> Plan | None:
        """The plan of its contest, once it has started."""
        return Plan.from_json(self.contests.contest(event.contest)[0]) if event.contest else None

    def _found(self, which: sql.ColumnElement[bool]) -> list[SiteEvent]:
        wanted = sql.select(EVENTS).where(which).order_by(EVENTS.c.created.desc())
        return [SiteEvent(**{**row, "settings": msgspec.convert(row["settings"], EventSettings)})
                for row in self.store.read(wanted)]

    def _move(self, person: Person, event: SiteEvent, what: str, before: Sequence[Phase],
              changes: dict[str, Any], **detail: Any) -> None:
        with self._changing(person.id, event, what, before, detail) as connection:
            connection.execute(sql.update(EVENTS).where(EVENTS.c.id == event.id).values(changes))

    @contextmanager
    def _changing(self, person: Person | str, event: SiteEvent, what: str, before: Sequence[Phase],
                  detail: Mapping[str, Any] = MappingProxyType({})) -> Iterator[Connection]:
        """A change by an organiser; a SiteError if the event is in another phase by then."""
        with self.store.writing() as connection:
            phase = connection.execute(
                sql.select(EVENTS.c.phase).where(EVENTS.c.id == event.id).with_for_update()).scalar()
            if phase is None:
                raise NoEventError(NO_EVENT)
            if phase not in before:
                raise SiteError(f"'{event.title}' is {phase}; nobody can {what} it now")
            yield connection
            id = person.id if isinstance(person, Person) else person
            audit.note(connection, id, f"event.{what}", event.id, **detail)

    def _note_problem(self, event: SiteEvent, before: Phase, phase: Phase, problem: str) -> None:
        with self.store.writing() as connection:
            connection.execute(sql.update(EVENTS).where(
                EVENTS.c.id == event.id, EVENTS.c.phase == before).values(phase=phase, problem=problem))


def lock_versions(connection: Connection, whos: Sequence[str]) -> None:
    """Has whoever deletes one of these versions wait; a StaleError if one of them was deleted just now."""
    split = [who.removeprefix("bot:").rpartition("/") for who in whos if who.startswith("bot:")]
    wanted = sql.select(VERSIONS.c.bot, VERSIONS.c.number, VERSIONS.c.phase).where(
        VERSIONS.c.bot.in_([bot for bot, _, _ in split]))
    locked = wanted.order_by(VERSIONS.c.bot, VERSIONS.c.number).with_for_update()
    deleted = {(bot, str(number)) for bot, number, phase in connection.execute(locked) if phase == DELETED}
    if any((bot, number) in deleted for bot, _, number in split):
        raise StaleError(DELETED_NOW)


def _seeded(settings: EventSettings) -> EventSettings:
    """The settings with a seed of their own: nobody can know the draw before."""
    seed = settings.seed or 1 + secrets.randbelow(MAX_SEED)
    return msgspec.structs.replace(settings, seed=seed)


def _row(event: SiteEvent) -> dict[str, Any]:
    names = (column.name for column in EVENTS.columns)
    return {**{name: getattr(event, name) for name in names},
            "settings": msgspec.to_builtins(event.settings)}
