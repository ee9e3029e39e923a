"""Lists of people to import: a name on each line, or a table in CSV with names and perhaps roles."""

from __future__ import annotations

import csv
import io

from polyversi.site.names import clean_name, folded
from polyversi.site.people import Newcomer
from polyversi.site.roles import Role
from polyversi.site.settings import SiteError

MAX_LINES = 5_000
NAMES, ROLES = ("name", "names", "student", "full name"), ("role",)
"""What columns are called, in any case."""


def read_people(text: str, role: Role = Role.MEMBER) -> list[Newcomer]:
    """The people of a list; those without a role have the one given. A SiteError names the line at fault.

    >>> [(one.name, str(one.role)) for one in read_people("Ann\\nBob Lee\\n")]
    [('Ann', 'member'), ('Bob Lee', 'member')]
    >>> [(one.name, str(one.role)) for one in read_people("id;Name;role\\n7;Ann;organiser\\n8;Bob;\\n")]
    [('Ann', 'organiser'), ('Bob', 'member')]
    """
    lines = text.removeprefix("\ufeff").splitlines()
    if len(lines) > MAX_LINES:
        raise SiteError(f"a list has at most {MAX_LINES:,} lines")
    first = next((line for line in lines if line.strip()), "")
    rows = csv.reader(io.StringIO("\n".join(lines)), delimiter=_delimiter(first))
    found: list[Newcomer] = []
    known: dict[str, int] = {}
    name_at, role_at = 0, None
    try:
        for row in rows:
            if not any(cell.strip() for cell in row):
                continue
            heads = [cell.strip().casefold() for cell in row]
            if not found and any(head in NAMES for head in heads):
                name_at = next(at for at, head in enumerate(heads) if head in NAMES)
                role_at = next((at for at, head in enumerate(heads) if head in ROLES), None)
                continue
            number = rows.line_num
            newcomer = _newcomer(row, name_at, role_at, role, number)
            if (twin := known.setdefault(folded(newcomer.name), number)) != number:
                raise SiteError(f"line {number}: '{newcomer.name}' is in line {twin} too")
            found.append(newcomer)
    except csv.Error as error:
        raise SiteError(f"line {rows.line_num}: this is not a table in CSV: {error}") from None
    if not found:
        raise SiteError("there is no name in this list")
    return found


def _newcomer(row: list[str], name_at: int, role_at: int | None, role: Role, number: int) -> Newcomer:
    try:
        name = clean_name(row[name_at] if name_at < len(row) else "", "a person")
        own = row[role_at].strip() if role_at is not None and role_at < len(row) else ""
        return Newcomer(name, Role.parse(own) if own else role)
    except (SiteError, ValueError) as error:
        raise SiteError(f"line {number}: {error}") from None


def _delimiter(first: str) -> str:
    """What separates the columns, as the first line has it."""
    return max(",;\t", key=first.count)
