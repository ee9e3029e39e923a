"""Every view of the page in the states in which people see it, to be looked at one after the other."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from playwright.sync_api import Page
from websockets.sync.client import connect

import polyversi as pv
from polyversi.gameplay.seat import Resign
from polyversi.server.messages import RequestMessage
from tests.testing.page_scenes import begun, middle_game
from tests.testing.page_server import Served
from tests.testing.timeout import TIMEOUT

LONG_NAMES = ["Wolfeschlegelsteinhausenbergerdorffwelch", "Bartholomew Featherstonehaugh Cholmondele"[:40]]
"""Names of 40 characters, one of them without a space."""
RUNNING = 30
"""Games that go on where there are many."""
REVIEWED = 30
"""Moves of the game that is reviewed."""
SETTLED = """() => document.fonts.status === 'loaded' && !document.querySelector('.loading')
  && document.getAnimations().every((one) => one.playState !== 'running'
    || one.effect.getTiming().iterations === Infinity)"""


@dataclass(frozen=True)
class View:
    """A view, where it is found, and what is done there before it is looked at."""

    name: str
    path: str | Callable[[Served], str]
    then: Callable[[Page], object] | None = None
    has_board: bool = False
    """Whether a game is played there, whose board must be seen whole."""
    picture: str = ""
    """What the picture of it in the documents is called, where it is one."""

    def open(self, page: Page, server: Served) -> None:
        """Goes there and waits until nothing changes any more."""
        path = self.path if isinstance(self.path, str) else self.path(server)
        page.goto("about:blank")    # a fragment alone would not load the page anew
        page.goto(server.address + path)
        page.get_by_role("heading", level=1).wait_for()
        if self.has_board:
            page.locator(".board").wait_for()
        page.wait_for_load_state("networkidle")
        if self.then:
            self.then(page)
            page.wait_for_load_state("networkidle")
        page.wait_for_function(SETTLED)


def press(name: str) -> Callable[[Page], object]:
    """Presses the first button or link of that name."""
    def click(page: Page) -> None:
        page.get_by_role("button", name=name).or_(page.get_by_role("link", name=name)).first.click()

    return click


@lru_cache
def clocked_game(server: Served) -> str:
    """A game with clocks in which the visitor is to move."""
    seats = [{"kind": "me", "name": "Ann"}, {"kind": "computer", "player": "greedy"}]
    new = server.post("/api/games", {"spec": "othello", "seats": seats, "limit": "bank=3600,increment=5",
                                     "position": middle_game("othello", 20)})
    return f"/game/{new['game']}#{new['token']}"


@lru_cache
def finished_game(server: Served) -> str:
    """A game with clocks that the visitor has resigned."""
    path = clocked_game.__wrapped__(server)
    game, _, token = path.removeprefix("/game/").partition("#")
    with server.visit(game, token) as visitor:
        visitor.hear(RequestMessage)
        visitor.say(Resign())
        while getattr(visitor.hear(), "kind", "") != "end":
            continue
    return path


@lru_cache
def long_names(server: Served) -> str:
    """A game of two people with the longest names, seen by both."""
    new = begun(server, "hex", LONG_NAMES, 12, seed=3, limit="bank=3600")
    return f"/game/{new['game']}#{new['token']}"


@lru_cache
def long_names_at_the_end(server: Served) -> str:
    """The same when one of them has run out of patience."""
    new = begun(server, "othello", LONG_NAMES, 30, limit="bank=3600")
    with server.visit(new["game"], new["token"]) as visitor:
        visitor.hear(RequestMessage)
        visitor.say(Resign())
        while getattr(visitor.hear(), "kind", "") != "end":
            continue
    return f"/game/{new['game']}#{new['token']}"


@lru_cache
def eight_seats(server: Served) -> str:
    """Reversi XT with eight seats after a few moves."""
    new = begun(server, "xt:starfish", ["Ann", "Bob", *LONG_NAMES, "Cleo", "Dan", "Eve", "Finn"], 10)
    return f"/game/{new['game']}#{new['token']}"


@lru_cache
def series(server: Served) -> str:
    """A series that is paused in its second round, seen by somebody else."""
    wanted = {"spec": "othello-4", "players": ["greedy", "random:seed=3"], "rounds": 12, "next_delay": 60}
    new = server.post("/api/arena", wanted | {"delay": 0})
    with connect(f"ws://127.0.0.1:{server.port}/api/arena/{new['arena']}/socket") as socket:
        socket.send(json.dumps({"type": "control", "token": new["token"], "do": "start"}))
        while json.loads(socket.recv(TIMEOUT))["round"] < 2:
            continue
        socket.send(json.dumps({"type": "control", "token": new["token"], "do": "pause"}))
        while json.loads(socket.recv(TIMEOUT))["phase"] != "paused":
            continue
    return f"/arena/{new['arena']}"


@lru_cache
def many_games(server: Served) -> str:
    """The list with many games that go on, a series among them, and some that are over."""
    finished_game(server)
    series(server)
    for number in range(RUNNING):
        spec = ("othello", "hex", "octagon", "rolit")[number % 4]
        seats = [LONG_NAMES[0], "Ann"] + ["Bob", "Cleo"] * (spec == "rolit")
        server.post("/api/games", {"spec": spec, "seats": [{"kind": "me", "name": name} for name in seats]})
    return "/watch"


@lru_cache
def reviewed_game(server: Served) -> str:
    """The first moves of a game between two beginners, in the analysis."""
    players = pv.player("polyversi:level=3,seed=1"), pv.player("polyversi:level=1,seed=2")
    state = pv.game("othello").start()
    moves: list[str] = []
    while len(moves) < REVIEWED:
        move = players[state.turn - 1].choose(state)
        moves.append(str(move))
        state = state.play(move)
    record = {"polyversi": 1, "game": "othello", "moves": moves, "players": LONG_NAMES}
    return f"/analysis?game={server.post('/api/records', record)['games'][0]}&ply=9"


def valued(page: Page) -> None:
    """Waits for values."""
    page.locator(".board-figure").first.wait_for()


def reviewed(page: Page) -> None:
    """Has the game reviewed, and goes to a mistake."""
    page.get_by_role("button", name="Review").click()
    page.get_by_text("are marked.").wait_for()
    page.get_by_role("button", name="Next mistake").click()
    page.get_by_role("region", name="Judgement").wait_for()
    page.get_by_role("tab", name="Moves").click()
    valued(page)


def own_series(page: Page) -> None:
    """Starts a series of one's own and stops it at its first move."""
    page.get_by_role("button", name="Step", exact=True).click()
    page.get_by_text("Paused.").wait_for()
    page.get_by_role("list", name="Moves").get_by_role("listitem").first.wait_for()


def with_options(page: Page) -> None:
    """Opens the options of the game that is set up."""
    page.get_by_text("Options for this variant").click()


VIEWS = [
    View("home", "/", picture="home"),
    View("play", "/play", picture="play"),
    View("set-up", "/play?variant=hex", picture="setup"),
    View("set-up with options", "/play?variant=othello", with_options),
    View("set-up with eight seats", "/play?variant=xt:starfish"),
    View("game that goes on", clocked_game, has_board=True),
    View("game that is over", finished_game, has_board=True),
    View("game with long names", long_names, has_board=True),
    View("game with long names that is over", long_names_at_the_end, has_board=True),
    View("XT with eight seats", eight_seats, has_board=True),
    View("share menu", clocked_game, press("Share and save")),
    View("analysis", "/analysis?spec=hex", valued, has_board=True),
    View("analysis of a game", reviewed_game, reviewed, has_board=True, picture="analysis"),
    View("analysis with eight seats", "/analysis?spec=xt:starfish", valued, has_board=True,
         picture="analysis-xt"),
    View("file menu of an analysis", "/analysis?spec=othello&moves=f5d6", press("File")),
    View("arena", "/arena"),
    View("arena of one's own", "/arena", own_series),
    View("arena of others", series),
    View("watch", many_games),
    View("watch, filtered", "/watch?who=people&state=quiet"),
    View("position editor", "/editor"),
    View("map editor", "/editor?mode=map"),
    View("all rules", "/rules"),
    View("rules", "/rules/hex", picture="rules"),
    View("rules beside a board", eight_seats, press("Rules")),
    View("legend", eight_seats, press("Legend")),
    View("settings", "/settings", picture="settings"),
    View("store", "/store"),
    View("keys", "/settings", lambda page: page.keyboard.press("?")),
    View("not found", "/settings", lambda page: page.evaluate(
        "history.pushState(null, '', '/nothing'); dispatchEvent(new PopStateEvent('popstate'))")),
]
"""A view that is added to the page gets a line here, with every dialog or menu that opens in it."""
