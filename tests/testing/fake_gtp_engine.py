"""A tiny GTP engine that plays the first legal move, or misbehaves in a way that a flag names."""

from __future__ import annotations

import sys
import time

import polyversi as pv

COLORS = {"b": 1, "black": 1, "w": 2, "white": 2}
COMMANDS = "protocol_version\nname\nlist_commands\nboardsize\nclear_board\nplay\ngenmove\nquit"
TIMED = "\ntime_settings\ntime_left"


class Engine:
    """A board, and the commands that change it."""

    def __init__(self, flags: set[str]) -> None:
        self.flags = flags
        self.state = pv.game("othello").start()
        self.moves = 0

    def do(self, command: str, *words: str) -> str:
        """The response to a command; a ValueError says why there is none."""
        if command == "protocol_version":
            return "2"
        if command == "name":
            return "Tiny"
        if command == "list_commands":
            return COMMANDS + (TIMED if "--timed" in self.flags else "")
        if command == "boardsize" and words[0] in ("6", "8"):
            self.state = pv.game(f"othello-{words[0]}").start()
            return ""
        if command == "clear_board":
            self.state = self.state.game.start()
            return ""
        if command == "play":
            return self.play(*words)
        if command == "genmove":
            return self.choose(*words)
        if command in ("time_settings", "time_left") and "--timed" in self.flags:
            print(command, *words, file=sys.stderr)
            return ""
        raise ValueError("unacceptable size" if command == "boardsize" else "unknown command")

    def play(self, color: str, move: str) -> str:
        if move == "pass" and "--no-pass" in self.flags:
            raise ValueError("illegal move")
        self.catch_up(color)
        if move != "pass" or self.state.moves[0].is_pass:
            self.state = self.state.play(move)
        return ""

    def catch_up(self, color: str) -> None:
        if self.state.turn != COLORS[color] and self.state.moves[0].is_pass:
            self.state = self.state.play("pass")
        if self.state.turn != COLORS[color]:
            raise ValueError("wrong color")

    def choose(self, color: str) -> str:
        self.catch_up(color)
        self.moves += 1
        if "--slow" in self.flags:
            time.sleep(3600)
        if "--exit" in self.flags:
            sys.exit("no more")
        if "--refuse" in self.flags:
            raise ValueError("I do not want to")
        if "--resign" in self.flags and self.moves == 2:
            return "resign"
        if "--wrong" in self.flags:
            return "a1"
        move = self.state.moves[0]
        self.state = self.state.play(move)
        return str(move).upper()


def main(flags: set[str]) -> None:
    engine = Engine(flags)
    if "--chatty" in flags:
        print("Welcome to Tiny!\n\nloading book ... done", flush=True)
    for line in sys.stdin:
        words = line.split()
        if "--mute" in flags:
            continue
        if "--chatty" in flags:
            print(f"info: {words}\n\ndepth 9 score +3", flush=True)
        if words[0] == "quit":
            print("= \n", flush=True)
            return
        try:
            print(f"= {engine.do(*words)}\n", flush=True)
        except ValueError as error:
            print(f"? {error}\n", flush=True)


if __name__ == "__main__":
    main(set(sys.argv[1:]))
