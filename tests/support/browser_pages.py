"""A browser for tests of the page: it fails on any fault of a page, and clicks cells by their names."""

import asyncio
import os
import re
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Error,
    Locator,
    Page,
    Request,
    Response,
    Route,
    ViewportSize,
    WebError,
    expect,
    sync_playwright,
)

if TYPE_CHECKING:
    from playwright.sync_api import Playwright

BROWSERS = ("/usr/bin/chromium", "chromium", "google-chrome", "chrome")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
PATIENCE_MS = 30_000
DESKTOP = ViewportSize(width=1280, height=800)
PHONE = ViewportSize(width=390, height=844)
SCREENSHOTS = "GEMHUNTER_SCREENSHOTS"
"""The environment variable with the folder for pictures of pages; without it none are kept."""

MIDDLE_OF_CELL = """cell => {
    const middle = () => {
        const { x, y, width, height } = cell.getBoundingClientRect();
        return [x + width / 2, y + height / 2];
    };
    const board = cell.closest("[role=grid]");
    if (!board.contains(document.elementFromPoint(...middle()))) cell.scrollIntoView({ block: "center" });
    return middle();
}"""

TWO_FRAMES = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


def find_browser() -> str | None:
    """The path of a Chromium that is installed here."""
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


@dataclass(frozen=True, slots=True)
class Driver:
    """A browser, and the loop that drives it.

    Playwright marks its loop as running for as long as the browser is open, which would keep other tests in
    the same process from using asyncio; so the mark is there only within `at_work`.
    """

    browser: Browser
    loop: asyncio.AbstractEventLoop
    idle: dict[bool, list[Page]] = field(default_factory=lambda: {False: [], True: []})
    """Pages that tests have left behind, by whether they are those of a phone.

    A new context costs over a second of processor time: a new process loads and compiles all modules.
    """

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """The time in which the browser is used."""
        asyncio._set_running_loop(self.loop)
        try:
            yield
        finally:
            asyncio._set_running_loop(None)


@contextmanager
def running_browser(path: str) -> Iterator[Driver]:
    """A browser without a window that ends with the block."""
    playwright: Playwright = sync_playwright().start()
    expect.set_options(timeout=PATIENCE_MS)
    browser = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
    driver = Driver(browser, asyncio.get_running_loop())
    asyncio._set_running_loop(None)
    try:
        yield driver
    finally:
        with driver.at_work():
            browser.close()
            playwright.stop()


@dataclass
class Pages:
    """The pages of one test, and every fault that they had."""

    # No slots: Playwright adds attributes to the owners of listeners.

    driver: Driver
    address: str
    faults: list[str] = field(default_factory=list)
    expected: list[str] = field(default_factory=list)
    opened: list[tuple[bool, Page]] = field(default_factory=list)

    def open(self, route: str = "", *, is_phone: bool = False) -> Page:
        """A page with a route such as `#play`, in a browser that remembers nothing of this server."""
        idle = self.driver.idle[is_phone]
        page = idle.pop() if idle else self._new_page(is_phone=is_phone)
        self.opened.append((is_phone, page))
        for event, listener in self._listeners():
            page.context.on(event, listener)
        page.goto(f"{self.address}{route}")
        return page

    def _new_page(self, *, is_phone: bool) -> Page:
        context = self.driver.browser.new_context(
            viewport=PHONE if is_phone else DESKTOP,
            has_touch=is_phone,
            is_mobile=is_phone,
            reduced_motion="reduce",
            locale="en-GB",
            permissions=["clipboard-read", "clipboard-write"],
        )
        context.set_default_timeout(PATIENCE_MS)
        return context.new_page()

    def _listeners(self) -> list[tuple[Any, Callable[[Any], None]]]:
        return [
            ("console", self._hear),
            ("weberror", self._see_error),
            ("request", self._see_request),
            ("requestfailed", self._see_failure),
            ("response", self._see_response),
        ]

    def expect_failure(self, path: str) -> None:
        """Requests whose address contains this text may fail from now on."""
        self.expected.append(path)

    def close(self) -> list[str]:
        """Leave all pages as if nobody had been there, for other tests; the faults until then."""
        faults = list(self.faults)
        for is_phone, page in self.opened:
            for event, listener in self._listeners():
                page.context.remove_listener(event, listener)
            try:
                page.unroute_all()
                page.goto(f"{self.address}favicon.ico")  # has no scripts, and needs no other process
                page.evaluate("localStorage.clear(), sessionStorage.clear()")
                page.set_viewport_size(PHONE if is_phone else DESKTOP)
                page.emulate_media(color_scheme="light")
                page.mouse.move(0, 0)
                self.driver.idle[is_phone].append(page)
            except Error:  # the server is gone, or the browser is
                page.context.close()
        return faults

    def _is_expected(self, url: str) -> bool:
        return any(path in url for path in self.expected)

    def _see_error(self, error: WebError) -> None:
        self.faults.append(f"page error: {error.error}")

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not self._is_expected(message.location["url"]):
            self.faults.append(f"console {message.type}: {message.text} ({message.location['url']})")

    def _see_request(self, request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme not in ("blob", "data") and parts.netloc != urlsplit(self.address).netloc:
            self.faults.append(f"a request to another host: {request.url}")

    def _see_failure(self, request: Request) -> None:
        # The page aborts questions whose answers are no longer needed.
        if request.failure != "net::ERR_ABORTED" and not self._is_expected(request.url):
            self.faults.append(f"{request.url}: {request.failure}")

    def _see_response(self, response: Response) -> None:
        if response.status >= 400 and not self._is_expected(response.url):
            self.faults.append(f"{response.url}: {response.status}")


@contextmanager
def watched_pages(driver: Driver, address: str) -> Iterator[Pages]:
    """Pages of a server; none may have logged an error, failed, or asked another host."""
    with driver.at_work():
        opened = Pages(driver, address)
        try:
            yield opened
        finally:
            faults = opened.close()
    assert not faults, "\n".join(faults)


def board_of(page: Page) -> Locator:
    """The board that the page shows."""
    return page.locator("[role=grid]:visible").first


def cell_of(page: Page, name: str) -> Locator:
    """The cell of a name such as `r3c4`, as screen readers find it."""
    found = re.fullmatch(r"r(\d+)c(\d+)", name)
    assert found, name
    row, col = found.groups()
    return board_of(page).locator(f'[aria-rowindex="{row}"] [aria-colindex="{col}"]')


def place_of(page: Page, name: str) -> tuple[float, float]:
    """The middle of a cell on the screen, scrolled to where nothing covers it."""
    x, y = cell_of(page, name).evaluate(MIDDLE_OF_CELL)
    return x, y


def click_cell(page: Page, name: str, *, is_flag: bool = False) -> None:
    """Click a cell with the left button, or with the right one."""
    page.mouse.click(*place_of(page, name), button="right" if is_flag else "left")


def expect_cell(page: Page, name: str, words: str) -> None:
    """Wait until a cell is described by these words."""
    row, col = name[1:].split("c")
    expect(cell_of(page, name)).to_have_attribute("aria-label", f"row {row}, column {col}, {words}")


def rows_of(page: Page) -> list[str]:
    """What the cells of the board are said to hold, as rows of text: digits, `_`, `F`, `T` and `G`."""
    page.evaluate(TWO_FRAMES)  # the board describes its cells when it draws them
    signs = {"hidden": "_", "flag": "F", "trap": "T", "gem": "G"}
    labels = (
        board_of(page)
        .locator("[role=row]")
        .evaluate_all("rows => rows.map(row => [...row.children].map(cell => cell.ariaLabel.split(', ')[2]))")
    )
    return ["".join(signs.get(words, words.removeprefix("clue ")) for words in row) for row in labels]


def is_soon(page: Page, holds: Callable[[], object]) -> bool:
    """Whether something comes true while the page goes on."""
    deadline = time.monotonic() + PATIENCE_MS / 1000
    while not holds() and time.monotonic() < deadline:
        page.wait_for_timeout(20)
    return bool(holds())


def expect_rows(page: Page, rows: list[str]) -> None:
    """Wait until the board is described as these rows."""
    assert is_soon(page, lambda: rows_of(page) == rows), rows_of(page)


def hold_answers(page: Page, path: str) -> Callable[[], None]:
    """Hold the answers to a question of the page; each call waits for one and lets it go on."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    def let_go() -> None:
        assert is_soon(page, lambda: held)
        held.pop().continue_()

    page.route(f"**/api/v1/{path}", hold)
    return let_go


def keep_picture(page: Page, name: str) -> None:
    """Keep pictures of the page in both sizes and themes, if a folder is given for them."""
    folder = os.environ.get(SCREENSHOTS)
    if folder is None:
        return
    Path(folder).mkdir(parents=True, exist_ok=True)
    before = page.viewport_size
    for width, size in (("wide", DESKTOP), ("narrow", PHONE)):
        page.set_viewport_size(size)
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
            page.evaluate(TWO_FRAMES)
            whole = page.locator("dialog[open]").count() == 0  # dialogs cover only what is in view
            page.screenshot(path=Path(folder) / f"{name}-{width}-{theme}.png", full_page=whole)
    if before is not None:
        page.set_viewport_size(before)
