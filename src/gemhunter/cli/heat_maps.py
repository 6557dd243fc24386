"""Heat maps in text: how likely each cell of a board is a trap."""

from collections.abc import Callable

import numpy as np

from gemhunter.cli.board_text import MOST_MAPPED
from gemhunter.cli.screen import styled
from gemhunter.queries.analyse import Analysis
from gemhunter.render.heat import UNKNOWN_RISK, heat_look, heat_sign, narrow_sign
from gemhunter.render.palette import NO_COLOURS
from gemhunter.render.text_maps import StyledLine, StyledText, fits, map_lines, plain_text

WIDE_LEGEND = "risk in percent, two digits; T and G are certain"
NARROW_LEGEND = "a to j: risk below 10 %, below 20 % and so on; T and G are certain"


def has_heat(found: Analysis) -> bool:
    """Whether the risk of any cell is known."""
    return not np.isnan(found.risk).all()


def heat_note(found: Analysis) -> str | None:
    """Why the map is not shown, if it would be too large."""
    rows, cols = found.grid.cells.shape
    if max(rows, cols) > MOST_MAPPED:
        return f"no map of {rows}×{cols} cells in text; --svg or --png draw one"
    return None


def heat_map(found: Analysis, columns: int | None = None, depth: int = NO_COLOURS) -> str:
    """The map with its numbers and what its signs mean, for a line of `columns` characters.

    A letter stands for a percentage where only that makes the map fit.
    """
    wide, narrow = _pieces(found, heat_sign, depth), _pieces(found, narrow_sign, depth)
    is_narrow = not fits(wide, columns) and fits(narrow, columns, gap=0)
    lines = map_lines(narrow if is_narrow else wide, columns)
    text = styled(lines) if depth else plain_text(lines)
    return f"{text}\n{_legend(wide, is_narrow=is_narrow)}"


def _pieces(found: Analysis, sign: Callable[[int, float], str], depth: int) -> list[StyledLine]:
    rows = zip(found.grid.cells.tolist(), found.risk.tolist(), strict=True)
    return [
        [StyledText(sign(*cell), heat_look(*cell, depth)) for cell in zip(codes, risks, strict=True)]
        for codes, risks in rows
    ]


def _legend(rows: list[StyledLine], *, is_narrow: bool) -> str:
    unknown = UNKNOWN_RISK[0] if is_narrow else UNKNOWN_RISK
    has_unknown = any(piece.text == UNKNOWN_RISK for row in rows for piece in row)
    legend = NARROW_LEGEND if is_narrow else WIDE_LEGEND
    return f"{legend}; {unknown} is not known" if has_unknown else legend
