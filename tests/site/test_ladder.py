"""Ladders: places, challenges to those above, two games with seats changed, and what is kept of them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import polyversi as pv
from polyversi.contest.playing import play_game
from polyversi.records import jsonl
from polyversi.site import audit
from polyversi.site.ladder import GONE, TAKEN_OUT, pool_of, steps_after
from polyversi.site.ladder_games import LadderGames
from polyversi.site.ratings import ranking, recompute
from polyversi.site.roles import Role
from polyversi.site.settings import SiteError
from tests.testing.ladders import CRASHES, LAST_MOVE, Rungs
from tests.testing.sandbox import needs_sandbox
from tests.testing.uploads import FIRST_MOVE, SITE

pytestmark = needs_sandbox
MAP = "xt:diamond"
SMALL = SITE + "games = 4\n\n[quotas]\nchallenges = 1\n"


@pytest.fixture
def rungs(tmp_path: Path, site_store: str) -> Iterator[Rungs]:
    rungs = Rungs(tmp_path, site_store, SMALL)
    yield rungs
    rungs.store.close()


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Rungs]:
    rungs = Rungs(tmp_path, more=SMALL)
    yield rungs
    rungs.store.close()


def test_a_challenge_is_two_games_with_seats_changed_that_count_once(rungs: Rungs) -> None:
    ann, first = rungs.climb("Ann")
    bob, crashes = rungs.climb("Bob", CRASHES)
    below, above = (crashes, first) if rungs.names == [first.name, crashes.name] else (first, crashes)
    match = rungs.ladders.challenge(bob if below is crashes else ann, below.id, above.id)
    assert [queued.phase for queued in rungs.ladders.queue("othello")] == ["waiting"]
    ready = rungs.games.make_ready(match.id, 1)
    assert ready is not None
    played = play_game(ready.task, ready.protection)
    assert [queued.phase for queued in rungs.ladders.queue("othello")] == ["playing"]
    for _ in range(2):    # whoever was killed after it had stored the game stores it again
        rungs.games.keep(match, 1, ready, played)
    assert rungs.games.due(match) == [2]
    rungs.play(match)
    games = rungs.ladders.games_of(match.id)
    assert [[bot.id for bot in game.bots] for game in games] == [[below.id, above.id], [above.id, below.id]]
    assert rungs.ladders.queue("othello") == []
    assert rungs.games.make_ready(match.id, 1) is None
    for game in games:
        loser = [bot.id for bot in game.bots].index(crashes.id) + 1
        assert (game.played.verdict.kind, game.played.verdict.seat) == ("crash", loser)
        assert "no <b>way</b>" in game.played.outputs[loser - 1]
        assert "way" not in game.played.verdict.detail    # that is for its author
        assert "\x1b" not in game.played.outputs[loser - 1]
        assert str(rungs.folder) not in jsonl.write(game.played.record) + repr(game)
    assert rungs.names == [first.name, crashes.name]
    pool = pool_of("othello")
    assert recompute(rungs.store, pool) == {one.player: one for one in ranking(rungs.store, pool)}
    top = rungs.ladders.ranking("othello")[0]
    assert (top.games, len(top.steps), top.trend > 0) == (2, 2, True)
    assert top.least < top.strength.rating


def test_both_games_of_a_match_are_played_by_the_same_versions(rungs: Rungs) -> None:
    ann, mine = rungs.climb("Ann")
    rungs.climb("Bob", LAST_MOVE)
    match = rungs.automatic()
    ready = rungs.games.make_ready(match.id, 1)
    assert ready is not None
    rungs.renew(ann, mine, LAST_MOVE)
    again = rungs.games.make_ready(match.id, 2)
    assert again is not None and sorted(again.versions) == sorted(ready.versions)
    rungs.games.keep(match, 1, ready, play_game(ready.task, ready.protection))
    newest = Rungs(rungs.folder, rungs.file.store, SMALL)    # a conductor that comes after
    rungs.renew(ann, mine, FIRST_MOVE)
    again = newest.games.make_ready(match.id, 2)
    assert again is not None and sorted(again.versions) == sorted(ready.versions)
    newest.store.close()


@pytest.mark.parametrize("is_deleted", [False, True])
def test_a_version_that_was_taken_out_of_play_plays_no_second_game(here: Rungs, is_deleted: bool) -> None:
    ann, mine = here.climb("Ann")
    here.climb("Bob", LAST_MOVE)
    match = here.automatic()
    ready = here.games.make_ready(match.id, 1)
    assert ready is not None
    here.games.keep(match, 1, ready, play_game(ready.task, ready.protection))
    here.renew(ann, mine, LAST_MOVE)    # which plays from now on
    take_out = here.bots.delete_version if is_deleted else here.bots.withdraw
    take_out(ann, mine, 1)
    assert here.bots.find(mine.id).active == 2
    for conductor in (here.games, LadderGames(here.file, here.store)):    # one that comes after knows it, too
        with pytest.raises(SiteError, match=TAKEN_OUT):
            conductor.make_ready(match.id, 2)
    here.games.give_up(match, TAKEN_OUT)
    assert [game.number for game in here.ladders.games_of(match.id)] == [1], "what was played counts"


def test_a_match_that_is_cancelled_as_it_begins_is_not_played(
        rungs: Rungs, monkeypatch: pytest.MonkeyPatch) -> None:
    rungs.climb("Ann")
    rungs.climb("Bob")
    match = rungs.automatic()
    start = rungs.games._start

    def cancel(*arguments: Any) -> Any:    # while it is made ready
        rungs.ladders.cancel(rungs.person("Olga", Role.ORGANISER), match.id)
        return start(*arguments)

    monkeypatch.setattr(rungs.games, "_start", cancel)
    assert rungs.games.make_ready(match.id, 1) is None
    found = rungs.ladders.match(match.id)
    assert found is not None and found.phase == "cancelled"


def test_only_bots_of_one_s_own_challenge_and_only_those_above(here: Rungs) -> None:
    people = dict([here.climb("Ann"), here.climb("Bob")])
    (low, mine), (high, theirs) = sorted(people.items(), key=lambda one: -here.names.index(one[1].name))
    for person, challenger, challenged, why in (
        (high, mine.id, theirs.id, "a bot of your own"),
        (high, "somebody", theirs.id, "a bot of your own"),
        (high, theirs.id, mine.id, "is not above"),
        (low, mine.id, mine.id, "is not above"),
        (low, mine.id, "somebody", "not on the ladder"),
    ):
        with pytest.raises(SiteError, match=why):
            here.ladders.challenge(person, challenger, challenged)
    here.bots.play(low, mine, 0)
    with pytest.raises(SiteError, match="hand one in"):
        here.ladders.challenge(low, mine.id, theirs.id)
    assert here.ladders.waiting() == []


def test_challenges_have_a_quota_and_can_be_taken_back(here: Rungs) -> None:
    people = dict([here.climb("Ann"), here.climb("Bob"), here.climb("Cid")])
    low, mine = max(people.items(), key=lambda one: here.names.index(one[1].name))
    others = [bot for bot in people.values() if bot is not mine]
    match = here.ladders.challenge(low, mine.id, others[0].id)
    with pytest.raises(SiteError, match="already"):
        here.ladders.challenge(low, mine.id, others[0].id)
    with pytest.raises(SiteError, match="1 of your challenges wait already, and 1 may"):
        here.ladders.challenge(low, mine.id, others[1].id)
    stranger = next(person for person in people if person is not low)
    with pytest.raises(SiteError, match="no such challenge of yours"):
        here.ladders.cancel(stranger, match.id)
    here.ladders.cancel(low, match.id)
    with pytest.raises(SiteError, match="has begun"):
        here.ladders.cancel(low, match.id)
    second = here.ladders.challenge(low, mine.id, others[1].id)
    here.ladders.cancel(here.person("Olga", Role.ORGANISER), second.id)
    noted = audit.entries(here.store)[0]
    assert (noted.action, noted.subject) == ("match.cancel", second.id)


def test_a_bot_that_has_gone_or_cannot_play_ends_its_match(here: Rungs) -> None:
    ann, _ = here.climb("Ann")
    bob, bot = here.climb("Bob")
    match = here.automatic()
    here.bots.play(bob, bot, 0)
    with pytest.raises(SiteError, match="is not on the ladder any more"):
        here.games.make_ready(match.id, 1)
    here.games.give_up(match, GONE[1])
    found = here.ladders.match(match.id)
    assert found is not None
    assert (found.phase, found.reason) == ("cancelled", GONE[1])
    assert here.games.make_ready(match.id, 1) is None
    assert ann


def test_every_version_gets_its_games_and_bots_that_meet_again_begin_elsewhere(here: Rungs) -> None:
    ann, mine = here.climb("Ann")
    here.climb("Bob", LAST_MOVE)
    for _ in range(2):
        here.play(here.automatic())
    ladder = here.file.settings.ladders[0]
    assert here.games.add_automatic(ladder, []) is None
    starts = [game.played.record.start for game in here.ladders.games("othello")][::-1]
    assert starts[0] == starts[1] != starts[2] == starts[3]
    here.renew(ann, mine, LAST_MOVE)
    assert here.automatic().challenger.id == mine.id
    newest = Rungs(here.folder, here.file.store, SMALL)    # whoever comes after knows the same
    assert newest.games.add_automatic(ladder, []) is not None
    newest.store.close()


@pytest.mark.slow
def test_xt_clients_begin_where_their_map_does(tmp_path: Path) -> None:
    here = Rungs(tmp_path, more=SMALL.replace("othello-4", MAP))
    ann, mine = here.climb("Ann")
    here.climb("Bob", LAST_MOVE)
    here.play(here.automatic())

    def is_at_the_start() -> bool:
        ready = here.games.make_ready(here.automatic().id, 1)
        assert ready is not None
        return ready.task.position == pv.game(MAP).start().text

    assert not is_at_the_start()
    here.renew(ann, mine, FIRST_MOVE, "-p {port}")
    assert is_at_the_start()
    here.store.close()


def test_of_old_automatic_games_the_results_stay(here: Rungs) -> None:
    people = dict([here.climb("Ann"), here.climb("Bob")])
    low, mine = max(people.items(), key=lambda one: here.names.index(one[1].name))
    above = next(bot for bot in people.values() if bot is not mine)
    challenge = here.ladders.challenge(low, mine.id, above.id)
    automatic = here.automatic()
    for match in (challenge, automatic):
        here.play(match)
    before = {game.id: game for game in here.ladders.games("othello")}
    assert here.games.thin(time.time()) == 0
    assert here.games.thin(time.time() + 61 * 86_400) == 2
    for game in here.ladders.games("othello"):
        assert game.has_record == (game.match == challenge.id) and game.played.outputs == ()
        was = before[game.id].played
        assert replace(game.played, stored="", outputs=()) == replace(was, stored="", outputs=())


def test_the_steps_of_each_game_are_found_by_an_index(here: Rungs) -> None:
    wanted = steps_after("ladder:othello", 7).compile(compile_kwargs={"literal_binds": True})
    with here.store.writing() as connection:
        plan = [str(row[3]) for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {wanted}")]
    assert any("site_rating_steps_of_game" in step for step in plan)
    assert all(step.startswith("SEARCH") for step in plan)    # with every game it looks at a few rows only
