"""The variants: what can be played, and how the specification of a game is read and written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import cast, overload

from polyversi.games import families, xt
from polyversi.games.board import shorten
from polyversi.games.definition import Definition, Empties, Goal
from polyversi.games.errors import VariantError
from polyversi.games.family import Family, Option, Text, Value, Values, Variant
from polyversi.games.game import Game
from polyversi.games.registry import Registry, check_name, nearest
from polyversi.games.state import State

MAX_SPEC = 4096
"""Longest specification that is read; paths of XT maps fit within it."""

BUILT_IN = (*families.VARIANTS, *xt.VARIANTS)


def _read_entry_point(name: str, found: object) -> list[tuple[str, Variant]]:
    if isinstance(found, Definition | Game):
        return [(name, _own_variant(name, found))]
    things = found if isinstance(found, Sequence) else [found]
    variants = [thing for thing in things if isinstance(thing, Variant)]
    if len(variants) < len(things):
        raise TypeError(f"'{name}' is not a Definition, a Game, a Variant or a list of Variants")
    return [(variant.name, variant) for variant in variants]


def _own_variant(name: str, what: Definition | Game, sentence: str = "", label: str = "") -> Variant:
    """A definition under a name, as a variant whose options are the goal and whom empty cells count for."""
    definition = what.definition if isinstance(what, Game) else what
    options: dict[str, Option] = {"goal": replace(families.GOAL, default=definition.goal)}
    if definition.seats == 2:
        options["empties"] = replace(families.EMPTIES, default=definition.empties)
    family = Family("own", "More games", options, partial(_with_values, definition))
    return Variant(name, sentence or f"{definition.board.size} cells, {definition.seats} seats.", family,
                   label=label)


def _with_values(definition: Definition, values: Values) -> Definition:
    empties = cast("Empties", values.get("empties", definition.empties))
    return replace(definition, goal=cast("Goal", values["goal"]), empties=empties)


VARIANTS: Registry[Variant] = Registry(
    "polyversi.games", _read_entry_point, {variant.name: variant for variant in BUILT_IN}
)
"""Every variant by its name; those of other packages come from their entry points in `polyversi.games`."""


@overload
def register_variant(variant: Variant, /) -> Game: ...
@overload
def register_variant(name: str, what: Definition | Game, /, *, sentence: str = "",
                     label: str = "") -> Game: ...
def register_variant(variant: Variant | str, what: Definition | Game | None = None, /, *, sentence: str = "",
                     label: str = "") -> Game:
    """Makes a game known by a name, for as long as the program runs, and returns it.

    After that `pv.game`, records, matches, the command line and the page know the name. The sentence says
    what is special about the game, and the label is what people call it. The option `goal` makes the fewest
    stones win, as in `anti-cross`. A Variant has a name of its own and the options of its family.

    >>> import polyversi as pv
    >>> board = pv.rectangle(6, 6, holes=[(0, 0), (5, 0), (0, 5), (5, 5)])
    >>> stones = {"c3": 2, "d3": 1, "c4": 1, "d4": 2}
    >>> start = tuple(stones.get(board.name(cell), 0) for cell in range(board.size))
    >>> register_variant("cross", pv.Definition(board, start), sentence="Without the corners.")
    pv.game('cross')
    >>> pv.game("anti-cross").start().moves
    (Move('c2'), Move('b3'), Move('e4'), Move('d5'))
    >>> del VARIANTS["cross"]
    """
    if not isinstance(variant, Variant):
        check_name(variant, VariantError)
        if not isinstance(what, Definition | Game):
            shown = shorten(repr(what))
            raise VariantError(f"the variant '{variant}' needs a Definition or a Game, not {shown}")
        variant = _own_variant(variant, what, sentence, label)
    _check_free(variant.name)
    before = VARIANTS.known.get(variant.name)
    VARIANTS[variant.name] = variant
    try:
        return game(variant.example)
    except Exception:
        del VARIANTS[variant.name]
        if before is not None:
            VARIANTS[variant.name] = before
        raise


def _check_free(name: str) -> None:
    """Raises a VariantError if a name means something else; variants of one's own may be replaced."""
    try:
        variant, _ = _find(name)
    except VariantError:
        return
    if variant.name != name or variant in BUILT_IN:
        raise VariantError(f"'{name}' is a game of '{variant.name}' already; choose another name")


def game(spec: str, *, files: bool = True) -> Game:
    """The game that a specification names: a variant, and options after a colon.

    `files=False` refuses XT maps given as a path, for specifications that come from strangers.

    >>> game("othello").board.size, game("othello-6").board.size, game("othello:width=5,height=4").board.size
    (64, 36, 20)
    >>> game("anti-hex:side=4,start=ring")
    pv.game('hex:side=4,start=ring,goal=fewest')
    """
    if not isinstance(spec, str) or len(spec) > MAX_SPEC:
        raise VariantError("a game is named by a variant and its options, such as 'othello:size=6'")
    name, _, rest = spec.strip().partition(":")
    variant, _ = find(name)
    path = _path(variant.family, rest)
    if path is None:
        return _game(variant, name, rest)
    if not files:
        known = ", ".join(one.name.partition(":")[2] for one in variant.family.gallery())
        label = variant.family.options[variant.family.first].label
        raise VariantError(f"there is no {label} '{shorten(path)}'; there are {known}")
    return _make(variant, name, rest)


def start_state(start: State | Game | str, seed: int | None = None) -> State:
    """The state that is meant: a state, or the start of a game or of the game that a specification names.

    The seed draws another set-up where the set-up is random.

    >>> start_state("othello") == start_state(game("othello")) == start_state(game("othello").start())
    True
    """
    if isinstance(start, str):
        start = game(start)
    if isinstance(start, Game):
        return start.start(seed)
    if not isinstance(start, State):
        raise VariantError(f"{shorten(repr(start))} is not a game; write its name, such as 'othello', a Game "
                           "or a State")
    return start


def is_named(game_: Game) -> bool:
    """Whether `pv.game` finds this game by its specification; a path of an XT map is taken to be right.

    >>> import polyversi as pv
    >>> is_named(pv.game("othello-6")), is_named(pv.Game("mine", pv.game("othello-6").definition))
    (True, False)
    """
    name, _, rest = game_.spec.partition(":")
    try:
        variant, _ = find(name)
        return _path(variant.family, rest) is not None or game(game_.spec) == game_
    except VariantError:
        return False


def file_of(spec: str) -> str | None:
    """The path in a specification of a game that is read from a file; None for every other game.

    >>> file_of("anti-xt:maps/mine.map"), file_of("xt:starfish,seed=2"), file_of("othello")
    ('maps/mine.map', None, None)
    """
    name, _, rest = spec.strip().partition(":")
    try:
        return _path(find(name)[0].family, rest)
    except VariantError:
        return None


def with_file(spec: str, path: str) -> str:
    """The specification of the same game read from another file.

    >>> with_file("xt:*.map,goal=fewest", "mine.map")
    'xt:mine.map,goal=fewest'
    """
    name, _, rest = spec.strip().partition(":")
    return f"{name}:{','.join([path, *_split(find(name)[0].family, rest)[1]])}"


def _path(family: Family, rest: str) -> str | None:
    """The path of the file that a game is read from, or None."""
    first = family.options.get(family.first)
    path = _split(family, rest)[0]
    return path if isinstance(first, Text) and first.is_file(path) else None


@lru_cache(maxsize=128)
def _game(variant: Variant, name: str, rest: str) -> Game:
    return _make(variant, name, rest)


def _make(variant: Variant, name: str, rest: str) -> Game:
    _, given = find(name)
    family = variant.family
    if family.first:
        given[family.first], words = _split(family, rest)
    else:
        words = rest.split(",") if rest else []
    given.update(family.read_options(name, words, given))
    values = {**variant.defaults, **given}
    family.normalize(values)
    return Game(_written(variant, values), family.define(values))


def _split(family: Family, rest: str) -> tuple[str, list[str]]:
    """The option that stands first, whose value may have commas in it, and the options after it."""
    words = rest.split(",")
    count = len(words)
    while count > 1 and words[count - 1].partition("=")[0] in family.options:
        count -= 1
    return ",".join(words[:count]), words[count:]


def find(name: str) -> tuple[Variant, dict[str, Value]]:
    """The variant of a name, and the options that the name itself gives: `othello-6`, `anti-hex`.

    >>> variant, given = find("anti-othello-6")
    >>> variant.name, given
    ('othello', {'goal': 'fewest', 'size': 6})
    """
    try:
        return _find(name)
    except VariantError:
        VARIANTS.load()    # it may be a variant of another package
        return _find(name)


def _find(name: str) -> tuple[Variant, dict[str, Value]]:
    known = VARIANTS.known
    if name in known:
        return known[name], {}
    if match := re.fullmatch(r"(.+)-([0-9]{1,2})", name, re.ASCII):
        variant, given = _find(match[1])
        option = variant.family.number
        if option and option not in given:
            takes = variant.family.options[option]
            value = takes.read(match[2])
            if value is None:
                raise VariantError(f"{variant.name} cannot have {option}={match[2]}; write {option}={takes}")
            return variant, {**given, option: value}
    if name.startswith("anti-") and not name.startswith("anti-anti"):
        variant, given = _find(name.removeprefix("anti-"))
        if "goal" in variant.family.options:
            return variant, {**given, "goal": "fewest"}
    names = [variant.written for variant in known.values()]
    raise VariantError(f"there is no variant '{shorten(name)}'; {nearest(name, names)}")


def _written(asked: Variant, values: Values) -> str:
    """The shortest specification that gives these values: the asked variant or one of ours, and options.

    Variants of other packages do not change what our games are called.
    """
    family = asked.family
    fitting = [
        variant for variant in [*BUILT_IN, *(() if asked in BUILT_IN else (asked,))]
        if variant.family is family and all(values[key] == value for key, value in variant.preset.items())
    ]
    variant = max(reversed(fitting), key=lambda candidate: len(candidate.preset), default=asked)
    different = {key: value for key, value in values.items() if value != variant.defaults[key]}
    name = variant.name
    if family.writes_number and family.number in different:
        name += f"-{different.pop(family.number)}"
    words = [str(different.pop(family.first))] if family.first in different else []
    words += [f"{key}={different[key]}" for key in family.options if key in different]
    return f"{name}:{','.join(words)}" if words else name


def variant_label(spec: str) -> str:
    """What the variant of a game is called.

    >>> variant_label("othello-6:start=parallel"), variant_label("xt:starfish,seed=2")
    ('Othello', 'XT Starfish')
    """
    return _called(spec)[0]


def title(spec: str) -> str:
    """What a game is called in lists and headings: the variant's label, its options in parentheses.

    >>> title("hex:side=4,start=ring"), title("othello-6"), title("xt:starfish"), title("xt:mine,goal=fewest")
    ('HexaReversi (side 4, start ring)', 'Othello-6', 'XT Starfish', 'XT mine (goal fewest)')
    """
    label, number, words = _called(spec)
    options = ", ".join(word.replace("=", " ") for word in words)
    return f"{label}{number} ({options})" if options else label + number


def _called(spec: str) -> tuple[str, str, list[str]]:
    """The label of a game's variant, the number after its name, and its options."""
    name, _, rest = spec.partition(":")
    try:
        variant, _ = find(name)
    except VariantError:    # a game of somebody's own, or of a package that is not here
        return spec, "", []
    if not variant.family.first:
        return variant.label, name.removeprefix(variant.name), rest.split(",") if rest else []
    first, words = _split(variant.family, rest)
    labels = {one.name: one.label for one in variant.family.gallery()}
    return labels.get(f"{variant.name}:{first}", f"{variant.name.upper()} {first}"), "", words


def describe(spec: str) -> tuple[str, dict[str, Option]]:
    """The sentence of a variant and its options.

    >>> sentence, options = describe("hex")
    >>> str(options["side"])
    '3–8'
    """
    variant, _ = find(spec.partition(":")[0])
    family = variant.family
    return variant.sentence, {key: option for key, option in family.options.items() if key != family.first}
