"""Files with formulas: recognising and reading them, compressed or not."""

import io
import os
import re
import sys
from importlib import import_module
from pathlib import Path
from types import MappingProxyType

from gemhunter.cnf.dimacs import parse_formula
from gemhunter.cnf.formula import Cnf
from gemhunter.errors import Fault, FormulaError
from gemhunter.formats.files import STDIN, read_bytes, source_name

FORMULA_SUFFIXES = (".cnf", ".dimacs")

LARGEST_FORMULA = 2**31
"""Bytes. Reading takes several times as much memory."""

UNPACKERS = MappingProxyType({".gz": "gzip", ".bz2": "bz2", ".xz": "lzma"})
"""The module that opens a compressed file, by how its name ends."""

HEAD_BYTES = 200
_BEGINNING = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:p\s|c(?:\s|$))")
"""A header or a comment line; no row of cells begins like one."""


def is_formula(path: str | os.PathLike[str]) -> bool:
    """Whether a file, or standard input for `-`, holds a formula, by its name or by how it begins."""
    name = Path(path).name.lower()
    packed = next((suffix for suffix in UNPACKERS if name.endswith(suffix)), "")
    return name.removesuffix(packed).endswith(FORMULA_SUFFIXES) or _BEGINNING.match(_head(path)) is not None


def read_formula(path: str | os.PathLike[str]) -> Cnf:
    """The formula in a DIMACS file, or on standard input for `-`; `.gz`, `.bz2` and `.xz` are unpacked."""
    content, source = read_bytes(path, LARGEST_FORMULA, "a formula"), source_name(path)
    suffix = Path(path).suffix.lower()
    if suffix in UNPACKERS:
        content = _unpacked(content, suffix, source)
    return parse_formula(content, source=source)


def _unpacked(content: bytes, suffix: str, source: str) -> bytes:
    from lzma import LZMAError
    from zlib import error as ZlibError  # noqa: N812 - it is a class

    try:
        with import_module(UNPACKERS[suffix]).open(io.BytesIO(content)) as stream:
            unpacked: bytes = stream.read(LARGEST_FORMULA + 1)
    except (OSError, EOFError, ZlibError, LZMAError) as error:
        reason = str(error).lower().rstrip(".")
        raise FormulaError(Fault(0, 0, f"cannot be unpacked as a {suffix} file: {reason}"), source) from None
    if len(unpacked) > LARGEST_FORMULA:
        limit = f"{LARGEST_FORMULA // 2**20} MiB"
        raise FormulaError(Fault(0, 0, f"too large to be a formula; at most {limit} are unpacked"), source)
    return unpacked


def _head(path: str | os.PathLike[str]) -> bytes:
    """The first bytes of a file, or of standard input without consuming them; empty if they cannot be had."""
    if os.fspath(path) == STDIN:
        stream = getattr(sys.stdin, "buffer", None)
        return stream.peek(HEAD_BYTES) if isinstance(stream, io.BufferedReader) else b""
    # Reading from a pipe would consume it, so only regular files are opened.
    if not Path(path).is_file():
        return b""
    try:
        with Path(path).open("rb") as file:
            return file.read(HEAD_BYTES)
    except OSError:
        return b""
