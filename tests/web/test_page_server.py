"""The page and its server: what happens before it answers, and when it goes away."""

from contextlib import ExitStack
from urllib.parse import urlsplit

from playwright.sync_api import Route, expect

from browser_pages import Driver, Pages, click_cell, expect_cell, keep_picture, watched_pages
from web_server import running_server

GAME = "#play?id=9x9n10%233%3Ano-guess&m=rk."


def test_a_game_goes_on_after_the_server_was_restarted(driver: Driver) -> None:
    with ExitStack() as first, ExitStack() as second:
        address = first.enter_context(running_server("--workers", "1")).address
        pages = second.enter_context(watched_pages(driver, address))
        page = pages.open(GAME)
        expect_cell(page, "r3c3", "clue 0")
        first.close()
        pages.expect_failure("api/v1/play")
        pages.expect_failure("gem.svg")  # the icon, which the browser asks for when it likes
        click_cell(page, "r1c1")
        offline = page.get_by_role("alert")
        expect(offline).to_contain_text("The server does not answer; is `gemhunter web` still running?")
        keep_picture(page, "server-gone")
        second.enter_context(running_server("--workers", "1", "--port", str(urlsplit(address).port)))
        offline.get_by_role("button", name="Try again").click()
        expect_cell(page, "r1c1", "clue 1")
        expect(offline).to_have_count(0)


def test_a_tab_that_is_chosen_before_the_server_answers_is_shown_then(pages: Pages) -> None:
    page = pages.open()
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/api/v1/about", hold)
    with page.expect_request("**/api/v1/about"):
        page.reload()
    page.get_by_role("link", name="Play", exact=True).click()
    held[0].continue_()
    expect(page.get_by_role("heading", name="Minesweeper")).to_be_visible()
