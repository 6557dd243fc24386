"""Our array reader and writer of boards against loops. Target: a million cells in well below 0.2 s."""

import argparse
from collections.abc import Callable
from dataclasses import dataclass

from boards import random_board
from gemhunter.board.grid import CELL_MARKS, HIDDEN, Grid
from gemhunter.files.text import parse_grid
from timing import median_seconds, print_table

CODE_OF = {mark: code for code, mark in CELL_MARKS.items()} | {"None": HIDDEN}

Rows = list[list[int]]


@dataclass(frozen=True, slots=True)
class Dialect:
    """A board in one way of writing it, and the loop that one would write first to read it."""

    name: str
    text: str | bytes
    read_by_loop: Callable[[], Rows]


def cells_of(line: str, separator: str | None) -> list[int]:
    """The codes of one line."""
    return [CODE_OF[token.strip()] for token in line.split(separator)]


def dialects(grid: Grid) -> list[Dialect]:
    """`grid` in all the ways that are read with array operations."""
    canonical = str(grid)
    with_none = canonical.replace("_", "None")
    blanks = canonical.replace(",", "")
    compact = blanks.replace(" ", "")
    windows = canonical.replace("\n", "\r\n").encode()
    return [
        Dialect("canonical", canonical, lambda: [cells_of(line, ",") for line in canonical.split("\n")]),
        Dialect("blanks", blanks, lambda: [cells_of(line, None) for line in blanks.split("\n")]),
        Dialect(
            "compact", compact, lambda: [[CODE_OF[mark] for mark in line] for line in compact.split("\n")]
        ),
        Dialect(
            "CRLF bytes", windows, lambda: [cells_of(line, ",") for line in windows.decode().splitlines()]
        ),
        Dialect("None", with_none, lambda: [cells_of(line, ",") for line in with_none.split("\n")]),
    ]


def write_by_loop(rows: Rows) -> str:
    """The canonical text, cell by cell."""
    return "\n".join(", ".join(CELL_MARKS[code] for code in row) for row in rows)


def require_same(name: str, ours: object, loop: object) -> None:
    """Raise if the loop means something else than our code: then their times say nothing."""
    if ours != loop:
        raise AssertionError(f"{name}: our code and the loop differ")


def measured_reading(dialect: Dialect, repeats: int) -> list[str]:
    """The row of one dialect."""
    require_same(dialect.name, parse_grid(dialect.text).cells.tolist(), dialect.read_by_loop())
    loop = median_seconds(dialect.read_by_loop, repeats)
    arrays = median_seconds(lambda: parse_grid(dialect.text), repeats)
    return [f"read {dialect.name}", f"{loop:.3f}", f"{arrays:.3f}", f"{loop / arrays:.1f}"]


def measured_writing(grid: Grid, repeats: int) -> list[str]:
    """The row of `str(grid)`; the loop is given its rows as lists."""
    rows = grid.cells.tolist()
    require_same("writing", str(grid), write_by_loop(rows))
    loop = median_seconds(lambda: write_by_loop(rows), repeats)
    arrays = median_seconds(lambda: str(grid), repeats)
    return ["write canonical", f"{loop:.3f}", f"{arrays:.3f}", f"{loop / arrays:.1f}"]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=1000, help="rows and columns")
    parser.add_argument("--repeats", type=int, default=5, help="the median of this many runs is shown")
    options = parser.parse_args()
    grid = random_board(options.size).grid
    rows = [measured_reading(dialect, options.repeats) for dialect in dialects(grid)]
    rows.append(measured_writing(grid, options.repeats))
    print_table([f"{options.size}×{options.size}", "loop s", "arrays s", "ratio"], rows)


if __name__ == "__main__":
    main()
