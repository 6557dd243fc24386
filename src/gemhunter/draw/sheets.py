"""Sheets of boards to print: the layout of boards on A4 pages, and the pages as SVG."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import ceil

from gemhunter.board.grid import Grid
from gemhunter.draw.grids import SIGN_SIZE, SVG_SIDE, svg_cells
from gemhunter.draw.palette import INK_COLOUR, LINE_COLOUR, PAPER_COLOUR

# All in millimetres.
PAGE_WIDTH, PAGE_HEIGHT, PAGE_MARGIN = 210, 297, 15
HEADING_HEIGHT, LABEL_HEIGHT, BOARD_GAP = 14, 7, 8  # above the boards, above each board, between boards
ROOM_ACROSS = PAGE_WIDTH - 2 * PAGE_MARGIN  # for boards
ROOM_DOWN = PAGE_HEIGHT - 2 * PAGE_MARGIN - HEADING_HEIGHT
HEADING_BASELINE, LABEL_BASELINE = PAGE_MARGIN + 5, LABEL_HEIGHT - 2  # from the top of the page, of a label
HEADING_SIZE, LABEL_SIZE = 6, 4.5  # of fonts
USUAL_CELL = 7.0  # boards stand side by side if they fit with cells of this width; cells may then grow


@dataclass(frozen=True, slots=True, eq=False)
class SheetBoard:
    """A board on a sheet, and the line above it."""

    label: str
    grid: Grid


@dataclass(frozen=True, slots=True, eq=False)
class PlacedBoard:
    """A board on a page: its left edge, the upper edge of its label, and how wide its cells are, in mm."""

    board: SheetBoard
    x: float
    y: float
    cell: float

    @property
    def middle(self) -> float:
        """Halfway across the board, where its label stands."""
        return self.x + self.board.grid.cols * self.cell / 2


@dataclass(frozen=True, slots=True, eq=False)
class SheetPage:
    """A page with a heading, and the boards on it."""

    heading: str
    boards: Sequence[PlacedBoard]


def sheet_pages(title: str, boards: Sequence[SheetBoard]) -> list[SheetPage]:
    """The layout of all boards on pages, in order.

    A page has as many boards as fit with cells of the usual size; the cells then grow to fill it. The boards
    stand in the middle of the page, with equal margins left and right.
    """
    if not boards:
        return []
    rows, cols = (max(sides) for sides in zip(*(board.grid.cells.shape for board in boards), strict=True))
    cols = max(cols, 4)  # the width of a label
    across = max(int((ROOM_ACROSS + BOARD_GAP) / (cols * USUAL_CELL + BOARD_GAP)), 1)
    down = max(int((ROOM_DOWN + BOARD_GAP) / (rows * USUAL_CELL + LABEL_HEIGHT + BOARD_GAP)), 1)
    across, down = min(across, len(boards)), min(down, ceil(len(boards) / across))
    widest = (ROOM_ACROSS - (across - 1) * BOARD_GAP) / across / cols
    highest = ((ROOM_DOWN - (down - 1) * BOARD_GAP) / down - LABEL_HEIGHT) / rows
    cell = min(10.0, widest, highest)

    def placed(number: int, board: SheetBoard, columns: int) -> PlacedBoard:
        row, col = divmod(number, across)
        middle = PAGE_WIDTH / 2 + (col - (columns - 1) / 2) * (cols * cell + BOARD_GAP)
        y = PAGE_MARGIN + HEADING_HEIGHT + row * (rows * cell + LABEL_HEIGHT + BOARD_GAP)
        return PlacedBoard(board, middle - board.grid.cols * cell / 2, y, cell)

    size = across * down
    pages = [boards[first : first + size] for first in range(0, len(boards), size)]
    return [
        SheetPage(
            title if len(pages) == 1 else f"{title}, page {number} of {len(pages)}",
            [placed(place, board, min(across, len(page))) for place, board in enumerate(page)],
        )
        for number, page in enumerate(pages, 1)
    ]


def draw_sheets(title: str, boards: Sequence[SheetBoard]) -> list[str]:
    """Pages with all boards in order, each a complete SVG document."""
    return list(map(_svg_page, sheet_pages(title, boards)))


def _svg_page(page: SheetPage) -> str:
    size = f'width="{PAGE_WIDTH}mm" height="{PAGE_HEIGHT}mm" viewBox="0 0 {PAGE_WIDTH} {PAGE_HEIGHT}"'
    heading, place = escape(page.heading), f'x="{PAGE_WIDTH / 2:g}" y="{HEADING_BASELINE}"'
    style = (
        f"text{{font:600 {SIGN_SIZE}px system-ui,sans-serif;text-anchor:middle}}"
        f"rect{{stroke:{LINE_COLOUR};fill:{PAPER_COLOUR}}}"
        f".words text{{font:{LABEL_SIZE}px system-ui,sans-serif;fill:{INK_COLOUR}}}"
        f".words .heading{{font-size:{HEADING_SIZE}px;font-weight:700}}"
    )
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size}>',
        f"<title>{heading}</title>",
        f'<rect width="{PAGE_WIDTH}" height="{PAGE_HEIGHT}" style="stroke:none;fill:{PAPER_COLOUR}"/>',
        f"<style>{style}</style>",
        f'<g class="words"><text class="heading" {place}>{heading}</text></g>',
    ]
    return "\n".join([*parts, *map(_svg_board, page.boards), "</svg>\n"])


def _svg_board(placed: PlacedBoard) -> str:
    x, y, text = placed.x, placed.y, escape(placed.board.label)
    label = f'<g class="words"><text x="{placed.middle:g}" y="{y + LABEL_BASELINE:g}">{text}</text></g>'
    scale = f"translate({x:g} {y + LABEL_HEIGHT:g}) scale({placed.cell / SVG_SIDE:g})"
    return f'{label}\n<g transform="{scale}">\n{svg_cells(placed.board.grid)}\n</g>'
