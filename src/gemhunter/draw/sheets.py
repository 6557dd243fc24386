"""Sheets of boards to print: where numbered boards stand on pages of A4, and the pages as SVG."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import ceil

from gemhunter.board.grid import Grid
from gemhunter.draw.grids import SIGN_SIZE, SVG_SIDE, svg_cells
from gemhunter.draw.palette import INK_COLOUR, LINE_COLOUR, PAPER_COLOUR

PAGE_WIDTH, PAGE_HEIGHT, PAGE_MARGIN = 210, 297, 15
"""Millimetres."""

HEADING_HEIGHT, LABEL_HEIGHT, BOARD_GAP = 14, 7, 8
"""Millimetres above the boards, above each board, and between boards."""

ROOM_ACROSS = PAGE_WIDTH - 2 * PAGE_MARGIN
ROOM_DOWN = PAGE_HEIGHT - 2 * PAGE_MARGIN - HEADING_HEIGHT
"""Millimetres for boards."""

HEADING_BASELINE, LABEL_BASELINE = PAGE_MARGIN + 5, LABEL_HEIGHT - 2
"""Millimetres from the top of the page, and of a label, to the line that the text stands on."""

HEADING_SIZE, LABEL_SIZE = 6, 4.5
"""Of fonts, in millimetres."""

LARGEST_CELL, USUAL_CELL = 10.0, 7.0
"""Millimetres: boards stand beside each other if cells of the usual width allow it, and then may grow."""

_STYLE = (
    f"text{{font:600 {SIGN_SIZE}px system-ui,sans-serif;text-anchor:middle}}"
    f"rect{{stroke:{LINE_COLOUR};fill:{PAPER_COLOUR}}}"
    f".words text{{font:{LABEL_SIZE}px system-ui,sans-serif;text-anchor:start;fill:{INK_COLOUR}}}"
    f".words .heading{{font-size:{HEADING_SIZE}px;font-weight:700}}"
)


@dataclass(frozen=True, slots=True, eq=False)
class SheetBoard:
    """A board on a sheet, and the line above it."""

    label: str
    grid: Grid


@dataclass(frozen=True, slots=True, eq=False)
class PlacedBoard:
    """A board on a page: where its label begins, and how wide its cells are, in millimetres."""

    board: SheetBoard
    x: float
    y: float
    cell: float


@dataclass(frozen=True, slots=True, eq=False)
class SheetPage:
    """A page with a heading, and the boards on it."""

    heading: str
    boards: Sequence[PlacedBoard]


def sheet_pages(title: str, boards: Sequence[SheetBoard]) -> list[SheetPage]:
    """Pages with all boards in their order; none if there are no boards."""
    if not boards:
        return []
    layout = _layout(boards)
    pages = [boards[first : first + layout.size] for first in range(0, len(boards), layout.size)]
    return [
        SheetPage(_heading(title, number, len(pages)), _placed(page, layout))
        for number, page in enumerate(pages, 1)
    ]


def draw_sheets(title: str, boards: Sequence[SheetBoard]) -> list[str]:
    """Pages with all boards in their order, each a complete SVG document."""
    return list(map(_svg_page, sheet_pages(title, boards)))


def _heading(title: str, number: int, pages: int) -> str:
    return title if pages == 1 else f"{title}, page {number} of {pages}"


@dataclass(frozen=True, slots=True)
class _Layout:
    """How many boards stand beside and below each other, and how wide their cells are."""

    across: int
    down: int
    cell: float
    width: float
    height: float

    @property
    def size(self) -> int:
        return self.across * self.down


def _layout(boards: Sequence[SheetBoard]) -> _Layout:
    """As many boards on a page as fit with cells of the usual size, and then as large as they can be."""
    rows, cols = (max(sides) for sides in zip(*(each.grid.cells.shape for each in boards), strict=True))
    usual = _Layout(1, 1, USUAL_CELL, cols * USUAL_CELL, rows * USUAL_CELL + LABEL_HEIGHT)
    across = max(int((ROOM_ACROSS + BOARD_GAP) / (usual.width + BOARD_GAP)), 1)
    down = max(int((ROOM_DOWN + BOARD_GAP) / (usual.height + BOARD_GAP)), 1)
    across, down = min(across, len(boards)), min(down, ceil(len(boards) / across))
    widest = (ROOM_ACROSS - (across - 1) * BOARD_GAP) / across / cols
    highest = ((ROOM_DOWN - (down - 1) * BOARD_GAP) / down - LABEL_HEIGHT) / rows
    cell = min(LARGEST_CELL, widest, highest)
    return _Layout(across, down, cell, cols * cell, rows * cell + LABEL_HEIGHT)


def _placed(boards: Sequence[SheetBoard], layout: _Layout) -> list[PlacedBoard]:
    """The boards of one page, row by row."""
    placed = []
    for number, board in enumerate(boards):
        down, across = divmod(number, layout.across)
        x = PAGE_MARGIN + across * (layout.width + BOARD_GAP)
        y = PAGE_MARGIN + HEADING_HEIGHT + down * (layout.height + BOARD_GAP)
        placed.append(PlacedBoard(board, x, y, layout.cell))
    return placed


def _svg_page(page: SheetPage) -> str:
    size = f'width="{PAGE_WIDTH}mm" height="{PAGE_HEIGHT}mm" viewBox="0 0 {PAGE_WIDTH} {PAGE_HEIGHT}"'
    heading, place = escape(page.heading), f'x="{PAGE_MARGIN}" y="{HEADING_BASELINE}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}>',
        f"<title>{heading}</title>",
        f'<rect width="{PAGE_WIDTH}" height="{PAGE_HEIGHT}" style="stroke:none;fill:{PAPER_COLOUR}"/>',
        f"<style>{_STYLE}</style>",
        f'<g class="words"><text class="heading" {place}>{heading}</text></g>',
    ]
    return "\n".join([*parts, *map(_svg_board, page.boards), "</svg>\n"])


def _svg_board(placed: PlacedBoard) -> str:
    x, y, text = placed.x, placed.y, escape(placed.board.label)
    label = f'<g class="words"><text x="{x:g}" y="{y + LABEL_BASELINE:g}">{text}</text></g>'
    scale = f"translate({x:g} {y + LABEL_HEIGHT:g}) scale({placed.cell / SVG_SIDE:g})"
    return f'{label}\n<g transform="{scale}">\n{svg_cells(placed.board.grid)}\n</g>'
