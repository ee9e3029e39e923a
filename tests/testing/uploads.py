"""What people hand in at a site, in tests: bots as source, archives, and a site to hand them in at."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from polyversi.contest.pool import InProcess
from polyversi.site.bots import Bot, Bots, Version
from polyversi.site.people import Newcomer, People
from polyversi.site.roles import Person, Role
from polyversi.site.settings import SiteFile, read_site
from polyversi.site.store import SiteStore
from tests.testing.course_agent import AGENT, CHOOSE
from tests.testing.processes import ZOO

COURSE_AGENT = AGENT.format(imports="", members="pass", own_list="self.candidate_list = []",
                            go=" " * 8 + CHOOSE)
FIRST_MOVE = """
import json
import sys

for line in sys.stdin:
    print(json.dumps({"move": json.loads(line)["moves"][0]}), flush=True)
"""
RELEASE = "go"
HELD = f"""
import os
import time

def wait():
    while not os.path.exists("{RELEASE}"):
        time.sleep(0.05)
""" + FIRST_MOVE.replace("in sys.stdin:", "in sys.stdin:\n    wait()")
"""Answers nothing before `release`; its ladder needs a limit that is never reached."""
JAVASCRIPT = """
require("readline").createInterface({ input: process.stdin }).on("line", (line) =>
  console.log(JSON.stringify({ move: JSON.parse(line).moves[0] })));
"""
SITE = """
[[ladders]]
id = "othello"
variant = "othello-4"
limit = "seconds=20,bank=180"
"""


def release(file: SiteFile, bot: str) -> None:
    """Lets the first version of a bot that is held answer from now on."""
    (file.uploads / bot / "1" / RELEASE).touch()


def zoo_bot(flag: str) -> str:
    """The source of a bot of the zoo."""
    return ZOO.read_text().replace("sys.argv[1]", repr(flag))


def packed(files: dict[str, str | bytes]) -> bytes:
    """A zip archive."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return target.getvalue()


class Desk:
    """A site without a page, where bots are handed in and checked in this process."""

    def __init__(self, folder: Path, where: str = "", more: str = SITE) -> None:
        self.folder = folder
        path = folder / "site.toml"
        path.write_text(f'name = "Club"\nstore = "{where or "site.db"}"\n{more}')
        self.file: SiteFile = read_site(path)
        self.store = SiteStore.open(self.file.store)
        self.bots = Bots(self.file, self.store)

    def person(self, name: str, role: Role = Role.MEMBER) -> Person:
        """Somebody new."""
        return People(self.store).add([Newcomer(name, role)])[0]

    def hand_in(self, person: Person, bot: Bot, data: str | bytes, name: str = "main.py",
                arguments: str = "") -> Version:
        """A new version of a bot."""
        source = self.folder / "source"
        source.write_bytes(data.encode() if isinstance(data, str) else data)
        return self.bots.hand_in(person, bot, source, name, arguments)


def at_once(work: Callable[[], Any]) -> Future[Any]:
    """Has a worker's work done by this process."""
    return InProcess().submit(work)
