"""The page and its server: how files are sent, and what happens when the server does not answer."""

import re
from pathlib import Path

import httpx
from playwright.sync_api import expect

import gemhunter.web
from browser_pages import Pages, click_cell, expect_cell, hold_answers, keep_picture
from web_server import WebServer

GAME = "#play?id=9x9n10%233%3Ano-guess&m=rk."

LOADED = """() => performance.getEntriesByType("resource").filter(each => each.transferSize > 0)
    .map(each => new URL(each.name).pathname)"""
"""The paths that the page has loaded from the server, not from the browser's cache."""

LATE_MODULES = """moment => performance.getEntriesByType("resource")
    .filter(each => each.startTime > moment && each.name.endsWith(".js")).map(each => each.name)"""
"""Modules that the page has requested since this moment."""


def test_the_page_names_its_files_by_version_and_browsers_keep_them_for_good(server: WebServer) -> None:
    static = Path(gemhunter.web.__file__).parent / "static"
    with httpx.Client(base_url=server.address, timeout=60) as client:
        page = client.get("/")
        named = re.findall(r'(?:href|src)="/static/([0-9a-f]+)/([^"]+)"', page.text)
        (version,) = {version for version, _ in named}
        files = [*static.rglob("*.css"), *static.rglob("*.js"), static / "gem.svg"]
        assert {name for _, name in named} == {file.relative_to(static).as_posix() for file in files}
        for name, media_type in (("js/app.js", "text/javascript"), ("css/base.css", "text/css")):
            answer = client.get(f"/static/{version}/{name}")
            assert answer.content == (static / name).read_bytes()
            assert answer.headers["content-type"].partition(";")[0] == media_type
            assert answer.headers["content-encoding"] == "gzip"
            assert answer.headers["cache-control"] == "max-age=31536000, immutable"
            plain = client.get(f"/static/{version}/{name}", headers={"accept-encoding": "identity"})
            assert (plain.content, plain.headers.get("content-encoding")) == (answer.content, None)
        for path in ("static/js/app.js", "static/0123456789abcdef/js/app.js", f"static/{version}/../app.py"):
            assert client.get(path).json()["error"]["code"] == "not-found"
        assert client.get("/", headers={"if-none-match": page.headers["etag"]}).status_code == 304


def test_head_is_answered_like_get_without_a_body(server: WebServer) -> None:
    with httpx.Client(base_url=server.address, timeout=60) as client:
        for path in ("/", "/favicon.ico", "/api/v1/about"):
            head, get = client.head(path), client.get(path)
            assert (head.status_code, head.content) == (200, b"")
            assert head.headers["content-length"] == get.headers["content-length"]


def test_modules_are_preloaded_and_not_asked_for_again_on_reload(pages: Pages) -> None:
    page = pages.open("#play")
    heading = page.get_by_role("heading", name="Minesweeper")
    expect(heading).to_be_visible()
    page.reload()
    expect(heading).to_be_visible()
    assert "/api/v1/about" in page.evaluate(LOADED)
    assert [path for path in page.evaluate(LOADED) if not path.startswith("/api/")] == []
    let_go = hold_answers(page, "about")
    with page.expect_request("**/api/v1/about"):
        page.reload()
    before_the_answer = page.evaluate("performance.now()")
    let_go()
    expect(heading).to_be_visible()
    assert page.evaluate(LATE_MODULES, before_the_answer) == []


def test_pages_and_tabs_recover_when_the_server_is_back(pages: Pages) -> None:
    page, other = pages.open(GAME), pages.open(GAME)
    for each in (page, other):
        expect_cell(each, "r3c3", "clue 0")
        each.route("**", lambda route: route.abort("connectionrefused"))
    for path in ("api/v1/", "static/"):
        pages.expect_failure(path)
    click_cell(page, "r1c1")
    offline = page.get_by_role("alert")
    expect(offline).to_contain_text("The server is not responding; is it still running?")
    expect(offline.get_by_role("button", name="Try again")).to_be_visible()
    keep_picture(page, "server-gone")
    other.get_by_role("link", name="Understand", exact=True).click()
    expect(other.get_by_role("alert").locator("span").first).to_have_text(
        "This tab could not be loaded: the server is not responding; is it still running?"
    )
    for each in (page, other):
        each.unroute_all()
    expect_cell(page, "r1c1", "clue 1")
    expect(offline).to_have_count(0)
    expect(other.locator(".understand-empty")).to_be_visible()


def test_a_tab_that_is_chosen_before_the_server_answers_is_shown_then(pages: Pages) -> None:
    page = pages.open()
    let_go = hold_answers(page, "about")
    with page.expect_request("**/api/v1/about"):
        page.reload()
    page.get_by_role("link", name="Play", exact=True).click()
    let_go()
    expect(page.get_by_role("heading", name="Minesweeper")).to_be_visible()
