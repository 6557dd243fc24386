"""Text made safe to print, plurals and lists in words, and the name that people start this program by."""

import json
import os
import re
import shlex
from collections.abc import Collection, Iterable, Sequence
from typing import Any

# Numbers with what they count, and lists of words.


def counted(count: int, thing: str, things: str = "") -> str:
    """`1 cell`, `2 cells`, `1,000 cells`; `things` is for plurals that have more than an s."""
    return f"{count:,} {thing if count == 1 else things or f'{thing}s'}"


def listed(words: Iterable[str]) -> str:
    """Words with commas and `and` between them: `r1c1, r1c2 and r1c3`."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


NUMBER_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

MOST_NAMES = 12
"""A sentence names this many cells or clues, and counts the others."""


def number_word(number: int) -> str:
    """`two`; from eleven on, `11`."""
    return NUMBER_WORDS[number] if 0 <= number < len(NUMBER_WORDS) else f"{number:,}"


def traps_text(number: int) -> str:
    """`one trap`, `two traps`, `no trap`."""
    return f"{number_word(number)} {'trap' if number < 2 else 'traps'}"


def joined(names: Sequence[str], things: str = "others") -> str:
    """`a`, `a and b`, `a, b and c`; of many, the first ones and the number of the others. Empty for none."""
    if len(names) > MOST_NAMES:
        shown = MOST_NAMES - 1
        names = [*names[:shown], f"{len(names) - shown:,} {things}"]
    return listed(names) if names else ""


def are(cells: Collection[object], kind: str) -> str:
    """`is a trap`, `are traps`."""
    return f"is a {kind}" if len(cells) == 1 else f"are {kind}s"


def capital(text: str) -> str:
    """The text with a capital letter in front, unless it begins with the name of a cell."""
    return text if text.startswith("r") and text[1:2].isdigit() else text[:1].upper() + text[1:]


# What people type to start this program: `gemhunter`, or in a clone `./run`.


PROGRAM_NAME = "gemhunter"

STARTED_AS = "GEMHUNTER_COMMAND"
"""An environment variable that `./run` and `run.cmd` set: how they were called."""


def program_name() -> str:
    """The first word of a command that a message suggests, quoted if the shell needs that."""
    started = os.environ.get(STARTED_AS, PROGRAM_NAME)
    if os.name == "nt":
        return f'"{started}"' if " " in started else started
    return shlex.quote(started)


# Text from files, file names and programs, made safe to print and to write.
#
# A control character could move the cursor, colour a mark or hide a line; a bidirectional override could
# show a name backwards; a lone surrogate, which stands for a byte of a file name, cannot be encoded. Each
# is shown as an escape instead.


KEPT_IN_LINES = "\n\t"
"""Control characters that a text of several lines keeps."""

MOST_SHOWN, MOST_BITS = 60, 200
"""Characters of a value that a message shows, and bits of a number that is written out."""

_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
_SURROGATE = re.compile("[\ud800-\udfff]")
_FIRST_BYTE, _LAST_BYTE, _BYTES_FROM = 0xDC80, 0xDCFF, 0xDC00
"""Python reads a byte of a file name that is not UTF-8 as one of these surrogates."""


def printable(text: str, keep: str = "") -> str:
    """A text with `\\x1b` for the escape character and so on, but for the characters to keep."""
    return _UNSAFE.sub(lambda found: found[0] if found[0] in keep else _escape(found[0]), text)


def printable_lines(text: str) -> str:
    """A text of several lines, each of them printable."""
    return printable(text, KEPT_IN_LINES)


def json_text(value: Any, *, indent: int | None = None, separators: tuple[str, str] | None = None) -> str:
    """A value as JSON that is valid UTF-8 and prints as it is; programs read the same strings from it."""
    text = json.dumps(value, indent=indent, separators=separators, ensure_ascii=False)
    return _UNSAFE.sub(lambda found: found[0] if found[0] == "\n" else f"\\u{ord(found[0]):04x}", text)


def utf8(text: str) -> bytes:
    """A text as UTF-8, whatever it holds: a lone surrogate is written as an escape."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return _SURROGATE.sub(lambda found: _escape(found[0]), text).encode()


def _escape(sign: str) -> str:
    code = ord(sign)
    if _FIRST_BYTE <= code <= _LAST_BYTE:
        return f"\\x{code - _BYTES_FROM:02x}"
    return sign.encode("unicode_escape").decode("ascii")


def shown(value: object) -> str:
    """A value in a few characters that are safe to print."""
    if isinstance(value, int) and value.bit_length() > MOST_BITS:
        return "a number of many digits"
    written = ascii(value)
    return written if len(written) <= MOST_SHOWN else f"{written[: MOST_SHOWN - 3]}..."
