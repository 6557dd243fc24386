"""A player for `cmd:`: it reads a position per line and reveals the first hidden cell.

gemhunter experiment match --agent fast --agent "cmd:python examples/first_hidden_player.py" --level beginner
"""

import sys


def first_hidden(line: str) -> str:
    """The first hidden cell of a position, in reading order."""
    _level, _first_click, rows = line.split()
    for row, cells in enumerate(rows.split("/"), 1):
        if "_" in cells:
            return f"r{row}c{cells.index('_') + 1}"
    return "stuck"


if __name__ == "__main__":
    for line in sys.stdin:
        print(first_hidden(line), flush=True)  # noqa: T201 - the answer
