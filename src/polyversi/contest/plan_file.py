"""Tournament files: a few lines of TOML become a plan, and every mistake in them is told with its line."""

from __future__ import annotations

import os
import re
import shlex
import tomllib
from bisect import bisect_left
from dataclasses import dataclass, replace
from glob import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from polyversi.contest.formats import format_from, nearest
from polyversi.contest.openings import Openings
from polyversi.contest.plan import (
    MAX_ENTRANTS,
    BrokenBot,
    Entrant,
    Place,
    Plan,
    PlanError,
    name_of,
    presentable,
    unique_name,
)
from polyversi.games.board import shorten
from polyversi.games.errors import LimitError, PlayerError, PolyversiError
from polyversi.games.limit import Limit
from polyversi.games.mapkinds import KINDS
from polyversi.players import PLAYERS
from polyversi.protocols.bot_files import beside, files_of, find_bots, is_file, is_folder, is_pattern
from polyversi.protocols.spec import BOTS, is_bot

if TYPE_CHECKING:
    from polyversi.games.game import Game

MAX_BYTES = 1_000_000
"""Of a tournament file."""
XT = re.compile(r"((?:anti-)?xt:)(.*?)((?:,goal=[^,]*)?)", re.DOTALL)
TOML_PLACE = re.compile(r" \(at (?:line ([0-9]+), column ([0-9]+)|end of document)\)$")
WRONG = re.compile(r"(?:Object contains unknown field `(.*?)`|.*?)(?: - at `\$(.*)`)?", re.DOTALL)
"""What msgspec says of a document: an unknown field, or a value of another type, and where."""
STEP = re.compile(r"\.([a-z]+)|\[([0-9]+)\]")
NAMED = 3
"""How many of the bots that cannot be played are named in a message."""


class EntrantTable(msgspec.Struct, forbid_unknown_fields=True):
    """An entrant that is more than a text."""

    name: str | None = None
    spec: str | None = None
    folder: str | None = None


class PlanFile(msgspec.Struct, forbid_unknown_fields=True):
    """What a tournament file may say."""

    name: str | None = None
    variant: str | None = None
    variants: list[str] | None = None
    entrants: list[str | EntrantTable] | None = None
    folder: str | None = None
    format: str | dict[str, Any] = "round-robin"
    games: int | None = None
    openings: str = "none"
    limit: str | int | float = 1
    seed: int = 0
    jobs: int = 0
    failures: int = 0
    trust: bool = False
    suspend: bool = False
    anchors: dict[str, Any] = {}


HINTS = {
    "variants": 'a list, such as ["othello", "hex"]',
    "entrants": 'a list, such as ["bots/*", "random"]',
    "folder": 'a text, such as "bots"',
    "format": 'a text, such as "swiss", or a table',
    "openings": 'a text, such as "random 8"',
    "limit": 'a text, such as "seconds=5", or a number of seconds',
    "anchors": "a table of names and ratings",
    **dict.fromkeys(("games", "seed", "jobs", "failures"), "a whole number, such as 2"),
    **dict.fromkeys(("trust", "suspend"), "true or false"),
    **dict.fromkeys(("name", "variant"), 'a text, such as "hex"'),
}
"""What each key takes."""


def read_plan(path: Path) -> Plan:
    """The plan that a tournament file describes; a PlanError names the line of whatever is wrong in it.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "cup.toml")
    ...     _ = file.write_text('variant = "hex"\\nentrants = ["t77", "random"]\\nlimit = "depth=3"\\n')
    ...     plan = read_plan(file)
    >>> plan.name, plan.variants, [entrant.name for entrant in plan.entrants]
    ('cup', ('hex',), ['t77', 'random'])
    """
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise PlanError(f"the tournament file {path} cannot be read: {error.strerror}") from None
    except ValueError:
        raise PlanError(f"'{shorten(str(path))}' cannot be the path of a tournament file") from None
    return parse_plan(data, path)


def parse_plan(data: bytes, path: Path) -> Plan:
    r"""The same for the content of a file; what it names is looked for beside its path.

    >>> parse_plan(b'entrants = ["random", "t77"]\ngame = 4\n', Path("cup.toml"))
    Traceback (most recent call last):
    polyversi.contest.plan.PlanError: cup.toml, line 2: there is no key 'game'; did you mean 'games'?
    """
    text = _text(data, path)
    document = _document(text, path)
    place: Place = ()
    try:
        reader = _Reader(_validated(document), path.absolute().parent)
        try:
            plan = reader.plan(path.stem)
            plan.check()
        except PlanError as error:
            place = reader.written_at(error.place)
            raise
    except PlanError as error:
        line = line_of(text, place or error.place)
        raise PlanError(f"{path.name}{f', line {line}' if line else ''}: {error}", *error.place) from None
    return plan


def newcomer(plan: Plan, text: str, folder: Path, name: str | None = None) -> Entrant:
    """Who is to join a tournament: a player or a bot as a file names it, with its files seen from a folder.

    >>> plan = parse_plan(b'entrants = ["random", "t77"]', Path("cup.toml"))
    >>> newcomer(plan, "random", Path.cwd())
    Entrant(name='random#2', spec='random')
    """
    found = _Reader(PlanFile(), folder, plan.games_played).named(text, ())
    if len(found) > 1:
        raise PlanError(f"'{shorten(text)}' stands for {len(found)} bots; add one at a time")
    if found[0].problem:
        raise PlanError(found[0].problem)
    return Entrant(unique_name(found[0].name, set(plan.names)) if name is None else name, found[0].spec)


def line_of(text: str, place: Place) -> int | None:
    r"""The line, from 1, on which a key or an element of a TOML text stands, or what it would stand in.

    Whatever is there after so many lines, and not after one less, is in the last of them: so the text is cut,
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


def _has(document: Any, place: Place) -> bool:
    try:
        for step in place:
            document = document[step]
    except (KeyError, IndexError, TypeError):
        return False
    return True


def _text(data: bytes, path: Path) -> str:
    if len(data) > MAX_BYTES:
        raise PlanError(f"{path.name} is no tournament file: it has more than {MAX_BYTES} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise PlanError(f"{path.name}, line {line}: this is no UTF-8; save the file as UTF-8 text") from None


def _document(text: str, path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        sentence = str(error)
        place = TOML_PLACE.search(sentence)
        line = place[1] if place and place[1] else text.rstrip().count("\n") + 1
        column = f" (column {place[2]})" if place and place[2] else ""
        raise PlanError(f"{path.name}, line {line}: this is no TOML{column}: {TOML_PLACE.sub('', sentence)}; "
                        'write lines such as games = 4 or variant = "hex"') from None
    except (ValueError, RecursionError) as error:    # numbers of thousands of digits, brackets in brackets
        is_deep = isinstance(error, RecursionError)
        reason = "it is nested too deeply" if is_deep else "a number in it is too long"
        raise PlanError(f"{path.name} is no tournament file: {reason}") from None


def _validated(document: dict[str, Any]) -> PlanFile:
    try:
        return msgspec.convert(document, PlanFile)
    except msgspec.ValidationError as error:
        found = WRONG.fullmatch(str(error))
        assert found is not None
        steps = STEP.findall(found[2] or "")
        place: Place = tuple(int(index) if index else key for key, index in steps)
        raise _mistake(document, place, found[1]) from None


def _mistake(document: dict[str, Any], place: Place, unknown: str | None) -> PlanError:
    """What is wrong in a place: a key that is not known, or a value of another type."""
    if unknown is not None:
        what, known = ("an entrant has", EntrantTable) if place else ("there is", PlanFile)
        no = f"{what} no {'' if place else 'key '}'{shorten(unknown)}'"
        return PlanError(f"{no}; {nearest(unknown, known.__struct_fields__)}", *place, unknown)
    value: Any = document
    for step in place:
        value = value[step]
    if len(place) == 1:
        return PlanError(f"{place[0]} is {_shown(value)}; write {HINTS[str(place[0])]}", *place)
    if len(place) == 3:
        return PlanError(f"the {place[2]} of an entrant is {_shown(value)}; write a text", *place)
    if place[0] == "variants":
        return PlanError(f"a variant is {_shown(value)}; write {HINTS['variant']}", *place)
    return PlanError(f'an entrant is {_shown(value)}; write a text, such as "random", or a table '
                     'such as {name = "Ann", spec = "bot:ann.py"}', *place)


def _check_number(table: str, key: str, value: Any) -> None:
    """Raises an error for what is no number, or was meant to stand above the table."""
    is_number = type(value) is int or (type(value) is float and table == "anchors")
    if is_number and not abs(value) >= 2**63 and not (table == "format" and key in HINTS):
        return
    if key in HINTS:
        raise PlanError(f"{key} stands under [{table}]; write it above that line", table, key)
    what = f"the rating of {shorten(key)}" if table == "anchors" else shorten(key)
    raise PlanError(f"{what} is {_shown(value)}; write a number", table, key)


class _Reader:
    """Makes a plan of what a file says; its errors say where in the file."""

    def __init__(self, file: PlanFile, folder: Path, games: tuple[Game, ...] = ()) -> None:
        self.file = file
        self.folder = folder
        self.games = games
        """What is played."""
        self._origins: dict[Place, Place] = {}
        """Where in the file the variants and entrants of the plan come from."""
        self._found: list[_Found] = []

    def written_at(self, place: Place) -> Place:
        """The place in the file of a place in the plan."""
        if place in self._origins:
            return self._origins[place]
        if place == ("variants",) and self.file.variants is None:
            return ("variant",)
        if place == ("format",) and isinstance(self.file.format, dict):
            return self._format_place()
        if place == ("format",) and self.file.format == "round-robin":
            place = ("entrants",)    # who are too few or too many for the default one
        if place == ("entrants",) and self.file.entrants is None:
            return ("folder",)
        return place

    def _format_place(self) -> Place:
        """Which of a format's lines is wrong: the name, or the option that is refused by itself."""
        name, options = self._format()
        for wrong, given in (("name", {}), *((key, {key: value}) for key, value in options.items())):
            try:
                format_from(name, given)
            except PlayerError:
                return "format", wrong
        return ("format",)

    def plan(self, name: str) -> Plan:
        """The plan, still to be checked as a whole."""
        file = self.file
        chosen, options = self._format()
        for key, value in file.anchors.items():
            _check_number("anchors", key, value)
        plan = Plan(
            name if file.name is None else file.name, (), self._variants(), chosen, options,
            limit=self._limit(), seed=file.seed, jobs=file.jobs, failures=file.failures, trust=file.trust,
            suspend=file.suspend, anchors=file.anchors,
        )
        self.games = plan.games_played
        entrants, broken = self._entrants()
        games = file.games if file.games is not None else self.games[0].seats if self.games else plan.games
        plan = replace(plan, entrants=entrants, broken=broken, games=games)
        if plan.format == "gauntlet":
            self._check_challengers(options.get("challengers", 1))
        try:
            return replace(plan, openings=Openings.parse(file.openings, self.games, self.folder))
        except PolyversiError as error:
            raise PlanError(str(error), "openings") from None

    def _variants(self) -> tuple[str, ...]:
        if self.file.variant is not None and self.file.variants is not None:
            raise PlanError("there is a variant and there are variants; write one of the two", "variants")
        found: list[tuple[Place, str]] = [(("variant",), self.file.variant or "othello")]
        if self.file.variants is not None:
            found = [(("variants", at), spec) for at, spec in enumerate(self.file.variants)]
        variants: list[str] = []
        for place, spec in found:
            for one in self._variants_named(spec, place):
                self._origins["variants", len(variants)] = place
                variants.append(one)
        return tuple(variants)

    def _variants_named(self, spec: str, place: Place) -> list[str]:
        """The variants that a text stands for: more than one for a pattern of map files."""
        xt = XT.fullmatch(spec.strip())
        if not xt or xt[2].partition(",")[0].lower() in map(str.lower, KINDS):
            return [spec]
        found = [path for path in files_of(xt[2], self.folder) if is_file(path)]
        if not found:
            raise PlanError(f"there is no map '{shorten(xt[2])}' in {self.folder}; write a file, a pattern "
                            f"such as xt:maps/*.map, or one of {', '.join(KINDS)}", *place)
        return [f"{xt[1]}{path}{xt[3]}" for path in found]

    def _entrants(self) -> tuple[tuple[Entrant, ...], tuple[BrokenBot, ...]]:
        """Who plays, and whose bot cannot be played."""
        if self.file.entrants is None and self.file.folder is None:
            raise PlanError('there are no entrants; write a line such as entrants = ["bots/*", "random"]')
        found = self._found
        for number, item in enumerate(self.file.entrants or ()):
            found += self._entrants_of(item, ("entrants", number))
        if self.file.folder is not None:
            found += self._in_folder(self.file.folder, ("folder",))
        if len(found) > MAX_ENTRANTS:
            raise PlanError(f"a tournament has 2 to {MAX_ENTRANTS} entrants, not {len(found)}", "entrants")
        taken = {one.name for one in found if one.is_given}
        entrants: list[Entrant] = []
        broken: list[BrokenBot] = []
        for one in found:
            name = one.name if one.is_given else unique_name(one.name, taken)
            taken.add(name)
            if one.problem:
                broken.append(BrokenBot(name, one.spec, one.problem))
            else:
                self._origins["entrants", len(entrants)] = one.place
                entrants.append(Entrant(name, one.spec))
        if broken and len(entrants) < 2:
            who = f"only {entrants[0].name}" if entrants else "nobody"
            more = f"; and {len(broken) - NAMED} more are no bots" if len(broken) > NAMED else ""
            reasons = "; ".join(bot.reason for bot in broken[:NAMED])
            place = next(one.place for one in found if one.problem)
            raise PlanError(f"{who} can play: {reasons}{more}", *place)
        return tuple(entrants), tuple(broken)

    def _check_challengers(self, challengers: int) -> None:
        """Whoever comes first in a gauntlet plays all games: without it there is none."""
        for one in self._found[: max(challengers, 0)]:    # fewer are refused with the whole plan
            if one.problem:
                raise PlanError(f"the gauntlet needs {one.name}: {one.problem}", *one.place)

    def _entrants_of(self, item: str | EntrantTable, place: Place) -> list[_Found]:
        """The entrants that an element of the list stands for."""
        if isinstance(item, str):
            return self.named(item, place)
        if item.folder is not None and item.spec is None:
            if item.name is not None:
                raise PlanError("bots of a folder are called as their files; leave it out", *place, "name")
            return self._in_folder(item.folder, (*place, "folder"))
        if item.spec is None or item.folder is not None:
            raise PlanError("an entrant has either a spec or a folder that bots are found in", *place)
        found = self.named(item.spec, (*place, "spec"))
        if item.name is None:
            return found
        if len(found) > 1:
            raise PlanError(f"one name is given to {len(found)} bots; leave it out", *place, "name")
        return [replace(found[0], name=item.name, place=(*place, "name"), is_given=True)]

    def named(self, text: str, place: Place) -> list[_Found]:
        """The player or the bot that a text names, or the bots it finds."""
        words = text.strip()
        if is_bot(words):
            spec = self._beside(words)
            return [_Found(name_of(spec), spec, place)]
        if words.partition(":")[0] in PLAYERS:
            return [_Found(name_of(words), words, place)]
        if is_pattern(words) or "/" in words or files_of(words, self.folder):
            return self._bots(words, place)
        known = [*PLAYERS, *BOTS]
        name = words.partition(":")[0]
        raise PlanError(f"there is no player and no file '{shorten(name)}'; {nearest(name, known)}", *place)

    def _in_folder(self, folder: str, place: Place) -> list[_Found]:
        if not is_folder(beside(self.folder, folder)):
            raise PlanError(f"there is no folder '{shorten(folder)}' in {self.folder}", *place)
        return self._bots(f"{escape(folder)}/*", place)

    def _bots(self, pattern: str, place: Place) -> list[_Found]:
        try:
            found = find_bots(pattern, self.folder, self.games)
        except PlayerError as error:
            raise PlanError(str(error), *place) from None
        return [
            # A broken file's name may not be in UTF-8: then it has to get another one to be found again.
            _Found(presentable(bot.name), bot.spec or os.fsencode(bot.path).decode(errors="replace"), place,
                   problem=bot.problem)
            for bot in found
        ]

    def _beside(self, spec: str) -> str:
        """The specification of a bot, with the files it names where they are: beside the tournament file."""
        kind, _, text = spec.partition(":")
        text = text.strip()
        if is_file(beside(self.folder, text)):
            return f"{kind}:{beside(self.folder, text)}"
        try:
            words = shlex.split(text)
        except ValueError:
            return spec    # which will be told when it is checked
        # An argument without a dot or a slash is a word for the program, whatever file is called like it.
        placed = [
            str(path) if is_file(path := beside(self.folder, word)) and (not number or set(word) & {".", "/"})
            else word
            for number, word in enumerate(words)
        ]
        return spec if placed == words else f"{kind}:{shlex.join(placed)}"

    def _format(self) -> tuple[str, dict[str, int]]:
        if isinstance(self.file.format, str):
            return self.file.format, {}
        options = dict(self.file.format)
        name = options.pop("name", None)
        for key, value in options.items():
            _check_number("format", key, value)
        if not isinstance(name, str):
            raise PlanError('the format has no name; write name = "swiss"', "format", "name")
        return name, options

    def _limit(self) -> Limit:
        value = self.file.limit
        try:
            return Limit.parse(value) if isinstance(value, str) else Limit(seconds=value)
        except LimitError as error:
            raise PlanError(str(error), "limit") from None


@dataclass(frozen=True)
class _Found:
    """An entrant, and where in the file it comes from."""

    name: str
    spec: str
    """Or the path of what cannot be played."""
    place: Place
    is_given: bool = False
    """Whether the name was given to it; others may get a number to be told apart."""
    problem: str = ""
    """Why it cannot be played."""


def _shown(value: object) -> str:
    """A value as a message names it."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return f"the text '{shorten(value)}'"
        case int() | float():
            return f"the number {value:g}" if abs(value) < 2**63 else "a number beyond all measure"
        case list():
            return "a list"
        case dict():
            return "a table"
    return "a date or a time"
