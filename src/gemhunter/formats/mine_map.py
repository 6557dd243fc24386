"""Mine maps: the truth of a Minesweeper board as text."""

import numpy as np
from numpy.typing import NDArray

from gemhunter.core.plurals import counted
from gemhunter.errors import FAULTS_COLLECTED, BoardError, Fault
from gemhunter.formats.dialects import line_style, normal_lines, tokens

MINE_SIGNS = frozenset("*tmx1")
SAFE_SIGNS = frozenset("._-g0")
MAP_CELL_EXPECTED = "`*`, `T`, `M`, `X` or `1` for a mine, `.`, `_`, `-`, `G` or `0` for none"


def parse_mines(text: str, *, source: str = "mine map") -> NDArray[np.bool_]:
    """Where the mines are, from a text with one sign per cell, with or without separators."""
    rows: list[list[bool]] = []
    faults: list[Fault] = []
    for number, line in enumerate(normal_lines(text).rstrip().split("\n"), 1):
        row = list(tokens(line, line_style(line)))
        faults += [
            Fault(number, token.column, f"expected {MAP_CELL_EXPECTED}, found {token.text[:20]!r}")
            for token in row
            if token.text not in MINE_SIGNS | SAFE_SIGNS
        ]
        if not row or (rows and len(row) != len(rows[0])):
            wanted = f"{counted(len(rows[0]), 'cell')} as in the first row" if rows else "cells"
            faults.append(
                Fault(number, len(line) + 1, f"row of {counted(len(row), 'cell')}; expected {wanted}")
            )
        rows.append([token.text in MINE_SIGNS for token in row])
        if len(faults) > FAULTS_COLLECTED:
            break
    if faults:
        raise BoardError(faults, source)
    return np.array(rows, bool)


def mine_map(traps: NDArray[np.bool_]) -> str:
    """`*` where a mine lies, `.` elsewhere, one line per row, without a line end after the last."""
    return "\n".join("".join("*" if trap else "." for trap in row) for row in traps.tolist())
