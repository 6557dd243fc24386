"""What an engine is: its interfaces, and SAT solvers as engines."""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from shutil import which
from typing import Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.puzzle import Puzzle, Solution
from gemhunter.cnf.drat import Proof
from gemhunter.cnf.encode import Numbering, encode, encode_puzzle, encoding_bytes
from gemhunter.cnf.formula import Cnf
from gemhunter.errors import TooLargeError
from gemhunter.solving.events import Event
from gemhunter.solving.outcomes import GaveUp, NoTruthValue, Outcome, Solved, StopReason, refuted_by_engine
from gemhunter.solving.run import Run

# The interfaces of an engine: what it takes, what it returns, and what it says about itself.


@dataclass(frozen=True, slots=True)
class EngineInfo:
    """What is known about an engine without running it."""

    name: str
    about: str
    complete: bool = True
    """Whether it decides every board unless it reaches a limit."""
    deterministic: bool = True
    """Whether the board, the seed and the step limit determine the answer."""
    step: str = ""
    """What counts as a step, such as a conflict; empty for an engine that cannot keep a step limit."""
    time_limit: bool = True
    """Whether it can keep a time limit."""
    memory_limit: bool = False
    """Whether it can keep a memory limit."""
    proofs: bool = False
    """Whether its refutations come with a proof on request."""
    own_process: bool = False
    """Whether every call starts a process."""
    settings: tuple[str, ...] = ()
    """The settings that can follow the colon in its name, `key=value` with the defaults."""
    is_trusted: bool = True
    """Whether its refutations are believed; otherwise another engine checks them."""
    package: str = ""
    """The optional package that it needs; empty if it needs none."""
    program: str = ""
    """The program that it runs; empty for an engine of this package."""

    @property
    def is_installed(self) -> bool:
        """Whether the package and the program that it needs are installed."""
        has_program = not self.program or which(self.program) is not None
        return has_program and (not self.package or find_spec(self.package) is not None)

    @property
    def limits(self) -> tuple[str, ...]:
        """The limits that it keeps: `time`, `steps`, `memory`."""
        kept = {"time": self.time_limit, "steps": bool(self.step), "memory": self.memory_limit}
        return tuple(name for name, keeps in kept.items() if keeps)


@runtime_checkable
class Engine(Protocol):
    """Reads regions and answers with an outcome.

    The constructor takes the settings, a call takes the puzzle. An engine keeps nothing between calls and
    prints nothing.
    """

    @property
    def info(self) -> EngineInfo:
        """What is known about this engine."""

    def solve(self, puzzle: Puzzle, run: Run) -> Outcome:
        """Find a solution, show that there is none, or give up when `run` says so."""


@runtime_checkable
class TracingEngine(Protocol):
    """An engine that can report its search step by step."""

    def trace(self, puzzle: Puzzle, run: Run) -> Iterator[Event]:
        """Yield every event of the search in order; the last one is the answer."""


@dataclass(frozen=True, slots=True, eq=False)
class Satisfied(NoTruthValue):
    """A model: the literals that are true."""

    model: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Unsatisfiable(NoTruthValue):
    """No assignment satisfies all clauses; `proof` shows it, if one was requested."""

    proof: Proof | None = None


SatAnswer: TypeAlias = Satisfied | Unsatisfiable | GaveUp


@runtime_checkable
class CnfSolver(Protocol):
    """Reads clauses and answers with a model; the registry turns it into an `Engine`."""

    @property
    def info(self) -> EngineInfo:
        """What is known about this solver."""

    def solve_cnf(self, cnf: Cnf, run: Run) -> SatAnswer:
        """Find a model, show that there is none, or give up when `run` says so."""


@runtime_checkable
class TracingSolver(Protocol):
    """A solver that can report its search step by step; `questions.trace` encodes the board for it."""

    def trace_cnf(self, cnf: Cnf, run: Run) -> Iterator[Event]:
        """Yield every event of the search in order; the last one is the answer."""


# The adapter from clauses to boards, which makes an engine of any SAT solver.


@dataclass(frozen=True, slots=True)
class CnfEngine:
    """An engine that encodes the puzzle, lets a solver find a model, and reads the solution off it.

    With `variables="all"` every cell has a variable, each shown cell a unit clause, and repeated clauses are
    kept.
    """

    solver: CnfSolver
    encoding: str = "binomial"
    variables: Numbering = "hidden"

    @property
    def info(self) -> EngineInfo:
        """What is known about the solver."""
        return self.solver.info

    def encode(self, puzzle: Puzzle) -> Cnf:
        """The puzzle as clauses for the solver."""
        if self.variables == "hidden":
            return encode_puzzle(puzzle, self.encoding)
        return encode(puzzle.grid, self.encoding, "all", total=puzzle.total, keep_duplicates=True)

    def solve(self, puzzle: Puzzle, run: Run) -> Outcome:
        """Solve the puzzle as clauses; a formula that would exceed the memory limit is not built."""
        if run.limits.memory is not None and not run.fits(encoding_bytes(puzzle, self.encoding)):
            return GaveUp(StopReason.MEMORY, "the clauses would not fit")
        try:
            with run.stage("encode"):
                cnf = self.encode(puzzle)
        except TooLargeError as error:
            return GaveUp(StopReason.MEMORY, str(error))
        run.count(variables=cnf.variables, clauses=cnf.size)
        if reason := run.spend():
            return GaveUp(reason)
        if not cnf.size:
            # MapleSAT crashes on a formula without clauses.
            return Solved(Solution(np.zeros(puzzle.hidden.size, bool)))
        answer = self.solver.solve_cnf(cnf, run)
        if self.variables == "all" and isinstance(answer, Satisfied):
            return Solved(Solution(np.isin(puzzle.hidden + 1, answer.model)))
        return outcome_of(answer, puzzle, self.info)


def outcome_of(answer: SatAnswer, puzzle: Puzzle, engine: EngineInfo) -> Outcome:
    """A solver's answer as the outcome for a puzzle whose n hidden cells are the variables 1..n."""
    match answer:
        case Satisfied(model):
            return Solved(Solution.of_model(model, puzzle.hidden.size))
        case Unsatisfiable(proof):
            return refuted_by_engine(engine.name, proof)
        case GaveUp() as gave_up:
            return gave_up
