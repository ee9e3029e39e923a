"""Passwords: what one must be like, and the argon2id hashes that are kept of them."""

from __future__ import annotations

import secrets
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

from polyversi.site.settings import SiteError

if TYPE_CHECKING:
    from argon2 import PasswordHasher

SHORTEST, LONGEST = 8, 200
"""Characters of a password; a longer one would only cost time."""


def hash_of(password: str, name: str) -> str:
    """What is kept of a password; a SiteError says why it will not do for the person of that name."""
    if len(password) < SHORTEST:
        raise SiteError(f"a password has at least {SHORTEST} characters")
    if len(password) > LONGEST:
        raise SiteError(f"a password has at most {LONGEST} characters")
    if _normal(password).casefold() == _normal(name).casefold():
        raise SiteError("a password is not the name")
    return _hasher().hash(_normal(password))


def matches(password: str, kept: str) -> bool:
    """Whether this is the password of a hash; without a hash it takes as long to find out that it is not."""
    from argon2.exceptions import InvalidHashError, VerificationError

    try:
        return _hasher().verify(kept or _nobodys(), _normal(password[:LONGEST])) and bool(kept)
    except (VerificationError, InvalidHashError):
        return False


def needs_another_hash(kept: str) -> bool:
    """Whether a hash was made with settings of former times."""
    return _hasher().check_needs_rehash(kept)


def _normal(password: str) -> str:
    """A password as it is hashed: one that is typed on another keyboard is the same."""
    return unicodedata.normalize("NFC", password)


@lru_cache(maxsize=1)
def _hasher() -> PasswordHasher:
    from argon2 import PasswordHasher

    return PasswordHasher()    # argon2id, with the settings of RFC 9106 for little memory


@lru_cache(maxsize=1)
def _nobodys() -> str:
    return _hasher().hash(secrets.token_urlsafe())
