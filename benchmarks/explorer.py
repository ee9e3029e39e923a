"""How fast the explorer counts games, how large it gets, and how long a look at a position takes.

Run it with `python -m benchmarks.explorer`: it makes random games of its own, the worst case, since they
share few positions. With files as arguments it counts those instead.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import tempfile
import time
from contextlib import closing
from itertools import islice
from pathlib import Path

import numpy as np

import polyversi as pv
from polyversi import records
from polyversi.storage.explorer import Explorer

LOOKS = 1000


def write_games(path: Path, count: int) -> None:
    """A file with the moves of so many random games."""
    games = pv.batch("othello", count, seed=1)
    names = [str(games.game.action(action)) for action in range(games.game.actions)]
    rounds = []
    while not games.done.all():
        chosen = games.random_actions()
        rounds.append(np.where(games.done, -1, chosen))
        games.play(chosen)
    with path.open("w") as file:
        for moves in np.array(rounds).T.tolist():
            file.write("".join(names[move] for move in moves if move >= 0 and names[move] != "pass") + "\n")


def main() -> None:
    """Counts games and looks up positions of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--games", type=int, default=50_000)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        files = asked.files or [Path(folder, "games.txt")]
        if not asked.files:
            write_games(files[0], asked.games)
        place = Path(folder, "explorer.db")
        with closing(Explorer.open(str(place))) as explorer:
            begin, used, positions = time.perf_counter(), time.process_time(), 0
            for file in files:
                added = explorer.add_file(file)
                positions += added.positions if added else 0
            seconds, used = time.perf_counter() - begin, time.process_time() - used
            games, moves = explorer.size
        print(f"{games:,} games with {positions:,} positions counted in {seconds:.1f} s "
              f"({used:.1f} s of processor time): {games / seconds:,.0f} games a second")
        print(f"{moves:,} moves in different positions, {place.stat().st_size / 1e6:,.0f} MB")
        chance = random.Random(1)
        sample = [record for record in islice(records.games(files[0]), 2000) if record.moves]
        states = [chance.choice([*record.states()][:-1]) for record in chance.choices(sample, k=LOOKS)]
        with closing(Explorer.open_read_only(str(place))) as explorer:
            times = []
            for state in [states[0].game.start(), *states]:
                begin = time.perf_counter()
                explorer.at(state)
                times.append(1000 * (time.perf_counter() - begin))
        first, *others = times
        late = sorted(others)[int(0.99 * LOOKS)]
        print(f"a look at a position: the first {first:.1f} ms, then {statistics.median(others):.2f} ms in "
              f"the median, {late:.2f} ms at the 99th percentile, {max(others):.2f} ms at worst")
        print("load average", *(f"{load:.1f}" for load in os.getloadavg()))


if __name__ == "__main__":
    main()
