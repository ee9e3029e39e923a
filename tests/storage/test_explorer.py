"""The explorer: its counts are those of a plain recount, whatever the format, order and symmetry."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

import polyversi as pv
from polyversi import records
from polyversi.games.errors import RecordError
from polyversi.games.state import State
from polyversi.records import Record
from polyversi.records.position_keys import equal_moves, keys_of, position_key
from polyversi.records.record import Outcome
from polyversi.storage.errors import StoreError
from polyversi.storage.explorer import Added, Explorer, merged
from tests.testing.marks import slow_but

SPECS = ("othello", "hex", "torus", "anti-6", "xt:starfish")
"""Of these the explorer sees squares, hexagons, free passes, translations, another goal and many seats."""


@pytest.fixture
def explorer(new_store: str) -> Iterator[Explorer]:
    with closing(Explorer.open(new_store)) as explorer:
        yield explorer


def a_game(spec: str, seed: int, plies: int = 1000, *, turned: bool = True) -> Record:
    """A random game; few moves to choose from at first make it share positions with others."""
    chance = random.Random(f"{spec} {seed}")
    state = start = pv.game(spec).start(0)
    moves: list[pv.Move] = []
    while not state.is_over and len(moves) < plies:
        moves.append(chance.choice(state.moves[:2 if len(moves) < 6 else None]))
        state = state.play(moves[-1])
    record = Record(start, tuple(moves))
    if not turned:
        return record
    symmetry = chance.choice(start.game.symmetries)
    return Record(start.transform(symmetry), tuple(symmetry.move(move) for move in moves))


def recount(games: list[Record], state: State) -> dict[str, Counter[str]]:
    """What was played in a position: by comparing it with every turned position of every game."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    classes = {move: str(max(moves, key=str)) for moves in equal_moves(state).values() for move in moves}
    for record in games:
        result, scores = record.result, record.final.credited_scores
        for before, move in record:
            for symmetry in record.game.symmetries:
                if symmetry.apply(before.tiles) == state.tiles and before.transform(symmetry) == state:
                    counts = found[classes[symmetry.move(move)]]
                    counts["games"] += 1
                    if result is not None:
                        seat = before.turn - 1
                        rank, first = result.ranks[seat], result.ranks.count(1)
                        counts["losses" if rank > 1 else "wins" if first == 1 else "draws"] += 1
                        others = [score for at, score in enumerate(scores) if at != seat]
                        is_most = record.game.definition.goal == "most"
                        counts["total"] += (scores[seat] - max(others) if is_most
                                            else min(others) - scores[seat])
                    break
    return found


@pytest.mark.parametrize("spec", slow_but(SPECS, "othello", "hex"))
def test_keys_of_many_are_the_keys_of_each(spec: str) -> None:
    plies = [ply for seed in range(3) for ply in a_game(spec, seed, 60)]
    keys, numbers = keys_of([state for state, _ in plies], [move for _, move in plies])
    assert keys == [position_key(state) for state, _ in plies]
    for (state, move), number in zip(plies, numbers.tolist(), strict=True):
        assert move in equal_moves(state)[number]
        [symmetry] = random.Random(1).sample(state.game.symmetries, 1)
        assert position_key(state.transform(symmetry)) == position_key(state)


def test_positions_differ_by_turn_passes_and_game() -> None:
    hexagon = pv.game("hex").start()
    passed = hexagon.play("pass")
    both = {position_key(state) for state in (hexagon, passed, hexagon.flip())}
    assert len(both) == 3
    assert position_key(pv.game("othello").start()) != position_key(pv.game("anti").start())


@pytest.mark.parametrize("spec", slow_but(SPECS, "hex", "anti-6"))
def test_counts_are_those_of_a_plain_recount(spec: str, tmp_path: Path) -> None:
    with closing(Explorer.open(str(tmp_path / "openings.db"))) as explorer:
        check_counts(explorer, spec)


def check_counts(explorer: Explorer, spec: str) -> None:
    count, plies = {"xt:starfish": (4, 150), "torus": (8, 20)}.get(spec, (30, 1000))
    games = [a_game(spec, seed, plies) for seed in range(count)]
    explorer.batch_games = 7    # several commits, in which the same rows grow
    assert explorer.add(games).games == len({(game.start, game.moves) for game in games})
    counted = list({(game.start, game.moves): game for game in games}.values())
    looked_at = [list(games[0].states())[ply] for ply in (0, 1, 3, 5, 20)]
    for state in looked_at:
        report, expected = explorer.at(state), recount(counted, state)
        assert {str(played.move): played.games for played in report.moves} == {
            move: counts["games"] for move, counts in expected.items()}
        for played in report.moves:
            counts = expected[str(played.move)]
            assert (played.wins, played.draws, played.losses, played.total) == (
                counts["wins"], counts["draws"], counts["losses"], counts["total"])
    assert explorer.at(games[0].start).games == len(counted)


@pytest.mark.slow
@pytest.mark.parametrize("new_store", ["sqlite", "postgresql"], indirect=True)
def test_every_format_counts_each_game_once(explorer: Explorer, tmp_path: Path) -> None:
    games = [a_game("othello", seed, turned=False).with_values(
        players=(f"Ann {seed}", "Bob"), tags=(("date", "2004"), ("event", "Cup"))) for seed in range(20)]
    others = [a_game("hex", seed, turned=False) for seed in range(3)]
    records.write(games[:12], tmp_path / "WTH_2004.wtb")
    records.write(games[8:], tmp_path / "games.ggf")
    records.write([*games[10:15], *others], tmp_path / "games.jsonl")
    records.write([Record.of("othello", "f5d6c3"), Record.of("othello", "c4e3f6")], tmp_path / "lines.txt")
    files = [tmp_path / name for name in ("WTH_2004.wtb", "games.ggf", "games.jsonl", "lines.txt")]
    for file in files:
        assert explorer.add_file(file)
        assert explorer.add_file(file) is None, "the file was counted before"
    read = [record for file in files for record in records.games(file)]
    distinct = {(game.players, game.start, game.moves): game for game in read}
    assert explorer.size[0] == len(distinct) == 25, "also those are found again that another format has"
    start = pv.game("othello").start()
    othello = [game for game in distinct.values() if game.game == start.game]
    report = explorer.at(start)
    assert report.games == len(othello)
    assert [str(move) for move in (report.moves[0].move, *report.moves[0].same)] == ["f5", "e6", "d3", "c4"]
    assert sum(played.wins + played.draws + played.losses for played in report.moves) == len(othello) - 2
    for state in othello[0].states():
        expected = {move: counts["games"] for move, counts in recount(othello, state).items()}
        assert {str(played.move): played.games for played in explorer.at(state).moves} == expected
    copy = tmp_path / "copy.ggf"
    copy.write_bytes(b"\n" + (tmp_path / "games.ggf").read_bytes())
    assert explorer.add_file(copy) == Added(0, 12, 0), "the same games in another file"


def test_examples_have_players_events_and_years(explorer: Explorer) -> None:
    names = [("Tamenori", "Kung", "Worlds", "2004-10-30"), ("Zoë\x00🦊" + "e" * 999, "", "", "?")]
    explorer.add(Record.of("othello", "f5d6").with_values(
        players=(one, two), tags=(("event", event), ("date", date)),
        outcome=Outcome("resigned", margin=12.0)) for one, two, event, date in names)
    last, first = explorer.at(pv.Line("othello", "c4").state).examples
    assert (first.players, first.event, first.year) == (("Tamenori", "Kung"), "Worlds", 2004)
    assert str(first.move) == "e3"
    assert last.year is None and len(last.players[0]) < 200
    [played] = explorer.at(pv.Line("othello", "c4").state).moves
    assert (played.losses, played.mean) == (2, -12.0)


def test_an_interrupted_import_goes_on_where_it_stopped(explorer: Explorer, tmp_path: Path) -> None:
    games = [a_game("othello-6", seed) for seed in range(25)]

    def interrupted() -> Iterator[Record]:
        yield from games[:17]
        raise KeyboardInterrupt

    explorer.batch_games = 5
    with pytest.raises(KeyboardInterrupt):
        explorer.add(interrupted())
    assert explorer.size[0] == 15
    assert explorer.add(games) == Added(10, 15, sum(len(game.moves) for game in games[15:]))
    with closing(Explorer.open(str(tmp_path / "at once.db"))) as other:
        other.add(games)
        assert other.size == explorer.size
        for state in games[3].states():
            ours, theirs = explorer.at(state, examples=0), other.at(state, examples=0)
            assert ours == theirs
            doubled = merged(state, [ours, theirs])
            assert [played.games for played in doubled.moves] == [2 * played.games for played in ours.moves]


def test_broken_files_and_other_databases_are_refused(tmp_path: Path, explorer: Explorer) -> None:
    with pytest.raises(RecordError, match="cannot be opened"):
        explorer.add_file(tmp_path / "nothing.wtb")
    (tmp_path / "bad.txt").write_text("f5d6\nf5f5\n")
    problems: list[RecordError] = []
    added = explorer.add_file(tmp_path / "bad.txt", on_error=problems.append)
    assert added is not None and added.games == 1 and "line 2" in str(problems[0])
    from polyversi.storage.games import Store

    with closing(Store.open(str(tmp_path / "games.db"))), pytest.raises(StoreError, match="another program"):
        Explorer.open(str(tmp_path / "games.db"))
