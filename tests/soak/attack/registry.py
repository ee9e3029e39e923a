"""The registry of attacks: a new attack is one decorated function in a module of attacks/."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.soak.attack.site import Site

MIB = 1 << 20
Deed = Callable[["Site"], Awaitable[str]]


class FailedError(Exception):
    """The server did not hold; the sentence says what happened."""


class SlowError(FailedError):
    """Somebody waited for too long, which says nothing of the server while others keep the machine busy."""


class SkippedError(Exception):
    """The attack needs something that this machine lacks."""


@dataclass(frozen=True)
class Attack:
    """One attack: what it is called, what it does, and what it may cost the server at most."""

    name: str
    deed: Deed
    """Attacks, raises a FailedError if the server does not hold, and returns what else is worth telling."""
    memory: float = 128 * MIB
    """Bytes of memory that the server may need beyond what it had before."""
    disrupts: bool = False
    """Whether the attack ends or starves the server itself, so that an honest visitor may be cut off."""
    is_slow: bool = False
    """Whether the honest visitor may have to wait, since its own moves cannot be stored meanwhile."""
    options: tuple[str, ...] = ()
    """Options of the server under attack."""


ATTACKS: list[Attack] = []


def attack(name: str, **bounds: Any) -> Callable[[Deed], Deed]:
    """Registers a function as an attack, with bounds other than the common ones if need be."""
    def register(deed: Deed) -> Deed:
        ATTACKS.append(Attack(name, deed, **bounds))
        return deed

    return register


def hold(is_so: object, otherwise: str) -> None:
    """Fails the attack's server unless something is so."""
    if not is_so:
        raise FailedError(otherwise)


def hold_within(seconds: float, took: float, what: str) -> None:
    """Fails the attack's server if something took longer than so many seconds."""
    if took > seconds:
        raise SlowError(f"{what} took {took:.1f} s")
