"""A variant of one's own: played, drawn, recorded, and played in a match by several processes."""

from io import BytesIO

import polyversi as pv
from polyversi.contest.match import Match

STONES = {"c3": 2, "d3": 1, "c4": 1, "d4": 2}


def define_cross() -> pv.Definition:
    """6×6 without the corners."""
    board = pv.rectangle(6, 6, holes=[(0, 0), (5, 0), (0, 5), (5, 5)])
    return pv.Definition(board, start=tuple(STONES.get(board.name(cell), 0) for cell in range(board.size)))


def main() -> None:
    alone = pv.Game("cross", define_cross())
    assert "not registered" in repr(alone)
    assert alone.start().playout(seed=1).result is not None

    cross = pv.register_variant("cross", alone, sentence="A board without its corners.")
    assert cross == pv.game("cross") and repr(cross) == "pv.game('cross')"
    assert pv.game("anti-cross").spec == "cross:goal=fewest"
    assert cross.start().svg().startswith("<svg")

    record = pv.play("cross", ["greedy:seed=1", "random:seed=2"]).record
    file = BytesIO()
    pv.records.write([record], file, "jsonl")
    (back,) = pv.records.parse(file.getvalue())
    assert isinstance(back, pv.records.Record) and back.final == record.final

    standings = Match(["greedy", "random"], variant=("cross", "anti-cross"), games=2).run(jobs=2)
    assert standings.games == 4


if __name__ == "__main__":
    main()
