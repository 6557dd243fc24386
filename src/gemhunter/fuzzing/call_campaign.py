"""A campaign against the command line: case after case is made, run, and shrunk if something is wrong."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.random import Generator

from gemhunter.fuzzing.call_cases import CallCase, smaller_calls
from gemhunter.fuzzing.call_verdicts import CallResult, verdict
from gemhunter.fuzzing.shrink import shrink

Call = Callable[[CallCase], CallResult]

MOST_SHRINKING_CALLS = 1500


@dataclass(frozen=True, slots=True)
class CallFinding:
    """A case that a command treats wrongly, as small as it could be made."""

    case: CallCase
    complaint: str
    number: int

    def text(self) -> str:
        """The file to keep."""
        return self.case.text((self.complaint, f"found by gemhunter fuzz, case {self.number}, and shrunk"))


@dataclass(slots=True)
class CallTally:
    """How far a campaign has come. `findings` has each complaint about each command once."""

    cases: int = 0
    findings: list[CallFinding] = field(default_factory=list)


def fuzz_calls(
    make: Callable[[Generator], CallCase],
    call: Call,
    tally: CallTally,
    *,
    seed: int = 0,
    before: Callable[[CallCase], None] = lambda _case: None,
) -> Iterator[CallTally]:
    """Judge one case after the other, for ever; `tally` is kept up to date and handed out after each.

    Case n depends on the seed and n alone. `before` is called with each case before it is run.
    """
    known: set[tuple[str, str]] = set()
    while True:
        case = make(np.random.default_rng([seed, tally.cases]))
        before(case)
        complaint = verdict(case, call(case))
        if complaint is not None and (case.arguments[0], complaint) not in known:
            known.add((case.arguments[0], complaint))
            tally.findings.append(CallFinding(_shrunk(case, complaint, call), complaint, tally.cases))
        tally.cases += 1
        yield tally


def _shrunk(case: CallCase, complaint: str, call: Call) -> CallCase:
    """A smaller case that the same complaint is made about."""

    def fails(candidate: CallCase) -> bool:
        return verdict(candidate, call(candidate)) == complaint

    return shrink(case, fails, smaller_calls, most_tries=MOST_SHRINKING_CALLS)
