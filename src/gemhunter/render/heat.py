"""Heat maps: how likely each cell is a trap, as colours, two-digit percentages and SVG pictures."""

import numpy as np
from numpy.typing import NDArray

from gemhunter.core.grid import GEM, HIDDEN, MARKS, TRAP, Grid
from gemhunter.render.palette import (
    CLUE_COLOURS,
    INK_COLOUR,
    PLAIN,
    SHOWN_GEM,
    SHOWN_TRAP,
    SURE_GEM,
    SURE_INK,
    SURE_TRAP,
    Look,
    heat_colour,
    risk_look,
)
from gemhunter.render.svg import BASELINE, SIDE, document

UNKNOWN = "??"
"""What stands where the risk of a hidden cell is not known; narrow maps have its first character."""

TENTHS = "abcdefghij"
"""Risks in narrow maps: `a` is below 10 %, `b` below 20 %, and so on."""

Risk = NDArray[np.float64]


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


def narrow_sign(code: int, risk: float) -> str:
    """A cell in one character: as `heat_sign`, with a letter of `TENTHS` in place of a percentage."""
    sign = heat_sign(code, risk)
    return TENTHS[min(int(10 * risk), len(TENTHS) - 1)] if sign.isdecimal() and len(sign) > 1 else sign[0]


def heat_look(code: int, risk: float, depth: int) -> Look:
    """How a terminal with `depth` colours shows a cell."""
    if code != HIDDEN:
        return {TRAP: SHOWN_TRAP, GEM: SHOWN_GEM}.get(code, PLAIN)
    return PLAIN if np.isnan(risk) else risk_look(risk, depth)


def draw_heat(grid: Grid, risk: Risk) -> str:
    """A picture of a board, each hidden cell coloured by its risk, as a complete SVG document.

    `risk` is not a number where nothing is known.
    """
    parts = []
    for row, signs in enumerate(heat_signs(grid, risk)):
        for col, sign in enumerate(signs):
            parts.append(_cell(row, col, sign, (grid[row, col], float(risk[row, col]))))
    return document(grid.rows, grid.cols, "\n".join(parts))


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
    if risk in (0.0, 1.0):
        fill = SURE_TRAP if risk else SURE_GEM
        return f'<rect {box} fill="{fill}"/>\n<text {middle} fill="{SURE_INK}">{sign}</text>'
    fill = "#{:02x}{:02x}{:02x}".format(*heat_colour(risk))
    style = "font-size:14px;font-weight:400"
    return f'<rect {box} fill="{fill}"/>\n<text {middle} fill="{INK_COLOUR}" style="{style}">{sign}</text>'
