"""Tokens of the seats of people, made from a secret so that a person gets them again on every device."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets

import sqlalchemy as sql

from polyversi.site.store import SiteStore
from polyversi.site.tables import SECRETS

NAME = "seats"
TOKEN_BYTES = 24


class SeatTokens:
    """Makes the token by which a person plays in a game and in its rematches.

    >>> tokens = SeatTokens("a secret")
    >>> tokens.of("game", "ann") == tokens.of("game", "ann") != tokens.of("game", "bob")
    True
    """

    def __init__(self, secret: str) -> None:
        self._secret = secret.encode()

    @classmethod
    def open(cls, store: SiteStore) -> SeatTokens:
        """The tokens of a site; its secret is made once."""
        with store.writing() as connection:
            made = {"name": NAME, "value": secrets.token_urlsafe(32)}
            connection.execute(store.insert(SECRETS).values(made).on_conflict_do_nothing())
            found = connection.execute(sql.select(SECRETS.c.value).where(SECRETS.c.name == NAME)).scalar_one()
        return cls(found)

    def of(self, first_game: str, person: str) -> str:
        """The token of a person, by id, in a row of games that began with this one."""
        made = hmac.digest(self._secret, f"{first_game} {person}".encode(), hashlib.sha256)
        return base64.urlsafe_b64encode(made[:TOKEN_BYTES]).decode()
