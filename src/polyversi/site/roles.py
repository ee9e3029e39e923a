"""Roles: who may do what, each role what those before it may."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import IntEnum


class Role(IntEnum):
    """Somebody who has not signed in, who has an account to watch with, who takes part, who runs the site.

    >>> Role.MEMBER >= Role.GUEST, Role.parse("organiser").name
    (True, 'ORGANISER')
    """

    ANYBODY = 0
    GUEST = 1
    MEMBER = 2
    ORGANISER = 3

    @classmethod
    def parse(cls, name: str) -> Role:
        """The role of that name; a ValueError if there is none."""
        try:
            return cls[name.upper()]
        except KeyError:
            raise ValueError(f"there is no role '{name}'; roles are guest, member and organiser") from None

    def __str__(self) -> str:
        return self.name.lower()


def roles_of(role: Role) -> list[Role]:
    """The roles that somebody has with a role, from the least.

    >>> [str(one) for one in roles_of(Role.MEMBER)]
    ['guest', 'member']
    """
    return [one for one in Role if Role.ANYBODY < one <= role]


@dataclass(frozen=True)
class Person:
    """Somebody who has an account."""

    id: str
    name: str
    role: Role
    created: float = 0.0
    is_disabled: bool = False
    has_password: bool = False

    @property
    def player(self) -> str:
        """What this person is called where people and bots have ratings."""
        return f"person:{self.id}"

    @property
    def mark(self) -> str:
        """What is kept with what this person sets up, such as games; see `server.limits.mark_of`."""
        return hashlib.sha256(self.player.encode()).hexdigest()[:16]
