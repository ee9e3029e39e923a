"""What `polyversi analyse` shows: tables of moves, the graph of a game, and the same for programs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from polyversi._core import Move
from polyversi.cli.views.board import seat_name
from polyversi.cli.views.terminal import new_table, speed
from polyversi.drawing.words import counted
from polyversi.engines import Analysis, MoveValue
from polyversi.engines.engine import Unit, selectivity_words
from polyversi.engines.judge import move_data
from polyversi.engines.reasons import Reason, reasons
from polyversi.engines.review import JUDGEMENTS, JUDGEMENTS_OF, Review, ReviewedMove
from polyversi.games.board import printable
from polyversi.games.game import Game
from polyversi.games.state import State
from polyversi.records import Record
from polyversi.records.opening_names import last_opening_name, opening_name

ROWS = 3
"""Rows of the graph on either side of its axis; every row is two steps high."""
STEPS = 2 * ROWS
TURNED = "↻"
"""Beside a move that changed who is expected to win."""
TENTH = 10
"""Plies between the numbers under the graph."""
MIN_PLIES = 10
"""Plies in a row of the graph, however narrow the terminal is."""
COLOURS = dict(zip((judgement.name for judgement in JUDGEMENTS), ("cyan", "yellow", "bold red"), strict=True))


def moves_table(analysis: Analysis) -> Table:
    """The moves of a position, the best first."""
    seats = _seat_columns(analysis.state.game) if analysis.unit == "points" else []
    table = new_table("move", "value", *seats, "depth", "selectivity", left=("move",))
    table.add_column("principal variation")
    best = analysis.best.value
    for scored in analysis.moves:
        table.add_row(
            str(scored.move), _value(scored), *(f"{points:.1f}" for points in scored.points or ()),
            str(scored.depth), scored.certainty,
            _variation(scored.principal_variation), style="bold" if scored.value == best else "",
        )
    return table


def game_table(review: Review) -> Table:
    """The moves of a game with the value before and after each, and where it turned: stones are for the
    first seat, points for the seat that moved and then for every seat."""
    seats = _seat_columns(review.start.game) if review.unit == "points" else []
    table = new_table(
        "ply", "", "move", "", "before", "after", "loss", *seats, "depth", "selectivity", left=("", "move"))
    table.add_column("better")
    for reviewed in review.moves:
        judgement, played = reviewed.judgement, reviewed.played
        turned = TURNED if reviewed.is_turning_point else ""
        table.add_row(
            str(reviewed.ply), seat_name(review.start.game, reviewed.seat), str(reviewed.move),
            f"{judgement.mark if judgement else ''} {turned}".strip(),
            *(_signed(for_first(reviewed, one)) if one.points is None else one.value_text
              for one in (reviewed.best, played)),
            f"{reviewed.loss:.4g}" if reviewed.loss else "",
            *(f"{points:.1f}" for points in played.points or ()), str(played.depth), played.certainty,
            _variation(reviewed.best.principal_variation) if reviewed.loss else "",
            style=COLOURS[judgement.name] if judgement else "",
        )
    return table


def totals_table(review: Review, players: Sequence[str]) -> Table:
    """What each seat lost, and how many of its moves were bad."""
    who, marks = ["seat", "player"] if players else ["seat"], [judgement.mark for judgement in JUDGEMENTS]
    table = new_table(*who, "choices", "loss", "mean loss", "accuracy", *marks, names=who)
    for total in review.totals:
        name = [printable(players[total.seat - 1])] if players else []
        figures = (total.choices, total.loss, f"{total.mean_loss:.2f}", f"{total.accuracy:.1f} %",
                   *total.counts)
        table.add_row(seat_name(review.start.game, total.seat), *name, *map(str, figures))
    return table


def caption(values: Iterable[MoveValue]) -> str:
    """What the selectivity in a table means; nothing where all values are exact or estimates.

    >>> caption([])
    ''
    """
    found = {scored.selectivity for scored in values if not scored.is_exact} - {0}
    return selectivity_words(min(found)) if found else ""


def for_first(reviewed: ReviewedMove, scored: MoveValue) -> float:
    """A value of the seat that moved, for the first seat of two: its lead, in stones or points."""
    if scored.points is not None:
        return scored.points[0] - scored.points[1]
    return scored.value if reviewed.seat == 1 else -scored.value


def graph(review: Review, width: int) -> list[Text]:
    """The value after each move, a bar for each: upwards where the first seat is ahead.

    >>> import polyversi as pv
    >>> from polyversi.engines import review
    >>> from polyversi.records import Record
    >>> found = review(Record.of("othello-4", "c4b4a1b1a4d4d2d3d1a3c1a2"), pv.Limit())
    >>> for line in graph(found, 40)[1:7]:
    ...     print(line.plain.rstrip())
               █ ██████████
               █ ██████████
            0 ─???─────────
              █ ▀
              █
    white +12
    """
    highest = max((abs(for_first(reviewed, reviewed.played)) for reviewed in review.moves), default=0)
    scale = max(STEPS, math.ceil(highest / STEPS) * STEPS)
    ends = [f"{seat_name(review.start.game, seat)} +{scale}" for seat in (1, 2)]
    labels = {ROWS: ends[0], 0: "0", -ROWS: ends[1]}
    margin = max(map(len, ends))
    known = {reviewed.ply: reviewed for reviewed in review.moves}
    room = max(MIN_PLIES, width - margin - 1)
    lines: list[Text] = []
    for first in range(1, review.plies + 1, room):
        plies = range(first, min(first + room, review.plies + 1))
        for row in range(ROWS, -ROWS - 1, -1):
            bars = [_bar_of(known[ply], scale, row) if ply in known else Text(" ") for ply in plies]
            lines.append(Text.assemble(labels.get(row, "").rjust(margin), " ", *bars))
        lines.append(Text(" " * (margin + 1) + _numbers(plies)))
    return lines


def _bar_of(reviewed: ReviewedMove, scale: int, row: int) -> Text:
    """What the bar of a move shows in a row of the graph; the axis has row 0."""
    judgement = reviewed.judgement
    if row:
        sign = bar(for_first(reviewed, reviewed.played), scale, row)
    else:
        sign = "?" if judgement in JUDGEMENTS_OF[reviewed.analysis.unit][1:] else "─"
    return Text(sign, COLOURS[judgement.name] if judgement else "")


def bar(value: float, scale: int, row: int) -> str:
    """What a bar shows in a row of the graph, counted from the axis: upwards positive, downwards negative.

    >>> "".join(bar(12, 24, row) for row in (1, 2, 3)), bar(-12, 24, -2), bar(12, 24, -1)
    ('█▄ ', '▀', ' ')
    """
    if value * row <= 0:
        return " "
    steps = max(1, round(abs(value) * STEPS / scale)) - 2 * (abs(row) - 1)
    return " " if steps <= 0 else "█" if steps >= 2 else "▄" if row > 0 else "▀"


def _numbers(plies: range) -> str:
    """Every tenth ply with its number, which ends under its bar."""
    line = ""
    for ply in plies:
        if ply % TENTH == 0:
            line = line.ljust(ply - plies.start + 1 - len(str(ply))) + str(ply)
    return line


def legend(game: Game, unit: Unit = "stones") -> str:
    """How to read the table of a game.

    >>> import polyversi as pv
    >>> legend(pv.game("othello"))
    'values are stones for black; ?! costs 3 stones or more, ? 6, ?? 12'
    >>> legend(pv.game("xt:torus"), "points")
    'values are rank points of the seat that moved; ?! costs 1 point or more, ? 2, ?? 4'
    """
    first, *others = JUDGEMENTS_OF[unit]
    costs = ", ".join(f"{judgement.mark} {judgement.loss}" for judgement in others)
    values = f"stones for {seat_name(game, 1)}" if unit == "stones" else "rank points of the seat that moved"
    cost = counted(first.loss, unit.removesuffix("s"))
    return f"values are {values}; {first.mark} costs {cost} or more, {costs}"


def turning_points(review: Review) -> str:
    """Where the expected winner changed, in words."""
    plies = ", ".join(map(str, review.turning_points))
    return f"{TURNED} the move changed who is expected to win: ply {plies}" if plies else ""


def _seat_columns(game: Game) -> list[str]:
    return [seat_name(game, seat) for seat in range(1, game.seats + 1)]


def _value(scored: MoveValue) -> str:
    return _signed(scored.value) if scored.points is None else scored.value_text


def whys_of_position(analysis: Analysis) -> list[Text]:
    """What the moves that are inaccuracies at least give away, the better ones first."""
    least = JUDGEMENTS_OF[analysis.unit][0].loss
    best = analysis.best
    return [_why(str(scored.move), reasons_of(analysis.state, scored, best)) for scored in analysis.moves
            if best.value - scored.value >= least]


def whys_of_game(review: Review) -> list[Text]:
    """What each bad move of a game gave away."""
    return [_why(f"{reviewed.ply} {reviewed.move} {reviewed.judgement.mark}",
                 reasons_of(reviewed.state, reviewed.played, reviewed.best))
            for reviewed in review.moves if reviewed.judgement]


def reasons_of(state: State, scored: MoveValue, best: MoveValue) -> tuple[Reason, ...]:
    """What a move gives away that the best one keeps, by the lines of the same search."""
    return reasons(state, scored.move, best, answers=scored.principal_variation[1:])


def _why(heading: str, found: Sequence[Reason]) -> Text:
    return Text(f"{heading}: " + (" ".join(map(str, found)) or "no simple reason"))


def print_review(console: Console, record: Record, review: Review, *, why: bool = False) -> None:
    """The moves of a game, its graph and what each seat lost; if wanted, why bad moves are bad."""
    if review.moves:
        console.print(game_table(review))
        console.print(legend(record.game, review.unit))
        if words := turning_points(review):
            console.print(words)
        if words := caption(reviewed.played for reviewed in review.moves):
            console.print(words)
        for line in whys_of_game(review) if why else ():
            console.print(line)
        console.print()
        if record.game.seats == 2:
            for line in graph(review, console.width):
                console.print(line, no_wrap=True, overflow="crop", crop=True)
            console.print()
        console.print(totals_table(review, record.players))
        console.print(speed(review.nodes, review.seconds))
    if not review.is_whole:
        console.print(f"interrupted: {len(review.moves)} of {review.plies} moves analysed")


def title(record: Record) -> str:
    """Who played a game, its opening if that has a name, and how it ended.

    >>> from polyversi.records import Record
    >>> title(Record.of("othello", "f5d6c3"))
    'othello, Perpendicular Opening, 3 moves, 5–2'
    """
    game = record.game
    names = [f"{printable(player) or '?'} ({seat_name(game, seat)})"
             for seat, player in enumerate(record.players, 1)]
    score = "–".join(map(str, record.final.scores))
    parts = (game.spec, " – ".join(names), last_opening_name(record.states()),
             counted(len(record.moves), "move"), score)
    return ", ".join(filter(None, parts))


def _signed(value: float) -> str:
    return f"{value:+}" if value else "0"


def _variation(moves: Sequence[Move]) -> Text:
    """Cut where there is no room: only its column shrinks, since only that one could be wrapped."""
    return Text(" ".join(map(str, moves)), no_wrap=True, overflow="ellipsis")


def position_data(name: str, analysis: Analysis, *, why: bool = False) -> dict[str, Any]:
    """An analysis for programs."""
    def data(scored: MoveValue) -> dict[str, Any]:
        return _move_data(scored) | _why_data(analysis.state, scored, analysis.best, why)

    return {
        "name": name,
        "game": analysis.state.game.spec,
        "position": analysis.state.text,
        "opening": opening_name(analysis.state),
        "unit": analysis.unit,
        "moves": [data(scored) for scored in analysis.moves],
        "nodes": analysis.nodes,
        "seconds": round(analysis.seconds, 6),
    }


def _move_data(scored: MoveValue) -> dict[str, Any]:
    data = move_data(scored)
    # The older name of the selectivity, for programs that read it, and the longer one of the line.
    return data | {"principal_variation": data["line"], "trust": data["selectivity"]}


def _why_data(state: State, scored: MoveValue, best: MoveValue, why: bool) -> dict[str, Any]:
    """The reasons of a move, where they are wanted."""
    return {"why": [str(reason) for reason in reasons_of(state, scored, best)]} if why else {}


def game_data(name: str, record: Record, review: Review, *, why: bool = False) -> dict[str, Any]:
    """A review for programs; values are for the seat that moved."""
    return {
        "name": name,
        "game": record.game.spec,
        "start": record.start.text,
        "players": list(record.players),
        "opening": last_opening_name(record.states()),
        "plies": review.plies,
        "unit": review.unit,
        "moves": [
            {
                "ply": reviewed.ply, "seat": reviewed.seat, "played": _move_data(reviewed.played),
                "best": _move_data(reviewed.best), "loss": reviewed.loss,
                "judgement": reviewed.judgement.name if reviewed.judgement else None,
                "turning_point": reviewed.is_turning_point,
                **_why_data(reviewed.state, reviewed.played, reviewed.best, why),
            }
            for reviewed in review.moves
        ],
        "seats": [
            {
                "seat": total.seat, "choices": total.choices, "loss": total.loss,
                "mean_loss": round(total.mean_loss, 4), "accuracy": round(total.accuracy, 2),
                **{judgement.name: count for judgement, count in zip(JUDGEMENTS, total.counts, strict=True)},
            }
            for total in review.totals
        ],
        "nodes": review.nodes,
        "seconds": round(review.seconds, 6),
    }
