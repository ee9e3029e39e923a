"""Events: set up, started, paused and finished, whatever happens to whoever plays them."""

from __future__ import annotations

import io
import shutil
import tarfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec
import pytest
import sqlalchemy as sql

from polyversi.contest.report import report_of
from polyversi.contest.tournament import Tournament
from polyversi.contest.workers import local_workers
from polyversi.games.errors import PolyversiError
from polyversi.site import audit
from polyversi.site.backup import backup
from polyversi.site.bots import Bot, UnknownBotError
from polyversi.site.checking import Report, store_step
from polyversi.site.erasing import erase
from polyversi.site.event_outputs import written
from polyversi.site.event_plans import EventSettings, MapFile
from polyversi.site.event_runner import EventRunner
from polyversi.site.events import (
    CHECK_SECONDS,
    Events,
    NoEventError,
    SiteEvent,
    StaleError,
    lock_versions,
)
from polyversi.site.opened import make_tables
from polyversi.site.roles import Person, Role
from polyversi.site.settings import SiteError, SiteFile, SiteSettings
from polyversi.site.store import SiteStore
from polyversi.site.tables import ARRIVALS, BOTS, ENTRANTS, EVENTS, VERSIONS
from polyversi.storage.contests import ContestStore
from tests.testing.ladders import CRASHES, LAST_MOVE, Rungs
from tests.testing.marks import slow
from tests.testing.sandbox import needs_sandbox
from tests.testing.uploads import FIRST_MOVE
from tests.testing.waiting import until

ORGANISER = Person("o", "Olga", Role.ORGANISER)
QUICK = EventSettings(variants=("othello-4",), players=("random", "greedy", "mobility"), limit="depth=1")


@dataclass
class Runs:
    """A site's events, and who plays them."""

    events: Events
    runner: EventRunner
    said: list[str]

    def until(self, id: str, is_so: Callable[[SiteEvent], bool]) -> SiteEvent:
        """Looks as the conductor does until something is so."""
        def look() -> SiteEvent | None:
            if is_so(event := self.events.find(id)):
                return event
            self.runner.poll()
            return None

        event = until(look, lambda: self.events.find(id))
        assert event is not None
        return event


@pytest.fixture
def runs(site_store: str, tmp_path: Path) -> Iterator[Runs]:
    file = SiteFile(SiteSettings(store=site_store), tmp_path)
    with closing(SiteStore.open(file.store)) as store, closing(ContestStore.open(file.store)) as contests:
        events, said = Events(file, store, contests), list[str]()
        runner = EventRunner(events, lambda _: local_workers(1), said.append)
        yield Runs(events, runner, said)
        runner.close()


def test_an_event_is_played_to_its_end(runs: Runs) -> None:
    events = runs.events
    event = events.create(ORGANISER, "  Spring   cup ", QUICK)
    assert (event.title, event.phase, event.contest) == ("Spring cup", "draft", "")
    events.start(ORGANISER, event.id)
    over = runs.until(event.id, lambda event: event.phase == "over")
    assert over.contest == "Spring cup" and not over.problem and not runs.said
    cup = Tournament(events.contests, over.contest)    # as `polyversi tournament show` reads it
    assert cup.is_over and len(cup.played) == 6
    assert [one.who for one in events.entrants(over)] == ["player:greedy", "player:mobility", "player:random"]
    again = events.create(ORGANISER, "Spring cup", QUICK)
    assert events.start(ORGANISER, again.id).contest == "Spring cup#2"
    actions = [(entry.person, entry.action) for entry in audit.entries(events.store)]
    assert actions[::-1] == [("o", "event.create"), ("o", "event.start")] * 2


def test_a_pause_ends_after_the_games_in_progress(runs: Runs) -> None:
    events = runs.events
    many = replace_settings(QUICK, games=400, failures=1)
    event = events.start(ORGANISER, events.create(ORGANISER, "Long", many).id)
    runs.until(event.id, lambda event: len(events.contests.played(event.contest)) > 3)
    events.pause(ORGANISER, event.id)
    runs.runner.poll()
    runs.runner.close()
    played = len(events.contests.played(event.contest))
    runs.runner.poll()
    assert played < 1200 and len(events.contests.played(event.contest)) == played
    with pytest.raises(SiteError, match="'Long' is paused; nobody can pause it now"):
        events.pause(ORGANISER, event.id)
    events.resume(ORGANISER, event.id)
    runs.until(event.id, lambda event: len(events.contests.played(event.contest)) > played)
    assert events.cancel(ORGANISER, event.id).phase == "cancelled"
    runs.runner.poll()
    with pytest.raises(SiteError, match="is cancelled; nobody can resume it"):
        events.resume(ORGANISER, event.id)


def test_another_runner_goes_on_where_one_was_killed(runs: Runs) -> None:
    events = runs.events
    event = events.start(ORGANISER, events.create(ORGANISER, "Cup", QUICK).id)
    cup = Tournament(events.contests, event.contest)
    with events.contests.reserved(event.contest):    # somebody else, who is about to be killed
        runs.runner.poll()
        assert not runs.until(event.id, lambda _: bool(runs.said)).problem
    runs.until(event.id, lambda event: event.phase == "over")
    cup.load()
    assert len(cup.played) == 6


def test_one_waits_for_its_deadline_and_says_why_it_could_not_begin(runs: Runs) -> None:
    events = runs.events
    soon = replace_settings(QUICK, deadline=time.time() + 3600)
    event = events.start(ORGANISER, events.create(ORGANISER, "Later", soon).id)
    runs.runner.poll()
    assert events.find(event.id).phase == "scheduled"
    assert events.pause(ORGANISER, event.id).phase == "draft"
    past = replace_settings(QUICK, deadline=time.time() - 1)
    events.change(ORGANISER, event.id, "Now", past)
    assert events.start(ORGANISER, event.id).phase == "running"


def end_waiting(events: Events, event: SiteEvent, seconds: float = 0.0) -> None:
    """Has the deadline of an event have passed so many seconds ago."""
    settings = replace_settings(event.settings, deadline=time.time() - seconds)
    with events.store.writing() as connection:
        connection.execute(sql.update(EVENTS).where(EVENTS.c.id == event.id).values(
            settings=msgspec.to_builtins(settings)))


def test_what_was_handed_in_by_the_deadline_is_checked_before_it_begins(
        site_store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polyversi.site.events.SETTLE_SECONDS", 0.0)
    rungs = Rungs(tmp_path, site_store)
    with closing(rungs.store), closing(ContestStore.open(rungs.file.store)) as contests:
        events = Events(rungs.file, rungs.store, contests)
        _, first = rungs.climb("Ann")
        bob = rungs.person("Bob")
        second = rungs.bots.create(bob, "Bob's", "othello")
        event = events.start(ORGANISER, events.create(ORGANISER, "Course", on_ladder()).id)
        rungs.hand_in(bob, second, CRASHES)
        rungs.hand_in(bob, second, FIRST_MOVE)    # the last one in time
        assert events.unchecked(event) == 0, "the deadline is still to come"
        end_waiting(events, event)
        rungs.hand_in(bob, second, LAST_MOVE)
        assert [one.phase for one in rungs.bots.versions(second.id)] == ["waiting", "waiting", "withdrawn"]
        events.begin_scheduled()
        waiting = events.find(event.id)
        assert (waiting.phase, events.unchecked(waiting)) == ("scheduled", 1)
        with rungs.store.writing() as connection:
            is_it = VERSIONS.c.bot == second.id, VERSIONS.c.number == 2
            connection.execute(sql.update(VERSIONS).where(*is_it).values(phase="passed"))
            connection.execute(sql.update(BOTS).where(BOTS.c.id == second.id).values(active=2))
        events.begin_scheduled()
        begun = events.find(event.id)
        assert (begun.phase, events.unchecked(begun)) == ("running", 0)
        assert {one.who for one in events.entrants(begun)} == {
            f"bot:{first.id}/1", f"bot:{second.id}/2", "player:random"}
        started = next(entry for entry in audit.entries(rungs.store) if entry.action == "event.start")
        assert started.person == audit.BY_SCHEDULE


def test_an_event_waits_an_hour_for_checks_unless_it_is_started_before(tmp_path: Path) -> None:
    rungs = Rungs(tmp_path)
    with closing(rungs.store), closing(ContestStore.open(rungs.file.store)) as contests:
        events = Events(rungs.file, rungs.store, contests)
        bob = rungs.person("Bob")
        rungs.hand_in(bob, rungs.bots.create(bob, "Bob's", "othello"), FIRST_MOVE)
        with rungs.store.writing() as connection:
            connection.execute(sql.update(VERSIONS).values(created=1.0))
        for seconds, phase in ((CHECK_SECONDS - 60, "scheduled"), (CHECK_SECONDS + 60, "running")):
            settings = replace_settings(on_ladder(), players=("random", "greedy"))
            event = events.start(ORGANISER, events.create(ORGANISER, "Course", settings).id)
            end_waiting(events, event, seconds)
            events.begin_scheduled()
            assert events.find(event.id).phase == phase
        waiting, = events.in_phase("scheduled")
        assert events.unchecked(waiting) == 1
        assert events.start(ORGANISER, waiting.id).phase == "running"


def test_what_has_arrived_by_the_deadline_is_in_time_however_long_it_is_unpacked(
        site_store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("polyversi.site.events.SETTLE_SECONDS", 0.0)
    with rungs_and_events(tmp_path, site_store) as (rungs, events):
        ann, first = rungs.climb("Ann")
        source = tmp_path / "source"
        source.write_text(FIRST_MOVE)
        event = events.start(ORGANISER, events.create(ORGANISER, "Course", on_ladder()).id)
        arrival = rungs.bots.arrive(first)
        end_waiting(events, event)
        late = rungs.bots.arrive(first)
        events.begin_scheduled()
        waiting = events.find(event.id)
        assert (waiting.phase, events.unchecked(waiting)) == ("scheduled", 1)
        version = rungs.bots.hand_in(ann, first, source, "main.py", received=arrival.time)
        rungs.bots.settle(arrival)
        assert version.created == arrival.time and events.unchecked(waiting) == 1, "it is to be checked"
        with rungs.store.writing() as connection:
            connection.execute(sql.update(VERSIONS).where(VERSIONS.c.number == 2).values(phase="checking"))
        assert store_step(rungs.store, first.id, 2, Report(has_passed=True), is_last=True)
        events.begin_scheduled()
        begun = events.find(event.id)
        assert begun.phase == "running"
        assert {one.who for one in events.entrants(begun)} == {f"bot:{first.id}/2", "player:random"}
        assert late.time > arrival.time
        rungs.bots.tidy()    # as the next server does
        assert rungs.store.read(sql.select(ARRIVALS)) == []


def entrants_by(rungs: Rungs, events: Events, settings: EventSettings) -> tuple[set[str], str]:
    """Who takes part in an event that begins now, and what its organiser is told."""
    event = events.start(ORGANISER, events.create(ORGANISER, "Cup", settings).id)
    names = {bot.id: bot.name for bot in rungs.bots.all()}
    return {f"{names[bot]} {number}" for bot, _, number in
            (one.who.removeprefix("bot:").partition("/") for one in events.entrants(event)
             if one.who.startswith("bot:"))}, event.problem


@pytest.mark.slow
def test_who_takes_part_is_what_plays_or_was_there_by_the_deadline(site_store: str, tmp_path: Path) -> None:
    with rungs_and_events(tmp_path, site_store) as (rungs, events):
        people = dict(rungs.climb(name) for name in ("Ann", "Bob", "Cid", "Dan", "Eve"))
        (ann, anns), (bob, bobs), (_, cids), (dan, dans), (eve, eves) = people.items()
        rungs.renew(bob, bobs, LAST_MOVE)
        rungs.bots.play(bob, bobs, 1)
        rungs.bots.play(dan, dans, 0)
        deadline = time.time()
        rungs.renew(ann, anns, LAST_MOVE)
        _, fays = rungs.climb("Fay")
        in_time = {"Ann's 1", "Bob's 1", "Cid's 1", "Eve's 1"}
        now = {"Ann's 2", "Bob's 1", "Cid's 1", "Eve's 1", "Fay's 1"}
        rests, is_late = "Dan's rests and takes no part", "Fay's was handed in too late and takes no part"
        everybody = of_bots(anns, bobs, cids, dans, eves, fays, players=("random",))
        by_ladder = replace_settings(on_ladder(), deadline=None)
        assert entrants_by(rungs, events, by_ladder) == (now, "")
        assert entrants_by(rungs, events, replace_settings(by_ladder, deadline=deadline)) == (in_time, "")
        assert entrants_by(rungs, events, everybody) == (now, rests)
        assert entrants_by(rungs, events, replace_settings(everybody, deadline=deadline)) == (
            in_time, f"{rests}; {is_late}")
        event = events.create(ORGANISER, "Open", of_bots(cids, eves, players=("random",)))
        rungs.bots.delete(eve, eves)
        assert events.start(ORGANISER, event.id).problem == "one of the bots is not there any more"


def on_ladder() -> EventSettings:
    """Everybody on the ladder, and a player of the program, in an hour."""
    return EventSettings(variants=("othello-4",), ladder="othello", deadline=time.time() + 3600,
                         limit="seconds=20", players=("random",))


REFUSED: list[tuple[dict[str, object], str]] = [
    ({"variants": ()}, "an event needs a variant or a map"),
    ({"variants": ("xt:/etc/passwd",)}, "there is no|cannot"),
    ({"players": ("random",)}, "2 to 1000 entrants, not 1"),
    ({"players": ("bot:/bin/cat", "random")}, "there is no player 'bot:/bin/cat'"),
    ({"players": ("polyversi:weights=/etc/passwd", "random")}, "for the command line only"),
    ({"players": ("polyversi:threads=64", "random")}, "for the command line only"),
    ({"format": "swis"}, "did you mean 'swiss'"),
    ({"games": 3}, "equally often"),
    ({"limit": "soon"}, "limit|soon"),
    ({"ladder": "no"}, "there is no such ladder"),
    ({"bots": ("nobody",)}, "not there any more"),
    ({"maps": (MapFile("mine", "no map"),)}, "the map 'mine': line 1"),
]


def test_what_cannot_be_played_is_refused_in_a_sentence(runs: Runs) -> None:
    for changes, problem in REFUSED:
        with pytest.raises(PolyversiError, match=problem):
            runs.events.create(ORGANISER, "Cup", replace_settings(QUICK, **changes))
    assert runs.events.all() == []


def test_only_a_draft_is_changed_and_nothing_deleted_that_runs(runs: Runs) -> None:
    events = runs.events
    event = events.create(ORGANISER, "Cup", QUICK)
    changed = events.change(ORGANISER, event.id, "Bowl", replace_settings(QUICK, variants=("hex:side=3",)))
    assert (changed.title, changed.settings.variants) == ("Bowl", ("hex:side=3",))
    events.start(ORGANISER, event.id)
    for change in (lambda: events.change(ORGANISER, event.id, "Cup", QUICK),
                   lambda: events.delete(ORGANISER, event.id)):
        with pytest.raises(SiteError, match="'Bowl' is running"):
            change()
    other = events.create(ORGANISER, "Cup", QUICK)
    events.delete(ORGANISER, other.id)
    with pytest.raises(NoEventError):
        events.find(other.id)


def test_what_is_over_or_cancelled_is_deleted_with_its_games(runs: Runs) -> None:
    events = runs.events
    over = events.start(ORGANISER, events.create(ORGANISER, "Cup", QUICK).id)
    runs.until(over.id, lambda event: event.phase == "over")
    cancelled = events.start(ORGANISER, events.create(ORGANISER, "Bowl", QUICK).id)
    with pytest.raises(SiteError, match="'Bowl' is running"):
        events.delete(ORGANISER, cancelled.id)
    events.cancel(ORGANISER, cancelled.id)
    for event in (over, cancelled):
        events.delete(ORGANISER, event.id)
    assert events.all() == [] and events.contests.names() == []
    assert events.contests.played("Cup") == [] and events.numbers_of_entrants() == {}
    noted = {entry.subject: entry for entry in audit.entries(events.store) if entry.action == "event.delete"}
    assert noted[over.id].detail == {"title": "Cup", "games": 6} and noted[over.id].person == ORGANISER.id
    again = events.start(ORGANISER, events.create(ORGANISER, "Cup", QUICK).id)
    assert again.contest == "Cup"


def test_maps_of_the_organiser_are_played(runs: Runs) -> None:
    maps = (MapFile("ring", "2 1 1 1  3 5  0 0 0 0 0  0 1 2 1 0  0 0 0 0 0"),
            MapFile("line", "2 0 0 0  1 6  0 0 1 2 0 0"))
    event = runs.events.create(ORGANISER, "Maps", EventSettings(
        maps=maps, players=("random", "random"), limit="depth=1"))
    runs.events.start(ORGANISER, event.id)
    over = runs.until(event.id, lambda event: event.phase == "over")
    plan = runs.events.plan(over)
    assert plan is not None and plan.variants == ("xt:ring", "xt:line")
    assert [entrant.name for entrant in plan.entrants] == ["random", "random#2"]
    assert len(runs.events.contests.played(over.contest)) == 4


def test_an_entrant_whose_file_is_gone_pauses_it_with_a_sentence(runs: Runs) -> None:
    events = runs.events
    event = events.start(ORGANISER, events.create(ORGANISER, "Cup", QUICK).id)
    plan = events.plan(event)
    assert plan is not None
    gone = replace(plan.entrants[0], spec="course:/nowhere/agent.py")
    broken = replace(plan, entrants=(gone, *plan.entrants[1:]))
    events.contests.change(event.contest, broken.to_json(), {})
    paused = runs.until(event.id, lambda event: event.phase == "paused")
    assert "random" in paused.problem or "agent.py" in paused.problem


def of_bots(*bots: Bot, **changes: object) -> EventSettings:
    """These bots play a little game."""
    settings = EventSettings(variants=("othello-4",), bots=tuple(bot.id for bot in bots), limit="seconds=20")
    return replace_settings(settings, **changes)


@needs_sandbox
@pytest.mark.parametrize("how", ["bot", slow("version"), slow("person")])
def test_a_bot_that_is_deleted_plays_on_in_an_event_that_goes_on(
        site_store: str, tmp_path: Path, how: str) -> None:
    with rungs_and_events(tmp_path, site_store) as (rungs, events):
        (ann, first), (bob, second) = rungs.climb("Ann"), rungs.climb("Bob", CRASHES)
        event = events.start(ORGANISER, events.create(ORGANISER, "Cup", of_bots(first, second)).id)
        events.pause(ORGANISER, event.id)
        rungs.renew(bob, second, LAST_MOVE)
        if how == "version":
            rungs.bots.delete_version(bob, second, 1)
        elif how == "bot":
            rungs.bots.delete(bob, second)
        else:
            rungs.person("Olga", Role.ORGANISER)
            erase(rungs.file, rungs.store, bob.id)
        folder = rungs.file.uploads / second.id
        rungs.bots.tidy()
        backup(rungs.file, tmp_path / "backup.tar.gz")
        with tarfile.open(tmp_path / "backup.tar.gz") as archive:    # so that it goes on when it is restored
            assert f"uploads/{second.id}/1/main.py" in archive.getnames()
        assert {path.name for path in folder.iterdir()} == ({"1", "2"} if how == "version" else {"1"})
        assert rungs.bots.version(second.id, 1).size > 0, "its room is taken as long as they are there"
        with pytest.raises(UnknownBotError):
            rungs.bots.write_source(second, 1, io.BytesIO())
        events.resume(ORGANISER, event.id)
        play_out(events, event)
        cup = Tournament(events.contests, event.contest)
        assert len(cup.played) == 2 and cup.standings.scores[1].faults == {"crash": 2}
        assert (folder / "1").exists() is False and rungs.bots.version(second.id, 1).size == 0
        outputs = "".join(text for game in cup.played.values() for text in game.outputs)
        assert "no <b>way" not in outputs, "what is deleted writes nothing any more"
        assert ann


@needs_sandbox
def test_a_bot_whose_files_are_gone_loses_and_the_others_go_on(site_store: str, tmp_path: Path) -> None:
    with rungs_and_events(tmp_path, site_store) as (rungs, events):
        bots = [rungs.climb(name)[1] for name in ("Ann", "Bob", "Cid")]
        event = events.start(ORGANISER, events.create(ORGANISER, "Cup", of_bots(*bots)).id)
        shutil.rmtree(rungs.file.uploads / bots[1].id)
        play_out(events, event)
        cup = Tournament(events.contests, event.contest)
        faults = [cup.standings.scores[number].faults for number in range(3)]
        assert len(cup.played) == 6 and faults == [{}, {"crash": 4}, {}]
        assert "its files are gone" in str([game.verdict for game in cup.played.values()])


def test_an_event_tells_whose_files_are_gone(runs: Runs) -> None:
    event = runs.events.start(ORGANISER, runs.events.create(ORGANISER, "Cup", QUICK).id)
    runs.events.file.uploads.mkdir()
    with runs.events.store.writing() as connection:
        own = ENTRANTS.c.event == event.id, ENTRANTS.c.name == "random"
        connection.execute(sql.update(ENTRANTS).where(*own).values(who="bot:nowhere/1"))
    runs.runner.poll()
    assert runs.events.find(event.id).problem == (
        "the files of these bots are gone, so that they lose: random")
    assert not runs.until(event.id, lambda event: event.phase == "over").problem


def test_a_version_that_is_deleted_as_an_event_begins_takes_no_part(site_store: str, tmp_path: Path) -> None:
    with rungs_and_events(tmp_path, site_store) as (rungs, events):
        (_, first), (bob, second) = rungs.climb("Ann"), rungs.climb("Bob")
        settings = of_bots(first, second, players=("random",))
        event = events.create(ORGANISER, "Cup", settings)
        choices, _ = events.choices(settings)
        rungs.bots.delete_version(bob, second, 1)
        with events.store.writing() as connection, pytest.raises(StaleError, match="deleted just now"):
            lock_versions(connection, [one.who for one in choices])
        assert events.find(event.id).phase == "draft"


@contextmanager
def rungs_and_events(folder: Path, where: str) -> Iterator[tuple[Rungs, Events]]:
    """A site with a ladder, and its events."""
    rungs = Rungs(folder, where)
    make_tables(rungs.file)
    with closing(rungs.store), closing(ContestStore.open(rungs.file.store)) as contests:
        yield rungs, Events(rungs.file, rungs.store, contests)


def play_out(events: Events, event: SiteEvent) -> None:
    """Plays an event to its end, and looks once more."""
    workers = replace(local_workers(1), is_public=True)    # as those of a site are
    runner = EventRunner(events, lambda _: workers, print)
    over = Runs(events, runner, []).until(event.id, lambda event: event.phase in ("over", "paused"))
    runner.close()
    runner.poll()
    runner.poll()
    assert (over.phase, over.problem) == ("over", "")


def replace_settings(settings: EventSettings, **changes: object) -> EventSettings:
    return EventSettings(**{name: changes.get(name, getattr(settings, name))
                            for name in settings.__struct_fields__})    # type: ignore[arg-type]


@pytest.mark.slow
def test_those_take_part_who_have_passed_by_the_deadline(tmp_path: Path) -> None:
    rungs = Rungs(tmp_path)
    with closing(rungs.store), closing(ContestStore.open(rungs.file.store)) as contests:
        events = Events(rungs.file, rungs.store, contests)
        ann, first = rungs.climb("Ann")
        _, second = rungs.climb("Bob", CRASHES)
        deadline = time.time()
        rungs.renew(ann, first, LAST_MOVE)    # too late for the one event, in time for the other
        rungs.climb("Cid")
        for title, by, numbers in (("Course", deadline, {first.id: 1, second.id: 1}),
                                   ("Open", None, {first.id: 2, second.id: 1})):
            settings = EventSettings(variants=("othello-4",), ladder="othello", deadline=by,
                                     limit="seconds=20", players=("random",))
            event = events.start(ORGANISER, events.create(ORGANISER, title, settings).id)
            bots = dict(one.who.removeprefix("bot:").split("/") for one in events.entrants(event)
                        if one.who.startswith("bot:"))
            assert numbers.items() <= {bot: int(number) for bot, number in bots.items()}.items()
            assert len(bots) == (2 if by else 3)
        course = next(event for event in events.all() if event.title == "Course")
        workers = replace(local_workers(1), is_public=True)    # as those of a site are
        runner = EventRunner(events, lambda _: workers, print)
        events.cancel(ORGANISER, next(event.id for event in events.all() if event.title == "Open"))
        Runs(events, runner, []).until(course.id, lambda event: event.phase == "over")
        runner.close()
        cup = Tournament(contests, course.contest)
        assert len(cup.played) == 6 and cup.standings.scores[1].faults == {"crash": 4}
        shown = "".join(report_of(cup, has_outputs=False))
        told = written(events, course, lambda bot: bot.id == second.id)
        assert {one.name for one in told} == {"Bob's"} and "no <b>way" in told[0].output
        assert all(one.name == "Ann's" for one in written(events, course, lambda bot: bot.id == first.id))
        assert "no <b>way" not in shown and "no &lt;b&gt;way" not in shown and str(tmp_path) not in shown
