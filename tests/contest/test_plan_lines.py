"""The lines of keys and elements in TOML files, however they are written."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from random import Random
from typing import Any

import pytest

from polyversi.contest.plan import Plan, PlanError
from polyversi.contest.plan_file import line_of, parse_plan

TEXT = '''# a comment = "with a key"
name = "a # no comment"
"quoted key" = 'literal [ { '   # behind
a . "b.c" . d = 1

entrants = [
  "one", # , "none"
  'two', { name = "Ann", "spec" = "x, y" },

  # nothing
  "three",
  "four" ]

text = """"quotes"""""
empty = []

[format]   # a table
name = "swiss"

[[many]]
x = 1
[many.below]
y = 2
[[many]]
[[many.inner]]
z = 3
'''


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize(("place", "line"), [
    (("name",), 2), (("quoted key",), 3), (("a", "b.c", "d"), 4), (("entrants",), 6), (("entrants", 0), 7),
    (("entrants", 1), 8), (("entrants", 2), 8), (("entrants", 2, "spec"), 8), (("entrants", 3), 11),
    (("entrants", 4), 12), (("text",), 14), (("empty",), 15), (("format",), 17),
    (("format", "name"), 18), (("many",), 20), (("many", 0, "below", "y"), 23), (("many", 1), 24),
    (("many", 1, "inner", 0, "z"), 26),
    (("format", "rounds"), 17),    # what is not there is where it would stand
    (("games",), None),
])
def test_every_place_has_its_line(place: tuple[str | int, ...], line: int | None, ends: str) -> None:
    assert line_of(TEXT.replace("\n", ends), place) == line


GOOD = {
    "name": '"Finals"', "variant": '"hex"', "variants": '["hex", "othello"]', "entrants": '["random", "t77"]',
    "format": '"swiss"', "format.name": '"ladder"', "games": "4", "openings": '"random 2"',
    "limit": '"depth=1"', "seed": "7", "jobs": "1", "failures": "2", "trust": "true", "suspend": "false",
    "anchors.t77": "1500",
}
"""A value for each key that a file may have."""
ODD = ("folder", "gamse", '"odd # = ] "', "format.rounds", "anchors . 'x.y'", "entrants.spec", '"\\u0041"')
VALUES = (
    *GOOD.values(), "-1", "0.5", "nan", "1979-05-27", "0x" + "f" * 300, '""', '"random"', '"bot:\'half"',
    '"no/*"', "'x\\'", '"a\\"b]#"', '"\\u001b[2J"', '"""\n]"" = \\"""\n"""', "'''\n{[='''", '"""x""',
)
HEADS = ("", "", "[format]\n", "[anchors]\n", "[[entrants]]\n", "[[many]] # ]\n", "[")


def a_value(random: Random, depth: int) -> str:
    """Some value, in lists and tables down to a depth."""
    kind = random.randrange(5 if depth else 3)
    if kind < 3:
        return random.choice(VALUES)
    parts = [a_value(random, depth - 1) for _ in range(random.randrange(4))]
    if kind == 4:
        keys = random.choices(("name", "spec", "folder", "rounds", "k", "'x.y'"), k=len(parts))
        return "{" + ", ".join(f"{key} = {part}" for key, part in zip(keys, parts, strict=True)) + "}"
    gap = random.choice(("", " ", "\n", " # x = [\n"))
    return f"[{gap}{f',{gap}'.join(parts)}{gap}]"


def a_document(random: Random) -> str:
    """Some lines that could be a tournament file, more or less; one in five is cut somewhere."""
    lines = []
    for key in random.sample([*GOOD, *ODD], random.randrange(1, 5)):
        head, value, behind = random.choice(HEADS), a_value(random, 3), random.choice(("", " # y", " "))
        if key in GOOD and random.random() < 0.7:
            head, value = "", GOOD[key]
        lines.append(f"{head}{key}\t= {value}{behind}")
    if random.random() < 0.5:
        lines.insert(0, 'entrants = ["random", "t77"]')
    text = random.choice(("\n", "\r\n")).join(lines)
    return text[: random.randrange(len(text))] if random.random() < 0.2 else text


def places_in(value: Any, place: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """The places of all values in a document."""
    parts = value.items() if isinstance(value, dict) else enumerate(value if isinstance(value, list) else ())
    return [found for key, part in parts for found in ((*place, key), *places_in(part, (*place, key)))]


def test_random_documents_read_or_give_one_sentence_with_a_line(tmp_path: Path) -> None:
    random, read = Random(14), 0
    for _ in range(500):
        text = a_document(random)
        try:
            assert isinstance(parse_plan(text.encode(), tmp_path / "cup.toml"), Plan)
            read += 1
        except PlanError as error:
            said = str(error)
            assert said.isprintable() and len(said) < 1100, text
            where = re.match(r"cup\.toml(?:, line ([0-9]+))?: ", said)
            assert where and 1 <= int(where[1] or 1) <= len(text.splitlines()) + 1, (text, said)
            # What is nowhere in a file has no line: there only the entrants can be missing.
            assert where[1] or "there are no entrants" in said or "entrants, not" in said, (text, said)
    assert 20 < read < 200


def test_lines_of_all_places_of_random_documents() -> None:
    random, found = Random(15), 0
    while found < 1000:
        text = a_document(random)
        try:
            places = places_in(tomllib.loads(text))
        except tomllib.TOMLDecodeError:
            continue
        for place in places:
            line = line_of(text, place)
            assert line is not None and line <= len(text.splitlines()), (text, place)
            assert line >= (line_of(text, place[:-1]) or 1), (text, place)
        found += len(places)
