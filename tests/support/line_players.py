"""Programs that play by lines, for tests: each is a Python program given as a text."""

import sys

FIRST_HIDDEN = """
import sys
for line in sys.stdin:
    level, rule, rows = line.split()
    rows = rows.split("/")
    row, col = next((r, c) for r, cells in enumerate(rows) for c, code in enumerate(cells) if code == "_")
    print(f"r{row + 1}c{col + 1}", flush=True)
"""
"""Reveals the first hidden cell in reading order."""

ALL_HIDDEN = """
import sys
for line in sys.stdin:
    rows = line.split()[2].split("/")
    places = [(r, c) for r, cells in enumerate(rows) for c, code in enumerate(cells) if code == "_"]
    print(*[f"r{r + 1}c{c + 1}" for r, c in places], flush=True)
"""
"""Names every hidden cell."""


def command_of(program: str) -> str:
    """The name of the agent that runs a program."""
    return f'cmd:"{sys.executable}" -c {program_word(program)}'


def program_word(program: str) -> str:
    """A program as one word of a command."""
    quoted = program.replace("'", "'\\''")
    return f"'{quoted}'"
