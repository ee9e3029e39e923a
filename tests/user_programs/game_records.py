"""Records: games and positions of files, their moves, variations with comments, values of positions."""

import tempfile
from collections import Counter
from pathlib import Path

import polyversi as pv
from polyversi import records
from polyversi.records import Problem, Record


def first_moves(path: str) -> Counter[str]:
    """How often each first move was played in a file."""
    return Counter(str(record.moves[0]) for record in records.games(path) if record.moves)


def mobility(record: Record) -> list[tuple[int, str, int]]:
    """Who moved, where, and among how many moves."""
    return [(state.turn, str(move), len(state.moves)) for state, move in record]


def annotated(record: Record) -> Record:
    """The game with what the engine would have played as a variation, wherever that is another move."""
    engine = pv.engine(record.game)
    tree = record.tree()
    for node in tree.main_line():
        before = node.parent
        if before is None:
            continue
        best: pv.Move = engine.choose(before.state, pv.Limit(depth=4))
        if best != node.move:
            better = before.add_variation(best)
            better.comment = f"worth {-engine.evaluate(better.state):+}"
    return tree.record()


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        games, problems = str(Path(folder) / "games.jsonl"), Path(folder) / "problems.obf"
        records.write([Record.of("othello", "f5d6c3"), Record.of("othello", "f5f6")], games)
        assert first_moves(games) == {"f5": 2}
        records.write(Problem.of("-----OX--XO----- X; b1:-8"), problems)
        values: list[int] = []
        for problem in records.positions(problems):
            state: pv.State = problem.state
            values.append(pv.engine(state.game).evaluate(state, pv.Limit(depth=12)))
            assert problem.expected == values[-1]
        with Path(games).open("rb") as stream:
            record = next(records.games(stream))
        assert mobility(record) == [(1, "f5", 4), (2, "d6", 3), (1, "c3", 5)]

        whole = annotated(Record.of("othello-6", "c2b2b3"))
        records.write(whole, games)
        again = next(records.games(games))
        assert again == whole
        for node in again.tree():
            assert node.comment == "" or not node.is_main_line
        svg: str = again.final.svg()
        assert svg.startswith("<svg")


if __name__ == "__main__":
    main()
