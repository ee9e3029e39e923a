"""The ranking of a ladder as a table."""

from __future__ import annotations

from polyversi.site.bots import Bot
from polyversi.site.ladder import Ranked
from polyversi.site.ladder_table import ranking_csv
from polyversi.stats.glicko import Strength


def test_names_are_no_formulas() -> None:
    bot = Bot("id", "=HYPERLINK(1)", "o", "@Ann, Lee", "othello", 0.0, 3)
    one = Ranked(1, bot, Strength(1612.25, 50.0, 0.06), 7, 0.0, ())
    error = one.strength.error
    assert ranking_csv([one]).splitlines() == [
        "place,bot,owner,version,rating,error,sure,games",
        f"1,'=HYPERLINK(1),\"'@Ann, Lee\",3,1612.2,{error:.1f},{1612.25 - error:.1f},7"]
