"""Course agents with a Python of their own: they run there and not in ours, in the sandbox and without it."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from textwrap import indent

import pytest
from typer.testing import CliRunner

import polyversi as pv
from polyversi.cli.commands.bot import app
from polyversi.contest.contest import Contest
from polyversi.contest.plan import name_of
from polyversi.contest.plan_file import read_plan
from polyversi.contest.redaction import shown_spec
from polyversi.gameplay import Finished, LocalSeat, Referee
from polyversi.protocols import agent_python
from polyversi.protocols.agent_python import python_problem
from polyversi.protocols.bot_files import bot_at, find_bots
from polyversi.protocols.course import CourseSeat
from polyversi.protocols.spec import bot_from, sandbox_of, seat_of
from tests.testing.course_agent import AGENT
from tests.testing.environments import new_environment
from tests.testing.processes import run
from tests.testing.sandbox import needs_sandbox
from tests.testing.timeout import TIMEOUT

GO = "if self.candidate_list: self.candidate_list.append(only_there.first(self.candidate_list))"


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is given up because the machine is busy."""
    monkeypatch.setattr(agent_python, "PROBE_TIMEOUT", TIMEOUT)


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a virtual environment."""
    return new_environment(tmp_path_factory.mktemp("class") / "env").parents[1]


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of one without numpy."""
    return new_environment(tmp_path_factory.mktemp("bare") / "env", has_numpy=False)


def agent(path: Path) -> Path:
    """The file of an agent that needs a package which only the environment has."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(AGENT.format(imports="import only_there", members="pass", go=indent(GO, " " * 8),
                                 own_list="self.candidate_list = []"))
    return path


def play(spec: str, *, trust: bool) -> Finished:
    seat = seat_of(spec, protection=None if trust else sandbox_of([spec]))
    return run(Referee(pv.game("anti-4").start(), [seat, LocalSeat(pv.player("random", seed=1))],
                       pv.Limit(seconds=TIMEOUT)).run())


EITHER = pytest.mark.parametrize("trust", [True, pytest.param(False, marks=needs_sandbox)])


@EITHER
def test_an_agent_runs_in_the_chosen_environment(tmp_path: Path, environment: Path, trust: bool) -> None:
    file = agent(tmp_path / "own" / "agent.py")
    for python in (environment, environment / "bin" / "python"):
        finished = play(f"course:{file},python={python}", trust=trust)
        assert finished.verdict.kind in ("win", "draw"), finished.verdict
    ours = play(f"course:{file},python={sys.executable}", trust=trust).verdict
    assert (ours.kind, ours.seat) == ("crash", 1)
    assert "No module named 'only_there'" in ours.detail


@EITHER
def test_an_environment_beside_the_agent_is_found(tmp_path: Path, environment: Path, trust: bool) -> None:
    file = agent(tmp_path / "own" / "agent.py")
    (file.parent / ".venv").symlink_to(environment)    # a link to one that several share
    (file.parent / "venv").mkdir()
    assert play(f"course:{file}", trust=trust).verdict.kind in ("win", "draw")
    assert "only_there" in play(f"course:{file},python={sys.executable}", trust=trust).verdict.detail


@needs_sandbox
def test_several_agents_share_the_environment_beside_them(tmp_path: Path, environment: Path) -> None:
    """Each sees its own file and the environment, and nothing of the other."""
    first, second = (agent(tmp_path / "bots" / name) for name in ("first.py", "second.py"))
    shutil.copytree(environment, tmp_path / "bots" / "venv", symlinks=True)
    look = f"import os\nassert not os.path.exists({str(second)!r})\n"
    first.write_text(look + first.read_text())
    specs = [f"course:{first}", f"course:{second}"]
    seats = [seat_of(spec, protection=sandbox_of(specs)) for spec in specs]
    finished = run(Referee(pv.game("anti-4").start(), seats, pv.Limit(seconds=TIMEOUT)).run())
    assert finished.verdict.kind in ("win", "draw"), finished.verdict
    assert [bot.name for bot in find_bots("*", first.parent)] == ["first", "second"]


@needs_sandbox
def test_an_environment_that_is_a_copy_sees_its_base(tmp_path: Path) -> None:
    python = new_environment(tmp_path / "env", copies=True)
    assert not python.is_symlink()
    assert python_problem(python, in_sandbox=True) == ""


def test_what_lies_beside_an_agent_and_is_not_an_environment_of_this_machine(tmp_path: Path) -> None:
    file = agent(tmp_path / "agent.py")
    (tmp_path / "venv" / "Scripts").mkdir(parents=True)
    (tmp_path / "venv" / "pyvenv.cfg").write_text("home = C:\\Python\n")
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / "bin" / "python").symlink_to("/usr/bin/env")
    seat = bot_from(f"course:{file}")
    assert isinstance(seat, CourseSeat) and seat.python is None


def script(path: Path, text: str, mode: int = 0o755) -> Path:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(mode)
    return path


@pytest.mark.parametrize(("text", "words"), [
    ("echo 3.8; echo numpy", "is Python 3.8; course agents need Python 3.9 or newer"),
    ("echo Unknown option: -I >&2; exit 2",
     "cannot be run as Python 3.9 or newer: its process ended with status 2; its errors: Unknown option: -I"),
    ("echo hello; echo numpy", "is not a Python interpreter: it answered hello"),
    ("echo 3.12; echo 'ImportError: libblas.so'", "cannot import numpy: ImportError: libblas.so"),
])
@EITHER
def test_pythons_that_cannot_run_agents(tmp_path: Path, text: str, words: str, trust: bool) -> None:
    spec = f"course:{agent(tmp_path / 'agent.py')},python={script(tmp_path / 'python', text)}"
    with pytest.raises(pv.PlayerError) as error:
        play(spec, trust=trust)
    assert str(error.value) == f"{spec} cannot play: {tmp_path / 'python'} {words}"


@EITHER
def test_a_python_without_numpy_is_named(tmp_path: Path, bare: Path, trust: bool) -> None:
    with pytest.raises(pv.PlayerError) as error:
        play(f"course:{agent(tmp_path / 'agent.py')},python={bare}", trust=trust)
    assert f"{bare} has no numpy, which course agents need; run {bare} -m pip install" in str(error.value)


def test_names_that_are_not_interpreters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file = agent(tmp_path / "agent.py")
    (tmp_path / "empty").mkdir()
    script(tmp_path / "text", "", 0o644)
    for python, words in (
        ("no/python", "there is no file 'no/python'; python= takes a Python interpreter or the folder of"),
        ("python-from-nowhere", "there is no file 'python-from-nowhere'"),
        ("empty", "there is no file 'empty/bin/python'"),
        ("text", "text is not executable"),
        ("a\0b", "there is no file"), ("x" * 5000, "there is no file"),
    ):
        with pytest.raises(pv.PlayerError) as error:
            bot_from(f"course:{file},python={python}")
        assert words in str(error.value)
    seat = bot_from("course:agent.py,python=sh")    # a program of this machine
    assert isinstance(seat, CourseSeat) and str(seat.python).endswith("/sh")
    odd = agent(tmp_path / "a,python=b.py")    # a file of that name
    seat = bot_from(f"course:{odd}")
    assert isinstance(seat, CourseSeat) and (seat.path, seat.python) == (odd, None)


def test_bot_check_says_it_before_any_step(tmp_path: Path, bare: Path) -> None:
    spec = f"course:{agent(tmp_path / 'agent.py')},python={bare}"
    result = CliRunner().invoke(app, ["check", spec, "--trust"])
    assert isinstance(result.exception, pv.PlayerError)
    assert f"{bare} has no numpy" in str(result.exception)


# Tournaments and folders of bots.


@needs_sandbox
def test_agents_of_a_tournament_have_environments_of_their_own(tmp_path: Path, environment: Path) -> None:
    agent(tmp_path / "ann" / "agent.py")
    folder = agent(tmp_path / "bots" / "bob" / "mine.py").parent
    agent(folder / "older.py")
    (folder / "env").symlink_to(environment)
    (folder / "bot.toml").write_text('file = "mine.py"\npython = "env"\n')
    plan = tmp_path / "cup.toml"
    python = os.path.relpath(environment, tmp_path)
    plan.write_text(f'variant = "anti-4"\nlimit = {TIMEOUT}\n'
                    f'entrants = ["course:ann/agent.py,python={python}", "bots/*"]\n')
    cup = read_plan(plan)
    assert [entrant.name for entrant in cup.entrants] == ["ann", "bob"]
    contest = Contest(cup)
    contest.run()
    assert [game.verdict.kind in ("win", "draw") for game in contest.played.values()] == [True, True]


@needs_sandbox
def test_an_agent_whose_environment_does_not_work_is_set_aside(tmp_path: Path) -> None:
    new_environment(agent(tmp_path / "ann" / "agent.py").parent / ".venv", has_numpy=False)
    found, = find_bots("*", tmp_path)
    assert (found.name, found.spec) == ("ann", "")
    assert found.problem.startswith("ann cannot play: ann/.venv/bin/python has no numpy, which course agents")


@pytest.mark.parametrize(("settings", "words"), [
    ('python = "/usr/bin/python3"', "has python = '/usr/bin/python3'; write a path within that folder"),
    ('python = "../x"', "has python = '../x'; write a path within that folder"),
    ('python = "~/env"', "has python = '~/env'; write a path within that folder"),
    ('file = "../bob/agent.py"', "has file = '../bob/agent.py'; write a path within that folder"),
    ('file = "other.py"', "'other.py', which bot.toml in ann names, is not a file"),
    ('file = "other.js"\npython = "sh"', "which only course agents can have; other.js is not one"),
    ('python = "nowhere/python"', "there is no file 'ann/nowhere/python'"),
    ('pythn = "x"', "bot.toml in ann cannot be used: Object contains unknown field `pythn`"),
    ("file = 3", "bot.toml in ann cannot be used: Expected `str`, got `int`"),
    ("file", "bot.toml in ann cannot be used: "),
    ("x = " + "[" * 5000, "bot.toml in ann cannot be used: "),
    ("#" * 20_000, "bot.toml in ann cannot be used: it has more than 10000 bytes"),
    ('file = "a\\u0000b"', "write a path within that folder"),
])
def test_settings_that_cannot_be_used(tmp_path: Path, settings: str, words: str) -> None:
    agent(tmp_path / "ann" / "agent.py")
    (tmp_path / "ann" / "other.js").touch()
    (tmp_path / "ann" / "bot.toml").write_text(settings)
    found, = find_bots("*", tmp_path)
    assert not found.spec
    assert words in found.problem
    assert str(tmp_path) not in found.problem


def test_settings_choose_among_several_files(tmp_path: Path) -> None:
    for name in ("one.py", "two.py"):
        agent(tmp_path / "ann" / name)
    (tmp_path / "ann" / "bot.toml").write_text('file = "two.py"')
    assert bot_at(tmp_path / "ann") == f"course:{tmp_path}/ann/two.py"


def test_names_and_reports_leave_the_interpreter_out() -> None:
    spec = "course:/home/ann/class/bob.py,python=/opt/env/bin/python"
    assert (name_of(spec), shown_spec(spec)) == ("bob", "course:bob.py")
