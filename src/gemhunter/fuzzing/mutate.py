"""Damages the content of a file in the ways that editors, networks, disks and attackers do."""

import json
import re
from collections.abc import Callable
from typing import Any

from numpy.random import Generator

DAMAGE_COUNTS = (1, 1, 1, 2, 4)
"""Mostly one: a file with much wrong is refused early, and nothing behind that is tried."""

LARGEST_RESULT = 20_000
"""Bytes. More is cut off, so that damage upon damage does not make cases slow."""

HOSTILE_NUMBERS = (
    *(b"0", b"-1", b"9", b"10", b"255", b"65536", b"2147483647", b"2147483648", b"-2147483649"),
    *(b"9223372036854775807", b"9223372036854775808", b"1" + 30 * b"0", 5000 * b"9"),
    *(b"1e999", b"-0", b"0.5", b"1e9", b"nan", b"inf", b"0x10", b"1_000", "٣".encode(), "²".encode()),
)
HOSTILE_TEXTS = (
    *(
        b"\0",
        b"\r",
        b"\r\n",
        b"\n\n",
        b"\t",
        b"\x0b",
        b"\x0c",
        b"\x1b[31m",
        b"\x1b]0;x\x07",
        b"\x7f",
        b"\x85",
    ),
    *(b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xf0\x9f\x92\xa3", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"),
    *("\u202e".encode(), "\u2028".encode(), "\u00a0".encode(), "\u009b1m".encode(), "é".encode()),
    *(b"[" * 2000, b'{"a":' * 2000, b"{}", b"[]", b"null", b'"', b"\\", b"\\u0000", b"\\ud800", b"%s", b"c "),
    *(b"_", b"T", b"G", b"*", b".", b",", b";", b"|", b"#", b"-", b"+", b"p cnf 1 1\n", b"No solution\n"),
)
HOSTILE_JSON_VALUES: tuple[Any, ...] = (
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
)
_DIGIT_RUN = re.compile(rb"\d+")
_TOKEN = re.compile(rb"[^\s,;|]+")

Damage = Callable[[bytes, bytes, Generator], bytes]


def mutate(content: bytes, other: bytes, random: Generator) -> bytes:
    """The content with one to a few things wrong; `other` is a file to take parts from."""
    for _ in range(int(random.choice(DAMAGE_COUNTS))):
        content = DAMAGES[random.integers(len(DAMAGES))](content, other, random)
    return content[:LARGEST_RESULT]


def _flip(content: bytes, _other: bytes, random: Generator) -> bytes:
    if not content:
        return content
    index = int(random.integers(len(content)))
    return content[:index] + bytes([content[index] ^ 1 << int(random.integers(8))]) + content[index + 1 :]


def _delete(content: bytes, _other: bytes, random: Generator) -> bytes:
    begin, end = _span(content, random)
    return content[:begin] + content[end:]


def _duplicate(content: bytes, _other: bytes, random: Generator) -> bytes:
    begin, end = _span(content, random)
    return content[:end] + content[begin:end] * int(random.choice([1, 1, 2, 20])) + content[end:]


def _cut(content: bytes, _other: bytes, random: Generator) -> bytes:
    return content[: int(random.integers(len(content) + 1))]


def _splice(content: bytes, other: bytes, random: Generator) -> bytes:
    """The beginning of one file and the end of another."""
    return content[: int(random.integers(len(content) + 1))] + other[int(random.integers(len(other) + 1)) :]


def _insert(content: bytes, _other: bytes, random: Generator) -> bytes:
    index = int(random.choice([0, len(content), int(random.integers(len(content) + 1))]))
    return content[:index] + HOSTILE_TEXTS[random.integers(len(HOSTILE_TEXTS))] + content[index:]


def _change_number(content: bytes, _other: bytes, random: Generator) -> bytes:
    return _replace(_DIGIT_RUN, content, HOSTILE_NUMBERS[random.integers(len(HOSTILE_NUMBERS))], random)


def _change_token(content: bytes, other: bytes, random: Generator) -> bytes:
    tokens = _TOKEN.findall(other) or [b""]
    choices = (tokens[random.integers(len(tokens))], HOSTILE_TEXTS[random.integers(len(HOSTILE_TEXTS))], b"")
    return _replace(_TOKEN, content, choices[random.integers(3)], random)


def _change_lines(content: bytes, other: bytes, random: Generator) -> bytes:
    """A line left out, doubled, moved to the end, or taken from another file; or other ends of lines."""
    lines = content.splitlines(keepends=True) or [b""]
    index = int(random.integers(len(lines)))
    match int(random.integers(5)):
        case 0:
            del lines[index]
        case 1:
            lines.insert(index, lines[index])
        case 2:
            lines.append(lines.pop(index))
        case 3:
            others = other.splitlines(keepends=True) or [b"\n"]
            lines.insert(index, others[random.integers(len(others))])
        case _:
            return content.replace(b"\n", (b"\r\n", b"\r")[random.integers(2)])
    return b"".join(lines)


def _change_value(content: bytes, _other: bytes, random: Generator) -> bytes:
    """A value of a JSON document, or of one of its lines, changed or left out; other files stay."""
    lines = content.splitlines()
    for whole in (True, False):
        index = 0 if whole or not lines else int(random.integers(len(lines)))
        text = content if whole or not lines else lines[index]
        try:
            document = json.loads(text)
        except (ValueError, RecursionError):
            continue
        changed = json.dumps(_changed(document, random)).encode()
        return changed if whole else b"\n".join([*lines[:index], changed, *lines[index + 1 :], b""])
    return content


def _changed(value: Any, random: Generator) -> Any:
    """The value with one place of it changed; deep places are as likely as shallow ones."""
    if not isinstance(value, dict | list) or not value or random.random() < 0.1:
        return HOSTILE_JSON_VALUES[random.integers(len(HOSTILE_JSON_VALUES))]
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    key = keys[random.integers(len(keys))]
    copy = value.copy()
    if random.random() < 0.1:
        del copy[key]
    else:
        copy[key] = _changed(value[key], random)
    return copy


def _span(content: bytes, random: Generator) -> tuple[int, int]:
    begin = int(random.integers(len(content) + 1))
    return begin, min(begin + int(random.choice([1, 1, 2, 4, 16, 200])), len(content))


def _replace(pattern: re.Pattern[bytes], content: bytes, word: bytes, random: Generator) -> bytes:
    places = list(pattern.finditer(content))
    if not places:
        return content
    found = places[random.integers(len(places))]
    return content[: found.start()] + word + content[found.end() :]


DAMAGES: tuple[Damage, ...] = (
    *(_flip, _delete, _duplicate, _cut, _splice, _insert, _insert, _change_number, _change_number),
    *(_change_token, _change_lines, _change_value, _change_value, _change_value),
)
