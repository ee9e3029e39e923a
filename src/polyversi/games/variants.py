"""The registry of variants: what each is called, what it is, and how its specification is read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import cast

from polyversi.games.board import shorten
from polyversi.games.definition import Goal
from polyversi.games.errors import MapError, VariantError
from polyversi.games.families import GOAL, HEXAGON, ROLIT, SQUARE, Family, define_xt
from polyversi.games.game import Game
from polyversi.games.options import MAX_SPEC, Number, Option, Value, read_options
from polyversi.games.xtmap import MAX_TEXT, XtMap, check_playable


@dataclass(frozen=True)
class Variant:
    """A game people know by name: a family with some of its options set."""

    name: str
    sentence: str
    family: Family
    preset: Mapping[str, Value] = field(default_factory=dict)


VARIANTS: dict[str, Variant] = {
    variant.name: variant
    for variant in (
        Variant("othello", "Enclose stones to turn them; the most stones win.", SQUARE),
        Variant("anti", "Othello the other way round: the fewest stones win.", SQUARE, {"goal": "fewest"}),
        Variant("reversi", "The older opening: players fill the centre first.", SQUARE, {"start": "open"}),
        Variant("octagon", "A board without its corners.", SQUARE, {"shape": "octagon"}),
        Variant("blackhole", "One cell swallows every line that crosses it.", SQUARE, {"holes": "c3"}),
        Variant("cylinder", "The left and right edges are joined.", SQUARE, {"edges": "cylinder"}),
        Variant("torus", "All edges are joined: no corners, no edges.", SQUARE, {"edges": "torus"}),
        Variant("hex", "HexaReversi: 61 hexagons, ten random stones, passing at any time.", HEXAGON),
        Variant("rolit", "Four colours; capture if you can, otherwise place next to any stone.", ROLIT),
    )
}
"""All variants but XT, whose boards are maps. A new variant is one more line here."""

XT_SENTENCE = "Reversi XT: maps with transitions, special tiles and bombs for two to eight players."
XT_OPTIONS: dict[str, Option] = {
    "seed": Number(0, 2**53),
    "players": Number(2, 8),
    "goal": GOAL,
}


def game(spec: str, *, files: bool = True) -> Game:
    """The game that a specification names: a variant, and options after a colon.

    `files=False` refuses XT maps given as a path, for specifications that come from strangers.

    >>> game("othello").board.size, game("othello-6").board.size, game("othello:width=5,height=4").board.size
    (64, 36, 20)
    >>> game("anti-hex:side=4,start=ring")
    pv.game('hex:side=4,start=ring,goal=fewest')
    """
    if len(spec) > MAX_SPEC:
        raise VariantError("a game is named by a variant and its options, such as 'othello:size=6'")
    name, _, rest = spec.strip().partition(":")
    if name in ("xt", "anti-xt"):
        return _xt_game(rest, files=files, goal="fewest" if name == "anti-xt" else None)
    return _plain_game(name, rest)


@lru_cache(maxsize=256)
def _plain_game(name: str, rest: str) -> Game:
    variant, given = _find(name)
    open_options = {key: option for key, option in variant.family.options.items() if key not in given}
    given.update(read_options(name, rest.split(",") if rest else [], open_options))
    values = {**variant.family.defaults, **variant.preset, **given}
    _merge_sizes(values)
    return Game(_canonical(variant.family, values), variant.family.define(values))


def _find(name: str) -> tuple[Variant, dict[str, Value]]:
    """The variant of a name, and the options that the name itself gives: `othello-6`, `anti-hex`."""
    if name in VARIANTS:
        return VARIANTS[name], {}
    if match := re.fullmatch(r"(.+)-([0-9]{1,2})", name, re.ASCII):
        variant, given = _find(match[1])
        shorthand = variant.family.shorthand
        if shorthand and shorthand not in given:
            value = variant.family.options[shorthand].read(match[2])
            if value is None:
                takes = variant.family.options[shorthand]
                raise VariantError(f"{variant.name} has no {shorthand} {match[2]}; {shorthand} takes {takes}")
            return variant, {**given, shorthand: value}
    if name.startswith("anti-") and not name.startswith("anti-anti"):
        variant, given = _find(name.removeprefix("anti-"))
        return variant, {**given, "goal": "fewest"}
    known = ", ".join([*VARIANTS, "xt:MAP"])
    raise VariantError(f"there is no variant '{shorten(name)}'; there are {known}")


def _merge_sizes(values: dict[str, Value]) -> None:
    """Says a square board's extent in one way, whether it came as size or as width and height."""
    if "size" not in values:
        return
    width, height = values["width"] or values["size"], values["height"] or values["size"]
    if width == height:
        values.update(size=width, width=0, height=0)
    else:
        values.update(width=width, height=height)


def _canonical(family: Family, values: Mapping[str, Value]) -> str:
    """The shortest specification that gives these values."""
    fitting = [
        variant for variant in VARIANTS.values()
        if variant.family is family and all(values[key] == value for key, value in variant.preset.items())
    ]
    variant = max(reversed(fitting), key=lambda candidate: len(candidate.preset))
    usual = {**family.defaults, **variant.preset}
    different = {key: value for key, value in values.items() if value != usual[key]}
    if different.get("width"):
        different.pop("size", None)
    name = variant.name
    if family is SQUARE and "size" in different:
        name += f"-{different.pop('size')}"
    options = ",".join(f"{key}={different[key]}" for key in family.options if key in different)
    return f"{name}:{options}" if options else name


def _xt_game(rest: str, *, files: bool, goal: Goal | None) -> Game:
    from polyversi.games.mapkinds import KINDS, generate

    where, words = _split_map(rest)
    kind = next((kind for name, kind in KINDS.items() if name.lower() == where.lower()), None)
    if kind:
        values = read_options("xt", words, XT_OPTIONS)
        seed, players = int(values.get("seed", 0)), int(values.get("players", 0)) or None
        xt_map = generate(kind.name, seed=seed, players=players)
        options = (f",seed={seed}" if seed else "") + (f",players={players}" if players else "")
        spec = f"xt:{kind.name}{options}"
    elif not files or not where:
        raise VariantError(f"'{shorten(where)}' is no XT map; there are {', '.join(KINDS)}")
    else:
        values = read_options("xt", words, {"goal": GOAL})
        xt_map = read_map(Path(where))
        spec = f"xt:{where}"
    return xt_game(xt_map, spec, cast("Goal", goal or values.get("goal", "most")))


def _split_map(rest: str) -> tuple[str, list[str]]:
    """The map, whose path may have commas in it, and the options after it."""
    words = rest.split(",")
    count = len(words)
    while count > 1 and words[count - 1].partition("=")[0] in XT_OPTIONS:
        count -= 1
    return ",".join(words[:count]), words[count:]


def xt_game(xt_map: XtMap, spec: str = "xt:map", goal: Goal = "most") -> Game:
    """Reversi XT on a map of one's own; the specification is what the game is called.

    >>> from polyversi.games.mapkinds import generate
    >>> xt_game(generate("torus"), "xt:my torus").spec
    'xt:my torus'
    """
    check_playable(xt_map)
    return Game(spec if goal == "most" else f"{spec},goal=fewest", define_xt(xt_map, goal))


def read_map(path: Path) -> XtMap:
    """The XT map in a file; a MapError names the file and the place in it."""
    try:
        with path.open("rb") as file:
            return XtMap.parse(file.read(MAX_TEXT + 1))
    except MapError as error:
        raise MapError(f"{path}: {error}") from None
    except OSError as error:
        raise VariantError(f"the XT map {path} cannot be read: {error.strerror}") from None
    except ValueError:
        raise VariantError(f"'{shorten(str(path))}' cannot be the path of an XT map") from None


def describe(spec: str) -> tuple[str, dict[str, str]]:
    """The sentence of a variant and what each of its options takes.

    >>> describe("hex")[1]["side"]
    '3–8'
    """
    name = spec.partition(":")[0]
    if name in ("xt", "anti-xt"):
        return XT_SENTENCE, {key: str(option) for key, option in XT_OPTIONS.items()}
    variant, _ = _find(name)
    return variant.sentence, {key: str(option) for key, option in variant.family.options.items()}
