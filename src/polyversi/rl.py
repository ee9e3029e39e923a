"""PettingZoo environments of every game, for people who train agents (the extra `rl`)."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(f"{error}; the environments need: pip install 'polyversi[rl]'") from None

from polyversi.games.game import Game
from polyversi.games.result import RANK_POINTS
from polyversi.games.state import State
from polyversi.games.tiles import BONUS, CHOICE, EXPANSION, HOLE, INVERSION
from polyversi.games.variants import game as find_game

SPECIALS = (CHOICE, INVERSION, BONUS, EXPANSION)


def env(game: Game | str = "othello", render_mode: str | None = None) -> AECEnv:
    """The environment of a game, with PettingZoo's own wrappers: an illegal action ends the game at -1.

    >>> environment = env("othello")
    >>> environment.reset(seed=1)
    >>> environment.agent_selection, int(environment.last()[0]["action_mask"].sum())
    ('seat_1', 4)
    """
    bare = wrappers.TerminateIllegalWrapper(ReversiEnv(game, render_mode), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(bare))


class ReversiEnv(AECEnv):  # type: ignore[misc]
    """One game for PettingZoo: agents `seat_1`, `seat_2`, …, actions by the numbers of `Move.index`.

    An observation has the planes of the board as the seat sees it (`observation`, height × width × planes)
    and the legal actions (`action_mask`). The planes are: the cells that exist; the stones of each seat, the
    observer's own first and the others in turn; in XT also choice, inversion, bonus and expansion tiles,
    then the override stones and the bombs of each seat, and the bombing phase. The reward comes at the end:
    1, 0 or -1 for two seats, otherwise the seat's points, 1 being the most.

    >>> environment = ReversiEnv("hex:side=3,start=ring")
    >>> environment.reset()
    >>> environment.observe("seat_1")["observation"].shape
    (5, 5, 3)
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "polyversi_v0", "render_modes": ["ansi"], "is_parallelizable": False,
    }

    def __init__(self, game: Game | str = "othello", render_mode: str | None = None) -> None:
        super().__init__()
        self.game = find_game(game) if isinstance(game, str) else game
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(1, self.game.seats + 1)]
        board, planes = self.game.board, self._planes()
        columns, rows = zip(*board.coordinates, strict=True)
        self._rows, self._columns = np.array(rows), np.array(columns)
        view = spaces.Dict({
            "observation": spaces.Box(0, 255, (board.height, board.width, planes), np.uint8),
            "action_mask": spaces.Box(0, 1, (self.game.actions,), np.int8),
        })
        self.observation_spaces = dict.fromkeys(self.possible_agents, view)
        self.action_spaces = {agent: spaces.Discrete(self.game.actions) for agent in self.possible_agents}
        self.state_now: State = self.game.start()

    def _planes(self) -> int:
        seats = self.game.seats
        return 1 + seats + (len(SPECIALS) + 2 * seats + 1 if self.game.definition.has_stocks else 0)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent can do."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Starts a new game; the seed draws the set-up where that is random."""
        self.state_now = self.game.start(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._settle()

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """The board as a seat sees it, and its legal actions."""
        seat = self.possible_agents.index(agent) + 1
        mask = np.zeros(self.game.actions, np.int8)
        if self.state_now.turn == seat:
            mask[[move.index for move in self.state_now.moves]] = 1
        return {"observation": self._view(seat), "action_mask": mask}

    def _view(self, seat: int) -> NDArray[np.uint8]:
        state, board, seats = self.state_now, self.game.board, self.game.seats
        tiles = np.frombuffer(state.tiles, np.uint8)
        order = [1 + (seat - 1 + step) % seats for step in range(seats)]
        layers = [tiles != HOLE, *(tiles == other for other in order)]
        if self.game.definition.has_special_tiles:
            layers += [tiles == special for special in SPECIALS]
        view = np.zeros((board.height, board.width, self._planes()), np.uint8)
        view[self._rows, self._columns, : len(layers)] = np.stack(layers, axis=1)
        if self.game.definition.has_stocks:
            stocks = [stock[other - 1] for stock in (state.overrides, state.bombs) for other in order]
            view[:, :, len(layers) :] = [*(min(stock, 255) for stock in stocks), state.phase == "bomb"]
        return view

    def step(self, action: int | None) -> None:
        """Plays the action of the agent whose turn it is."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if action is None:
            raise TypeError(f"{agent} is still playing and needs an action")
        self.state_now = self.state_now.play(self.game.action(int(action)))
        self._settle()
        self._accumulate_rewards()

    def _settle(self) -> None:
        """Says whose turn it is, or who got what when the game is over."""
        result = self.state_now.result
        if result is None:
            self.agent_selection = self.possible_agents[self.state_now.turn - 1]
            return
        for agent, points in zip(self.possible_agents, result.points, strict=True):
            if self.game.definition.scoring == "ranks":
                self.rewards[agent] = points / RANK_POINTS[0]
            else:
                self.rewards[agent] = 2 * points - 1 if self.game.seats == 2 else points
            self.terminations[agent] = True
        self.agent_selection = self.agents[0]

    def render(self) -> str | None:
        """The board as text in the mode `ansi`."""
        return str(self.state_now) if self.render_mode == "ansi" else None
