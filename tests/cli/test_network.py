"""`polyversi host` and `polyversi join` as processes of their own: played, killed, rejoined, interrupted."""

from __future__ import annotations

import re
import signal
import socket
from collections.abc import Iterator

import pytest

from tests.testing.terminal import PseudoTerminal, Running, polyversi
from tests.testing.timeout import TIMEOUT

QUESTION = "or ? for help: "


class Party:
    """A host and whoever joins it, all of them gone at the end of the test."""

    def __init__(self) -> None:
        self.address = ""
        self._running: list[Running] = []

    def host(self, *arguments: str) -> Running:
        host = self._start("host", "--port", "0", *arguments)
        self.address = host.expect(r"join with: polyversi join (\S+:\d+)\n")[1]
        return host

    def join(self, *arguments: str) -> Running:
        return self._start("join", self.address, *arguments)

    def _start(self, *arguments: str) -> Running:
        self._running.append(Running(*arguments))
        return self._running[-1]

    def stop(self) -> None:
        for running in self._running:
            running.stop()


@pytest.fixture
def party() -> Iterator[Party]:
    made = Party()
    yield made
    made.stop()


def test_three_commands_and_a_spectator(party: Party) -> None:
    host = party.host("--variant", "othello-6")
    assert "for this machine only" in host.output
    watcher = party.join("--watch")
    watcher.expect("othello-6, you watch")
    one = party.join("--player", "six-factor:level=1", "--name", "Ann")
    two = party.join("--player", "random:seed=1")
    assert [running.end() for running in (host, watcher, one, two)] == [0, 0, 0, 0]
    result = re.search(r"^\w+ wins, \d+–\d+: .*$|^a draw .*$", host.output, re.MULTILINE)
    assert result is not None
    for running in (watcher, one, two):
        assert result[0] in running.output
        assert running.output.endswith("the host has closed the connection: the game is over\n")
    assert "Ann" in two.output and "random:seed=1" in one.output


def test_a_person_at_a_prompt(party: Party) -> None:
    host = party.host("random:seed=1", "remote", "--limit", "bank=600")
    person = party.join("--name", "Bob", "--seat", "2")
    person.expect("you are white")
    person.expect(rf"your move \(\S+ left\), {re.escape(QUESTION)}")
    person.type("moves")
    first = person.expect(r"\n((?:[a-h][1-8] ?)+)\n")[1].split()[0]
    person.type("a1", "?", "undo", first.upper())
    person.expect("a1 is not legal")
    person.expect("resign +gives the game up")
    person.expect("Moves cannot be taken back")
    person.expect(f"white plays {first}, turns")
    person.expect("black plays")
    person.type("resign")
    assert person.end() == 0 and host.end() == 0
    assert "black wins: white has resigned" in host.output
    assert "black wins: white has resigned" in person.output


def test_a_killed_client_comes_back_with_its_token(party: Party) -> None:
    host = party.host("--variant", "othello-6", "random:seed=1", "remote", "--grace", "600")
    person = party.join("--name", "Bob")
    token = person.expect(r"polyversi join \S+ --token (\S+)\n")[1]
    person.expect(re.escape(QUESTION))
    person.process.kill()
    host.expect("Bob lost the connection and has 600 s to come back")
    late = party.join("--watch", "--plain")
    late.expect("you watch")
    back = party.join("--token", token, "--player", "random:seed=2")
    host.expect("Bob is back on seat 2")
    assert [running.end() for running in (host, back, late)] == [0, 0, 0]
    played = re.findall(r"\w+ plays \w\d", host.output)
    assert len(played) == len(set(played)) >= 20, "no move is there twice"
    assert re.findall(r"\w+ plays \w\d", late.output)[-10:] == played[-10:]


def test_a_client_that_is_gone_for_good_loses(party: Party) -> None:
    host = party.host("--variant", "othello-6", "random", "remote", "--grace", "0.2", "--games", "2")
    person = party.join("--name", "Bob")
    person.expect(re.escape(QUESTION))
    person.process.kill()
    host.expect("black wins: white lost by disconnect")
    other = party.join("--player", "random")
    other.expect("game 2 of 2: othello-6, you are white")
    assert host.end() == 0 and other.end() == 0


@pytest.mark.slow
def test_eight_processes_of_which_one_is_killed_one_stops_and_one_sends_garbage(party: Party) -> None:
    limits = [f"--limit=seconds={0.5 if seat == 2 else 600}" for seat in range(1, 9)]
    host = party.host("--variant", "xt:cube,players=8", "--grace", "0.2", *limits)
    killed, stopped = (party.join("--seat", str(seat)) for seat in (1, 2))
    garbage = socket.create_connection(("127.0.0.1", int(party.address.rpartition(":")[2])), TIMEOUT)
    garbage.sendall(b'{"type": "hello", "version": 1, "name": "garbage", "seat": 3}\n')
    host.expect("garbage takes seat 3")
    stopped.expect("waiting for the others")
    stopped.process.send_signal(signal.SIGSTOP)
    good = [party.join("--player", "random", "--plain") for _ in range(5)]
    killed.expect(re.escape(QUESTION))
    killed.process.kill()
    garbage.sendall(b"\xff\x00 garbage\n")
    assert host.end() == 0
    assert [running.end() for running in good] == [0] * 5
    said = " ".join(host.output.split())    # long lines are wrapped
    for seat, offence in ((1, "disconnect"), (2, "timeout"), (3, "disconnect")):
        assert re.search(rf"seat {seat}: {offence} \([^)]*\); the seat is disqualified", said), said
        assert re.search(rf"6\. seat {seat}: \d+ stones?, -50 points", said)
    assert said.count("the seat is disqualified") == 3
    garbage.close()


def test_the_host_is_interrupted(party: Party) -> None:
    host = party.host()
    person = party.join()
    person.expect("waiting for the others")
    host.process.send_signal(signal.SIGINT)
    assert host.end() == 130
    assert "nobody can join any longer" in host.output and "Traceback" not in host.output
    assert person.end() == 0
    assert person.output.endswith("the host has closed the connection: the host ended the game\n")


def test_a_guest_is_interrupted(party: Party) -> None:
    host = party.host("random", "remote")
    person = party.join("--name", "Bob")
    person.expect(re.escape(QUESTION))
    person.process.send_signal(signal.SIGINT)
    assert person.end() == 130 and "Traceback" not in person.output
    assert host.end() == 0
    assert "black wins: white lost by disconnect (it left)" in host.output


def test_a_guest_whose_input_ends_leaves(party: Party) -> None:
    host = party.host("random", "remote")
    person = party.join()
    person.expect(re.escape(QUESTION))
    person.type_no_more()
    assert person.end() == 0 and person.output.endswith("Good-bye; you left the game.\n")
    assert host.end() == 0


def test_the_host_is_killed(party: Party) -> None:
    host = party.host("--grace", "0.3")
    person = party.join()
    person.expect("waiting for the others")
    host.process.kill()
    person.expect(r"the connection is lost; trying again for 0\.3 s")
    assert person.end() == 1
    assert person.output.endswith("could not be reached again within 0.3 s\n")


def test_a_port_that_is_in_use(party: Party) -> None:
    party.host()
    port = party.address.rpartition(":")[2]
    done = polyversi("host", "--port", port)
    assert done.returncode == 1
    assert done.stderr == (f"polyversi: port {port} of 127.0.0.1 cannot be opened: Address already in use; "
                           "choose another with --port, or 0 for a free one\n")


def test_what_is_opened_to_the_network_is_said(party: Party) -> None:
    host = party.host("--host", "0.0.0.0")
    assert re.search(r"open to the network: port \d+ on all addresses of this machine\n", host.output)
    assert "anybody who can reach it may take a free seat or watch; nothing is encrypted\n" in host.output


@pytest.mark.parametrize(("arguments", "words"), [
    (("join", "127.0.0.1:1"), "cannot connect to 127.0.0.1:1"),
    (("join", "here and there"), "is not an address; write HOST:PORT"),
    (("join", "http://127.0.0.1:1/game/x#y"), "cannot connect to http://127.0.0.1:1"),
    (("join", "http://127.0.0.1:1/game/x"), "add --watch"),
    (("join", "http://127.0.0.1/"), "is not a link to a game"),
    (("join", "localhost", "--watch", "--player", "random"), "only one of --player and --watch"),
    (("join", "localhost", "--player", "nobody"), "there is no player 'nobody'"),
    (("host", "--variant", "chess"), "chess"),
    (("host", "nobody"), "there is no player 'nobody'"),
    (("host", "remote", "remote", "remote"), "othello has 2 seats, not 3"),
    (("host", "six-factor", "--variant", "rolit"), "six-factor does not play rolit"),
    (("host", "--limit", "soon"), "is not a limit"),
])
def test_mistakes_are_answered_with_a_sentence(arguments: tuple[str, ...], words: str) -> None:
    done = polyversi(*arguments)
    assert done.returncode == 1
    assert words in done.stderr and "Traceback" not in done.stderr


def test_a_person_hosts_in_a_terminal(party: Party) -> None:
    with PseudoTerminal("host", "human", "--variant", "othello-6", "--port", "0") as terminal:
        address = terminal.expect("join with: polyversi join ")
        address = terminal.expect("\n").strip()
        party.address = address
        guest = party.join("--player", "random:seed=1")
        terminal.expect("black to move")
        terminal.expect(QUESTION)
        terminal.type("hop\nc2\n")
        terminal.expect("'hop' is not a cell")
        terminal.expect("white plays")
        terminal.expect(QUESTION)
        guest.process.kill()
        terminal.expect("lost the connection")
        terminal.type("\x03")
        terminal.expect("nobody can join any longer")
        assert terminal.finish() == 130


def test_a_spectator_in_a_terminal(party: Party) -> None:
    host = party.host("--variant", "othello-6", "random:seed=1", "remote")
    person = party.join("--name", "Bob")
    person.expect(re.escape(QUESTION))
    with PseudoTerminal("join", party.address, "--watch") as terminal:
        terminal.expect("black: random:seed=1 · white: Bob")
        terminal.expect("white is thinking")
        person.type("resign")
        terminal.expect("black wins: white has resigned")
        terminal.expect("the host has closed the connection: the game is over")
        assert terminal.finish() == 0
    assert host.end() == 0
