"""Two people in two browsers, a second window of one of them, and somebody who watches: all stay in step."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.testing.browser import Window, check_accessible
from tests.testing.page_games import (
    await_position,
    begin,
    cell,
    check_result,
    choose_variant,
    is_my_turn,
    play,
    play_to_the_end,
    played,
    possible,
    set_option,
    set_seat,
)
from tests.testing.page_server import Served


def invited(window: Callable[..., Window], size: str) -> tuple[Window, Page, str]:
    """Ann has set up a game, and Bob has come by the link: Ann's window, Bob's page, the game."""
    ann = window()
    page = ann.open("/play")
    form = choose_variant(page, "Othello")
    set_option(form, "Size", size)
    set_seat(form, "white", "A friend")
    form.get_by_label("Your name").fill("Ann")
    game = begin(page, "Play with friends")
    link = page.get_by_role("textbox", name="Link for white").input_value()
    friend = window()
    friend.open("/settings").get_by_label("Your name").fill("Bob")
    friend.page.goto(link)
    expect(page.get_by_role("region", name="white").get_by_text("Bob")).to_be_visible()
    return ann, friend.page, game


def test_two_people_and_a_spectator_stay_in_step(window: Callable[..., Window], server: Served) -> None:
    ann, bob, game = invited(window, "4")
    again = ann.another(f"/game/{game}")
    watcher = window().open(f"/game/{game}")
    expect(ann.page.get_by_text("1 watching")).to_be_visible()
    everybody = [ann.page, again, bob, watcher]
    while not server.get(f"/api/games/{game}")["result"]:
        info = server.get(f"/api/games/{game}")
        is_black = info["position"].split()[1] == "X"
        mover = (ann.page, again)[info["plies"] % 4 // 2] if is_black else bob
        assert is_my_turn(mover)
        play(mover)
        info = server.get(f"/api/games/{game}")
        for page in everybody:
            await_position(page, info)
    for page in everybody:
        check_result(page, server, game)
        assert played(page) == played(ann.page)


def test_a_token_leaves_the_address_bar(window: Callable[..., Window]) -> None:
    _, bob, game = invited(window, "4")
    assert bob.url.endswith(f"/game/{game}")
    bob.reload()
    expect(bob.get_by_role("region", name="white").get_by_text("you", exact=True)).to_be_visible()
    assert "#" not in bob.url


def test_a_move_is_taken_back_only_by_consent(window: Callable[..., Window], server: Served) -> None:
    ann, bob, game = invited(window, "6")
    assert is_my_turn(ann.page)
    play(ann.page)
    assert is_my_turn(bob)
    for answer, plies in (("Decline", 1), ("Accept", 0)):
        ann.page.get_by_role("button", name="Ask to take back").click()
        asked = ann.page.get_by_role("main").get_by_text("You asked to take a move back.")
        expect(asked).to_be_visible()
        expect(bob.get_by_role("main").get_by_text("Ann asks to take a move back.")).to_be_visible()
        check_accessible(bob)
        bob.get_by_role("button", name=answer).click()
        expect(asked).to_be_hidden()
        expect(bob.get_by_role("button", name=answer)).to_be_hidden()
        for page in (ann.page, bob):    # the answer is told at once, the move goes back when that is stored
            expect(page.get_by_text("No moves yet.")).to_have_count(0 if plies else 1)
        assert server.get(f"/api/games/{game}")["plies"] == plies
    assert is_my_turn(ann.page)
    expect(ann.page.get_by_role("button", name="Hint")).to_have_count(0)


@pytest.mark.slow
def test_people_agree_on_a_rematch(window: Callable[..., Window]) -> None:
    ann, bob, game = invited(window, "4")
    assert is_my_turn(ann.page)
    bob.get_by_role("button", name="Resign").click()
    bob.get_by_role("group", name="Resign the game?").get_by_role("button", name="Resign").click()
    ann.page.get_by_role("button", name="Rematch").click()
    expect(bob.get_by_role("main").get_by_text("Ann would like a rematch.")).to_be_visible()
    bob.get_by_role("button", name="Accept").click()
    for page in (ann.page, bob):
        page.wait_for_url(lambda url: "/game/" in url and game not in url)
    assert is_my_turn(bob)
    expect(ann.page.get_by_text("Bob to move")).to_be_visible()


@pytest.mark.slow
def test_a_spectator_has_no_controls(window: Callable[..., Window], server: Served) -> None:
    _, _, game = invited(window, "6")
    page = window().open(f"/game/{game}")
    expect(page.get_by_text("Ann to move")).to_be_visible()
    for name in ("Resign", "Hint", "Take back", "Ask to take back", "Pass"):
        expect(page.get_by_role("button", name=name, exact=True)).to_have_count(0)
    expect(possible(page)).to_have_count(0)
    cell(page, "b3").click()
    page.reload()
    expect(page.get_by_text("No moves yet.")).to_be_visible()
    assert server.get(f"/api/games/{game}")["plies"] == 0


def test_two_people_at_one_screen(window: Callable[..., Window], server: Served) -> None:
    page = window().open("/play")
    form = choose_variant(page, "Othello")
    set_option(form, "Size", "4")
    set_seat(form, "white", "You")
    game = begin(page)
    expect(page.get_by_text("Your move, black")).to_be_visible()
    play(page)
    expect(page.get_by_text("Your move, white")).to_be_visible()
    play_to_the_end(page)
    check_result(page, server, game)
