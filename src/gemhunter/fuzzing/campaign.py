"""Campaigns: case after case is made, judged, and shrunk if an engine or a command is wrong about it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
from numpy.random import Generator

from gemhunter.engines.pysat.solvers import SOLVERS
from gemhunter.fuzzing.calls import CallCase, CallResult, smaller_calls, verdict
from gemhunter.fuzzing.cases import Case, make_board, make_formula, smaller_cases
from gemhunter.fuzzing.verdicts import Complaint, judge
from gemhunter.solving.cnf_engine import CnfEngine
from gemhunter.solving.protocols import Engine
from gemhunter.solving.registry import BUILT_IN_ENGINES, NEEDS_ARGUMENT, engine_names, get_engine

MOST_TRIES = 3000

Shrinkable = TypeVar("Shrinkable")

Call = Callable[[CallCase], CallResult]

MOST_SHRINKING_CALLS = 1500


def shrink(
    case: Shrinkable,
    fails: Callable[[Shrinkable], bool],
    smaller_than: Callable[[Shrinkable], Iterator[Shrinkable]],
    *,
    most_tries: int = MOST_TRIES,
) -> Shrinkable:
    """A smaller case that `fails` too; no single step makes it smaller still, unless tries ran out."""
    tries = 0
    smaller = True
    while smaller and tries < most_tries:
        smaller = False
        for candidate in smaller_than(case):
            tries += 1
            if fails(candidate):
                case, smaller = candidate, True
                break
            if tries == most_tries:
                break
    return case


@dataclass(frozen=True, slots=True)
class Finding:
    """A case that an engine is wrong about, as small as it could be made."""

    case: Case
    complaint: Complaint
    number: int

    def text(self) -> str:
        """The file to keep."""
        words = str(self.complaint).splitlines()[0]
        return self.case.text((words, f"found by gemhunter fuzz, case {self.number}, and shrunk"))


@dataclass(slots=True)
class CampaignTally:
    """How far a campaign has come."""

    cases: int = 0
    findings: list[Finding] = field(default_factory=list)


def default_engines() -> list[str]:
    """Every built-in engine that is installed, but those that start a process for each case: too slow."""
    alone = {f"pysat:{name}" for name, solver in SOLVERS.items() if solver.control == "process"}
    others = {"auto", "pysat", *(f"{name}:{what}" for name, what in NEEDS_ARGUMENT.items())}
    names = [name for name in engine_names() if name.partition(":")[0] in BUILT_IN_ENGINES]
    return [name for name in names if name not in alone | others and get_engine(name).info.is_installed]


def readers_of_clauses(engines: Sequence[Engine]) -> list[Engine]:
    """Those that can be asked about formulas."""
    return [engine for engine in engines if isinstance(engine, CnfEngine)]


def fuzz(
    engines: Sequence[Engine],
    tally: CampaignTally,
    *,
    seed: int = 0,
    formulas: bool = False,
    before: Callable[[Case], None] = lambda _case: None,
) -> Iterator[CampaignTally]:
    """Judge one case after the other, without end; `tally` is kept up to date and handed out after each.

    Case n depends on the seed and n alone. `before` is called with each case before any engine is asked.
    """
    make = make_formula if formulas else make_board
    while True:
        case = make(np.random.default_rng([seed, tally.cases]))
        before(case)
        found: set[str] = set()
        for complaint in judge(case, engines, seed):
            if complaint.engine.info.name not in found:
                found.add(complaint.engine.info.name)
                tally.findings.append(_shrunk(case, complaint, tally.cases, seed))
        tally.cases += 1
        yield tally


def _shrunk(case: Case, complaint: Complaint, number: int, seed: int) -> Finding:
    involved = [each for each in (complaint.engine, complaint.witness) if each is not None]

    def complaints(candidate: Case) -> list[Complaint]:
        alike = (complaint.engine.info.name, complaint.kind)
        found = judge(candidate, involved, seed)
        return [each for each in found if (each.engine.info.name, each.kind) == alike]

    small = shrink(case, lambda candidate: bool(complaints(candidate)), smaller_cases)
    return Finding(small, next(iter(complaints(small)), complaint), number)


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
    """Judge one case after the other, without end; `tally` is kept up to date and handed out after each.

    Case n depends on the seed and n alone. `before` is called with each case before it is run.
    """
    known: set[tuple[str, str]] = set()
    while True:
        case = make(np.random.default_rng([seed, tally.cases]))
        before(case)
        complaint = verdict(case, call(case))
        if complaint is not None and (case.arguments[0], complaint) not in known:
            known.add((case.arguments[0], complaint))
            tally.findings.append(CallFinding(_shrunk_call(case, complaint, call), complaint, tally.cases))
        tally.cases += 1
        yield tally


def _shrunk_call(case: CallCase, complaint: str, call: Call) -> CallCase:
    """A smaller case that the same complaint is made about."""

    def fails(candidate: CallCase) -> bool:
        return verdict(candidate, call(candidate)) == complaint

    return shrink(case, fails, smaller_calls, most_tries=MOST_SHRINKING_CALLS)
