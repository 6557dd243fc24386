"""Errors as plain data, in one shape."""

from typing import Any

from gemhunter.errors import BoardError, Fault, FormulaError, GemHunterError

FAULTS_SENT = 100
"""Of more faults in a board, the first ones are enough to mend it."""


def error_record(code: str, error: GemHunterError | str) -> dict[str, Any]:
    """What went wrong: a word for programs, a line for people, and each fault with its place in the text."""
    message = str(error)
    faults: tuple[Fault, ...] = ()
    if isinstance(error, BoardError):
        faults = error.faults[:FAULTS_SENT]
        message = faults[0].message if faults else message
    elif isinstance(error, FormulaError):
        faults = (error.fault,)
        message = error.fault.message
    return {
        "error": {
            "code": code,
            "message": message.partition("\n")[0],
            "faults": [
                {"line": fault.line, "column": fault.column, "message": fault.message} for fault in faults
            ],
        }
    }
