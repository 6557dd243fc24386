"""`cdcl`: conflict-driven clause learning, written here."""

from collections.abc import Iterator
from dataclasses import dataclass

from gemhunter.cnf.formula import Cnf
from gemhunter.engines.cdcl.events import cdcl_events
from gemhunter.engines.cdcl.policy import PICKS, SCHEMES, Policy
from gemhunter.engines.cdcl.session import Conflict, Session
from gemhunter.solving.events import Event
from gemhunter.solving.outcomes import GaveUp, StopReason
from gemhunter.solving.protocols import EngineInfo, SatAnswer, Unsatisfiable
from gemhunter.solving.run import Run
from gemhunter.solving.settings import defaults, name_with, read_settings


def make_engine(argument: str) -> "Cdcl":
    """The engine with the settings in `argument`, the others at their defaults."""
    return Cdcl(read_settings(Policy, "cdcl", argument))


@dataclass(frozen=True, slots=True)
class Cdcl:
    """Decides, propagates, learns a clause from every conflict and backjumps to where it is unit."""

    policy: Policy

    @property
    def info(self) -> EngineInfo:
        """What this solver is."""
        return EngineInfo(
            name_with("cdcl", self.policy),
            "conflict-driven clause learning (CDCL), written here"
            f"{PICKS[self.policy.pick]}{SCHEMES[self.policy.learn]}",
            step="conflict",
            memory_limit=True,
            proofs=True,
            settings=defaults(Policy),
        )

    def solve_cnf(self, cnf: Cnf, run: Run) -> SatAnswer:
        """Search until a model, the empty clause, or a limit is reached."""
        needed = Session.bytes_needed(cnf.literals.size, cnf.size, cnf.variables)
        if not run.fits(needed):
            return GaveUp(StopReason.MEMORY, f"the search needs {needed:,} bytes")
        session = Session(cnf.variables, self.policy, seed=run.seed, proof=run.wants_proof)
        session.add(cnf.literals, cnf.starts)
        try:
            answer = session.ask((), run)
        finally:
            run.count(**session.counters)
        if isinstance(answer, Conflict):
            return Unsatisfiable(session.proof() if run.wants_proof else None)
        return answer

    def trace_cnf(self, cnf: Cnf, run: Run) -> Iterator[Event]:
        """The events of the search, step by step."""
        session = Session(cnf.variables, self.policy, seed=run.seed)
        session.add(cnf.literals, cnf.starts)
        return cdcl_events(session, self.policy.learn)
