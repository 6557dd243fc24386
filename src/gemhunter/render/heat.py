"""Heat maps: how likely each cell is a trap, as colours, two-digit percentages and SVG pictures."""

import numpy as np
from numpy.typing import NDArray

from gemhunter.core.grid import HIDDEN, MARKS, Grid
from gemhunter.render.svg import BASELINE, CLUE_COLOURS, SIDE, document

COLD, WARM, HOT = (134, 239, 172), (254, 240, 138), (248, 113, 113)
"""Colours for no risk, an even chance and a certain trap."""

UNKNOWN = "??"
"""What stands where the risk of a hidden cell is not known."""

Risk = NDArray[np.float64]


def heat_colour(risk: float) -> tuple[int, int, int]:
    """Red, green and blue for a risk between 0 and 1."""
    low, high, share = (COLD, WARM, 2 * risk) if risk < 0.5 else (WARM, HOT, 2 * risk - 1)
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(low, high, strict=True))
    return red, green, blue


def heat_sign(code: int, risk: float) -> str:
    """A cell in at most two characters: its mark, `T` or `G` where it is certain, else a percentage.

    A percentage has two digits, from 01 to 99, so that nobody takes it for a clue.
    """
    if code != HIDDEN:
        return MARKS[code]
    if np.isnan(risk):
        return UNKNOWN
    if risk in (0.0, 1.0):
        return "T" if risk else "G"
    return f"{min(max(round(100 * risk), 1), 99):02d}"


def heat_signs(grid: Grid, risk: Risk) -> list[list[str]]:
    """All cells of a board as `heat_sign` writes them, row by row."""
    rows = zip(grid.cells.tolist(), risk.tolist(), strict=True)
    return [[heat_sign(*cell) for cell in zip(codes, risks, strict=True)] for codes, risks in rows]


def draw_heat(grid: Grid, risk: Risk) -> str:
    """A picture of a board, each hidden cell coloured by its risk, as a complete SVG document.

    `risk` is not a number where nothing is known.
    """
    parts = []
    for row, signs in enumerate(heat_signs(grid, risk)):
        for col, sign in enumerate(signs):
            parts.append(_cell(row, col, sign, (grid[row, col], float(risk[row, col]))))
    return document(grid.cols * SIDE, grid.rows * SIDE, "\n".join(parts))


def _cell(row: int, col: int, sign: str, content: tuple[int, float]) -> str:
    code, risk = content
    x, y = col * SIDE, row * SIDE
    box = f'x="{x}" y="{y}" width="{SIDE}" height="{SIDE}"'
    middle = f'x="{x + SIDE / 2:g}" y="{y + BASELINE}"'
    if code != HIDDEN:
        colour = CLUE_COLOURS[max(code, 0)]
        return f'<rect class="clue" {box}/>\n<text {middle} fill="{colour}">{sign}</text>'
    if np.isnan(risk):
        return f'<rect class="hidden" {box}/>'
    fill = "#{:02x}{:02x}{:02x}".format(*heat_colour(risk))
    return f'<rect {box} fill="{fill}"/>\n<text {middle} fill="#1e293b" style="font-size:14px">{sign}</text>'
