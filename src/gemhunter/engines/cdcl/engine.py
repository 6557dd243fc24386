"""`cdcl`: conflict-driven clause learning, written here, and the events that a trace of it shows."""

from collections.abc import Iterator
from dataclasses import dataclass

from gemhunter.cnf.formula import Cnf
from gemhunter.engines.cdcl import clauses as state
from gemhunter.engines.cdcl.search import search
from gemhunter.engines.cdcl.session import PICKS, SCHEMES, Conflict, Policy, Session
from gemhunter.jit.codes import (
    CONFLICT_CLAUSE,
    DECIDE,
    DECISION_LEVEL,
    EXHAUSTED,
    FOUND,
    GROW,
    NEXT_STEP,
    NONE,
    TRAIL_SIZE,
)
from gemhunter.solving.engine import EngineInfo, SatAnswer, Unsatisfiable, defaults, name_with, read_settings
from gemhunter.solving.events import (
    Assigned,
    Clause,
    ClauseConflict,
    Decided,
    Deleted,
    Event,
    Exhausted,
    Implied,
    Learned,
    LearningScheme,
    ModelFound,
    Restarted,
)
from gemhunter.solving.outcomes import GaveUp, StopReason
from gemhunter.solving.run import Run

# The events of a CDCL search, read from its arrays between the steps of the kernel that also solves.


def cdcl_events(session: Session, scheme: LearningScheme) -> Iterator[Event]:
    """All events of a search without assumptions, in order; the last is `ModelFound` or `Exhausted`."""
    session.begin(())
    reader = _TrailReader(session, scheme)
    yield from reader.assignments()
    while not session.hopeless:
        step = session.search.numbers[NEXT_STEP]
        before, clauses = session.counters, int(session.search.numbers[state.CLAUSE_COUNT])
        code = search(session.search, 2**62, True)
        if code == GROW:
            session.grow()
            continue
        if code == FOUND:
            yield ModelFound()
            return
        if code == EXHAUSTED:
            break
        if step == DECIDE:
            yield from reader.deletions_and_restarts(before, clauses)
        if step == state.ANALYSE:
            yield reader.learned()
        elif step == state.LEARN:
            reader.backjump()
            yield from reader.assignments()
        else:
            yield from reader.assignments()
            yield from reader.conflict()
    yield Exhausted()


class _TrailReader:
    """Reads events from the arrays of a search, and remembers how much of the trail it has reported."""

    def __init__(self, session: Session, scheme: LearningScheme) -> None:
        self._session, self._scheme = session, scheme
        self._reported = 0

    def assignments(self) -> Iterator[Event]:
        """The literals on the trail that have not been reported."""
        s = self._session.search
        for inner in s.trail.literals[self._reported : s.numbers[TRAIL_SIZE]].tolist():
            literal = _signed(inner)
            level, reason = int(s.trail.level[inner >> 1]), int(s.trail.reason[inner >> 1])
            if reason == NONE and level > 0:
                yield Decided(literal, level)
            else:
                yield Implied(literal, (literal,) if reason == NONE else self._clause(reason, inner))
        self._reported = int(s.numbers[TRAIL_SIZE])

    def conflict(self) -> Iterator[Event]:
        """The conflict clause, if there is one."""
        if clause := self._conflict_clause():
            yield ClauseConflict(clause)

    def learned(self) -> Learned:
        """The learned clause and its implication graph, read before the backjump."""
        s = self._session.search
        clause = tuple(
            _signed(inner) for inner in s.analysis.learned[: s.numbers[state.LEARNED_SIZE]].tolist()
        )
        graph, beyond, cut = self._graph(uip=-clause[0])
        level = int(s.numbers[state.BACKJUMP_LEVEL])
        return Learned(clause, level, self._conflict_clause(), graph, beyond, cut, self._scheme)

    def backjump(self) -> None:
        """Note that the trail is shorter: only its last literal, which the learned clause implies, is new."""
        self._reported = int(self._session.search.numbers[TRAIL_SIZE]) - 1

    def deletions_and_restarts(self, before: dict[str, int], clauses: int) -> Iterator[Event]:
        """What happened before a decision, given the counters and the number of clauses before it."""
        s, now = self._session.search, self._session.counters
        if now["forgettings"] > before["forgettings"]:
            yield Deleted(clauses - int(s.numbers[state.CLAUSE_COUNT]))
        if now["restarts"] > before["restarts"]:
            yield Restarted(int(s.numbers[DECISION_LEVEL]) - 1)
            self._reported = int(s.numbers[TRAIL_SIZE]) - 1

    def _conflict_clause(self) -> Clause:
        numbers = self._session.search.numbers
        if numbers[CONFLICT_CLAUSE] == NONE:
            return ()
        return self._clause(int(numbers[CONFLICT_CLAUSE]), int(numbers[state.CONFLICT_LITERAL]))

    def _clause(self, clause: int, other: int) -> Clause:
        """A clause by where it lies; a binary clause is known by one literal, and `other` is the second."""
        arena = self._session.search.clauses.arena
        if clause < 0:
            return _signed(other), _signed(state.BINARY - clause)
        begin = clause + state.CLAUSE_HEADER
        return tuple(_signed(inner) for inner in arena[begin : begin + arena[clause]].tolist())

    def _graph(self, uip: int) -> tuple[tuple[Assigned, ...], Clause, Clause]:
        """The implication graph of the conflict, the literals beyond its cut, and the clause of the cut.

        If the cut is at a UIP, the literals of the last level that follow from it lie beyond; if it is at
        the decisions, all literals that follow from decisions do.
        """
        trail, numbers = self._session.search.trail, self._session.search.numbers
        wanted = {-literal for literal in self._conflict_clause()}
        graph, beyond = [], []
        to_decisions = self._scheme == "decisions"
        is_beyond = True
        for inner in reversed(trail.literals[: numbers[TRAIL_SIZE]].tolist()):
            literal, variable = _signed(inner), inner >> 1
            level, reason = int(trail.level[variable]), int(trail.reason[variable])
            if literal not in wanted:
                continue
            is_beyond = is_beyond and (to_decisions or literal != uip)
            because: Clause = ()
            if reason != NONE and (level == numbers[DECISION_LEVEL] or (to_decisions and level > 0)):
                because = tuple(-each for each in self._clause(reason, inner) if each != literal)
                wanted.update(because)
                if is_beyond:
                    beyond.append(literal)
            graph.append(Assigned(literal, level, because))
        levels = {node.literal: node.level for node in graph}
        crossing = {-literal for literal in self._conflict_clause()}
        crossing.update(each for node in graph if node.literal in set(beyond) for each in node.because)
        cut = {-each for each in crossing if each not in beyond and levels[each] > 0}
        return tuple(reversed(graph)), tuple(reversed(beyond)), tuple(sorted(cut, key=abs))


def _signed(inner: int) -> int:
    return -(inner >> 1) - 1 if inner & 1 else (inner >> 1) + 1


# `cdcl`: conflict-driven clause learning, written here.


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
