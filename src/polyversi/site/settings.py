"""A site's file: its name, where it keeps things, its ladders and their limits, quotas and defaults."""

from __future__ import annotations

import re
import tomllib
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import msgspec

from polyversi.games.errors import PolyversiError
from polyversi.games.limit import Limit
from polyversi.games.variants import game
from polyversi.site.languages import LANGUAGES

MAX_BYTES = 1_000_000
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=60)]
Id = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$")]
Count = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
Days = Annotated[float, msgspec.Meta(ge=0, le=36_500)]
SCHEMES = ("tcp", "tls", "ucx", "ws", "wss")
"""How a dask scheduler is reached."""
WRONG = re.compile(r"(.*?)(?: - at `\$\.?(.*)`)?", re.DOTALL)


class SiteError(PolyversiError):
    """What is wrong with a site or with what somebody wants of it, in a sentence."""


class LadderSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One ladder: a game that bots play, and the limits of the course."""

    id: Id
    variant: str = "othello"
    title: Name = "Ladder"
    limit: str = "seconds=5,bank=180"
    memory: Annotated[int, msgspec.Meta(ge=16, le=1 << 20)] = 1024
    """MiB for a bot with all its processes."""
    games: Count = 20
    """Games that every bot should have; the site plays them in the background."""
    pause: Annotated[float, msgspec.Meta(ge=0)] = 0.0
    """Seconds between two automatic games."""

    @property
    def parsed_limit(self) -> Limit:
        """The limit as the referee takes it."""
        return Limit.parse(self.limit)


class Quotas(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How much one person may use; organisers have none."""

    bots: Count = 5
    versions_per_day: Count = 50
    megabytes: Count = 50
    """Of all uploads of a person."""
    challenges: Count = 10
    """Challenges on ladders that may wait at the same time."""
    site_megabytes: Count = 10_000
    """Of all uploads of the site."""


class SiteSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the file says; paths are relative to its folder."""

    name: Name = "Polyversi"
    store: str = "site.db"
    """A file, or a URL such as postgresql://…"""
    uploads: str = "uploads"
    """The folder of what people hand in."""
    languages: tuple[str, ...] = tuple(LANGUAGES)
    """What people may hand in."""
    ladders: tuple[LadderSettings, ...] = ()
    quotas: Quotas = Quotas()
    jobs: Count = 0
    """Games that bots play at the same time; 0 for one on each processor but one."""
    cluster: str = ""
    """The address of a dask cluster that plays instead of this machine."""
    keep_games_days: Days = 60.0
    """Days after which an automatic game of a ladder is thinned to its result; 0 keeps all."""
    session_days: Days = 30.0
    link_days: Days = 14.0
    xt_port: Annotated[int, msgspec.Meta(ge=0, le=65_535)] = 0
    """The TCP port at which groups connect their clients to XT events; 0 for none."""
    xt_host: str = "0.0.0.0"
    """The address at which that port is opened."""
    guests_may_play: bool = True
    """Whether people who have not signed in may play against the computer and friends."""


class SiteFile(msgspec.Struct, frozen=True):
    """Settings, and the folder they are relative to."""

    settings: SiteSettings
    folder: Path
    name: str = "site.toml"

    @property
    def path(self) -> Path:
        """The file itself."""
        return self.folder / self.name

    @property
    def store(self) -> str:
        """The store, as it is opened."""
        where = self.settings.store
        return where if "://" in where else str(self.folder / Path(where).expanduser())

    @property
    def uploads(self) -> Path:
        """The folder of what people hand in."""
        return self.folder / Path(self.settings.uploads).expanduser()

    def ladder(self, id: str) -> LadderSettings:
        """The ladder of that id; a SiteError if there is none."""
        for ladder in self.settings.ladders:
            if ladder.id == id:
                return ladder
        raise SiteError("there is no such ladder")


def read_site(path: Path) -> SiteFile:
    """The settings that a site's file has; a SiteError says what is wrong with it.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "site.toml")
    ...     _ = file.write_text('name = "AI course"\\n[[ladders]]\\nid = "anti"\\nvariant = "anti"\\n')
    ...     site = read_site(file)
    >>> site.settings.name, site.ladder("anti").limit
    ('AI course', 'seconds=5,bank=180')
    """
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise SiteError(f"the site's file {path} cannot be read: {error.strerror}; "
                        "`polyversi site new` makes one") from None
    if len(data) > MAX_BYTES:
        raise SiteError(f"{path} is larger than {MAX_BYTES:,} bytes")
    try:
        settings = msgspec.convert(tomllib.loads(data.decode()), SiteSettings)
    except UnicodeDecodeError:
        raise SiteError(f"{path} is not UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise SiteError(f"{path} is not TOML: {error}") from None
    except msgspec.ValidationError as error:
        found = WRONG.fullmatch(str(error))
        place = f" at {found[2]}" if found and found[2] else ""
        raise SiteError(f"{path}{place}: {found[1] if found else error}") from None
    _check(path, settings)
    return SiteFile(settings, path.absolute().parent, path.name)


def _is_address(text: str) -> bool:
    """Whether a text has the form of a scheduler's address.

    >>> [_is_address(text) for text in ("tcp://10.0.0.1:8786", "tls://[::1]:8786", "10.0.0.1", "tcp://a:b")]
    [True, True, False, False]
    """
    try:
        parts = urlsplit(text)
        return parts.scheme in SCHEMES and bool(parts.hostname) and bool(parts.port)
    except ValueError:
        return False


def _check(path: Path, settings: SiteSettings) -> None:
    for language in settings.languages:
        if language not in LANGUAGES:
            close = get_close_matches(language, LANGUAGES, 1)
            guess = f"; did you mean '{close[0]}'?" if close else ""
            raise SiteError(f"{path}: there is no language '{language}'; languages are "
                            f"{', '.join(LANGUAGES)}{guess}")
    if settings.cluster and not _is_address(settings.cluster):
        raise SiteError(f"{path}: '{settings.cluster}' is not the address of a dask scheduler; write it such "
                        "as tcp://10.0.0.1:8786")
    ids = [ladder.id for ladder in settings.ladders]
    for ladder in settings.ladders:
        if ids.count(ladder.id) > 1:
            raise SiteError(f"{path}: two ladders have the id '{ladder.id}'")
        try:
            game(ladder.variant)
            Limit.parse(ladder.limit)
        except PolyversiError as error:
            raise SiteError(f"{path}, ladder '{ladder.id}': {error}") from None
