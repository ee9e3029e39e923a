"""A ladder over HTTP: challenges, games to watch at once and later, and who sees what bots wrote."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest

from polyversi.contest.live_feed import Shown
from polyversi.records import Record, jsonl
from polyversi.site.roles import Role
from polyversi.site.sessions import Sessions
from tests.testing import http
from tests.testing.ladders import Rungs
from tests.testing.processes import processes, wait_until_gone
from tests.testing.sandbox import needs_sandbox
from tests.testing.site import Member, SiteServer
from tests.testing.waiting import until

pytestmark = needs_sandbox
LADDER = """
jobs = 1
[quotas]
challenges = 1
[[ladders]]
id = "othello"
variant = "othello-4"
limit = "seconds=2"
games = 0
"""
SLEEPER = "import sys, time\nprint('zzz', file=sys.stderr, flush=True)\ninput()\ntime.sleep(3600)\n"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SiteServer]:
    """A site whose ladder plays only what somebody asks for."""
    with SiteServer(tmp_path_factory.mktemp("ladder"), LADDER) as served:
        yield served


def ladder(member: Member) -> Any:
    """The ladder as somebody sees it."""
    return member.get("/api/site/ladders/othello")


def live(member: Member) -> list[str]:
    """The games that are shown while they are played."""
    return [game for match in ladder(member)["queue"] for game in match["live"]]


@pytest.mark.slow
def test_a_challenge_is_watched_survives_a_kill_and_is_kept(site: SiteServer) -> None:
    rungs = Rungs(Path(site.path.parent), more=LADDER)
    members = {}
    for name, source in (("Ann", SLEEPER), ("Bob", SLEEPER)):
        person, bot = rungs.climb(name, source)
        token = Sessions(rungs.store, rungs.file.settings).start(person.id)
        members[bot.id] = Member(site.address, person, token)
    rungs.store.close()
    ann = next(iter(members.values()))
    high, low = (one["bot"]["id"] for one in ladder(ann)["ranking"])
    challenger, rival = members[low], members[high]
    match = challenger.post("/api/site/matches", {"challenger": low, "challenged": high})
    again = challenger.ask("POST", "/api/site/matches", {"challenger": low, "challenged": high})
    assert (again.status_code, "already" in again.json()["problem"]) == (400, True)
    until(lambda: live(ann))
    olga = site.join("Olivia", Role.ORGANISER)
    table = olga.ask("GET", "/api/site/ladders/othello/table.csv").text.splitlines()
    assert table[0] == "place,bot,owner,version,rating,error,sure,games"
    owners = {members[high].person.name, members[low].person.name}
    assert {line.split(",")[2] for line in table[1:]} == owners and "1500.0" in table[1]
    assert ann.ask("GET", "/api/site/ladders/othello/table.csv").status_code == 403
    outside = http.get(f"{site.address}/api/site/ladders/othello").json()["queue"]
    assert ladder(ann)["queue"][0]["asked_by"] == challenger.person.id
    assert [one["asked_by"] for one in outside] == [""], "nobody's id for whoever has no account"
    assert ann.get(f"/api/games/{live(ann)[0]}")["kinds"] == ["remote", "remote"]
    site.kill()
    wait_until_gone(str(site.path))
    site.start()
    until(lambda: live(ann))
    assert challenger.ask("POST", f"/api/site/matches/{match['id']}/cancel", {}).status_code == 400
    until(lambda: not ladder(ann)["queue"])
    games = ladder(ann)["games"]
    assert [game["id"] for game in games] == [f"{match['id']}.2", f"{match['id']}.1"]
    for game in games:
        verdict = game["result"]["verdict"]
        assert (verdict["kind"], verdict["seat"], game["is_automatic"]) == ("timeout", 1, False)
        assert ann.ask("GET", f"/game/{game['id']}").status_code == 200
        shown = ann.get(f"/api/games/{game['id']}")
        assert (shown["phase"], shown["result"]["verdict"]) == ("over", verdict)
        record = jsonl.parse(ann.ask("GET", f"/games/{game['id']}.jsonl").text)
        assert isinstance(record, Record)
        assert list(record.players) == [f"{bot['name']} v1" for bot in game["bots"]]
    ended, = challenger.get("/api/site/ladders/othello/challenges")["challenges"]
    assert (ended["id"], ended["phase"], ended["points"]) == (match["id"], "over", [1.0, 1.0])
    assert sorted(ended["games"]) == sorted(game["id"] for game in games)
    assert rival.get("/api/site/ladders/othello/challenges")["challenges"] == []
    first = f"/api/site/ladder-games/{match['id']}.1"
    assert ["zzz" in (text or "") for text in challenger.get(first)["outputs"]] == [True, False]
    assert challenger.get(first)["outputs"][1] is None
    assert rival.get(first)["outputs"][0] is None
    assert site.join("Guest", Role.GUEST).get(first)["outputs"] == [None, None]
    assert None not in site.join("Olga", Role.ORGANISER).get(first)["outputs"]
    whose = {bot["owner_name"] for game in games for bot in game["bots"]}
    assert whose == {"Ann", "Bob"}
    for path in ("/api/site/ladders/othello", "/api/site/ladders/othello/games", first):
        told = http.get(site.address + path).text    # to somebody who has no account
        assert '"owner_name":""' in told
        assert not any(f'"owner_name":"{name}"' in told for name in whose)


@pytest.mark.parametrize(("path", "status"), [
    ("/api/site/ladders/none", 404), ("/api/site/ladder-games/none", 404), ("/game/none.1", 404),
    ("/api/site/ladders/othello/games?before=soon", 400), ("/api/site/ladders/othello/games?bot=nobody", 200),
])
def test_what_there_is_not(site: SiteServer, path: str, status: int) -> None:
    assert http.get(site.address + path).status_code == status


@pytest.mark.slow
def test_what_is_wrong_with_the_machine_is_for_organisers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))    # there is no sandbox there
    with SiteServer(tmp_path, LADDER) as site:
        rungs = Rungs(tmp_path, more=LADDER)
        ann = rungs.person("Ann")
        bot = rungs.bots.create(ann, "Ann's", "othello")
        rungs.hand_in(ann, bot, SLEEPER)
        mia, olga = site.join("Mia"), site.join("Olga", Role.ORGANISER)
        until(lambda: ladder(mia)["status"]["problem"])
        for path, problem, detail in (
            ("/api/site/ladders/othello", ("status", "problem"), ("status", "detail")),
            (f"/api/site/bots/{bot.id}", ("paused",), ("paused_detail",)),
        ):
            for asked in (site.get(path), mia.get(path)):
                assert at(asked, problem) == "nothing can be checked on this machine just now"
                assert at(asked, detail) == "" and "bwrap" not in repr(asked)
            assert "bwrap is missing" in at(olga.get(path), detail)
        assert "bwrap is missing" in site.log
        rungs.store.close()


def at(data: Any, path: tuple[str, ...]) -> Any:
    """What is at a path in an answer."""
    for name in path:
        data = data[name]
    return data


def live_port(site: SiteServer) -> int:
    """Where the server listens to its workers, as it has told its conductor."""
    conductor, = (pid for pid in processes(str(site.path)) if pid != site.pid)
    words = Path(f"/proc/{conductor}/cmdline").read_text().split("\0")
    return int(words[words.index("--live") + 1].rpartition(":")[2])


STRANGERS = (
    b"\n", b"{}\n", b"\xff\n", b"[" * 100_000 + b"\n", b"x" * 3_000_000,
    msgspec.json.encode(Shown("a guess", "game", "othello", "", "")) + b"\n",
)


@pytest.mark.slow
def test_strangers_show_nothing_on_the_page(tmp_path: Path) -> None:
    with SiteServer(tmp_path, LADDER) as site:
        Rungs(tmp_path, more=LADDER).climb("Ann", SLEEPER)    # there is a conductor as soon as there are bots
        until(lambda: set(processes(str(site.path))) - {site.pid})
        port = live_port(site)
        for first in STRANGERS:
            with socket.create_connection(("127.0.0.1", port)) as line, suppress(OSError):
                line.sendall(first + b'{"kind":"start","number":0}\n')
                line.shutdown(socket.SHUT_WR)
                while line.recv(4096):
                    pass
        assert site.get("/api/games")["running"] == []
        assert "Traceback" not in site.log
