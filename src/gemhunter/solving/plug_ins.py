"""Code of other packages: its faults become errors that name the package and say what was expected."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gemhunter.cnf.formula import Cnf
from gemhunter.core.puzzle import Puzzle
from gemhunter.core.solution import Solution
from gemhunter.errors import EngineError, GemHunterError
from gemhunter.solving.events import Event
from gemhunter.solving.outcomes import GaveUp, Outcome, Refuted, Solved, StopReason
from gemhunter.solving.protocols import (
    CnfSolver,
    Engine,
    EngineInfo,
    SatAnswer,
    Satisfied,
    TracingEngine,
    TracingSolver,
    Unsatisfiable,
)
from gemhunter.solving.run import Run

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


def entry_points_of(group: str) -> dict[str, "EntryPoint"]:
    """The entry points of a group in all installed packages, by name; none of them is imported."""
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=group)}


def make_plug_in(point: "EntryPoint", argument: Any) -> object:
    """What the factory of a plug-in returns for an argument."""
    try:
        factory: Callable[[Any], object] = point.load()
        return factory(argument)
    except GemHunterError:
        raise
    except Exception as error:
        raise EngineError(f"the plug-in {point.value!r} cannot be loaded: {_words(error)}") from error


def guarded(made: object, source: str) -> Engine | CnfSolver:
    """An engine or solver of a plug-in, with its faults reported as those of `source`."""
    with faults_of(source):
        if not isinstance(made, Engine | CnfSolver):
            kind = f"{type(made).__name__} is neither an Engine nor a CnfSolver"
            needed = "`info`, and `solve` or `solve_cnf`"
            raise EngineError(f"the plug-in {source!r} made no engine: {kind}; expected {needed}")
        info: object = made.info
    if not isinstance(info, EngineInfo):
        raise unexpected(source, "`info` is", info, "an EngineInfo")
    if isinstance(made, CnfSolver):
        return (TracedPlugInSolver if isinstance(made, TracingSolver) else PlugInSolver)(made, source)
    return (TracedPlugInEngine if isinstance(made, TracingEngine) else PlugInEngine)(made, source)


@contextmanager
def faults_of(source: str) -> Iterator[None]:
    """Turn whatever the plug-in raises inside into an `EngineError` that names it."""
    try:
        yield
    except (GemHunterError, MemoryError):  # a memory limit was reached, which is an outcome
        raise
    except Exception as error:
        raise EngineError(f"the plug-in {source!r} failed: {_words(error)}") from error


@dataclass(frozen=True, slots=True)
class PlugInEngine:
    """An engine of another package."""

    engine: Any
    source: str

    @property
    def info(self) -> EngineInfo:
        """What the engine says about itself."""
        info: EngineInfo = self.engine.info
        return info

    def solve(self, puzzle: Puzzle, run: Run) -> Outcome:
        """What the engine answers, if that is an outcome."""
        with faults_of(self.source):
            outcome: object = self.engine.solve(puzzle, run)
        return require_outcome(outcome, self.source)


class TracedPlugInEngine(PlugInEngine):
    """An engine of another package that reports its search."""

    __slots__ = ()

    def trace(self, puzzle: Puzzle, run: Run) -> Iterator[Event]:
        """The engine's events."""
        with faults_of(self.source):
            yield from self.engine.trace(puzzle, run)


@dataclass(frozen=True, slots=True)
class PlugInSolver:
    """A solver of clauses of another package."""

    solver: Any
    source: str

    @property
    def info(self) -> EngineInfo:
        """What the solver says about itself."""
        info: EngineInfo = self.solver.info
        return info

    def solve_cnf(self, cnf: Cnf, run: Run) -> SatAnswer:
        """What the solver answers, if that is an answer."""
        with faults_of(self.source):
            answer: object = self.solver.solve_cnf(cnf, run)
        return require_answer(answer, self.source)


class TracedPlugInSolver(PlugInSolver):
    """A solver of another package that reports its search."""

    __slots__ = ()

    def trace_cnf(self, cnf: Cnf, run: Run) -> Iterator[Event]:
        """The solver's events."""
        with faults_of(self.source):
            yield from self.solver.trace_cnf(cnf, run)


def require_outcome(outcome: object, source: str) -> Outcome:
    """The outcome, or an `EngineError` if it is not one or holds values of the wrong types."""
    if not isinstance(outcome, Solved | Refuted | GaveUp):
        raise unexpected(source, "`solve` returned", outcome, "Solved, Refuted or GaveUp")
    if isinstance(outcome, Solved) and not isinstance(outcome.solution, Solution):
        raise unexpected(
            source, "`Solved` has", outcome.solution, "a Solution, a boolean for each hidden cell"
        )
    if isinstance(outcome, Refuted) and not isinstance(outcome.reason, str):
        raise unexpected(source, "`Refuted` has", outcome.reason, "the reason as a text")
    if isinstance(outcome, GaveUp):
        _require_stop_reason(outcome, source)
    return outcome


def require_answer(answer: object, source: str) -> SatAnswer:
    """The answer of a solver, or an `EngineError` if it is not one or holds values of the wrong types."""
    if not isinstance(answer, Satisfied | Unsatisfiable | GaveUp):
        raise unexpected(source, "`solve_cnf` returned", answer, "Satisfied, Unsatisfiable or GaveUp")
    if isinstance(answer, Satisfied):
        model: object = answer.model
        is_model = (
            isinstance(model, np.ndarray) and model.ndim == 1 and np.issubdtype(model.dtype, np.integer)
        )
        if not is_model:
            raise unexpected(source, "`Satisfied` has", model, "a NumPy array of the literals that are true")
    if isinstance(answer, GaveUp):
        _require_stop_reason(answer, source)
    return answer


def _require_stop_reason(gave_up: GaveUp, source: str) -> None:
    if not isinstance(gave_up.stop_reason, StopReason):
        raise unexpected(
            source, "`GaveUp` has", gave_up.stop_reason, "a StopReason, such as run.spend() returns"
        )


def unexpected(source: str, where: str, found: object, expected: str) -> EngineError:
    """The error that says what the plug-in should have given instead."""
    return EngineError(f"the plug-in {source!r}: {where} {_kind(found)}; expected {expected}")


def _kind(found: object) -> str:
    """What something is, with an article."""
    if found is None:
        return "None"
    if isinstance(found, np.ndarray):
        return f"an array of {found.dtype} with the shape {found.shape}"
    name = type(found).__name__
    return f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"


def _words(error: Exception) -> str:
    """An exception in one line: its type and its text."""
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
