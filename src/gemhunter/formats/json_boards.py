"""Boards as JSON: rows of cells, or a mine map with the cells that are shown."""

import json
import re
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gemhunter.core.grid import Grid
from gemhunter.core.truth import position
from gemhunter.errors import BoardError, Fault
from gemhunter.formats.mines import parse_mines

_BEGINS_LIKE_JSON = re.compile(r"[\ufeff\s]*(\{|\[\s*[\[{\"\]])")
_SEPARATOR = re.compile(r"[,;\s]")
SHAPES = '[row, …], {"grid": [row, …]} or {"mines": [row, …], "shown": [row, …]}'


def looks_like_json(text: str) -> bool:
    """Whether a text is meant as JSON: no row of cells begins with a bracket, and no heading like this."""
    return _BEGINS_LIKE_JSON.match(text) is not None


def parse_json(text: str, parse_rows: Callable[[str], Grid], *, source: str) -> Grid:
    """The board in a JSON text; a row is a line of a text board, or a list of cells with null for unknown."""
    try:
        document = json.loads(text.removeprefix("\ufeff"))
    except json.JSONDecodeError as error:
        raise BoardError(
            [Fault(error.lineno, error.colno, f"bad JSON: {error.msg.lower()}")], source
        ) from None
    except RecursionError:
        raise BoardError([Fault(0, 0, "bad JSON: nested too deeply")], source) from None
    except ValueError:
        raise BoardError([Fault(0, 0, "bad JSON: a number too long")], source) from None
    if isinstance(document, dict) and "mines" in document:
        return _parse_position(document, source)
    rows = document.get("grid") if isinstance(document, dict) else document
    if not isinstance(rows, list):
        raise BoardError([Fault(0, 0, f"expected {SHAPES}")], source)
    return parse_rows("\n".join(_row_text(row, number, source) for number, row in enumerate(rows, 1)))


def grid_rows(grid: Grid) -> list[str]:
    """The rows of a grid as canonical text, the way our JSON has them."""
    return str(grid).split("\n")


def _parse_position(document: dict[str, Any], source: str) -> Grid:
    traps = _map(document["mines"], "mines", source)
    shown = _map(document["shown"], "shown", source) if "shown" in document else None
    if shown is not None and shown.shape != traps.shape:
        raise BoardError([Fault(0, 0, f"`mines` is {traps.shape}, `shown` {shown.shape}")], source)
    return position(traps, shown)


def _map(rows: object, key: str, source: str) -> NDArray[np.bool_]:
    if not isinstance(rows, list):
        raise BoardError([Fault(0, 0, f"`{key}` is a list of rows")], source)
    text = "\n".join(_row_text(row, number, source) for number, row in enumerate(rows, 1))
    return parse_mines(text, source=f"{source}:{key}")


def _row_text(row: object, number: int, source: str) -> str:
    if isinstance(row, str) and "\n" not in row:
        return row
    if isinstance(row, list) and all(_is_cell(cell) for cell in row):
        return ", ".join(_cell_text(cell) for cell in row)
    message = f"row {number} is neither a line of text nor a list of cells"
    raise BoardError([Fault(0, 0, message)], source)


def _is_cell(cell: object) -> bool:
    """A string with a separator inside would be read as several cells."""
    return cell is None or isinstance(cell, int) or (isinstance(cell, str) and not _SEPARATOR.search(cell))


def _cell_text(cell: int | str | None) -> str:
    if cell is None:
        return "_"
    return str(int(cell)) if isinstance(cell, bool) else str(cell)
