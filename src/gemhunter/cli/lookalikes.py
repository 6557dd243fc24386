"""Plain signs for those that the encoding of a console lacks."""

import codecs

from gemhunter.printable import printable

LOOKALIKES = "gemhunter.lookalikes"
"""The name of this way to handle what cannot be encoded."""

_PLAIN = {"×": "x", "µ": "u", "–": "-", "−": "-", "…": "...", "·": "."}


def _replace(error: UnicodeError) -> tuple[str, int]:
    """The plain signs for what an encoder refused, and where it goes on."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    refused = error.object[error.start : error.end]
    return "".join(map(_plain, refused)), error.end


def _plain(sign: str) -> str:
    shown = printable(sign)
    return shown if shown != sign else _PLAIN.get(sign, "?")


codecs.register_error(LOOKALIKES, _replace)
