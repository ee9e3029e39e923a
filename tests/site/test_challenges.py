"""Challenges: who may accept what, pairing, limits, the games that come of them and how these count."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest
import sqlalchemy as sql

from polyversi.gameplay.verdict import Kind, Verdict
from polyversi.site.challenges import (
    DIRECT_SECONDS,
    KEPT_SECONDS,
    MAX_OPEN,
    OPEN_SECONDS,
    Challenge,
    Challenges,
    NotOpenError,
    Wanted,
    forget,
)
from polyversi.site.people import People
from polyversi.site.person_games import follow, settle
from polyversi.site.ratings import game_of, games_of, ranking, running_games
from polyversi.site.seat_tokens import SeatTokens
from polyversi.site.settings import SiteError
from polyversi.site.store import SiteStore, new_id
from polyversi.site.tables import PEOPLE
from polyversi.storage.games import Store, StoredGame
from polyversi.storage.stored import GameResult, StoredSeat, Summary

OTHELLO = Wanted("othello", "bank=300", 2, is_rated=True)
QUICK = dataclasses.replace(OTHELLO, is_quick=True)
ROLIT = Wanted("rolit", "none", 4, is_rated=False)


class Site:
    """The stores of a site and its challenges."""

    def __init__(self, where: str) -> None:
        self.games, self.store = Store.open(where), SiteStore.open(where)
        self.challenges = Challenges(self.store, self.games, self.make_game)
        with self.store.writing() as connection:
            connection.execute(sql.insert(PEOPLE), [
                {"id": name, "name": name, "folded": name, "role": "member", "password": "", "created": 0.0,
                 "is_disabled": False} for name in ("ann", "bob", "carla", "dan", "eve")])

    def make_game(self, made: Challenge, people: Sequence[str]) -> StoredGame:
        """A game that could be played."""
        seats = tuple(StoredSeat("human", name=person) for person in people)
        return StoredGame(new_id(), made.wanted.spec, "", "", seats, ("none",) * len(people), created=1.0)

    def open_ids(self) -> list[str]:
        """The challenges that are open."""
        return [one.id for one in self.challenges.listed(0.0) if one.phase == "open"]

    def end(self, game: str, ranks: list[int], verdict: Kind = "win") -> None:
        """Ends a game as a room does."""
        result = GameResult(Verdict(verdict), ranks=tuple(ranks))
        with self.games.transaction() as write:
            write.change_game(game, phase="over", ended=500.0, summary=Summary(result=result))


@pytest.fixture
def site(new_store: str) -> Iterator[Site]:
    """A site in either database."""
    opened = Site(new_store)
    yield opened
    opened.store.close()
    opened.games.close()


def test_a_challenge_to_anybody_is_accepted_by_the_first(site: Site) -> None:
    made = site.challenges.offer("ann", OTHELLO, 0.0)
    assert site.open_ids() == [made.id]
    accepted = site.challenges.accept(made.id, "bob", 1.0)
    assert accepted.phase == "accepted" and site.open_ids() == []
    game, stored = game_of(site.store, accepted.game), site.games.game(accepted.game)
    assert game is not None and stored is not None
    assert sorted(game.players) == ["person:ann", "person:bob"] and game.is_rated and game.pool == "othello"
    assert [f"person:{seat.name}" for seat in stored.seats] == list(game.players)
    with pytest.raises(NotOpenError):
        site.challenges.accept(made.id, "carla", 2.0)


def test_many_accept_at_once_and_one_plays(site: Site) -> None:
    made = site.challenges.offer("ann", OTHELLO, 0.0)

    def accept(number: int) -> int:
        with suppress(NotOpenError):
            site.challenges.accept(made.id, f"p{number}", 1.0)
            return 1
        return 0

    with ThreadPoolExecutor(4) as threads:
        assert sum(threads.map(accept, range(8))) == 1
    assert len(running_games(site.store)) == 1


def test_nobody_accepts_what_is_not_theirs(site: Site) -> None:
    own = site.challenges.offer("ann", OTHELLO, 0.0)
    direct = site.challenges.offer("ann", dataclasses.replace(OTHELLO, opponent="bob"), 0.0)
    for id, person in ((own.id, "ann"), (direct.id, "carla"), (direct.id, "ann"), ("none", "ann")):
        with pytest.raises(NotOpenError):
            site.challenges.accept(id, person, 1.0)
    for id, person in ((own.id, "bob"), (direct.id, "carla"), (direct.id, "ann")):
        with pytest.raises(NotOpenError):
            site.challenges.decline(id, person)
    for id, person in ((own.id, "bob"), (direct.id, "bob")):
        with pytest.raises(NotOpenError):
            site.challenges.withdraw(id, person)
    assert sorted(site.open_ids()) == sorted([own.id, direct.id])


def test_a_direct_challenge_is_declined_and_told(site: Site) -> None:
    made = site.challenges.offer("ann", dataclasses.replace(OTHELLO, opponent="bob"), 10.0)
    site.challenges.decline(made.id, "bob")
    assert [one.phase for one in site.challenges.listed(5.0)] == ["declined"]
    assert site.challenges.listed(15.0) == []
    site.challenges.withdraw(made.id, "ann")
    assert site.challenges.listed(5.0) == []


def test_quick_pairing_takes_the_next_one_who_wants_the_same(site: Site) -> None:
    first = site.challenges.offer("ann", QUICK, 0.0)
    for other in (dataclasses.replace(QUICK, limit="none"), dataclasses.replace(QUICK, is_rated=False)):
        assert site.challenges.offer("bob", other, 1.0).phase == "open"
    paired = site.challenges.offer("carla", QUICK, 2.0)
    assert paired.id == first.id and paired.phase == "accepted" and paired.people == ("ann", "carla")


def test_quick_pairing_and_open_challenges_find_each_other(site: Site) -> None:
    site.challenges.offer("ann", OTHELLO, 0.0)
    assert site.challenges.offer("bob", OTHELLO, 1.0).phase == "open"    # both may wait for others
    assert site.challenges.offer("carla", QUICK, 2.0).people == ("ann", "carla")
    site.challenges.offer("dan", dataclasses.replace(QUICK, spec="anti"), 3.0)
    paired = site.challenges.offer("eve", dataclasses.replace(OTHELLO, spec="anti"), 4.0)
    assert paired.people == ("dan", "eve")


def test_whoever_plays_waits_for_nobody_else(site: Site) -> None:
    site.challenges.offer("ann", QUICK, 0.0)
    site.challenges.offer("ann", ROLIT, 0.0)
    direct = site.challenges.offer("ann", dataclasses.replace(OTHELLO, opponent="carla"), 0.0)
    site.challenges.offer("bob", QUICK, 1.0)
    assert site.open_ids() == [direct.id]


def test_a_game_of_four_begins_with_the_fourth(site: Site) -> None:
    made = site.challenges.offer("ann", ROLIT, 0.0)
    assert site.challenges.accept(made.id, "bob", 1.0).phase == "open"
    with pytest.raises(NotOpenError):
        site.challenges.accept(made.id, "bob", 1.0)
    site.challenges.accept(made.id, "carla", 1.0)
    site.challenges.withdraw(made.id, "bob")
    site.challenges.accept(made.id, "dan", 1.0)
    accepted = site.challenges.accept(made.id, "eve", 1.0)
    game = game_of(site.store, accepted.game)
    assert game is not None and len(game.players) == 4 and "person:bob" not in game.players


def test_what_is_too_much_is_said(site: Site) -> None:
    site.challenges.offer("ann", OTHELLO, 0.0)
    with pytest.raises(SiteError, match="open already"):
        site.challenges.offer("ann", OTHELLO, 0.0)
    with pytest.raises(SiteError, match="themselves"):
        site.challenges.offer("ann", dataclasses.replace(OTHELLO, opponent="ann"), 0.0)
    for number in range(1, MAX_OPEN):
        site.challenges.offer("ann", dataclasses.replace(OTHELLO, limit=f"bank={number}"), 0.0)
    with pytest.raises(SiteError, match=f"{MAX_OPEN} challenges of yours are open"):
        site.challenges.offer("ann", ROLIT, 0.0)
    site.challenges.offer("bob", OTHELLO, 0.0)    # others are not concerned


def test_challenges_expire(site: Site) -> None:
    made = site.challenges.offer("ann", OTHELLO, 0.0)
    direct = site.challenges.offer("ann", dataclasses.replace(OTHELLO, opponent="bob"), 0.0)
    quick = site.challenges.offer("carla", dataclasses.replace(QUICK, spec="anti"), OPEN_SECONDS)
    with pytest.raises(NotOpenError):
        site.challenges.accept(made.id, "bob", OPEN_SECONDS)
    assert site.challenges.expire(OPEN_SECONDS) == 1
    assert sorted(site.open_ids()) == sorted([direct.id, quick.id])
    assert site.challenges.expire(OPEN_SECONDS, gone=["ann", "carla"]) == 1
    assert site.challenges.expire(DIRECT_SECONDS) == 1
    site.challenges.expire(DIRECT_SECONDS + KEPT_SECONDS + 1)
    assert site.challenges.listed(-1.0) == []


def test_challenges_of_people_who_may_not_play_end(site: Site) -> None:
    kept = site.challenges.offer("bob", OTHELLO, 0.0)
    site.challenges.offer("ann", OTHELLO, 0.0)
    site.challenges.offer("dan", dataclasses.replace(OTHELLO, opponent="ann"), 0.0)
    site.challenges.offer("carla", ROLIT, 0.0)
    with site.store.writing() as connection:
        connection.execute(sql.update(PEOPLE).where(PEOPLE.c.id == "ann").values(is_disabled=True))
        connection.execute(sql.update(PEOPLE).where(PEOPLE.c.id == "carla").values(role="guest"))
    assert site.challenges.expire(1.0) == 3 and site.open_ids() == [kept.id]


def test_whoever_is_erased_waits_for_nobody(site: Site) -> None:
    made = site.challenges.offer("bob", ROLIT, 0.0)
    site.challenges.accept(made.id, "ann", 0.0)
    site.challenges.offer("ann", OTHELLO, 0.0)
    site.challenges.offer("carla", dataclasses.replace(OTHELLO, opponent="ann"), 0.0)
    with site.store.writing() as connection:
        forget(connection, "ann")
    left, = site.challenges.listed(0.0)
    assert left.id == made.id and left.joined == ()


def begun(site: Site, wanted: Wanted = OTHELLO) -> str:
    """The id of a game of Ann and Bob."""
    made = site.challenges.offer("ann", wanted, 0.0)
    return site.challenges.accept(made.id, "bob", 1.0).game


def test_a_game_counts_when_it_is_over_and_once(site: Site) -> None:
    game = begun(site)
    assert settle(site.store, site.games) == []
    site.end(game, [1, 2])
    assert settle(site.store, site.games, ["another"]) == []
    assert settle(site.store, site.games, [game]) == [game]
    assert settle(site.store, site.games) == []
    played = games_of(site.store, "person:ann")[0]
    assert played.ended == 500.0 and ranking(site.store, "othello")[0].player == played.players[0]


@pytest.mark.parametrize("is_rated", [True, False])
def test_a_game_without_a_result_or_not_rated_changes_no_rating(site: Site, is_rated: bool) -> None:
    game = begun(site, dataclasses.replace(OTHELLO, is_rated=is_rated))
    site.end(game, [2, 2] if is_rated else [1, 2], "aborted" if is_rated else "win")
    assert settle(site.store, site.games) == [game]
    assert ranking(site.store, "othello") == [] and running_games(site.store) == []
    assert bool(games_of(site.store, "person:bob")[0].ranks) != is_rated


def site_names(site: Site) -> list[str]:
    """The names of Ann and Bob, as the site knows them."""
    return list(People(site.store).names(["ann", "bob"]).values())


def test_a_rematch_is_as_rated_and_has_the_same_tokens(site: Site) -> None:
    game = begun(site)
    seats = StoredSeat("human", name="old"), StoredSeat("human", name="older")
    rematch = StoredGame(new_id(), "othello", "", "", seats, (), created=600.0)
    for before, after in ((game, rematch), (rematch.id, dataclasses.replace(rematch, id=new_id()))):
        with site.games.transaction() as write:
            noted = follow(write.connection, before, after)
            write.add_game(noted)
            assert sorted(seat.name for seat in noted.seats) == sorted(site_names(site)), "not the old names"
    games = {one.id: one for one in games_of(site.store, "person:ann")}
    assert {one.first for one in games.values()} == {game} and all(one.is_rated for one in games.values())
    assert games[rematch.id].players == games[game].players[::-1]


def test_tokens_are_the_same_after_a_restart_and_nobody_elses(site: Site) -> None:
    tokens = SeatTokens.open(site.store)
    again = SeatTokens.open(site.store)
    assert tokens.of("game", "ann") == again.of("game", "ann")
    assert len({tokens.of("game", "ann"), tokens.of("game", "bob"), tokens.of("other", "ann")}) == 3
