"""`polyversi engine`: which protocol it speaks, and how it ends."""

from __future__ import annotations

import signal

import pytest

from tests.testing.engine_process import Talk
from tests.testing.terminal import ESCAPES, polyversi


@pytest.mark.parametrize(("options", "typed", "answer"), [
    ([], "nboard 2\nping 3\n", "set myname Polyversi\npong 3\n"),
    ([], "\n\nnboard 2\nping 3\n", "set myname Polyversi\npong 3\n"),
    ([], "# hello\n3 name\n", "=3 Polyversi\n\n"),
    ([], "ping 3\n", "? unknown command\n\n"),
    (["--protocol", "gtp"], "nboard 2\n", "? unknown command\n\n"),
    (["--protocol", "nboard"], "ping 3\n", "pong 3\n"),
    ([], "name", "= Polyversi\n\n"),
    ([], "", ""),
    ([], "\n", ""),
])
def test_the_first_line_tells_the_protocol(options: list[str], typed: str, answer: str) -> None:
    done = polyversi("engine", *options, typed=typed)
    assert (done.returncode, done.stdout, done.stderr) == (0, answer, "")


@pytest.mark.parametrize(("option", "value"), [
    ("--protocol", "uci"), ("--level", "21"), ("--threads", "0"), ("--hash", "0"),
])
def test_options_that_are_not_possible(option: str, value: str) -> None:
    done = polyversi("engine", option, value)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"Invalid value for {option!r}" in ESCAPES.sub("", done.stderr)


def test_weights_that_are_none_are_said_before_it_talks() -> None:
    done = polyversi("engine", "--weights", "nowhere.weights", typed="name\n")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "polyversi: the weights in nowhere.weights cannot be read: No such file or directory\n")


def test_the_end_of_the_input_ends_it_while_it_thinks() -> None:
    with Talk("--threads", "2", "--hash", "8") as talk:
        talk.say("nboard 2", "set depth 60", "hint 1")
        talk.until("search")
        status, out, err = talk.finish()
        assert (status, err) == (0, "") and out.endswith("status Polyversi is waiting\n")
    with Talk() as talk:
        talk.say("time_settings 100000 0 0", "1 name", "2 genmove b", "3 genmove w", "4 name")
        assert [talk.answer(), talk.answer()] == ["= ", "=1 Polyversi"]
        status, out, err = talk.finish()
        assert (status, err) == (0, "")
        assert [answer[:2] for answer in out.split("\n\n")] == ["=2", "=3", "=4", ""]


@pytest.mark.parametrize("protocol", ["nboard", "gtp"])
def test_ctrl_c_ends_it(protocol: str) -> None:
    with Talk("--protocol", protocol) as talk:
        if protocol == "nboard":
            talk.say("set depth 60", "hint 1")
            talk.until("search")
        else:
            talk.say("time_settings 100000 0 0", "name", "genmove b")
            talk.until("= Polyversi")
        talk.process.send_signal(signal.SIGINT)
        assert talk.process.wait() == 130
        assert talk.finish()[2] == ""


def test_a_reader_that_is_gone_ends_it() -> None:
    with Talk() as talk:
        talk.say("nboard 2", "set depth 60", "hint 1")
        talk.until("search")
        assert talk.process.stdout is not None
        talk.process.stdout.close()
        assert talk.process.wait() == 1
        assert talk.process.stderr is not None and talk.process.stderr.read() == b""
