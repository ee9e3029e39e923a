"""Names of people, bots and events: what one may look like, and when two of them are the same."""

from __future__ import annotations

import unicodedata

from polyversi.site.settings import SiteError

MAX_MARKS = 2
"""Accents on one letter; more of them cover what stands above and below."""
BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters that nobody sees."""


def clean_name(text: str, what: str, limit: int = 40) -> str:
    """A name as it is kept; a SiteError says what is wrong with it, with `what` for whose name it is.

    It begins with a letter or a digit, so that it is the name of something everywhere: in an address, in a
    table that a spreadsheet opens, on a command line.

    >>> clean_name("  Ann   Lee ", "a person")
    'Ann Lee'
    >>> clean_name("\u202eeve", "a person")
    Traceback (most recent call last):
    polyversi.site.settings.SiteError: the name of a person has a character that cannot be shown: '\\u202e'
    """
    name = " ".join(unicodedata.normalize("NFC", text[:10 * limit]).split())
    whose = f"the name of {what}"
    if not name:
        raise SiteError(f"{whose} is missing")
    if len(name) > limit or len(text) > 10 * limit:
        raise SiteError(f"{whose} is too long; it may have at most {limit} characters")
    for character in name:
        if not character.isprintable() or character in BLANK:
            raise SiteError(f"{whose} has a character that cannot be shown: {character!a}")
        if character in "/\\":
            raise SiteError(f"{whose} cannot have a {character}")
    if unicodedata.category(name[0])[0] not in "LN":
        raise SiteError(f"{whose} begins with a letter or a digit")
    if _most_marks(name) > MAX_MARKS:
        raise SiteError(f"{whose} has too many accents on one letter")
    return name


def folded(name: str) -> str:
    """A name as it is compared: two that look the same in another case or width are the same.

    >>> folded("Straße") == folded("STRASSE"), folded("\uff21nn") == folded("ann")
    (True, True)
    """
    once = unicodedata.normalize("NFKC", name).casefold()
    return " ".join(unicodedata.normalize("NFKC", once).split())


def _most_marks(name: str) -> int:
    most = marks = 0
    for character in unicodedata.normalize("NFD", name):
        marks = marks + 1 if unicodedata.category(character)[0] == "M" else 0
        most = max(most, marks)
    return most
