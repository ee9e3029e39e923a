"""The lines of keys and elements in TOML files, however they are written."""

from __future__ import annotations

import pytest

from polyversi.contest.plan_file import line_of

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
