"""The lines of keys and elements in TOML files, however they are written."""

from __future__ import annotations

import tomllib
from random import Random

from polyversi.contest.toml_lines import Place, line_at, lines_of

EVERYTHING = r'''# a comment = "with a key"
name = "a # no comment"
"quoted key" = 'literal [ { '   # behind
a . "b.c" . d = 1

entrants = [
  "one", # , "none"
  'two', { name = "Ann", "spec" = "x, y" },

  """three
goes on = 4 \""" ]
""",
  [ [1], [2,
    3] ],
]
text = """"quotes"""""
empty = []
nothing = {}
other = \'\'\'it\'s
\'\'\'
day = 1979-05-27 07:32:00Z

[format]   # a table
name = "swiss"
[format.deeper]
x.y = { z = [1,
2] }

[[many]]
x = 1
[many.below]
y = 2
[[many]]
[[many.inner]]
z = 3
[[many.inner]]
'''.replace(r"\'", "'")


def paths_of(value: object, place: Place = ()) -> set[Place]:
    """The places of all values in a document."""
    parts: list[tuple[str | int, object]] = []
    if isinstance(value, dict):
        parts = list(value.items())
    elif isinstance(value, list):
        parts = list(enumerate(value))
    own = {place} if place else set()
    return own.union(*(paths_of(part, (*place, key)) for key, part in parts))


def test_every_place_has_its_line() -> None:
    lines = lines_of(EVERYTHING)
    assert set(lines) == paths_of(tomllib.loads(EVERYTHING))
    assert {place: line for place, line in lines.items() if len(place) < 3 and place[0] != "a"} == {
        ("name",): 2, ("quoted key",): 3, ("entrants",): 6, ("entrants", 0): 7, ("entrants", 1): 8,
        ("entrants", 2): 8, ("entrants", 3): 10, ("entrants", 4): 13, ("text",): 16, ("empty",): 17,
        ("nothing",): 18, ("other",): 19, ("day",): 21, ("format",): 23, ("format", "name"): 24,
        ("format", "deeper"): 25, ("many",): 29, ("many", 0): 29, ("many", 1): 33,
    }
    assert lines["entrants", 2, "spec"] == 8
    assert lines["entrants", 4, 1, 1] == 14
    assert lines["a", "b.c", "d"] == 4
    assert lines["format", "deeper", "x", "y", "z", 1] == 27
    assert (lines["many", 0, "below", "y"], lines["many", 1, "inner", 0, "z"]) == (32, 35)
    assert lines["many", 1, "inner", 1] == 36


def test_line_ends_of_windows_make_no_difference() -> None:
    assert lines_of(EVERYTHING.replace("\n", "\r\n")) == lines_of(EVERYTHING)


def test_what_is_not_there_is_where_it_would_stand() -> None:
    lines = lines_of("[format]\nname = 'swiss'")
    assert line_at(lines, ("format", "rounds")) == 1
    assert line_at(lines, ("games",)) is None


def a_value(chance: Random, depth: int) -> str:
    kind = chance.randrange(9 if depth else 6)
    if kind >= 6:
        gap = chance.choice(["", " ", "\n", " # x = [\n"])
        parts = [a_value(chance, depth - 1) for _ in range(chance.randrange(4))]
        if kind < 8:
            return "[" + gap + f",{gap}".join(parts) + (f"{gap},{gap}" if parts and kind == 7 else gap) + "]"
        return "{" + ", ".join(f"k{number} = {part}" for number, part in enumerate(parts)) + "}"
    return ["1", "true", '"a\\"b]#"', "'x\\'", '"""\n]"" = \\"""\n"""', "'''\n{[='''"][kind]


def a_document(chance: Random) -> str:
    lines = []
    for number in range(chance.randrange(1, 6)):
        key = chance.choice(["plain{}", '"odd # = ] {}"', "dotted . 'x.y{}'", "'\"{}'", '"\\u0041{}"'])
        head = chance.choice(["", "", f"[t{number}]\n", "[[many]] # ]\n"])
        behind = chance.choice(["", " # y", " "])
        lines.append(f"{head}{key.format(number)}\t= {a_value(chance, 3)}{behind}")
    return "\n".join(lines)


def test_random_documents() -> None:
    chance = Random(1)
    for _ in range(500):
        text = a_document(chance)
        assert set(lines_of(text)) == paths_of(tomllib.loads(text)), text
