"""A campaign: case after case is made, judged, and shrunk if somebody is wrong about it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from gemhunter.engines.pysat.solvers import SOLVERS
from gemhunter.fuzzing.cases import Case
from gemhunter.fuzzing.random_cases import make_board, make_formula
from gemhunter.fuzzing.shrink import shrink, smaller_cases
from gemhunter.fuzzing.verdicts import Complaint, judge
from gemhunter.solving.cnf_engine import CnfEngine
from gemhunter.solving.protocols import Engine
from gemhunter.solving.registry import BUILT_IN, NEEDS_ARGUMENT, engine_names, get_engine


@dataclass(frozen=True, slots=True)
class Finding:
    """A case that somebody is wrong about, as small as it could be made."""

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
    names = [name for name in engine_names() if name.partition(":")[0] in BUILT_IN]
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
    """Judge one case after the other, for ever; `tally` is kept up to date and handed out after each.

    Case n depends on the seed and n alone. `before` is told each case before anybody is asked about it.
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
