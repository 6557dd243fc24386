"""Sheets of boards to print: pages of A4 with numbered boards, as SVG."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import ceil

from gemhunter.core.grid import Grid
from gemhunter.render.grids import SVG_SIDE, svg_cells
from gemhunter.render.palette import INK_COLOUR, LINE_COLOUR, PAPER_COLOUR

PAGE_WIDTH, PAGE_HEIGHT, PAGE_MARGIN = 210, 297, 15
"""Millimetres."""

HEADING_HEIGHT, LABEL_HEIGHT, BOARD_GAP = 14, 7, 8
"""Millimetres above the boards, above each board, and between boards."""

ROOM_ACROSS = PAGE_WIDTH - 2 * PAGE_MARGIN
ROOM_DOWN = PAGE_HEIGHT - 2 * PAGE_MARGIN - HEADING_HEIGHT
"""Millimetres for boards."""

LARGEST_CELL, USUAL_CELL = 10.0, 7.0
"""Millimetres: boards stand beside each other if cells of the usual width allow it, and then may grow."""

_STYLE = (
    "text{font:600 17px system-ui,sans-serif;text-anchor:middle}"
    f"rect{{stroke:{LINE_COLOUR};fill:{PAPER_COLOUR}}}"
    f".words text{{font:4.5px system-ui,sans-serif;text-anchor:start;fill:{INK_COLOUR}}}"
    ".words .heading{font-size:6px;font-weight:700}"
)


@dataclass(frozen=True, slots=True, eq=False)
class SheetBoard:
    """A board on a sheet, and the line above it."""

    label: str
    grid: Grid


def draw_sheets(title: str, boards: Sequence[SheetBoard]) -> list[str]:
    """Pages with all boards in their order, each a complete SVG document."""
    layout = _layout(boards)
    pages = [boards[first : first + layout.size] for first in range(0, len(boards), layout.size)]
    return [_page(_heading(title, number, len(pages)), page, layout) for number, page in enumerate(pages, 1)]


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


def _page(heading: str, boards: Sequence[SheetBoard], layout: _Layout) -> str:
    top = PAGE_MARGIN + 5
    size = f'width="{PAGE_WIDTH}mm" height="{PAGE_HEIGHT}mm" viewBox="0 0 {PAGE_WIDTH} {PAGE_HEIGHT}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}>',
        f"<title>{escape(heading)}</title>",
        f'<rect width="{PAGE_WIDTH}" height="{PAGE_HEIGHT}" style="stroke:none;fill:{PAPER_COLOUR}"/>',
        f"<style>{_STYLE}</style>",
        f'<g class="words"><text class="heading" x="{PAGE_MARGIN}" y="{top}">{escape(heading)}</text></g>',
    ]
    for number, board in enumerate(boards):
        down, across = divmod(number, layout.across)
        x = PAGE_MARGIN + across * (layout.width + BOARD_GAP)
        y = PAGE_MARGIN + HEADING_HEIGHT + down * (layout.height + BOARD_GAP)
        parts.append(_board(board, layout.cell, x, y))
    return "\n".join([*parts, "</svg>\n"])


def _board(board: SheetBoard, cell: float, x: float, y: float) -> str:
    label = f'<g class="words"><text x="{x:g}" y="{y + LABEL_HEIGHT - 2:g}">{escape(board.label)}</text></g>'
    scale = f"translate({x:g} {y + LABEL_HEIGHT:g}) scale({cell / SVG_SIDE:g})"
    return f'{label}\n<g transform="{scale}">\n{svg_cells(board.grid)}\n</g>'
