"""Matches: who sits where, what is credited to whom, and going on after a program was killed."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest

import polyversi as pv
from polyversi.contest.contest import Watcher
from polyversi.contest.fixtures import groups_of, match_fixtures, seat_orders
from polyversi.contest.match import Match
from polyversi.contest.model import Fixture, Meeting
from polyversi.contest.openings import random_opening
from polyversi.contest.playing import recorded_game, start_of
from polyversi.contest.standings import Standings, different_games, table_of
from polyversi.contest.tournament import tournament_in
from polyversi.contest.workers import Workers
from polyversi.gameplay.bots import SandboxError
from polyversi.games.errors import PlayerError, PolyversiError, RecordError
from polyversi.records import Outcome, Record, read
from polyversi.records.maps import map_of
from polyversi.storage.contests import ContestStore
from polyversi.storage.line_file import RecordFile
from polyversi.storage.stored import PlayedGame
from tests.testing.sandbox import needs_sandbox


def test_the_course_changes_seats_after_game_five_of_ten() -> None:
    fixtures = match_fixtures([[(0, 1)]], 10, "course")
    assert [fixture.seating for fixture in fixtures] == [(0, 1)] * 5 + [(1, 0)] * 5
    assert [fixture.opening for fixture in fixtures] == [0, 1, 2, 3, 4] * 2
    three = match_fixtures([[(0, 1)]], 3, "course")
    assert [fixture.seating for fixture in three] == [(0, 1), (0, 1), (1, 0)]


def test_alternating_seats_make_pairs() -> None:
    fixtures = match_fixtures([[(0, 1)]], 4, "alternate")
    assert [(fixture.opening, fixture.seating) for fixture in fixtures] == [
        (0, (0, 1)), (0, (1, 0)), (1, (0, 1)), (1, (1, 0))]


@pytest.mark.parametrize("meeting", [(0, 1), (0, 1, 2), (0, 1, 2, 3), (0, 1, 2, 3, 4), (0, 1) * 2, (0, 1) * 4,
                                     (0, 1, 2) * 2, (0, 1, 1, 1), (3, 5, 4)])
def test_every_seat_order_comes_in_turn(meeting: tuple[int, ...]) -> None:
    groups = list(seat_orders(meeting))
    orders = [order for group in groups for order in group]
    assert len(orders) == len(set(orders)) == len(set(permutations(meeting)))
    for group in groups:
        for places in zip(*group, strict=True):    # all have been in every seat, as often as they have seats
            shares = Counter(places)
            assert {player: share * len(meeting) for player, share in shares.items()} == {
                player: held * len(group) for player, held in Counter(meeting).items()}
    again = match_fixtures([[meeting]], 2 * len(orders), "alternate")
    assert [fixture.seating for fixture in again] == orders * 2
    assert len({fixture.opening for fixture in again}) == 2 * len(groups)


def test_who_meets_whom() -> None:
    assert groups_of(4, 2) == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    assert groups_of(8, 8) == [tuple(range(8))]
    assert groups_of(2, 2, against=3) == [(0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4)]
    with pytest.raises(PlayerError, match="3 players cannot share 8 seats evenly"):
        groups_of(3, 8)
    rounds = match_fixtures([groups_of(3, 2)], 2, "course")
    assert [fixture.meeting.entrants for fixture in rounds] == [(0, 1), (0, 2), (1, 2)] * 2
    assert [fixture.id for fixture in rounds] == ["1", "2", "3", "4", "5", "6"]


def starts_of(match: Match) -> list[pv.State]:
    """Where the games of a match begin."""
    return [start_of(match.plan, fixture) for fixture in match.plan.fixtures]


def test_both_seats_of_a_pair_begin_alike() -> None:
    match = Match(("random", "random"), "hex", games=8, seats="alternate", openings=5)
    starts = starts_of(match)
    assert starts[0::2] == starts[1::2]
    assert len(set(starts)) == 4
    assert all(start.turn == 2 for start in starts)


def test_variants_are_played_in_turn(tmp_path: Path) -> None:
    out, variants = tmp_path / "games.jsonl", ("othello-4", "xt:arena,players=3", "hex:side=3")
    match = Match(("random", "t77", "greedy"), variants, games=2, seats="alternate")
    assert [fixture.variant for fixture in match.plan.fixtures] == [0, 0, 0, 1, 2, 2, 2] * 2
    assert [fixture.id for fixture in match.plan.fixtures] == list(map(str, range(1, 15)))
    standings = match.run(out=out)
    games = [item.game.spec for item in read(out) if isinstance(item, Record)]
    assert games == [variants[fixture.variant] for fixture in match.plan.fixtures]
    assert standings.variants == variants
    for player, score in enumerate(standings.scores):
        parts = [standings.on(player, variant) for variant in range(3)]
        assert [part.games for part in parts] == [4, 2, 4]
        assert sum(part.points for part in parts) == score.points
    longer = Match(("random", "t77", "greedy"), variants, games=3, seats="alternate").run(out=out)
    assert longer.games == 21
    with pytest.raises(RecordError, match="choose another file"):
        Match(("random", "t77", "greedy"), variants[:2], games=2, seats="alternate").run(out=out)


def test_all_players_must_play_all_variants() -> None:
    with pytest.raises(PlayerError, match="t34 does not play rolit"):
        Match(("t34", "random"), ("hex", "rolit"), games=2).run()
    with pytest.raises(PlayerError, match="3 players cannot share 4 seats evenly"):
        Match(("random",) * 3, ("hex", "rolit"), games=2).run()


def test_several_variants_are_a_match_of_one_for_each_of_them() -> None:
    alone = [Match(("random", "t77"), variant, games=4) for variant in ("hex", "othello-4")]
    both = Match(("random", "t77"), ("hex", "othello-4"), games=4)
    starts = [starts_of(match) for match in alone]
    assert starts_of(both) == [
        start for pair in zip(*starts, strict=True) for start in pair]


def test_a_set_up_without_a_game_is_drawn_anew() -> None:
    game = pv.game("hex")
    for seed in (4, 16, 45):    # no four plies are played there
        assert not random_opening(game, 4, seed).is_over


def test_balanced_openings_are_even_and_differ() -> None:
    match = Match(("random", "random"), games=20, seats="alternate", openings="balanced 8")
    starts = starts_of(match)
    leads = [pv.engine("othello").think(state, pv.Limit(depth=10)).best.value for state in starts]
    drawn = Match(("random", "random"), games=20, openings=8)
    uneven = starts_of(drawn)
    wild = [pv.engine("othello").think(state, pv.Limit(depth=10)).best.value for state in uneven]
    assert starts[::2] == starts[1::2] and len(set(starts)) == 10
    assert all(sum(state.scores) == 12 for state in starts)
    assert sum(map(abs, leads)) < sum(map(abs, wild)) / 2 and max(map(abs, leads)) <= 6
    with pytest.raises(PolyversiError, match="the engine does not support rolit"):
        Match(("random",) * 4, variant="rolit", openings="balanced 4").run()


def test_openings_are_as_long_as_asked() -> None:
    game = pv.game("othello")
    assert {sum(random_opening(game, 7, seed).scores) for seed in range(20)} == {11}
    assert random_opening(game, 0, 1) == game.start()


def final(black: int, white: int) -> Record:
    """A game that ended with these stones."""
    return Record(pv.game("othello-4").position("X" * black + "O" * white + " X"))


def played(number: int, opening: int, seating: tuple[int, ...], record: Record) -> PlayedGame:
    """That a game of a match of all of these was played."""
    meeting = Meeting("1.1", 1, tuple(sorted(seating)))
    return recorded_game(Fixture(str(number), meeting, 0, opening, seating), record)


def test_wins_draws_and_stones_are_the_players_not_the_seats() -> None:
    standings, games = Standings(["Ann", "Bob"]), list[PlayedGame]()
    for number, (seating, record) in enumerate([
        ((0, 1), final(10, 6)),    # Ann wins as black
        ((1, 0), final(10, 6)),    # Bob wins as black
        ((1, 0), final(3, 13)),    # Ann wins as white
        ((0, 1), final(8, 8)),
    ]):
        games.append(played(number + 1, number, seating, record))
        standings.add(games[-1])
    ann, bob = standings.scores
    assert (ann.wins, ann.draws, ann.losses, ann.points, ann.stones) == (2, 1, 1, 2.5, 10 + 6 + 13 + 8)
    assert (bob.wins, bob.draws, bob.losses, bob.points, bob.stones) == (1, 1, 2, 1.5, 6 + 10 + 3 + 8)
    assert standings.leader == 0
    assert (standings.against(1, 0).wins, standings.against(0, 1).wins) == (1, 2)
    assert different_games(games) == 4
    games.append(played(5, 4, (0, 1), final(10, 6)))
    assert different_games(games) == 4    # the first one again


def test_faults_are_counted_for_whoever_made_them() -> None:
    standings = Standings(["Ann", "Bob"])
    start = pv.game("othello").start()
    timeout = Record(start, tags=(("failures", "seat 1: timeout"),), outcome=Outcome("timeout", ranks=(2, 1)))
    crash = Record(start, tags=(("failures", "seat 2: crash (seat 1: timeout)"),),
                   outcome=Outcome("crash", ranks=(1, 2)))
    standings.add(played(1, 0, (0, 1), timeout))
    standings.add(played(2, 0, (1, 0), timeout))
    standings.add(played(3, 1, (1, 0), crash))
    standings.add(played(4, 1, (0, 1), Record(start, outcome=Outcome("resigned", ranks=(2, 1)))))
    ann, bob = standings.scores
    assert ann.faults == Counter({"timeout": 1, "crash": 1}) and bob.faults == Counter({"timeout": 1})
    assert (ann.wins, bob.wins, ann.resigned, bob.resigned) == (1, 3, 1, 0)


def test_a_game_says_why_somebody_failed(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("raise SystemExit(3)")
    contest = Match((f"bot:{bot}", "random"), variant="othello-4", games=2, trust=True).contest()
    assert contest.run().scores[0].faults == Counter({"crash": 2})
    first, second = (game.record for game in contest.played.values())
    assert first.tag("failures") == "seat 1: crash (its process ended with status 3)"
    assert second.tag("failures").startswith("seat 2: crash")
    peaceful = Match(("random", "random"), variant="othello-4", games=1).contest()
    peaceful.run()
    assert "failures" not in dict(peaceful.played["1"].record.tags)


def test_a_player_in_several_seats_has_the_points_of_all() -> None:
    standings = Standings(["Ann", "Bob"])
    game = pv.game("rolit")
    tiles = "1" * 20 + "2" * 10 + "3" * 30 + "4" * 4
    standings.add(played(1, 0, (0, 1, 0, 1), Record(game.position(f"{tiles} 1"))))
    ann, bob = standings.scores
    assert (ann.wins, ann.points, ann.stones) == (1, 1.0, 50)
    assert (bob.wins, bob.points, bob.stones) == (0, 0.0, 14)


def test_points_of_ranks_have_a_mean_with_its_error() -> None:
    standings = Standings(["Ann", "Bob", "Cem"])
    assert standings.points_a_game(0) is None
    game = pv.game("xt:arena,players=3")
    ranks = {0: (1, 2, 3), 1: (1, 3, 2)}    # by opening; those of the seats are the same in all three orders
    for fixture in match_fixtures([[(0, 1, 2)]], 6, "course"):
        outcome = Outcome("one seat left", ranks=ranks[fixture.opening])
        standings.add(recorded_game(fixture, Record(game.start(), outcome=outcome)))
        if fixture.id == "3":
            assert str(standings.points_a_game(0)) == f"{(25 + 5 + 11) / 3:.2f}"
    assert standings.is_by_rank
    ann = standings.points_a_game(0)
    assert ann is not None and ann.error is not None
    assert ann.value == pytest.approx((25 + 11 + 5) / 3)
    assert ann.error == pytest.approx(0)    # the seat brought the points: both openings say the same of Ann

    two, start = Standings(["Ann", "Bob"]), pv.game("xt:arena,players=2").start()
    for number, ranks_there in enumerate([(1, 2), (1, 2), (2, 1), (1, 2)]):
        ended = Record(start, outcome=Outcome("one seat left", ranks=ranks_there))
        two.add(played(number + 1, number, (0, 1), ended))
    assert str(two.points_a_game(0)) == "21.50 ± 3.50"    # 25 three times and 11 once deviate by 7


def test_elo_counts_pairs_and_needs_two_players() -> None:
    standings = Standings(["Ann", "Bob"])
    for fixture in match_fixtures([[(0, 1)]], 8, "alternate"):
        standings.add(recorded_game(fixture, final(10, 6)))    # black wins them all: the seat, not the player
    elo = standings.elo(0)
    assert elo is not None and elo.difference == 0
    assert Match(("random",) * 3, "hex:side=5,seats=3", games=1).run().elo(0) is None


def test_a_match_comes_out_the_same_however_it_is_run(tmp_path: Path) -> None:
    match = Match(("random", "random:seed=4"), "othello-6", games=6, seats="alternate", openings=2, seed=9)
    one, many = tmp_path / "one.jsonl", tmp_path / "many.jsonl"
    seen: list[str] = []

    class Sees(Watcher):
        def over(self, games: Sequence[PlayedGame]) -> None:
            seen.extend(game.id for game in games)

    alone = match.run(out=one, watcher=Sees())
    with ThreadPoolExecutor(3) as executor:
        together = match.run(out=many, workers=Workers(3, lambda: nullcontext(executor)))
    assert seen == ["1", "2", "3", "4", "5", "6"]
    assert alone.scores == together.scores
    assert moves_of(one) == moves_of(many)
    assert len({tuple(moves) for moves in moves_of(one).values()}) == 6    # its own seed repeats no game


def moves_of(path: Path) -> dict[str, list[str]]:
    """The moves of each game in a file by its number."""
    games = [item for item in read(path) if isinstance(item, Record)]
    return {record.tag("round"): [str(move) for move in record.moves] for record in games}


KILLED = """
import os, signal, sys
from pathlib import Path
from polyversi.contest.contest import Watcher
from polyversi.contest.match import Match
class Kills(Watcher):
    games = 0
    def over(self, games):
        self.games += len(games)
        if self.games >= 3:
            os.kill(os.getpid(), signal.SIGKILL)
Match(("random", "random"), "othello-6", games=8, seed=5).run(out=Path(sys.argv[1]), watcher=Kills())
"""


def test_a_match_that_was_killed_goes_on(tmp_path: Path) -> None:
    broken, whole = tmp_path / "broken.jsonl", tmp_path / "whole.jsonl"
    killed = subprocess.run([sys.executable, "-c", KILLED, str(broken)], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert len(broken.read_bytes().splitlines()) == 3
    with broken.open("ab") as stream:
        stream.write(b'{"polyversi":1,"game":"othello-6","sta')    # killed in the middle of a line
    match = Match(("random", "random"), "othello-6", games=8, seed=5)
    contest = match.contest(out=broken)
    assert contest.run().games == 8 and list(contest.played) == ["1", "2", "3", "4", "5", "6", "7", "8"]
    match.run(out=whole)
    assert moves_of(broken) == moves_of(whole)
    assert len(broken.read_bytes().splitlines()) == 8


@pytest.mark.parametrize("other", [
    Match(("random", "random"), "othello-6", games=4, seed=1),
    Match(("random", "random"), "othello-6", games=2),
    Match(("random", "random"), "othello-4", games=4),
    Match(("random", "random"), "othello-6", games=4, openings=2),
    Match(("random", "random"), "othello-6", games=4, limit=pv.Limit(seconds=5)),
    Match(("random", "greedy"), "othello-6", games=4),
    Match(("random", "random"), "othello-6", games=4, seats="alternate"),
])
def test_the_file_of_another_match_is_not_added_to(tmp_path: Path, other: Match) -> None:
    out = tmp_path / "games.jsonl"
    Match(("random", "random"), "othello-6", games=4).run(out=out)
    written = out.read_bytes()
    with pytest.raises(RecordError, match="choose another file"):
        other.run(out=out)
    assert out.read_bytes() == written


def test_players_can_have_names() -> None:
    match = Match(("Ann=random", "random", " Bob = polyversi:level=1 ", "random"), against=("Cid=random",))
    assert [(one.name, one.spec) for one in match.plan.entrants] == [
        ("Ann", "random"), ("random", "random"), ("Bob", "polyversi:level=1"), ("random#2", "random"),
        ("Cid", "random")]
    with pytest.raises(PlayerError, match="two players are called Ann; give them different names"):
        Match(("Ann=random", "Ann=greedy")).contest()
    with pytest.raises(PolyversiError, match="a player cannot be called ''"):
        Match(("=random", "greedy")).contest()


def test_a_match_can_be_made_longer(tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    Match(("random", "random"), "othello-4", games=4, seats="alternate").run(out=out)
    standings = Match(("random", "random"), "othello-4", games=6, seats="alternate").run(out=out)
    assert standings.games == 6
    assert sorted(map(int, moves_of(out))) == [1, 2, 3, 4, 5, 6]


def test_a_file_of_something_else_is_left_alone(tmp_path: Path) -> None:
    out = tmp_path / "notes.txt"
    out.write_text("my notes\n")
    with pytest.raises(RecordError), RecordFile(out):
        pass
    assert out.read_text() == "my notes\n"


def test_every_kind_of_game_can_be_a_match() -> None:
    for variant in ("hex", "rolit", "xt:arena,players=3", "reversi", "anti-6"):
        players = pv.game(variant).seats
        standings = Match(("random",) * players, variant, games=players).run()
        assert standings.games == players
        assert all(score.games == players for score in standings.scores)


@pytest.mark.parametrize("content", [b"Dear Ann,\nthis is no game", b"no line at all", b"\0\1\2", b"{}\n"])
def test_a_file_of_something_else_is_left_as_it_is(tmp_path: Path, content: bytes) -> None:
    out = tmp_path / "letter.txt"
    out.write_bytes(content)
    with pytest.raises(RecordError):
        Match(("random", "random"), games=2, variant="othello-4").run(out=out)
    assert out.read_bytes() == content


def test_a_file_of_another_match_keeps_its_cut_line(tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    Match(("random", "random"), games=2, variant="othello-4").run(out=out)
    cut = out.read_bytes()[:-9]
    out.write_bytes(cut)
    with pytest.raises(RecordError):
        Match(("random", "random"), games=2, variant="othello-6").run(out=out)
    assert out.read_bytes() == cut


def test_openings_of_a_file_are_played_twice_with_seats_changed(tmp_path: Path) -> None:
    book = tmp_path / "book.txt"
    book.write_text("f5d6\nf5f6\nf5f4\n")
    lines = [Record.of("othello", line).final for line in book.read_text().split()]
    ordered = Match(("random", "greedy"), games=8, seats="alternate", openings=f"{book} in order")
    assert starts_of(ordered) == [state for state in (*lines, lines[0]) for _ in range(2)]
    seatings = [fixture.seating for fixture in ordered.plan.fixtures]
    assert all(first == second[::-1] for first, second in zip(seatings[::2], seatings[1::2], strict=True))
    orders = set()
    for seed in range(10):
        shuffled = starts_of(replace(ordered, openings=str(book), seed=seed))
        assert shuffled[::2] == shuffled[1::2] and set(shuffled[:6]) == set(lines)
        orders.add(tuple(shuffled))
    assert len(orders) > 1
    out = tmp_path / "games.jsonl"
    ordered.run(out=out, jobs=2)
    assert sorted(record.start.text for record in read(out) if isinstance(record, Record)) == sorted(
        state.text for state in starts_of(ordered))


@pytest.mark.parametrize("name", ["g.ggf", "g.txt", "g"])
def test_a_format_that_cannot_continue_a_match_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(RecordError, match=rf"use --out g.jsonl, and .* `polyversi convert g.jsonl {name}`"):
        Match(("random", "random"), games=2, variant="othello-4").run(out=tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_a_bot_without_a_limit_that_does_not_answer_loses(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("import sys, time\nsys.stdin.readline()\ntime.sleep(86400)\n")
    bot = f"bot:{tmp_path / 'bot.py'}"
    contest = Match((bot, "random"), "othello-4", games=2, trust=True, stall_timeout=0.01).contest()
    contest.run()
    assert [failure.kind for game in contest.played.values() for failure in game.failures] == ["stall"] * 2
    assert "a bot loses after 60 s without an answer" in Match((bot, "random"), "othello-4").plan.limit_text
    assert Match((bot, "random"), "othello-4", stall_timeout=None).plan.limit_text == "none"


@pytest.mark.parametrize("device", ["/dev/full", "/dev/zero", "/dev/null"])
def test_a_device_is_no_match_file(tmp_path: Path, device: str) -> None:
    (tmp_path / "games.jsonl").symlink_to(device)
    with pytest.raises(RecordError, match="is not an ordinary file"):
        Match(("random", "random"), games=2, variant="othello-4").run(out=tmp_path / "games.jsonl")


SPY = """
import json, pathlib, sys
for line in sys.stdin:
    seen = pathlib.Path({secret!r}).exists()
    print(json.dumps({{"resign": True}} if seen else {{"move": json.loads(line)["moves"][0]}}), flush=True)
"""


@needs_sandbox
@pytest.mark.parametrize("trust", [True, False])
def test_bots_of_a_match_run_in_a_sandbox_unless_they_are_trusted(tmp_path: Path, trust: bool) -> None:
    folder, secret = tmp_path / "spy", tmp_path / "secret.txt"
    folder.mkdir()
    secret.write_text("mine")
    (folder / "spy.py").write_text(SPY.format(secret=str(secret)))
    match = Match((f"bot:{folder / 'spy.py'}", "random"), "othello-4", games=2, trust=trust)
    spy = match.run().scores[0]
    assert (spy.resigned, spy.faults) == (2 if trust else 0, Counter())


def test_without_bubblewrap_bots_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bot.py").write_text("input()")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(SandboxError, match=r"bots run in a sandbox, .* install bubblewrap .* --trust"):
        Match((f"bot:{tmp_path / 'bot.py'}", "random"), "othello-4", games=2).run()
    assert Match(("greedy", "random"), "othello-4", games=2).run().games == 2


def test_a_match_in_a_database_goes_on_and_can_be_looked_at(tmp_path: Path) -> None:
    out = tmp_path / "games.db"
    match = Match(("random", "greedy"), "othello-4", games=4, seats="alternate", seed=2)
    match.run(out=out)
    longer = Match(("random", "greedy"), "othello-4", games=6, seats="alternate", seed=2)
    assert longer.run(out=out).scores == longer.run().scores
    shown = tournament_in(ContestStore.open_read_only(str(out)), None)
    assert shown.is_over and len(shown.played) == 6 and len(table_of(shown).rows) == 2
    with pytest.raises(RecordError, match="holds another match"):
        Match(("random", "mobility"), "othello-4", games=6, seats="alternate", seed=2).run(out=out)


def test_a_match_where_a_loop_runs() -> None:
    """As in a notebook."""
    async def cell() -> int:
        return Match(["greedy", "random"], variant="othello-4", games=2, limit="depth=2").run().games

    assert asyncio.run(cell()) == 2


def test_a_match_of_games(tmp_path: Path) -> None:
    small, own = pv.game("othello-4"), pv.Game("mine", pv.game("othello-6").definition)
    path = tmp_path / "torus.map"
    path.write_text(map_of(pv.game("xt:torus,seed=2")).text)
    players = ["greedy", "random"]
    by_name = Match(players, variant="othello-4", games=2).plan
    assert Match(players, variant=small, games=2).plan == by_name
    assert Match(players, variant=(small, own), games=2).run(jobs=2).games == 4
    assert Match(["random"] * 4, variant=pv.game(f"xt:{path}"), games=1).plan.variants == ("xt:torus",)
    with pytest.raises(RecordError, match=r"'mine' is not a registered variant.*pv\.register_variant"):
        Match(players, variant=own, games=2).run(out=tmp_path / "games.jsonl")
    assert not (tmp_path / "games.jsonl").exists()
