"""What commands are fuzzed with, what a command did with it, and what of that must never happen."""

import base64
import binascii
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import PurePosixPath
from typing import Any, Literal, NoReturn, get_args

from gemhunter.errors import InputError

CallKind = Literal["files", "options"]

CALL_KINDS: tuple[CallKind, ...] = get_args(CallKind)

CALL_FORMAT = "gemhunter-fuzz-call"

EXPECTED_CALL = "a case that `fuzz` has written"

DOCUMENTED_CODES = (0, 1, 2, 3)

SAT_CODES = (10, 20)
"""What `--format sat` returns as well."""

BAD_INPUT_CODE, ENGINE_FAILED_CODE = 2, 4

LONGEST_CALL_SECONDS = 5.0
"""Processor time; a call that takes more hangs. On a busy machine the clock on the wall says little."""

LONGEST_WAIT_SECONDS = 60.0
"""A call that has not ended by then hangs, even if it only waits."""

WRITE_WHAT_THEY_CAN = ("solve", "check", "trace")
"""Commands that write their answers about other boards if one cannot be read, or steps without a drawing."""

DRAFT_PREFIX = ".gemhunter-"
"""What the name of a file begins with until it is whole."""

BINARY_FORMS = ("png", "mbf")

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")

_TRACES = ("Traceback (most recent call last)", "internal error")


@dataclass(frozen=True, slots=True)
class CallCase:
    """A command line, to be run in a folder that holds nothing but `files`."""

    kind: CallKind
    arguments: tuple[str, ...]
    files: tuple[tuple[str, bytes], ...] = ()

    suffix = ".json"

    def text(self, comments: tuple[str, ...] = ()) -> str:
        """JSON that `read_call_case` reads."""
        document = {
            "format": CALL_FORMAT,
            "kind": self.kind,
            "comments": list(comments),
            "arguments": list(self.arguments),
            "files": {name: _written(content) for name, content in self.files},
        }
        return json.dumps(document, indent=1) + "\n"


def looks_like_call(text: str) -> bool:
    """Whether a text is JSON that names this format."""
    return text.lstrip().startswith("{") and f'"{CALL_FORMAT}"' in text


def read_call_case(text: str, source: str = "case") -> CallCase:
    """The case in the text of a file; `InputError` if the text is not a case."""
    try:
        document = json.loads(text)
        kind = next(each for each in CALL_KINDS if each == document["kind"])
        files = tuple((_inside(name), _read(content)) for name, content in document["files"].items())
        return CallCase(kind, tuple(map(_word, document["arguments"])), files)
    except (ValueError, KeyError, TypeError, AttributeError, StopIteration, RecursionError):
        raise InputError(f"{source}: expected {EXPECTED_CALL}") from None


def smaller_calls(case: CallCase) -> Iterator[CallCase]:
    """Without a file, without one or two words, or with a part of a file or of a word left out."""
    for index in range(len(case.files)):
        yield replace(case, files=(*case.files[:index], *case.files[index + 1 :]))
    for length in (2, 1):
        for index in range(1, len(case.arguments) - length + 1):
            yield replace(case, arguments=(*case.arguments[:index], *case.arguments[index + length :]))
    for index, (name, content) in enumerate(case.files):
        for begin, end in _chunks(len(content)):
            shorter = (name, content[:begin] + content[end:])
            yield replace(case, files=(*case.files[:index], shorter, *case.files[index + 1 :]))
    for index, word in enumerate(case.arguments):
        for begin, end in _chunks(len(word)) if len(word) > 1 and index else ():
            words = (*case.arguments[:index], word[:begin] + word[end:], *case.arguments[index + 1 :])
            yield replace(case, arguments=words)


def _chunks(size: int) -> Iterator[tuple[int, int]]:
    """Everything, then halves, quarters and so on down to single bytes."""
    length = size
    while length:
        yield from pairwise([*range(0, size, length), size])
        length //= 2


def _written(content: bytes) -> str | dict[str, str]:
    try:
        return content.decode()
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(content).decode("ascii")}


def _read(content: Any) -> bytes:
    if isinstance(content, str):
        return content.encode()
    try:
        return base64.b64decode(content["base64"], validate=True)
    except binascii.Error:
        raise ValueError(content) from None


def _word(word: Any) -> str:
    if not isinstance(word, str):
        raise TypeError(word)
    return word


def _inside(name: str) -> str:
    """The name of a file, which must not lead out of the folder of its case."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or not path.parts or "\\" in name or ":" in name:
        raise ValueError(name)
    return name


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
    return any(word.startswith(("-o", "--output", "-h", "--help")) for word in case.arguments)


def _wrong_files(case: CallCase, result: CallResult) -> str | None:
    if any(DRAFT_PREFIX in name for name in result.left):
        return f"left a draft behind: {case.arguments[0]}"
    may_write = case.arguments[0] in WRITE_WHAT_THEY_CAN
    if result.code == BAD_INPUT_CODE and result.left and not may_write:
        return f"refused, but left a file behind: {case.arguments[0]}"
    is_resumed = "--resume" in case.arguments and result.code != BAD_INPUT_CODE
    if case.kind == "files" and result.changed and not is_resumed:
        return "changed a file that it was to read"
    return None
