"""Ratings: games count once, in their transaction, and the kept numbers are those of the games."""

from __future__ import annotations

import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from polyversi.site.ratings import (
    begin_game,
    break_off,
    game_of,
    games_of,
    ranking,
    ratings_of,
    recompute,
    record_game,
    running_games,
    steps_of,
)
from polyversi.site.store import SiteStore
from polyversi.stats.glicko import DAY, Strength, aged, rated

ANN, BOB, CARLA = "person:ann", "person:bob", "person:carla"


@pytest.fixture
def store(new_store: str) -> Iterator[SiteStore]:
    """A site's store in either database."""
    opened = SiteStore.open(new_store)
    yield opened
    opened.close()


def play(store: SiteStore, game: str, players: list[str], ranks: list[int], ended: float,
         **more: list[int]) -> bool:
    """Records a game in a transaction of its own."""
    with store.writing() as connection:
        return record_game(connection, game, "othello", players, ranks, ended, **more)


def test_a_game_changes_the_ratings_of_both(store: SiteStore) -> None:
    assert play(store, "g1", [ANN, BOB], [1, 2], 1000.0)
    first, second = ranking(store, "othello")
    assert [first.player, second.player] == [ANN, BOB]
    assert [first.strength, second.strength] == rated([Strength(), Strength()], [1, 2])
    assert first.games == 1 and first.updated == 1000.0
    assert [step.game for step in steps_of(store, "othello", ANN)] == ["g1"]


def test_a_game_counts_once(store: SiteStore) -> None:
    play(store, "g1", [ANN, BOB], [1, 2], 1000.0)
    before = ranking(store, "othello")
    assert not play(store, "g1", [ANN, BOB], [2, 1], 2000.0)
    assert ranking(store, "othello") == before


def test_what_is_not_kept_does_not_count(store: SiteStore) -> None:
    with pytest.raises(KeyError), store.writing() as connection:
        record_game(connection, "g1", "othello", [ANN, BOB], [1, 2], 1000.0)
        raise KeyError
    assert ranking(store, "othello") == [] and game_of(store, "g1") is None


def test_an_unrated_game_is_listed_and_changes_nothing(store: SiteStore) -> None:
    with store.writing() as connection:
        begin_game(connection, "g1", "othello", [ANN, BOB], 5.0, is_rated=False)
    assert [game.id for game in running_games(store)] == ["g1"]
    assert play(store, "g1", [ANN, BOB], [1, 2], 1000.0)
    assert ranking(store, "othello") == [] and running_games(store) == []
    assert [(game.id, game.ranks, game.ended) for game in games_of(store, BOB)] == [("g1", (1, 2), 1000.0)]


def test_a_game_that_was_broken_off_never_counts(store: SiteStore) -> None:
    with store.writing() as connection:
        begin_game(connection, "g1", "othello", [ANN, BOB], 5.0, is_rated=True)
        break_off(connection, "g1", 6.0)
    assert not play(store, "g1", [ANN, BOB], [1, 2], 1000.0)
    assert ranking(store, "othello") == [] and games_of(store, ANN)[0].ranks == ()


def test_nobody_is_rated_by_playing_alone(store: SiteStore) -> None:
    assert play(store, "g1", [ANN, ANN], [1, 2], 1000.0)
    assert ranking(store, "othello") == []


def test_deviations_grow_with_time_and_with_new_versions(store: SiteStore) -> None:
    for number in range(20):
        play(store, f"g{number}", [ANN, BOB], [1 + number % 2, 2 - number % 2], 1000.0, versions=[1, 1])
    rating = ratings_of(store, ANN)[0]
    assert rating.at(1000.0) == rating.strength
    assert rating.at(1000.0 + 30 * DAY).deviation == aged(rating.strength, 30 * DAY).deviation
    play(store, "new", [ANN, BOB], [1, 2], 1000.0, versions=[2, 1])
    ann, bob = (ratings_of(store, player)[0] for player in (ANN, BOB))
    assert ann.version == 2 and ann.strength.deviation > bob.strength.deviation


def test_ratings_are_those_of_the_stored_games(store: SiteStore) -> None:
    chance, players = random.Random(1), [ANN, BOB, CARLA, "bot:1", "bot:2"]
    for number in range(60):
        seated = chance.sample(players, chance.choice([2, 2, 3, 4]))
        ranks = [chance.randint(1, len(seated)) for _ in seated]
        versions = [number // 20 if player.startswith("bot:") else 0 for player in seated]
        play(store, f"g{number}", seated, ranks, chance.uniform(0, 30 * DAY), versions=versions)
    kept = {rating.player: rating for rating in ranking(store, "othello")}
    assert recompute(store, "othello") == kept
    for player, rating in kept.items():
        steps = steps_of(store, "othello", player)
        assert len(steps) == rating.games
        assert (steps[-1].rating, steps[-1].deviation) == (rating.strength.rating, rating.strength.deviation)


def test_games_that_end_at_once_all_count(store: SiteStore) -> None:
    def one(number: int) -> bool:
        players = [ANN, BOB] if number % 3 else [CARLA, ANN]
        return play(store, f"g{number % 12}", players, [1, 2], float(number))

    with ThreadPoolExecutor(4) as threads:
        counted = list(threads.map(one, range(24)))
    assert sum(counted) == 12
    kept = {rating.player: rating for rating in ranking(store, "othello")}
    assert recompute(store, "othello") == kept and kept[ANN].games == 12
