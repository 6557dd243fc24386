"""Engines by name: a table for built-in ones, entry points for those of other packages."""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from gemhunter.board.puzzle import Puzzle
from gemhunter.board.solution import Solution
from gemhunter.cnf.formula import Cnf
from gemhunter.errors import EngineError, GemHunterError, InputError, UnknownNameError
from gemhunter.extras import has_package, missing_text
from gemhunter.solving.engine import (
    CnfEngine,
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


# Code of other packages: its faults become errors that name the package and say what was expected.


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


# Engines by name: a table for built-in ones, entry points for those of other packages.
#
# A name is `engine` or `engine:argument`, or a file of Python code. Behind each stands a factory,
# `module:attribute`, that takes the argument ("" if there is none) and returns an `Engine` or a
# `CnfSolver`. Listing names imports none of them.


ENGINE_ENTRY_POINTS = "gemhunter.engines"
"""The entry-point group of third-party engines."""

BUILT_IN_ENGINES = {
    "auto": "gemhunter.engines.auto.engine:make_engine",
    "brute-force": "gemhunter.engines.brute_force:make_engine",
    "backtracking": "gemhunter.engines.backtracking:make_engine",
    "dpll": "gemhunter.engines.dpll:make_engine",
    "cdcl": "gemhunter.engines.cdcl.engine:make_engine",
    "resolution": "gemhunter.engines.resolution.engine:make_engine",
    "genetic": "gemhunter.engines.genetic:make_engine",
    "local-search": "gemhunter.engines.local_search:make_engine",
    "tables": "gemhunter.engines.tables:make_engine",
    "pysat": "gemhunter.engines.pysat.engine:make_engine",
    "cp-sat": "gemhunter.engines.cp_sat:make_engine",
    "cmd": "gemhunter.engines.solver_program:make_engine",
    "grid": "gemhunter.engines.grid_program:make_engine",
}

ENGINE_ARGUMENTS = {
    "brute-force": "gemhunter.engines.brute_force:BRUTE_FORCE_MODES",
    "backtracking": "gemhunter.engines.backtracking:BACKTRACKING_MODES",
    "pysat": "gemhunter.engines.pysat.solvers:SOLVERS",
}
"""Where the arguments worth listing are, for engines that take one."""

NEEDS_ARGUMENT = {"cmd": "PROGRAM", "grid": "PROGRAM"}

PYTHON_FILE = re.compile(r".+\.py(:.*)?")
"""The name of an engine that is a file of the user's own, such as `./mine.py` or `mine.py:solve_grid`."""


FORMULA_ENGINE = "pysat"
"""The engine for formulas unless another one is named; `auto` reads boards."""

PROOF_ENGINE = "pysat:glucose4"
"""What `auto` stands for when a proof is wanted."""


def engine_names() -> list[str]:
    """The name of every engine, as people type it."""
    names = [name for name in BUILT_IN_ENGINES if name not in NEEDS_ARGUMENT]
    names += [f"{name}:{member}" for name, members in ENGINE_ARGUMENTS.items() for member in _find(members)]
    names += [f"{name}:{argument}" for name, argument in NEEDS_ARGUMENT.items()]
    return names + sorted(entry_points_of(ENGINE_ENTRY_POINTS))


def get_engine(name: str, *, proof: bool = False) -> Engine:
    """The engine of that name; raises `UnknownNameError` with the nearest match, or `EngineError`.

    With `proof`, `auto` is an engine that writes proofs.
    """
    if proof and name == "auto":
        name = PROOF_ENGINE
    base, _, argument = name.partition(":")
    if base in BUILT_IN_ENGINES:
        make = _as_engine_of if base in NEEDS_ARGUMENT else _kept_engine_of
        return make(BUILT_IN_ENGINES[base], argument)
    if PYTHON_FILE.fullmatch(name):
        return _as_engine(_find("gemhunter.engines.python_file:make_engine")(name))
    plug_in = entry_points_of(ENGINE_ENTRY_POINTS).get(base)
    if plug_in is None:
        if set(name.split(",")) <= set(engine_names()):
            raise InputError(f"{name!r} names several engines; give each an --engine of its own")
        raise UnknownNameError("engine", name, engine_names(), see="engines")
    return _as_engine(guarded(make_plug_in(plug_in, argument), plug_in.value))


def require_installed(engine: Engine) -> Engine:
    """The engine, or an `EngineError` that says how to install the package that it lacks."""
    info = engine.info
    if info.package and not has_package(info.package):
        raise EngineError(missing_text(f"{info.name} needs", info.package))
    return engine


def get_clause_engine(engine: str | Engine | CnfSolver) -> CnfEngine:
    """An engine that reads clauses, so that it can be asked about a formula; `InputError` for any other."""
    found = get_engine(engine) if isinstance(engine, str) else _as_engine(engine)
    if not isinstance(found, CnfEngine):
        others = ", ".join(clause_engines())
        raise InputError(f"{found.info.name} reads boards, not formulas; engines for formulas: {others}")
    return found


def clause_engines() -> list[str]:
    """The names of all engines that read clauses; `pysat` stands for all its solvers."""
    found: list[str] = []
    for name in engine_names():
        if name.partition(":")[0] not in found and isinstance(_engine_or_none(name), CnfEngine):
            found.append(name)
    return found


def _engine_or_none(name: str) -> Engine | None:
    """None for a plug-in that cannot be loaded."""
    try:
        return get_engine(name)
    except GemHunterError:
        return None


def list_engines() -> list[EngineInfo]:
    """The facts about each engine; for a plug-in that cannot be loaded, `about` says why."""
    return [_describe(name) for name in engine_names()]


def _describe(name: str) -> EngineInfo:
    try:
        info = get_engine(name).info
    except GemHunterError as error:
        return EngineInfo(name, str(error), complete=False, deterministic=False, time_limit=False)
    return replace(info, name=name)


def _find(target: str) -> Any:
    """What `module:attribute` names."""
    module, _, attribute = target.partition(":")
    return getattr(import_module(module), attribute)


def _as_engine_of(target: str, argument: str) -> Engine:
    """The engine that a factory makes of an argument."""
    return _as_engine(_find(target)(argument))


_kept_engine_of = lru_cache(maxsize=64)(_as_engine_of)
"""Engines keep nothing between calls, so one is enough. Programs are looked up each time."""


def _as_engine(made: object) -> Engine:
    if isinstance(made, CnfSolver):
        return CnfEngine(made)
    if isinstance(made, Engine):
        return made
    raise EngineError(f"{type(made).__name__} is neither an Engine nor a CnfSolver")


# Engines by whose they are.


WRITTEN_HERE, PYSAT, OTHERS = "written here", "PySAT's solvers", "others"

OTHERS_CODE = ("cp-sat", "cmd", "grid")
"""Engines of this package, beside PySAT's, that run a solver of other people."""


def engine_family(name: str) -> str:
    """Whose an engine is: written here, one of PySAT's, or another one, such as a plug-in."""
    base = name.partition(":")[0]
    if base == "pysat":
        return PYSAT
    return WRITTEN_HERE if base in BUILT_IN_ENGINES and base not in OTHERS_CODE else OTHERS


def by_family(names: Iterable[str]) -> dict[str, list[str]]:
    """Engines under the names of their families; one with an argument comes after the one without."""
    families: dict[str, list[str]] = {WRITTEN_HERE: [], PYSAT: [], OTHERS: []}
    for name in names:
        families[engine_family(name)].append(name)
    return {family: _together(members) for family, members in families.items() if members}


def _together(names: list[str]) -> list[str]:
    bases = list(dict.fromkeys(name.partition(":")[0] for name in names))
    return sorted(names, key=lambda name: bases.index(name.partition(":")[0]))
