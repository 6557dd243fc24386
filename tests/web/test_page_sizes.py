"""The page in low and small windows: boards are drawn where clicks hit them, and the page scrolls."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser_pages import PHONE, TWO_FRAMES, Pages, cell_of, is_soon

LOW = ((844, 390), (720, 450), (640, 360))
"""Windows with little room for a board: a phone on its side, and laptops at 200 % zoom."""
OTHERS = ((PHONE["width"], PHONE["height"]), (820, 1180), (1180, 820), (1280, 800))
CELLS = [f"r{row}c{col}" for row in (1, 2, 3) for col in (1, 2, 3, 4)]
BOARD = "b=3x4~3a2c2b31a"
ROUTES = {
    "analyse": (f"#analyse?{BOARD}", ".analyse-sentence"),
    "understand": (f"#understand?{BOARD}", ".understand-sentence"),
    "fill in": (f"#play?{BOARD}", ".play-say p"),
    "game": ("#play?id=9x9n10%233%3Ano-guess&m=rk.", ".play-say p"),
}
"""A route for each way in which a tab lays out its board, and an element that is visible once it is ready."""

DRAWN = """cell => {
    cell.scrollIntoView({ block: "center" });
    const [board, stage] = [cell.closest(".board"), cell.closest("[role=grid]").getBoundingClientRect()];
    const canvas = board.querySelector("canvas");
    const picture = canvas.getBoundingClientRect();
    const { x, y, width, height } = cell.getBoundingClientRect();
    const across = picture.width / (canvas.width / devicePixelRatio);
    const down = picture.height / (canvas.height / devicePixelRatio);
    return {
        x: picture.x + (x + width / 2 - stage.x) * across, y: picture.y + (y + height / 2 - stage.y) * down,
        across, down, cell: Math.min(width, height),
        board: board.clientHeight, window: innerHeight, page: document.documentElement.scrollHeight,
    };
}"""


def drawn(page: Page, name: str) -> dict[str, Any]:
    """Where a cell is on the picture, scrolled into view, and how the picture is stretched."""
    found: dict[str, Any] = cell_of(page, name).evaluate(DRAWN)
    return found


def is_in_shape(place: dict[str, Any]) -> bool:
    """Whether the picture is not stretched."""
    return (place["across"], place["down"]) == (1, 1)


def resize(page: Page, size: tuple[int, int]) -> None:
    """Resize the window of the page, and give the page time to adapt."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.evaluate(TWO_FRAMES)


def test_no_tab_scrolls_sideways_on_a_narrow_screen(pages: Pages) -> None:
    page = pages.open()
    resize(page, (320, 640))
    starts = {"analyse": ".analyse-sentence", "understand": ".understand-empty", "play": ".play-levels"}
    for tab, sign in {**starts, "compare": ".compare-boards", "make": ".make-form"}.items():
        page.goto(f"{pages.address}#{tab}")
        expect(page.locator(sign)).to_be_visible()
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= 320, f"{tab} is {width} wide"


def test_every_cell_is_clicked_where_it_is_drawn_in_low_windows(pages: Pages) -> None:
    page = pages.open(f"#analyse?{BOARD}")
    line = page.locator(".analyse-cell-line")
    expect(page.locator(".analyse-sentence")).to_be_visible()
    for size in LOW:
        resize(page, size)
        for name in CELLS:
            place = drawn(page, name)
            page.mouse.click(place["x"], place["y"])
            expect(line, f"{name} at {size}").to_contain_text(f"{name}: ")


@pytest.mark.parametrize(
    ("route", "sign"),
    [
        pytest.param(*place, id=name, marks=() if name == "game" else pytest.mark.full)
        for name, place in ROUTES.items()
    ],
)
def test_in_low_windows_boards_keep_their_shape_and_the_page_scrolls(
    pages: Pages, route: str, sign: str
) -> None:
    page = pages.open(route)
    expect(page.locator(sign).locator("visible=true").first).to_be_visible()
    for size in (*LOW, *OTHERS):
        resize(page, size)
        assert is_soon(page, lambda: is_in_shape(drawn(page, "r1c1"))), f"at {size}: {drawn(page, 'r1c1')}"
        found = drawn(page, "r1c1")
        assert found["board"] <= found["window"], f"at {size}, the board is higher than the window"
        if size in LOW:
            assert found["cell"] >= 24, f"at {size}, cells have {found['cell']}"
            assert found["page"] > found["window"], f"at {size}, the page does not scroll"
