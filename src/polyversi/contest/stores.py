"""Stores for the finished games of a contest: a JSON Lines file, or a database."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from polyversi.contest.model import Fixture
from polyversi.contest.plan import Plan
from polyversi.contest.playing import match_tags, recorded_game, start_of
from polyversi.games.board import shorten
from polyversi.games.errors import RecordError
from polyversi.records import Record
from polyversi.storage.line_file import RecordFile
from polyversi.storage.stored import PlayedGame

if TYPE_CHECKING:
    from polyversi.storage.contests import ContestStore

DATABASES = (".db", ".sqlite", ".sqlite3")
"""Endings of files that are databases."""


class JsonLines(RecordFile):
    """The games of a match in a file of records, which every command reads.

    >>> import tempfile
    >>> from polyversi.contest.match import Match
    >>> path = Path(tempfile.mkdtemp()) / "games.jsonl"
    >>> match = Match(("random", "greedy"), variant="othello-4", games=2)
    >>> _ = match.run(out=path)
    >>> [game.seating for game in JsonLines(path, match.plan).played()]
    [(0, 1), (1, 0)]
    """

    takes_batches = False
    """Whether several quick games are stored together, because each write is slow."""

    def __init__(self, path: Path, plan: Plan) -> None:
        super().__init__(path)
        self._plan = plan

    def reserved(self) -> AbstractContextManager[object]:
        """Reserves the contest: nobody else can play it within this context."""
        return self

    def played(self) -> Sequence[PlayedGame]:
        """The games of the file; a RecordError if they belong to another match."""
        if self._stream is None:
            self.load()
        fixtures = {fixture.id: fixture for fixture in self._plan.fixtures}
        found: dict[str, PlayedGame] = {}
        for record in self.records:
            number = record.tag("round")
            fixture = fixtures.get(number)
            if fixture is None or (different := self._difference(fixture, record)):
                who = " and ".join(record.players) or "nobody"
                reason = f": {different}" if fixture else ""
                raise RecordError(f"the file holds game '{number}' of {who}, not a game of this match"
                                  f"{reason}; choose another file")
            found[number] = recorded_game(fixture, record)
        return list(found.values())

    def _difference(self, fixture: Fixture, record: Record) -> str:
        """What makes a record a game of another match; empty if it is a game of this one."""
        tags = {"adjudicate": "", "named": "", **dict(match_tags(self._plan, fixture))}
        players = tuple(self._plan.entrants[entrant].name for entrant in fixture.seating)
        start = start_of(self._plan, fixture)
        if record.game != start.game:
            return f"variant {shorten(record.game.spec)}, not {shorten(start.game.spec)}"
        for name, found, wanted in (
            ("players", ", ".join(record.players), ", ".join(players)),
            *((name, record.tag(name), text) for name, text in tags.items() if name != "seed"),
        ):
            if found != wanted:
                return f"{name} {shorten(found) or 'none'}, not {shorten(wanted) or 'none'}"
        if record.tag("seed") != tags["seed"]:
            return f"another seed than {self._plan.seed}"
        return "" if record.start == start else "another opening"

    def keep(self, games: Sequence[PlayedGame]) -> None:
        """Stores finished games; they are on disk when this returns."""
        for game in games:
            self.append(game.line)


class InDatabase:
    """One contest of a database, which may hold several."""

    takes_batches = True

    def __init__(self, store: ContestStore, name: str) -> None:
        self.store = store
        self.name = name

    def reserved(self) -> AbstractContextManager[object]:
        return self.store.reserved(self.name)

    def played(self) -> Sequence[PlayedGame]:
        return self.store.played(self.name)

    def keep(self, games: Sequence[PlayedGame]) -> None:
        self.store.keep(self.name, games)


GameStore = JsonLines | InDatabase
"""A store for the games of one contest."""


def match_store(out: Path | str, plan: Plan) -> GameStore:
    """The store of a match: a `.jsonl` file, or a database for `.db` or a URL.

    A store that holds a part of the same match continues it; a RecordError for another match, and for a file
    of another format, which could not hold all that it takes to continue.

    >>> match_store("games.ggf", Plan("match", ()))
    Traceback (most recent call last):
    polyversi.games.errors.RecordError: a match is stored in a .jsonl or .db file, not in games.ggf; \
use --out games.jsonl, and afterwards `polyversi convert games.jsonl games.ggf`
    """
    if "://" not in str(out) and (path := Path(out)).suffix.lower() not in DATABASES:
        if path.suffix.lower() != ".jsonl":
            lines = path.with_suffix(".jsonl").name
            raise RecordError(f"a match is stored in a .jsonl or .db file, not in {path.name}; use --out "
                              f"{lines}, and afterwards `polyversi convert {lines} {path.name}`")
        return JsonLines(path, plan)
    from polyversi.storage.contests import ContestStore  # needs SQLAlchemy, which other stores do without

    store = ContestStore.open(str(out))
    if plan.name not in store.names():
        store.create(plan.name, plan.to_json())
        return InDatabase(store, plan.name)
    there = Plan.from_json(store.contest(plan.name)[0])
    fixtures = {fixture.id: fixture.seating for fixture in plan.fixtures}
    same = plan == replace(there, games=plan.games, sprt=plan.sprt, jobs=plan.jobs, trust=plan.trust,
                           stall_timeout=plan.stall_timeout)
    if not same or any(fixtures.get(game.id) != game.seating for game in store.played(plan.name)):
        different = _difference(there, plan)
        raise RecordError(f"{store.name} holds another match{different and f': {different}'}; "
                          "choose another file")
    store.change(plan.name, plan.to_json(), {})
    return InDatabase(store, plan.name)


def _difference(there: Plan, wanted: Plan) -> str:
    """The first setting in which a stored match differs from the one that is wanted."""
    for name, found, text in zip(("players", "variant", "limit", "seed", "openings", "seats", "adjudicate"),
                                 _settings(there), _settings(wanted), strict=True):
        if found != text:
            return f"{name} {shorten(found)}, not {shorten(text)}"
    return ""


def _settings(plan: Plan) -> tuple[str, ...]:
    return (", ".join(entrant.name for entrant in plan.entrants), ", ".join(plan.variants), str(plan.limit),
            str(plan.seed), str(plan.openings), plan.seats, str(plan.adjudicate))
