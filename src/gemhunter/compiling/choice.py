"""When to compile: what plain Python has cost and will cost, against what compiling would."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from gemhunter.compiling.progress import say_once
from gemhunter.errors import InputError
from gemhunter.extras import install_command

if TYPE_CHECKING:
    from gemhunter.compiling.kernel import Kernel

MODE_VARIABLE = "GEMHUNTER_COMPILE"

COMPILE_SHARE = 0.25
"""A kernel is compiled once plain Python takes this share of the time that compiling would: compiling pays
off again whenever the program runs."""

IMPORT_SECONDS = 0.4
LOAD_SECONDS = 0.05
KERNEL_SECONDS = 0.12
CALLEE_SECONDS = 0.04
"""Importing Numba; loading a kernel from the cache; compiling one, and as much again for everything that
LLVM optimises along with it."""


class Mode(Enum):
    """What the environment variable says: decide by cost, compile everything, or nothing."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


class _Current:
    """The mode of this process; None until it is first asked for."""

    mode: Mode | None = None


@contextmanager
def compiling(mode: Mode) -> Iterator[None]:
    """Inside, kernels of the whole process follow this mode."""
    before, _Current.mode = current_mode(), mode
    try:
        yield
    finally:
        _Current.mode = before


def current_mode() -> Mode:
    """The mode of this process; raises `InputError` for an invalid value of the variable."""
    if _Current.mode is None:
        _Current.mode = _mode_of_environment()
    return _Current.mode


def _mode_of_environment() -> Mode:
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return Mode.NEVER
    value = os.environ.get(MODE_VARIABLE) or Mode.AUTO.value
    if value not in {mode.value for mode in Mode}:
        known = ", ".join(mode.value for mode in Mode)
        raise InputError(f"the environment variable {MODE_VARIABLE} is one of {known}, not {value!r}")
    return Mode(value)


def may_compile() -> bool:
    """Whether compiled kernels may be used."""
    return current_mode() is not Mode.NEVER


def pays(kernel: "Kernel[..., Any]", plain_seconds: float) -> bool:
    """Whether to compile a kernel that has needed, or will need, this long as plain Python."""
    mode = current_mode()
    if mode is not Mode.AUTO:
        return mode is Mode.ALWAYS and is_installed()
    if plain_seconds < COMPILE_SHARE * LOAD_SECONDS:
        return False
    if plain_seconds <= COMPILE_SHARE * seconds_to_have(kernel):
        return False
    if not is_installed():
        say_once(numba_missing())
        return False
    return True


@cache
def numba_missing() -> str:
    """The message for people whose work would be faster with Numba."""
    return f"this would be much faster compiled, but Numba is not installed (see: {install_command('fast')})"


@cache
def is_installed() -> bool:
    """Whether Numba is installed."""
    return find_spec("numba") is not None


def seconds_to_have(kernel: "Kernel[..., Any]") -> float:
    """About how many seconds it takes to compile a kernel, or to load it from the cache."""
    import sys

    from gemhunter.compiling.cache import is_cached

    seconds = LOAD_SECONDS if is_cached(kernel) else compile_seconds(kernel)
    return seconds if "numba" in sys.modules else seconds + IMPORT_SECONDS


def compile_seconds(kernel: "Kernel[..., Any]") -> float:
    """About how long it takes to compile a kernel and all it calls."""
    return sum(own_seconds(callee) for callee in kernel.closure)


def own_seconds(kernel: "Kernel[..., Any]") -> float:
    """About how long it takes to compile a kernel when all it calls have been."""
    return KERNEL_SECONDS + CALLEE_SECONDS * len(kernel.closure)
