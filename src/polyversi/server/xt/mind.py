"""The program in which a player thinks, apart from whoever talks to the server: positions in, moves out."""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any

from polyversi.games.errors import PolyversiError
from polyversi.games.xt import xt_game
from polyversi.games.xtmap import XtMap
from polyversi.players import Limit, player


def main() -> None:
    """Answers each line on standard input with one on standard output, until there are no more."""
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)    # what a player prints is no answer
    mind = Mind(sys.argv[1])
    for line in sys.stdin.buffer:
        answers.write(json.dumps(mind.answer(json.loads(line))).encode() + b"\n")


class Mind:
    """A player with the game that it is asked about.

    >>> mind = Mind("random")
    >>> mind.answer({"map": "2 0 0 0  1 3  1 2 0"})
    {'fault': ''}
    >>> mind.answer({"position": "120 1", "limit": "seconds=1", "asked": time.monotonic()})
    {'move': '2,0'}
    >>> mind.answer({"position": "what", "limit": "none", "asked": 0})["fault"][:19]
    'a position is one l'
    """

    def __init__(self, spec: str) -> None:
        self._player = player(spec)

    def answer(self, request: dict[str, Any]) -> dict[str, str]:
        """The answer to a request: a move, or what went wrong."""
        try:
            if "map" in request:
                self._game = xt_game(XtMap.parse(request["map"]))
                return {"fault": self._player.unsuited(self._game) or ""}
            # The clocks of two processes of one machine are the same: the way here is not the player's time.
            limit = Limit.parse(request["limit"]).ticked(max(0.0, time.monotonic() - request["asked"]))
            return {"move": str(self._player.choose(self._game.position(request["position"]), limit))}
        except PolyversiError as error:
            return {"fault": str(error)}
        except Exception as error:
            return {"fault": f"{type(error).__name__}: {error}"}


if __name__ == "__main__":
    main()
