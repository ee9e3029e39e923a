"""A site on a real server, and the people who use it."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

import httpx

from polyversi.server.site.access import COOKIE
from polyversi.site.people import Newcomer, People
from polyversi.site.roles import Person, Role
from polyversi.site.sessions import Sessions
from polyversi.site.settings import SiteFile, read_site
from polyversi.site.store import SiteStore
from tests.testing import http
from tests.testing.page_server import Served
from tests.testing.processes import processes
from tests.testing.waiting import until

LADDER = """
[[ladders]]
id = "othello"
"""


class SiteServer(Served):
    """`polyversi run --site` on a free port, with a site in a folder of its own, which may be there already.

    `more` is added to the site's file, which has a ladder of Othello unless `more` has ladders itself.
    """

    def __init__(self, folder: Path, more: str = "", *, store: str = "") -> None:
        self.path = folder / "site.toml"
        ladder = "" if "[[ladders]]" in more else LADDER
        place = f'store = "{store}"\n' if store else ""
        if not self.path.exists():
            self.path.write_text(f'name = "Test club"\n{place}{more}{ladder}')
        super().__init__(folder, "--analysis-workers", "0", store=self.file.store)

    @property
    def _place(self) -> tuple[str, ...]:
        return "--site", str(self.path)

    @cached_property
    def file(self) -> SiteFile:
        """The site's file."""
        return read_site(self.path)

    def join(self, name: str, role: Role = Role.MEMBER) -> Member:
        """Somebody new, who is signed in."""
        with closing(SiteStore.open(self.store)) as store:
            person, = People(store).add([Newcomer(name, role)])
        return self.session_of(person)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Stops the conductor meanwhile, so that what waits goes on waiting."""
        conductor, = until(lambda: set(processes(str(self.path))) - {self.pid})
        # With the lock for writing, so that it is not stopped while it has that.
        with closing(SiteStore.open(self.store)) as store, store.writing():
            os.kill(conductor, signal.SIGSTOP)
            until(lambda: Path(f"/proc/{conductor}/stat").read_text().rpartition(")")[2].split()[0] == "T")
        try:
            yield
        finally:
            os.kill(conductor, signal.SIGCONT)

    def session_of(self, person: Person) -> Member:
        """Somebody who has an account, signed in."""
        with closing(SiteStore.open(self.store)) as store:
            return Member(self.address, person, Sessions(store, self.file.settings).start(person.id))


class Member:
    """A person at a site, who asks the server for things in a session."""

    def __init__(self, address: str, person: Person, token: str) -> None:
        self.address = address
        self.person = person
        self.token = token
        """Of the session."""

    @property
    def cookies(self) -> dict[str, str]:
        """What a browser of this person sends with every request."""
        return {COOKIE: self.token}

    def ask(self, method: str, path: str, data: Any = None, **more: Any) -> httpx.Response:
        """The answer to a request, whatever it is; `data` is sent as JSON."""
        more.setdefault("headers", {"x-polyversi": "1"})
        if data is not None:
            more["json"] = data
        with http.client(cookies=self.cookies, verify=False) as client:    # no TLS
            return client.request(method, self.address + path, **more)

    def get(self, path: str) -> Any:
        """What is there, as data."""
        answer = self.ask("GET", path)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, path: str, data: Any) -> Any:
        """What the server answers to data, as data."""
        answer = self.ask("POST", path, data)
        assert answer.status_code in (200, 201), answer.text
        return answer.json()
