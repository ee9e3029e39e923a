"""The family of Reversi XT: games on maps, generated or from files, with stocks, phases and special tiles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from polyversi.games.board import shorten
from polyversi.games.definition import Definition, Goal
from polyversi.games.errors import MapError, VariantError
from polyversi.games.families import GOAL
from polyversi.games.family import Choice, Family, Number, Text, Values, Variant
from polyversi.games.game import Game

if TYPE_CHECKING:
    from pathlib import Path

    from polyversi.games.xtmap import XtMap

FEWEST = ",goal=fewest"
PLAYERS = "How many play; the map chooses without it."

# What reads, draws and checks maps is imported where it is needed: most programs never play on one.


@dataclass(frozen=True)
class MapSpec:
    """How a game on a map is called: the name of the map, and the goal where it is not the usual one.

    >>> str(MapSpec("mine", "fewest")), MapSpec.read("xt:arena,players=3"), MapSpec.read("othello")
    ('xt:mine,goal=fewest', MapSpec(map='arena,players=3', goal='most'), None)
    """

    map: str = "map"
    goal: Goal = "most"

    @classmethod
    def read(cls, spec: str) -> MapSpec | None:
        """The parts of a specification; None if it is not one of this family."""
        family, _, rest = spec.partition(":")
        if family != XT.name:
            return None
        name = rest.removesuffix(FEWEST)
        return cls(name, "most" if name == rest else "fewest")

    def __str__(self) -> str:
        return f"{XT.name}:{self.map}{FEWEST if self.goal == 'fewest' else ''}"


def xt_game(xt_map: XtMap, spec: str = "xt:map", goal: Goal = "most") -> Game:
    """Reversi XT on a map of one's own; the specification is what the game is called.

    >>> from polyversi.games.mapkinds import generate
    >>> xt_game(generate("torus"), "xt:my torus").spec
    'xt:my torus'
    """
    from polyversi.games.xtmap import define_map

    return Game(spec if goal == "most" else f"{spec}{FEWEST}", define_map(xt_map, goal))


def read_map(path: Path) -> XtMap:
    """The XT map in a file, on which games can be hosted; a MapError names the file and the place in it."""
    from polyversi.games.xtmap import MAX_TEXT, XtMap, check_playable

    try:
        with path.open("rb") as file:
            xt_map = XtMap.parse(file.read(MAX_TEXT + 1))
        check_playable(xt_game(xt_map))
        return xt_map
    except MapError as error:
        raise MapError(f"{path}: {error}") from None
    except OSError as error:
        raise VariantError(f"the XT map {path} cannot be read: {error.strerror}") from None
    except ValueError:
        raise VariantError(f"'{shorten(str(path))}' cannot be the path of an XT map") from None


def is_kind(name: str) -> bool:
    """Whether there is a generator of maps of that name; otherwise it is the path of a file.

    >>> is_kind("Starfish"), is_kind("starfish.map")
    (True, False)
    """
    from polyversi.games.mapkinds import KINDS

    return name.lower() in map(str.lower, KINDS)


def _define(values: Values) -> Definition:
    from pathlib import Path

    from polyversi.games.mapkinds import generate
    from polyversi.games.xtmap import define_map

    name, seed, players = str(values["map"]), int(values["seed"]), int(values["players"])
    if is_kind(name):
        xt_map = generate(name, seed, players or None)
    elif seed or players:
        raise VariantError("seed and players are for generated maps; with a file only goal is possible")
    else:
        xt_map = read_map(Path(name))
    return define_map(xt_map, cast("Goal", values["goal"]))


def _normalize(values: dict[str, int | str]) -> None:
    from polyversi.games.mapkinds import KINDS, find_kind

    if not values["map"]:
        raise VariantError(f"the name of the XT map is missing; there are {', '.join(KINDS)}")
    if is_kind(str(values["map"])):
        values["map"] = find_kind(str(values["map"])).name


def _gallery() -> list[Variant]:
    """Every kind of map as a variant; XT in its label tells the XT torus from the torus of squares."""
    from polyversi.games.mapkinds import KINDS

    return [
        Variant(str(MapSpec(kind.name)), kind.sentence, XT, {"map": kind.name}, f"XT {kind.label}", options={
            "players": Choice(tuple(map(str, kind.players)), str(kind.default_players), "Players", PLAYERS)})
        for kind in KINDS.values()
    ]


XT = Family(
    "xt",
    "Reversi XT maps",
    options={
        "map": Text(r"(?s).+", "a kind of map or a file", label="XT map",
                    is_file=lambda name: not is_kind(name)),
        "seed": Number(0, 2**53, 0, "Seed", "Every number draws another map of this kind."),
        "players": Number(2, 8, label="Players", meaning=PLAYERS),
        "goal": GOAL,
    },
    define=_define,
    sentence="Two to eight players, transitions, special tiles and bombs.",
    first="map",
    seats="players",
    normalize=_normalize,
    rules={"goal": ("The points are those of the university courses that play this game.",)},
    gallery=_gallery,
)

VARIANTS = (
    Variant("xt", "Reversi XT: maps with transitions, special tiles and bombs for two to eight players.", XT,
            label="Reversi XT", example="xt:diamond"),
)
