"""The sandbox: the zoo looks the same, nothing gets out, and bots of all kinds and languages play in it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from textwrap import indent

import pytest

import polyversi as pv
from polyversi.gameplay import Finished, LocalSeat, Referee, Verdict
from polyversi.gameplay.bots import BotSeat, Command, Sandbox, SandboxError, check_sandbox
from polyversi.gameplay.bots.filter import system_call_filter
from polyversi.gameplay.bots.sandbox import own_files
from polyversi.protocols.json_bot import JsonSeat
from polyversi.protocols.spec import bot_from, sandbox_of, seat_of
from tests.testing.course_agent import AGENT, CHOOSE
from tests.testing.marks import slow, slow_but
from tests.testing.misbehaving_games import CRASH, FINE, ILLEGAL, LITTLE, PLENTY, TOO_SLOW
from tests.testing.misbehaving_games import play as play_zoo
from tests.testing.processes import ZOO, nothing_left, processes, run, wait_until_gone
from tests.testing.sandbox import needs_sandbox

ROOT = Path(__file__).parents[3]
TESTING = ROOT / "tests" / "testing"
TEMPLATES = ROOT / "docs" / "templates"
SMALL = Sandbox(memory=512 * 2**20, tasks=40, cpu=1, disk=4 * 2**20)
TWO_SEATS = "2 1 1 0  4 4  0 0 0 0  0 1 2 0  0 2 1 b  0 0 0 0"
OWNER = """
import asyncio, sys
from pathlib import Path
from polyversi.gameplay.bots import Sandbox
from polyversi.gameplay.bots.process import Child
from tests.testing.processes import zoo

async def main():
    child = Child(Sandbox().around(zoo(Path(sys.argv[1]), "--fork-and-sleep")))
    child.start()
    await child.wait_until_reading(60)
    print(child.pid, flush=True)
    await asyncio.sleep(3600)

asyncio.run(main())
"""
REFUSED = {
    **CRASH,
    "--write-files": "Read-only file system",    # outside, it may
}


def play(seat: BotSeat, spec: str = "othello-4", seconds: float = PLENTY) -> Finished:
    """A game of a bot against random moves."""
    start = pv.game(spec).start()
    others = [LocalSeat(pv.player("random", seed=seed)) for seed in range(start.game.seats - 1)]
    return run(Referee(start, [seat, *others], pv.Limit(seconds=seconds)).run())


def escape(folder: Path, *attempts: list[str], sandbox: Sandbox | None = None) -> tuple[Verdict, list[str]]:
    """How a game ended before which a bot tried to get out, and what it says came of each attempt."""
    folder.mkdir(exist_ok=True)
    file = Path(shutil.copy(TESTING / "escaping_bot.py", folder / "escapes.py"))
    seat = JsonSeat(Command((sys.executable, str(file), *map(json.dumps, attempts)), folder), "escaping")
    seat.protection = sandbox or Sandbox()
    with nothing_left(folder):
        verdict = play(seat).verdict
    return verdict, [line.removeprefix("outcome: ") for line in seat.written[1].splitlines()]


def tried(folder: Path, *attempts: list[str], sandbox: Sandbox | None = None) -> list[str]:
    """What came of attempts after which the bot played on."""
    verdict, outcomes = escape(folder, *attempts, sandbox=sandbox)
    assert verdict.kind in ("win", "draw"), verdict
    return outcomes


@needs_sandbox
@pytest.mark.parametrize("flag", slow_but(
    [flag for flag in FINE if flag not in REFUSED], "--fork"))
def test_odd_habits_cost_nothing_here_either(flag: str, tmp_path: Path) -> None:
    finished = play_zoo(tmp_path, flag, sandbox=Sandbox(), again=False)
    assert (finished.verdict.kind in ("win", "draw"), finished.offences) == (True, ()), finished.verdict


@needs_sandbox
@pytest.mark.parametrize("flag", slow_but(REFUSED, "--allocate"))
def test_crashes_look_the_same(flag: str, tmp_path: Path) -> None:
    verdict = play_zoo(tmp_path, flag, sandbox=Sandbox(), again=False).verdict
    assert (verdict.kind, verdict.seat) == ("crash", 1), verdict
    assert REFUSED[flag] in verdict.detail


@needs_sandbox
@pytest.mark.parametrize("flag", slow_but(ILLEGAL, "--not-json"))
def test_illegal_moves_look_the_same(flag: str, tmp_path: Path) -> None:
    verdict = play_zoo(tmp_path, flag, sandbox=Sandbox(), again=False).verdict
    assert (verdict.kind, verdict.seat) == ("illegal move", 1), verdict
    assert ILLEGAL[flag] in verdict.detail


@needs_sandbox
@pytest.mark.parametrize("flag", slow_but(TOO_SLOW, "--kill-supervisor"))
def test_timeouts_look_the_same(flag: str, tmp_path: Path) -> None:
    verdict = play_zoo(tmp_path, flag, LITTLE, sandbox=Sandbox(), again=False).verdict
    assert (verdict.kind, verdict.seat, verdict.detail) == ("timeout", 1, "no answer within 0.25 s")


@needs_sandbox
def test_a_rival_and_the_rest_of_the_machine_cannot_be_read(tmp_path: Path) -> None:
    rival, own = tmp_path / "rival" / "secret.txt", tmp_path / "own"
    rival.parent.mkdir()
    rival.write_text("secret")
    paths = (rival, ZOO, Path.home() / ".profile", "/etc/passwd", "/etc/shadow", "/var", "/sys")
    outcomes = tried(own, *(["--read", str(path)] for path in paths))
    assert outcomes == ["No such file or directory"] * len(paths)
    folders = tried(own, ["--list", str(own)], ["--list", str(tmp_path)], ["--list", "/etc"])
    assert folders[:2] == ["['escapes.py']", "['own']"]
    assert "passwd" not in folders[2]


@pytest.mark.slow
@needs_sandbox
def test_in_a_folder_of_several_everybody_sees_only_its_own_file(tmp_path: Path) -> None:
    deep = tmp_path / "deep"
    deep.mkdir()
    own, rivals = tmp_path / "escapes.py", (tmp_path / "rival.py", deep / "rival.py")
    for rival in rivals:
        rival.write_text("secret")
    look = ["--list", str(tmp_path)], ["--list", str(deep)], ["--write", str(deep / "x")]
    assert tried(tmp_path, look[0], sandbox=Sandbox(entrants=(own, *rivals))) == ["['escapes.py']"]
    assert tried(tmp_path, *look, sandbox=Sandbox(entrants=(own, rivals[1]))) == [
        "['deep', 'escapes.py', 'rival.py']", "[]", "Read-only file system"]


@needs_sandbox
def test_a_program_among_others_sees_only_itself(tmp_path: Path) -> None:
    """Also where the folder looks like one that programs are installed in, and is reached by a link."""
    (tmp_path / "real" / "bin").mkdir(parents=True)
    (tmp_path / "real" / "lib").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    folder = tmp_path / "link" / "bin"
    for name in ("own", "rival"):
        (folder / name).write_text(f"#!{sys.executable}\n" + (TESTING / "escaping_bot.py").read_text())
        (folder / name).chmod(0o755)
    specs = [f"bot:{folder / name} '[\"--list\", \"{folder}\"]'" for name in ("own", "rival")]
    for spec, seen in zip(specs, ("own", "rival"), strict=True):
        seat = bot_from(spec, sandbox_of(specs))
        assert play(seat).verdict.kind in ("win", "draw")
        assert seat.written[1] == f"outcome: ['{seen}']"


@pytest.mark.slow
@needs_sandbox
def test_a_home_is_not_shown_for_a_bot_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "keys").write_text("secret")
    assert tried(tmp_path, ["--list", str(tmp_path)]) == ["['escapes.py']"]


@needs_sandbox
@pytest.mark.parametrize("target", ["home", "."])
def test_a_link_to_a_home_shows_no_more_than_the_home(
    target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor does one to a folder in which homes are."""
    home, link = tmp_path / "home", tmp_path / "eve"
    home.mkdir()
    (home / "keys").write_text("secret")
    link.symlink_to(tmp_path / target)
    monkeypatch.setenv("HOME", str(home))
    keys = ["--read", str(link / Path(target, "..", "home", "keys"))]
    missing = "No such file or directory"
    outcomes = tried(link, ["--list", str(link)], keys, ["--list", str(home)])
    assert outcomes == ["['escapes.py']", missing, missing]


@needs_sandbox
def test_nothing_outside_can_be_written_and_nothing_inside_stays(tmp_path: Path) -> None:
    own = tmp_path / "own"
    paths = (own / "escapes.py", own / "new", "/new", "/dev/new", f"{sys.prefix}/bin/new", "/usr/new",
             "/etc/new", "/proc/sys/kernel/core_pattern", "/proc/1/oom_score_adj")
    assert tried(own, *(["--write", str(path)] for path in paths)) == ["Read-only file system"] * len(paths)
    assert [path.name for path in own.iterdir()] == ["escapes.py"]
    mine = [["--list", "/tmp"], ["--write", "/tmp/left.txt"], ["--list", "/tmp"]]
    for _ in range(2):
        before, written, after = tried(own, *mine)
        assert ("left.txt" in before, written, "left.txt" in after) == (False, "10", True)
    assert not Path("/tmp/left.txt").exists()


@needs_sandbox
def test_the_environment_is_not_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "secret")
    names = ["HOME", "LANG", "LOGNAME", "PATH", "POLYVERSI_BOT", "PWD", "PYTHONUNBUFFERED", "TMPDIR", "USER"]
    assert tried(tmp_path, ["--environment"]) == [str(names)]


@needs_sandbox
def test_nobody_else_is_seen_read_or_signalled(tmp_path: Path) -> None:
    me = str(os.getpid())
    files = [["--read", f"/proc/{me}/{file}"] for file in ("mem", "environ", "maps")]
    signals = [["--signal", me], ["--signal-all"], ["--ptrace", me]]
    assert tried(tmp_path, ["--processes"], *files, *signals) == [
        "['1', '2']", *["No such file or directory"] * 3, "No such process", "No such process",
        "Function not implemented"]


@needs_sandbox
def test_there_are_no_more_rights_than_were_given(tmp_path: Path) -> None:
    flags = ("--namespace", "--setuid", "--anonymous-file", "--segment", "--splice", "--vsock", "--huge-file")
    missing = "Function not implemented"
    assert tried(tmp_path, *([flag] for flag in flags)) == [
        "No space left on device", "Invalid argument", missing, missing, missing,
        "Address family not supported by protocol", "File too large"]


@needs_sandbox
def test_nobody_can_have_itself_go_on(tmp_path: Path) -> None:
    """Which would undo that it is suspended: by a timer, by another process, by a socket."""
    flags = ("--go-on", "--go-on-thread", "--go-on-by-death", "--go-on-by-clone", "--go-on-by-socket")
    outcomes = tried(tmp_path, ["--timer"], *([flag] for flag in flags))
    assert outcomes == ["Function not implemented", *["Operation not permitted"] * len(flags)]


@needs_sandbox
def test_nobody_can_be_talked_to(tmp_path: Path) -> None:
    name, path = f"polyversi-{os.getpid()}", str(tmp_path / "socket")
    with (
        socket.create_server(("127.0.0.1", 0)) as tcp,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp,
        socket.socket(socket.AF_UNIX) as abstract,
        socket.socket(socket.AF_UNIX) as unix,
    ):
        udp.bind(("127.0.0.1", 0))
        abstract.bind("\0" + name)
        unix.bind(path)
        for listener in (abstract, unix):
            listener.listen()
        ports = [str(listener.getsockname()[1]) for listener in (tcp, udp)]
        assert tried(tmp_path / "own", ["--tcp", "127.0.0.1", ports[0]], ["--tcp", "192.0.2.1", "80"],
                     ["--udp", "127.0.0.1", ports[1]], ["--udp", "192.0.2.1", "53"], ["--abstract", name],
                     ["--unix", path]) == [
            "Connection refused", "Network is unreachable", "5", "Network is unreachable",
            "Connection refused", "No such file or directory"]
        for listener in (tcp, udp, abstract, unix):
            listener.setblocking(False)
            with pytest.raises(BlockingIOError):    # also the datagram went to nobody
                listener.recv(10) if listener is udp else listener.accept()


@needs_sandbox
def test_a_full_disk_is_its_own(tmp_path: Path) -> None:
    outcomes = tried(tmp_path, ["--fill-disk", "/tmp"], ["--fill-disk", "/dev/shm"], sandbox=SMALL)
    assert set(outcomes) <= {"No space left on device", "File too large"}


@needs_sandbox
@pytest.mark.parametrize(("flag", "seconds", "excess"), [
    ("--fill-memory", 60, "more than 512 MiB of memory"),    # which takes some machines longer than a second
    slow("--spin", 1, "more than 1 s of processor time"),
    ("--fork-bomb", 1, "more than "),    # tasks, or processor time where it cannot fork any more
    slow("--fill-with-files", 60, "more than 128 MiB of memory, "),
    ("--fill-with-sockets", 60, "more than 128 MiB of memory, "),
    slow("--fill-with-page-tables", 60, "more than 128 MiB of memory, "),
    slow("--fill-with-locks", 60, "more than 10000 locks of files"),
])
def test_who_takes_too_much_is_ended(flag: str, seconds: int, excess: str, tmp_path: Path) -> None:
    memory = (128 if "-with-" in flag else 512) * 2**20
    verdict, _ = escape(tmp_path, [flag], sandbox=replace(SMALL, cpu=seconds, memory=memory))
    assert verdict.kind == "crash", verdict
    assert f"ended by SIGKILL; its errors: its sandbox stopped it: it used {excess}" in verdict.detail


@needs_sandbox
@pytest.mark.parametrize("name", ["bot.py", slow("bot.js"), slow("bot.cpp")])
def test_the_templates_play(name: str, tmp_path: Path) -> None:
    program = Path(shutil.copy(TEMPLATES / name, tmp_path))
    if name == "bot.js" and shutil.which("node") is None:
        pytest.skip("the JavaScript template needs node")
    if name == "bot.cpp":
        subprocess.run(["c++", "-std=c++17", program, "-o", tmp_path / "bot"], check=True)
        program = tmp_path / "bot"
    specs = [f"bot:{program}", "random"]
    finished = play(bot_from(specs[0], sandbox_of(specs)), "othello-6")
    assert (finished.verdict.kind in ("win", "draw"), finished.offences) == (True, ()), finished.verdict


@needs_sandbox
@pytest.mark.parametrize("kind", ["gtp", "nboard", "course"])
def test_engines_and_agents_play(kind: str, tmp_path: Path) -> None:
    agent = tmp_path / "agent.py"
    agent.write_text(AGENT.format(imports="", members="", own_list="self.candidate_list = []",
                                  go=indent(CHOOSE, " " * 8)))
    engine = {"gtp": f"{sys.executable} {TESTING / 'fake_gtp_engine.py'}",
              "nboard": f"{sys.executable} {TESTING / 'fake_nboard_engine.py'}", "course": str(agent)}[kind]
    spec = f"{kind}:{engine}"
    seat = bot_from(spec, sandbox_of([spec, spec]))
    finished = play(seat, "othello-6")
    assert (finished.verdict.kind in ("win", "draw"), finished.offences) == (True, ()), finished.verdict


@needs_sandbox
@pytest.mark.parametrize(("flag", "kinds"), [
    ("", []), slow("--crash", ["disconnect"]), slow("--illegal", ["illegal move"]),
])
def test_clients_of_xt_play_through_a_door(flag: str, kinds: list[str], tmp_path: Path) -> None:
    chart = tmp_path / "small.map"
    chart.write_text(TWO_SEATS)
    client = f"{sys.executable} {TESTING / 'fake_xt_client.py'} {{host}} {{port}} /tmp/log.txt {flag}"
    spec = f"xtclient:{client}"
    seat = bot_from(spec, sandbox_of([spec]))
    with nothing_left(TESTING / "fake_xt_client.py"):
        finished = play(seat, f"xt:{chart}")
    assert [offence.kind for offence in finished.offences] == kinds


@needs_sandbox
def test_what_does_not_exist_inside_says_so(tmp_path: Path) -> None:
    seat = JsonSeat(Command(("no-such-program",)), "missing")
    seat.protection = Sandbox()
    detail = play(seat).verdict.detail
    assert detail.startswith("its command failed; its errors: ")
    assert "no-such-program" in detail


@needs_sandbox
@pytest.mark.parametrize("who", ["owner", "supervisor"])
def test_a_bot_dies_with_those_above_it(who: str, tmp_path: Path) -> None:
    command = [sys.executable, "-c", OWNER, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT) as owner:
        assert owner.stdout is not None
        supervisor = int(owner.stdout.readline())
        assert len(processes(str(tmp_path / "zoo.py"))) >= 2
        os.kill(owner.pid if who == "owner" else supervisor, signal.SIGKILL)
        wait_until_gone(str(tmp_path / "zoo.py"))
        owner.kill()


def test_without_bubblewrap_there_is_a_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SandboxError, match=r"bwrap is missing; install bubblewrap .*use --trust to run bots"):
        sandbox_of([f"bot:{sys.executable} x"])
    assert sandbox_of(["random"]).entrants == ()
    false = tmp_path / "bwrap"
    false.write_text("#!/bin/sh\necho 'setting up uid map: Permission denied' >&2; exit 1\n")
    false.chmod(0o755)
    with pytest.raises(SandboxError, match=r"does not work here \(setting up uid map: Permission denied\)"):
        check_sandbox()


def test_whose_files_are_whose(tmp_path: Path) -> None:
    for name in ("a.py", "b.jar"):
        (tmp_path / name).write_text("")
    assert own_files(Command((sys.executable, str(tmp_path / "a.py"), "--fast"))) == (tmp_path / "a.py",)
    assert own_files(Command(("java", "-jar", "b.jar"), tmp_path)) == (tmp_path / "b.jar",)
    assert bot_from(f"course:{tmp_path / 'a.py'}").files == (tmp_path / "a.py",)


def test_seats_are_trusted_unless_somebody_says_otherwise() -> None:
    plain, kept = seat_of("bot:cat"), seat_of("bot:cat", protection=SMALL, suspends=True)
    assert isinstance(plain, BotSeat)
    assert isinstance(kept, BotSeat)
    assert (plain.protection, plain.suspends) == (None, False)
    assert (kept.protection, kept.suspends) == (SMALL, True)


def test_the_filter_is_known_for_common_machines() -> None:
    assert all(len(system_call_filter(machine)) % 8 == 0 for machine in ("x86_64", "aarch64"))
    assert system_call_filter("x86_64") != system_call_filter("aarch64")
