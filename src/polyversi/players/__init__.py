"""Players: who chooses moves."""

from polyversi.games.limit import NO_LIMIT, Limit
from polyversi.players import group6, hexareversi, minimax, polyversi, xt
from polyversi.players.options import (
    HARMLESS,
    NAMES_FILE,
    OptionInfo,
    Resource,
    named_options,
    options_of,
    visitor_options,
    visitor_shares,
)
from polyversi.players.player import (
    PLAYERS,
    Chooser,
    Player,
    as_player,
    check_visitor_options,
    player,
    register_player,
    strongest_first,
)
from polyversi.players.search import Search, Searcher, SearchPlayer, look_ahead

__all__ = [
    "HARMLESS", "NAMES_FILE", "NO_LIMIT", "PLAYERS", "Chooser", "Limit", "OptionInfo", "Player", "Resource",
    "Search", "SearchPlayer", "Searcher", "as_player", "check_visitor_options", "look_ahead", "named_options",
    "options_of", "player", "register_player", "strongest_first", "visitor_options", "visitor_shares",
]

# Importing a player's module registers it.
_ = (group6, hexareversi, minimax, polyversi, xt)
