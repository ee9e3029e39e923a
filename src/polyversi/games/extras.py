"""Optional packages: what needs which of them, and one sentence that says how to install them."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec

from polyversi.games.errors import PolyversiError


@dataclass(frozen=True)
class Need:
    """Something that works only with packages of an extra."""

    what: str
    extra: str
    packages: tuple[str, ...]
    """As they are imported."""

    @property
    def is_met(self) -> bool:
        """Whether all packages are installed."""
        return all(map(_is_installed, self.packages))


PICTURES = Need("PNG and GIF", "server", ("PIL", "resvg_py"))
PAGE = Need("the page", "server", ("starlette", "uvicorn", "websockets", "sqlalchemy", *PICTURES.packages))
LINKS = Need("the link to a game", "server", ("websockets",))
SITE = Need("a site", "site", ("argon2", "jinja2", "rustworkx", "sqlalchemy"))
TOURNAMENTS = Need("a tournament", "arena", ("jinja2", "rustworkx", "sqlalchemy"))
DATABASE = Need("a database", "arena", ("sqlalchemy",))
POSTGRES = Need("PostgreSQL", "postgres", ("psycopg",))
CLUSTER = Need("a cluster", "cluster", ("distributed",))


def require(*needs: Need) -> None:
    """An error that names everything to install, unless all needs are met.

    >>> require(Need("chess", "server", ("json",)), Need("music", "arena", ("no_such_package",)))
    Traceback (most recent call last):
    polyversi.games.errors.PolyversiError: music needs more packages: pip install 'polyversi[arena]'
    """
    unmet = [need for need in needs if not need.is_met]
    missing = [need for need in unmet if not any({*need.packages} < {*other.packages} for other in unmet)]
    if missing:
        what = " and ".join(dict.fromkeys(need.what for need in missing))
        verb = "need" if " and " in what else "needs"
        extras = ",".join(dict.fromkeys(need.extra for need in missing))
        raise PolyversiError(f"{what} {verb} more packages: pip install 'polyversi[{extras}]'")


def store_needs(where: str) -> tuple[Need, ...]:
    """What a store needs that is named by a file or a URL; nothing for JSON Lines.

    >>> [need.extra for need in store_needs("postgresql://ann@localhost/cups")], store_needs("games.jsonl")
    (['arena', 'postgres'], ())
    """
    if where.startswith("postgres"):
        return DATABASE, POSTGRES
    return (DATABASE,) if where.lower().endswith((".db", ".sqlite", ".sqlite3")) else ()


def _is_installed(package: str) -> bool:
    with suppress(ImportError):    # of a package above it, or of an import hook
        return find_spec(package) is not None
    return False
