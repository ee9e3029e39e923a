"""The tables of the store."""

from __future__ import annotations

from polyversi.storage.database import columns

# isort: split
import sqlalchemy as sql

TABLES = sql.MetaData()
SCHEMA = sql.Table("schema", TABLES, *columns(version=sql.Integer))
SERIES = sql.Table(
    "series",
    TABLES,
    sql.Column("id", sql.Text, primary_key=True),
    *columns(created=sql.Double, settings=sql.JSON, token=sql.Text, is_open=sql.Boolean),
    sql.Index("series_by_age", "created"),
)
GAMES = sql.Table(
    "games",
    TABLES,
    sql.Column("id", sql.Text, primary_key=True),
    *columns(spec=sql.Text, map=sql.Text, start=sql.Text, seats=sql.JSON, limits=sql.JSON),
    *columns(created=sql.Double, phase=sql.Text),
    sql.Column("series", sql.Text, sql.ForeignKey("series.id")),
    *columns(number=sql.Integer),
    sql.Column("ended", sql.Double),
    *columns(summary=sql.JSON, following=sql.Text),
    sql.Index("games_by_end", "phase", "ended"),
    sql.Index("games_of_series", "series", "ended"),
)
EVENTS = sql.Table(
    "events",
    TABLES,
    sql.Column("game", sql.Text, sql.ForeignKey("games.id"), primary_key=True),
    sql.Column("number", sql.Integer, primary_key=True, autoincrement=False),
    *columns(kind=sql.Text, data=sql.JSON),
)
WRITERS = sql.Table(
    "writers", TABLES, sql.Column("id", sql.Text, primary_key=True), *columns(batch=sql.BigInteger)
)
ANALYSES = sql.Table(
    "analyses",
    TABLES,
    sql.Column("key", sql.Text, primary_key=True),
    *columns(data=sql.Text, updated=sql.Double),
    sql.Index("analyses_by_age", "updated"),
)
"""What is known of positions, which can be found again by thinking: it may go at any time."""
REVIEWS = sql.Table(
    "reviews",
    TABLES,
    sql.Column("game", sql.Text, primary_key=True),
    sql.Column("settings", sql.Text, primary_key=True),
    *columns(data=sql.Text, updated=sql.Double),
    sql.Index("reviews_by_age", "updated"),
)
"""Reviews by the id of a game, or by a hash of one that is not stored; they may go at any time too."""
STUDIES = sql.Table(
    "studies",
    TABLES,
    sql.Column("id", sql.Text, primary_key=True),
    *columns(record=sql.Text, token=sql.Text, visitor=sql.Text, created=sql.Double, updated=sql.Double),
    sql.Index("studies_by_age", "updated"),
    sql.Index("studies_by_visitor", "visitor"),
)
