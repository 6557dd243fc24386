"""Text from files, file names and programs, made safe to print and to write."""

import json
import re
from typing import Any

# Text from files, file names and programs, made safe to print and to write.
#
# A control character could move the cursor, colour a mark or hide a line; a bidirectional override could
# show a name backwards; a lone surrogate, which stands for a byte of a file name, cannot be encoded. Each
# is shown as an escape instead.


_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
_SURROGATE = re.compile("[\ud800-\udfff]")
_FIRST_BYTE, _LAST_BYTE, _BYTES_FROM = 0xDC80, 0xDCFF, 0xDC00
"""Python reads bytes of file names that are not UTF-8 as these surrogates."""


def printable(text: str, keep: str = "") -> str:
    """A text with `\\x1b` for the escape character and so on, except for characters in `keep`."""
    return _UNSAFE.sub(lambda found: found[0] if found[0] in keep else _escape(found[0]), text)


def printable_lines(text: str) -> str:
    """A text with its line ends and tabs, otherwise printable."""
    return printable(text, keep="\n\t")


def json_text(value: Any, *, indent: int | None = None, separators: tuple[str, str] | None = None) -> str:
    """A value as JSON that is valid UTF-8 and safe to print; unsafe characters are escaped."""
    text = json.dumps(value, indent=indent, separators=separators, ensure_ascii=False)
    return _UNSAFE.sub(lambda found: found[0] if found[0] == "\n" else f"\\u{ord(found[0]):04x}", text)


def utf8(text: str) -> bytes:
    """A text as UTF-8; lone surrogates are written as escapes."""
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
    """A value in at most 60 characters that are safe to print."""
    if isinstance(value, int) and value.bit_length() > 200:  # writing it out would take long
        return "a number of many digits"
    written = ascii(value)
    return written if len(written) <= 60 else f"{written[:57]}..."
