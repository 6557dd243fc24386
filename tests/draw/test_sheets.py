"""Sheets of boards to print: every board once, inside the page."""

import re
from xml.etree import ElementTree

import pytest

from gemhunter.board.board import random_grid
from gemhunter.board.grid import Grid
from gemhunter.draw.sheets import PAGE_HEIGHT, PAGE_MARGIN, PAGE_WIDTH, SheetBoard, draw_sheets, sheet_pages

SVG = "{http://www.w3.org/2000/svg}"


def boards(number: int, rows: int = 5, cols: int = 7) -> list[SheetBoard]:
    return [SheetBoard(f"{i} · <easy>", random_grid(rows, cols, seed=i)) for i in range(1, number + 1)]


def labels(page: str) -> list[str]:
    return [
        text.text or ""
        for text in ElementTree.fromstring(page).iter(f"{SVG}text")
        if "·" in (text.text or "")
    ]


@pytest.mark.parametrize(
    ("number", "size"), [(1, (5, 7)), (13, (5, 7)), (3, (60, 40)), (2, (1, 80)), (40, (2, 2))]
)
def test_every_board_is_on_one_page_and_inside_it(number: int, size: tuple[int, int]) -> None:
    pages = draw_sheets("Puzzles", boards(number, *size))
    assert [label for page in pages for label in labels(page)] == [each.label for each in boards(number)]
    for page in pages:
        for x, y, scale in re.findall(r"translate\(([\d.]+) ([\d.]+)\) scale\(([\d.e-]+)\)", page):
            right = float(x) + size[1] * 32 * float(scale)
            bottom = float(y) + size[0] * 32 * float(scale)
            assert PAGE_MARGIN <= float(x) < right <= PAGE_WIDTH - PAGE_MARGIN + 0.01
            assert PAGE_MARGIN <= float(y) < bottom <= PAGE_HEIGHT - PAGE_MARGIN + 0.01


@pytest.mark.parametrize("size", [(4, 4), (8, 8), (9, 9), (16, 30), (2, 3)])
def test_the_margins_left_and_right_of_the_boards_are_equal(size: tuple[int, int]) -> None:
    for number in range(1, 13):
        for page in draw_sheets("Puzzles", boards(number, *size)):
            edges = [
                (float(x), float(x) + size[1] * 32 * float(scale))
                for x, scale in re.findall(r"translate\(([\d.]+) [\d.]+\) scale\(([\d.e-]+)\)", page)
            ]
            left, right = min(x for x, _ in edges), max(x for _, x in edges)
            assert left == pytest.approx(PAGE_WIDTH - right, abs=0.01)


def test_boards_of_several_sizes_stand_in_the_middle_too() -> None:
    narrow, wide = boards(1, 4, 4)[0], boards(1, 4, 9)[0]
    (page,) = sheet_pages("Puzzles", [wide, narrow, narrow])
    assert page.boards[0].middle == page.boards[2].middle
    assert page.boards[0].middle + page.boards[1].middle == pytest.approx(PAGE_WIDTH)


def test_a_page_has_the_signs_of_its_boards() -> None:
    (page,) = draw_sheets("Puzzles", [SheetBoard("1 · easy", Grid([[1, -1], [-2, -3]]))])  # type: ignore[arg-type]
    signs = [text.text for text in ElementTree.fromstring(page).iter(f"{SVG}text")]
    assert signs == ["Puzzles", "1 · easy", "1", "✹", "◆"]


def test_several_pages_are_numbered() -> None:
    pages = draw_sheets("Solutions", boards(30))
    titles = [ElementTree.fromstring(page).findtext(f"{SVG}title") for page in pages]
    assert titles == [f"Solutions, page {number} of {len(pages)}" for number in range(1, len(pages) + 1)]
    assert len(pages) > 1
