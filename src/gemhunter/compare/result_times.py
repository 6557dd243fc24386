"""The table of a course report, `result_times.txt`: a row per test case, a column of seconds per engine."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gemhunter.draw.text_maps import seconds_in_file
from gemhunter.solving.outcomes import StopReason

GAVE_UP_WORDS = {
    StopReason.STEPS: "exceeded max attempts",
    StopReason.ATTEMPTS: "exceeded max attempts",
    StopReason.TIME: "exceed time",
    StopReason.MEMORY: "exceeded memory",
    StopReason.STUCK: "stuck",
}
"""How a table of times says why an engine gave up; the first three in the words of course reports."""

_NUMBERED = re.compile(r"(?:(?:test[_-]?)?case|input)[_-]?(\d+)", re.IGNORECASE)
"""The name of a board that is a test case with a number."""


def mode_text(*, compiled: bool) -> str:
    """The line below a table of times about the engines of this package."""
    return f"engines written here ran {'compiled' if compiled else 'as plain Python'}"


def gave_up_words(limit: StopReason | None) -> str:
    """How a table of times says that an engine gave up at a limit; None for one that is not known."""
    return "gave up" if limit is None else GAVE_UP_WORDS.get(limit, "gave up")


@dataclass(frozen=True, slots=True)
class CaseTime:
    """An engine on a test case: seconds, if there are any, and what else happened, empty for a solution."""

    seconds: float | None
    ending: str = ""

    @property
    def text(self) -> str:
        """Both for a file, as in `7.615532 (Exceeded max attempts)`."""
        words = self.ending.capitalize()
        if self.seconds is None:
            return words
        return seconds_in_file(self.seconds) + (f" ({words})" if words else "")


@dataclass(frozen=True, slots=True)
class CaseRow:
    """A test case: its number or name, its size, and what each engine came to that was asked."""

    case: str
    size: str
    times: Mapping[str, CaseTime]


def result_times_rows(engines: Sequence[str], cases: Sequence[CaseRow]) -> list[list[str]]:
    """The headings and a row per test case, in the layout of S2."""
    headings = ["Testcase", "Size", *(f"{engine} (s)" for engine in engines)]
    nothing = CaseTime(None)
    return [
        headings,
        *(
            [each.case, each.size, *(each.times.get(name, nothing).text for name in engines)]
            for each in cases
        ),
    ]


def case_names(boards: Sequence[str]) -> list[str]:
    """The number of each board that is a test case, as in `testcase_3`; all names if two would be equal."""
    names = [found[1] if (found := _NUMBERED.fullmatch(board)) else board for board in boards]
    return names if len(set(names)) == len(names) else list(boards)
