"""The rounds of a report with all their meetings, and the failures with what bots wrote last."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from polyversi.contest.redaction import folders_left_out
from polyversi.contest.report.html import counted, game_link, grid, named, plain, scrolled, tag
from polyversi.drawing.markup import text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from polyversi.contest.model import Meeting
    from polyversi.contest.tournament import Tournament
    from polyversi.gameplay.verdict import Verdict
    from polyversi.storage.contests import PlayedGame

OPEN = 40
"""Up to so many meetings, or failures of one entrant, are shown at once; more unfold when asked for."""
TAIL = 2000
"""Characters of what a bot wrote last."""
SHORT = 3
"""Lines of it that need not be unfolded."""


def rounds_section(tournament: Tournament) -> str:
    """Every meeting by its round; of a knock-out the rounds stand side by side."""
    meetings: defaultdict[int, list[Meeting]] = defaultdict(list)
    for meeting in tournament.meetings:
        meetings[meeting.round].append(meeting)
    games: defaultdict[str, list[PlayedGame]] = defaultdict(list)
    for game in tournament.played.values():
        games[game.meeting].append(game)
    is_bracket, is_short = tournament.plan.format == "knock-out", len(tournament.meetings) <= OPEN
    ranking = tournament.ranking() if is_bracket else None
    parts = []
    for round, those in sorted(meetings.items()):
        lines = [_meeting(tournament, meeting, games[meeting.id], ranking) for meeting in those]
        listed = tag("ol", *lines, class_="meetings")
        if is_bracket:
            parts.append(tag("div", tag("h3", f"Round {round}"), listed))
        else:
            summary = tag("summary", f"Round {round}", tag("small", f" {counted(len(those), 'meeting')}"))
            parts.append(tag("details", summary, listed, open=is_short))
    if is_bracket:
        return scrolled(tag("div", *parts, class_="bracket"), "Rounds")
    return tag("div", *parts, class_="rounds")


def _meeting(
    tournament: Tournament, meeting: Meeting, played: Sequence[PlayedGame], ranking: Sequence[int] | None
) -> str:
    """A meeting in a line, the better one bold: by points, or in a knock-out who went on."""
    names = [entrant.name for entrant in tournament.plan.entrants]
    entrants = list(dict.fromkeys(meeting.entrants))
    if len(entrants) == 1:
        return tag("li", tag("span", named(names[entrants[0]]), " has a bye"))
    points: defaultdict[int, float] = defaultdict(float)
    for game in played:
        for entrant, brought in zip(game.seating, game.points, strict=True):
            points[entrant] += brought
    missing = len(tournament.games(meeting)) - len(played)
    best = {entrant for entrant in entrants if 0 < points[entrant] == max(points.values())}
    if ranking and not missing:
        best = {min(entrants, key=ranking.index)}
    sides = [f"{named(names[entrant])}&nbsp;{plain(points[entrant])}" for entrant in entrants]
    sides = [tag("b", side) if who in best else side for who, side in zip(entrants, sides, strict=True)]
    links = [
        game_link(game.id, text(game.id.rpartition("/")[2]), label=f"Game {game.id}")
        for game in sorted(played, key=lambda game: (len(game.id), game.id))
    ]
    unplayed = tag("small", f" {counted(missing, 'game')} not played") if missing > 0 else ""
    return tag("li", tag("span", " – ".join(sides)), tag("span", *links, unplayed, class_="links"))


def failures_section(tournament: Tournament) -> str:
    """What went wrong, by entrants, with the verdicts and what bots wrote last; nothing if all went well."""
    failures: defaultdict[int, list[tuple[PlayedGame, Verdict]]] = defaultdict(list)
    for game in tournament.played.values():
        for failure in game.failures:
            failures[game.seating[(failure.seat or 1) - 1]].append((game, failure))
    without_folders = folders_left_out(tournament.plan)
    parts = [
        tag("p", tag("b", named(bot.name)), tag("small", " set aside from the start: "), text(bot.reason))
        for bot in tournament.plan.broken
    ]
    for entrant, those in sorted(failures.items()):
        name = tournament.plan.entrants[entrant].name
        aside = tag("small", ", set aside") if entrant in tournament.left else ""
        summary = tag("summary", named(name), tag("small", f" {counted(len(those), 'failure')}"), aside)
        table = _failure_table(those, f"Failures of {name}", without_folders)
        parts.append(tag("details", summary, scrolled(table, f"Failures of {name}"), open=len(those) <= OPEN))
    return "".join(parts)


def _failure_table(
    failures: Sequence[tuple[PlayedGame, Verdict]], caption: str, without_folders: Callable[[str], str]
) -> str:
    headings = [tag("th", word, scope="col") for word in ("Game", "Verdict", "What it wrote last")]
    seen: dict[str, str] = {}
    rows = []
    for game, failure in failures:
        seat = failure.seat or 1
        output = without_folders(game.outputs[seat - 1].strip()) if seat <= len(game.outputs) else ""
        detail = without_folders(failure.detail)
        said = tag("strong", text(failure.kind)) + (f" {text(detail)}" if detail else "")
        written = _output(f"{game.id} {seat}", output, seen)
        which = tag("th", game_link(game.id), scope="row")
        rows.append(tag("tr", which, tag("td", said), tag("td", written)))
    return grid(headings, rows, caption, "failures")


def _output(place: str, output: str, seen: dict[str, str]) -> str:
    """What a bot wrote, once: many fail in the same way again and again."""
    if not output:
        return "nothing"
    first = seen.setdefault(output, place)
    if first != place:
        same = game_link(first.rpartition(" ")[0])
        return tag("span", f"the same as in game {same}", data_of=place, data_as=first)
    cut = "…" * (len(output) > TAIL) + output[-TAIL:]
    written = tag("pre", text(cut), data_of=place)
    lines = len(cut.splitlines())
    return tag("details", tag("summary", counted(lines, "line")), written) if lines > SHORT else written
