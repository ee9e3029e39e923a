"""Players: who chooses moves."""

from polyversi.games.limit import NO_LIMIT, Limit
from polyversi.players import group6, hexareversi, minimax, polyversi, xt
from polyversi.players.player import PLAYERS, OptionInfo, Player, named_options, options_of, player, register
from polyversi.players.search import Search, Searcher, SearchPlayer, look_ahead

__all__ = [
    "NO_LIMIT", "PLAYERS", "Limit", "OptionInfo", "Player", "Search", "SearchPlayer", "Searcher",
    "look_ahead", "named_options", "options_of", "player", "register",
]

# Importing a player's module registers it.
_ = (group6, hexareversi, minimax, polyversi, xt)
