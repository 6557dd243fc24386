"""How students' programs write a filled grid: many styles, all of them seen or likely."""

import json
from collections.abc import Callable, Mapping

import numpy as np

Marks = list[list[str]]
Style = Callable[[Marks], str]

RED, GREEN, RESET = "\x1b[31;1m", "\x1b[32m", "\x1b[0m"
LARGE = 2**31
"""More than any array here has: NumPy cuts nothing short."""


def joined(separator: str) -> Style:
    """A line per row."""
    return lambda marks: "\n".join(separator.join(row) for row in marks)


def numpy_text(marks: Marks) -> str:
    with np.printoptions(threshold=LARGE):
        return str(np.array(marks))


def numpy_repr(marks: Marks) -> str:
    with np.printoptions(threshold=LARGE):
        return repr(np.array(marks))


def numpy_rows(marks: Marks) -> str:
    return "\n".join(str(np.array(row)) for row in marks)


def numpy_scalars(marks: Marks) -> str:
    return str([[np.str_(mark) for mark in row] for row in marks])


def numpy_cut(marks: Marks) -> str:
    """An array that is cut short wherever that is possible."""
    with np.printoptions(threshold=0, edgeitems=1):
        return str(np.array(marks))


def frame(marks: Marks, columns: int = 25) -> str:
    """A table as pandas prints it, with numbers of rows and columns, and a limit on columns side by side."""
    parts = []
    for first in range(0, len(marks[0]), columns):
        last = min(first + columns, len(marks[0]))
        rows = [[f"{col:>2}" for col in range(first, last)], *(row[first:last] for row in marks)]
        names = ["", *map(str, range(len(marks)))]
        lines = [
            f"{name:<3} " + " ".join(f"{c:>2}" for c in row) for name, row in zip(names, rows, strict=True)
        ]
        lines[0] += "  \\" if last < len(marks[0]) else ""
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def frame_cut(marks: Marks) -> str:
    """The first and the last cells only, as pandas prints a large table."""
    rows = [["0", "...", "9"], *([row[0], "...", row[-1]] for row in (marks[0], marks[-1]))]
    lines = [" ".join(f"{cell:>3}" for cell in [name, *row]) for name, row in zip("   1", rows, strict=False)]
    return "\n".join(
        [*lines[:2], " ..  ..  ...  ..", lines[-1], "", f"[{len(marks)} rows x {len(marks[0])} columns]"]
    )


def box(marks: Marks) -> str:
    rule = "+" + "---+" * len(marks[0])
    rows = ["| " + " | ".join(row) + " |" for row in marks]
    return rule + "\n" + f"\n{rule}\n".join(rows) + f"\n{rule}"


def fine_box(marks: Marks) -> str:
    wide = len(marks[0])
    top, middle, bottom = (
        a + b.join(["───"] * wide) + c for a, b, c in (("┌", "┬", "┐"), ("├", "┼", "┤"), ("└", "┴", "┘"))
    )
    rows = ["│ " + " │ ".join(row) + " │" for row in marks]
    return top + "\n" + f"\n{middle}\n".join(rows) + f"\n{bottom}"


def ruled(separator: str) -> Style:
    """A line of dashes between any two rows."""

    def write(marks: Marks) -> str:
        rows = [separator.join(row) for row in marks]
        return ("\n" + "-" * len(rows[0]) + "\n").join(rows)

    return write


def coloured(marks: Marks) -> str:
    colour = {"T": RED, "G": GREEN}
    return "\n".join(" ".join(f"{colour.get(mark, '')}{mark}{RESET}" for mark in row) for row in marks)


def coloured_without_escapes(marks: Marks) -> str:
    return coloured(marks).replace("\x1b", "")


def numbered(prefix: str, separator: str = " ", first: int = 1) -> Style:
    """The number of the row before each row."""
    return lambda marks: "\n".join(
        prefix.format(number) + separator.join(row) for number, row in enumerate(marks, first)
    )


def with_both_indexes(marks: Marks) -> str:
    head = "    " + " ".join(str(col % 10) for col in range(len(marks[0])))
    return head + "\n" + numbered("{:2} | ", first=0)(marks)


def pictures(separator: str, digit: str = "{}", trap: str = "💣") -> Style:
    """Emoji in place of letters, and perhaps of digits."""
    signs = {"T": trap, "G": "💎"}
    return lambda marks: joined(separator)(
        [[signs.get(mark) or digit.format(mark) for mark in row] for row in marks]
    )


def flat(marks: Marks) -> list[str]:
    return [mark for row in marks for mark in row]


STYLES: Mapping[str, Style] = {
    "commas": joined(", "),
    "tight commas": joined(","),
    "blanks": joined(" "),
    "tabs": joined("\t"),
    "semicolons": joined(";"),
    "list of lists": str,
    "list per line": lambda marks: "\n".join(map(str, marks)),
    "pretty list": lambda marks: "[" + ",\n ".join(map(str, marks)) + "]",
    "tuples": lambda marks: str(tuple(map(tuple, marks))),
    "numbers and texts": lambda marks: str([[int(m) if m.isdigit() else m for m in row] for row in marks]),
    "list of texts": lambda marks: str([" ".join(row) for row in marks]),
    "json": json.dumps,
    "pretty json": lambda marks: json.dumps(marks, indent=2),
    "json object": lambda marks: json.dumps({"time": 0.5, "grid": [", ".join(row) for row in marks]}),
    "json by solver": lambda marks: json.dumps({"pysat": marks, "dpll": marks}, indent=1),
    "numpy text": numpy_text,
    "numpy repr": numpy_repr,
    "numpy rows": numpy_rows,
    "numpy scalars": numpy_scalars,
    "pandas": frame,
    "wide pandas": lambda marks: frame(marks, 4),
    "box": box,
    "fine box": fine_box,
    "markdown": lambda marks: "\n".join("| " + " | ".join(row) + " |" for row in marks),
    "dashes between blanks": ruled(" "),
    "dashes between commas": ruled(", "),
    "colours": coloured,
    "colours without escapes": coloured_without_escapes,
    "Row 1:": numbered("Row {}: "),
    "Row 1: with commas": numbered("Row {}: ", ", "),
    "row 0 |": numbered("row {} | ", first=0),
    "1.": numbered("{}. "),
    "[1]": numbered("[{}] "),
    "index": numbered("{} "),
    "both indexes": with_both_indexes,
    "blank lines between": lambda marks: "\n\n".join(", ".join(row) for row in marks),
    "pictures": pictures(" "),
    "pictures side by side": pictures("", "{}\ufe0f\u20e3"),
    "pictures with commas": pictures(", ", trap="☠\ufe0f"),
    "list of pictures": lambda marks: str(
        [[{"T": "💥", "G": "💎"}.get(mark, mark) for mark in row] for row in marks]
    ),
    "flat list": lambda marks: str([int(mark) if mark.isdigit() else mark for mark in flat(marks)]),
    "flat json": lambda marks: json.dumps(flat(marks)),
    "flat text": lambda marks: " ".join(flat(marks)),
    "flat numpy": lambda marks: numpy_text([flat(marks)]),
    "flat word": lambda marks: "".join(flat(marks)),
}
COLOURED = frozenset({"colours", "colours without escapes"})
"""Styles in which a single sign too many breaks a sequence, and with it a cell."""

CUT_STYLES: Mapping[str, Style] = {"numpy": numpy_cut, "pandas": frame_cut}

PROSE: Mapping[str, str] = {
    "alone": "{}\n",
    "heading": "Algorithm: pysat\n{}\nTime: 0.0123 s\n",
    "rules": "==================\nPySAT\n==================\n{}\n------------------\n",
    "story": "Reading input_1.txt ...\nSize: 3 x 4\nDPLL, 12 clauses\n\nResult:\n\n{}\n\nDone in 3 steps.\n",
    "same line": "Solution: {}\n",
    "two solvers": "Brute force:\n{0}\n\nBacktracking:\n{0}\nRunning time: 12 ms\n",
    "legend": "T = trap, G = gem\n\n{}\n",
    "windows": "PySAT\r\n{}\r\n",
}
