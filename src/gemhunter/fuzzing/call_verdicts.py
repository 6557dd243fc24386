"""What a command did with a case, and what of that must never happen."""

import json
import re
from dataclasses import dataclass
from typing import NoReturn

from gemhunter.fuzzing.call_cases import CallCase

DOCUMENTED_CODES = (0, 1, 2, 3)
SAT_CODES = (10, 20)
"""What `--format sat` returns as well."""

BAD_INPUT_CODE, ENGINE_FAILED_CODE = 2, 4

MOST_SECONDS = 5.0
"""A call that takes longer hangs."""

WRITE_WHAT_THEY_CAN = ("solve", "check", "trace")
"""Commands that write their answers about other boards if one cannot be read, or steps without a drawing."""

DRAFT = ".gemhunter-"
"""What the name of a file begins with until it is whole."""

BINARY_FORMS = ("png", "mbf")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_TRACES = ("Traceback (most recent call last)", "internal error")


@dataclass(frozen=True, slots=True)
class CallResult:
    """What became of a call; `crash` is what it raised, with its place, and `code` is None then.

    `left` are the files that were not there before, `changed` those that were and are different.
    """

    code: int | None
    crash: str = ""
    output: bytes = b""
    errors: bytes = b""
    left: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()


def verdict(case: CallCase, result: CallResult) -> str | None:
    """What is wrong, in words that are the same for the same fault; None if nothing is."""
    if result.code is None:
        return result.crash
    return _wrong_code(case, result.code) or _wrong_text(case, result) or _wrong_files(case, result)


def _wrong_code(case: CallCase, code: int) -> str | None:
    documented = code in DOCUMENTED_CODES or (code in SAT_CODES and _format(case) == "sat")
    # An engine that is a program of the user's may fail as it likes.
    failed = code == ENGINE_FAILED_CODE and any("cmd:" in word for word in case.arguments)
    return None if documented or failed else f"exit code {code}"


def _wrong_text(case: CallCase, result: CallResult) -> str | None:
    is_binary = any(word.endswith(BINARY_FORMS) for word in case.arguments)
    for name, content in (("output", result.output), ("errors", result.errors)):
        if is_binary and name == "output":
            continue
        try:
            text = content.decode()
        except UnicodeDecodeError:
            return f"{name}: not UTF-8"
        if found := _CONTROL.search(text):
            return f"{name}: control character {found[0]!r}"
        if any(trace in text for trace in _TRACES):
            return f"{name}: a traceback"
    if result.code and not (result.output or result.errors or _is_elsewhere(case)):
        return f"exit code {result.code} without a word"
    return _wrong_json(case, result)


def _wrong_json(case: CallCase, result: CallResult) -> str | None:
    form = _format(case)
    if form not in ("json", "jsonl") or result.code == BAD_INPUT_CODE or _is_elsewhere(case):
        return None
    texts = [result.output] if form == "json" else result.output.splitlines()
    try:
        for text in texts:
            json.loads(text, parse_constant=_refuse)
    except ValueError:
        return "output: not JSON"
    return None


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)


def _format(case: CallCase) -> str | None:
    """The value of `--format`, the last one if it is given several times."""
    words, found = case.arguments, None
    for index, word in enumerate(words):
        if word == "--format" and index + 1 < len(words):
            found = words[index + 1]
        elif word.startswith("--format="):
            found = word.partition("=")[2]
    return found


def _is_elsewhere(case: CallCase) -> bool:
    """Whether the answer goes to a file, or something other than an answer was asked for."""
    return any(
        word.startswith(("-o", "--output", "-h", "--help", "--sql", "--parquet")) for word in case.arguments
    )


def _wrong_files(case: CallCase, result: CallResult) -> str | None:
    if any(DRAFT in name for name in result.left):
        return f"left a draft behind: {case.arguments[0]}"
    may_write = case.arguments[0] in WRITE_WHAT_THEY_CAN
    if result.code == BAD_INPUT_CODE and result.left and not may_write:
        return f"refused, but left a file behind: {case.arguments[0]}"
    if case.kind == "files" and result.changed and "--resume" not in case.arguments:
        return "changed a file that it was to read"
    return None
