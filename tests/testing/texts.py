"""The texts of the page, and which of them its dictionaries lack: `python -m tests.testing.texts`.

Texts are the literals of `t("…")` and `plural(…)` in the page's modules, and whatever the server's catalogue
has for people to read.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

import polyversi
from polyversi.contest import formats
from polyversi.contest.export import EVERY_GAME
from polyversi.engines import puzzles
from polyversi.engines.reasons import TEXTS as REASONS
from polyversi.games.variants import VARIANTS, game
from polyversi.protocols.check import STEPS
from polyversi.records import offered_formats
from polyversi.server.bots import BotFolder
from polyversi.server.catalogue import description, families, map_tiles, players
from polyversi.server.catalogue import texts as openable
from polyversi.server.rulebook import Rulebook, rulebook
from polyversi.site.checking import RUNS_HERE
from polyversi.site.languages import LANGUAGES
from polyversi.site.roles import Role, roles_of

PAGE = Path(polyversi.__file__).parent / "page"
COMMENT = re.compile(r"/\*.*?\*/|(?<=\s)//[^\n]*", re.DOTALL)
CALL = re.compile(r"(?<![\w.$])(t|plural)\(")
STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
PLACEHOLDER = re.compile(r"\{(\w+)\}")
READ = {"label", "sentence", "goal", "hint", "meaning", "usual", "term", "text", "words", "levels", "choices"}
"""The fields of the catalogue that people read; choices only where they have no words."""
FORMS = {"de": ("one", "other"), "ja": ("other",)}
"""The plural categories of each language, as `Intl.PluralRules` has them; without an entry, one and other."""
RULES = ("anti-rolit", "anti-hex", "anti-xt:arena", "hex:start=ring", "hex:seats=3,passing=free")
"""Games whose rules have sentences that no variant of the catalogue has as it is offered."""
Translation = str | dict[str, str]


@dataclass
class Texts:
    """The texts of the page."""

    plain: set[str] = field(default_factory=set)
    plural: dict[str, str] = field(default_factory=dict)
    """The form for one by the form for many, which is the one that dictionaries have."""
    unread: list[str] = field(default_factory=list)
    """Calls whose text is written in a way that nobody can find it."""


def page_texts() -> Texts:
    """The texts of all modules."""
    found = Texts()
    for module in sorted(PAGE.rglob("*.js")):
        if module.parent.name != "vendor":
            read_module(module.read_text(encoding="utf-8"), module.name, found)
    return found


def read_module(code: str, name: str, found: Texts) -> None:
    """Adds the texts of a module.

    >>> read_module('t("Start") + plural(n, "{count} move", "{count} moves") + t(a.label) + t(`x`)', "a.js",
    ...             found := Texts())
    >>> found
    Texts(plain={'Start'}, plural={'{count} moves': '{count} move'}, unread=['a.js: t(`x`)'])
    """
    code = COMMENT.sub("", code)
    for call in CALL.finditer(code):
        if code[: call.start()].endswith("function "):
            continue
        arguments = list(_arguments(code, call.end()))
        literals = [json.loads(one) if STRING.fullmatch(one) else None for one in arguments]
        if call[1] == "plural" and len(literals) > 2 and literals[1] and literals[2]:
            found.plural[literals[2]] = literals[1]
        elif call[1] == "t" and literals and literals[0] is not None:
            found.plain.add(literals[0])
        elif call[1] == "plural" or re.search("[\"'`]", arguments[0].replace('""', "")):
            found.unread.append(f"{name}: {call[0]}{', '.join(arguments)})")


def _arguments(code: str, at: int) -> Iterator[str]:
    """The arguments of a call that begin at a place of the code."""
    depth, begin = 0, at
    while True:
        if string := STRING.match(code, at):
            at = string.end()
            continue
        if code[at] in "([{":
            depth += 1
        elif code[at] in ")]}" and depth:
            depth -= 1
        elif not depth and code[at] in "),":
            if code[begin:at].strip():
                yield code[begin:at].strip()
            if code[at] == ")":
                return
            begin = at + 1
        at += 1


def catalogue_texts() -> set[str]:
    """What the server has for people to read: variants, options, tiles, seats, players, reasons, formats."""
    games = [game(variant.example) for variant in VARIANTS.values()]
    described = [description(one) for one in games]
    computers = [players(one, BotFolder(None)) for one in games]
    names = {one.name for one in (*map_tiles(), *(tile for plain in described for tile in plain.tiles))}
    names |= {seat["name"] for plain in described for seat in plain.plan["seats"]}
    names |= {f"seat {seat}" for seat in range(1, 9)}
    names |= {*puzzles.LABELS.values(), *puzzles.TASKS.values(), *puzzles.TASKS_FOR_FEWEST.values()}
    names |= {*puzzles.FAILURES.values(), *map(str, roles_of(Role.ORGANISER))}
    names |= {f"Games ({one.label})" for one in offered_formats().values() if one.name != EVERY_GAME}
    names |= {one.scored_by for one in formats.FORMATS.values() if one.scored_by}
    names |= {*openable().pasted, *STEPS.values(), RUNS_HERE.text}
    names |= {language.label for language in LANGUAGES.values()}
    told = msgspec.to_builtins([families(), described, computers, rules_told(), formats.choices()])
    return names.union(REASONS, _read(told))


def rules_told() -> list[Rulebook]:
    """The rules of games that have every sentence between them."""
    offered = [one.example for variant in VARIANTS.values() for one in variant.family.gallery() or (variant,)]
    return [rulebook(game(spec)) for spec in (*offered, *RULES)]


def _read(data: Any) -> Iterator[str]:
    """The texts in what the server sends."""
    if isinstance(data, list | tuple):
        for one in data:
            yield from _read(one)
    elif isinstance(data, dict):
        for name, value in data.items():
            is_read = name in READ and not (name == "choices" and data.get("words"))
            for one in value if isinstance(value, list | tuple) else [value]:
                if isinstance(one, str) and is_read and re.search("[^\\W\\d]", one):
                    yield one
            yield from _read(value)


def texts() -> Texts:
    """All texts, those of the catalogue too."""
    found = page_texts()
    found.plain |= catalogue_texts() - found.plural.keys()
    return found


def languages() -> list[str]:
    """The languages besides English."""
    return sorted(folder.name for folder in (PAGE / "languages").iterdir())


def dictionary(language: str) -> dict[str, Translation]:
    """The dictionary of a language."""
    path = PAGE / "languages" / language / "texts.json"
    loaded: dict[str, Translation] = json.loads(path.read_text(encoding="utf-8"))
    return loaded


def missing(language: str, found: Texts) -> dict[str, Translation]:
    """What the dictionary of a language lacks, to be filled in: a text, or one for each plural form."""
    has = dictionary(language)
    forms = FORMS.get(language, ("one", "other"))
    lacking: dict[str, Translation] = {text: "" for text in sorted(found.plain) if not has.get(text)}
    for many in sorted(found.plural):
        given = has.get(many)
        given = {"other": given} if isinstance(given, str) else given or {}
        if not all(given.get(form) for form in forms):
            lacking[many] = dict.fromkeys(forms, "") if forms[1:] else ""
    return lacking


def stale(language: str, found: Texts) -> list[str]:
    """What the dictionary of a language has for texts that the page no longer has."""
    return sorted(dictionary(language).keys() - found.plain - found.plural.keys())


def misfilled(language: str) -> list[str]:
    """Translations with other placeholders than their text; a form for a single number need not show it."""
    wrong = []
    for text, translation in dictionary(language).items():
        wanted = set(PLACEHOLDER.findall(text))
        for form, shown in (translation if isinstance(translation, dict) else {"": translation}).items():
            has = set(PLACEHOLDER.findall(shown))
            if has != wanted and not (form == "one" and has == wanted - {"count"}):
                wrong.append(f"{text} → {shown}")
    return wrong


def main() -> None:
    """Prints what is missing as JSON, and what is stale on the error output."""
    found = texts()
    lacking = {language: missing(language, found) for language in languages()}
    print(json.dumps(lacking, ensure_ascii=False, indent=2))
    for language in languages():
        for text in stale(language, found):
            print(f"{language}: no longer needed: {text}", file=sys.stderr)


if __name__ == "__main__":
    main()
