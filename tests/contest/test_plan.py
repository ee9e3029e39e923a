"""Plans of tournaments: what is kept of them, names, and what cannot be played."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import polyversi as pv
from polyversi.contest.openings import Openings
from polyversi.contest.plan import Entrant, Plan, PlanError, entrants_of, name_of
from polyversi.games.mapkinds import generate
from polyversi.records import Record, jsonl

PAIR = entrants_of(["random", "t77"])


def test_a_plan_comes_back_from_json() -> None:
    plan = Plan(
        "cup", (Entrant("Zoé", "random:seed=3"), Entrant("bot", "bot:cat -u")), ("anti", "othello-6"),
        "swiss", {"rounds": 5}, 4, Openings("random", 6), pv.Limit(bank=0.1 + 0.2, increment=1), 7, 3, 2,
        True, True, {"Zoé": 1500.5},
    )
    assert Plan.from_json(json.loads(json.dumps(plan.to_json()))) == plan
    assert pickle.loads(pickle.dumps(plan)) == plan
    book = replace(plan, openings=Openings("file", 0, (("a", "b"), ("c",))))
    assert Plan.from_json(json.loads(json.dumps(book.to_json()))) == book


def test_variants_are_kept_by_their_shortest_name() -> None:
    plan = Plan("cup", PAIR, ("othello:size=8", "anti-othello", "xt:torus,players=2"))
    assert plan.variants == ("othello", "anti", "xt:torus,players=2")
    assert plan.maps == ("", "", "")
    assert [game.spec for game in plan.games_played] == list(plan.variants)


def test_maps_are_kept_by_their_content(tmp_path: Path) -> None:
    chart = generate("torus", seed=1, players=2)
    paths = [tmp_path / name for name in ("mine.map", "a/mine.map", "arena.map")]
    for seed, path in enumerate(paths):
        path.parent.mkdir(exist_ok=True)
        path.write_text(generate("torus", seed=seed, players=2).text)
    specs = (*(f"xt:{path}" for path in paths), f"anti-xt:{paths[1]}", "xt:arena,players=2", "xt:arena")
    plan = Plan("cup", PAIR, specs)
    assert plan.variants == (
        "xt:mine", "xt:mine#2", "xt:arena#2", "xt:mine,goal=fewest", "xt:arena,players=2", "xt:arena")
    games = [pv.game(spec) for spec in specs]
    for path in paths:
        path.unlink()
    again = Plan.from_json(json.loads(json.dumps(plan.to_json())))
    for copy in (plan, again, pickle.loads(pickle.dumps(plan))):
        assert list(copy.games_played) == games
        assert copy.maps[1] == chart.text
        for game in copy.games_played:    # also their records stand by themselves
            record = jsonl.parse(jsonl.write(Record(game.start())))
            assert record.game == game
    replace(plan, variants=plan.variants[:4], maps=plan.maps[:4]).check()


def test_names() -> None:
    assert [name_of(spec) for spec in (
        "t77", " random:seed=1 ", "bot:bots/ann.py", "bot:bots/ann/main.py", "course:/x/bob/agent.py",
        "gtp:edax", "nboard:/opt/ntest x", "bot:java -jar my.jar", "bot:a\nb", "bot:" + "x" * 100,
    )] == ["t77", "random:seed=1", "ann", "ann", "bob", "edax", "ntest x", "java -jar my.jar",
           "a?b", "x" * 39 + "…"]


def test_names_with_blanks_in_the_file(tmp_path: Path) -> None:
    (tmp_path / "my bot.py").write_text("")
    assert name_of(f"bot:{tmp_path}/my bot.py") == "my bot"


def test_entrants_are_told_apart() -> None:
    named: list[str | Entrant] = [
        Entrant("random", "greedy"), "random", "random", "t77", Entrant("random#2", "t34")]
    assert [one.name for one in entrants_of(named)] == ["random", "random#3", "random#4", "t77", "random#2"]


@pytest.mark.parametrize(("changes", "place", "words"), [
    ({"name": ""}, ("name",), "the tournament cannot be called ''"),
    ({"name": "a\tb"}, ("name",), "'a\\tb'; a name has 1 to 60 printable characters"),
    ({"entrants": PAIR[:1]}, ("entrants",), "a tournament has 2 to 1000 entrants, not 1"),
    ({"entrants": (*PAIR, Entrant("t77", "t34"))}, ("entrants", 2), "two entrants are called t77"),
    ({"entrants": (*PAIR, Entrant("x" * 61, "t34"))}, ("entrants", 2), "an entrant cannot be called 'xxx"),
    ({"entrants": (Entrant(" a", "t34"), *PAIR)}, ("entrants", 0), "does not start or end with a space"),
    ({"entrants": entrants_of(["t77", "t78"])}, ("entrants", 1), "there is no player 't78'"),
    ({"entrants": entrants_of(["t77", "bot:no-such"])}, ("entrants", 1), "or program called 'no-such'"),
    ({"variants": ()}, ("variants",), "a tournament has 1 to 1000 variants, not none"),
    ({"variants": ("othello", "anti", "othello-8")}, ("variants", 2), "othello is listed twice"),
    ({"format": "swis"}, ("format",), "'swis'"),
    ({"format_options": {"x": 1}}, ("format",), "'x'"),
    ({"format": "swiss", "variants": ("hex", "rolit")}, ("format",), "2 entrants are too few for swiss"),
    ({"format": "ten-games", "games": 4}, ("games",), "every meeting of ten-games has 10 games"),
    ({"games": 0}, ("games",), "games must be a number from 1 to 100000"),
    ({"games": 3}, ("games",), "write a multiple of 2, such as 4"),
    ({"variants": ("rolit",), "games": 2}, ("games",), "with 2 games and 4 seats, entrants cannot have each"),
    ({"variants": ("rolit", "xt:cube,players=3"), "entrants": entrants_of(["random"] * 4), "games": 4},
     ("games",), "with 4 games and 3 seats, entrants cannot have each seat equally often; write a multiple "
     "of 12, such as 12"),
    ({"format": "ladder", "variants": ("rolit",), "entrants": entrants_of(["random"] * 4), "games": 2},
     ("games",), "every meeting of ladder has 4 games; remove the key games"),
    ({"seed": -1}, ("seed",), "seed must be a number from 0 to "),
    ({"jobs": -1}, ("jobs",), "jobs must be a number from 0 to "),
    ({"failures": -1}, ("failures",), "failures must be a number from 0 to "),
    ({"openings": Openings("random", 70)}, ("openings",), "over within 70 random plies"),
    ({"limit": pv.Limit(seconds=0)}, ("limit",), "a limit of 0 seconds leaves no time"),
    ({"anchors": {"Ann": 1500}}, ("anchors", "Ann"), "no entrant 'Ann'; the entrants are ran"),
    ({"anchors": {"t77": float("nan")}}, ("anchors", "t77"), "the rating of t77 must be a number from"),
])
def test_what_cannot_be_played(changes: dict[str, Any], place: tuple[str | int, ...], words: str) -> None:
    plan = Plan(**{"name": "cup", "entrants": PAIR, **changes})
    with pytest.raises(PlanError) as error:
        plan.check()
    assert words in str(error.value)
    assert error.value.place == place


def test_who_does_not_play_a_variant(tmp_path: Path) -> None:
    agent = tmp_path / "agent.py"
    agent.write_text("class AI: ...")
    with pytest.raises(PlanError, match="does not play hex: course agents play only Othello") as error:
        Plan("cup", entrants_of(["random", f"course:{agent}"]), ("hex",)).check()
    assert error.value.place == ("entrants", 1)


def test_variants_that_do_not_exist() -> None:
    with pytest.raises(PlanError, match="there is no variant 'chess'") as error:
        Plan("cup", PAIR, ("othello", "chess"))
    assert error.value.place == ("variants", 1)
    with pytest.raises(PlanError, match=r"the XT map no/such.map cannot be read"):
        Plan("cup", PAIR, ("xt:no/such.map",))


@pytest.mark.parametrize("data", [
    None,
    [],
    {},
    {"name": "cup"},
    {"name": "cup", "entrants": [1]},
    {"name": "cup", "entrants": [], "games": "2"},
    {"name": "cup", "entrants": [], "variants": ["chess"]},
    {"name": "cup", "entrants": [], "limit": {"bank": -1}},
])
def test_what_is_no_plan(data: object) -> None:
    with pytest.raises(PlanError, match="this is not the plan of a contest: "):
        Plan.from_json(data)
