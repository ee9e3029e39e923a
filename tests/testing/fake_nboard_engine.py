"""A tiny NBoard engine that plays the first legal move, or misbehaves in a way that a flag names."""

from __future__ import annotations

import sys
import time

from polyversi.records import ggf


def main(flags: set[str]) -> None:
    state = None
    for line in sys.stdin:
        command, _, rest = line.strip().partition(" ")
        if "--chatty" in flags:
            print("status Tiny is waiting\nsearch f5 0.0 0 3\nnodestats 12 0.1\n", flush=True)
        if command == "ping" and "--mute" not in flags:
            print(f"pong {rest}", flush=True)
        elif command == "set" and rest.startswith("depth "):
            print(f"depth {rest}\nset myname Tiny", file=sys.stderr, flush=True)
        elif command == "set" and rest.startswith("game "):
            state = ggf.parse(rest.removeprefix("game ")).final
        elif command == "go" and state is not None:
            if "--slow" in flags:
                time.sleep(3600)
            if "--exit" in flags:
                sys.exit("no more")
            move = "A1" if "--wrong" in flags else str(state.moves[0]).upper()
            move = "nothing" if "--no-move" in flags else move
            separator = " " if "--spaces" in flags else "/"
            print(f"=== {separator.join([move, '0.50', '0.1'])}", flush=True)
        elif command == "quit":
            return


if __name__ == "__main__":
    main(set(sys.argv[1:]))
