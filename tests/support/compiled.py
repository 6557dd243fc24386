"""Kernels as they are compiled, and as they are written."""

import io
from contextlib import redirect_stdout

import pytest

from gemhunter.jit.choice import Mode, compiling, may_compile

needs_compiler = pytest.mark.skipif(not may_compile(), reason="plain Python would take minutes")
"""For tests that `./test --plain` leaves out."""


def output_either_way(program: str) -> str:
    """What a Python program prints; it must be the same with compiled kernels and with plain ones.

    Where nothing may be compiled, as with `./test --plain`, it is what plain kernels make it print.
    """
    modes = (Mode.NEVER, Mode.ALWAYS) if may_compile() else (Mode.NEVER,)
    printed = {_output(program, mode) for mode in modes}
    assert len(printed) == 1
    return printed.pop()


def _output(program: str, mode: Mode) -> str:
    with compiling(mode), redirect_stdout(io.StringIO()) as printed:
        exec(compile(program, "<program>", "exec"), {"__name__": "program"})
    return printed.getvalue()
