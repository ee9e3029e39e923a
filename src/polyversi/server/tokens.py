"""Tokens: whoever has the token of a seat or a series may play or control it."""

from __future__ import annotations

import hashlib
import secrets


def new_token() -> str:
    """A token: 128 random bits."""
    return secrets.token_urlsafe(16)


def hash_token(token: str) -> str:
    """What is stored of a token, from which nobody can get it back.

    >>> hash_token("") == "" != hash_token("x")
    True
    """
    return hashlib.sha256(token.encode()).hexdigest() if token else ""
