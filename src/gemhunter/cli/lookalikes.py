"""Plain signs for those that the encoding of a console lacks."""

import codecs

LOOKALIKES = "gemhunter.lookalikes"
"""The name of this way to handle what cannot be encoded."""

_PLAIN = {"×": "x", "µ": "u", "–": "-", "−": "-", "…": "...", "·": "."}


def _replace(error: UnicodeError) -> tuple[str, int]:
    """The plain signs for what an encoder refused, and where it goes on."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    refused = error.object[error.start : error.end]
    return "".join(_PLAIN.get(sign, "?") for sign in refused), error.end


codecs.register_error(LOOKALIKES, _replace)
