"""The words of a command that a person has typed, as for `cmd:` engines and agents."""

import os
import shlex
import shutil

from gemhunter.errors import EngineError, InputError

COMMAND_PREFIX = "cmd:"

ESCAPE = "" if os.sep == "\\" else "\\"
"""Quotes the next character of a command, except on Windows, where a backslash separates folders."""


def path_of_program(program: str, engine: str) -> str:
    """The file of a program; an `EngineError` that names the engine if there is none."""
    path = shutil.which(program)
    if path is None:
        raise EngineError(f"{engine}: no program named {program!r} on this machine")
    return path


def command_words(command: str, example: str, prefix: str = COMMAND_PREFIX) -> tuple[str, ...]:
    """The program and its arguments, with quotes as in a shell; an error shows the `example`."""
    lexer = shlex.shlex(command, posix=True)
    lexer.whitespace_split, lexer.commenters, lexer.escape = True, "", ESCAPE
    try:
        words = tuple(lexer)
    except ValueError as error:
        raise InputError(f"{prefix}{command}: {str(error).lower()}") from None
    if not words:
        raise InputError(f"{prefix} needs the program to run, such as {prefix}{example}")
    return words
