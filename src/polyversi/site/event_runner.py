"""Plays the events of a site: whatever the store says should run does, and nothing else."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from polyversi.contest.tournament import Tournament
from polyversi.contest.workers import Workers
from polyversi.games.errors import PolyversiError
from polyversi.site.event_contest import EventContest
from polyversi.site.events import Events, SiteEvent
from polyversi.storage.errors import StoreError

Say = Callable[[str], None]
BROKEN = "something went wrong that is not the entrants' fault; the site's operator can see what"


@dataclass
class _Running:
    contest: Tournament
    thread: threading.Thread


class EventRunner:
    """Runs each event that should run in a thread; its games are played by workers.

    Nothing is remembered but what the store has: whoever was killed goes on where it stopped.
    """

    def __init__(self, events: Events, workers_of: Callable[[SiteEvent], Workers], say: Say) -> None:
        self._events, self._workers_of, self._say = events, workers_of, say
        self._running: dict[str, _Running] = {}
        self._is_closing = False

    def poll(self) -> None:
        """Begins and stops what the store says; call it every second or so."""
        self._events.begin_scheduled()
        wanted = {event.id: event for event in self._events.in_phase("running")}
        for id, running in list(self._running.items()):
            if not running.thread.is_alive():
                del self._running[id]
            elif id not in wanted:
                running.contest.stop()
        for id, event in wanted.items():
            if id not in self._running:
                self._start(event)
        if self._running.keys() <= wanted.keys():    # no game goes on of an event that has ended
            self._events.bots.remove_deleted()

    def close(self) -> None:
        """Begins no further game and waits for those in progress."""
        self.stop()
        for running in self._running.values():
            running.thread.join()

    def stop(self) -> None:
        """Begins no further game; whatever becomes of the workers from now on pauses no event."""
        self._is_closing = True
        for running in self._running.values():
            running.contest.stop()

    def _start(self, event: SiteEvent) -> None:
        try:
            contest = EventContest(self._events, event)
        except StoreError:    # the store is gone for a moment, which whoever calls this notices
            raise
        except PolyversiError as error:
            self._events.halt(event, str(error))
            return
        if contest.missing:
            names = ", ".join(sorted(contest.missing))
            self._events.note(event, f"the files of these bots are gone, so that they lose: {names}")
        thread = threading.Thread(target=self._run, args=(event, contest), name=f"event {event.id}",
                                  daemon=True)
        self._running[event.id] = _Running(contest, thread)
        thread.start()

    def _run(self, event: SiteEvent, contest: EventContest) -> None:
        try:
            contest.run(workers=self._workers_of(event))
            if contest.is_over:
                self._events.finish(event)
        except StoreError as error:    # it goes on when the store is there again
            self._say(f"the event '{event.title}' waits for its store: {error}")
        except PolyversiError as error:
            if self._events.missing(event) == contest.missing:    # otherwise it goes on without these
                self._halt(event, str(error))
        except Exception as error:    # it must not be begun again every second
            self._say(f"the event '{event.title}' stopped: {type(error).__name__}: {error}")
            self._halt(event, BROKEN)

    def _halt(self, event: SiteEvent, problem: str) -> None:
        if self._is_closing:
            return
        with suppress(StoreError):    # then it is tried again, and halted then
            self._events.halt(event, problem)
