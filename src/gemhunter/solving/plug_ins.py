"""Engines and agents of other packages: their faults become errors that name the package."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gemhunter.board.puzzle import Puzzle, Solution
from gemhunter.cnf.formula import Cnf
from gemhunter.errors import EngineError, GemHunterError
from gemhunter.solving.engine import (
    CnfSolver,
    Engine,
    EngineInfo,
    SatAnswer,
    Satisfied,
    TracingEngine,
    TracingSolver,
    Unsatisfiable,
)
from gemhunter.solving.events import Event
from gemhunter.solving.outcomes import GaveUp, Outcome, Refuted, Solved, StopReason
from gemhunter.solving.run import Run

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


def entry_points_of(group: str) -> dict[str, "EntryPoint"]:
    """The entry points of a group in all installed packages, by name, without importing any."""
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=group)}


def make_plug_in(point: "EntryPoint", argument: Any) -> object:
    """Call the factory of a plug-in with an argument; `EngineError` if that fails."""
    try:
        factory: Callable[[Any], object] = point.load()
        return factory(argument)
    except GemHunterError:
        raise
    except Exception as error:
        raise EngineError(f"the plug-in {point.value!r} cannot be loaded: {_words(error)}") from error


def guarded(engine: object, source: str) -> Engine | CnfSolver:
    """The engine or solver of a plug-in; its faults become errors that name `source`."""
    with faults_of(source):
        if not isinstance(engine, Engine | CnfSolver):
            kind = f"{type(engine).__name__} is neither an Engine nor a CnfSolver"
            needed = "`info`, and `solve` or `solve_cnf`"
            raise EngineError(f"the plug-in {source!r} did not return an engine: {kind}; expected {needed}")
        info: object = engine.info
    if not isinstance(info, EngineInfo):
        raise unexpected(source, "`info` is", info, "an EngineInfo")
    if isinstance(engine, CnfSolver):
        return (TracedPlugInSolver if isinstance(engine, TracingSolver) else PlugInSolver)(engine, source)
    return (TracedPlugInEngine if isinstance(engine, TracingEngine) else PlugInEngine)(engine, source)


@contextmanager
def faults_of(source: str) -> Iterator[None]:
    """A context in which every exception becomes an `EngineError` that names the plug-in."""
    try:
        yield
    # A memory limit that was reached is an outcome; the others are not faults but end what is under way.
    except (GemHunterError, MemoryError, KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:
        raise EngineError(f"the plug-in {source!r} failed: {_words(error)}") from error


@dataclass(frozen=True, slots=True)
class PlugIn:
    """An engine or solver of another package."""

    wrapped: Any
    source: str

    @property
    def info(self) -> EngineInfo:
        """What is known about the engine or solver."""
        info: EngineInfo = self.wrapped.info
        return info


class PlugInEngine(PlugIn):
    """An engine of another package."""

    __slots__ = ()

    def solve(self, puzzle: Puzzle, run: Run) -> Outcome:
        """The engine's outcome; `EngineError` if it is not one."""
        with faults_of(self.source):
            outcome: Outcome = self.wrapped.solve(puzzle, run)
        require_types(outcome, self.source, "solve", (Solved, Refuted, GaveUp))
        return outcome


class TracedPlugInEngine(PlugInEngine):
    """An engine of another package that reports its search."""

    __slots__ = ()

    def trace(self, puzzle: Puzzle, run: Run) -> Iterator[Event]:
        """Yield the engine's events."""
        with faults_of(self.source):
            yield from self.wrapped.trace(puzzle, run)


class PlugInSolver(PlugIn):
    """A SAT solver of another package."""

    __slots__ = ()

    def solve_cnf(self, cnf: Cnf, run: Run) -> SatAnswer:
        """The solver's answer; `EngineError` if it is not one."""
        with faults_of(self.source):
            answer: SatAnswer = self.wrapped.solve_cnf(cnf, run)
        require_types(answer, self.source, "solve_cnf", (Satisfied, Unsatisfiable, GaveUp))
        return answer


class TracedPlugInSolver(PlugInSolver):
    """A SAT solver of another package that reports its search."""

    __slots__ = ()

    def trace_cnf(self, cnf: Cnf, run: Run) -> Iterator[Event]:
        """Yield the solver's events."""
        with faults_of(self.source):
            yield from self.wrapped.trace_cnf(cnf, run)


def require_types(answer: object, source: str, method: str, kinds: tuple[type, type, type]) -> None:
    """Raise `EngineError` unless a plug-in's answer is one of `kinds` and its value has the right type."""
    if not isinstance(answer, kinds):
        first, second, third = (kind.__name__ for kind in kinds)
        raise unexpected(source, f"`{method}` returned", answer, f"{first}, {second} or {third}")
    value: object
    match answer:
        case Solved(value):
            is_right, expected = isinstance(value, Solution), "a Solution, a boolean for each hidden cell"
        case Refuted(value):
            is_right, expected = isinstance(value, str), "the reason as a text"
        case GaveUp(value):
            is_right, expected = isinstance(value, StopReason), "a StopReason, such as run.spend() returns"
        case Satisfied():
            model: object = answer.model
            is_vector = isinstance(model, np.ndarray) and model.ndim == 1
            value, is_right = model, is_vector and np.issubdtype(answer.model.dtype, np.integer)
            expected = "a NumPy array of the literals that are true"
        case _:
            return
    if not is_right:
        raise unexpected(source, f"`{type(answer).__name__}` has", value, expected)


def unexpected(source: str, where: str, found: object, expected: str) -> EngineError:
    """The error that says what a plug-in returned and what was expected."""
    name = type(found).__name__
    kind = f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"
    if found is None:
        kind = "None"
    elif isinstance(found, np.ndarray):
        kind = f"an array of {found.dtype} with the shape {found.shape}"
    return EngineError(f"the plug-in {source!r}: {where} {kind}; expected {expected}")


def _words(error: BaseException) -> str:
    """The type and text of an exception."""
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
