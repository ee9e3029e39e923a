"""Checking what was handed in: `bot check` step by step on workers, each step kept as soon as it is done."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import BrokenExecutor, Future
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import sqlalchemy as sql

import polyversi
from polyversi.gameplay.bots.sandbox import Sandbox
from polyversi.gameplay.interrupt import run_interruptibly
from polyversi.games.errors import PlayerError
from polyversi.games.game import Game
from polyversi.games.limit import Limit
from polyversi.games.rules import Sentence
from polyversi.games.variants import game
from polyversi.protocols.check import Check, Step
from polyversi.protocols.spec import bot_from, sandbox_of
from polyversi.site.bots import CHECKING, FAILED, PASSED, WAITING, Bots, UnknownBotError
from polyversi.site.settings import SiteError
from polyversi.site.store import SiteStore
from polyversi.site.tables import BOTS, PEOPLE, VERSIONS

SECONDS = 5.0
"""Seconds for a move where a ladder's limit says none."""
MAX_LOSSES = 3
RUNS_HERE = Sentence("can be run here")
DIED = "the process that checked it ended again and again"
Submit = Callable[[Callable[[], Any]], Future[Any]]
"""Has something done by a worker."""


class CheckedStep(msgspec.Struct, frozen=True):
    """A step that is done."""

    name: str
    """What it is about, in English…"""
    fault: str = ""
    """What went wrong, in a sentence; empty when all went well."""
    output: str = ""
    errors: str = ""
    seconds: float = 0.0
    text: str = ""
    """…and as a page translates it, before it fills in the values; empty in reports of earlier versions."""
    values: dict[str, str | int] = {}


class Report(msgspec.Struct, frozen=True):
    """What the check of a version has found so far."""

    steps: tuple[CheckedStep, ...] = ()
    total: int = 0
    """How many steps there are; 0 while that is not known."""
    has_passed: bool = False
    losses: int = 0
    """Workers that were lost with the step after these."""
    problem: str = ""
    """Why it was not checked to its end."""


@dataclass(frozen=True)
class StepTask:
    """All that a worker needs to take one step."""

    spec: str
    game: Game
    seconds: float
    limit: Limit
    memory: int
    number: int


@dataclass(frozen=True)
class StepDone:
    """What a worker has to say about it."""

    step: Step
    total: int
    seconds: float


def waiting_versions(store: SiteStore) -> list[tuple[str, int]]:
    """Bots and numbers of the versions that are to be checked, also those whose check was broken off.

    Whoever was first comes first.
    """
    wanted = sql.select(VERSIONS.c.bot, VERSIONS.c.number).where(
        VERSIONS.c.phase.in_((WAITING, CHECKING))).order_by(VERSIONS.c.created)
    return [(row["bot"], row["number"]) for row in store.read(wanted)]


def in_turns(owners: Sequence[str], taken: Iterable[str] = ()) -> list[int]:
    """The order in which versions are checked, by their owners: of each one before anybody's second.

    `taken` are the owners of those that are being checked.

    >>> in_turns(["Ann", "Ann", "Bob", "Cid"], taken=["Cid"])
    [0, 2, 1, 3]
    """
    counts = Counter(taken)
    turns = []
    for place, owner in enumerate(owners):
        turns.append((counts[owner], place))
        counts[owner] += 1
    return [place for _, place in sorted(turns)]


def versions_before(store: SiteStore, bot: str, number: int) -> int:
    """How many versions are checked before one that waits, as it looks now."""
    version = VERSIONS.c
    wanted = sql.select(version.bot, version.number, version.phase, BOTS.c.owner).join_from(
        VERSIONS, BOTS, BOTS.c.id == version.bot).where(version.phase.in_((WAITING, CHECKING)))
    rows = store.read(wanted.order_by(version.created))
    waiting = [row for row in rows if row["phase"] == WAITING]
    turns = in_turns([row["owner"] for row in waiting],
                     [row["owner"] for row in rows if row["phase"] == CHECKING])
    found = [(waiting[place]["bot"], waiting[place]["number"]) for place in turns]
    return found.index((bot, number)) if (bot, number) in found else 0


def check_version(bots: Bots, bot: str, number: int, submit: Submit) -> None:
    """Checks a version to its end, beginning with the step after the last that is stored.

    A bot that passes plays with this version from then on. A SandboxError says that nothing can be checked
    on this machine, a BrokenExecutor that the worker was lost: the version waits.
    """
    if not _begin(bots.store, bot, number):
        return
    try:
        report = msgspec.convert(bots.version(bot, number).report, Report)
    except UnknownBotError:    # whoever owned it was deleted at this moment
        return
    is_last = False
    while not is_last:
        try:
            done = submit(partial(take_step, _task(bots, bot, number, len(report.steps)))).result()
        except BrokenExecutor:
            report = msgspec.structs.replace(report, losses=report.losses + 1)
            if report.losses < MAX_LOSSES:
                store_step(bots.store, bot, number, report, is_last=False)
                raise
            done = StepDone(Step(RUNS_HERE, DIED, is_last=True), report.total, 0.0)
        except (PlayerError, SiteError) as error:    # such as a program that is not installed
            done = StepDone(Step(RUNS_HERE, str(error), is_last=True), report.total, 0.0)
        report, is_last = _extended(report, done, bots.folder(bot, number).absolute()), done.step.is_last
        if not store_step(bots.store, bot, number, report, is_last=is_last):
            return    # it was withdrawn or deleted meanwhile


def _task(bots: Bots, bot: str, number: int, step: int) -> StepTask:
    ladder = bots.file.ladder(bots.find(bot).ladder)
    limit = ladder.parsed_limit
    return StepTask(bots.spec(bot, number), game(ladder.variant), limit.seconds or SECONDS, limit,
                    ladder.memory << 20, step)


def _extended(report: Report, done: StepDone, folder: Path) -> Report:
    """A report with one step more."""
    clean = partial(_without_folders, folder=folder)
    title = done.step.title
    step = CheckedStep(done.step.name, clean(done.step.fault or ""), clean(done.step.output),
                       clean(done.step.errors), round(done.seconds, 2), title.text, dict(title.values))
    steps = (*report.steps, step)
    return Report(steps, done.total, done.step.is_last and not any(step.fault for step in steps))


def take_step(task: StepTask) -> StepDone:
    """Takes one step of a check, in the process of a worker."""
    protection = sandbox_of([task.spec], Sandbox(memory=task.memory), "or check nothing here")

    check = Check(lambda: bot_from(task.spec, protection), task.game, task.seconds, 0.0, task.limit)
    since = time.perf_counter()
    step = run_interruptibly(check.step(task.number))
    return StepDone(step, check.steps, time.perf_counter() - since)


def _begin(store: SiteStore, bot: str, number: int) -> bool:
    """Notes that a version is being checked; False if that is not to be done any more."""
    with store.writing() as connection:
        changed = connection.execute(sql.update(VERSIONS).where(
            VERSIONS.c.bot == bot, VERSIONS.c.number == number,
            VERSIONS.c.phase.in_((WAITING, CHECKING))).values(phase=CHECKING))
        return bool(changed.rowcount)


def store_step(store: SiteStore, bot: str, number: int, report: Report, *, is_last: bool) -> bool:
    """Stores what is known by now; False if nobody wants to know it any more."""
    phase = CHECKING if not is_last else PASSED if report.has_passed else FAILED
    with store.writing() as connection:
        connection.execute(sql.select(BOTS.c.id).where(BOTS.c.id == bot).with_for_update())    # as others do
        changed = connection.execute(sql.update(VERSIONS).where(
            VERSIONS.c.bot == bot, VERSIONS.c.number == number, VERSIONS.c.phase == CHECKING).values(
            phase=phase, report=msgspec.to_builtins(report)))
        if changed.rowcount and phase == PASSED:
            # A newer one that was checked faster goes on playing, and bots of people who are kept out rest.
            is_kept_out = sql.select(PEOPLE.c.id).where(PEOPLE.c.id == BOTS.c.owner, PEOPLE.c.is_disabled)
            connection.execute(sql.update(BOTS).where(
                BOTS.c.id == bot, BOTS.c.active < number, ~is_kept_out.exists()).values(active=number))
        return bool(changed.rowcount)


def _without_folders(text: str, folder: Path) -> str:
    """What a bot wrote, without where things are on this machine."""
    for place in (folder, Path(polyversi.__file__).parent, Path(sys.prefix), Path(sys.base_prefix)):
        text = text.replace(f"{place}/", "").replace(str(place), ".")
    return text
