"""Ctrl-C and SIGTERM: raised at once, and remembered in case the exception is swallowed."""

import signal
import sys
from types import FrameType

_SWALLOWED: list[KeyboardInterrupt] = []


class TerminatedError(KeyboardInterrupt):
    """SIGTERM, which ends the program as Ctrl-C does, but with another exit code."""


def listen() -> None:
    """Handle both from now on."""
    signal.signal(signal.SIGINT, _raise)
    signal.signal(signal.SIGTERM, _raise)
    sys.unraisablehook = _pass_over


def is_pending() -> bool:
    """Whether a stop was asked for; LLVM, while it reads compiled code, lets no exception through."""
    return bool(_SWALLOWED)


def stop_if_pending() -> None:
    """Raise the stop that was swallowed, if any."""
    if _SWALLOWED:
        raise _SWALLOWED[-1]


def _raise(number: int, frame: FrameType | None) -> None:
    _SWALLOWED.append(TerminatedError() if number == signal.SIGTERM else KeyboardInterrupt())
    raise _SWALLOWED[-1]


def _pass_over(unraisable: "sys.UnraisableHookArgs") -> None:
    """Print nothing about a stop that cannot be raised where it arrives; it is remembered."""
    if not isinstance(unraisable.exc_value, KeyboardInterrupt):
        sys.__unraisablehook__(unraisable)
