"""Tournament files: a few lines of TOML become a plan; errors name the line."""

from __future__ import annotations

import os
import re
import shlex
import tomllib
from bisect import bisect_left
from dataclasses import dataclass, field, replace
from functools import reduce
from glob import escape
from operator import getitem
from pathlib import Path
from typing import Any

import msgspec

from polyversi.contest.formats import format_from
from polyversi.contest.openings import Openings
from polyversi.contest.plan import (
    MAX_ENTRANTS,
    BrokenBot,
    Entrant,
    ErrorPath,
    Plan,
    PlanError,
    at_place,
    name_of,
    parse_limit,
    presentable,
    split_name,
    unique_name,
)
from polyversi.gameplay.bots.process import shown
from polyversi.games.board import shorten
from polyversi.games.files import StrPath
from polyversi.games.game import Game
from polyversi.games.limit import Limit
from polyversi.games.mapkinds import KINDS
from polyversi.games.registry import nearest
from polyversi.games.variants import file_of, with_file
from polyversi.players import PLAYERS
from polyversi.protocols.agent_python import split_python
from polyversi.protocols.bot_files import beside, files_of, find_bots, is_file, is_folder, is_pattern
from polyversi.protocols.spec import BOTS, is_bot

MAX_BYTES = 1_000_000
"""Of a tournament file."""
TOML_PLACE = re.compile(r"\(at (?:line ([0-9]+), column [0-9]+|end of document)\)$")
WRONG = re.compile(r"(?:Object contains unknown field `(.*?)`|.*?)(?: - at `\$(.*)`)?", re.DOTALL)
"""What msgspec says of a document: an unknown field, or a value of another type, and where."""
STEP = re.compile(r"\.([a-z]+)|\[([0-9]+)\]")


class EntrantTable(msgspec.Struct, forbid_unknown_fields=True):
    """An entrant that is written as a table."""

    name: str | None = None
    spec: str | None = None
    folder: str | None = None


class PlanFile(msgspec.Struct, forbid_unknown_fields=True):
    """The keys of a tournament file."""

    name: str | None = None
    variant: str | None = None
    variants: list[str] | None = None
    entrants: list[str | EntrantTable] | None = None
    folder: str | None = None
    format: str | dict[str, Any] = "round-robin"
    games: int | None = None
    openings: str | int = "none"
    limit: str | int | float = 1
    seed: int = 0
    jobs: int = 0
    failures: int = 0
    trust: bool = False
    suspend: bool = False
    anchors: dict[str, Any] = {}
    adjudicate: int = 0


HINTS = {
    "variants": 'a list of texts, such as ["othello", "hex"]',
    "entrants": 'a list of texts, such as ["bots/*", "random"], or of tables such as {folder = "bots"}',
    "format": 'a text, such as "swiss", or a table',
    "openings": 'a number of random plies, or a text such as "balanced 8" or "book.ggf"',
    "limit": 'a text, such as "seconds=5", or a number of seconds',
    "anchors": "a table of names and ratings",
    **dict.fromkeys(("games", "seed", "jobs", "failures", "adjudicate"), "a whole number, such as 2"),
    **dict.fromkeys(("trust", "suspend"), "true or false"),
    **dict.fromkeys(("name", "variant"), 'a text, such as "hex"'),
    "spec": 'a text, such as "random"',
    "folder": 'a text, such as "bots"',
}
"""The values that each key takes."""
MISPLACED = {*PlanFile.__struct_fields__} - {"name"}
"""Keys of the tournament that may have ended up in a table by mistake."""


def read_plan(path: StrPath) -> Plan:
    """The plan that a tournament file describes; a PlanError names the line of a mistake.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "cup.toml")
    ...     _ = file.write_text('variant = "hex"\\nentrants = ["t77", "random"]\\nlimit = "depth=3"\\n')
    ...     plan = read_plan(file)
    >>> plan.name, plan.variants, [entrant.name for entrant in plan.entrants]
    ('cup', ('hex',), ['t77', 'random'])
    """
    path = Path(path)
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:    # a ValueError for a path that no file can have
        reason = getattr(error, "strerror", None) or error
        raise PlanError(f"the tournament file {shorten(str(path), 200)} cannot be read: {reason}") from None
    return parse_plan(data, path)


def parse_plan(data: bytes, path: Path) -> Plan:
    r"""The same for the content of a file; the files that it names are searched beside its path.

    >>> parse_plan(b'entrants = ["random", "t77"]\ngame = 4\n', Path("cup.toml"))
    Traceback (most recent call last):
    polyversi.contest.plan.PlanError: cup.toml, line 2: there is no key 'game'; did you mean 'games'?
    """
    text = _text(data, path)
    document = _document(text, path)
    origins: dict[ErrorPath, ErrorPath] = {}
    try:
        plan = _Reader(_validated(document), path.absolute().parent, origins=origins).plan(path.stem)
        plan.check()
    except PlanError as error:
        place = origins.get(error.place, error.place)
        for key, other in (("variants", "variant"), ("format", "entrants"), ("entrants", "folder")):
            if place == (key,) and key not in document:    # what is wrong follows from the other one
                place = (other,)
        sentence = path.name + (f", line {line}" if (line := line_of(text, place)) else "")
        sentence += f": {shown(str(error), 1000)}"
        if place[:1] in (("format",), ("anchors",)) and set(place[1:]) & MISPLACED:
            sentence += f"; keys of the tournament must come before [{place[0]}]"
        raise PlanError(sentence, *place) from None
    return plan


def newcomer(plan: Plan, text: str, folder: Path, name: str | None = None) -> Entrant:
    """A new entrant of a tournament: a player or a bot as in a tournament file, relative to a folder.

    >>> plan = parse_plan(b'entrants = ["random", "t77"]', Path("cup.toml"))
    >>> newcomer(plan, "random", Path.cwd()), newcomer(plan, "Ann=random", Path.cwd()).name
    (Entrant(name='random#2', spec='random'), 'Ann')
    """
    reader = _Reader(PlanFile(), folder, plan.games_played)
    given, spec = reader.split(text)
    found = reader.named(spec, ())
    if len(found) > 1:
        raise PlanError(f"'{shorten(spec)}' matches {len(found)} bots; add one at a time")
    if found[0].problem:
        raise PlanError(found[0].problem)
    name = name or given or unique_name(found[0].name, set(plan.names))
    return Entrant(name, found[0].spec)


def line_of(text: str, place: ErrorPath) -> int | None:
    r"""The line, from 1, of a key or an element of a TOML text, or of what contains it.

    What is there after so many lines, but not after one less, is on the last of them. So the text is cut,
    closed and parsed until that line is found.

    >>> line_of('games = 4\nentrants = [\n  "random",\n  {name = "Ann", spec = "t77"},\n]\n', ("entrants", 1))
    4
    """
    lines = text.splitlines()
    while place and not _has(tomllib.loads(text), place):
        place = place[:-1]
    if not place:
        return None

    def is_there(number: int) -> bool:
        for last in range(number, 0, -1):    # not every line is the end of something
            for closing in ("", "\n]"):
                try:
                    return _has(tomllib.loads("\n".join(lines[:last]) + closing), place)
                except tomllib.TOMLDecodeError:
                    continue
        return False

    return bisect_left(range(1, len(lines)), True, key=is_there) + 1


def _has(document: Any, place: ErrorPath) -> bool:
    try:
        reduce(getitem, place, document)
    except (KeyError, IndexError, TypeError):
        return False
    return True


def _text(data: bytes, path: Path) -> str:
    if len(data) > MAX_BYTES:
        raise PlanError(f"{path.name} is not a tournament file: it has more than {MAX_BYTES} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise PlanError(f"{path.name}, line {line}: this is not UTF-8; save the file as UTF-8 text") from None


def _document(text: str, path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:    # not all of them say where
        place = TOML_PLACE.search(str(error))
        line = f", line {place[1] or len(text.rstrip().splitlines())}" if place else ""
        raise PlanError(f"{path.name}{line}: this is not TOML: {error}; "
                        'write lines such as games = 4 or variant = "hex"') from None


def _validated(document: dict[str, Any]) -> PlanFile:
    try:
        return msgspec.convert(document, PlanFile)
    except msgspec.ValidationError as error:
        found = WRONG.fullmatch(str(error))
        assert found is not None
        steps = STEP.findall(found[2] or "")
        place: ErrorPath = tuple(int(index) if index else key for key, index in steps)
        if (unknown := found[1]) is not None:
            hint = nearest(unknown, (EntrantTable if place else PlanFile).__struct_fields__)
            raise PlanError(f"there is no key '{shorten(unknown)}'; {hint}", *place, unknown) from None
        key = next(str(step) for step in reversed(place) if isinstance(step, str))
        value: Any = document
        for step in place:
            value = value[step]
        verb = "is" if key == place[-1] else "has"
        raise PlanError(f"{key} {verb} {_shown(value)}; write {HINTS[key]}", *place) from None


@dataclass
class _Reader:
    """Makes a plan from a file; its errors name the place in the file or in the plan."""

    file: PlanFile
    folder: Path
    games: tuple[Game, ...] = ()
    """The games of the variants."""
    origins: dict[ErrorPath, ErrorPath] = field(default_factory=dict)
    """Where in the file the variants and entrants of the plan come from."""

    def plan(self, name: str) -> Plan:
        """The plan, still to be checked as a whole."""
        file = self.file
        chosen, options = self._format()
        with at_place("limit"):
            limit, stall_timeout = parse_limit(
                file.limit if isinstance(file.limit, str) else str(Limit(seconds=file.limit)))
        plan = Plan(
            name if file.name is None else file.name, (), self._variants(), chosen, options,
            limit=limit, seed=file.seed, jobs=file.jobs, failures=file.failures, trust=file.trust,
            suspend=file.suspend, anchors=file.anchors, adjudicate=file.adjudicate,
            stall_timeout=stall_timeout,
        )
        self.games = plan.games_played
        entrants, broken = self._entrants(options.get("challengers", 1) if chosen == "gauntlet" else 0)
        with at_place("openings"):
            openings = Openings.parse(str(file.openings), self.games, self.folder)
        return replace(plan, entrants=entrants, broken=broken, games=file.games, openings=openings)

    def _variants(self) -> tuple[str, ...]:
        if self.file.variant is not None and self.file.variants is not None:
            raise PlanError("the file has both variant and variants; write one of the two", "variants")
        found: list[tuple[ErrorPath, str]] = [(("variant",), self.file.variant or "othello")]
        if self.file.variants is not None:
            found = [(("variants", at), spec) for at, spec in enumerate(self.file.variants)]
        named = [(place, one) for place, spec in found for one in self._variants_named(spec, place)]
        self.origins.update((("variants", at), place) for at, (place, _) in enumerate(named))
        return tuple(one for _, one in named)

    def _variants_named(self, spec: str, place: ErrorPath) -> list[str]:
        """The variants that a text names: a pattern of map files may name several."""
        pattern = file_of(spec)
        if pattern is None:
            return [spec]
        found = [path for path in files_of(pattern, self.folder) if is_file(path)]
        if not found:
            raise PlanError(f"there is no map '{shorten(pattern)}' in {self.folder}; write a file, a pattern "
                            f"such as xt:maps/*.map, or one of {', '.join(KINDS)}", *place)
        return [with_file(spec, str(path)) for path in found]

    def _entrants(self, challengers: int) -> tuple[tuple[Entrant, ...], tuple[BrokenBot, ...]]:
        """The entrants, and those with broken bots; a gauntlet needs all its challengers."""
        if self.file.entrants is None and self.file.folder is None:
            raise PlanError('there are no entrants; write a line such as entrants = ["bots/*", "random"]')
        found = [one for number, item in enumerate(self.file.entrants or ())
                 for one in self._entrants_of(item, ("entrants", number))]
        if self.file.folder is not None:
            found += self._in_folder(self.file.folder, ("folder",))
        if len(found) > MAX_ENTRANTS:
            raise PlanError(f"a tournament has 2 to {MAX_ENTRANTS} entrants, not {len(found)}", "entrants")
        taken = {one.name for one in found if one.is_given}
        entrants: list[Entrant] = []
        broken: list[BrokenBot] = []
        for number, one in enumerate(found):
            name = one.name if one.is_given else unique_name(one.name, taken)
            taken.add(name)
            if not one.problem:
                self.origins["entrants", len(entrants)] = one.place
                entrants.append(Entrant(name, one.spec))
            elif number < challengers:
                raise PlanError(f"the gauntlet needs {name}: {one.problem}", *one.place)
            else:
                broken.append(BrokenBot(name, one.spec, one.problem))
        if broken and len(entrants) < 2:
            who = f"only {entrants[0].name}" if entrants else "nobody"
            place = next(one.place for one in found if one.problem)
            raise PlanError(f"{who} can play: {'; '.join(bot.reason for bot in broken[:3])}", *place)
        return tuple(entrants), tuple(broken)

    def _entrants_of(self, item: str | EntrantTable, place: ErrorPath) -> list[_Found]:
        """The entrants that an element of the list names."""
        match item:
            case str():
                name, spec = self.split(item)
                return self._called(name, self.named(spec, place), place)
            case EntrantTable(name=None, spec=None, folder=str(folder)):
                return self._in_folder(folder, (*place, "folder"))
            case EntrantTable(name=name, spec=str(spec), folder=None):
                return self._called(name, self.named(spec, (*place, "spec")), (*place, "name"))
        raise PlanError("an entrant is a table with a spec and perhaps a name, or with a folder, whose bots "
                        "are named after their files", *place)

    def split(self, text: str) -> tuple[str | None, str]:
        """The name and the player in `NAME=PLAYER`; a file may have such a name, too."""
        return (None, text) if files_of(text.strip(), self.folder) else split_name(text)

    def _called(self, name: str | None, found: list[_Found], place: ErrorPath) -> list[_Found]:
        """The entrants that were found, with their name if they have been given one."""
        if name is None:
            return found
        if len(found) > 1:
            raise PlanError(f"the name is for {len(found)} bots; remove it", *place)
        return [replace(found[0], name=name, place=place, is_given=True)]

    def named(self, text: str, place: ErrorPath) -> list[_Found]:
        """The player or bot that a text names, or the bots that a pattern finds."""
        words = text.strip()
        name = words.partition(":")[0]
        if is_bot(words):
            words = self._beside(words)
        if is_bot(words) or name in PLAYERS:
            return [_Found(name_of(words), words, place)]
        if is_pattern(words) or "/" in words or files_of(words, self.folder):
            return self._bots(words, place)
        hint = nearest(name, [*PLAYERS, *BOTS])
        raise PlanError(f"there is no player or file '{shorten(name)}'; {hint}", *place)

    def _in_folder(self, folder: str, place: ErrorPath) -> list[_Found]:
        if not is_folder(beside(self.folder, folder)):
            raise PlanError(f"there is no folder '{shorten(folder)}' in {self.folder}", *place)
        return self._bots(f"{escape(folder)}/*", place)

    def _bots(self, pattern: str, place: ErrorPath) -> list[_Found]:
        with at_place(*place):
            return [
                # The name of a broken file may not be UTF-8; then it must be renamed to be found again.
                _Found(presentable(bot.name), bot.spec or os.fsencode(bot.path).decode(errors="replace"),
                       place, problem=bot.problem)
                for bot in find_bots(pattern, self.folder, self.games)
            ]

    def _beside(self, spec: str) -> str:
        """The specification of a bot, with the paths of files beside the tournament file."""
        kind, _, text = spec.partition(":")
        text = text.strip()
        if is_file(beside(self.folder, text)):
            return f"{kind}:{beside(self.folder, text)}"
        if kind == "course" and split_python(text)[1]:
            return self._agent_beside(text)
        try:
            words = shlex.split(text)
        except ValueError:
            return spec    # the check of the plan refuses it
        # An argument without a dot or a slash is a word for the program, even if a file has that name.
        placed = [
            str(path) if is_file(path := beside(self.folder, word)) and (not number or set(word) & {".", "/"})
            else word
            for number, word in enumerate(words)
        ]
        return spec if placed == words else f"{kind}:{shlex.join(placed)}"

    def _agent_beside(self, text: str) -> str:
        """The specification of a course agent with a Python of its own."""
        agent, python = split_python(text)
        place = beside(self.folder, python)
        is_program = "/" not in python and not os.path.exists(place)  # noqa: PTH110 never raises
        return f"course:{beside(self.folder, agent)},python={python if is_program else place}"

    def _format(self) -> tuple[str, dict[str, int]]:
        """The name of the format and its options, each checked by itself."""
        given = self.file.format
        options: dict[str, Any] = {"name": given} if isinstance(given, str) else dict(given)
        name = options.pop("name", "")
        with at_place("format", "name"):
            format_from(name if isinstance(name, str) else "", {})
        for key, value in options.items():
            with at_place("format", key):
                format_from(name, {key: value})
        return name, options

@dataclass(frozen=True)
class _Found:
    """An entrant, and where in the file it comes from."""

    name: str
    spec: str
    """Or the path of a broken bot."""
    place: ErrorPath
    is_given: bool = False
    """Whether the file gives it this name; other names may get a number."""
    problem: str = ""
    """Why it cannot be run."""


def _shown(value: object) -> str:
    """A value as a message names it."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return f"the text '{shorten(value)}'"
        case int() | float():
            return f"the number {value:g}" if abs(value) < 2**63 else "a number that is too large"
        case list() | dict():
            return "a list" if isinstance(value, list) else "a table"
    return "a date or a time"
