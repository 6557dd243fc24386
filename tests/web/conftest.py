"""For tests of the page and its API: one server and one browser for all of them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from browser_pages import Driver, Pages, find_browser, running_browser, watched_pages
from web_server import WebServer, running_server


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the tests of this folder, so that one worker runs all of them and needs one server.

    Each worker of pytest-xdist begins with a part of the list, and those that are done take over from the end
    of what others have left.
    """
    here = Path(__file__).parent
    items.sort(key=lambda item: not item.path.is_relative_to(here))


@pytest.fixture(scope="session", name="server")
def one_server() -> Iterator[WebServer]:
    """A server that does not give up on a busy machine."""
    with running_server("--time-limit", "60", "--workers", "2") as server:
        yield server


@pytest.fixture(scope="session", name="driver")
def one_browser() -> Iterator[Driver]:
    """A browser; tests that need it are skipped where there is none."""
    path = find_browser()
    if path is None:
        pytest.skip("Chromium is not installed")
    with running_browser(path) as driver:
        yield driver


@pytest.fixture
def pages(driver: Driver, server: WebServer) -> Iterator[Pages]:
    """Pages that remember nothing; no page may have logged an error, failed, or asked another host."""
    with watched_pages(driver, server.address) as opened:
        yield opened
