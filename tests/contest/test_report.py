"""The report of a tournament in a real browser: one quiet page with everything, whatever names there are."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from polyversi.contest import report
from polyversi.contest.export import export
from polyversi.contest.openings import Openings
from polyversi.contest.plan import Entrant, Plan, entrants_of
from polyversi.contest.standings import table_of
from polyversi.contest.tournament import Tournament
from polyversi.contest.workers import local_workers
from polyversi.drawing.layout import board_layout
from polyversi.games.limit import NO_LIMIT, Limit
from polyversi.games.tiles import TILE_NAMES
from polyversi.storage.contests import ContestStore
from tests.testing.browser import DESKTOP, PHONE, Window, check_accessible
from tests.testing.marks import slow
from tests.testing.small_map import SMALL_MAP
from tests.testing.timeout import TIMEOUT

HOSTILE = "</script><img src=x onerror=document.title='gone'>"
SAID = "</pre><script>document.title='mine'</script> said the bot"
BOT = f"""import sys
print({SAID!r}, file=sys.stderr)
sys.exit(3)
"""
FOLDER = Path(report.__file__).parent
SHOWS = """(wanted) => {
  const cells = [...document.querySelectorAll("#viewer-board [role=gridcell]")];
  return cells.map((cell) => cell.ariaLabel).sort().join() === wanted.sort().join();
}"""
"""Whether the cells of the board that is shown are called so."""


def played(folder: Path, plan: Plan) -> tuple[Tournament, str]:
    """A tournament that is over, and the address of its report."""
    store = ContestStore.open(str(folder / f"{plan.name}.db"))
    tournament = Tournament.create(store, plan)
    tournament.run(workers=local_workers(1))
    store.close()
    export(tournament, folder / f"{plan.name}.html")
    return tournament, (folder / f"{plan.name}.html").as_uri()


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> tuple[Tournament, str]:
    """Two variants, a bot that ends at once, and a name that would like to be markup."""
    folder = tmp_path_factory.mktemp("cup")
    (folder / "bot.py").write_text(BOT)
    entrants = (
        Entrant(HOSTILE, "greedy"), Entrant("Bob", "random"), Entrant("Cid", "mobility"),
        Entrant("Dud", f"bot:{sys.executable} {folder / 'bot.py'}"),
    )
    return played(folder, Plan(
        "cup", entrants, ("othello-4", "hex:side=3"), openings=Openings("random", 2),
        limit=Limit(seconds=TIMEOUT), seed=1, trust=True,
    ))


@pytest.fixture
def window(request: pytest.FixtureRequest) -> Iterator[Callable[..., Window]]:
    """Opens windows on a report; at the end every one of them must have been quiet."""
    launched = request.getfixturevalue("browser")
    opened: list[Window] = []

    def open_window(address: str, **options: Any) -> Window:
        opened.append(Window(launched, address, **options))
        return opened[-1]

    yield open_window
    complaints = [complaint for one in opened for complaint in one.complaints]
    for one in opened:
        one.close()
    assert complaints == []


def check_fits(page: Page) -> None:
    """Nothing makes the page wider than its window."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_everything_is_on_the_page(cup: tuple[Tournament, str], window: Callable[..., Window]) -> None:
    tournament, address = cup
    page = window(address).open("")
    assert page.title() == "cup – tournament report"
    rows = table_of(tournament).rows
    assert page.locator(".standings tbody th bdi").all_inner_texts() == [row.name for row in rows]
    assert page.locator(".standings tbody .bar").count() == page.locator(".line").count() == 4
    for place, row in enumerate(rows):
        cells = page.locator(".standings tbody tr").nth(place).locator("td").all_inner_texts()
        score = row.score
        numbers = (place + 1, score.games, score.wins, score.draws, score.losses)
        assert cells[:5] == [str(number) for number in numbers]
        assert cells[7] == str(row.rating)
        against = page.locator(".cross tbody tr").nth(place).locator("td").all_inner_texts()
        assert sum(float(one) for one in against if one) == score.points
    assert page.locator(".meetings li").count() == 6 and page.locator(".list tbody tr").count() == 24
    failures = page.locator("#failures")
    expect(failures.locator("summary").first).to_have_text("Dud 12 failures")
    assert "ended with status 3" in failures.inner_text()
    assert SAID in failures.locator("pre").first.inner_text()
    assert page.evaluate("document.images.length") == 0


def test_the_page_holds_all_and_can_run_nothing_else(cup: tuple[Tournament, str]) -> None:
    text = Path(cup[1].removeprefix("file://")).read_text()
    assert HOSTILE not in text and SAID not in text and text.count("<script") == text.count("</script>") == 2
    data = text.split('id="data">')[1].split("</script>")[0]
    assert "<" not in data
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    assert policy and re.fullmatch(
        r"default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'", policy[1]
    )
    assert not re.search(r"""(src|href)=["'](?!#)""", text)


def test_searching_games(cup: tuple[Tournament, str], window: Callable[..., Window]) -> None:
    page = window(cup[1]).open("")
    games, status = page.locator(".list tbody tr"), page.locator("#found")
    expect(status).to_have_text("24 games")
    page.get_by_label("Search").fill("bob CID")
    expect(status).to_have_text("4 of 24 games")
    assert games.count() == 4
    page.get_by_label("Search").fill("onerror hex")
    expect(status).to_have_text("6 of 24 games")
    page.get_by_label("Search").fill("")
    page.get_by_label("only with failures").check()
    expect(status).to_have_text("12 of 24 games")
    page.get_by_label("Entrant").select_option("Bob")
    expect(status).to_have_text("4 of 24 games")
    page.get_by_label("only with failures").uncheck()
    page.locator('.cross [data-pair="2 1"]').click()
    expect(status).to_have_text("4 of 24 games")
    assert page.get_by_label("against").input_value() == "1"


def check_every_position(page: Page, tournament: Tournament, id: str) -> None:
    """Goes through a game move by move, and compares the board with the core's."""
    game = tournament.played[id]
    record = game.record
    plan = board_layout(tournament.plan.games_played[game.variant])
    seats = {seat: look["name"] for seat, look in enumerate(plan["seats"], 1)}
    page.goto(page.url.split("#")[0] + f"#game/{id}")
    expect(page.locator("#viewer-heading")).to_contain_text(f"Game {id}:")
    page.keyboard.press("Home")
    moves = page.locator("#viewer-moves button > span").all_inner_texts()
    assert moves == [str(move) for move in record.moves]
    for state in record.states():
        lying = zip(plan["names"], state.tiles, strict=True)
        page.wait_for_function(SHOWS, arg=[f"{name}, {(TILE_NAMES | seats)[tile]}" for name, tile in lying])
        counts = page.locator("#viewer-seats li > b").all_inner_texts()
        assert [int(count) for count in counts] == list(state.scores)
        page.keyboard.press("ArrowRight")


def test_going_through_games(cup: tuple[Tournament, str], window: Callable[..., Window]) -> None:
    tournament, address = cup
    page = window(address).open("")
    fair = [game for game in tournament.played.values() if not game.failures]
    for variant in (0, 1):
        check_every_position(page, tournament, next(game.id for game in fair if game.variant == variant))


@pytest.fixture(params=[
    slow("xt:small.map"), "rolit", slow("xt:ring,players=2"), slow("xt:random,players=4,seed=2"),
])
def on_a_board(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Tournament, str]:
    """A short tournament on a kind of board; it is over before a browser's loop runs in this thread."""
    (tmp_path / "small.map").write_text(SMALL_MAP)
    spec = request.param.replace("small.map", str(tmp_path / "small.map"))
    entrants = entrants_of(["random", "greedy", "random", "greedy"])
    seats = Plan("cup", entrants, (spec,)).games_played[0].seats
    plan = Plan("cup", entrants[:seats], (spec,), games=seats, limit=NO_LIMIT)
    return played(tmp_path, plan)


def test_every_kind_of_board(on_a_board: tuple[Tournament, str], window: Callable[..., Window]) -> None:
    tournament, address = on_a_board
    check_every_position(window(address).open(""), tournament, "1.1/1")


def test_the_buttons_of_a_game(cup: tuple[Tournament, str], window: Callable[..., Window]) -> None:
    tournament, address = cup
    new = window(address)
    new.page.clock.install()
    page = new.open("")
    game = next(game for game in tournament.played.values() if not game.failures)
    last = len(game.record.moves)
    page.get_by_role("link", name=f"Open game {game.id}", exact=True).click()
    said = page.locator("#viewer-said")
    expect(said).to_have_text(f"Move 0 of {last}: start")
    page.get_by_role("button", name="One move forward").click()
    expect(said).to_contain_text(f"Move 1 of {last}")
    page.get_by_role("button", name="To the last move").click()
    expect(said).to_contain_text(f"Move {last} of {last}")
    page.get_by_role("button", name="One move back").click()
    expect(said).to_contain_text(f"Move {last - 1} of {last}")
    page.locator("#viewer-moves button").nth(2).click()
    expect(said).to_contain_text(f"Move 3 of {last}")
    page.get_by_role("slider").fill("1")
    expect(said).to_contain_text(f"Move 1 of {last}")
    page.get_by_role("button", name="Play the moves").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.clock.run_for(60_000)
    expect(said).to_contain_text(f"Move {last} of {last}")
    expect(page.get_by_role("button", name="Play the moves")).to_be_visible()
    heading = page.locator("#viewer-heading").inner_text()
    page.get_by_role("button", name="Next game").click()
    expect(page.locator("#viewer-heading")).not_to_have_text(heading)
    page.keyboard.press("Escape")
    expect(page.locator("#viewer")).to_be_hidden()
    expect(page).not_to_have_url(re.compile("#"))


def test_a_failed_game_says_why(cup: tuple[Tournament, str], window: Callable[..., Window]) -> None:
    tournament, address = cup
    page = window(address).open("")
    for game in [game for game in tournament.played.values() if game.failures][:2]:
        page.goto(f"{address}#game/{game.id}")
        expect(page.locator("#viewer-failures")).to_contain_text("Dud, seat")
        expect(page.locator("#viewer-failures pre")).to_contain_text(SAID)


@pytest.mark.parametrize(("size", "scheme"), [
    (DESKTOP, "light"), (PHONE, "dark"), slow(DESKTOP, "dark"), slow(PHONE, "light"),
], ids=["desktop-light", "phone-dark", "desktop-dark", "phone-light"])
def test_it_fits_and_everybody_can_use_it(
    cup: tuple[Tournament, str], window: Callable[..., Window], size: tuple[int, int], scheme: str
) -> None:
    page = window(cup[1], size=size, color_scheme=scheme).open("")
    check_fits(page)
    check_accessible(page)
    page.locator(".list a").first.click()
    expect(page.locator("#viewer")).to_be_visible()
    check_fits(page)
    check_accessible(page)


@pytest.fixture
def long_names(tmp_path: Path) -> str:
    """The address of a report of entrants with names that a phone has hardly room for."""
    specs = ["polyversi:level=1,noise=0", "Ann, Bob and their team", "random", "greedy:seed=1234567890123"]
    entrants = tuple(Entrant(name, "random") for name in specs)
    variants = ("othello-4", "othello:size=4,start=parallel", "xt:cube,players=3")
    return played(tmp_path, Plan("cup", entrants, variants, "knock-out", limit=NO_LIMIT))[1]


@pytest.mark.slow
def test_names_are_never_cut_in_tables(long_names: str, window: Callable[..., Window]) -> None:
    page = window(long_names, size=PHONE).open("")
    check_fits(page)
    names = page.locator("table bdi, .bracket bdi, .list .variant")
    assert names.count() > 30
    for name in names.all():
        assert name.evaluate("""name => {
            const lines = document.createRange();
            lines.selectNodeContents(name);
            return new Set(Array.from(lines.getClientRects(), (line) => Math.round(line.top))).size;
        }""") == 1, name.inner_text()


def test_the_scripts_are_short_and_name_no_host() -> None:
    for file in FOLDER.iterdir():
        if file.suffix in (".js", ".css", ".html"):
            text = file.read_text()
            assert len(text.splitlines()) <= 500
            assert not re.search(r"https?://(?!www\.w3\.org/)", text), file.name
