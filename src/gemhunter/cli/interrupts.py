"""Ctrl-C and SIGTERM: raised at once, and remembered for those who swallow what is raised."""

import signal
import sys
from types import FrameType

_SWALLOWED: list[KeyboardInterrupt] = []


class TerminatedError(KeyboardInterrupt):
    """Somebody ended us from outside; like Ctrl-C, but with another exit code."""


def listen() -> None:
    """Be told of both from now on."""
    signal.signal(signal.SIGINT, _raise)
    signal.signal(signal.SIGTERM, _raise)
    sys.unraisablehook = _pass_over


def is_pending() -> bool:
    """Whether we were told to stop; LLVM, while it reads compiled code, lets no exception through."""
    return bool(_SWALLOWED)


def stop_if_pending() -> None:
    """Raise what was swallowed."""
    if _SWALLOWED:
        raise _SWALLOWED[-1]


def _raise(number: int, frame: FrameType | None) -> None:
    _SWALLOWED.append(TerminatedError() if number == signal.SIGTERM else KeyboardInterrupt())
    raise _SWALLOWED[-1]


def _pass_over(unraisable: "sys.UnraisableHookArgs") -> None:
    """Say nothing of a stop that cannot be raised where it came; it is remembered."""
    if not isinstance(unraisable.exc_value, KeyboardInterrupt):
        sys.__unraisablehook__(unraisable)
