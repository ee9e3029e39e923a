"""Players: who chooses moves."""

from polyversi.games.limit import NO_LIMIT, Limit
from polyversi.players import group6, hexareversi, minimax, polyversi, xt
from polyversi.players.player import (
    PLAYERS,
    Chooser,
    OptionInfo,
    Player,
    as_player,
    named_options,
    options_of,
    player,
    register_player,
    strongest_first,
)
from polyversi.players.search import Search, Searcher, SearchPlayer, look_ahead

__all__ = [
    "NO_LIMIT", "PLAYERS", "Chooser", "Limit", "OptionInfo", "Player", "Search", "SearchPlayer", "Searcher",
    "as_player", "look_ahead", "named_options", "options_of", "player", "register_player",
    "strongest_first",
]

# Importing a player's module registers it.
_ = (group6, hexareversi, minimax, polyversi, xt)
