"""The exit codes of the command line. With several boards or engines, the highest one applies."""

SOLVED = 0
"""A solution was found, everything asked for was done, or every answer is right."""

NO_SOLUTION = 1
"""A board has no solution, an answer is wrong, or a proof is rejected."""

BAD_INPUT = 2
"""A board, option or file that cannot be used."""

GAVE_UP = 3
"""A limit was reached first."""

ENGINE_FAILED = 4
"""A missing program, a crash, a wrong answer, no memory left."""

INTERRUPTED = 130
"""Ctrl-C."""

BROKEN_PIPE = 141
"""The reader closed the pipe."""

TERMINATED = 143
"""SIGTERM, as `timeout` sends it."""

SAT_COMPETITION = {SOLVED: 10, NO_SOLUTION: 20, GAVE_UP: 0}
"""The exit codes of `--format sat` instead."""
