"""The conductor: a process beside the server that has bots checked and their games played.

It reads from the store what is to do, gives it to workers in fair turns, and stores what comes of it. All it
knows is in the store, so that it may be killed at any moment: the next one goes on from there. A line on its
standard input says that there is something new, the end of it that the server has gone.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Future
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue

import msgspec
import sqlalchemy as sql

from polyversi.contest.live_feed import LiveAddress
from polyversi.contest.workers import Workers
from polyversi.games.errors import PolyversiError
from polyversi.site.bots import Bots
from polyversi.site.checking import check_version, in_turns, waiting_versions
from polyversi.site.event_runner import EventRunner
from polyversi.site.events import Events, SiteEvent
from polyversi.site.gate import Connected, Gate
from polyversi.site.ladder_work import LadderWork
from polyversi.site.machine import Machine, Rank, Share, Work, local_places, places
from polyversi.site.opened import OpenSite, open_site
from polyversi.site.quotas import DAY
from polyversi.site.settings import SiteError
from polyversi.site.store import SiteStore
from polyversi.site.tables import EVENTS, VERSIONS
from polyversi.storage.database import place_of
from polyversi.storage.errors import StoreError

TOKEN = "POLYVERSI_LIVE_TOKEN"
"""The environment variable with the token of the page's live feed."""
POLL_SECONDS = 1.0
"""Seconds between two looks for something to do."""
THIN_SECONDS = 3_600.0
"""Seconds between two times at which old games are thinned."""
MIN_FREE = 50 << 20
"""Bytes that must be free on the disk of the store; below it nothing is begun."""
NICE = 5
"""How much bots and their games step back for those who look at the page."""
EVENT_WEIGHT = 4.0
"""How many times the machine time of one person's challenges an event gets."""
NO_STORE = "the store cannot be used just now"
NO_CHECKS = "nothing can be checked on this machine just now"
NO_GAMES = "nothing can be played on this machine just now"
NO_WORKERS = "the workers cannot be reached just now"
"""What everybody is told; what exactly is wrong is for organisers and in the log."""
LOCK_SECONDS = 30.0
"""Seconds in which a conductor that was before this one must end."""


def report(sentence: str) -> None:
    """Tells whoever runs the server."""
    print(sentence, file=sys.stderr, flush=True)


def has_work(store: SiteStore) -> bool:
    """Whether a conductor could have something to do: without bots and events there is nothing."""
    bots = sql.select(sql.literal(1)).select_from(VERSIONS).limit(1)
    events = sql.select(sql.literal(1)).select_from(EVENTS).limit(1)
    return bool(store.read(bots) or store.read(events))


class Status(msgspec.Struct, frozen=True):
    """What the conductor tells the server, a line each time it changes."""

    problem: str = ""
    """Why nothing is begun at present, in a sentence for everybody; empty when all is well."""
    detail: str = ""
    """The same in detail, which may name files and addresses: for organisers."""
    jobs: int = 0
    busy: int = 0
    groups: Connected = {}
    """Of XT events: how many clients of a group wait and play."""


class Conductor:
    """Everything that goes on without a page, in turns of one thread; workers and checks have their own."""

    def __init__(self, site: OpenSite, machine: Machine, live: LiveAddress | None = None,
                 tell: Callable[[Status], None] = lambda _: None, say: Callable[[str], None] = report,
                 gate: Gate | None = None, here: Machine | None = None) -> None:
        self._site, self._machine, self._live, self._tell, self._gate = site, machine, live, tell, gate
        self._say = say
        self._here = here or machine    # which reaches the gate: a cluster does not
        self._inbox: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._is_stopping = False
        self._ladder = LadderWork(site, machine, live, self._inbox.put)
        self._checks: dict[tuple[str, int], threading.Thread] = {}
        self._events = EventRunner(Events(site.file, site.store, site.contests), self._workers_of, say)
        self._thinned = 0.0
        self._problems: dict[str, str] = {}    # of what cannot go on, by what that is
        self._told: Status | None = None

    def nudge(self) -> None:
        """Has it look for something to do at once; from any thread."""
        self._inbox.put(lambda: None)

    def stop(self) -> None:
        """Has `run` return soon; from any thread."""
        self._is_stopping = True
        self.nudge()

    def run(self) -> None:
        """Works until it is stopped."""
        while not self._is_stopping:
            self._poll()
            try:
                self._inbox.get(timeout=POLL_SECONDS)()
                while not self._is_stopping:    # whatever else has come meanwhile
                    self._inbox.get_nowait()()
            except Empty:
                pass
        self._events.stop()

    def _poll(self) -> None:
        """Begins whatever is to do; a store that cannot be used is tried again with the next look."""
        full, store = _full_disk(self._site), ""
        for machine in (self._machine, self._here):    # which has what was asked for before
            machine.pause(bool(full))
        try:
            if not full:
                self._begin_checks()
                self._events.poll()
                self._ladder.poll()
                self._thin()
        except StoreError as error:
            store = str(error)
        problem, detail = (full, "") if full else self._problem(store)
        groups = self._gate.connected() if self._gate else {}
        status = Status(problem, detail, self._machine.jobs, self._machine.busy, groups)
        if detail and (self._told is None or detail != self._told.detail):
            self._say(f"{problem}: {detail}")
        if status != self._told:
            self._told = status
            self._tell(status)

    def _problem(self, store: str) -> tuple[str, str]:
        """Why nothing is begun, for everybody and in detail."""
        checks = next(filter(None, self._problems.values()), "")
        found = ((NO_STORE, store), (NO_CHECKS, checks), (NO_GAMES, self._ladder.problem),
                 (NO_WORKERS, self._machine.problem or self._here.problem))
        return next(((told, detail) for told, detail in found if detail), ("", ""))

    def _thin(self) -> None:
        if time.monotonic() - self._thinned > THIN_SECONDS or not self._thinned:
            self._thinned = time.monotonic()
            self._ladder.thin()
            if days := self._site.file.settings.keep_games_days:
                self._site.contests.forget_outputs(time.time() - days * DAY)

    def _begin_checks(self) -> None:
        """Checks one version more than there are places, of each owner one before anybody's second.

        Between two steps of a check its place would go to a game if no other check were waiting for it.
        """
        self._checks = {version: thread for version, thread in self._checks.items() if thread.is_alive()}
        bots = Bots(self._site.file, self._site.store)
        owners = {bot.id: bot.owner for bot in bots.all()}
        taken = [owners.get(bot, "") for bot, _ in self._checks]
        waiting = [version for version in waiting_versions(self._site.store) if version not in self._checks]
        turns = in_turns([owners.get(bot, "") for bot, _ in waiting], taken)
        for place in turns[:max(0, self._machine.jobs + 1 - len(self._checks))]:
            bot, number = waiting[place]
            share = Share(f"check:{owners.get(bot, '')}", Rank.CHECK)
            check = partial(check_version, bots, bot, number, partial(_submit, self._machine, share))
            self._checks[bot, number] = self._in_thread("check", check)

    def _workers_of(self, event: SiteEvent) -> Workers:
        """The workers of an event, which tell the server of its games; it shows those that it may show."""
        live = replace(self._live, game=event.id) if self._live else None
        share = Share(f"event:{event.id}", weight=EVENT_WEIGHT)
        if self._gate and event.settings.groups:
            return self._gate.workers(event.id, self._here.workers(share, live))
        return self._machine.workers(share, live)

    def _in_thread(self, what: str, work: Callable[[], None]) -> threading.Thread:
        """Has something done that takes a while; when it is over, there may be more to do."""
        def run() -> None:
            problem = ""
            try:
                work()
            except BrokenExecutor:    # it stays to be done
                pass
            except PolyversiError as error:
                problem = str(error)
            except Exception as error:
                traceback.print_exception(error)
                problem = f"a {what} went wrong: {type(error).__name__}"
            self._inbox.put(partial(self._problems.__setitem__, what, problem))

        thread = threading.Thread(target=run, name=what, daemon=True)
        thread.start()
        return thread


def _submit(machine: Machine, share: Share, work: Work) -> Future[object]:
    return machine.submit(share, lambda: work)


def _full_disk(site: OpenSite) -> str:
    """Says that the disk of the store or of the uploads is full; empty when it is not."""
    file = place_of(site.file.store)
    for folder in (file.parent if file else None, site.file.uploads):
        if folder is not None and folder.exists() and (free := shutil.disk_usage(folder).free) < MIN_FREE:
            return (f"the disk is full ({free >> 20} MiB are free); nothing is played until there are "
                    f"{MIN_FREE >> 20} MiB")
    return ""


@contextmanager
def _alone(site: OpenSite) -> Iterator[None]:
    """Waits for a conductor that is still ending."""
    until = time.monotonic() + LOCK_SECONDS
    while True:
        try:
            reserved = site.store.conducted()
            reserved.__enter__()
            break
        except StoreError:
            if time.monotonic() > until:
                raise
            time.sleep(POLL_SECONDS / 10)
    try:
        yield
    finally:
        reserved.__exit__(None, None, None)


def _gate(site: OpenSite) -> Gate | None:
    """Where groups connect their clients, if the site's file says so; without it everything else goes on."""
    settings = site.file.settings
    try:
        return Gate(site.store, settings.xt_host, settings.xt_port) if settings.xt_port else None
    except SiteError as error:
        report(str(error))
        return None


def conduct(path: Path, live: LiveAddress | None, lines: Iterable[str]) -> None:
    """Conducts a site until there are no more lines."""
    def tell(status: Status) -> None:
        with suppress(OSError):    # nobody listens any more
            print(msgspec.json.encode(status).decode(), flush=True)

    with open_site(path) as site, _alone(site):
        settings = site.file.settings
        machine = Machine(places(settings.jobs, settings.cluster))
        here = Machine(local_places()) if settings.cluster and settings.xt_port else machine
        conductor = Conductor(site, machine, live, tell, gate=_gate(site), here=here)

        def listen() -> None:
            for _ in lines:
                conductor.nudge()
            conductor.stop()

        threading.Thread(target=listen, name="lines", daemon=True).start()
        signal.signal(signal.SIGTERM, lambda *_: conductor.stop())
        try:
            conductor.run()
        finally:
            machine.close()
            here.close()


def main(arguments: list[str]) -> int:
    """The process."""
    parser = argparse.ArgumentParser(prog="polyversi.site.conductor", description=__doc__)
    parser.add_argument("site", type=Path, help="the site's file")
    parser.add_argument("--live", default="", help="HOST:PORT of the page's live feed")
    options = parser.parse_args(arguments)
    os.nice(NICE)
    signal.signal(signal.SIGINT, signal.SIG_IGN)    # of a terminal: the server ends it
    host, _, port = options.live.rpartition(":")
    live = LiveAddress(host, int(port), os.environ.pop(TOKEN, "")) if host else None
    try:
        conduct(options.site, live, sys.stdin)
    except (PolyversiError, SiteError) as error:
        report(str(error))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
