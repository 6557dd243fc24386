"""Damages the content of a file in the ways that editors, networks, disks and attackers do."""

import json
import re
from collections.abc import Callable
from random import Random
from typing import Any

HOSTILE_NUMBERS = [
    *b"0 -1 9 10 255 65536 2147483647 2147483648 -2147483649 9223372036854775807 9223372036854775808".split(),
    *b"1e999 -0 0.5 1e9 nan inf 0x10 1_000".split(),
    *("٣".encode(), "²".encode(), b"1" + 30 * b"0", 5000 * b"9"),
]
HOSTILE_TEXTS = [
    *(b"\0", b"\r", b"\r\n", b"\n\n", b"\t", b"\x0b", b"\x0c", b"\x1b[31m", b"\x1b]0;x\x07", b"\x7f"),
    *(b"\x85", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xf0\x9f\x92\xa3", b"\xef\xbb\xbf", b"\xff\xfe"),
    *(each.encode() for each in ("\u202e", "\u2028", "\u00a0", "\u009b1m", "é")),
    *(b"\xfe\xff", b"[" * 2000, b'{"a":' * 2000, b"c ", b"p cnf 1 1\n", b"No solution\n"),
    *rb"""{} [] null " \ \u0000 \ud800 %s _ T G * . , ; | # - +""".split(),
]
HOSTILE_VALUES_IN_JSON: list[Any] = [
    *(None, True, False, 0, -1, 1, 2, 9, 10**30, 2**31, 2**63, -(2**63) - 1, 0.5, 1e308, float("nan")),
    *(
        float("inf"),
        "",
        "x",
        "\0",
        "\x1b[31m",
        "\ud800",
        "r1c1",
        "-",
        "a" * 300,
        [],
        {},
        [[]],
        [None],
        {"a": 1},
    ),
]


def mutate(content: bytes, other: bytes, random: Random) -> bytes:
    """The content with one to a few things wrong; `other` is a file to take parts from."""
    # Mostly one: a file with much wrong is refused early, and nothing behind that is tried.
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        content = random.choice(DAMAGES)(content, other, random)
    return content[:20_000]  # damage upon damage must not make cases slow


def _flip(content: bytes, _other: bytes, random: Random) -> bytes:
    if not content:
        return content
    index = random.randrange(len(content))
    return content[:index] + bytes([content[index] ^ 1 << random.randrange(8)]) + content[index + 1 :]


def _delete(content: bytes, _other: bytes, random: Random) -> bytes:
    begin, end = _span(content, random)
    return content[:begin] + content[end:]


def _duplicate(content: bytes, _other: bytes, random: Random) -> bytes:
    begin, end = _span(content, random)
    return content[:end] + content[begin:end] * random.choice((1, 1, 2, 20)) + content[end:]


def _span(content: bytes, random: Random) -> tuple[int, int]:
    begin = random.randint(0, len(content))
    return begin, min(begin + random.choice((1, 1, 2, 4, 16, 200)), len(content))


def _cut(content: bytes, _other: bytes, random: Random) -> bytes:
    return content[: random.randint(0, len(content))]


def _splice(content: bytes, other: bytes, random: Random) -> bytes:
    """The beginning of one file and the end of another."""
    return content[: random.randint(0, len(content))] + other[random.randint(0, len(other)) :]


def _insert(content: bytes, _other: bytes, random: Random) -> bytes:
    index = random.choice((0, len(content), random.randint(0, len(content))))
    return content[:index] + random.choice(HOSTILE_TEXTS) + content[index:]


def _change_number(content: bytes, _other: bytes, random: Random) -> bytes:
    return _replace(rb"\d+", content, random.choice(HOSTILE_NUMBERS), random)


def _change_token(content: bytes, other: bytes, random: Random) -> bytes:
    token = rb"[^\s,;|]+"
    choices = (random.choice(re.findall(token, other) or [b""]), random.choice(HOSTILE_TEXTS), b"")
    return _replace(token, content, random.choice(choices), random)


def _replace(pattern: bytes, content: bytes, word: bytes, random: Random) -> bytes:
    places = list(re.finditer(pattern, content))
    if not places:
        return content
    found = random.choice(places)
    return content[: found.start()] + word + content[found.end() :]


def _change_lines(content: bytes, other: bytes, random: Random) -> bytes:
    """A line left out, doubled, moved to the end, or taken from another file; or other ends of lines."""
    lines = content.splitlines(keepends=True) or [b""]
    index = random.randrange(len(lines))
    match random.randrange(5):
        case 0:
            del lines[index]
        case 1:
            lines.insert(index, lines[index])
        case 2:
            lines.append(lines.pop(index))
        case 3:
            lines.insert(index, random.choice(other.splitlines(keepends=True) or [b"\n"]))
        case _:
            return content.replace(b"\n", random.choice((b"\r\n", b"\r")))
    return b"".join(lines)


def _change_value(content: bytes, _other: bytes, random: Random) -> bytes:
    """A value of a JSON document, or of one of its lines, changed or left out; other files stay."""
    lines = content.splitlines() or [b""]
    index = random.randrange(len(lines))
    for text, before, after in ((content, [], []), (lines[index], lines[:index], [*lines[index + 1 :], b""])):
        try:
            changed = json.dumps(_changed(json.loads(text), random)).encode()
        except (ValueError, RecursionError):
            continue
        return b"\n".join([*before, changed, *after])
    return content


def _changed(value: Any, random: Random) -> Any:
    """The value with one place of it changed; deep places are as likely as shallow ones."""
    if not isinstance(value, dict | list) or not value or random.random() < 0.1:
        return random.choice(HOSTILE_VALUES_IN_JSON)
    key = random.choice(list(value) if isinstance(value, dict) else range(len(value)))
    copy = value.copy()
    if random.random() < 0.1:
        del copy[key]
    else:
        copy[key] = _changed(value[key], random)
    return copy


DAMAGES: tuple[Callable[[bytes, bytes, Random], bytes], ...] = (
    *(_flip, _delete, _duplicate, _cut, _splice, _insert, _insert, _change_number, _change_number),
    *(_change_token, _change_lines, _change_value, _change_value, _change_value),
)
