"""`python -m tests.soak.load [--clients N] [--games N] …`: a server full of guests, measured."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

from rich.console import Console

from tests.soak.load.evening import Plan, spend
from tests.soak.load.report import goals, table


def main() -> int:
    """Runs the load and shows the figures; returns 1 if anything was lost, duplicated or out of step."""
    arguments = _arguments()
    plan = Plan(arguments.clients, arguments.games, arguments.seconds, arguments.rate, arguments.seed)
    console = Console()
    with tempfile.TemporaryDirectory() as folder, console.status("starting the server") as status:
        figures, faults = spend(plan, Path(folder), status.update)
    console.print(table(figures))
    for goal, is_met in goals(figures).items():
        console.print(f"{'met   ' if is_met else 'missed'} {goal}", highlight=False)
    for fault in faults[:20]:
        console.print(f"fault: {fault}", highlight=False, markup=False)
    console.print(f"{len(faults)} faults")
    if arguments.out:
        arguments.out.write_text(json.dumps(figures | {"faults": faults}, indent=1) + "\n")
    return 1 if faults else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.soak.load", description="A server full of guests.")
    parser.add_argument("--clients", type=int, default=1000, help="players and spectators together")
    parser.add_argument("--games", type=int, default=100, help="games at the same time")
    parser.add_argument("--seconds", type=float, default=300, help="how long they play")
    parser.add_argument("--rate", type=float, default=150, help="approximate moves per second in all games")
    parser.add_argument("--seed", type=int, default=1, help="seed of the moves and the thinking times")
    parser.add_argument("--out", type=Path, help="a file for the figures, as JSON")
    arguments = parser.parse_args()
    if arguments.clients < 4 * arguments.games:
        parser.error("a game has up to four players: there must be four times as many clients as games")
    return arguments


if __name__ == "__main__":
    sys.exit(main())
