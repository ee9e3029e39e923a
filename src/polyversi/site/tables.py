"""The tables of a site: people and how they sign in, bots and their versions, ladders, ratings, events."""

from __future__ import annotations

from polyversi.storage.database import columns

# isort: split
import sqlalchemy as sql

TABLES = sql.MetaData()
SCHEMA = sql.Table("site_schema", TABLES, *columns(version=sql.Integer))


def _key(name: str) -> sql.Column[str]:
    return sql.Column(name, sql.Text, primary_key=True)


PEOPLE = sql.Table(
    "site_people", TABLES, _key("id"),
    *columns(name=sql.Text, role=sql.Text, password=sql.Text, created=sql.Double, is_disabled=sql.Boolean),
    sql.Column("folded", sql.Text, nullable=False, unique=True),
)
"""`folded` is the name as it is compared: nobody can take one that looks the same in another case."""
LINKS = sql.Table(
    "site_links", TABLES, _key("token"),
    *columns(kind=sql.Text, person=sql.Text, made_by=sql.Text, created=sql.Double, expires=sql.Double),
    sql.Column("used", sql.Double),
)
"""One-time links by the hash of their token: to sign in for the first time, or to choose another password."""
SESSIONS = sql.Table(
    "site_sessions", TABLES, _key("token"),
    *columns(person=sql.Text, created=sql.Double, seen=sql.Double, expires=sql.Double),
    sql.Index("site_sessions_of_person", "person"),
)
AUDIT = sql.Table(
    "site_audit", TABLES, sql.Column("number", sql.Integer, primary_key=True),
    *columns(time=sql.Double, person=sql.Text, action=sql.Text, subject=sql.Text, detail=sql.JSON),
)
BOTS = sql.Table(
    "site_bots", TABLES, _key("id"),
    *columns(owner=sql.Text, ladder=sql.Text, name=sql.Text, created=sql.Double, active=sql.Integer),
    sql.Column("folded", sql.Text, nullable=False),
    sql.UniqueConstraint("ladder", "folded"),
)
"""`active` is the version that plays, 0 while none does."""
VERSIONS = sql.Table(
    "site_versions", TABLES, _key("bot"),
    sql.Column("number", sql.Integer, primary_key=True, autoincrement=False),
    *columns(phase=sql.Text, language=sql.Text, size=sql.BigInteger, digest=sql.Text, created=sql.Double),
    *columns(report=sql.JSON, file_name=sql.Text, command=sql.Text),
)
"""`command` is its specification with files as they are called in its own folder; `report` what its check has
found so far."""
ARRIVALS = sql.Table(
    "site_arrivals", TABLES, _key("id"), *columns(bot=sql.Text, time=sql.Double),
)
"""What has been received completely and is still being unpacked, by when it was there."""
CHECK_REQUESTS = sql.Table(
    "site_check_requests", TABLES, sql.Column("number", sql.Integer, primary_key=True),
    *columns(person=sql.Text, created=sql.Double),
    sql.Index("site_check_requests_of_person", "person", "created"),
)
"""Versions that somebody has handed in or had checked again within a day, also of bots that were deleted."""
CHALLENGES = sql.Table(
    "site_challenges", TABLES, _key("id"),
    *columns(person=sql.Text, opponent=sql.Text, spec=sql.Text, limit=sql.Text, is_rated=sql.Boolean),
    *columns(is_quick=sql.Boolean, seats=sql.Integer, joined=sql.JSON, phase=sql.Text, created=sql.Double),
    *columns(expires=sql.Double, game=sql.Text),
    sql.Index("site_challenges_by_phase", "phase", "created"),
)
"""Games that people want to play; `opponent` is empty for anybody, `joined` are those who have accepted."""
SECRETS = sql.Table("site_secrets", TABLES, _key("name"), *columns(value=sql.Text))
"""What tokens are made from that a person gets again on every device."""
RATED_GAMES = sql.Table(
    "site_rated_games", TABLES, _key("id"),
    *columns(pool=sql.Text, players=sql.JSON, versions=sql.JSON, is_rated=sql.Boolean, created=sql.Double),
    *columns(first=sql.Text),
    sql.Column("ranks", sql.JSON), sql.Column("ended", sql.Double), sql.Column("number", sql.Integer),
    sql.Index("site_rated_games_by_end", "pool", "ended"),
    sql.Index("site_rated_games_running", "ended"),
    sql.UniqueConstraint("pool", "number"),
)
"""Games of members and bots by id, with who played in seat order; `ranks` and `ended` once it is over.

`number` is the place of a game among those of its pool that count for ratings, in the order they counted;
`versions` are those of the bots, 0 for people; `first` is the game that a row of rematches began with.
"""
PLAYED_BY = sql.Table(
    "site_played_by", TABLES, _key("player"), _key("game"),
)
"""Which games somebody has played: `person:ID` or `bot:ID`."""
RATINGS = sql.Table(
    "site_ratings", TABLES, _key("pool"), _key("player"),
    *columns(rating=sql.Double, deviation=sql.Double, volatility=sql.Double),
    *columns(games=sql.Integer, version=sql.Integer, updated=sql.Double),
)
RATING_STEPS = sql.Table(
    "site_rating_steps", TABLES, _key("pool"), _key("player"), _key("game"),
    *columns(rating=sql.Double, deviation=sql.Double, time=sql.Double),
    sql.Index("site_rating_steps_of_game", "game", "pool"),
)
MATCHES = sql.Table(
    "site_matches", TABLES, _key("id"),
    *columns(ladder=sql.Text, challenger=sql.Text, challenged=sql.Text, asked_by=sql.Text, phase=sql.Text),
    *columns(reason=sql.Text, created=sql.Double),
    sql.Index("site_matches_by_phase", "ladder", "phase", "created"),
)
"""Challenges on a ladder; `asked_by` is empty for those that the site makes itself."""
LADDER_GAMES = sql.Table(
    "site_ladder_games", TABLES, _key("id"),
    *columns(match=sql.Text, ladder=sql.Text, number=sql.Integer, spec=sql.Text, versions=sql.JSON),
    *columns(record=sql.Text, scores=sql.JSON, ranks=sql.JSON, points=sql.JSON, reason=sql.Text),
    *columns(verdict=sql.JSON, offences=sql.JSON, outputs=sql.JSON, ended=sql.Double),
    sql.Index("site_ladder_games_by_end", "ladder", "ended"),
    sql.Index("site_ladder_games_of_match", "match"),
)
"""`versions` has BOT/NUMBER in seat order; `record` is empty once an old game was thinned to its result."""
EVENTS = sql.Table(
    "site_events", TABLES, _key("id"),
    *columns(title=sql.Text, contest=sql.Text, phase=sql.Text, settings=sql.JSON, made_by=sql.Text),
    *columns(created=sql.Double, is_released=sql.Boolean, problem=sql.Text),
)
"""`contest` is the name of its tournament in the store; `is_released` is whether everybody sees results."""
ENTRANTS = sql.Table(
    "site_entrants", TABLES, _key("event"), _key("name"),
    *columns(who=sql.Text, spec=sql.Text, token=sql.Text, created=sql.Double),
)
"""Who takes part in an event: a bot of the site, a built-in player, or a group that connects with a token."""
