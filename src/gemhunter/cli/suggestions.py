"""What a mistyped value of an option was probably meant to be."""

import re
from difflib import get_close_matches

import click

_REFUSED = re.compile(r"'(.*)' is not one of ")
"""How Click begins when a value is none of the choices."""


def with_suggestion(error: click.ClickException) -> str:
    """What went wrong, in one line; for a value that is none of the choices, with the nearest one."""
    message = error.format_message()
    text = f"{message[:1].lower()}{message[1:].rstrip('.')}"
    if not isinstance(error, click.BadParameter) or error.param is None:
        return text
    choices = getattr(error.param.type, "choices", ())
    refused = _REFUSED.search(error.message)
    if refused is None:
        return text
    nearest = get_close_matches(refused[1].lower(), list(map(str, choices)), n=1, cutoff=0.55)
    return f"{text}; did you mean {nearest[0]!r}?" if nearest else text
