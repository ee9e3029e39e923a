"""How long the page's board takes on the main thread of Chromium to redraw a map of 50 by 50 after a move.

Run it with `python -m benchmarks.page`: it needs playwright and Chromium, which the other benchmarks do not.
"""

from __future__ import annotations

import argparse
import json
import mimetypes
import random
import statistics
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playwright.sync_api import sync_playwright

from polyversi.drawing.layout import board_layout
from polyversi.drawing.marks import Last, marked_moves
from polyversi.games.xt import xt_game
from polyversi.games.xtmap import XtMap
from tests.testing.browser import CHROMIUM

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

    from polyversi.games.game import Game

SIDE, SEATS, LINKS, MOVES = 50, 8, 300, 50
PAGE = Path(__file__).parents[1] / "src/polyversi/page"
QUIET = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)
WIDTH, HEIGHT = 1280, 900
HTML = """<!doctype html><link rel="stylesheet" href="/page/style/base.css">
<link rel="stylesheet" href="/page/style/board.css"><div id="board"></div>"""
PLAY = """async ({ plan, moves, scale, animate }) => {
  const { Board } = await import("/page/board/board.js");
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const element = document.querySelector("#board");
  element.replaceChildren();
  element.style.setProperty("--board-tallest", "860px");
  const board = new Board(element, plan);
  const label = (cell, tile) => `${plan.names[cell]}, ${tile}`;
  board.set({ ...moves[0], label, selectable: true, animate });
  await frame();
  if (scale > 1) board.zoomTo(scale);
  for (let count = 0; count < 40; count++) await frame();
  for (const move of moves.slice(1)) {
    performance.mark("board-set");
    board.set(move);
    await frame();
    await frame();
    await new Promise((done) => setTimeout(done, animate ? 400 : 0));
  }
  board.destroy();
}"""


def large_map(seed: int = 1) -> XtMap:
    """A map of the largest size, with holes, special tiles, many stones, and hundreds of transitions."""
    rng = random.Random(seed)
    tiles = [rng.choice("0000-bcix" if rng.random() < 0.25 else "0") for _ in range(SIDE * SIDE)]
    for _ in range(60):
        at = rng.randrange(SIDE - 3) + SIDE * rng.randrange(SIDE - 3)
        for across in range(3):
            for down in range(3):
                tiles[at + across + SIDE * down] = str(rng.randint(1, SEATS))
    rows = "\n".join(" ".join(tiles[start : start + SIDE]) for start in range(0, SIDE * SIDE, SIDE))
    head = f"{SEATS}\n5\n3 2\n{SIDE} {SIDE}\n"
    return XtMap.parse(head + rows + "\n" + "\n".join(_transitions(tiles, rng)))


def _transitions(tiles: list[str], rng: random.Random) -> list[str]:
    """Transitions between sides that have no neighbouring tile."""
    steps = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))

    def there(x: int, y: int) -> bool:
        return 0 <= x < SIDE and 0 <= y < SIDE and tiles[x + SIDE * y] != "-"

    free = [
        f"{x} {y} {direction}"
        for y in range(SIDE) for x in range(SIDE) if there(x, y)
        for direction, (dx, dy) in enumerate(steps) if not there(x + dx, y + dy)
    ]
    rng.shuffle(free)
    return [f"{here} <-> {other}" for here, other in zip(free[:LINKS], free[LINKS : 2 * LINKS], strict=True)]


def recorded(game: Game, seed: int = 1) -> list[dict[str, Any]]:
    """What the board is given at the start and after each of some random moves."""
    rng, state, last = random.Random(seed), game.start(), None
    given = []
    for _ in range(MOVES + 1):
        given.append({
            "tiles": list(state.tiles), "legal": sorted(marked_moves(state)), "turn": state.turn,
            "last": last.cell if last else None, "turned": list(last.turned) if last else [],
        })
        move = rng.choice(state.moves)
        last, state = Last.of(state, move), state.play(move)
    return given


def serve(route: Route) -> None:
    """The page's files, without any server."""
    path = route.request.url.removeprefix("http://board.test")
    if path == "/":
        route.fulfill(body=HTML, content_type="text/html")
        return
    file = PAGE / path.removeprefix("/page/")
    route.fulfill(body=file.read_bytes(), content_type=mimetypes.guess_type(file.name)[0] or "text/plain")


def traced(page: Page, given: dict[str, Any]) -> list[dict[str, Any]]:
    """The events of Chromium's trace while the moves are shown."""
    session = page.context.new_cdp_session(page)
    events: list[dict[str, Any]] = []
    ended: list[bool] = []
    session.on("Tracing.dataCollected", lambda data: events.extend(data["value"]))
    session.on("Tracing.tracingComplete", lambda _: ended.append(True))
    kinds = "devtools.timeline,blink.user_timing,toplevel,disabled-by-default-devtools.timeline"
    session.send("Tracing.start", {"categories": kinds, "transferMode": "ReportEvents"})
    page.evaluate(PLAY, given)
    session.send("Tracing.end")
    while not ended:
        page.wait_for_timeout(20)
    session.detach()
    return events


def redraws(events: list[dict[str, Any]]) -> tuple[list[float], list[float]]:
    """Milliseconds of the main thread from each `set` to the end of the task that painted it.

    The first list is processor time, so that other work on the machine matters little; the second is the time
    on the clock.
    """
    marks = sorted((event for event in events if event["name"] == "board-set"), key=lambda event: event["ts"])
    thread = (marks[0]["pid"], marks[0]["tid"])
    ours = [event for event in events if (event["pid"], event["tid"]) == thread and event.get("ph") == "X"]
    tasks = sorted((event for event in ours if event["name"] == "RunTask"), key=lambda event: event["ts"])
    paints = sorted(event["ts"] for event in ours if event["name"] == "Paint")
    busy: list[float] = []
    passed: list[float] = []
    for mark in marks:
        painted = next(stamp for stamp in paints if stamp > mark["ts"])
        between = [task for task in tasks if task["ts"] + task["dur"] > mark["ts"] and task["ts"] <= painted]
        for spent, began, lasted in ((busy, "tts", "tdur"), (passed, "ts", "dur")):
            parts = [task[began] + task[lasted] - max(mark[began], task[began]) for task in between]
            spent.append(sum(parts) / 1000)
    return busy, passed


def main() -> None:
    """Measures with the whole map on the screen and at four times its size, with and without flips."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.page", description=__doc__)
    parser.add_argument("--chromium", default=CHROMIUM, help="the browser to measure in")
    parser.add_argument("--trace", type=Path, help="a folder to keep the traces in, for DevTools")
    asked = parser.parse_args()
    game = xt_game(large_map())
    plan, moves = board_layout(game), recorded(game)
    cells, links = len(plan["x"]), len(plan["links"])
    print(f"{SIDE}×{SIDE} map, {cells} cells, {links} transitions, {MOVES} moves, window {WIDTH}×{HEIGHT}")
    with sync_playwright() as driver, tempfile.TemporaryDirectory() as home:
        context = driver.chromium.launch_persistent_context(
            home, executable_path=asked.chromium, args=QUIET, headless=True,
            viewport={"width": WIDTH, "height": HEIGHT},
        )
        context.route("**/*", serve)
        page = context.new_page()
        page.goto("http://board.test/")
        for scale in (1, 4):
            for animate in (False, True):
                events = traced(page, {"plan": plan, "moves": moves, "scale": scale, "animate": animate})
                busy, passed = redraws(events)
                if asked.trace:
                    (asked.trace / f"board-{scale}-{animate}.json").write_text(json.dumps(events))
                named = f"zoom {scale}×, {'with' if animate else 'without'} flips"
                print(f"{named:24} {_summary('processor', busy)}   {_summary('clock', passed)}")
        context.close()


def _summary(clock: str, spent: list[float]) -> str:
    return f"{clock} median {statistics.median(spent):5.1f} ms, worst {max(spent):5.1f} ms"


if __name__ == "__main__":
    main()
