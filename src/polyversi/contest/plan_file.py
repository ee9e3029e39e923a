"""Tournament files: a few lines of TOML become a plan, and every mistake in them is told with its line."""

from __future__ import annotations

import os
import re
import shlex
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from glob import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from polyversi.contest.formats import format_from
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
    told_apart,
)
from polyversi.contest.toml_lines import line_at, lines_of
from polyversi.games.board import shorten
from polyversi.games.errors import LimitError, PlayerError, PolyversiError
from polyversi.games.limit import Limit
from polyversi.games.mapkinds import KINDS
from polyversi.players import PLAYERS
from polyversi.protocols.bot_files import beside, files_of, find_bots, is_file, is_folder, is_pattern
from polyversi.protocols.spec import BOTS, is_bot

if TYPE_CHECKING:
    from polyversi.games.game import Game

LARGEST = 1_000_000
"""Bytes of a tournament file."""
LARGEST_NUMBER = 2**63
XT = re.compile(r"((?:anti-)?xt:)(.*?)((?:,goal=[^,]*)?)", re.DOTALL)
PLACE = re.compile(r" \(at (?:line ([0-9]+), column ([0-9]+)|end of document)\)$")

WHOLE, TRUTH, TEXT = "a whole number, such as 2", "true or false", 'a text, such as "hex"'
KEYS = {
    "name": TEXT,
    "variant": TEXT,
    "variants": 'a list, such as ["othello", "hex"]',
    "entrants": 'a list, such as ["bots/*", "random"]',
    "folder": 'a text, such as "bots"',
    "format": 'a text, such as "swiss", or a table',
    "games": WHOLE,
    "openings": 'a text, such as "random 8"',
    "limit": 'a text, such as "seconds=5", or a number of seconds',
    "seed": WHOLE,
    "jobs": WHOLE,
    "failures": WHOLE,
    "trust": TRUTH,
    "suspend": TRUTH,
    "anchors": "a table of names and ratings",
}
"""What a tournament file may say, and what each takes."""
AS_THEY_ARE = {"games": int, "seed": int, "jobs": int, "failures": int, "trust": bool, "suspend": bool}
ENTRANT_KEYS = ("name", "spec", "folder")
NAMED = 3
"""How many of the bots that cannot be played are named in a message."""


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
            data = file.read(LARGEST + 1)
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
    reader = _Reader(_document(text, path), path.absolute().parent)
    try:
        plan = reader.plan(path.stem)
        plan.check()
    except PlanError as error:
        line = line_at(_lines(text), reader.written_at(error.place))
        raise PlanError(f"{path.name}{f', line {line}' if line else ''}: {error}", *error.place) from None
    return plan


def newcomer(plan: Plan, text: str, folder: Path, name: str | None = None) -> Entrant:
    """Who is to join a tournament: a player or a bot as a file names it, with its files seen from a folder.

    >>> plan = parse_plan(b'entrants = ["random", "t77"]', Path("cup.toml"))
    >>> newcomer(plan, "random", Path.cwd())
    Entrant(name='random#2', spec='random')
    """
    found = _Reader({}, folder, plan.games_played).named(text, ())
    if len(found) > 1:
        raise PlanError(f"'{shorten(text)}' stands for {len(found)} bots; add one at a time")
    if found[0].problem:
        raise PlanError(found[0].problem)
    return Entrant(told_apart(found[0].name, set(plan.names)) if name is None else name, found[0].spec)


def _lines(text: str) -> Mapping[Place, int]:
    try:
        return lines_of(text)
    except RecursionError:    # brackets in brackets that tomllib could just bear
        return {}


def _text(data: bytes, path: Path) -> str:
    if len(data) > LARGEST:
        raise PlanError(f"{path.name} is no tournament file: it has more than {LARGEST} bytes")
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
        place = PLACE.search(sentence)
        line = place[1] if place and place[1] else text.rstrip().count("\n") + 1
        column = f" (column {place[2]})" if place and place[2] else ""
        raise PlanError(f"{path.name}, line {line}: this is no TOML{column}: {PLACE.sub('', sentence)}; "
                        'write lines such as games = 4 or variant = "hex"') from None
    except (ValueError, RecursionError) as error:    # numbers of thousands of digits, brackets in brackets
        is_deep = isinstance(error, RecursionError)
        reason = "it is nested too deeply" if is_deep else "a number in it is too long"
        raise PlanError(f"{path.name} is no tournament file: {reason}") from None


class _Reader:
    """Makes a plan of what a document says; its errors say where in the document."""

    def __init__(self, document: dict[str, Any], folder: Path, games: tuple[Game, ...] = ()) -> None:
        self.document = document
        self.folder = folder
        self.games = games
        """What is played."""
        self._origins: dict[Place, Place] = {}
        """Where in the file the variants and entrants of the plan come from."""
        self._found: list[_Found] = []

    def written_at(self, place: Place) -> Place:
        """The place in the document of a place in the plan."""
        if place in self._origins:
            return self._origins[place]
        if place == ("variants",) and "variants" not in self.document:
            return ("variant",)
        if place == ("format",) and isinstance(self.document.get("format"), dict):
            return self._format_place()
        if place == ("format",) and "format" not in self.document:
            place = ("entrants",)    # who are too few or too many for the usual one
        if place == ("entrants",) and "entrants" not in self.document:
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
        for key in self.document:
            if key not in KEYS:
                raise PlanError(f"there is no key '{shorten(key)}'; {_nearest(key, KEYS)}", key)
        for place, number in _numbers(self.document):
            if abs(number) > LARGEST_NUMBER:
                raise PlanError("this number is beyond all measure; write a smaller one", *place)
        chosen, options = self._format()
        values = {key: self._is(key, kind) for key, kind in AS_THEY_ARE.items() if key in self.document}
        plan = Plan(
            self._is("name", str) if "name" in self.document else name,
            (),
            self._variants(),
            chosen,
            options,
            limit=self._limit(),
            anchors=self._anchors(),
            **values,
        )
        self.games = plan.games_played
        entrants, broken = self._entrants()
        plan = replace(plan, entrants=entrants, broken=broken)
        if plan.format == "gauntlet":
            self._check_challengers(options.get("challengers", 1))
        if "games" not in self.document and plan.variants:
            plan = replace(plan, games=plan.games_played[0].seats)
        if "openings" not in self.document:
            return plan
        text = self._is("openings", str)
        try:
            return replace(plan, openings=Openings.parse(text, plan.games_played, self.folder))
        except PolyversiError as error:
            raise PlanError(str(error), "openings") from None

    def _is(self, key: str, kind: type) -> Any:
        """The value of a key, which must be of that type; a truth value is no number."""
        value = self.document[key]
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise PlanError(f"{key} is {_shown(value)}; write {KEYS[key]}", key)
        return value

    def _variants(self) -> tuple[str, ...]:
        if "variant" in self.document and "variants" in self.document:
            raise PlanError("there is a variant and there are variants; write one of the two", "variants")
        if "variants" not in self.document:
            spec = self._is("variant", str) if "variant" in self.document else "othello"
            found: list[tuple[Place, object]] = [(("variant",), spec)]
        else:
            found = [(("variants", at), spec) for at, spec in enumerate(self._is("variants", list))]
        variants: list[str] = []
        for place, spec in found:
            if not isinstance(spec, str):
                raise PlanError(f"a variant is {_shown(spec)}; write {TEXT}", *place)
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
        if "entrants" not in self.document and "folder" not in self.document:
            raise PlanError('there are no entrants; write a line such as entrants = ["bots/*", "random"]')
        found = self._found
        if "entrants" in self.document:
            for number, item in enumerate(self._is("entrants", list)):
                found += self._entrants_of(item, ("entrants", number))
        if "folder" in self.document:
            found += self._in_folder(self._is("folder", str), ("folder",))
        if len(found) > MAX_ENTRANTS:
            raise PlanError(f"a tournament has 2 to {MAX_ENTRANTS} entrants, not {len(found)}", "entrants")
        taken = {one.name for one in found if one.is_given}
        entrants: list[Entrant] = []
        broken: list[BrokenBot] = []
        for one in found:
            name = one.name if one.is_given else told_apart(one.name, taken)
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

    def _entrants_of(self, item: object, place: Place) -> list[_Found]:
        """The entrants that an element of the list stands for."""
        if isinstance(item, str):
            return self.named(item, place)
        if not isinstance(item, dict):
            raise PlanError(f'an entrant is {_shown(item)}; write a text, such as "random", or a table '
                            'such as {name = "Ann", spec = "bot:ann.py"}', *place)
        for key, value in item.items():
            if key not in ENTRANT_KEYS:
                hint = _nearest(key, ENTRANT_KEYS)
                raise PlanError(f"an entrant has no '{shorten(key)}'; {hint}", *place, key)
            if not isinstance(value, str):
                raise PlanError(f"the {key} of an entrant is {_shown(value)}; write a text", *place, key)
        if ("spec" in item) == ("folder" in item):
            raise PlanError("an entrant has either a spec or a folder that bots are found in", *place)
        if "folder" in item:
            if "name" in item:
                raise PlanError("bots of a folder are called as their files; leave it out", *place, "name")
            return self._in_folder(item["folder"], (*place, "folder"))
        found = self.named(item["spec"], (*place, "spec"))
        if "name" not in item:
            return found
        if len(found) > 1:
            raise PlanError(f"one name is given to {len(found)} bots; leave it out", *place, "name")
        return [replace(found[0], name=item["name"], place=(*place, "name"), is_given=True)]

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
        raise PlanError(f"there is no player and no file '{shorten(name)}'; {_nearest(name, known)}", *place)

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
        value = self.document.get("format", "round-robin")
        if isinstance(value, str):
            return value, {}
        if not isinstance(value, dict):
            self._is("format", str)
        options = {key: option for key, option in value.items() if key != "name"}
        name = value.get("name")
        if not isinstance(name, str):
            raise PlanError('the format has no name; write name = "swiss"', "format", "name")
        for key, option in options.items():
            if key in KEYS:
                raise PlanError(f"{key} stands under [format]; write it above that line", "format", key)
            if not isinstance(option, int) or isinstance(option, bool):
                raise PlanError(f"{shorten(key)} is {_shown(option)}; write {WHOLE}", "format", key)
        return name, options

    def _limit(self) -> Limit:
        value = self.document.get("limit", 1)
        try:
            if isinstance(value, (int, float)) and not isinstance(value, bool):
                return Limit(seconds=value)
            return Limit.parse(self._is("limit", str))
        except LimitError as error:
            raise PlanError(str(error), "limit") from None

    def _anchors(self) -> dict[str, float]:
        anchors: dict[str, Any] = self._is("anchors", dict) if "anchors" in self.document else {}
        for name, rating in anchors.items():
            if isinstance(rating, bool) or not isinstance(rating, (int, float)):
                hint = f"{name} stands under [anchors]; write it above that line" if name in KEYS else (
                    f"the rating of {shorten(name)} is {_shown(rating)}; write a number, such as 1500")
                raise PlanError(hint, "anchors", name)
        return anchors


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


def _numbers(value: object, place: Place = ()) -> Iterator[tuple[Place, int]]:
    """Every whole number in a document."""
    if isinstance(value, int):
        yield place, value
    elif isinstance(value, dict | list):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _numbers(part, (*place, key))


def _nearest(word: str, known: Iterable[str]) -> str:
    near = get_close_matches(word, known, 1)
    return f"did you mean '{near[0]}'?" if near else f"there are {', '.join(known)}"


def _shown(value: object) -> str:
    """A value as a message names it."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return f"the text '{shorten(value)}'"
        case int() | float():
            return f"the number {shorten(f'{value}')}"
        case list():
            return "a list"
        case dict():
            return "a table"
    return "a date or a time"
