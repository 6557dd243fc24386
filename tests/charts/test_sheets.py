"""Sheets as PDF: the pages of the layout, vectors and text, the same bytes every time."""

import io
import re
import sys
import zlib

import numpy as np
import pytest
from PIL import Image

from gemhunter.board.board import random_grid
from gemhunter.board.grid import Grid
from gemhunter.charts.look import chart_settings
from gemhunter.charts.sheets import _page_figure, pdf_of_sheets
from gemhunter.draw.sheets import PAGE_WIDTH, SheetBoard, SheetPage, sheet_pages
from gemhunter.errors import InputError


def pages_of(number: int, rows: int = 5, cols: int = 7) -> list[SheetPage]:
    boards = [SheetBoard(f"{i} · easy", random_grid(rows, cols, seed=i)) for i in range(1, number + 1)]
    return [*sheet_pages("Puzzles", boards), *sheet_pages("Solutions", boards)]


def drawings(pdf: bytes) -> bytes:
    """What a PDF file draws, without compression."""
    streams = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.S)
    return b"\n".join(zlib.decompress(each) for each in streams if each[:1] == b"x")


@pytest.mark.parametrize(("number", "size"), [(1, (1, 1)), (30, (5, 7)), (3, (16, 30)), (1, (100, 100))])
def test_a_file_has_every_page_on_a4(number: int, size: tuple[int, int]) -> None:
    pages = pages_of(number, *size)
    pdf = pdf_of_sheets(pages)
    assert len(re.findall(rb"/Type /Page\b", pdf)) == len(pages)
    for _, _, wide, high in re.findall(rb"/MediaBox \[ (\S+) (\S+) (\S+) (\S+) \]", pdf):
        assert (round(float(wide)), round(float(high))) == (595, 842)


@pytest.mark.parametrize(
    ("number", "size"), [(1, (4, 4)), (12, (4, 4)), (3, (8, 8)), (7, (9, 9)), (1, (16, 30)), (5, (2, 2))]
)
def test_the_ink_on_a_page_is_as_far_from_the_left_as_from_the_right(
    number: int, size: tuple[int, int]
) -> None:
    boards = [SheetBoard(f"{i} · medium", random_grid(*size, seed=i)) for i in range(1, number + 1)]
    for page in sheet_pages("Puzzles", boards):
        picture = io.BytesIO()
        with chart_settings():
            _page_figure(page).savefig(picture, format="png", dpi=60)
        columns = np.flatnonzero(np.asarray(Image.open(picture).convert("L")).min(axis=0) < 250)
        left, right = columns[0], PAGE_WIDTH * 60 / 25.4 - 1 - columns[-1]
        assert left == pytest.approx(right, abs=2)  # pixels of 0.4 mm


def test_the_same_pages_give_the_same_bytes_without_a_date() -> None:
    first, again = (pdf_of_sheets(pages_of(2)) for _ in range(2))
    assert first == again
    assert b"CreationDate" not in first


def test_every_sign_is_stamped_once_for_each_of_its_cells() -> None:
    grid = Grid([[1] * 20 + [-1], [-2] * 18 + [-1] * 3, [-3] * 16 + [-1] * 5])  # type: ignore[arg-type]
    drawn = drawings(pdf_of_sheets(sheet_pages("Puzzles", [SheetBoard("1 · easy", grid)])))
    stamps = re.findall(rb"/(M\d+) Do", drawn)
    assert sorted(stamps.count(kind) for kind in set(stamps)) == [16, 18, 20]


def test_pages_without_matplotlib_say_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(InputError, match=r"sheets as PDF need the package matplotlib; install it: .*plots"):
        pdf_of_sheets(pages_of(1))
