"""What commands are fuzzed with: the words of a command line and the files that it finds, as one value."""

import base64
import binascii
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import PurePosixPath
from typing import Any, Literal, get_args

from gemhunter.errors import InputError

CallKind = Literal["files", "options"]
CALL_KINDS: tuple[CallKind, ...] = get_args(CallKind)

FORMAT = "gemhunter-fuzz-call"
EXPECTED = "a case that `gemhunter fuzz` has written"


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
            "format": FORMAT,
            "kind": self.kind,
            "comments": list(comments),
            "arguments": list(self.arguments),
            "files": {name: _written(content) for name, content in self.files},
        }
        return json.dumps(document, indent=1) + "\n"


def looks_like_call(text: str) -> bool:
    """Whether a text is JSON that names this format."""
    return text.lstrip().startswith("{") and f'"{FORMAT}"' in text


def read_call_case(text: str, source: str = "case") -> CallCase:
    """The case in the text of a file; `InputError` if it is none."""
    try:
        document = json.loads(text)
        kind = next(each for each in CALL_KINDS if each == document["kind"])
        files = tuple((_inside(name), _read(content)) for name, content in document["files"].items())
        return CallCase(kind, tuple(map(_word, document["arguments"])), files)
    except (ValueError, KeyError, TypeError, AttributeError, StopIteration, RecursionError):
        raise InputError(f"{source}: expected {EXPECTED}") from None


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
