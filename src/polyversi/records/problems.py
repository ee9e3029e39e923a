"""Problem files as an engine is tried on them: all their problems at once, and how they count stones."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from polyversi.games.errors import RecordError
from polyversi.games.game import Game
from polyversi.games.state import State
from polyversi.records import positions, read
from polyversi.records.positions import Problem
from polyversi.records.record import with_empty_cells

MAX_PROBLEMS = 10_000
"""Problems of a file; whoever has more has a database, not problems."""


def read_problems(path: Path, game: Game | None = None) -> list[Problem]:
    """The problems of a file, all of them or none: the first line that cannot be read is raised.

    The Othello world's .obf and .script files say nothing about the game: it is Othello on a board of as many
    cells as there are characters, unless `game` says otherwise.

    >>> from pathlib import Path
    >>> read_problems(Path("nowhere.obf"))
    Traceback (most recent call last):
    polyversi.games.errors.RecordError: nowhere.obf cannot be opened: No such file or directory
    """
    is_problem_file = path.suffix.lower() in positions.FORMAT.suffixes
    items = list(islice(read(path, positions.FORMAT.name if is_problem_file else None, game=game),
                        MAX_PROBLEMS + 1))
    if len(items) > MAX_PROBLEMS:
        raise RecordError(f"{path.name} holds more than {MAX_PROBLEMS:,} problems; solve it in parts")
    if not items:
        raise RecordError(f"{path.name} holds no problem; one is a line such as '-----OX--XO----- X; b1:-8'")
    problems = [item for item in items if isinstance(item, Problem)]
    if len(problems) < len(items):
        raise RecordError(f"{path.name} holds games, not problems; a problem is a position on a line")
    return problems


def as_problems_count(value: int, final: State) -> int:
    """A value of ours as the Othello world counts it: cells that stay empty go to the winner.

    `final` is how the game ends. In games for the fewest stones nobody counts like that.

    >>> import polyversi as pv
    >>> as_problems_count(10, pv.game("othello-4").position("XXXXXXXXXXXX--OO X"))
    12
    """
    return value if final.game.definition.goal == "fewest" else with_empty_cells(value, final)
