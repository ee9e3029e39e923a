"""The ranking of a ladder as a table to take away, such as for the marks of a course."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from polyversi.contest.export import harmless
from polyversi.site.ladder import Ranked

HEADER = ("place", "bot", "owner", "version", "rating", "error", "sure", "games")


def ranking_csv(ranking: Iterable[Ranked]) -> str:
    """A row for each bot with its owner; `sure` is the rating less its error, which decides the place."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEADER)
    for one in ranking:
        numbers = (f"{number:.1f}" for number in (one.strength.rating, one.strength.error, one.least))
        writer.writerow([one.rank, harmless(one.bot.name), harmless(one.bot.owner_name), one.bot.active,
                         *numbers, one.games])
    return text.getvalue()
