"""The interfaces of an engine: what it takes, what it returns, and what it says about itself."""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from typing import NoReturn, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from gemhunter.cnf.formula import Cnf
from gemhunter.cnf.proof import Proof
from gemhunter.core.puzzle import Puzzle
from gemhunter.solving.events import Event
from gemhunter.solving.outcomes import GaveUp, Outcome
from gemhunter.solving.run import Run


@dataclass(frozen=True, slots=True)
class EngineInfo:
    """Facts about an engine that are known without running it."""

    name: str
    about: str
    complete: bool = True
    """Whether it decides every board, given time: it gives up only at a limit."""
    deterministic: bool = True
    """Whether the same board, seed and step limit give the same answer."""
    step: str = ""
    """What a step is, such as a conflict; empty for an engine that cannot keep a step limit."""
    time_limit: bool = True
    """Whether it can keep a time limit."""
    memory_limit: bool = False
    """Whether it can keep a memory limit."""
    proofs: bool = False
    """Whether its refutations come with a proof on request."""
    own_process: bool = False
    """Whether every call starts a process."""
    settings: tuple[str, ...] = ()
    """What can follow the colon of its name, `key=value` with the defaults."""
    is_trusted: bool = True
    """Whether it is believed that a board has no solution; otherwise another engine is asked as well."""
    package: str = ""
    """An optional package that it needs; empty if it needs none."""

    @property
    def is_installed(self) -> bool:
        """Whether the package that it needs is installed."""
        return not self.package or find_spec(self.package) is not None

    @property
    def limits(self) -> tuple[str, ...]:
        """The limits it honours, by the names of the arguments that set them."""
        kept = {"time": self.time_limit, "steps": bool(self.step), "memory": self.memory_limit}
        return tuple(name for name, keeps in kept.items() if keeps)


@runtime_checkable
class Engine(Protocol):
    """Reads regions, answers with an outcome.

    Settings go to the constructor, the puzzle to the call. Nothing is kept between calls, nothing printed.
    """

    @property
    def info(self) -> EngineInfo:
        """What this engine is."""

    def solve(self, puzzle: Puzzle, run: Run) -> Outcome:
        """Find a solution, show that there is none, or give up when `run` says so."""


@runtime_checkable
class TracingEngine(Protocol):
    """An engine that can report its search step by step."""

    def trace(self, puzzle: Puzzle, run: Run) -> Iterator[Event]:
        """Everything that happens, in order; the last event is the answer."""


class _SolverAnswer:
    """Raises for `if answer:`, which would mix up "no" and "don't know"."""

    __slots__ = ()

    def __bool__(self) -> NoReturn:
        raise TypeError("an answer is neither true nor false; match it: Satisfied, Unsatisfiable or GaveUp")


@dataclass(frozen=True, slots=True, eq=False)
class Satisfied(_SolverAnswer):
    """A model: the literals that are true."""

    model: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Unsatisfiable(_SolverAnswer):
    """No assignment satisfies all clauses; `proof` shows it, where one was asked for."""

    proof: Proof | None = None


SatAnswer: TypeAlias = Satisfied | Unsatisfiable | GaveUp


@runtime_checkable
class CnfSolver(Protocol):
    """Reads clauses, answers with a model; the registry makes it an `Engine`."""

    @property
    def info(self) -> EngineInfo:
        """What this solver is."""

    def solve_cnf(self, cnf: Cnf, run: Run) -> SatAnswer:
        """Find a model, show that there is none, or give up when `run` says so."""


@runtime_checkable
class TracingSolver(Protocol):
    """A solver that can report its search step by step; `queries.trace` encodes the board for it."""

    def trace_cnf(self, cnf: Cnf, run: Run) -> Iterator[Event]:
        """Everything that happens, in order; the last event is the answer."""
