"""For tests of the page and its API: one server and one browser for all of them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from browser_pages import Driver, Pages, find_browser, running_browser, watched_pages
from web_server import WebServer, running_server


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the tests of this folder first, so that one worker runs all of them with one server.

    Each worker of pytest-xdist begins with a part of the list; a worker that is done takes tests from the end
    of another's part.
    """
    here = Path(__file__).parent
    items.sort(key=lambda item: not item.path.is_relative_to(here))


@pytest.fixture(scope="session", name="server")
def one_server() -> Iterator[WebServer]:
    """A server with time limits long enough for a busy machine."""
    with running_server("--time-limit", "60", "--workers", "2") as server:
        yield server


@pytest.fixture(scope="session", name="driver")
def one_browser() -> Iterator[Driver]:
    """A browser; tests that need it are skipped if there is none."""
    path = find_browser()
    if path is None:
        pytest.skip("Chromium is not installed")
    with running_browser(path) as driver:
        yield driver


@pytest.fixture
def pages(driver: Driver, server: WebServer) -> Iterator[Pages]:
    """Pages without any stored state, which must not log an error, fail, or contact another host."""
    with watched_pages(driver, server.address) as opened:
        yield opened
