"""Players: who chooses moves."""

from polyversi.players import random_player
from polyversi.players.limit import NO_LIMIT, Limit
from polyversi.players.player import PLAYERS, OptionInfo, Player, options_of, player, register

__all__ = ["NO_LIMIT", "PLAYERS", "Limit", "OptionInfo", "Player", "options_of", "player", "register"]

_ = random_player    # importing a player's module registers it
