"""The words of a command that a person has typed, as `cmd:` engines and agents have it."""

import os
import shlex

from gemhunter.errors import InputError

COMMAND_PREFIX = "cmd:"

ESCAPE = "" if os.sep == "\\" else "\\"
"""Quotes the next character of a command; on Windows nothing does, as a backslash separates folders."""


def command_words(command: str, example: str, prefix: str = COMMAND_PREFIX) -> tuple[str, ...]:
    """The program and its arguments, with quotes as in a shell; `example` is a command that would do."""
    lexer = shlex.shlex(command, posix=True)
    lexer.whitespace_split, lexer.commenters, lexer.escape = True, "", ESCAPE
    try:
        words = tuple(lexer)
    except ValueError as error:
        raise InputError(f"{prefix}{command}: {str(error).lower()}") from None
    if not words:
        raise InputError(f"{prefix} needs the program to run, such as {prefix}{example}")
    return words
